"""What the language answers when a text cannot be read or asked: the place, the reason and the fix."""

from __future__ import annotations

from typing import Any

from engine.wire import EngineError

EXCERPT = 24


class LanguageError(EngineError):
    """A text that is not in the language, or asks for what it does not allow; ``position`` is the character."""

    def __init__(
        self,
        problem: str,
        fix: str,
        *,
        text: str = "",
        position: int = 0,
        constraint: str = "notation",
        expected: Any = None,
    ) -> None:
        self.problem, self.fix = problem, fix
        self.position = min(max(position, 0), len(text))
        before = text[: self.position]
        self.line = before.count("\n") + 1
        self.column = self.position - (before.rfind("\n") + 1) + 1
        where = f"character {self.column}" if "\n" not in text.strip() else f"line {self.line}, character {self.column}"
        super().__init__(
            f"{problem} ({where}). {fix}",
            field="program",
            constraint=constraint,
            expected=fix if expected is None else expected,
            actual=text[self.position : self.position + EXCERPT],
        )
        self.details |= {"position": self.position, "line": self.line, "column": self.column}

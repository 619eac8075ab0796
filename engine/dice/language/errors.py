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
        text: str | None = None,
        position: int = 0,
        constraint: str = "notation",
        expected: Any = None,
    ) -> None:
        self.problem, self.fix, self.at = problem, fix, position
        source = text or ""
        self.position = min(max(position, 0), len(source))
        before = source[: self.position]
        self.line = before.count("\n") + 1
        self.column = self.position - (before.rfind("\n") + 1) + 1
        super().__init__(
            f"{problem}{self._place(source) if text is not None else ''}. {fix}",
            field="program",
            constraint=constraint,
            expected=fix if expected is None else expected,
            actual=source[self.position : self.position + EXCERPT],
        )
        self.details |= {"position": self.position, "line": self.line, "column": self.column}

    def _place(self, text: str) -> str:
        line = f"line {self.line}, " if "\n" in text.strip() else ""
        return f" ({line}character {self.column})"

    def within(self, text: str) -> LanguageError:
        """The same error, pointing into the text it came from."""
        known = {key: self.details[key] for key in ("constraint", "expected")}
        return LanguageError(self.problem, self.fix, text=text, position=self.at, **known)

"""The place in a text that is being read: tokens taken one after the other, numbers within bounds, errors that point.

Limits of the language are here, where numbers are read.
"""

from __future__ import annotations

from engine.dice.language import syntax
from engine.dice.language.errors import LanguageError
from engine.dice.language.native.hints import hint
from engine.dice.language.native.tokens import Token, tokenize
from engine.dice.language.syntax import Comparison, Kind, Node

MAX_DICE, MAX_SIDES, MAX_FACE, MAX_FACES = 1000, 1000, 10_000, 1000
MAX_DEPTH, MAX_STATEMENTS, MAX_OUTPUTS, MAX_LIMIT = 30, 60, 60, 100
MAX_TEXT = 40

COMPARISONS: dict[str, Comparison] = {
    "=": "=", "==": "=", "!=": "!=", "<": "<", "<=": "<=", ">": ">", ">=": ">=",
}  # fmt: skip
EXAMPLE = "Write dice like 3D6+2, 4D6kh3 or 8D6 count >=5."


class Cursor:
    """A text and how far it has been read, with what is known of the names met so far."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens = tokenize(text)
        self.next = 0
        self.depth = 0
        self.constants: dict[str, int] = {}
        self.kinds: dict[str, Kind] = {}

    # -- tokens -------------------------------------------------------------------------------------------------------

    @property
    def token(self) -> Token:
        return self.tokens[self.next]

    def advance(self) -> Token:
        token = self.token
        if token.kind != "end":
            self.next += 1
        return token

    def at_mark(self, *marks: str) -> bool:
        return self.token.kind == "mark" and self.token.text in marks

    def at_word(self, *words: str) -> bool:
        return self.token.kind == "word" and self.token.lower in words

    def take_mark(self, *marks: str) -> Token | None:
        return self.advance() if self.at_mark(*marks) else None

    def take_word(self, *words: str) -> Token | None:
        return self.advance() if self.at_word(*words) else None

    def need_mark(self, mark: str, fix: str) -> Token:
        if not self.at_mark(mark):
            raise self.error(f"Here “{mark}” is missing", fix)
        return self.advance()

    def attached(self) -> bool:
        """Whether the next token follows without a space."""
        return self.next > 0 and self.tokens[self.next - 1].end == self.token.at

    def error(
        self, problem: str, fix: str = EXAMPLE, token: Token | None = None, constraint: str = "notation"
    ) -> LanguageError:
        at = (token or self.token).at
        return LanguageError(problem, fix, text=self.text, position=at, constraint=constraint)

    def unexpected(self) -> LanguageError:
        token = self.token
        if token.kind in ("end", "line"):
            return self.error("Something is missing here")
        shown = f"“{token.text}”"
        return self.error(f"{shown} is not dice notation here", hint(token.text, EXAMPLE))

    def enter(self) -> None:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise self.error(
                "This is nested too deeply",
                f"At most {MAX_DEPTH} brackets may be open; name a part of it.",
                None,
                "depth",
            )

    def leave(self) -> None:
        self.depth -= 1

    # -- numbers and kinds --------------------------------------------------------------------------------------------

    def kind(self, node: Node) -> Kind:
        return syntax.kind_of(node, self.kinds)

    def number(self, node: Node, at: Token) -> Node:
        if self.kind(node) == "text":
            raise self.error("A text cannot be counted with", "Texts can be results, or be compared with ==.", at)
        return node

    def pool(self, node: Node, at: Token) -> Node:
        if self.kind(node) == "pool":
            return node
        raise self.error(
            "There are no single dice here", "This needs dice side by side, such as 4D6, 6x(2D6+1) or {D6, D8}.", at
        )

    def _need_truth(self, node: Node, at: Token) -> None:
        if self.kind(node) != "truth":
            raise self.error("This needs a question", "Compare something, such as hit >= 15.", at)

    def whole(self, what: str, low: int, high: int) -> int:
        """A whole number that is known before anything is rolled: a number, or a name of one."""
        at = self.token
        sign = -1 if self.take_mark("-") else 1
        token = self.advance()
        if token.kind == "number":
            value = sign * token.value
        elif token.kind == "name" and token.text in self.constants:
            value = sign * self.constants[token.text]
        else:
            raise self.error(f"{what} must be a number", f"Write a number from {low} to {high}.", at)
        return self.bounded(value, what, low, high, at)

    def bounded(self, value: int, what: str, low: int, high: int, at: Token) -> int:
        if not low <= value <= high:
            raise LanguageError(
                f"{what} must be {low}–{high}; you entered {value}",
                f"Choose a number from {low} to {high}.",
                text=self.text,
                position=at.at,
                constraint="range",
                expected=f"{low}–{high}",
            )
        return value

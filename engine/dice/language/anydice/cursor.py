"""The place in an AnyDice program that is being read, and what its words stand for."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from engine.dice.language import syntax
from engine.dice.language.errors import LanguageError
from engine.dice.language.native.cursor import MAX_DEPTH
from engine.dice.language.native.tokens import MAX_LENGTH
from engine.dice.language.syntax import Node

TOKEN = re.compile(
    r"(?P<space>[ \t\r\n]+|\\[^\\]*\\)|(?P<number>\d+)|(?P<text>\"[^\"]*\")|(?P<name>[A-Z_]+)|(?P<word>[a-z]+)"
    r"|(?P<mark>\.\.|!=|<=|>=|[-+*/^@#!<>=(){}\[\],:&|])"
)
EXAMPLE = 'Write it like: output 3d6 named "sum"'
MOST_NODES = 4000


@dataclass(frozen=True, slots=True)
class Token:
    kind: str
    text: str
    at: int


@dataclass(frozen=True, slots=True)
class Sequence:
    """Whole numbers in order, known before anything is rolled."""

    values: tuple[int, ...]


Value = Node | Sequence


@dataclass(frozen=True, slots=True)
class Parameter:
    name: str
    sort: str  # n, s or d


@dataclass(frozen=True, slots=True)
class Function:
    """A function of the program: its parameters and where its body begins."""

    parameters: tuple[Parameter, ...]
    start: int
    end: int


@dataclass(slots=True)
class Scope:
    """Variables of the program or of one call."""

    values: dict[str, Value] = field(default_factory=dict)
    family: tuple[tuple[str, int], ...] = ()


class Cursor:
    """A program and how far it has been read."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens = self._tokens()
        self.next = 0
        self.depth = 0
        self.statements: list[syntax.Statement] = []
        self.kinds: dict[str, syntax.Kind] = {}
        self.nodes = 0

    def _tokens(self) -> list[Token]:
        if len(self.text) > MAX_LENGTH:
            raise LanguageError(
                f"The text has {len(self.text):,} characters", f"At most {MAX_LENGTH:,} are read.",
                text=self.text, position=MAX_LENGTH, constraint="length",
            )  # fmt: skip
        plain = self.text.replace("−", "-").replace("≥", "\x01").replace("“", '"').replace("”", '"')
        tokens, at = [], 0
        while at < len(plain):
            found = TOKEN.match(plain, at)
            if found is None:
                raise LanguageError(f"“{plain[at]}” means nothing here", EXAMPLE, text=self.text, position=at)
            if found.lastgroup != "space":
                tokens.append(Token(str(found.lastgroup), found.group(), at))
            at = found.end()
        tokens.append(Token("end", "", len(plain)))
        return tokens

    @property
    def token(self) -> Token:
        return self.tokens[self.next]

    def advance(self) -> Token:
        token = self.token
        if token.kind != "end":
            self.next += 1
        return token

    def at(self, *texts: str) -> bool:
        return self.token.kind in ("mark", "word") and self.token.text in texts

    def take(self, *texts: str) -> Token | None:
        return self.advance() if self.at(*texts) else None

    def need(self, text: str) -> Token:
        if not self.at(text):
            raise self.error(f"Here “{text}” is missing")
        return self.advance()

    def error(self, problem: str, fix: str = EXAMPLE, token: Token | None = None) -> LanguageError:
        return LanguageError(problem, fix, text=self.text, position=(token or self.token).at)

    def grown(self, node: Node) -> Node:
        """Count nodes, so that a program cannot unroll without end."""
        self.nodes += 1
        if self.nodes > MOST_NODES:
            raise self.error("This program unrolls to too much", "Use fewer or shorter loops.")
        return node

    def enter(self) -> None:
        self.depth += 1
        if self.depth > 3 * MAX_DEPTH:
            raise self.error("This is nested too deeply", "Use fewer brackets.")

    def skip_block(self) -> None:
        self.need("{")
        open_blocks = 1
        while open_blocks:
            token = self.advance()
            if token.kind == "end":
                raise self.error("Here “}” is missing")
            if token.kind == "mark":
                open_blocks += (token.text == "{") - (token.text == "}")

"""Tokens of the dice language.

Dice notation has no spaces: ``nD6kh1`` is the name ``n``, a six-sided die and a modifier. Names are therefore found
first (wherever a text assigns or loops), and a run of letters and digits is cut into names, words and numbers by them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from engine.dice.language.errors import LanguageError
from engine.dice.language.native.hints import hint

MAX_LENGTH, MAX_TOKENS = 4000, 1500
MAX_NUMBER = 1_000_000

TokenKind = Literal["number", "word", "name", "text", "mark", "end", "line"]


@dataclass(frozen=True, slots=True)
class Token:
    """One word, number, mark or text, and where it begins."""

    kind: TokenKind
    text: str
    at: int
    end: int
    value: int = 0

    @property
    def lower(self) -> str:
        return self.text.lower()


#: What a keyboard, a word processor or a page may write for the same mark.
SPELLINGS = str.maketrans(
    {
        "−": "-", "–": "-", "×": "*", "·": "*", "÷": "/", "“": '"', "”": '"', "„": '"',
        "≥": "\x01", "≤": "\x02", "≠": "\x03", "…": "\x04", "\t": " ", "\r": " ", "\N{NO-BREAK SPACE}": " ",
    }
)  # fmt: skip
MARKS = {"\x01": ">=", "\x02": "<=", "\x03": "!=", "\x04": ".."}
MARK = re.compile(r"\.\.|==|!=|<>|<=|>=|!!|[-+*/%!<>=(){}\[\],:@\x01\x02\x03\x04]")
RUN = re.compile(r"[A-Za-z_][A-Za-z_0-9]*")
ASSIGNED = re.compile(r"(?:^|[;\n:])\s*([A-Za-z_][A-Za-z_0-9]*)\s*=(?!=)")
LOOPED = re.compile(r"\bfor\s+([A-Za-z_][A-Za-z_0-9]*)\s+in\b", re.IGNORECASE)

#: Words with a meaning of their own: no name may be one of them.
RESERVED = frozenset(
    [
        *("and", "or", "not", "if", "then", "else", "for", "in", "step", "given", "output", "named", "as", "of", "x"),
        *("d", "df", "vs", "against", "beats", "keep", "drop", "highest", "lowest", "middle", "limit", "left", "right"),
        *("count", "twice", "minus", "cancel", "botch", "min", "max", "abs", "floor", "ceil", "round", "sum"),
        *("advantage", "disadvantage", "pairs", "sets", "largest_set", "longest_run", "highest_count", "different"),
        *("pair_off", "margin", "bands"),
    ]
)
LOOKS_LIKE_DICE = re.compile(r"\d*d(\d+|f)?([kdr][hlo]?\d*|!)?", re.IGNORECASE)


def tokenize(text: str) -> list[Token]:
    """Cut a text into tokens; a line break ends a statement and is a token of its own.

    >>> [token.text for token in tokenize("4D6kh3 + 2")]
    ['4', 'D', '6', 'kh', '3', '+', '2', '']
    """
    if len(text) > MAX_LENGTH:
        raise LanguageError(
            f"The text has {len(text):,} characters",
            f"At most {MAX_LENGTH:,} are read; split it into several questions.",
            text=text,
            position=MAX_LENGTH,
            constraint="length",
        )
    return _Tokenizer(text).run()


class _Tokenizer:
    def __init__(self, text: str) -> None:
        self.text = text
        self.plain = text.translate(SPELLINGS)
        self.names = self._declared()
        self.tokens: list[Token] = []
        self.at = 0
        self.depth = 0

    def run(self) -> list[Token]:
        plain = self.plain
        while self.at < len(plain):
            character = plain[self.at]
            if character == " ":
                self.at += 1
            elif character == "#":
                end = plain.find("\n", self.at)
                self.at = len(plain) if end < 0 else end
            elif character in "\n;":
                self._line(character)
            elif character.isascii() and character.isdigit():
                self._number()
            elif character == '"':
                self._quoted()
            elif found := RUN.match(plain, self.at):
                self._run(found.group(), self.at)
                self.at = found.end()
            elif found := MARK.match(plain, self.at):
                self._mark(found.group())
            else:
                raise self._error(
                    f"“{character}” means nothing here",
                    hint(character, "Write dice like 3D6+2; see the list of operators."),
                )
            if len(self.tokens) > MAX_TOKENS:
                raise self._error("The text is too long", "Split it into several questions.", "length")
        self._add("end", "", len(plain))
        return self.tokens

    def _declared(self) -> frozenset[str]:
        """Names the text gives to rolls and parameters, checked for clashes with the notation itself."""
        assigned = [m for m in ASSIGNED.finditer(self.plain) if not LOOKS_LIKE_DICE.fullmatch(m.group(1))]
        found = [*assigned, *LOOPED.finditer(self.plain)]  # D6 = 6 is a question, not a name
        for match in found:
            name = match.group(1)
            if name.lower() in RESERVED or LOOKS_LIKE_DICE.fullmatch(name):
                raise LanguageError(
                    f"“{name}” already means something in dice notation",
                    "Choose another name, such as hit or damage.",
                    text=self.text,
                    position=match.start(1),
                )
        return frozenset(match.group(1) for match in found)

    def _run(self, run: str, at: int) -> None:
        """Cut a run of letters and digits: a name, a name before a die (``nD6``), words and numbers."""
        while run:
            if run in self.names:
                self._add("name", run, at)
                return
            name = self._name_before_a_die(run)
            if name:
                self._add("name", name, at)
                run, at = run[len(name) :], at + len(name)
                continue
            if run[0].isdigit():
                digits = _leading_digits(run)
                self._add_number(digits, at)
                run, at = run[len(digits) :], at + len(digits)
                continue
            if run[0] in "dD" and run[1:] in self.names:  # Dn: a die of n sides
                self._add("word", run[0], at)
                self._add("name", run[1:], at + 1)
                return
            letters = re.match(r"[A-Za-z_]+", run)
            word = letters.group() if letters else run
            self._add("word", word, at)
            run, at = run[len(word) :], at + len(word)

    def _name_before_a_die(self, run: str) -> str:
        fits = (name for name in self.names if run.startswith(name) and _starts_a_die(run[len(name) :], self.names))
        return max(fits, key=len, default="")

    def _number(self) -> None:
        digits = _leading_digits(self.plain[self.at :])
        self._add_number(digits, self.at)
        self.at += len(digits)

    def _add_number(self, digits: str, at: int) -> None:
        if len(digits) > 7 or int(digits) > MAX_NUMBER:
            raise LanguageError(
                f"{digits[:12]}{'…' if len(digits) > 12 else ''} is too large a number",
                f"Numbers go up to {MAX_NUMBER:,}.",
                text=self.text,
                position=at,
                constraint="range",
                expected=f"0–{MAX_NUMBER}",
            )
        self.tokens.append(Token("number", digits, at, at + len(digits), int(digits)))

    def _quoted(self) -> None:
        end = self.plain.find('"', self.at + 1)
        if end < 0 or "\n" in self.plain[self.at : end]:
            raise self._error("This text has no closing quotation mark", 'Write it like "critical".')
        self.tokens.append(Token("text", self.text[self.at + 1 : end], self.at, end + 1))
        self.at = end + 1

    def _mark(self, mark: str) -> None:
        self.depth += mark in ("(", "{", "[")
        self.depth -= mark in (")", "}", "]")
        spelled = {"<>": "!="}.get(mark, MARKS.get(mark, mark))
        self.tokens.append(Token("mark", spelled, self.at, self.at + len(mark)))
        self.at += len(mark)

    def _line(self, character: str) -> None:
        if self.depth <= 0 or character == ";":
            self._add("line", character, self.at)
        self.at += 1

    def _add(self, kind: TokenKind, text: str, at: int) -> None:
        self.tokens.append(Token(kind, text, at, at + len(text)))

    def _error(self, problem: str, fix: str, constraint: str = "notation") -> LanguageError:
        return LanguageError(problem, fix, text=self.text, position=self.at, constraint=constraint)


def _leading_digits(text: str) -> str:
    found = re.match(r"[0-9]+", text)
    return found.group() if found else ""


def _starts_a_die(rest: str, names: frozenset[str]) -> bool:
    """Whether what follows a name is a die: ``D6…``, ``dF``, ``Dn``, or ``D`` before a mark."""
    if rest[:1] not in ("d", "D", "x", "X"):
        return False
    return not rest[1:] or rest[1].isdigit() or rest[1:].upper() == "F" or rest[1:] in names

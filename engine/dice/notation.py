"""Plain dice notation: sums of dice and numbers, such as ``3D6+2``, ``D3``, ``2d8-1`` or ``4D6kh3``.

Weapons and damage are written so: what they hold must be rolled die by die and shown as terms. The text is read by the
dice language (``engine.dice.language``); this module takes the part of it that is a sum of terms.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from engine.dice.language import syntax
from engine.dice.language.errors import LanguageError
from engine.dice.language.native import parser
from engine.dice.language.native.tokens import MAX_NUMBER
from engine.dice.language.pools.ranks import ranked_sum
from engine.dice.pmf import Pmf
from engine.wire import EngineError

MAX_DICE, MAX_SIDES, MAX_FLAT, MAX_TERMS = 200, 1000, 100_000, 20
#: Work grows with dice² × sides; past this an answer would not be instant.
MAX_TOTAL, MAX_KEPT = 20_000, 40_000_000


@dataclass(frozen=True, slots=True)
class Term:
    """``sign × (count dice of sides, the best or worst ``keep`` of them)``, or a flat number when ``sides`` is 0."""

    sign: int
    count: int
    sides: int
    keep: int
    keep_high: bool

    @property
    def distribution(self) -> Pmf:
        one = Pmf.point(self.count) if not self.sides else self._kept()
        return one if self.sign > 0 else one.map(lambda value: -value)

    def _kept(self) -> Pmf:
        left_out = self.count - self.keep
        high, low = (0, left_out) if self.keep_high else (left_out, 0)
        return ranked_sum(Pmf.die(self.sides), self.count, high, low)

    def __str__(self) -> str:
        if not self.sides:
            return str(self.count)
        kept = "" if self.keep == self.count else f"k{'h' if self.keep_high else 'l'}{self.keep}"
        return f"{self.count if self.count > 1 else ''}D{self.sides}{kept}"


@dataclass(frozen=True, slots=True)
class Expression:
    """A parsed expression. Its text form is canonical and parses back to the same thing.

    >>> str(parse(" 2d6 + 1d6+3"))
    '2D6+D6+3'
    >>> round(parse("3D6+2").distribution.mean, 9)
    12.5
    """

    terms: tuple[Term, ...]

    @property
    def distribution(self) -> Pmf:
        total = Pmf.point(0)
        for term in self.terms:
            total = total.convolve(term.distribution)
        return total

    @property
    def dice(self) -> tuple[int, ...]:
        """The sides of every die, in the order they are rolled."""
        return tuple(term.sides for term in self.terms if term.sides for _ in range(term.count))

    def total(self, faces: tuple[int, ...]) -> int:
        """The value of one set of rolled faces, in the order of :attr:`dice`."""
        result, at = 0, 0
        for term in self.terms:
            if not term.sides:
                result += term.sign * term.count
                continue
            rolled = sorted(faces[at : at + term.count], reverse=term.keep_high)
            result += term.sign * sum(rolled[: term.keep])
            at += term.count
        return result

    def __str__(self) -> str:
        text = "".join(f"{'+' if term.sign > 0 else '-'}{term}" for term in self.terms)
        return text.removeprefix("+")


def parse(text: str, *, field: str = "expression") -> Expression:
    """Read an expression, or raise an :class:`EngineError` that says what would be allowed."""
    try:
        statements = parser.parse(text).statements
    except LanguageError as error:
        raise _refused(error, text, field) from error
    if len(statements) != 1 or not isinstance(statements[0], syntax.Output):
        raise _unreadable(text, field, text)
    terms = tuple(_terms(statements[0].value, 1, text, field))
    if len(terms) > MAX_TERMS:
        raise _unreadable(text, field, text)
    expression = Expression(terms)
    _check_size(expression, text, field)
    return expression


def _terms(node: syntax.Node, sign: int, text: str, field: str) -> list[Term]:
    """The terms of a sum, from the left."""
    if isinstance(node, syntax.Arithmetic) and node.operator != "*":
        right = sign if node.operator == "+" else -sign
        return _terms(node.left, sign, text, field) + _terms(node.right, right, text, field)
    if isinstance(node, syntax.Negate):
        return _terms(node.body, -sign, text, field)
    if isinstance(node, syntax.Number):
        flat = _bounded(abs(node.value), 0, MAX_FLAT, "The number added", text, field)
        return [Term(sign if node.value >= 0 else -sign, flat, 0, 0, True)]
    keep = node if isinstance(node, syntax.Keep) and not node.drop and node.which != "middle" else None
    dice = keep.pool if keep is not None else node
    if not isinstance(dice, syntax.Dice):
        raise _unreadable(text, field, str(node))
    if not isinstance(dice.count, syntax.Number) or not isinstance(dice.sides, syntax.Number):
        raise _unreadable(text, field, str(node))
    count = _bounded(dice.count.value, 1, MAX_DICE, "The number of dice", text, field)
    sides = _bounded(dice.sides.value, 1, MAX_SIDES, "The number of sides", text, field)
    kept = keep.number if keep is not None else count
    # Keeping every die is neither high nor low: one spelling for one meaning.
    return [Term(sign, count, sides, kept, kept == count or keep is None or keep.which == "highest")]


def _bounded(value: int, low: int, high: int, what: str, text: str, field: str) -> int:
    if not low <= value <= high:
        raise _out_of_range(what, low, high, value, text, field)
    return value


def _out_of_range(what: str, low: int, high: int, entered: object, text: str, field: str) -> EngineError:
    return EngineError(
        f"{what} must be {low}–{high}; you entered {entered}.",
        field=field,
        constraint="range",
        expected=f"{low}–{high}",
        actual=text,
    )


def _check_size(expression: Expression, text: str, field: str) -> None:
    dice = sum(term.count * term.sides for term in expression.terms)
    kept = sum(term.count**2 * term.sides**2 for term in expression.terms if 0 < term.keep < term.count)
    if dice > MAX_TOTAL or kept > MAX_KEPT:
        raise EngineError(
            f"That is too many dice to count exactly: dice × sides must stay within {MAX_TOTAL:,}.",
            field=field,
            constraint="size",
            expected=MAX_TOTAL,
            actual=text,
        )


def _refused(error: LanguageError, text: str, field: str) -> EngineError:
    """What the language says, in the words of a field that takes plain dice only."""
    if error.details["constraint"] != "range":
        return _unreadable(text, field, text[error.position :].strip() or text)
    entered = re.search(r"-?[0-9]+$", error.problem)
    if error.problem.startswith("The number of dice must") and entered:
        return _out_of_range("The number of dice", 1, MAX_DICE, entered.group(), text, field)
    if error.details["expected"] == f"0–{MAX_NUMBER}":
        return _out_of_range("The number added", 0, MAX_FLAT, text[error.position :][:12], text, field)
    return EngineError(
        f"{error.problem}.", field=field, constraint="range", expected=error.details["expected"], actual=text
    )


def _unreadable(text: str, field: str, rest: str) -> EngineError:
    return EngineError(
        f"“{rest[:40]}” is not dice notation. Write it like 3D6+2, D3 or 4D6kh3.",
        field=field,
        constraint="notation",
        expected="XDy+Z",
        actual=text,
    )

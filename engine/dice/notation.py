"""Dice notation: ``3D6+2``, ``D3``, ``2d8-1``, ``1D6 + 1D4 + 3``, ``4D6kh3`` (keep highest three).

Grammar: ``expression = term (("+" | "-") term)*``, ``term = [count] "D" sides [("kh" | "kl") keep] | number``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from math import comb

import numpy as np

from engine.dice.pmf import Pmf
from engine.wire import EngineError

MAX_DICE, MAX_SIDES, MAX_FLAT, MAX_TERMS = 200, 1000, 100_000, 20
#: Work grows with dice² × sides; past this an answer would not be instant.
MAX_TOTAL = 20_000

_TERM = re.compile(
    r"\s*(?P<sign>[+-]?)\s*(?:(?P<count>\d*)[dD](?P<sides>\d+)(?:(?P<keep>k[hl])(?P<n>\d+))?|(?P<flat>\d+))\s*"
)


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
        one = Pmf.point(self.count) if not self.sides else _kept(self.count, self.sides, self.keep, self.keep_high)
        return one if self.sign > 0 else one.map(lambda value: -value)

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
    terms: list[Term] = []
    at = 0
    while at < len(text):
        match = _TERM.match(text, at)
        if not match or (terms and not match["sign"]):
            raise _unreadable(text, field, text[at:].strip())
        terms.append(_term(match, text, field))
        at = match.end()
    if not terms or len(terms) > MAX_TERMS:
        raise _unreadable(text, field, text)
    expression = Expression(tuple(terms))
    _check_size(expression, text, field)
    return expression


def _term(match: re.Match[str], text: str, field: str) -> Term:
    sign = -1 if match["sign"] == "-" else 1
    if match["flat"] is not None:
        flat = _bounded(match["flat"], 0, MAX_FLAT, "The number added", text, field)
        return Term(sign, flat, 0, 0, True)
    count = _bounded(match["count"] or "1", 1, MAX_DICE, "The number of dice", text, field)
    sides = _bounded(match["sides"], 1, MAX_SIDES, "The number of sides", text, field)
    keep = _bounded(match["n"] or str(count), 1, count, "The number of dice kept", text, field)
    # Keeping every die is neither high nor low: one spelling for one meaning.
    return Term(sign, count, sides, keep, keep == count or match["keep"] != "kl")


def _bounded(digits: str, low: int, high: int, what: str, text: str, field: str) -> int:
    value = int(digits) if len(digits) < 10 else 10**9
    if not low <= value <= high:
        raise EngineError(
            f"{what} must be {low}–{high}; you entered {digits}.",
            field=field,
            constraint="range",
            expected=f"{low}–{high}",
            actual=text,
        )
    return value


def _check_size(expression: Expression, text: str, field: str) -> None:
    dice = sum(term.count * term.sides for term in expression.terms)
    kept = sum(term.count**2 * term.sides**2 for term in expression.terms if 0 < term.keep < term.count)
    if dice > MAX_TOTAL or kept > 40_000_000:
        raise EngineError(
            f"That is too many dice to count exactly: dice × sides must stay within {MAX_TOTAL:,}.",
            field=field,
            constraint="size",
            expected=MAX_TOTAL,
            actual=text,
        )


def _unreadable(text: str, field: str, rest: str) -> EngineError:
    return EngineError(
        f"“{rest[:40]}” is not dice notation. Write it like 3D6+2, D3 or 4D6kh3.",
        field=field,
        constraint="notation",
        expected="XDy+Z",
        actual=text,
    )


@cache
def _kept(count: int, sides: int, keep: int, high: bool) -> Pmf:
    """The sum of the best (or worst) ``keep`` of ``count`` dice.

    Faces are visited from best to worst; the state is how many dice have been placed and the sum of those that count,
    so the work is faces × dice² × sums instead of sides^count.
    """
    if keep == count:
        return Pmf.die(sides).repeat(count)
    state = np.zeros((count + 1, keep * sides + 1))
    state[0, 0] = 1.0
    faces = range(sides, 0, -1) if high else range(1, sides + 1)
    for left, face in zip(range(sides, 0, -1), faces, strict=True):
        state = _place(state, face, 1.0 / left, keep)
    return Pmf(state[count] / state[count].sum())


def _place(state: np.ndarray, face: int, chance: float, keep: int) -> np.ndarray:
    """Let a binomial number of the dice not yet placed show ``face``; only the first ``keep`` placed count."""
    after = np.zeros_like(state)
    count = state.shape[0] - 1
    for placed in range(count + 1):
        if not state[placed].any():
            continue
        left = count - placed
        for more in range(left + 1):
            p = comb(left, more) * chance**more * (1.0 - chance) ** (left - more)
            gain = face * max(0, min(keep, placed + more) - min(keep, placed))
            after[placed + more, gain:] += p * state[placed, : state.shape[1] - gain]
    return after

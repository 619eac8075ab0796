"""Single kinds of dice: rolled again, bounded, exploding, and so many of them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from engine.dice.language import syntax
from engine.dice.pmf import Pmf

#: Alternatives less likely than this cannot change a double any more.
NEGLIGIBLE = 1e-20


@dataclass(frozen=True, slots=True)
class Die:
    """One kind of die. With ``explodes``, each of those faces adds another such die, up to ``limit`` times."""

    pmf: Pmf
    explodes: frozenset[int] = frozenset()
    limit: int = 0

    @property
    def total(self) -> Pmf:
        """The die with all that it adds, as one number."""
        return exploded_total(self.pmf, self.explodes, self.limit) if self.explodes else self.pmf


Groups = tuple[tuple[Die, int], ...]


@lru_cache(maxsize=1024)
def fair_die(sides: int) -> Pmf:
    """A die of so many sides, made once."""
    return Pmf.die(sides)


def chosen(pmf: Pmf, faces: syntax.Faces) -> frozenset[int]:
    """Which faces of a die belong to a set."""
    return frozenset(face for face, _ in pmf.items() if faces.include(face, pmf.high))


def rerolled(pmf: Pmf, faces: frozenset[int], once: bool) -> Pmf:
    """A die rolled again on some faces, once or until it shows another.

    >>> rerolled(Pmf.die(6), frozenset({1}), once=True).exactly(1) == 1 / 36
    True
    """
    hit = np.array([value in faces for value in pmf.values.tolist()])
    again = float(pmf.p[hit].sum())
    stay = np.where(hit, 0.0, pmf.p)
    if once:
        return Pmf.trusted(stay + again * pmf.p, pmf.low)
    return Pmf.trusted(stay / stay.sum(), pmf.low)


def clamped(pmf: Pmf, low: int | None, high: int | None) -> Pmf:
    """A die that counts as at least ``low`` and at most ``high``."""
    values = np.clip(pmf.values, low, high)
    start = int(values.min())
    return Pmf.trusted(np.bincount(values - start, weights=pmf.p).astype(np.float64), start)


@lru_cache(maxsize=256)
def exploded_total(pmf: Pmf, faces: frozenset[int], limit: int, less: int = 0) -> Pmf:
    """A die and all dice it adds as one number, each added die ``less`` lower than it shows.

    With E the exploding faces and N the others, as polynomials: N (1 + E + … + E^limit) + E^(limit + 1), by Horner.
    """
    hit = np.array([value in faces for value in pmf.values.tolist()])
    stop, go = np.where(hit, 0.0, pmf.p), np.where(hit, pmf.p, 0.0)
    total, low = pmf.p, pmf.low
    for _ in range(limit):
        further = np.convolve(go, total)
        start = pmf.low + low - less
        first = min(start, pmf.low)
        array = np.zeros(max(start + len(further), pmf.low + len(stop)) - first)
        array[start - first : start - first + len(further)] += further
        array[pmf.low - first : pmf.low - first + len(stop)] += stop
        total, low = array, first
    return Pmf.trusted(total, low)


def alternatives(die: Die, count: int) -> list[tuple[float, Groups]]:
    """How many dice end on exploding faces and how many on others, and what those dice are like."""
    hit = np.array([value in die.explodes for value in die.pmf.values.tolist()])
    again = float(die.pmf.p[hit].sum())
    if again >= 1.0:
        return [(1.0, ((Die(die.pmf), count * (die.limit + 1)),))]
    on = Pmf.trusted(np.where(hit, die.pmf.p, 0.0) / again, die.pmf.low)
    off = Pmf.trusted(np.where(hit, 0.0, die.pmf.p) / (1 - again), die.pmf.low)
    # One die: d exploding dice and one other, or limit + 1 exploding dice and no other.
    numbers: dict[tuple[int, int], float] = {(0, 0): 1.0}
    chain = [((d, 1), again**d * (1 - again)) for d in range(die.limit + 1)]
    chain.append(((die.limit + 1, 0), again ** (die.limit + 1)))
    for _ in range(count):
        after: dict[tuple[int, int], float] = {}
        for (a, b), p in numbers.items():
            for (more_a, more_b), q in chain:
                if p * q > NEGLIGIBLE:
                    after[a + more_a, b + more_b] = after.get((a + more_a, b + more_b), 0.0) + p * q
        numbers = after
    return [(p, tuple((Die(pmf), n) for pmf, n in ((on, a), (off, b)) if n)) for (a, b), p in numbers.items() if p > 0]

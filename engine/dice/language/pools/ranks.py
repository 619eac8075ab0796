"""Sums of the dice of certain ranks: highest, lowest, middle."""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise
from math import comb, lgamma, log

import numpy as np

from engine.compiled import compiled_in_place
from engine.dice.language import syntax, table
from engine.dice.language.pools.dice import Groups
from engine.dice.language.pools.faces import face_numbers, visit
from engine.dice.language.pools.mixtures import added, sum_of
from engine.dice.pmf import Array, Pmf


def kept(groups: Groups, keep: syntax.Keep | syntax.Trim) -> Pmf:
    size = sum(n for _, n in groups)
    high, low = table.ranks(keep, size)
    if size - high - low <= 0:
        return Pmf.point(0)
    if not high and not low:
        return sum_of(groups)
    if len(groups) == 1:
        return ranked_sum(groups[0][0].pmf, size, high, low)
    if (layers := _layers(groups)) is not None:
        return _kept_of_layers(layers, high, size - low)
    return _kept_of_kinds(groups, high, low)


def ranked_sum(pmf: Pmf, count: int, high: int, low: int) -> Pmf:
    """The sum of equal dice without the ``high`` highest and ``low`` lowest.

    >>> round(ranked_sum(Pmf.die(6), 4, 0, 1).mean, 4)
    12.2446
    """
    if len(pmf.p) == 1:
        return Pmf.point((count - high - low) * pmf.low)
    if not high:
        return highest_sum(pmf, count, count - low)
    if not low:
        mirrored = highest_sum(Pmf.trusted(pmf.p[::-1], -pmf.high), count, count - high)
        return Pmf.trusted(mirrored.p[::-1], -mirrored.high)
    return _middle_sum(pmf, count, high, low)


def highest_sum(pmf: Pmf, count: int, keep: int) -> Pmf:
    """The sum of the highest ``keep`` of ``count`` equal dice.

    Let the last die kept show t, a dice more, and the rest no more than t: C(n, a) ways for the dice above, whose sum
    is an a-fold convolution of the faces above t, times the chance that at least k - a of the others show t.
    """
    if keep == count:
        return pmf.repeat(count)
    p = pmf.p
    if keep == 1:
        # A power multiplies a rounding error by the number of dice, so it is taken with more digits than a double has.
        precise = np.cumsum(p.astype(np.longdouble) if count > 16 else p)
        reached = (precise / precise[-1]) ** count
        reached[1:] -= reached[:-1].copy()
        return Pmf.trusted(reached.astype(np.float64), pmf.low)
    span = len(p) - 1
    total = np.zeros(keep * span + 1)
    if count <= FEW_DICE:
        _add_highest(p, count, keep, _pascal(), np.zeros_like(total), np.zeros_like(total), total)
        return Pmf.trusted(total / total.sum(), keep * pmf.low)
    below = np.concatenate(([0.0], np.cumsum(p)))
    for t in range(span, -1, -1):
        if p[t] <= 0:
            continue
        above, sums = p[t + 1 :], np.ones(1)
        for a in range(keep):
            if a and not len(above):
                break
            if a:
                sums = np.convolve(sums, above)
            start = a * (t + 1) + (keep - a) * t
            weight = comb(count, a) * _at_least(count - a, keep - a, float(p[t]), float(below[t]))
            total[start : start + len(sums)] += weight * sums
    return Pmf.trusted(total / total.sum(), keep * pmf.low)


#: Up to so many dice powers and binomials stay within a double, and the sum is a compiled loop.
FEW_DICE = 60


@lru_cache(maxsize=1)
def _pascal() -> Array:
    """Pascal's triangle, for a few dice."""
    rows = range(FEW_DICE + 1)
    return np.array([[float(comb(n, k)) for k in rows] for n in rows])


@compiled_in_place
def _add_highest(p: Array, count: int, keep: int, pascal: Array, sums: Array, further: Array, total: Array) -> None:
    """The sum of :func:`highest_sum` for a few dice; ``sums`` and ``further`` are scratch."""
    span = len(p) - 1
    for t in range(span, -1, -1):
        miss = 0.0
        for face in range(t):
            miss += p[face]
        if p[t] <= 0.0:
            continue
        sums[0], length = 1.0, 1
        for a in range(keep):
            if a:
                if t == span:
                    break
                for i in range(length + span - t):
                    further[i] = 0.0
                for i in range(length):
                    for face in range(t + 1, span + 1):
                        further[i + face - t - 1] += sums[i] * p[face]
                length += span - t - 1
                for i in range(length):
                    sums[i] = further[i]
            trials, weight = count - a, 0.0
            for hits in range(keep - a, trials + 1):
                weight += pascal[trials, hits] * p[t] ** hits * miss ** (trials - hits)
            start = a * (t + 1) + (keep - a) * t
            for i in range(length):
                total[start + i] += pascal[count, a] * weight * sums[i]


def _at_least(trials: int, least: int, hit: float, miss: float) -> float:
    """The weight of at least ``least`` hits, where a trial hits with weight ``hit`` and misses with ``miss``."""
    if not miss:
        return float(hit**trials)
    if trials <= 24:
        weights = (comb(trials, m) * hit**m * miss ** (trials - m) for m in range(least, trials + 1))
        return float(sum(weights))
    m = np.arange(least, trials + 1)
    row = _binomials(trials)[least:]
    with np.errstate(under="ignore", invalid="ignore", over="ignore"):
        terms = np.exp(row + m * log(hit) + (trials - m) * log(miss))
    return float(terms.sum())


@lru_cache(maxsize=2048)
def _binomials(n: int) -> Array:
    """Logarithms of a row of Pascal's triangle."""
    return np.array([lgamma(n + 1) - lgamma(m + 1) - lgamma(n - m + 1) for m in range(n + 1)])


def _middle_sum(pmf: Pmf, count: int, high: int, low: int) -> Pmf:
    """As :func:`ranked_sum`, from the highest face down, carrying the dice placed and the sum of those that count."""
    last, span = count - low, len(pmf.p) - 1
    state = np.zeros((count + 1, (last - high) * span + 1))
    _place_middle(face_numbers(pmf.p, count), pmf.p, high, last, state)
    sums = state[count]
    return Pmf.trusted(sums / sums.sum(), (last - high) * pmf.low)


@compiled_in_place
def _place_middle(numbers: Array, p: Array, high: int, last: int, state: Array) -> None:
    """Add face after face to ``state[dice placed, sum]``."""
    count, size = numbers.shape[1] - 1, state.shape[1]
    state[0, 0] = 1.0
    for face in range(len(p) - 1, -1, -1):
        if p[face] <= 0.0:
            continue
        for placed in range(count, -1, -1):  # in place: dice are only added, so the largest number goes first
            for more in range(count - placed, 0, -1):
                gain = face * max(0, min(placed + more, last) - max(placed, high))
                weight = numbers[face, more]
                for total in range(size - gain):
                    state[placed + more, total + gain] += weight * state[placed, total]
            for total in range(size):
                state[placed, total] *= numbers[face, 0]


def _layers(groups: Groups) -> Groups | None:
    """The groups from the highest down, if every die of one shows more than every die of the next."""
    ordered = sorted((group for group in groups if group[1]), key=lambda group: group[0].pmf.low, reverse=True)
    apart = all(upper.pmf.low > lower.pmf.high for (upper, _), (lower, _) in pairwise(ordered))
    return tuple(ordered) if apart else None


def _kept_of_layers(layers: Groups, first: int, last: int) -> Pmf:
    """Ranks ``first`` to ``last``, where each layer fills ranks of its own."""
    total, placed = Pmf.point(0), 0
    for die, n in layers:
        high = min(n, max(0, first - placed))
        low = min(n - high, max(0, placed + n - last))
        if high + low < n:
            total = total.convolve(ranked_sum(die.pmf, n, high, low))
        placed += n
    return total


def _kept_of_kinds(groups: Groups, high: int, low: int) -> Pmf:
    last = sum(n for _, n in groups) - low

    def place(state: tuple[int, int], face: int, more: int) -> tuple[int, int]:
        placed, total = state
        return placed + more, total + face * max(0, min(placed + more, last) - max(placed, high))

    return Pmf.from_weights(added((total, p) for (_, total), p in visit(groups, (0, 0), place).items()))

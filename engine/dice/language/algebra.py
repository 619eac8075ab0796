"""Distributions combined: sums, products and quotients of independent results, the larger of several, who wins."""

from __future__ import annotations

import numpy as np

from engine.dice.language import syntax
from engine.dice.pmf import Array, Pmf

#: Products of two rolls are multiplied out in pieces of so many cells.
CELLS = 1_000_000


def point(value: int) -> Pmf:
    """The certain result."""
    return Pmf.trusted(np.ones(1), value)


def truth(chance: float) -> Pmf:
    """Yes with this chance.

    >>> truth(0.25).exactly(1)
    0.25
    """
    chance = min(1.0, max(0.0, chance))
    return Pmf.trusted(np.array([1.0 - chance, chance]))


def negated(pmf: Pmf) -> Pmf:
    return Pmf.trusted(pmf.p[::-1], -pmf.high)


def mapped(pmf: Pmf, change: object) -> Pmf:
    """The distribution of a whole-number function of a result, given all its values at once."""
    assert callable(change)
    return gathered(change(pmf.values), pmf.p)


def gathered(values: np.ndarray, weights: Array) -> Pmf:
    low = int(values.min())
    return Pmf.trusted(np.bincount(values - low, weights=weights).astype(np.float64), low)


def order(left: Pmf, right: Pmf) -> tuple[float, float, float]:
    """The chances that the left is less, equal and more, from sums of positive terms.

    >>> [round(p, 4) for p in order(Pmf.die(6), Pmf.die(6))]
    [0.4167, 0.1667, 0.4167]
    """
    low, high = max(left.low, right.low), min(left.high, right.high)
    equal = 0.0
    if low <= high:
        equal = float(left.p[low - left.low : high - left.low + 1] @ right.p[low - right.low : high - right.low + 1])
    return _less(left, right), equal, _less(right, left)


def _less(left: Pmf, right: Pmf) -> float:
    """P(left < right): over the right's values, the chance that the left is below."""
    first, last = max(right.low, left.low + 1), min(right.high, left.high + 1)
    beyond = float(right.p[max(0, left.high + 2 - right.low) :].sum())
    if first > last:
        return beyond
    below = left.p[: last - left.low].cumsum()
    return float(right.p[first - right.low : last - right.low + 1] @ below[first - left.low - 1 :]) + beyond


def largest(items: list[Pmf]) -> Pmf:
    """The largest of several independent results: cumulative chances multiply."""
    low, high = max(item.low for item in items), max(item.high for item in items)
    reached = np.ones(high - low + 1)
    values = np.arange(low, high + 1)
    for item in items:
        sums = np.cumsum(item.p)
        reached = reached * sums[np.clip(values - item.low, 0, len(sums) - 1)]
    return Pmf.trusted(np.maximum(np.diff(reached, prepend=0.0), 0.0), low)


def multiplied(left: Pmf, right: Pmf) -> Pmf:
    """The product of two independent results."""
    return combined(left, right, np.multiply)


def combined(left: Pmf, right: Pmf, operation: object) -> Pmf:
    """Any function of two independent results: every pair of values, in pieces."""
    assert callable(operation)
    rows = max(1, CELLS // len(right.p))
    parts = []
    for start in range(0, len(left.p), rows):
        weights = np.multiply.outer(left.p[start : start + rows], right.p)
        if weights.any():
            values = operation(left.values[start : start + rows, None], right.values[None, :])
            parts.append((float(weights.sum()), gathered(values.ravel(), weights.ravel())))
    low = min(part.low for _, part in parts)
    array = np.zeros(max(part.high for _, part in parts) - low + 1)
    for _, part in parts:
        array[part.low - low : part.high - low + 1] += part.p
    return Pmf.trusted(array, low)


def quotients(left: np.ndarray, right: np.ndarray, rounding: syntax.Rounding) -> np.ndarray:
    # A value of weight 0 may be 0; it is divided by 1 and weighs nothing.
    right = np.where(right == 0, 1, right)
    if rounding == "down":
        return np.asarray(left // right)
    if rounding == "up":
        return np.asarray(-(-left // right))
    left, right = left * np.sign(right), np.abs(right)
    return np.asarray((2 * left + right) // (2 * right))

"""Distributions put together from several."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from engine.dice.language.pools.dice import Groups
from engine.dice.pmf import Pmf


def mixed(parts: Iterable[tuple[float, Pmf]]) -> Pmf:
    """One of several distributions, each with its chance; chances that do not add up to 1 are scaled."""
    used = [(weight, part) for weight, part in parts if weight > 0]
    if len(used) == 1:
        return used[0][1]
    low = min(part.low for _, part in used)
    array = np.zeros(max(part.high for _, part in used) - low + 1)
    for weight, part in used:
        array[part.low - low : part.high - low + 1] += weight * part.p
    return Pmf.trusted(array / array.sum(), low)


def added(pairs: Iterable[tuple[int, float]]) -> dict[int, float]:
    """Weights of equal values put together."""
    total: dict[int, float] = {}
    for value, weight in pairs:
        total[value] = total.get(value, 0.0) + weight
    return total


def sum_of(groups: Groups) -> Pmf:
    """All dice of several kinds added up."""
    sums = [die.total.repeat(n) for die, n in groups]
    total = sums[0] if sums else Pmf.point(0)
    for more in sums[1:]:
        total = total.convolve(more)
    return total

"""How many dice count, with what counts twice, takes away or botches."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from engine.dice.language import syntax, table
from engine.dice.language.pools.dice import Die, Groups
from engine.dice.pmf import Array, Pmf


def counted(groups: Groups, count: syntax.Count) -> Pmf:
    net = _scored(groups, count, lambda face, top: True)
    assert net is not None
    low, total = net
    if count.botch is not None:
        botch = count.botch
        quiet = _scored(groups, count, lambda face, top: not table.succeeds(count, face, top))
        clean = _scored(
            groups, count, lambda face, top: not table.succeeds(count, face, top) and not botch.include(face, top)
        )
        botched = np.zeros_like(total)
        for part, sign in ((quiet, 1.0), (clean, -1.0)):
            if part is not None:
                botched[part[0] - low : part[0] - low + len(part[1])] += sign * part[1]
        botched = np.maximum(botched, 0.0)
        rest = _floored(np.maximum(total - botched, 0.0), low) if count.cancel else (low, total - botched)
        low, total = rest[0], np.maximum(rest[1], 0.0)
        start = min(low, -1)
        whole = np.zeros(max(low + len(total), 0) - start)
        whole[low - start : low - start + len(total)] += total
        whole[-1 - start] += botched.sum()
        return Pmf.trusted(whole / whole.sum(), start)
    if count.cancel is not None:
        low, total = _floored(total, low)
    return Pmf.trusted(total / total.sum(), low)


def _floored(total: Array, low: int) -> tuple[int, Array]:
    """Everything below nothing counts as nothing."""
    if low >= 0:
        return low, total
    if low + len(total) <= 1:
        return 0, np.array([total.sum()])
    return 0, np.concatenate(([total[: 1 - low].sum()], total[1 - low :]))


def _scored(groups: Groups, count: syntax.Count, allowed: Callable[[int, int], bool]) -> tuple[int, Array] | None:
    """The weights of the score of all dice when only some faces are allowed; None where no roll is."""
    low, total = 0, np.ones(1)
    for die, n in groups:
        if not n:
            continue
        stop, go = _score_weights(die, count, allowed)
        one = stop + go
        start = -2
        if die.explodes:
            start, one = _chained(stop, go, die.limit)
        if not one.any():
            return None
        power = _power(one, n)
        low, total = low + start * n, np.convolve(total, power)
    return low, total


def _score_weights(die: Die, count: syntax.Count, allowed: Callable[[int, int], bool]) -> tuple[Array, Array]:
    """The weights of one die's score from −2 to 2: where it stops, and where it adds another die."""
    top = die.pmf.high
    stop, go = np.zeros(5), np.zeros(5)
    for face, p in die.pmf.items():
        if allowed(face, top):
            (go if face in die.explodes else stop)[table.score(count, face, top) + 2] += p
    return stop, go


def _chained(stop: Array, go: Array, limit: int) -> tuple[int, Array]:
    """The score of a die and of all that it adds, by Horner: (lowest score, weights)."""
    low, total = -2, stop + go
    for _ in range(limit):
        further = np.convolve(go, total)
        first = min(low - 2, -2)
        array = np.zeros(max(low - 2 + len(further), 3) - first)
        array[low - 2 - first : low - 2 - first + len(further)] += further
        array[-2 - first : 3 - first] += stop
        low, total = first, array
    return low, total


def _power(weights: Array, times: int) -> Array:
    total, power = np.ones(1), weights
    while times:
        if times & 1:
            total = np.convolve(total, power)
        times >>= 1
        if times:
            power = np.convolve(power, power)
    return total

"""Where wounds land in a unit of different models: groups walked in an order, one model at a time.

Within a group models are alike and wounded one at a time, so the wounds a group has lost say everything about it. A
state of the unit is one such number per group, packed into a single index (mixed radix). For a given order every state
knows which group takes the next wound; a strike moves along that group's axis, never past the model in front.

In the tenth edition each wound is saved as it is allocated. In the eleventh all saves of a weapon are rolled first and
applied lowest first: dice are taken in *bands* of faces between one save and the next better one, so a band strikes
the groups whose save is beyond it and no others.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.compiled import compiled_in_place
from engine.dice.lazy import lazy
from engine.dice.pmf import Array

Whole = NDArray[np.int64]


@dataclass(frozen=True)
class Order:
    """Who takes a wound in each state: the group, the wounds left on its model in front, and a wound's step."""

    group: Whole
    left: Whole
    step: Whole


@dataclass(frozen=True)
class Space:
    """All states of a unit: models and wounds per model of each group, in the order they were listed."""

    models: tuple[int, ...]
    wounds: tuple[int, ...]
    lost_before: tuple[int, ...]

    @lazy
    def lengths(self) -> tuple[int, ...]:
        """States of each group: wounds it can still lose, and one."""
        each = zip(self.models, self.wounds, self.lost_before, strict=True)
        return tuple(models * wounds - lost + 1 for models, wounds, lost in each)

    @lazy
    def size(self) -> int:
        return int(np.prod(self.lengths, dtype=object))

    @lazy
    def steps(self) -> tuple[int, ...]:
        """How far a wound on each group moves the index."""
        return tuple(int(np.prod(self.lengths[at + 1 :], dtype=object)) for at in range(len(self.lengths)))

    @lazy
    def lost(self) -> Whole:
        """Wounds each group has lost, by state: shape (groups, states)."""
        grid = np.indices(self.lengths, dtype=np.int64)
        return grid.reshape(len(self.lengths), -1)

    @lazy
    def removed(self) -> Whole:
        """Models each group has lost, by state."""
        before, wounds = np.array(self.lost_before)[:, None], np.array(self.wounds)[:, None]
        return np.asarray((self.lost + before) // wounds)

    def order(self, ranks: Sequence[Sequence[int]]) -> Order:
        """Groups in ranks: a rank is used up before the next; within one, a wounded model first, then as listed."""
        group = np.full(self.size, -1, dtype=np.int64)
        on_model = (self.lost + np.array(self.lost_before)[:, None]) % np.array(self.wounds)[:, None]
        alive = self.lost < np.array(self.lengths)[:, None] - 1
        for rank in ranks:
            for wounded_only in (True, False):
                for at in rank:
                    free = (group < 0) & alive[at] & ((on_model[at] > 0) | (not wounded_only))
                    group[free] = at
        taken = np.maximum(group, 0)
        left = np.array(self.wounds)[taken] - on_model[taken, np.arange(self.size)]
        return Order(group, np.where(group < 0, 0, left), np.array(self.steps, dtype=np.int64)[taken])


def strike_group(states: Array, damage: Array, group: Whole, left: Whole, step: Whole) -> Array:
    """One wound on every row of states; ``damage[g]`` is what it does to a model of group g, a save included."""
    after = np.empty_like(states)
    _strike(states, damage, group, left, step, after)
    return after


@compiled_in_place
def _strike(states: Array, damage: Array, group: Whole, left: Whole, step: Whole, after: Array) -> None:
    rows, size = states.shape
    longest = damage.shape[1] - 1
    for row in range(rows):
        for s in range(size):
            after[row, s] = 0.0
    for s in range(size):
        g = group[s]
        if g < 0:
            for row in range(rows):
                after[row, s] += states[row, s]
            continue
        space = min(left[s], longest)
        beyond = 0.0
        for points in range(space, longest + 1):
            beyond += damage[g, points]
        for row in range(rows):
            mass = states[row, s]
            if mass == 0.0:
                continue
            for points in range(space):
                after[row, s + points * step[s]] += mass * damage[g, points]
            after[row, s + space * step[s]] += mass * beyond


def volley_on_groups(states: Array, joint: Array, damage: Array, group: Whole, left: Whole, step: Whole) -> Array:
    """A weapon's wounds saved and landed one by one; ``joint[n, q]`` as in ``allocation.volley``."""
    after = np.zeros((joint.shape[1], *states.shape))
    _volley(np.stack((states, states)), joint, damage, group, left, step, after)
    return after


@compiled_in_place
def _volley(struck: Array, joint: Array, damage: Array, group: Whole, left: Whole, step: Whole, after: Array) -> None:
    """``struck`` has room for the states before and after a wound, by turns."""
    wounds, pending = joint.shape
    _, rows, size = struck.shape
    for n in range(wounds):
        states = struck[n % 2]
        if n:
            _strike(struck[1 - n % 2], damage, group, left, step, states)
        for q in range(pending):
            weight = joint[n, q]
            if weight != 0.0:
                for row in range(rows):
                    for s in range(size):
                        after[q, row, s] += weight * states[row, s]


def volley_lowest_first(
    states: Array, joint: Array, stays: Array, damage: Array, group: Whole, left: Whole, step: Whole
) -> Array:
    """A weapon's saves rolled together and applied lowest first.

    ``damage[b, g]`` is what a die of band b does to group g; ``stays[b, n, r]`` is the chance that of n dice not below
    band b, r are above it. Dice above the last band save everybody.
    """
    (wounds, pending), (rows, size) = joint.shape, states.shape
    waiting = (joint[:, :, None, None] * states).reshape(wounds, pending * rows, size)
    fresh, struck = np.empty_like(waiting), np.empty((2, pending * rows, size))
    for band in range(len(damage)):
        _apply_band(waiting, stays[band], damage[band], group, left, step, struck, fresh)
        waiting, fresh = fresh, waiting
    return np.asarray(waiting.sum(axis=0)).reshape(pending, rows, size)


@compiled_in_place
def _apply_band(
    waiting: Array,
    stays: Array,
    damage: Array,
    group: Whole,
    left: Whole,
    step: Whole,
    struck: Array,
    fresh: Array,
) -> None:
    """The dice of one band strike. ``waiting[n]`` is the states with n dice left; ``struck`` is scratch, by turns."""
    wounds, rows, size = waiting.shape
    for rest in range(wounds):
        for row in range(rows):
            for s in range(size):
                struck[(wounds - 1) % 2, row, s] = 0.0
        for n in range(wounds - 1, rest - 1, -1):
            total = struck[n % 2]
            if n < wounds - 1:
                _strike(struck[1 - n % 2], damage, group, left, step, total)
            for row in range(rows):
                for s in range(size):
                    total[row, s] += stays[n, rest] * waiting[n, row, s]
        for row in range(rows):
            for s in range(size):
                fresh[rest, row, s] = struck[rest % 2, row, s]


def spill_on_groups(states: Array, wounds: Array, felt: Array, group: Whole, left: Whole, step: Whole) -> Array:
    """Mortal wounds on every row, point by point: ``felt[g]`` is the chance that a model of group g feels one."""
    after = np.zeros_like(states)
    _spill(np.stack((states, states)), wounds, felt, group, step, after)
    return after


@compiled_in_place
def _spill(moved: Array, wounds: Array, felt: Array, group: Whole, step: Whole, after: Array) -> None:
    """``moved`` has room for the states before and after a wound, by turns."""
    _, rows, size = moved.shape
    for points in range(len(wounds)):
        states, moving = moved[points % 2], moved[1 - points % 2]
        for row in range(rows):
            for s in range(size):
                after[row, s] += wounds[points] * states[row, s]
                moving[row, s] = 0.0
        for s in range(size):
            g = group[s]
            for row in range(rows):
                if g < 0:
                    moving[row, s] += states[row, s]
                else:
                    moving[row, s] += states[row, s] * (1.0 - felt[g])
                    moving[row, s + step[s]] += states[row, s] * felt[g]

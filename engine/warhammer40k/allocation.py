"""Where wounds land: a unit walked model by model.

Wounds are allocated to one model until it dies, so the wounds a unit has lost say everything about it: the state is
0…total, and a model dies at each *edge*. A strike moves the state forward but never past the next edge (what is left
over is lost); mortal wounds spill, so they simply add. Both stop at the last wound.
"""

from __future__ import annotations

import numpy as np

from engine.compiled import compiled_in_place, inner
from engine.dice.pmf import Array, Pmf
from engine.warhammer40k.profile import Defender


def room(defender: Defender) -> np.ndarray:
    """For every state, the wounds left on the model that takes the next strike; 0 once the unit is gone.

    >>> room(Defender(models=2, wounds=3, wounds_already_lost=1)).tolist()
    [2, 1, 3, 2, 1, 0]
    """
    lost = np.arange(defender.total_wounds + 1, dtype=np.int64) + defender.wounds_already_lost
    left = defender.wounds - lost % max(1, defender.wounds)
    left[-1] = 0
    return left


def destroyed(states: Array, defender: Defender) -> Array:
    """The distribution of models removed, from the distribution of wounds lost."""
    if not defender.total_wounds:
        return np.ones(1)
    lost = np.arange(len(states)) + defender.wounds_already_lost
    removed = np.zeros(defender.models + 1)
    np.add.at(removed, lost // defender.wounds, states)
    return removed


def dense(pmf: Pmf) -> Array:
    """Probabilities from 0 upwards."""
    return np.concatenate((np.zeros(pmf.low), pmf.p)) if pmf.low else pmf.p


def strike(states: Array, damage: Array, left: np.ndarray) -> Array:
    """One unsaved attack on every row of states: damage up to the wounds left on the model, the rest lost."""
    after = np.empty_like(states)
    _strike(states, damage, left, after)
    return after


@compiled_in_place
def _strike(states: Array, damage: Array, left: np.ndarray, after: Array) -> None:
    rows, size = states.shape
    most = len(damage) - 1
    for row in range(rows):
        for s in range(size):
            after[row, s] = 0.0
    for s in range(size):
        space = min(left[s], most)
        beyond = 0.0
        for points in range(space, most + 1):
            beyond += damage[points]
        for row in range(rows):
            mass = states[row, s]
            if mass == 0.0:
                continue
            for points in range(space):
                after[row, s + points] += mass * damage[points]
            after[row, s + space] += mass * beyond


def spill(states: Array, wounds: Array) -> Array:
    """Mortal wounds on every row of states: they carry over from model to model."""
    after = np.zeros_like(states)
    _spill(states, wounds, after)
    return after


@compiled_in_place
def _spill(states: Array, wounds: Array, after: Array) -> None:
    rows, size = states.shape
    for row in range(rows):
        for s in range(size):
            mass = states[row, s]
            if mass == 0.0:
                continue
            for points in range(len(wounds)):
                after[row, min(size - 1, s + points)] += mass * wounds[points]


def volley(states: Array, joint: Array, damage: Array, left: np.ndarray) -> Array:
    """A weapon's unsaved attacks, one after another.

    ``joint[n, q]`` is P(n strikes now and q wounds pending for later). Row q of the answer is the states once the
    strikes have landed, weighted by that chance: sum over n of joint[n, q] × (n strikes on states).
    """
    after = np.zeros((joint.shape[1], *states.shape))
    _volley(np.stack((states, states)), joint, damage, left, after)
    return after


@compiled_in_place
def _volley(struck: Array, joint: Array, damage: Array, left: np.ndarray, after: Array) -> None:
    """``struck`` has room for the states before and after a strike, by turns."""
    strikes, pending = joint.shape
    _, rows, size = struck.shape
    for n in range(strikes):
        states = struck[n % 2]
        if n:
            _strike(struck[1 - n % 2], damage, left, states)
        for q in range(pending):
            weight = joint[n, q]
            if weight != 0.0:
                for row in range(rows):
                    for s in range(size):
                        after[q, row, s] += weight * states[row, s]


#: Rows and columns at the edge of a joint distribution that hold less than this are dropped: all that can be lost over
#: a thousand attacks is below the last digit of a double.
NEGLIGIBLE = 1e-22


def power(step: Array, times: int) -> Array:
    """``times`` independent copies of a small joint distribution added up.

    Multiplying by ``step`` again and again beats squaring: it has a handful of entries, so each pass costs the size
    of the answer times that handful. Of the square the answer could fill only a window carries mass, some nine
    standard deviations around the mean: passes work on that, and the answer ends where it does.
    """
    n_step, q_step = step.shape
    sums = np.zeros((2, times * (n_step - 1) + 1, times * (q_step - 1) + 1))
    n_low, n_high, q_low, q_high = _power(step, times, sums)
    answer = np.zeros((n_high, q_high))
    answer[n_low:, q_low:] = sums[times % 2, n_low:n_high, q_low:q_high]
    return answer


@compiled_in_place
def _power(step: Array, times: int, sums: Array) -> tuple[int, int, int, int]:
    """``sums`` has room for the sum of so many copies and of one more, by turns. Returns the window that holds mass."""
    n_step, q_step = step.shape
    sums[0, 0, 0] = 1.0
    n_low, n_high, q_low, q_high = 0, 1, 0, 1
    for done in range(times):
        total, fresh = sums[done % 2], sums[1 - done % 2]
        n_top, q_top = n_high + n_step - 1, q_high + q_step - 1
        for n in range(n_low, n_top):
            for q in range(q_low, q_top):
                fresh[n, q] = 0.0
        for a in range(n_step):
            for b in range(q_step):
                p = step[a, b]
                if p != 0.0:
                    for n in range(n_low, n_high):
                        for q in range(q_low, q_high):
                            fresh[n + a, q + b] += p * total[n, q]
        while n_top - n_low > 1 and _mass(fresh, n_low, n_low + 1, q_low, q_top) < NEGLIGIBLE:
            n_low += 1
        while n_top - n_low > 1 and _mass(fresh, n_top - 1, n_top, q_low, q_top) < NEGLIGIBLE:
            n_top -= 1
        while q_top - q_low > 1 and _mass(fresh, n_low, n_top, q_low, q_low + 1) < NEGLIGIBLE:
            q_low += 1
        while q_top - q_low > 1 and _mass(fresh, n_low, n_top, q_top - 1, q_top) < NEGLIGIBLE:
            q_top -= 1
        n_high, q_high = n_top, q_top
    return n_low, n_high, q_low, q_high


@inner
def _mass(joint: Array, n_low: int, n_high: int, q_low: int, q_high: int) -> float:
    total = 0.0
    for n in range(n_low, n_high):
        for q in range(q_low, q_high):
            total += joint[n, q]
    return total

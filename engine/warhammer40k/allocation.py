"""Where wounds land: a unit walked model by model.

Wounds are allocated to one model until it dies, so the wounds a unit has lost say everything about it: the state is
0…total, and a model dies at each *edge*. A strike moves the state forward but never past the next edge (what is left
over is lost); mortal wounds spill, so they simply add. Both stop at the last wound.
"""

from __future__ import annotations

import numpy as np

from engine.compiled import compiled
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


@compiled
def strike(states: Array, damage: Array, left: np.ndarray) -> Array:
    """One unsaved attack on every row of states: damage up to the wounds left on the model, the rest lost."""
    rows, size = states.shape
    after = np.zeros((rows, size))
    most = len(damage) - 1
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
    return after


@compiled
def spill(states: Array, wounds: Array) -> Array:
    """Mortal wounds on every row of states: they carry over from model to model."""
    rows, size = states.shape
    after = np.zeros((rows, size))
    for row in range(rows):
        for s in range(size):
            mass = states[row, s]
            if mass == 0.0:
                continue
            for points in range(len(wounds)):
                after[row, min(size - 1, s + points)] += mass * wounds[points]
    return after


@compiled
def volley(states: Array, joint: Array, damage: Array, left: np.ndarray) -> Array:
    """A weapon's unsaved attacks, one after another.

    ``joint[n, q]`` is P(n strikes now and q wounds pending for later). Row q of the answer is the states once the
    strikes have landed, weighted by that chance: sum over n of joint[n, q] × (n strikes on states).
    """
    strikes, pending = joint.shape
    rows, size = states.shape
    after = np.zeros((pending, rows, size))
    for n in range(strikes):
        if n:
            states = strike(states, damage, left)
        for q in range(pending):
            weight = joint[n, q]
            if weight != 0.0:
                for row in range(rows):
                    for s in range(size):
                        after[q, row, s] += weight * states[row, s]
    return after


#: Rows and columns at the edge of a joint distribution that hold less than this are dropped: all that can be lost over
#: a thousand attacks is below the last digit of a double.
NEGLIGIBLE = 1e-22


@compiled
def power(step: Array, times: int) -> Array:
    """``times`` independent copies of a small joint distribution added up.

    Multiplying by ``step`` again and again beats squaring: it has a handful of entries, so each pass costs the size
    of the answer times that handful. Of the square the answer could fill only a window carries mass, some nine
    standard deviations around the mean: passes work on that, and the answer ends where it does.
    """
    n_step, q_step = step.shape
    total = np.zeros((times * (n_step - 1) + 1, times * (q_step - 1) + 1))
    fresh = np.zeros_like(total)
    total[0, 0] = 1.0
    n_low, n_high, q_low, q_high = 0, 1, 0, 1
    for _ in range(times):
        n_top, q_top = n_high + n_step - 1, q_high + q_step - 1
        fresh[n_low:n_top, q_low:q_top] = 0.0
        for a in range(n_step):
            for b in range(q_step):
                p = step[a, b]
                if p != 0.0:
                    for n in range(n_low, n_high):
                        for q in range(q_low, q_high):
                            fresh[n + a, q + b] += p * total[n, q]
        while n_top - n_low > 1 and fresh[n_low, q_low:q_top].sum() < NEGLIGIBLE:
            n_low += 1
        while n_top - n_low > 1 and fresh[n_top - 1, q_low:q_top].sum() < NEGLIGIBLE:
            n_top -= 1
        while q_top - q_low > 1 and fresh[n_low:n_top, q_low].sum() < NEGLIGIBLE:
            q_low += 1
        while q_top - q_low > 1 and fresh[n_low:n_top, q_top - 1].sum() < NEGLIGIBLE:
            q_top -= 1
        n_high, q_high = n_top, q_top
        total, fresh = fresh, total
    answer = np.zeros((n_high, q_high))
    answer[n_low:, q_low:] = total[n_low:n_high, q_low:q_high]
    return answer

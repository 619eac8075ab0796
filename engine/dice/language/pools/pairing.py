"""Two pools laid out against each other, highest against highest."""

from __future__ import annotations

import numpy as np

from engine.compiled import compiled_in_place, inner
from engine.dice.language.pools.dice import Groups
from engine.dice.language.pools.faces import face_numbers, faces_of_kinds, shares
from engine.dice.language.pools.mixtures import added, mixed
from engine.dice.language.pools.pool import Pool
from engine.dice.pmf import Array, Pmf


def paired_off(left: Pool, right: Pool, ties_to_left: bool) -> Pmf:
    """How many pairs the left pool wins, both laid out from the highest die down."""
    parts = []
    for p, ours in left.expanded().parts:
        for q, theirs in right.expanded().parts:
            parts.append((p * q, _paired(ours, theirs, ties_to_left)))
    return mixed(parts)


def _paired(ours: Groups, theirs: Groups, ties_to_left: bool) -> Pmf:
    """A die wins its pair when the other side has not laid out as many dice of at least its face."""
    pairs = min(sum(n for _, n in ours), sum(n for _, n in theirs))
    if not pairs:
        return Pmf.point(0)
    if len(ours) == len(theirs) == 1:
        (left, n), (right, m) = ours[0], theirs[0]
        low, high = min(left.pmf.low, right.pmf.low), max(left.pmf.high, right.pmf.high)
        numbers = [face_numbers(_spread(die.pmf, low, high), size) for die, size in ((left, n), (right, m))]
        wins, states = np.zeros(pairs + 1), np.empty((2, n + 1, m + 1, pairs + 1))
        _pair_off(numbers[0], numbers[1], ties_to_left, states, wins)
        return Pmf.trusted(wins / wins.sum())
    return _paired_kinds(ours, theirs, pairs, ties_to_left)


def _spread(pmf: Pmf, low: int, high: int) -> Array:
    """The chances of a die over a wider run of faces."""
    return np.concatenate((np.zeros(pmf.low - low), pmf.p, np.zeros(high - pmf.high)))


@compiled_in_place
def _pair_off(ours: Array, theirs: Array, ties_to_left: bool, states: Array, wins: Array) -> None:
    """Faces from the highest down; the state is how many dice each side has laid out, and the pairs won.

    ``states`` has room for the states before and after a face, by turns.
    """
    n, m, most = ours.shape[1] - 1, theirs.shape[1] - 1, len(wins) - 1
    faces = ours.shape[0]
    _clear(states[faces % 2])
    states[faces % 2, 0, 0, 0] = 1.0
    for face in range(faces - 1, -1, -1):
        state, after = states[1 - face % 2], states[face % 2]
        _clear(after)
        for a in range(n + 1):
            for b in range(m + 1):
                for mine in range(n - a + 1):
                    for other in range(m - b + 1):
                        weight = ours[face, mine] * theirs[face, other]
                        if weight == 0.0:
                            continue
                        beaten = b if ties_to_left else b + other
                        gain = max(0, min(a + mine, most) - max(a, beaten))
                        for won in range(most - gain + 1):
                            after[a + mine, b + other, won + gain] += weight * state[a, b, won]
    for won in range(most + 1):
        wins[won] = states[0, n, m, won]


@inner
def _clear(state: Array) -> None:
    for a in range(state.shape[0]):
        for b in range(state.shape[1]):
            for won in range(state.shape[2]):
                state[a, b, won] = 0.0


def _paired_kinds(ours: Groups, theirs: Groups, pairs: int, ties_to_left: bool) -> Pmf:
    """As :func:`_pair_off`, for different dice on a side."""
    kinds, groups = len(ours), (*ours, *theirs)
    sizes = sum(n for _, n in ours), sum(n for _, n in theirs)
    states: dict[tuple[tuple[int, ...], int], float] = {(tuple(n for _, n in groups), 0): 1.0}
    for _, chances in faces_of_kinds([die.pmf for die, _ in groups]):
        after: dict[tuple[tuple[int, ...], int], float] = {}
        for (left, wins), p in states.items():
            placed, theirs_placed = sizes[0] - sum(left[:kinds]), sizes[1] - sum(left[kinds:])
            for numbers, weight in shares(left, chances):
                mine, other = sum(numbers[:kinds]), sum(numbers[kinds:])
                beaten = theirs_placed if ties_to_left else theirs_placed + other
                gain = max(0, min(placed + mine, pairs) - max(placed, beaten))
                key = (tuple(a - b for a, b in zip(left, numbers, strict=True)), wins + gain)
                after[key] = after.get(key, 0.0) + p * weight
        states = after
    return Pmf.from_weights(added((wins, p) for (_, wins), p in states.items()))

"""Many different bins of one side bursting in every order at once, compiled.

**Why it works.** Given which bins of a side burst, every one of them is equally likely to have been the last. So, with
``f(S)`` the distribution of hulls after the bins S burst in random order, ``f(S) = Σ_b f(S − b) after b / |S|``: one
table over the sets of bins, which no order is ever listed for and which holds for every heat. Alike bins are counted,
so a set is a number in mixed radix and smaller sets have smaller numbers.

A side is five figures: structure of torso, arm and leg, the torso's armour, and what was carried to the centre torso
(capped where that is lost). They are packed into one integer; the states of a set are merged by sorting. Cost: (sets) ×
(hulls per set) × (sorts of bins). ``blast`` says the same in plain words for any hull, and tests hold the two together.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from engine.compiled import compiled_in_place, inner

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

TORSO, ARM, LEG = 0, 1, 2
UNLIMITED = -1


class Side(NamedTuple):
    """What is left of a side: torso, arm and leg structure, torso armour, damage carried to the centre torso."""

    torso: int
    arm: int
    leg: int
    armor: int
    carried: int


class Sort(NamedTuple):
    """Bins that are alike: how many, where, what each does, and how much their location lets through."""

    bins: int
    place: int
    damage: int
    own_structure: int
    onward: int


class Bursts(NamedTuple):
    """For every set of bins: its hulls are rows ``first[s]`` to ``first[s + 1]``, ``share`` adds up to 1 over them."""

    first: Ints
    codes: Ints  # a packed side each
    share: Floats
    burnt: Floats  # by set: structure eaten, on average
    scale: Ints

    def sides(self, codes: Ints) -> list[Side]:
        """Packed sides, unpacked."""
        return [Side(*figures) for figures in zip(*(column.tolist() for column in self._columns(codes)), strict=True)]

    def outlines(self) -> Bursts:
        """The same with hulls that only say what still stands (1) and what was carried: all a last phase is asked."""
        torso, arm, leg, _, carried = self._columns(self.codes)
        scale = np.array([2, 2, 2, 1, self.scale[4]], dtype=np.int64)
        codes = (((torso > 0) * 2 + (arm > 0)) * 2 + (leg > 0)) * scale[4] + carried
        return self._replace(codes=codes, scale=scale)

    def _columns(self, codes: Ints) -> list[Ints]:
        columns: list[Ints] = []
        for size in self.scale[::-1]:
            codes, column = np.divmod(codes, size)
            columns.insert(0, column)
        return columns


def bursts(start: Side, limit: int, sorts: tuple[Sort, ...]) -> Bursts:
    """The table of all sets. ``limit``: what the centre torso can take.

    >>> two = (Sort(2, TORSO, 10, UNLIMITED, UNLIMITED),)
    >>> found = bursts(Side(15, 9, 9, 0, 0), 50, two)
    >>> found.sides(found.codes)[-1]  # both: the torso goes, its arm with it, and 5 points move on
    Side(torso=0, arm=0, leg=9, armor=0, carried=5)
    """
    figures = np.array(sorts, dtype=np.int64)
    scale = np.array([start.torso + 1, start.arm + 1, start.leg + 1, start.armor + 1, limit + 1], dtype=np.int64)
    weight = np.cumprod([1, *(sort.bins + 1 for sort in sorts)], dtype=np.int64)
    sets = int(weight[-1])
    found = Bursts(np.zeros(sets + 1, dtype=np.int64), *_room(4 * sets), np.zeros(sets), scale)
    here, flow = _room(64)
    found.codes[0], found.share[0], found.first[1] = _pack(*start, scale), 1.0, 1
    chosen = 1
    while (chosen := _fill(figures, weight, limit, found, here, flow, chosen)) < sets:
        here, flow = _room(2 * here.size)
        codes, share = _room(2 * found.codes.size)
        codes[: found.codes.size], share[: found.share.size] = found.codes, found.share
        found = found._replace(codes=codes, share=share)
    rows = found.first[sets]
    return found._replace(codes=found.codes[:rows], share=found.share[:rows])


def _room(rows: int) -> tuple[Ints, Floats]:
    """Room for so many hulls and their shares."""
    return np.empty(rows, dtype=np.int64), np.empty(rows)


@compiled_in_place
def _fill(sorts: Ints, weight: Ints, limit: int, found: Bursts, here: Ints, flow: Floats, start: int) -> int:
    """Find the hulls of one set after another; returns the set that there was no room for, or how many there are."""
    kinds, sets = sorts.shape[0], int(weight[sorts.shape[0]])
    first, codes, share, burnt, scale = found
    for chosen in range(start, sets):
        size, room = 0, 0
        for at in range(kinds):
            count = chosen // weight[at] % (sorts[at, 0] + 1)
            size += count
            if count:
                room += first[chosen - weight[at] + 1] - first[chosen - weight[at]]
        used = first[chosen]
        if room > here.size or used + room > codes.size:
            return chosen
        rows = 0
        for at in range(kinds):
            count = chosen // weight[at] % (sorts[at, 0] + 1)
            if count == 0:
                continue
            before, p_last = chosen - weight[at], count / size
            burnt[chosen] += p_last * burnt[before]
            for row in range(first[before], first[before + 1]):
                here[rows], eaten = _burst(codes[row], scale, limit, sorts[at])
                flow[rows] = p_last * share[row]
                burnt[chosen] += flow[rows] * eaten
                rows += 1
        first[chosen + 1] = _merge(here, flow, rows, codes, share, used)
    return sets


@inner
def _merge(here: Ints, flow: Floats, found: int, codes: Ints, share: Floats, used: int) -> int:
    """Write the states of a set, equal ones together; returns the row after them."""
    _sort(here, flow, found)
    start = used
    for i in range(found):
        if used > start and codes[used - 1] == here[i]:
            share[used - 1] += flow[i]
        else:
            codes[used], share[used] = here[i], flow[i]
            used += 1
    return used


@inner
def _sort(here: Ints, flow: Floats, found: int) -> None:
    """Shell sort: a few dozen entries as a rule, and a tenth of the compile time of the library's sort."""
    gap = 1
    while gap < found:
        gap = 3 * gap + 1
    while gap > 1:
        gap //= 3
        for i in range(gap, found):
            code, mass, at = here[i], flow[i], i
            while at >= gap and here[at - gap] > code:
                here[at], flow[at] = here[at - gap], flow[at - gap]
                at -= gap
            here[at], flow[at] = code, mass


@inner
def _pack(torso: int, arm: int, leg: int, armor: int, carried: int, scale: Ints) -> int:
    code: int = (((torso * scale[1] + arm) * scale[2] + leg) * scale[3] + armor) * scale[4] + carried
    return code


@inner
def _burst(code: int, scale: Ints, limit: int, sort: Ints) -> tuple[int, int]:
    """One bin bursts: the side after it, and the structure it ate there."""
    carried = code % scale[4]
    code //= scale[4]
    armor = code % scale[3]
    code //= scale[3]
    leg = code % scale[2]
    code //= scale[2]
    arm, torso = code % scale[1], code // scale[1]
    place, left, own, onward = sort[1], sort[2], sort[3], sort[4]
    most = left if own == UNLIMITED else min(left, own)
    taken = min(most, torso if place == TORSO else arm if place == ARM else leg)
    eaten, left = taken, left - taken
    if place == ARM:
        arm -= taken
    elif place == LEG:
        leg -= taken
    else:
        torso -= taken
    if onward != UNLIMITED:
        left = min(left, onward)
    if place != TORSO and torso > 0:
        stopped = min(left, armor)
        armor, left = armor - stopped, left - stopped
        taken = min(left, torso)
        torso, left, eaten = torso - taken, left - taken, eaten + taken
    if torso == 0:  # its arm falls with it, its armour is gone
        arm, armor = 0, 0
    return _pack(torso, arm, leg, armor, min(limit, carried + left), scale), eaten

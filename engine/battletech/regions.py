"""How a heat phase changes one independent part of the hull, exactly.

**Why parts.** Bins fail independently and the failing ones burst in a uniformly random order; restricted to disjoint
sets of bins such orders are independent. Damage only moves inward, so a left-side explosion touches LA, LL, LT and the
centre torso, never the right side. What reaches the centre torso adds up there in any order: carried damage eats its
front armour first, its own bins only structure, and it is lost when ``own + max(0, carried − armour) ≥ structure``.
So left, right, centre and head are independent chains, each with a bottomless centre torso that merely counts
(carried = armour eaten, own = structure eaten); ``odds`` puts them together. Total Warfare's one roll picks one bin of
the whole 'Mech: there the hull is a single part.

**Why a chain.** Let n bins fail with probability p each. That a given sequence of m bins is the first m to burst has
probability ``q(m) = Σ_s C(n−m, s−m) p^s (1−p)^(n−s) (s−m)!/s!``, whatever the bins are. So, after m explosions, each
bin left is next with probability q(m+1)/q(m): a Markov chain over (bins left, hull) that never lists an order.

Bins that cannot be told apart (same place, size, neighbours on the sheet) are counted, not named. Cost per phase:
(sets of bins left) × (hulls reachable with them). Doubles throughout; probabilities are sums of products, error ~1e-15.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import groupby
from math import comb, factorial, prod
from typing import NamedTuple

from engine.battletech.blast import Hull, Layout, blast
from engine.battletech.mech import Bin, Mech, Rules, engine_lost
from engine.battletech.tables import (
    CT,
    HD,
    INDEX,
    LA,
    LL,
    LT,
    PILOT_HITS_TO_KILL,
    RA,
    RL,
    RT,
    HeatBand,
    p_explosion,
)

SIDES = ((LT, LA, LL), (RT, RA, RL), (CT,), (HD,))
WHOLE = ((HD, CT, LT, RT, LA, RA, LL, RL),)


class Kind(NamedTuple):
    """Bins that behave alike."""

    at: int
    rounds: int
    damage_per_round: int
    pilot: int
    bin_ids: tuple[str, ...]

    @property
    def damage(self) -> int:
        return self.rounds * self.damage_per_round


class State(NamedTuple):
    """A part of the 'Mech between phases: bins left of each kind, hits its explosions dealt, points left."""

    left: tuple[int, ...]
    hits: int
    structure: tuple[int, ...]
    armor: tuple[int, ...]


class Row(NamedTuple):
    """One phase from one state: where it ends, and what to expect on the way."""

    ends: dict[State, float]
    burnt: float  # structure eaten outside the centre torso
    explosions: tuple[float, ...]  # by kind
    p_quiet: float  # nothing explodes


class _Spot(NamedTuple):
    """Where a chain is within a phase."""

    left: tuple[int, ...]
    structure: tuple[int, ...]
    armor: tuple[int, ...]


@dataclass(slots=True)
class Region:
    """One independent part with its own bins and a centre torso that only counts."""

    mech: Mech
    rules: Rules
    locations: tuple[int, ...]
    kinds: tuple[Kind, ...]
    layout: Layout
    center: tuple[int, int]  # the real centre torso: structure, armour
    _blasts: dict[tuple[tuple[int, ...], tuple[int, ...], int, int], tuple[tuple[int, ...], tuple[int, ...], int]] = (
        field(default_factory=dict)
    )
    _rows: dict[tuple[State, HeatBand], Row] = field(default_factory=dict)

    @property
    def depth(self) -> int:
        """Points of the counting centre torso: more than the real one can take in any way."""
        return sum(self.center) + 1

    @property
    def start(self) -> State:
        hull = Hull.of(self.mech)
        armor = tuple(points if at in (LT, RT) else 0 for at, points in enumerate(hull.armor))
        structure, armor = self._settle(_with(hull.structure, CT, self.depth), _with(armor, CT, self.depth))
        return State(tuple(len(kind.bin_ids) for kind in self.kinds), 0, structure, armor)

    def own_damage(self, state: State) -> int:
        """Damage dealt straight to the centre torso's structure."""
        return self.depth - state.structure[CT]

    def carried_damage(self, state: State) -> int:
        """Damage that met the centre torso's armour."""
        return self.depth - state.armor[CT]

    def fatal(self, state: State) -> bool:
        """Is the 'Mech out whatever the other parts do?"""
        slots = self.mech.side_torso_engine_slots
        return state.structure[HD] == 0 or engine_lost(state.structure, slots, self.rules.book)

    @property
    def combinations(self) -> int:
        return prod(len(kind.bin_ids) + 1 for kind in self.kinds)

    def phase(self, state: State, band: HeatBand | None) -> Row:
        """Everything one heat phase can make of a state."""
        if band is None or not any(state.left):
            return Row({state: 1.0}, 0.0, (0.0,) * len(self.kinds), 1.0)
        key = (state, band)
        if key not in self._rows:
            self._rows[key] = self._row(state, band)
        return self._rows[key]

    def _row(self, state: State, band: HeatBand) -> Row:
        if band.automatic:
            return self._everything(state)
        if self.rules.book.one_roll_per_phase:
            return self._worst_bin(state, p_explosion(band))
        return self._bin_by_bin(state, p_explosion(band))

    def _everything(self, state: State) -> Row:
        """Every bin, in sheet order (ruling 3)."""
        spot, burnt = _Spot(state.left, state.structure, state.armor), 0
        for at, count in enumerate(state.left):
            for _ in range(count):
                spot, eaten = self._explode(spot, at)
                burnt += eaten
        return Row({self._close(state, spot): 1.0}, burnt, tuple(map(float, state.left)), 0.0)

    def _worst_bin(self, state: State, p: float) -> Row:
        """One roll; the worst bin, fairly among exact ties."""
        open_kinds = [at for at, count in enumerate(state.left) if count]
        worst = max(self.kinds[at][2:0:-1] for at in open_kinds)
        tied = [at for at in open_kinds if self.kinds[at][2:0:-1] == worst]
        total = sum(state.left[at] for at in tied)
        ends, explosions, burnt = {state: 1 - p}, [0.0] * len(self.kinds), 0.0
        for at in tied:
            flow = p * state.left[at] / total
            spot, eaten = self._explode(_Spot(state.left, state.structure, state.armor), at)
            end = self._close(state, spot)
            ends[end] = ends.get(end, 0.0) + flow
            explosions[at] = flow
            burnt += flow * eaten
        return Row(ends, burnt, tuple(explosions), 1 - p)

    def _bin_by_bin(self, state: State, p: float) -> Row:
        """Each bin with probability p, in random order: the chain of the module's docstring."""
        pool = sum(state.left)
        first = [_p_first(pool, m, p) for m in range(pool + 2)]
        layer = {_Spot(state.left, state.structure, state.armor): 1.0}
        ends: dict[State, float] = {}
        burnt = 0.0
        for burst in range(pool + 1):
            p_next = first[burst + 1] / first[burst]
            p_stop = 1 - (pool - burst) * p_next
            following: dict[_Spot, float] = {}
            for spot, mass in layer.items():
                end = self._close(state, spot)
                ends[end] = ends.get(end, 0.0) + mass * p_stop
                for at, count in enumerate(spot.left):
                    if count:
                        flow = mass * count * p_next
                        nearer, eaten = self._explode(spot, at)
                        following[nearer] = following.get(nearer, 0.0) + flow
                        burnt += flow * eaten
            layer = following
        return Row(ends, burnt, tuple(p * count for count in state.left), (1 - p) ** pool)

    def _explode(self, spot: _Spot, at: int) -> tuple[_Spot, int]:
        kind = self.kinds[at]
        key = (spot.structure, spot.armor, kind.at, kind.damage)
        if key not in self._blasts:
            hull, flows = blast(Hull(spot.structure, spot.armor, (0,) * 8), self.layout, kind.at, kind.damage)
            eaten = sum(flow.amount for flow in flows if flow.kind == "structure" and flow.at != CT)
            self._blasts[key] = (*self._settle(hull.structure, hull.armor), eaten)
        structure, armor, eaten = self._blasts[key]
        return _Spot(_with(spot.left, at, spot.left[at] - 1), structure, armor), eaten

    def _settle(self, structure: tuple[int, ...], armor: tuple[int, ...]) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """One name for hulls that behave alike: a lost location has no armour, a lost centre torso no points."""
        real_structure, real_armor = self.center
        own, carried = self.depth - structure[CT], self.depth - armor[CT]
        if own + max(0, carried - real_armor) >= real_structure:
            structure, armor = _with(structure, CT, 0), _with(armor, CT, 0)
        return structure, tuple(points if structure[at] else 0 for at, points in enumerate(armor))

    def _close(self, before: State, spot: _Spot) -> State:
        """End of the phase: hits counted, bins gone with their location crossed out."""
        hits = sum((had - has) * kind.pilot for had, has, kind in zip(before.left, spot.left, self.kinds, strict=True))
        # Nobody asks what is left on a wreck: one state for all of them.
        standing = spot.structure[CT] > 0 and spot.structure[HD] > 0
        left = tuple(
            has if standing and spot.structure[kind.at] else 0 for has, kind in zip(spot.left, self.kinds, strict=True)
        )
        return State(left, min(PILOT_HITS_TO_KILL, before.hits + hits), spot.structure, spot.armor)


def regions(mech: Mech, rules: Rules) -> tuple[Region, ...]:
    """The independent parts of a 'Mech under these rules."""
    layout = Layout.of(mech, rules)
    center = (mech.structure.get("CT", 0), mech.armor.get("CT", 0))
    parts = WHOLE if rules.book.one_roll_per_phase else SIDES
    return tuple(Region(mech, rules, part, tuple(_kinds(mech, rules, part)), layout, center) for part in parts)


def _kinds(mech: Mech, rules: Rules, locations: Iterable[int]) -> Iterator[Kind]:
    """Neighbours on the sheet that are alike; sheet order must survive for phases without a roll."""
    here = [b for b in mech.explosive_bins if INDEX[b.location] in locations]
    book = rules.book

    def alike(item: Bin) -> tuple[int, int, int, int]:
        unprotected = mech.protection(item.location, book) == "none"
        pilot = book.pilot_unprotected if unprotected else book.pilot_protected
        return INDEX[item.location], item.rounds, item.damage_per_round, pilot

    for figures, group in groupby(here, key=alike):
        yield Kind(*figures, tuple(b.bin_id for b in group))


def _p_first(pool: int, m: int, p: float) -> float:
    """Chance that m given bins are, in this order, the first m of ``pool`` to burst."""
    return sum(
        comb(pool - m, s - m) * p**s * (1 - p) ** (pool - s) * factorial(s - m) / factorial(s)
        for s in range(m, pool + 1)
    )


def _with(points: tuple[int, ...], at: int, value: int) -> tuple[int, ...]:
    return (*points[:at], value, *points[at + 1 :])

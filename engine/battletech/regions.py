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
(sets of bins left) × (hulls reachable with them); beyond a few dozen sets the compiled table of ``bursts`` takes over.
After the last phase of a plan nobody asks which bins are left, and states that differ in nothing else are one. Doubles
throughout; probabilities are sums of products, error ~1e-15.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
from math import comb, factorial, prod
from typing import NamedTuple, TypeVar

import numpy as np

from engine.battletech.blast import Hull, Layout, blast
from engine.battletech.bursts import ARM, LEG, TORSO, UNLIMITED, Bursts, Floats, Ints, Side, Sort, bursts
from engine.battletech.mech import Bin, Mech, Rules, engine_lost
from engine.battletech.tables import (
    CT,
    HD,
    INDEX,
    LA,
    LL,
    LT,
    NEXT_INWARD,
    PILOT_HITS_TO_KILL,
    RA,
    RL,
    RT,
    HeatBand,
    p_explosion,
)

SIDES = ((LT, LA, LL), (RT, RA, RL), (CT,), (HD,))
WHOLE = ((HD, CT, LT, RT, LA, RA, LL, RL),)
# Up to here a chain of dictionaries is quicker than a call of compiled code.
FEW_SETS = 64
NO_REAR_ARMOR = (0,) * 8  # rear armour only soaks what would be vented

Key = TypeVar("Key")
# A kind that can burst next: which, how many bins it has, and what is left without one of them.
Move = tuple[int, int, int]


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

    @property
    def severity(self) -> tuple[int, int]:
        """What makes one bin worse than another under Total Warfare."""
        return self.damage_per_round, self.rounds


class State(NamedTuple):
    """A part of the 'Mech between phases, in small numbers: the region knows what ``left`` and ``hull`` stand for."""

    left: int  # bins left of each kind, as digits of mixed radix
    hits: int  # pilot hits its explosions dealt
    hull: int  # which of the hulls met so far


class Row(NamedTuple):
    """One phase from one state: where it ends, and what to expect on the way."""

    ends: dict[State, float]
    burnt: float  # structure eaten outside the centre torso
    explosions: tuple[float, ...]  # by kind


class Points(NamedTuple):
    """Structure and armour by location, the centre torso's being the counters of the module's docstring."""

    structure: tuple[int, ...]
    armor: tuple[int, ...]


class Region:
    """One independent part with its own bins and a centre torso that only counts."""

    def __init__(self, mech: Mech, rules: Rules, locations: tuple[int, ...]) -> None:
        self.mech = mech
        self.rules = rules
        self.locations = locations
        self.kinds = tuple(_kinds(mech, rules, locations))
        self.layout = Layout.of(mech, rules)
        self.center = (mech.structure.get("CT", 0), mech.armor.get("CT", 0))
        self.depth = sum(self.center) + 1  # more than the real centre torso can take in any way
        bases = [len(kind.bin_ids) + 1 for kind in self.kinds]
        self.digits = [(prod(bases[:at]), base) for at, base in enumerate(bases)]
        self.combinations = prod(bases)
        self.hulls: list[Points] = []
        self._hull_ids: dict[Points, int] = {}
        self._steps: dict[int, tuple[int, int]] = {}
        self._moves: dict[int, list[Move]] = {}
        self._waiting_hits: dict[int, int] = {}
        self._rows: dict[tuple[State, HeatBand, bool], Row] = {}
        self._tables: dict[State, Bursts] = {}
        self.start = State(self.combinations - 1, 0, self._hull_id(self._untouched()))

    def structure(self, state: State) -> tuple[int, ...]:
        return self.hulls[state.hull].structure

    def own_damage(self, state: State) -> int:
        """Damage dealt straight to the centre torso's structure."""
        return self.depth - self.hulls[state.hull].structure[CT]

    def carried_damage(self, state: State) -> int:
        """Damage that met the centre torso's armour."""
        return self.depth - self.hulls[state.hull].armor[CT]

    def fatal(self, state: State) -> bool:
        """Is the 'Mech out whatever the other parts do?"""
        structure = self.structure(state)
        return structure[HD] == 0 or engine_lost(structure, self.mech.side_torso_engine_slots, self.rules.book)

    def p_quiet(self, state: State, band: HeatBand | None) -> float:
        """Chance that nothing explodes."""
        rolls = min(1, self._pool(state.left)) if self.rules.book.one_roll_per_phase else self._pool(state.left)
        return (1 - p_explosion(band)) ** rolls

    def phase(self, state: State, band: HeatBand | None, last: bool = False) -> Row:
        """Everything one heat phase can make of a state. After the ``last`` phase the bins left are not told apart."""
        if band is None or not state.left:
            return Row({state: 1.0}, 0.0, (0.0,) * len(self.kinds))
        key = (state, band, last)
        if key not in self._rows:
            self._rows[key] = self._row(state, band, last)
        return self._rows[key]

    def _row(self, state: State, band: HeatBand, last: bool) -> Row:
        p = p_explosion(band)
        if band.automatic:
            return self._everything(state)
        if self.rules.book.one_roll_per_phase:
            return self._worst_bin(state, p)
        explosions = [0.0] * len(self.kinds)
        for at, bins, _ in self._open(state.left):
            explosions[at] = p * bins
        if self._order_is_idle(state):
            ends, burnt = self._in_any_order(state, p, last)
        elif prod(bins + 1 for _, bins, _ in self._open(state.left)) > FEW_SETS:
            ends, burnt = self._in_every_order(state, p, last)
        else:
            ends, burnt = self._in_random_order(state, p)
        return Row(ends, burnt, tuple(explosions))

    def _everything(self, state: State) -> Row:
        """Every bin, in sheet order (ruling 3)."""
        hull, burnt, explosions = state.hull, 0, [0.0] * len(self.kinds)
        for at, bins, _ in self._open(state.left):
            explosions[at] = float(bins)
            for _ in range(bins):
                hull, eaten = self._step(hull, at)
                burnt += eaten
        return Row({self._close(state, hull, 0): 1.0}, burnt, tuple(explosions))

    def _worst_bin(self, state: State, p: float) -> Row:
        """One roll; the worst bin, fairly among exact ties."""
        moves = self._open(state.left)
        worst = max(self.kinds[at].severity for at, _, _ in moves)
        tied = [move for move in moves if self.kinds[move[0]].severity == worst]
        total = sum(bins for _, bins, _ in tied)
        ends, explosions, burnt = {state: 1 - p}, [0.0] * len(self.kinds), 0.0
        for at, bins, rest in tied:
            flow = p * bins / total
            hull, eaten = self._step(state.hull, at)
            _add(ends, self._close(state, hull, rest), flow)
            explosions[at] = flow
            burnt += flow * eaten
        return Row(ends, burnt, tuple(explosions))

    def _order_is_idle(self, state: State) -> bool:
        """Explosions in one place only add up, unless each of them lets a share of its own through."""
        places = {self.kinds[at].at for at, _, _ in self._open(state.left)}
        return len(places) == 1 and all(
            NEXT_INWARD[at] is None or self.layout.at_source[at].onward in (None, 0) for at in places
        )

    def _in_any_order(self, state: State, p: float, last: bool) -> tuple[dict[State, float], float]:
        """Each bin with probability p; sheet order stands for all orders."""
        layer, burnt = {state: 1.0}, 0.0
        for at in (at for at, bins, _ in self._open(state.left) for _ in range(bins)):
            weight, pilot = self.digits[at][0], self.kinds[at].pilot
            following: dict[State, float] = {}
            for before, mass in layer.items():
                nearer, eaten = self._step(before.hull, at)
                gone = State(
                    before.left - (0 if last else weight), min(PILOT_HITS_TO_KILL, before.hits + pilot), nearer
                )
                _add(following, before, mass * (1 - p))
                _add(following, gone, mass * p)
                burnt += mass * p * eaten
            layer = following
        ends: dict[State, float] = {}
        for (left, hits, hull), mass in layer.items():
            _add(ends, State(0 if last else self._still_there(hull, left), hits, hull), mass)
        return ends, burnt

    def _in_every_order(self, state: State, p: float, last: bool) -> tuple[dict[State, float], float]:
        """The same as ``_in_random_order``, from the table of all sets."""
        moves = self._open(state.left)
        if state not in self._tables:
            self._tables[state] = self._table(state, moves)
        table = self._tables[state]
        counts = _digits([bins for _, bins, _ in moves])
        p_set = np.prod([_binomial(bins, p)[counts[:, at]] for at, (_, bins, _) in enumerate(moves)], axis=0)
        pilot = np.array([self.kinds[at].pilot for at, _, _ in moves])
        hits = np.minimum(PILOT_HITS_TO_KILL, state.hits + counts @ pilot)
        weight = np.array([self.digits[at][0] for at, _, _ in moves])
        left = np.zeros_like(hits) if last else state.left - counts @ weight
        ends = self._collect(table.outlines() if last else table, p_set, left, hits)
        return ends, float(p_set @ table.burnt)

    def _collect(self, table: Bursts, p_set: Floats, left: Ints, hits: Ints) -> dict[State, float]:
        """The ends of a phase: rows of the table that are one hull with one set of bins left, together."""
        rows = np.diff(table.first)
        codes, hull_at = np.unique(table.codes, return_inverse=True)
        hulls = [self._hull_of(side) for side in table.sides(codes)]
        span = PILOT_HITS_TO_KILL + 1
        keys = np.repeat(left * span + hits, rows) * len(hulls) + hull_at
        states, state_at = np.unique(keys, return_inverse=True)
        masses = np.bincount(state_at, table.share * np.repeat(p_set, rows))
        ends: dict[State, float] = {}
        for key, mass in zip(states.tolist(), masses.tolist(), strict=True):
            tally, at = divmod(key, len(hulls))
            bins, hit = divmod(tally, span)
            _add(ends, State(self._still_there(hulls[at], bins), hit, hulls[at]), mass)
        return ends

    def _table(self, state: State, moves: list[Move]) -> Bursts:
        torso, arm, leg = self.locations
        structure, armor = self.hulls[state.hull]
        limit = sum(self.center) if self.center[0] else 0
        carried = self.carried_damage(state) if structure[CT] else limit
        places = {torso: TORSO, arm: ARM, leg: LEG}
        sorts = tuple(
            Sort(bins, places[kind.at], kind.damage, *(UNLIMITED if most is None else most for most in source))
            for kind, bins in ((self.kinds[at], bins) for at, bins, _ in moves)
            for source in [self.layout.at_source[kind.at][:2]]
        )
        return bursts(Side(structure[torso], structure[arm], structure[leg], armor[torso], carried), limit, sorts)

    def _hull_of(self, side: Side) -> int:
        """A side of the table as one of the region's hulls."""
        torso, arm, leg = self.locations
        structure, armor = map(list, self.hulls[self.start.hull])
        structure[torso], structure[arm], structure[leg] = side[:3]
        armor[torso], armor[CT] = side.armor, self.depth - side.carried
        return self._hull_id(Points(tuple(structure), tuple(armor)))

    def _in_random_order(self, state: State, p: float) -> tuple[dict[State, float], float]:
        """Each bin with probability p, in random order: the chain of the module's docstring."""
        pool = self._pool(state.left)
        first = [_p_first(pool, m, p) for m in range(pool + 2)]
        layer, ends, burnt = {(state.left, state.hull): 1.0}, dict[State, float](), 0.0
        for burst in range(pool + 1):
            p_next = first[burst + 1] / first[burst]
            p_stop = 1 - (pool - burst) * p_next
            following: dict[tuple[int, int], float] = {}
            for (left, hull), mass in layer.items():
                _add(ends, self._close(state, hull, left), mass * p_stop)
                for at, bins, rest in self._open(left):
                    flow = mass * bins * p_next
                    nearer, eaten = self._step(hull, at)
                    spot = (rest, nearer)
                    following[spot] = following.get(spot, 0.0) + flow
                    burnt += flow * eaten
            layer = following
        return ends, burnt

    def _open(self, left: int) -> list[Move]:
        """The kinds with bins left, in sheet order."""
        moves = self._moves.get(left)
        if moves is None:
            counts = ((at, left // weight % base, left - weight) for at, (weight, base) in enumerate(self.digits))
            moves = self._moves[left] = [move for move in counts if move[1]]
        return moves

    def _pool(self, left: int) -> int:
        return sum(bins for _, bins, _ in self._open(left))

    def _hits(self, left: int) -> int:
        """The pilot hits still waiting in these bins."""
        hits = self._waiting_hits.get(left)
        if hits is None:
            hits = self._waiting_hits[left] = sum(bins * self.kinds[at].pilot for at, bins, _ in self._open(left))
        return hits

    def _step(self, hull: int, at: int) -> tuple[int, int]:
        """The hull after one bin of a kind bursts, and the structure eaten outside the centre torso."""
        key = hull * len(self.kinds) + at
        step = self._steps.get(key)
        if step is None:
            kind, points = self.kinds[at], self.hulls[hull]
            after, flows = blast(Hull(*points, NO_REAR_ARMOR), self.layout, kind.at, kind.damage)
            eaten = sum(flow.amount for flow in flows if flow.kind == "structure" and flow.at != CT)
            step = self._steps[key] = (self._hull_id(Points(after.structure, after.armor)), eaten)
        return step

    def _untouched(self) -> Points:
        """Armour counts only where damage can arrive from elsewhere: the side torsos and the centre's counter."""
        hull = Hull.of(self.mech)
        armor = tuple(points if at in (LT, RT) else 0 for at, points in enumerate(hull.armor))
        return Points(_with(hull.structure, CT, self.depth), _with(armor, CT, self.depth))

    def _hull_id(self, points: Points) -> int:
        """One number for hulls that behave alike: a lost location has no armour, a lost centre torso no points."""
        structure, armor = points
        own, carried = self.depth - structure[CT], self.depth - armor[CT]
        if own + max(0, carried - self.center[1]) >= self.center[0]:
            structure = _with(structure, CT, 0)
        settled = Points(structure, tuple(has if structure[at] else 0 for at, has in enumerate(armor)))
        number = self._hull_ids.setdefault(settled, len(self.hulls))
        if number == len(self.hulls):
            self.hulls.append(settled)
        return number

    def _close(self, before: State, hull: int, left: int) -> State:
        """End of the phase: hits counted, bins gone with their location crossed out."""
        hits = min(PILOT_HITS_TO_KILL, before.hits + self._hits(before.left) - self._hits(left))
        return State(self._still_there(hull, left), hits, hull)

    def _still_there(self, hull: int, left: int) -> int:
        """Of the bins left, those whose location still stands; nobody asks what is left on a wreck."""
        structure = self.hulls[hull].structure
        if not (structure[CT] and structure[HD]):
            return 0
        return left - sum(
            bins * (left - rest) for at, bins, rest in self._open(left) if not structure[self.kinds[at].at]
        )


def regions(mech: Mech, rules: Rules) -> tuple[Region, ...]:
    """The independent parts of a 'Mech under these rules."""
    parts = WHOLE if rules.book.one_roll_per_phase else SIDES
    occupied = {INDEX[b.location] for b in mech.explosive_bins}
    # Where nothing can explode nothing changes; one part is enough to say that a 'Mech is a wreck already.
    used = [part for part in parts if occupied & set(part)] or parts[:1]
    return tuple(Region(mech, rules, part) for part in used)


def _kinds(mech: Mech, rules: Rules, locations: Iterable[int]) -> Iterator[Kind]:
    """Bins that are alike: neighbours on the sheet, whose order must survive for phases without a roll."""
    book = rules.book

    def alike(item: Bin) -> tuple[int, int, int, int]:
        unprotected = mech.protection(item.location, book) == "none"
        pilot = book.pilot_unprotected if unprotected else book.pilot_protected
        return INDEX[item.location], item.rounds, item.damage_per_round, pilot

    here = [b for b in mech.explosive_bins if INDEX[b.location] in locations]
    if book.one_roll_per_phase:  # the sheet's order plays no part
        here.sort(key=alike)
    for figures, group in groupby(here, key=alike):
        yield Kind(*figures, tuple(b.bin_id for b in group))


def _p_first(pool: int, m: int, p: float) -> float:
    """Chance that m given bins are, in this order, the first m of ``pool`` to burst."""
    return sum(
        comb(pool - m, s - m) * p**s * (1 - p) ** (pool - s) * factorial(s - m) / factorial(s)
        for s in range(m, pool + 1)
    )


def _binomial(bins: int, p: float) -> Floats:
    """Chance that 0, 1, … of the bins of a sort burst."""
    return np.array([comb(bins, n) * p**n * (1 - p) ** (bins - n) for n in range(bins + 1)])


def _digits(sizes: list[int]) -> Ints:
    """Every set of bins, in the order of the table: how many of each sort it holds."""
    sets = np.arange(prod(size + 1 for size in sizes))
    columns = []
    for size in sizes:
        sets, digit = np.divmod(sets, size + 1)
        columns.append(digit)
    return np.stack(columns, axis=1)


def _add(masses: dict[Key, float], key: Key, mass: float) -> None:
    masses[key] = masses.get(key, 0.0) + mass


def _with(points: tuple[int, ...], at: int, value: int) -> tuple[int, ...]:
    return (*points[:at], value, *points[at + 1 :])

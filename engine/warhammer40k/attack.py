"""The exact answer: every distribution of an attack, with no sampling.

One attack die is a small polynomial: its chances of k hits (wounds, unsaved wounds …). A weapon's attacks are a power
of it, mixed over a variable number of attacks, so hits, wounds and unsaved wounds cost a few short convolutions.

Damage needs the order of things. Unsaved attacks strike in weapon order (``allocation.volley``); devastating wounds
wait until every weapon has struck, then land in weapon order; mortal wounds come last. How many wait is correlated
with how many struck, so a weapon's attacks become one *joint* distribution of (strikes, pending), and the state
carries one axis per kind of pending wound. Weapons next to each other whose pending wounds are alike share an axis,
and all that merely spills shares a single one that counts wounds. Work is bounded before any of it is done.
Precision is that of doubles: only positive numbers are added and multiplied.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from functools import reduce
from math import prod
from typing import Any, Generic, Protocol, TypeVar

import numpy as np

from engine.dice.lazy import lazy
from engine.dice.pmf import Array, Pmf
from engine.warhammer40k.allocation import dense, destroyed, power, room, spill, strike, volley
from engine.warhammer40k.profile import AttackInput, Defender, Rules, Weapon, amount
from engine.warhammer40k.stages import Stages, ignoring, mortal_feel_no_pain
from engine.wire import EngineError

#: Multiplications an exact answer may take: about a second. Larger inputs are refused before they start.
MAX_WORK = 1_000_000_000
#: Numbers held at once: about 200 MB.
MAX_STATES = 25_000_000
ONE = np.ones(1)


@dataclass(frozen=True)
class Volley:
    """One weapon line: its tables and what its dice add up to."""

    stages: Stages

    @property
    def weapon(self) -> Weapon:
        return self.stages.weapon

    @property
    def rolls(self) -> bool:
        return self.weapon.type == "attack"

    @lazy
    def attacks(self) -> Pmf:
        return self.stages.attacks.repeat(self.weapon.count) if self.rolls else Pmf.point(0)

    @lazy
    def hits(self) -> Pmf:
        return self._total(np.array([0.0, 1.0]), np.array([0.0, 1.0]))

    @lazy
    def wounds(self) -> Pmf:
        return self._total(_chance(1.0 - self.stages.wound_chances[0]), np.array([0.0, 1.0]))

    @lazy
    def unsaved(self) -> Pmf:
        through, s = self.stages.unsaved_chance, self.stages
        _, plain, critical = s.wound_chances
        landed = plain * through + critical * (1.0 if s.devastating else through)
        return self._total(_chance(landed), _chance(through))

    @lazy
    def raw_damage(self) -> Pmf:
        """Damage after reduction and Feel No Pain as if no model could die."""
        s = self.stages
        if not self.rolls:
            return self.mortal_wounds
        fails, plain, critical = s.wound_chances
        through = s.unsaved_chance
        struck = Pmf.mix(((through, s.damage), (1.0 - through, Pmf.point(0))))
        crit = (s.devastating_damage if s.devastating else struck).convolve(s.extra_mortals)
        hit = Pmf.mix(((fails, Pmf.point(0)), (plain, struck), (critical, crit)))
        return self._total(dense(hit), dense(struck))

    @lazy
    def mortal_wounds(self) -> Pmf:
        """Mortal wounds that come without an attack (weapons of type mortal), after Feel No Pain."""
        if self.rolls:
            return Pmf.point(0)
        each = amount(self.weapon.mortal_wounds).repeat(self.weapon.count)
        return ignoring(each, mortal_feel_no_pain(self.stages.defender))

    def _total(self, per_hit: Array, per_auto_wound: Array) -> Pmf:
        """The sum over all attack dice, given what a hit and a wound without a roll are worth."""
        if not self.rolls:
            return Pmf.point(0)
        each = Pmf.trusted(self._per_attack(per_hit, per_auto_wound))
        attacks, count = self.stages.attacks, self.weapon.count
        if attacks.low == attacks.high:
            return each.repeat(attacks.low * count)
        return attacks.copies_of(each).repeat(count)

    def _per_attack(self, per_hit: Array, per_auto_wound: Array) -> Array:
        """One attack die: miss, hit, or critical with its sustained hits, the first of which may wound by itself."""
        stages = self.stages
        miss, hit, critical = stages.hit_chances
        parts = [(miss, ONE), (hit, per_hit)]
        if critical:
            first = per_auto_wound if stages.lethal else per_hit
            parts += [(critical * p, _times(first, per_hit, extra)) for extra, p in stages.sustained.items()]
        return _weighted(parts)

    # -- strikes and what waits -----------------------------------------------------------------------------------

    @lazy
    def leaves_pending(self) -> bool:
        return self.rolls and (self.stages.devastating or self.stages.extra_mortals.high > 0)

    @lazy
    def pending(self) -> Pending | None:
        """What the line leaves for later, if anything."""
        stages = self.stages
        if not self.leaves_pending:
            return None
        if stages.devastating and stages.spills:
            return Pending(None, stages.devastating_damage.convolve(stages.extra_mortals))
        return Pending(stages.devastating_damage if stages.devastating else None, stages.extra_mortals)

    @lazy
    def most_hits(self) -> int:
        """Hits one attack die can become."""
        return 1 + (self.stages.sustained.high if self.stages.hit_chances[2] else 0)

    @lazy
    def step(self) -> Array:
        """One attack die as P(strikes, pending): every critical wound leaves something for later."""
        stages, through = self.stages, self.stages.unsaved_chance
        _, plain, critical = stages.wound_chances
        hit = np.zeros((2, 2))
        hit[1, 0] = plain * through
        if stages.devastating:
            hit[0, 1] = critical
        else:
            hit[1, 1], hit[0, 1] = critical * through, critical * (1.0 - through)
        hit[0, 0] = 1.0 - hit.sum()
        return _trimmed(self._per_attack(hit, np.array([[1.0 - through], [through]])))

    @lazy
    def joint(self) -> Array:
        """P(strikes, pending) of the whole line. Without pending wounds it has a single column."""
        if not self.leaves_pending:
            return dense(self.unsaved)[:, None]
        attacks = self.stages.attacks
        if attacks.low == attacks.high:
            return power(self.step, attacks.low * self.weapon.count)
        one = _weighted([(p, power(self.step, times)) for times, p in attacks.items()])
        return power(one, self.weapon.count)

    @lazy
    def joint_work(self) -> float:
        """Multiplications the joint distribution takes, at most: a pass over the table for each copy of the step."""
        if not self.leaves_pending:
            return 0.0
        attacks, hits = self.stages.attacks, self.most_hits
        dice, table = attacks.high, float(self.unsaved_bound) ** 2
        if attacks.low == attacks.high:
            return dice * self.weapon.count * table * (hits + 1) ** 2 / 6
        return (dice * hits) ** 2 * (dice**2 * (hits + 1) ** 2 + self.weapon.count * table / 6)

    @lazy
    def unsaved_bound(self) -> int:
        return self.stages.attacks.high * self.weapon.count * self.most_hits if self.rolls else 0

    @lazy
    def damage_bound(self) -> int:
        """The most damage the line can deal."""
        if not self.rolls:
            return amount(self.weapon.mortal_wounds).high * self.weapon.count
        stages = self.stages
        devastating = stages.devastating_damage.high if stages.devastating else 0
        return self.unsaved_bound * (max(stages.damage.high, devastating) + stages.extra_mortals.high)


@dataclass(frozen=True)
class Pending:
    """Wounds that wait: a strike each (devastating, no spill) and/or so many spilling wounds each."""

    strike: Hashable | None
    mortals: Pmf


@dataclass(frozen=True)
class Outcome:
    """Every distribution of one attack."""

    volleys: tuple[Volley, ...]
    defender: Defender
    damage: Pmf
    destroyed: Pmf

    def _sum(self, stage: str) -> Pmf:
        parts: list[Pmf] = [getattr(one, stage) for one in self.volleys]
        return reduce(Pmf.convolve, parts) if parts else Pmf.point(0)

    @lazy
    def attacks(self) -> Pmf:
        return self._sum("attacks")

    @lazy
    def hits(self) -> Pmf:
        return self._sum("hits")

    @lazy
    def wounds(self) -> Pmf:
        return self._sum("wounds")

    @lazy
    def unsaved(self) -> Pmf:
        return self._sum("unsaved")

    @lazy
    def raw_damage(self) -> Pmf:
        return self._sum("raw_damage")

    @property
    def p_wiped(self) -> float:
        """The chance that no model is left; an empty unit cannot be wiped out."""
        return self.destroyed.exactly(self.defender.models) if self.defender.total_wounds else 0.0


def resolve(request: AttackInput) -> Outcome:
    """Every weapon in order into the unit.

    >>> bolters = Weapon(count=10, attacks="2", skill=3, strength=4, ap=1, damage="1")
    >>> marines = Defender(models=10, toughness=4, save=3, wounds=2)
    >>> round(resolve(AttackInput(weapons=(bolters,), defender=marines)).damage.mean, 4)
    3.3333
    """
    return fire(request.weapons, request.defender, request.rules)


def fire(weapons: tuple[Weapon, ...], defender: Defender, rules: Rules) -> Outcome:
    volleys = tuple(Volley(Stages(weapon, defender, rules)) for weapon in weapons)
    check_size(volleys, defender)
    states = wounds_lost(volleys, defender)
    return Outcome(volleys, defender, Pmf(states), Pmf(destroyed(states, defender)))


def wounds_lost(volleys: tuple[Volley, ...], defender: Defender) -> Array:
    """The distribution of wounds the unit loses."""
    if not defender.total_wounds:
        return ONE
    unit = _AlikeUnderFire(defender)
    for one in volleys:
        unit.take(one)
    return unit.settle()


class Line(Protocol):
    """What a unit under fire asks of a weapon line."""

    @property
    def rolls(self) -> bool: ...

    @property
    def mortal_wounds(self) -> Pmf: ...

    @property
    def joint(self) -> Array: ...

    @property
    def pending(self) -> Pending | None: ...


L = TypeVar("L", bound=Line)


class UnderFire(Generic[L]):
    """The state of a unit while weapons fire: one axis per kind of pending wound, the last axis the unit itself.

    How a wound moves the unit on is left to :meth:`land`, :meth:`strike` and :meth:`spill`.
    """

    def __init__(self, size: int, most_spilling: int) -> None:
        self.size = size
        #: Spilling wounds beyond this change nothing.
        self.most_spilling = most_spilling
        self.states = np.zeros(size)
        self.states[0] = 1.0
        self.axes: list[Pending] = []  # newest first, as the array's axes are
        self.mortals = Pmf.point(0)

    def land(self, one: L, joint: Array) -> Array:
        """A line's wounds on every row, pending ones counted on a new first axis (``allocation.volley``)."""
        raise NotImplementedError

    def strike(self, rows: Array, kind: Any) -> Array:
        """One wound of a kind on every row: what is beyond the model in front is lost."""
        raise NotImplementedError

    def spill(self, rows: Array, wounds: Array) -> Array:
        """Wounds that carry over from model to model, on every row."""
        raise NotImplementedError

    @property
    def rows(self) -> Array:
        return self.states.reshape(-1, self.size)

    def take(self, one: L) -> None:
        """Strike now, keep the rest pending."""
        self.mortals = self.mortals.convolve(one.mortal_wounds)
        if not one.rolls:
            return
        kind, joint = one.pending, one.joint
        if kind and kind.strike is None:
            joint, kind = spilling_wounds(joint, kind.mortals, self.most_spilling), Pending(None, Pmf.point(1))
        after = self.land(one, joint)
        self.states = after.reshape((joint.shape[1], *self.states.shape) if kind else self.states.shape)
        if kind:
            self.file(kind)

    def file(self, kind: Pending) -> None:
        """Put the newest axis in the list, or fold it into one that counts the same thing."""
        spilling = kind.strike is None
        for at, known in enumerate(self.axes):
            if known == kind and (spilling or not any(p.strike for p in self.axes[:at])):
                self.states = _folded(self.states, at + 1, self.most_spilling if spilling else None)
                return
        self.axes.insert(0, kind)

    def settle(self) -> Array:
        """Devastating wounds in weapon order, then everything that spills."""
        for kind in [kind for kind in reversed(self.axes) if kind.strike]:
            self._land(kind)
        while self.axes:
            self._collapse(0, dense(self.axes[0].mortals), self.spill)
        settled: Array = self.spill(self.rows, dense(self.mortals))[0]
        return settled

    def _land(self, kind: Pending) -> None:
        at = self.axes.index(kind)
        if kind.mortals.high == 0:
            self._collapse(at, kind.strike, self.strike)
            return
        by_count = np.moveaxis(self.states, at, 0).copy()
        for struck in range(1, len(by_count)):
            rest = self.strike(by_count[struck:].reshape(-1, self.size), kind.strike)
            by_count[struck:] = rest.reshape(by_count[struck:].shape)
        self.states = np.moveaxis(by_count, 0, at)
        self.axes[at] = Pending(None, kind.mortals)

    def _collapse(self, at: int, each: Any, land: Callable[[Array, Any], Array]) -> None:
        """Sum out an axis: its index is how many wounds of this kind land (Horner's scheme, most first)."""
        by_count = np.moveaxis(self.states, at, 0)
        total = by_count[-1]
        for waiting in by_count[-2::-1]:
            flat = np.ascontiguousarray(total).reshape(-1, self.size)
            total = land(flat, each).reshape(total.shape) + waiting
        self.states = np.ascontiguousarray(total)
        del self.axes[at]


class _AlikeUnderFire(UnderFire[Volley]):
    """A unit whose models are alike: wounds lost say everything about it."""

    def __init__(self, defender: Defender) -> None:
        self.left = room(defender)
        super().__init__(len(self.left), len(self.left) - 1)

    def strike(self, rows: Array, kind: Pmf) -> Array:
        return strike(rows, dense(kind), self.left)

    def spill(self, rows: Array, wounds: Array) -> Array:
        return spill(rows, wounds)

    def land(self, one: Volley, joint: Array) -> Array:
        return volley(self.rows, joint, dense(one.stages.damage), self.left)


def spilling_wounds(joint: Array, each: Pmf, most: int) -> Array:
    """From a number of pending triggers to the number of spilling wounds they make, capped at ``most``."""
    table = np.zeros((joint.shape[1], most + 1))
    row = np.zeros((1, most + 1))
    row[0, 0] = 1.0
    wounds = dense(each)
    for triggers in range(len(table)):
        table[triggers] = row[0]
        row = spill(row, wounds)
    return np.asarray(joint @ table)


def _folded(states: Array, axis: int, cap: int | None) -> Array:
    """Add up axis 0 and another axis: both count the same kind of wound."""
    old = np.moveaxis(states, axis, 1)
    a, b = old.shape[:2]
    size = a + b - 1 if cap is None else cap + 1
    merged = np.zeros((size, *old.shape[2:]))
    for first in range(a):
        for second in range(b):
            merged[min(size - 1, first + second)] += old[first, second]
    return np.moveaxis(merged, 0, axis - 1)


def check_size(volleys: tuple[Volley, ...], defender: Defender) -> None:
    """Refuse what would take too long, before starting, and say what to do instead."""
    hits, damage = (float(sum(getattr(one, name) for one in volleys)) for name in ("unsaved_bound", "damage_bound"))
    work, largest = allocation_size(volleys, defender.total_wounds + 1, defender.wounds)
    work += 4 * hits**2 + damage**2  # sums of the stages, by convolution
    refuse_large(work, largest, "Use fewer attacks or fewer different devastating weapons, or simulate it.")


def refuse_large(work: float, largest: float, advice: str) -> None:
    """Refuse what takes too many multiplications or holds too many numbers at once."""
    if work > MAX_WORK or largest > MAX_STATES:
        raise EngineError(
            f"This attack is too large to count exactly: it needs about {work:.1e} steps and the limit is "
            f"{MAX_WORK:.0e}. {advice}",
            field="weapons",
            constraint="size",
            expected=MAX_WORK,
            actual=float(f"{work:.3g}"),
        )


def allocation_size(volleys: tuple[Volley, ...], states: int, model_wounds: int) -> tuple[float, float]:
    """Multiplications and numbers held at once while weapons fire, both at most."""
    size = float(states)
    axes: list[tuple[Pending, float]] = []
    work, largest = 0.0, size
    for one in volleys:
        kind, rows = one.pending, prod(length for _, length in axes)
        columns = 1.0 if not kind else size if kind.strike is None else one.unsaved_bound + 1.0
        reach = min(model_wounds, one.stages.damage.high) + 1
        work += one.joint_work + one.unsaved_bound * rows * size * (columns + reach)
        largest = max(largest, rows * columns * size)
        if kind:
            work += rows * columns * size * columns  # folding it in, and landing it at the end
            shared = bool(axes) and axes[-1][0] == kind
            axes[-1:] = [(kind, axes[-1][1] + columns)] if shared else [*axes[-1:], (kind, columns)]
    return work, largest


def _chance(p: float) -> Array:
    return np.array([1.0 - p, p])


def _times(first: Array, each: Array, extra: int) -> Array:
    for _ in range(extra):
        first = _product(first, each)
    return first


def _product(a: Array, b: Array) -> Array:
    """Two independent small tables added up, in one or two dimensions."""
    if a.ndim == b.ndim == 1:
        return np.convolve(a, b)
    out = np.zeros((a.shape[0] + b.shape[0] - 1, a.shape[1] + b.shape[1] - 1))
    for (i, j), p in np.ndenumerate(b):
        out[i : i + a.shape[0], j : j + a.shape[1]] += p * a
    return out


def _weighted(parts: list[tuple[float, Array]]) -> Array:
    """A mixture of tables of different sizes."""
    ndim = max(part.ndim for _, part in parts)
    shaped = [(p, part if part.ndim == ndim else part.reshape(-1, *[1] * (ndim - part.ndim))) for p, part in parts]
    out = np.zeros(tuple(max(part.shape[axis] for _, part in shaped) for axis in range(ndim)))
    for p, part in shaped:
        out[tuple(slice(0, n) for n in part.shape)] += p * part
    return out


def _trimmed(table: Array) -> Array:
    """Without trailing rows and columns that cannot happen."""
    n, q = np.nonzero(table)
    return np.ascontiguousarray(table[: n.max() + 1, : q.max() + 1])

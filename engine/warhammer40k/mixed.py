"""Attacks on a unit of different models: a squad with its sergeant, a leader with its bodyguard.

Hits and wounds are rolled against the unit; its Toughness is settled when it is chosen as the target: the highest
among the bodyguard models (of all models where nobody leads), or that of the majority where a card says so, the highest
of those that tie. Saves, damage and Feel No Pain are those of the model a wound goes to:

- a wounded model first;
- bodyguards before leaders, unless the weapon has Precision: then leaders first;
- between groups of bodyguards in the order the defender fixed beforehand. ``order="best"`` takes the order that loses
  the fewest points (models where no points are given), found by working out every order exactly. ``"adaptive"``: the
  defender decides anew whenever the tenth edition leaves a choice (``mixed_choice``); the eleventh wants a fixed order;
- in the tenth edition one wound after another, in the eleventh all saves of a weapon lowest first.

Devastating wounds wait until every weapon has struck, mortal wounds come last and carry over. Complexity: orders ×
wounds × states, where states are the product over groups of the wounds each can lose, and one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import permutations
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import BeforeValidator, Field, model_validator

from engine.dice.lazy import lazy
from engine.dice.pmf import Array, Pmf
from engine.warhammer40k.attack import (
    Pending,
    UnderFire,
    Volley,
    allocation_size,
    refuse_large,
)
from engine.warhammer40k.mixed_allocation import (
    Order,
    Space,
    spill_on_groups,
    strike_group,
    volley_lowest_first,
    volley_on_groups,
)
from engine.warhammer40k.mixed_choice import Attack, Ranks, Waiting, Wounding, least_loss
from engine.warhammer40k.profile import EDITIONS, Count, Defender, Modifier, Points, Reroll, Rules, Target, Weapon
from engine.warhammer40k.stages import DieTable, Stages, ignore_chance, mortal_feel_no_pain
from engine.wire import Document, refuse

MOST_GROUPS = 8
#: Orders of bodyguard groups that are worked out: those of five groups.
MOST_ORDERS = 120


class ModelGroup(Document):
    """Models of a unit that are alike."""

    name: str = Field("", max_length=120)
    models: int = Field(1, ge=1, le=120)
    toughness: int = Field(ge=1, le=1000)
    save: int = Field(7, ge=0, le=10)
    invulnerable: Target = 0
    wounds: int = Field(ge=1, le=100_000)
    feel_no_pain: Target = 0
    feel_no_pain_mortal: Target = 0
    damage_reduction: Count = 0
    halve_damage: bool = False
    wounds_already_lost: int = Field(0, ge=0, description="on one model")
    points: Points = Field(0, description="points per model")
    leader: bool = Field(False, description="is hit last, and by Precision first")

    @model_validator(mode="after")
    def _wounded_model_lives(self) -> ModelGroup:
        if self.wounds_already_lost >= self.wounds:
            refuse(
                f"A model with {self.wounds} wounds can have lost at most {self.wounds - 1}; "
                f"you entered {self.wounds_already_lost}.",
                field="groups.woundsAlreadyLost",
                constraint="range",
                expected=f"0–{self.wounds - 1}",
                actual=self.wounds_already_lost,
            )
        return self


class MixedDefender(Document):
    """A unit of different models."""

    name: str = Field("", max_length=120)
    groups: tuple[ModelGroup, ...] = Field(min_length=1, max_length=MOST_GROUPS)
    order: Literal["best", "listed", "adaptive"] = Field(
        "best",
        description="best: the order that loses the fewest points; listed: as given; adaptive: decided wound by wound",
    )
    toughness: Literal["highest", "majority"] = "highest"
    damage_minimum: int = Field(1, ge=0, le=1)
    hit_modifier: Modifier = 0
    wound_modifier: Modifier = 0
    cover: bool = False
    stealth: bool = False
    monster_vehicle: bool = False
    save_modifier: Modifier = 0
    reroll_saves: Reroll = "none"

    @property
    def models(self) -> int:
        return sum(group.models for group in self.groups)

    @property
    def total_wounds(self) -> int:
        """Wounds the unit still has."""
        return sum(group.models * group.wounds - group.wounds_already_lost for group in self.groups)

    @property
    def bodyguards(self) -> tuple[int, ...]:
        """The groups that are hit first: those that do not lead, or all where nobody else is there."""
        guards = tuple(at for at, group in enumerate(self.groups) if not group.leader)
        return guards or tuple(range(len(self.groups)))

    @property
    def leaders(self) -> tuple[int, ...]:
        return tuple(at for at in range(len(self.groups)) if at not in self.bodyguards)

    @property
    def wound_toughness(self) -> int:
        """The Toughness wound rolls are made against.

        >>> squad = [ModelGroup(models=2, toughness=4, wounds=2), ModelGroup(toughness=5, wounds=4)]
        >>> unit = MixedDefender(groups=squad)
        >>> unit.wound_toughness, unit.model_copy(update={"toughness": "majority"}).wound_toughness
        (5, 4)
        """
        counted: Counter[int] = Counter()
        for at in self.bodyguards:
            counted[self.groups[at].toughness] += self.groups[at].models
        if self.toughness == "highest":
            return max(counted)
        return max(counted, key=lambda toughness: (counted[toughness], toughness))

    def facing(self, at: int) -> Defender:
        """A group as the defender its saves and damage are worked out for; its number is the whole unit's."""
        group = self.groups[at]
        own = ("save", "invulnerable", "wounds", "feel_no_pain", "feel_no_pain_mortal", "damage_reduction")
        return self._with(**{name: getattr(group, name) for name in own}, halve_damage=group.halve_damage)

    @property
    def unprotected(self) -> Defender:
        """The unit as it is hit and wounded: nothing is saved or ignored yet."""
        return self._with(save=10, wounds=1, save_modifier=0, reroll_saves="none")

    def _with(self, **values: Any) -> Defender:
        shared = ("damage_minimum", "hit_modifier", "wound_modifier", "cover", "stealth", "monster_vehicle",
                  "save_modifier", "reroll_saves")  # fmt: skip
        unit = {name: getattr(self, name) for name in shared}
        return Defender(models=self.models, toughness=self.wound_toughness, **{**unit, **values})


class MixedInput(Document):
    """Weapons fired in this order into a unit of different models."""

    weapons: tuple[Weapon, ...] = Field((), max_length=40)
    defender: MixedDefender
    rules: Annotated[Rules, BeforeValidator(lambda value: {} if value is None else value)] = Rules()


@dataclass(frozen=True)
class Salvo:
    """One weapon line against every group."""

    weapon: Weapon
    unit: MixedDefender
    rules: Rules

    @lazy
    def against(self) -> tuple[Stages, ...]:
        """The tables for each group."""
        return tuple(Stages(self.weapon, self.unit.facing(at), self.rules) for at in range(len(self.unit.groups)))

    @lazy
    def volley(self) -> Volley:
        """Hits and wounds, nothing saved. Lethal Hits, where it is a choice, as it pays on the first bodyguards."""
        first = self.against[self.unit.bodyguards[0]]
        choice = "always" if first.lethal else "never"
        weapon = self.weapon.model_copy(update={"lethal_choice": choice})
        return Volley(Stages(weapon, self.unit.unprotected, self.rules))

    @property
    def rolls(self) -> bool:
        return self.volley.rolls

    @property
    def mortal_wounds(self) -> Pmf:
        return self.volley.mortal_wounds

    @property
    def joint(self) -> Array:
        return self.volley.joint

    @lazy
    def at_first_guards(self) -> Volley:
        """The line as if all models were like the first bodyguards."""
        return Volley(self.against[self.unit.bodyguards[0]])

    @lazy
    def pending(self) -> Pending | None:
        """What waits: a strike of known damage per group, or spilling wounds before Feel No Pain."""
        if not self.volley.leaves_pending:
            return None
        stages = self.volley.stages
        if stages.devastating and stages.spills:
            return Pending(None, self.against[self.unit.bodyguards[0]].dealt.convolve(stages.extra_mortals))
        strikes = (self.weapon.precision, tuple(one.devastating_damage for one in self.against))
        return Pending(strikes if stages.devastating else None, stages.extra_mortals)

    @lazy
    def saves(self) -> tuple[DieTable, ...]:
        return tuple(one.save for one in self.against)

    @lazy
    def struck(self) -> Array:
        """What a wound does to each group, its save included."""
        parts = [
            Pmf.mix(((one.unsaved_chance, one.damage), (1.0 - one.unsaved_chance, Pmf.point(0))))
            for one in self.against
        ]
        return _table(parts)

    def bands(self) -> tuple[Array, Array]:
        """Chance of each band of save faces from the lowest, and what a die of it does to each group.

        A band is the faces below one group's save and not below the next better one. Rerolls are made against the
        save of the first bodyguards.
        """
        needs = [table.need for table in self.saves]
        first = self.saves[self.unit.bodyguards[0]]
        faces = _faces(first)
        edges = sorted(set(needs))
        chances, damage, low = [], [], 1
        for edge in edges:
            chances.append(float(faces[low:edge].sum()))
            hurt = [one.damage if need > low else Pmf.point(0) for one, need in zip(self.against, needs, strict=True)]
            damage.append(hurt)
            low = edge
        longest = max(pmf.high for row in damage for pmf in row)
        return np.array(chances), np.array([_table(row, longest) for row in damage])

    @property
    def saves_alike(self) -> bool:
        """Every group saves on the same roll, so it does not matter which die is whose."""
        return len({table.need for table in self.saves}) == 1


def _faces(table: DieTable) -> Array:
    """Chances of the faces 0–6 of a save after its rerolls."""
    chances = np.zeros(8)
    for face, again in enumerate(table.rerolled, 1):
        if again:
            chances[1:7] += 1 / 36
        else:
            chances[face] += 1 / 6
    return chances


def _table(parts: list[Pmf], longest: int | None = None) -> Array:
    """Distributions as rows from 0 upwards, all of one length."""
    size = max(pmf.high for pmf in parts) if longest is None else longest
    rows = np.zeros((len(parts), size + 1))
    for row, pmf in zip(rows, parts, strict=True):
        row[pmf.low : pmf.high + 1] = pmf.p
    return rows


class _MixedUnderFire(UnderFire[Salvo]):
    """A unit of different models while weapons fire, its groups in one order."""

    def __init__(self, space: Space, unit: MixedDefender, order: tuple[int, ...], most_spilling: int) -> None:
        super().__init__(space.size, most_spilling)
        guards, leaders = list(order), list(unit.leaders)
        self.usual = space.order([guards, leaders])
        self.precise = space.order([leaders, guards])
        self.felt = _felt(unit)

    def strike(self, rows: Array, kind: tuple[bool, tuple[Pmf, ...]]) -> Array:
        precision, damage = kind
        order = self.precise if precision else self.usual
        return strike_group(rows, _table(list(damage)), order.group, order.left, order.step)

    def spill(self, rows: Array, wounds: Array) -> Array:
        order = self.usual
        return spill_on_groups(rows, wounds, self.felt, order.group, order.left, order.step)

    def land(self, one: Salvo, joint: Array) -> Array:
        return _landed(self.rows, joint, one, self.precise if one.weapon.precision else self.usual)


def _landed(rows: Array, joint: Array, one: Salvo, order: Order) -> Array:
    where = (order.group, order.left, order.step)
    if one.saves_alike or not one.volley.stages.edition.saves_lowest_first:
        return volley_on_groups(rows, joint, one.struck, *where)
    chances, damage = one.bands()
    return volley_lowest_first(rows, joint, _stays(chances, len(joint)), damage, *where)


def _stays(chances: Array, dice: int) -> Array:
    """stays[b, n, r]: of n dice not below band b, the chance that r are above it."""
    table = np.zeros((len(chances), dice, dice))
    not_below = 1.0
    for band, chance in enumerate(chances):
        above = max(0.0, 1.0 - chance / not_below) if not_below > 0 else 0.0
        row = np.ones(1)
        for n in range(dice):
            table[band, n, : n + 1] = row
            row = np.convolve(row, (1.0 - above, above))
        not_below -= chance
    return table


@dataclass(frozen=True)
class MixedOutcome:
    """Everything about one attack on a unit of different models."""

    request: MixedInput
    salvos: tuple[Salvo, ...]
    order: tuple[int, ...]
    space: Space
    states: Array

    @property
    def unit(self) -> MixedDefender:
        return self.request.defender

    @property
    def defender(self) -> MixedDefender:
        return self.request.defender

    @property
    def volleys(self) -> tuple[Volley, ...]:
        return tuple(salvo.volley for salvo in self.salvos)

    @property
    def at_first_guards(self) -> tuple[Volley, ...]:
        """The weapon lines as if all models were like the first bodyguards."""
        return tuple(salvo.at_first_guards for salvo in self.salvos)

    @lazy
    def attacks(self) -> Pmf:
        return self._sum("attacks")

    def _of(self, values: Any) -> Pmf:
        counted = np.bincount(values, weights=self.states)
        return Pmf(counted / counted.sum())

    @lazy
    def damage(self) -> Pmf:
        return self._of(self.space.lost.sum(axis=0))

    @lazy
    def destroyed(self) -> Pmf:
        return self._of(self.space.removed.sum(axis=0))

    def destroyed_of(self, at: int) -> Pmf:
        """Models one group loses."""
        return self._of(self.space.removed[at])

    @lazy
    def p_wiped(self) -> float:
        return float(self.states[-1])

    @lazy
    def points_lost(self) -> float:
        """Expected points of the models removed."""
        return self.loss if any(group.points for group in self.unit.groups) else 0.0

    @lazy
    def loss(self) -> float:
        """What the defender keeps small: points of the models removed, or their number."""
        return float(self.states @ (worth_of_models(self.unit) @ self.space.removed))

    @lazy
    def hits(self) -> Pmf:
        return self._sum("hits")

    @lazy
    def wounds(self) -> Pmf:
        return self._sum("wounds")

    def _sum(self, stage: str) -> Pmf:
        total = Pmf.point(0)
        for salvo in self.salvos:
            total = total.convolve(getattr(salvo.volley, stage))
        return total


def worth_of_models(unit: MixedDefender) -> Array:
    """What one model of each group is worth: its points, or 1 each where nobody has any."""
    points = [group.points for group in unit.groups]
    return np.array(points if any(points) else [1.0] * len(points))


def resolve_mixed(request: MixedInput) -> MixedOutcome:
    """Every weapon in order into the unit.

    >>> boyz = ModelGroup(models=9, toughness=5, save=5, wounds=1)
    >>> nob = ModelGroup(toughness=5, save=4, wounds=2)
    >>> gun = Weapon(attacks="12", skill=3, strength=5, damage="1")
    >>> outcome = resolve_mixed(MixedInput(weapons=(gun,), defender=MixedDefender(groups=(boyz, nob))))
    >>> outcome.order, round(outcome.destroyed.mean, 4)
    ((1, 0), 1.2767)
    """
    unit = request.defender
    space = Space(
        tuple(group.models for group in unit.groups),
        tuple(group.wounds for group in unit.groups),
        tuple(group.wounds_already_lost for group in unit.groups),
    )
    salvos = tuple(Salvo(weapon, unit, request.rules) for weapon in request.weapons)
    adaptive = unit.order == "adaptive" and not EDITIONS[request.rules.edition].saves_lowest_first
    if adaptive and len(unit.groups) > 1:
        return MixedOutcome(request, salvos, (), space, _chosen(salvos, unit, space))
    orders = list(_orders(unit))
    _check_size(salvos, space, len(orders))
    tried = (_under(request, salvos, space, order) for order in orders)
    best = next(tried)
    for outcome in tried:
        if outcome.loss < best.loss - 1e-12:
            best = outcome
    return best


def _orders(unit: MixedDefender) -> Iterator[tuple[int, ...]]:
    """The orders of bodyguard groups to try, the listed one first."""
    guards = unit.bodyguards
    if unit.order == "listed" or len(guards) == 1:
        yield guards
        return
    if len(guards) > 5:
        refuse(
            f"The best order is found for 5 groups of bodyguards at most; this unit has {len(guards)}. "
            "Put similar models together, or use the listed order.",
            field="defender.groups",
            constraint="size",
            expected=MOST_ORDERS,
            actual=len(guards),
        )
    yield from permutations(guards)


def _under(request: MixedInput, salvos: tuple[Salvo, ...], space: Space, order: tuple[int, ...]) -> MixedOutcome:
    under_fire = _MixedUnderFire(space, request.defender, order, _most_spilling(salvos, request.defender, space))
    for salvo in salvos:
        under_fire.take(salvo)
    return MixedOutcome(request, salvos, order, space, under_fire.settle())


def _chosen(salvos: tuple[Salvo, ...], unit: MixedDefender, space: Space) -> Array:
    """The states of the unit once the defender has made the best of every choice."""
    wounding = [
        Wounding(salvo.joint, salvo.struck, salvo.weapon.precision, _waiting(salvo)) for salvo in salvos if salvo.rolls
    ]
    mortals = Pmf.point(0)
    for salvo in salvos:
        mortals = mortals.convolve(salvo.mortal_wounds)
    loss = worth_of_models(unit) @ space.removed
    attack = Attack(tuple(wounding), mortals, _felt(unit), _most_spilling(salvos, unit, space))
    return least_loss(space, Ranks(unit.bodyguards, unit.leaders), attack, loss)


def _waiting(salvo: Salvo) -> Waiting | None:
    kind = salvo.pending
    if kind is None:
        return None
    strikes = None if kind.strike is None else _table([one.devastating_damage for one in salvo.against])
    return Waiting(strikes, kind.mortals)


def _felt(unit: MixedDefender) -> Array:
    """The chance that a model of each group feels a mortal wound."""
    views = [unit.facing(at) for at in range(len(unit.groups))]
    return np.array([1.0 - ignore_chance(mortal_feel_no_pain(view)) for view in views])


def _most_spilling(salvos: tuple[Salvo, ...], unit: MixedDefender, space: Space) -> int:
    """Spilling wounds worth counting: the unit's wounds, or all there can be where some may be ignored."""
    total = sum(length - 1 for length in space.lengths)
    if not any(group.feel_no_pain or group.feel_no_pain_mortal for group in unit.groups):
        return total
    return max([total, *(salvo.volley.unsaved_bound * salvo.pending.mortals.high for salvo in salvos if salvo.pending)])


def _check_size(salvos: tuple[Salvo, ...], space: Space, orders: int) -> None:
    """Refuse what would take too long, before starting."""
    volleys = tuple(salvo.volley for salvo in salvos)
    work, largest = allocation_size(volleys, space.size, max(space.wounds))
    for salvo in salvos:
        if salvo.rolls and not salvo.saves_alike and salvo.volley.stages.edition.saves_lowest_first:
            work += 3.0 * salvo.volley.unsaved_bound**2 * space.size
    refuse_large(work * orders, largest, "Use fewer attacks, fewer groups or the listed order.")

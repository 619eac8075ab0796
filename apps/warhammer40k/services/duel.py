"""Two armies: every unit against every other, both ways, exactly.

A cell is one unit's whole attack on another: all its weapons of the phase, leaders included, into a unit of different
models (``engine.warhammer40k.mixed``). Who uses what:

- of a weapon with several modes, the one that deals more damage on average to this target;
- pistols only where a model has no other gun, except on Monsters and Vehicles;
- one melee weapon a model, the better ones first, and Extra Attacks beside it.

Cells are kept in the shared cache by what they depend on and nothing else, so changing one unit recounts its row and
its column only.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, NamedTuple

from django.core.cache import cache

from apps.core import charts
from apps.warhammer40k import armies, switches
from apps.warhammer40k.forms import WeaponFields
from apps.warhammer40k.services.answers import group_row, order_in_words
from apps.warhammer40k.services.sheet import weapons_of
from engine.warhammer40k.attack import Volley
from engine.warhammer40k.mixed import MixedDefender, MixedInput, MixedOutcome, ModelGroup, resolve_mixed
from engine.warhammer40k.profile import Defender, Rules, Weapon
from engine.warhammer40k.stages import Stages
from engine.wire import EngineError

Phase = Literal["shoot", "fight"]
PHASES: dict[str, str] = {"shoot": "Shooting", "fight": "Fighting"}
#: Changes when an answer would: cells of older versions are not read.
VERSION = 1
KEPT_FOR = 7 * 24 * 3600
MOST_WEAPONS = 40
MOST_COPIES = 12
#: The best order of bodyguards is looked for among so many groups; beyond it the listed one stands.
ORDERED_GROUPS = 4
LINE_DEFAULTS = {name: field.initial for name, field in WeaponFields.base_fields.items()} | {"abilities": []}


class Cell(NamedTuple):
    """What one unit does to another on average, and the chance that nothing is left of it."""

    models: float
    of_models: int
    wounds: float
    of_wounds: int
    points: float
    wiped: float


@dataclass(frozen=True)
class Fighter:
    """A unit of one army with the leaders that have joined it, and what is switched on for it."""

    side: str
    place: int
    parts: tuple[Mapping[str, Any], ...]
    switched: tuple[str, ...]

    @property
    def name(self) -> str:
        return " + ".join(str(part["name"]) for part in self.parts)

    @property
    def points(self) -> int:
        return sum(part["points"] for part in self.parts)

    @cached_property
    def fingerprint(self) -> str:
        """Everything of it that an answer depends on."""
        told = [
            {name: part[name] for name in ("points", "groups", "keywords", "traits", "weapons")} for part in self.parts
        ]
        return json.dumps([told, self.switched], sort_keys=True)

    @cached_property
    def keywords(self) -> frozenset[str]:
        return frozenset(word for part in self.parts for word in part["keywords"])

    @cached_property
    def unit(self) -> MixedDefender:
        """As a target."""
        groups = tuple(group for at, part in enumerate(self.parts) for group in self._groups(part, leader=at > 0))
        body = self.parts[0]["keywords"]
        values = switches.changed(
            {
                "cover": False,
                "stealth": all("stealth" in part["traits"] for part in self.parts),
                "hit_modifier": 0,
                "wound_modifier": 0,
                "save_modifier": 0,
            },
            self.switched,
            "defence",
        )
        guards = sum(not group.leader for group in groups)
        return MixedDefender(
            name=self.name,
            groups=groups,
            order="best" if guards <= ORDERED_GROUPS else "listed",
            monster_vehicle="monster" in body or "vehicle" in body,
            **values,
        )

    def _groups(self, part: Mapping[str, Any], *, leader: bool) -> Iterator[ModelGroup]:
        total = max(1, armies.models(part))
        for name, models, toughness, save, wounds, invulnerable, pain in part["groups"]:
            values = switches.changed(
                {"invulnerable": invulnerable, "feel_no_pain": pain, "damage_reduction": 0, "halve_damage": False},
                self.switched,
                "defence",
            )
            yield ModelGroup(
                name=name,
                models=models,
                toughness=toughness,
                save=save,
                wounds=wounds,
                points=part["points"] / total,
                leader=leader,
                **values,
            )

    def weapons(self, target: Fighter, phase: Phase, edition: str) -> list[Weapon]:
        """Everything it uses against a target in a phase."""
        used: list[Weapon] = []
        for part in self.parts:
            used += _Armament(part, self.switched, target, phase == "fight", edition).used()
        return used[:MOST_WEAPONS]


@dataclass(frozen=True)
class _Armament:
    """The weapons of one part of a unit against one target."""

    part: Mapping[str, Any]
    switched: tuple[str, ...]
    target: Fighter
    melee: bool
    edition: str

    def used(self) -> list[Weapon]:
        chosen = [pair for weapon in self.part["weapons"] if weapon["count"] and (pair := self._best_mode(weapon))]
        if self.melee:
            return [*self._one_each(chosen), *(w for w, also in chosen if "Extra Attacks" in also)]
        return self._without_idle_pistols(chosen)

    def _best_mode(self, weapon: Mapping[str, Any]) -> tuple[Weapon, Sequence[str]] | None:
        modes = [mode for mode in weapon["modes"] if ("melee" in mode["values"].get("abilities", ())) == self.melee]
        made = [(self._made(mode, weapon["count"]), mode["also"]) for mode in modes]
        return max(made, key=lambda pair: self._worth(pair[0])) if len(made) > 1 else next(iter(made), None)

    def _made(self, mode: Mapping[str, Any], count: int) -> Weapon:
        line = {**LINE_DEFAULTS, **mode["values"], "name": mode["name"], "count": count}
        values = weapons_of(line, (), tuple(self.target.keywords))[0].model_dump(by_alias=False)
        values = switches.changed(values, self.switched, "attack")
        return Weapon(**{**values, "precision": values["precision"] or "Precision" in mode["also"]})

    def _worth(self, weapon: Weapon) -> float:
        """Mean damage of one of them, whatever the models in front can take."""
        one = weapon.model_copy(update={"count": 1})
        return Volley(Stages(one, self._facing, Rules(edition=self.edition))).raw_damage.mean

    @cached_property
    def _facing(self) -> Defender:
        return self.target.unit.facing(self.target.unit.bodyguards[0])

    @property
    def _models(self) -> int:
        return armies.models(self.part)

    def _one_each(self, chosen: list[tuple[Weapon, Sequence[str]]]) -> list[Weapon]:
        """A model fights with one weapon: the better ones first, until everybody has one."""
        weapons = [weapon for weapon, also in chosen if "Extra Attacks" not in also]
        if sum(weapon.count for weapon in weapons) <= self._models:
            return weapons
        free, used = self._models, []
        for weapon in sorted(weapons, key=self._worth, reverse=True):
            taken = min(free, weapon.count)
            if taken:
                used.append(weapon.model_copy(update={"count": taken}))
            free -= taken
        return used

    def _without_idle_pistols(self, chosen: list[tuple[Weapon, Sequence[str]]]) -> list[Weapon]:
        """A model with another gun leaves its pistol alone; Monsters and Vehicles fire everything."""
        if {"monster", "vehicle"} & set(self.part["keywords"]):
            return [weapon for weapon, _ in chosen]
        guns = [weapon for weapon, also in chosen if "Pistol" not in also]
        free = max(0, self._models - sum(weapon.count for weapon in guns))
        for weapon, also in chosen:
            if "Pistol" in also and free:
                guns.append(weapon.model_copy(update={"count": min(free, weapon.count)}))
                free -= min(free, weapon.count)
        return guns


def warm_up() -> None:
    """Compile the loops of units of different models, in both editions."""
    guards = ModelGroup(models=2, toughness=4, save=4, wounds=2)
    leader = ModelGroup(toughness=4, save=3, wounds=3, leader=True)
    gun = Weapon(attacks="2", skill=3, strength=4, ap=1, damage="D3", devastating_wounds=True, precision=True)
    bomb = Weapon(type="mortal", mortal_wounds="1")
    for edition in ("tenth", "eleventh"):
        unit = MixedDefender(groups=(guards, leader))
        resolve_mixed(MixedInput(weapons=(gun, bomb), defender=unit, rules=Rules(edition=edition)))


# -- One cell -------------------------------------------------------------------------------------------------------


def resolved(
    attackers: Sequence[Fighter], target: Fighter, phase: Phase, edition: str, copies: int = 1
) -> MixedOutcome | None:
    """Units one after another into a target; None where nobody has a weapon for that."""
    weapons = [weapon for one in attackers for weapon in one.weapons(target, phase, edition)]
    if copies > 1:
        weapons = [weapon.model_copy(update={"count": weapon.count * copies}) for weapon in weapons]
    if not weapons:
        return None
    request = MixedInput(weapons=tuple(weapons[:MOST_WEAPONS]), defender=target.unit, rules=Rules(edition=edition))
    try:
        return resolve_mixed(request)
    except EngineError:
        if target.unit.order == "listed":
            raise
        listed = request.defender.model_copy(update={"order": "listed"})
        return resolve_mixed(request.model_copy(update={"defender": listed}))


def cell_of(outcome: MixedOutcome | None, target: Fighter) -> Cell:
    unit = target.unit
    total = sum(group.models * group.wounds for group in unit.groups)
    if outcome is None:
        return Cell(0.0, unit.models, 0.0, total, 0.0, 0.0)
    return Cell(outcome.destroyed.mean, unit.models, outcome.damage.mean, total, outcome.points_lost, outcome.p_wiped)


def answer_of(outcome: MixedOutcome, target: Fighter) -> dict[str, Any]:
    """One cell in the parts a page shows: sentence, groups, distribution, chart."""
    models, destroyed = target.unit.models, outcome.destroyed
    return {
        "mean": destroyed.mean,
        "models": models,
        "mode": destroyed.mode,
        "wiped": outcome.p_wiped,
        "wounds": outcome.damage.mean,
        "of_wounds": sum(group.models * group.wounds for group in target.unit.groups),
        "points": outcome.points_lost,
        "hits": outcome.hits.mean,
        "wounded": outcome.wounds.mean,
        "toughness": target.unit.wound_toughness,
        "order_words": order_in_words(outcome),
        "groups": [group_row(outcome, at) for at in range(len(target.unit.groups))],
        "rows": [(n, destroyed.exactly(n), destroyed.at_least(n)) for n in range(models + 1)],
        "figure": charts.distribution([("Models", destroyed.low, destroyed.p.tolist())], axis="Models destroyed"),
        "weapons": [
            {"name": salvo.weapon.name, "count": salvo.weapon.count, "hits": salvo.volley.hits.mean,
             "wounds": salvo.volley.wounds.mean}
            for salvo in outcome.salvos
        ],
    }  # fmt: skip


# -- All of them ----------------------------------------------------------------------------------------------------


class Pair(NamedTuple):
    """A cell's place: whose attack, and the places among the units that fight for themselves."""

    side: str
    attacker: int
    target: int


@dataclass(frozen=True)
class Duel:
    """Two armies, the phase, the edition and what is switched on."""

    a: Mapping[str, Any]
    b: Mapping[str, Any]
    phase: Phase = "shoot"
    on: tuple[str, ...] = ()

    @property
    def edition(self) -> str:
        return str(self.a["edition"])

    @cached_property
    def fighters(self) -> dict[str, list[Fighter]]:
        return {side: list(self._fighters(side, document)) for side, document in (("a", self.a), ("b", self.b))}

    def _fighters(self, side: str, document: Mapping[str, Any]) -> Iterator[Fighter]:
        for at in armies.fielded(dict(document)):
            unit = document["units"][at]
            if unit["groups"]:
                parts = (unit, *(one for one in armies.led_by(dict(document), at) if one["groups"]))
                yield Fighter(side, at, parts, tuple(switches.chosen(self.on, side, at + 1)))

    def pairs(self) -> list[Pair]:
        """Every cell, row by row: first army A's attacks, then B's."""
        sizes = {side: len(units) for side, units in self.fighters.items()}
        return [
            Pair(side, attacker, target)
            for side, other in (("a", "b"), ("b", "a"))
            for attacker in range(sizes[side])
            for target in range(sizes[other])
        ]

    def attacker(self, pair: Pair) -> Fighter:
        return self.fighters[pair.side][pair.attacker]

    def target(self, pair: Pair) -> Fighter:
        return self.fighters["b" if pair.side == "a" else "a"][pair.target]

    def key(self, pair: Pair) -> str:
        """Where the cell is kept: by everything it depends on."""
        told = (self.attacker(pair).fingerprint, self.target(pair).fingerprint, self.phase, self.edition)
        return f"w40k-duel-{VERSION}:{hashlib.sha256(repr(told).encode()).hexdigest()[:32]}"

    def counted(self) -> dict[Pair, Cell]:
        """The cells that are there already."""
        keys = {self.key(pair): pair for pair in self.pairs()}
        # Two pairs of equal units share a key.
        found = cache.get_many(keys)
        return {pair: Cell(*found[key]) for pair in self.pairs() if (key := self.key(pair)) in found}

    def count(self, pairs: Iterable[Pair]) -> Iterator[tuple[Pair, Cell]]:
        """Work cells out and keep them, one after another."""
        for pair in pairs:
            target = self.target(pair)
            cell = cell_of(resolved([self.attacker(pair)], target, self.phase, self.edition), target)
            cache.set(self.key(pair), list(cell), KEPT_FOR)
            yield pair, cell


def duel_of(document: Mapping[str, Any]) -> Duel | None:
    """The duel a job or an address describes: keys of two armies, phase, switches."""
    a, b = armies.find(str(document.get("a", ""))), armies.find(str(document.get("b", "")))
    if a is None or b is None:
        return None
    phase: Phase = "fight" if document.get("phase") == "fight" else "shoot"
    return Duel(a.document, b.document, phase, tuple(switches.known(document.get("on", ()))))


# -- Questions about several units ------------------------------------------------------------------------------------


class Step(NamedTuple):
    """The target once one more unit has attacked it."""

    name: str
    cell: Cell


def in_order(duel: Duel, attackers: Sequence[Fighter], target: Fighter) -> list[Step]:
    """Several units into one target, one after another: how it stands after each."""
    return [
        Step(one.name, cell_of(resolved(attackers[: at + 1], target, duel.phase, duel.edition), target))
        for at, one in enumerate(attackers)
    ]


def copies_needed(duel: Duel, attacker: Fighter, target: Fighter, level: float) -> int | None:
    """How many such units it takes to destroy the target with this chance; None beyond the most that are tried."""
    for copies in range(1, MOST_COPIES + 1):
        outcome = resolved([attacker], target, duel.phase, duel.edition, copies)
        if outcome is None:
            return None
        if outcome.p_wiped >= level:
            return copies
    return None


@dataclass(frozen=True)
class Plan:
    """Who attacks whom: for each attacker the place of its target, and the points that takes on average."""

    targets: tuple[int, ...]
    points: float


def best_plan(duel: Duel, side: str = "a") -> Plan:
    """The use of every unit that takes most points.

    Points of several units into one target are worked out together, exactly. Units are given targets one at a time,
    each time where most is gained; then single units change their target for as long as that helps.
    """
    attackers = duel.fighters[side]
    targets = duel.fighters["b" if side == "a" else "a"]
    known: dict[tuple[int, frozenset[int]], float] = {}

    def taken(target: int, by: frozenset[int]) -> float:
        if (target, by) not in known:
            group = [attackers[at] for at in sorted(by)]
            outcome = resolved(group, targets[target], duel.phase, duel.edition) if group else None
            known[target, by] = outcome.points_lost if outcome else 0.0
        return known[target, by]

    sent: list[set[int]] = [set() for _ in targets]

    def gain(attacker: int, target: int) -> float:
        now = frozenset(sent[target])
        return taken(target, now | {attacker}) - taken(target, now)

    left, chosen = set(range(len(attackers))), [0] * len(attackers)
    while left and targets:
        attacker, target = max(((a, t) for a in left for t in range(len(targets))), key=lambda pair: gain(*pair))
        sent[target].add(attacker)
        chosen[attacker] = target
        left.discard(attacker)
    improved = bool(targets)
    while improved:
        improved = False
        for attacker in range(len(attackers)):
            here = chosen[attacker]
            sent[here].discard(attacker)
            best = max(range(len(targets)), key=lambda target: (gain(attacker, target), target == here))
            if best != here and gain(attacker, best) > gain(attacker, here) + 1e-9:
                chosen[attacker], improved = best, True
            sent[chosen[attacker]].add(attacker)
    return Plan(tuple(chosen), sum(taken(at, frozenset(by)) for at, by in enumerate(sent)))

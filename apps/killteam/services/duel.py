"""Roster against roster: every shot and every fight, exactly, with the best weapon in each cell.

A shot uses the weapon with the highest chance to kill. In a fight whoever attacks chooses its weapon first and the
other one answers with its best; both then play perfectly. Switches of a team or of one operative change the profiles
before anything is counted (:mod:`.switches`). What is counted is kept in the cache under everything it depends on.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

from django.core.cache import cache

from apps.jobs import parts
from apps.jobs.registry import Progress
from apps.killteam import notation, rosters
from apps.killteam.notation import Line
from apps.killteam.options import Switch, by_key
from apps.killteam.services import switches as working
from apps.killteam.services.measures import FIGHTS, SHOTS, Measure
from engine.killteam.fight import Budget, Outcome, Plan
from engine.killteam.fight.matrix import LAYING_OUT
from engine.killteam.profile import Attacker, Defender, Fighter, FightOptions, Strategy
from engine.killteam.shoot import Shot, shoot
from engine.wire import refuse

PHASES = {"shoot": "Shooting", "fight": "Fighting"}
OTHER = {"a": "b", "b": "a"}
VERSION = 1  # of what is in the cache: raise it when the same duel would be counted differently
KEPT_FOR = 7 * 24 * 3600
ROWS = "killteam.duel_row"
AT_ONCE = 1.0  # predicted seconds of fights that a page may take; longer ones are a job
LONGEST = 25 * 60.0
BUDGET = Budget(seconds=LONGEST, chance_seconds=LONGEST)
PERFECT = FightOptions(strategy1=Strategy.OPTIMAL, strategy2=Strategy.OPTIMAL)


class ShotCell(NamedTuple):
    """The best shot of one operative at another."""

    kill: float
    damage: float
    left: float
    weapon: str


class FightCell(NamedTuple):
    """A fight that one operative starts with another. ``charge`` is what striking first is worth, in points."""

    kill: float
    die: float
    live: float
    traded: float
    charge: float
    weapon: str
    reply: str


Cell = ShotCell | FightCell
#: Cells by attacker and target; None where the attacker has no weapon for it.
Grid = list[list[Cell | None]]
MEASURES: dict[str, dict[str, Measure]] = {
    "shoot": SHOTS,
    "fight": {key: measure for key, measure in FIGHTS.items() if key != "least"},
}


@dataclass(frozen=True)
class Combatant:
    """An operative of one side, as it takes the field."""

    side: str
    place: int
    entry: Mapping[str, Any]
    on: tuple[Switch, ...] = ()

    @property
    def name(self) -> str:
        return str(self.entry["name"])

    @cached_property
    def line(self) -> Line:
        figures = {"num_dice": self.entry["dice"], "dice_stat": self.entry["save"], "wounds": self.entry["wounds"]}
        return Line(self.name, figures, tuple(self.entry["rules"]))

    @cached_property
    def defender(self) -> Defender:
        return Defender(**notation.read_target(self.line).values)

    @cached_property
    def attackers(self) -> list[tuple[Line, Attacker]]:
        """Its ranged weapons."""
        lines = [rosters.line_of(weapon) for weapon in rosters.armed(self.entry, "ranged")]
        return [(line, Attacker(**notation.read_weapon(line, "shoot").values)) for line in lines]

    @cached_property
    def fighters(self) -> list[tuple[Line, Fighter]]:
        """Its melee weapons in its hands."""
        lines = [rosters.line_of(weapon) for weapon in rosters.armed(self.entry, "melee")]
        return [(line, Fighter(**notation.read_armed(line, self.line))) for line in lines]

    @property
    def bare(self) -> tuple[Line, Fighter]:
        """Without a melee weapon it is fought, and cannot fight."""
        values = notation.read_target(self.line).values
        skin = {name: values[name] for name in ("wounds", "fnp", "fnp_mode") if name in values}
        return Line("nothing", {}), Fighter(**skin)

    @property
    def answers(self) -> list[tuple[Line, Fighter]]:
        """What it may fight back with."""
        return self.fighters or [self.bare]


class Bout(NamedTuple):
    """One pair of weapons: the outcomes when either of the two strikes first. Fighter 1 is of roster A."""

    first: Outcome
    second: Outcome


@dataclass(frozen=True)
class Duel:
    """Two rosters and what is switched on: ``a.in-cover`` for a whole roster, ``b3.…`` for its third operative."""

    a: Mapping[str, Any]
    b: Mapping[str, Any]
    on: tuple[str, ...] = ()

    @cached_property
    def sides(self) -> dict[str, list[Combatant]]:
        return {
            side: [
                Combatant(side, at, entry, tuple(_chosen(self.on, side, at + 1)))
                for at, entry in enumerate(document["operatives"])
            ]
            for side, document in (("a", self.a), ("b", self.b))
        }

    def key(self, phase: str) -> str:
        """Where the cells are kept: by everything they depend on."""
        words = sorted(self.on)
        told = [VERSION, phase, self.a["operatives"], self.b["operatives"], words]
        return f"killteam-duel:{hashlib.sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()[:32]}"

    # -- Shots ------------------------------------------------------------------------------------------------------

    def shots(self, attacker: Combatant, target: Combatant) -> list[tuple[Line, Shot]]:
        """Every ranged weapon of one at another."""
        found = []
        for line, weapon in attacker.attackers:
            sides = working.shot(weapon, target.defender, attackers=attacker.on, defenders=target.on, weapon=line.name)
            found.append((line, self._shot(*sides)))
        return found

    @cached_property
    def _known_shots(self) -> dict[tuple[Attacker, Defender], Shot]:
        return {}

    def _shot(self, attacker: Attacker, defender: Defender) -> Shot:
        """Operatives that differ in nothing are shot at once."""
        known = self._known_shots
        if (attacker, defender) not in known:
            known[attacker, defender] = shoot(attacker, defender)
        return known[attacker, defender]

    def shot_cell(self, attacker: Combatant, target: Combatant) -> ShotCell | None:
        shots = self.shots(attacker, target)
        if not shots:
            return None
        line, shot = max(shots, key=lambda pair: (round(pair[1].p_kill, 12), pair[1].damage.mean))
        return ShotCell(shot.p_kill, shot.damage.mean, shot.wounds_left, line.name)

    # -- Fights -----------------------------------------------------------------------------------------------------

    def prepared(self, own: tuple[Line, Fighter], foe: tuple[Line, Fighter], one: Combatant, two: Combatant,
                 first: int) -> tuple[Fighter, Fighter, FightOptions]:  # fmt: skip
        """Two fighters with the switches of both; ``first`` strikes first unless a switch says otherwise."""
        options = PERFECT.model_copy(update={"first_fighter": first})
        return working.fight((own[1], foe[1]), (one.on, two.on), options, (own[0].name, foe[0].name))

    def _pairs(self, one: Combatant, two: Combatant) -> Iterator[tuple[Fighter, Fighter, FightOptions]]:
        """Every fight that two operatives may have, either striking first."""
        for own in one.answers:
            for foe in two.answers:
                for first in (1, 2):
                    yield self.prepared(own, foe, one, two, first)

    def bouts(self, one: Combatant, two: Combatant) -> dict[tuple[str, str], Bout]:
        """The fights of two operatives, by the names of their weapons. ``one`` is of roster A."""
        return {
            (own[0].name, foe[0].name): Bout(
                *(self.fought(*self.prepared(own, foe, one, two, first)) for first in (1, 2))
            )
            for own in one.answers
            for foe in two.answers
        }

    def fought(self, one: Fighter, two: Fighter, options: FightOptions) -> Outcome:
        """Operatives that differ in nothing are fought once."""
        return _fought(one, two, options)

    def fight_cells(self, one: Combatant, two: Combatant) -> tuple[FightCell | None, FightCell | None]:
        """A starts, B starts; None for an operative that has nothing to fight with."""
        bouts = self.bouts(one, two)
        started = _chosen_weapons({names: _told(bout.first) for names, bout in bouts.items()})
        turned = {names[::-1]: _turned(_told(bout.second)) for names, bout in bouts.items()}
        waited = _chosen_weapons(turned)
        wounds = one.entry["wounds"], two.entry["wounds"]
        gain_a = started[1].win + waited[1].win
        cells = (_fight_cell(*started, wounds, gain_a), _fight_cell(*waited, wounds[::-1], gain_a))
        return cells[0] if one.fighters else None, cells[1] if two.fighters else None

    def seconds(self) -> float:
        """About how long all fights take on one core. Raises what the engine refuses."""
        plans: dict[tuple[Fighter, Fighter, int], float] = {}
        for one in self.sides["a"]:
            for two in self.sides["b"]:
                for first, second, options in self._pairs(one, two):
                    key = first, second, options.first_fighter
                    if key not in plans:
                        plans[key] = LAYING_OUT + Plan(first, second, options, BUDGET).seconds
        return sum(plans.values())

    # -- Grids ------------------------------------------------------------------------------------------------------

    def grids(self, phase: str, *, wait: bool = False) -> dict[str, Grid] | None:
        """The cells of both directions, or None if they are fights that take longer than a page may."""
        known = cache.get(self.key(phase))
        if known is not None:
            return {side: _restored(phase, grid) for side, grid in known.items()}
        if phase == "shoot":
            made = {side: self._shot_grid(side) for side in OTHER}
        elif wait or self.seconds() <= AT_ONCE:
            made = self.fight_grids([self.row(at) for at in range(len(self.sides["a"]))])
        else:
            return None
        self.keep(phase, made)
        return made

    def keep(self, phase: str, grids: Mapping[str, Grid]) -> None:
        plain = {side: [[cell and list(cell) for cell in row] for row in grid] for side, grid in grids.items()}
        cache.set(self.key(phase), plain, KEPT_FOR)

    def _shot_grid(self, side: str) -> Grid:
        return [[self.shot_cell(one, other) for other in self.sides[OTHER[side]]] for one in self.sides[side]]

    def row(self, at: int) -> list[tuple[FightCell | None, FightCell | None]]:
        """All fights of one operative of A."""
        one = self.sides["a"][at]
        return [self.fight_cells(one, two) for two in self.sides["b"]]

    @staticmethod
    def fight_grids(rows: Sequence[Sequence[tuple[FightCell | None, FightCell | None]]]) -> dict[str, Grid]:
        return {
            "a": [[pair[0] for pair in row] for row in rows],
            "b": [[row[at][1] for row in rows] for at in range(len(rows[0]) if rows else 0)],
        }


@lru_cache(maxsize=1024)
def _fought(one: Fighter, two: Fighter, options: FightOptions) -> Outcome:
    """Fights of lately: a page of two operatives fights what the page of their rosters fought."""
    return Plan(one, two, options, BUDGET).solve()


class Told(NamedTuple):
    """An outcome in figures, seen by the one who starts."""

    kill: float
    die: float
    own_left: float
    foe_left: float

    @property
    def win(self) -> float:
        return self.kill - self.die


def _told(outcome: Outcome) -> Told:
    return Told(outcome.p_kill1, outcome.p_kill2, outcome.wounds1.mean, outcome.wounds2.mean)


def _turned(told: Told) -> Told:
    return Told(told.die, told.kill, told.foe_left, told.own_left)


def _chosen_weapons(fights: Mapping[tuple[str, str], Told]) -> tuple[tuple[str, str], Told]:
    """Who starts takes the weapon that is best against the best answer.

    >>> sure, even, bad = Told(1, 0, 5, 0), Told(0.5, 0.5, 2, 2), Told(0.1, 0.8, 1, 4)
    >>> _chosen_weapons({("fist", "axe"): bad, ("fist", "knife"): sure, ("sword", "axe"): even})[0]
    ('sword', 'axe')
    """

    def worth(told: Told) -> tuple[float, float]:
        return round(told.win, 12), told.own_left - told.foe_left

    answers: dict[str, tuple[str, str]] = {}
    for names, told in fights.items():
        best = answers.get(names[0])
        if best is None or worth(told) < worth(fights[best]):
            answers[names[0]] = names
    names = max(answers.values(), key=lambda pair: worth(fights[pair]))
    return names, fights[names]


def _fight_cell(names: tuple[str, str], told: Told, wounds: tuple[int, int], gain: float) -> FightCell:
    taken, lost = wounds[1] - told.foe_left, wounds[0] - told.own_left
    live = max(0.0, 1.0 - told.kill - told.die)
    return FightCell(told.kill, told.die, live, taken - lost, 100 * gain, *names)


def _restored(phase: str, grid: Sequence[Sequence[Any]]) -> Grid:
    kind = ShotCell if phase == "shoot" else FightCell
    return [[cell and kind(*cell) for cell in row] for row in grid]


def _chosen(words: Sequence[str], side: str, place: int) -> Iterator[Switch]:
    """What is on for an operative, by itself or with its whole roster, in the order given."""
    seen = set()
    for word in words:
        where, _, key = word.partition(".")
        switch = by_key(key)
        if where in (side, f"{side}{place}") and switch is not None and key not in seen:
            seen.add(key)
            yield switch


def known(words: Sequence[str]) -> list[str]:
    """Those that name a switch of a side or an operative, each once, in the order given."""
    found = []
    for word in dict.fromkeys(words):
        where, _, key = word.partition(".")
        if where[:1] in OTHER and (where[1:].isdecimal() or not where[1:]) and by_key(key) is not None:
            found.append(word)
    return found


def duel_of(document: Mapping[str, Any]) -> Duel | None:
    """The duel a job or an address describes: keys of two rosters, switches."""
    a, b = rosters.find(str(document.get("a", ""))), rosters.find(str(document.get("b", "")))
    if a is None or b is None:
        return None
    return Duel(a.document, b.document, tuple(known(list(document.get("on", ())))))


# -- The job ----------------------------------------------------------------------------------------------------------


def count(document: dict[str, Any], progress: Progress) -> dict[str, Any]:
    """Fight all fights of two rosters, by as many workers as are free; they go to the cache."""
    duel = _duel(document)
    if duel.seconds() > LONGEST:
        refuse("These fights would take hours: use smaller rosters.", field="a", constraint="seconds")
    rows = parts.shared_out(ROWS, document, len(duel.sides["a"]), progress)
    restored = [[(a and FightCell(*a), b and FightCell(*b)) for a, b in row] for row in rows]
    duel.keep("fight", Duel.fight_grids(restored))
    return {"fights": 2 * len(duel.sides["a"]) * len(duel.sides["b"])}


@parts.part_of_a_job(ROWS)
def count_row(document: dict[str, Any], part: int) -> list[tuple[FightCell | None, FightCell | None]]:
    return _duel(document).row(part)


def _duel(document: dict[str, Any]) -> Duel:
    duel = duel_of(document)
    if duel is None:
        refuse("One of these rosters is not there any more; read it again.", field="a", constraint="exists")
    return duel

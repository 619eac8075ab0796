"""What a player can do to a sheet, as short codes.

A sheet is event-sourced: a starting 'Mech and a list of actions. Undo takes the last one off the list, a link carries
the whole list, and the server keeps nothing. A phase rolled with real dice is written down with the faces that fell
(``h23-4411``), so that its link shows the same phase for ever.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TypeAlias

from engine.battletech.explosion import Outcome, resolve
from engine.battletech.mech import BinCritical, EquipmentCritical, HeatPhase, Mech, Rules
from engine.battletech.ops import outcome_of
from engine.dice.roller import Roller, SystemRoller
from engine.wire import EngineError

MOST_ACTIONS = 100
MOST_ROUNDS = 1000


@dataclass(frozen=True, slots=True)
class HitBin:
    """A critical hit on a bin, by its place on the sheet from 1."""

    number: int

    def __str__(self) -> str:
        return f"b{self.number}"


@dataclass(frozen=True, slots=True)
class HitEquipment:
    """A critical hit on a weapon or device."""

    number: int

    def __str__(self) -> str:
        return f"e{self.number}"


@dataclass(frozen=True, slots=True)
class SetRounds:
    """Rounds fired or dumped: what a bin holds now."""

    number: int
    rounds: int

    def __str__(self) -> str:
        return f"r{self.number}-{self.rounds}"


@dataclass(frozen=True, slots=True)
class Phase:
    """A heat phase with the dice that fell, or a seed that gives them."""

    heat: int
    dice: tuple[int, ...] = ()
    seed: int | None = None

    def __str__(self) -> str:
        if self.seed is not None:
            return f"h{self.heat}s{self.seed}"
        return f"h{self.heat}-{''.join(map(str, self.dice))}" if self.dice else f"h{self.heat}"

    @property
    def trigger(self) -> HeatPhase:
        dice = None if self.seed is not None else self.dice
        return HeatPhase(kind="heat", heat=self.heat, dice=dice, seed=self.seed)


Action: TypeAlias = HitBin | HitEquipment | SetRounds | Phase

_CODE = re.compile(
    r"b(?P<bin>[1-9]\d?)|e(?P<equipment>[1-9]\d?)|r(?P<emptied>[1-9]\d?)-(?P<rounds>\d{1,4})"
    r"|h(?P<heat>\d{1,2})(?:-(?P<dice>[1-6]{1,400})|s(?P<seed>\d{1,9}))?"
)


def parse(code: str) -> Action:
    """An action from its code; the inverse of ``str``."""
    found = _CODE.fullmatch(code)
    if found is None:
        raise EngineError(f"“{code[:20]}” is not something that can be done to a sheet.", field="did", actual=code[:20])
    if found["bin"]:
        return HitBin(int(found["bin"]))
    if found["equipment"]:
        return HitEquipment(int(found["equipment"]))
    if found["emptied"]:
        return SetRounds(int(found["emptied"]), int(found["rounds"]))
    seed = int(found["seed"]) if found["seed"] else None
    return Phase(int(found["heat"]), tuple(map(int, found["dice"] or "")), seed)


@dataclass(frozen=True, slots=True)
class Step:
    """One action and what came of it; rounds that change have no outcome."""

    action: Action
    before: Mech
    after: Mech
    outcome: Outcome | None = None


def do(mech: Mech, rules: Rules, action: Action) -> Step:
    """One action on a sheet as it stands."""
    if isinstance(action, SetRounds):
        return Step(action, mech, _with_rounds(mech, action))
    outcome = outcome_of(mech, rules, _trigger(mech, action))
    return Step(action, mech, outcome.after, outcome)


def roll(mech: Mech, rules: Rules, heat: int, roller: Roller | None = None) -> Step:
    """A heat phase with real dice, and the action that repeats it."""
    recorder = _Recorder(roller or SystemRoller())
    outcome = resolve(mech, rules, HeatPhase(kind="heat", heat=heat), recorder)
    return Step(Phase(heat, tuple(recorder.faces)), mech, outcome.after, outcome)


def _trigger(mech: Mech, action: HitBin | HitEquipment | Phase) -> BinCritical | EquipmentCritical | HeatPhase:
    if isinstance(action, Phase):
        return action.trigger
    if isinstance(action, HitBin):
        return BinCritical(kind="bin_critical", bin_id=mech.bins[_at(action.number, len(mech.bins), "bins")].bin_id)
    pool = mech.explosive_equipment
    return EquipmentCritical(
        kind="equipment_critical", equipment_id=pool[_at(action.number, len(pool), "weapons")].equipment_id
    )


def _with_rounds(mech: Mech, action: SetRounds) -> Mech:
    changed = mech.bins[_at(action.number, len(mech.bins), "bins")]
    if mech.lost(changed):
        raise EngineError(f"{changed.bin_id} is destroyed: there is nothing left in it to change.", field="did")
    if action.rounds > MOST_ROUNDS:
        raise EngineError(f"Rounds must be 0–{MOST_ROUNDS}; you entered {action.rounds}.", field="did")
    fresh = changed.model_copy(update={"rounds": action.rounds})
    return mech.model_copy(update={"bins": tuple(fresh if b is changed else b for b in mech.bins)})


def _at(number: int, count: int, what: str) -> int:
    if number > count:
        raise EngineError(f"There is no number {number}: this 'Mech has {count} {what}.", field="did", expected=count)
    return number - 1


class _Recorder:
    """Remembers the faces another roller gives."""

    def __init__(self, roller: Roller) -> None:
        self._roller = roller
        self.faces: list[int] = []

    def roll(self, sides: int) -> int:
        self.faces.append(self._roller.roll(sides))
        return self.faces[-1]

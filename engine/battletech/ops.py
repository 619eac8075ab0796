"""The front door: ``battletech.resolve`` and ``battletech.odds``."""

from __future__ import annotations

from collections import Counter
from typing import Annotated, Any, Self

from pydantic import Field, model_validator

from engine.battletech.blast import FlowKind
from engine.battletech.explosion import Outcome, resolve
from engine.battletech.log import Check, LogLine
from engine.battletech.mech import BinCritical, Cause, EquipmentCritical, Event, Heat, HeatPhase, Mech, Rules, Trigger
from engine.battletech.odds import odds
from engine.battletech.tables import LOCATIONS, Location
from engine.dice.roller import Roller, ScriptedRoller, SeededRoller, SystemRoller
from engine.wire import Document, EngineError, Op

# Where the damage of an explosion can end up; together they are all of it.
DESTINATIONS: tuple[FlowKind, ...] = ("structure", "armor", "rear_armor", "vented", "wasted")


class ResolveInput(Document):
    rules: Rules = Rules()
    mech: Mech
    trigger: Trigger
    trace: bool = Field(default=False, description="also return the arithmetic of every step as `log`")


class Transfer(Document):
    origin: Location = Field(alias="from")
    to: Location
    damage: int


class BinAfter(Document):
    rounds: int
    destroyed: bool


class Resolution(Document):
    """Losses by location hold non-zero entries only; ``totalDamage`` is the sum of where all the damage went."""

    armor_damage: dict[Location, int]
    rear_armor_damage: dict[Location, int]
    structure_damage: dict[Location, int]
    transfers: tuple[Transfer, ...]
    vented: int
    wasted: int
    total_damage: int
    destroyed_locations: tuple[Location, ...]
    pilot_hits: int
    pilot_damage: int
    pilot_killed: bool
    mech_destroyed: bool
    cause: Cause | None
    events: tuple[Event, ...]
    dice_used: int
    bins_after: dict[str, BinAfter]
    equipment_destroyed: tuple[str, ...]
    structure_after: dict[Location, int]
    armor_after: dict[Location, int]


class HeatResolution(Resolution):
    checks: tuple[Check, ...]
    target_number: int | None
    automatic: bool


class TracedResolution(Resolution):
    log: tuple[LogLine, ...]


class TracedHeatResolution(HeatResolution):
    log: tuple[LogLine, ...]


def run_resolve(request: ResolveInput) -> Resolution:
    """One trigger, with the dice its document asks for."""
    return document(request, outcome_of(request.mech, request.rules, request.trigger))


def outcome_of(mech: Mech, rules: Rules, trigger: BinCritical | EquipmentCritical | HeatPhase) -> Outcome:
    """Resolve a trigger with its own dice; typed-in dice must be exactly as many as it takes."""
    roller = roller_for(trigger)
    try:
        outcome = resolve(mech, rules, trigger, roller)
    except EngineError as error:
        if error.details["field"] == "dice":
            error.details["field"] = "trigger.dice"
        raise
    if isinstance(roller, ScriptedRoller) and roller.left_over:
        raise EngineError(
            f"{roller.used} dice were needed and {roller.used + roller.left_over} given.",
            field="trigger.dice",
            constraint="length",
            expected=roller.used,
            actual=roller.used + roller.left_over,
        )
    return outcome


def roller_for(trigger: BinCritical | EquipmentCritical | HeatPhase) -> Roller:
    """Typed-in dice, a seed, or the system's randomness. Critical hits roll nothing."""
    if not isinstance(trigger, HeatPhase):
        return ScriptedRoller(())
    if trigger.dice is not None:
        return ScriptedRoller(trigger.dice)
    return SystemRoller() if trigger.seed is None else SeededRoller(trigger.seed)


def document(request: ResolveInput, outcome: Outcome) -> Resolution:
    """An outcome as it crosses the wire; the log only when asked for."""
    fields = _fields(outcome)
    if isinstance(request.trigger, HeatPhase):
        fields |= {
            "checks": outcome.checks,
            "target_number": outcome.band.target_number if outcome.band else None,
            "automatic": outcome.band.automatic if outcome.band else False,
        }
        return TracedHeatResolution(**fields, log=outcome.log) if request.trace else HeatResolution(**fields)
    return TracedResolution(**fields, log=outcome.log) if request.trace else Resolution(**fields)


def _fields(outcome: Outcome) -> dict[str, Any]:
    after, flows = outcome.after, outcome.flows
    totals = Counter[FlowKind]()
    for flow in flows:
        totals[flow.kind] += flow.amount
    lost_here = {flow.at for flow in flows if flow.kind in ("destroyed", "fell")}
    return {
        "armor_damage": _by_location(outcome, "armor"),
        "rear_armor_damage": _by_location(outcome, "rear_armor"),
        "structure_damage": _by_location(outcome, "structure"),
        "transfers": tuple(
            Transfer(origin=LOCATIONS[flow.at], to=LOCATIONS[flow.to], damage=flow.amount)
            for flow in flows
            if flow.to is not None and flow.kind == "transfer"
        ),
        "vented": totals["vented"],
        "wasted": totals["wasted"],
        "total_damage": sum(totals[kind] for kind in DESTINATIONS),
        "destroyed_locations": tuple(name for at, name in enumerate(LOCATIONS) if at in lost_here),
        "pilot_hits": after.pilot_hits,
        "pilot_damage": outcome.pilot_damage,
        "pilot_killed": outcome.pilot_killed,
        "mech_destroyed": outcome.cause is not None,
        "cause": outcome.cause,
        "events": outcome.events,
        "dice_used": outcome.dice_used,
        "bins_after": {b.bin_id: BinAfter(rounds=b.rounds, destroyed=b.destroyed) for b in after.bins},
        "equipment_destroyed": tuple(e.equipment_id for e in after.explosive_equipment if e.destroyed),
        "structure_after": after.structure,
        "armor_after": after.armor,
    }


def _by_location(outcome: Outcome, kind: FlowKind) -> dict[Location, int]:
    sums = Counter[int]()
    for flow in outcome.flows:
        if flow.kind == kind:
            sums[flow.at] += flow.amount
    return {name: sums[at] for at, name in enumerate(LOCATIONS) if sums[at]}


class OddsInput(Document):
    """One ``heat``, or a ``heatPlan`` of the heats of the next turns."""

    rules: Rules = Rules()
    mech: Mech
    heat: Heat | None = None
    heat_plan: Annotated[tuple[Heat, ...], Field(min_length=1, max_length=20)] | None = None

    @model_validator(mode="after")
    def _one_of_the_two(self) -> Self:
        if (self.heat is None) == (self.heat_plan is None):
            raise EngineError(
                "Give either one heat or a plan of heats.",
                field="heat",
                constraint="one of",
                expected=["heat", "heatPlan"],
                actual=self.heat,
            )
        return self


class TurnOdds(Document):
    turn: int
    heat: int
    target_number: int | None
    automatic: bool
    p_explosion: float = Field(description="something explodes this turn, the 'Mech being in play")
    p_none: float = Field(description="nothing has exploded up to and with this turn")
    p_survive: float = Field(description="the 'Mech is in play after this turn")


class OddsResult(Document):
    """Over the whole plan; a 'Mech that is out has no further phases. ``pLocation`` holds non-zero entries only."""

    p_any: float
    p_none: float
    expected_explosions: float
    expected_raw_damage: float
    expected_structure_loss: float = Field(description="points explosions burn; an arm that falls off is not counted")
    expected_pilot: float = Field(description="pilot damage of all explosions")
    p_mech_destroyed: float
    p_location: dict[Location, float]
    p_bin: dict[str, float]
    turns: tuple[TurnOdds, ...]


def run_odds(request: OddsInput) -> OddsResult:
    """Exact odds of one heat or a plan of heats."""
    heats = request.heat_plan if request.heat_plan is not None else (request.heat or 0,)
    found = odds(request.mech, request.rules, heats)
    return OddsResult(
        p_any=found.p_any,
        p_none=found.p_none,
        expected_explosions=found.expected_explosions,
        expected_raw_damage=found.expected_raw_damage,
        expected_structure_loss=found.expected_structure_loss,
        expected_pilot=found.expected_pilot,
        p_mech_destroyed=found.p_mech_destroyed,
        p_location=dict(found.p_location),
        p_bin=dict(found.p_bin),
        turns=tuple(
            TurnOdds(
                turn=number,
                heat=turn.heat,
                target_number=turn.target_number,
                automatic=turn.automatic,
                p_explosion=turn.p_explosion,
                p_none=turn.p_none_so_far,
                p_survive=turn.p_survive,
            )
            for number, turn in enumerate(found.turns, start=1)
        ),
    )


OPS: tuple[Op[Any, Any], ...] = (
    Op("battletech.resolve", "Resolve a critical hit or a heat phase.", ResolveInput, Resolution, run_resolve),
    Op("battletech.odds", "Exact odds of a heat level or a plan of heats.", OddsInput, OddsResult, run_odds),
)

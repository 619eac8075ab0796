"""The front door: ``battletech.resolve`` and ``battletech.odds``."""

from __future__ import annotations

from collections import Counter
from typing import Any

from pydantic import Field

from engine.battletech.blast import FlowKind
from engine.battletech.explosion import Cause, Check, Event, LogLine, Outcome, resolve
from engine.battletech.mech import BinCritical, EquipmentCritical, HeatPhase, Mech, Rules, Trigger
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
    roller = roller_for(request.trigger)
    try:
        outcome = resolve(request.mech, request.rules, request.trigger, roller)
    except EngineError as error:
        if error.details["field"] == "dice":
            error.details["field"] = "trigger.dice"
        raise
    if isinstance(roller, ScriptedRoller) and roller.left_over:
        raise EngineError(
            f"{roller.used} dice were needed and {roller.used + roller.left_over} given.",
            field="trigger.dice", constraint="length",
            expected=roller.used, actual=roller.used + roller.left_over,
        )  # fmt: skip
    return document(request, outcome)


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


OPS: tuple[Op[Any, Any], ...] = (
    Op(
        "battletech.resolve",
        "Resolve a critical hit or a heat phase on a 'Mech.",
        ResolveInput,
        Resolution,
        run_resolve,
    ),
)

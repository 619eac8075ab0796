"""The log of one trigger: typed entries in the order they happened, and the same in words for a reader.

Programs read the entries; ``lines`` writes them out as label, sum and reason, and nothing reads those back.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal, NamedTuple

from engine.battletech.blast import Flow
from engine.battletech.mech import Bin, Cause, Equipment
from engine.battletech.tables import LOCATIONS, PILOT_HITS_TO_KILL, Protection
from engine.wire import Document

#: Why a 'Mech is out, in words.
CAUSES: Mapping[Cause, str] = MappingProxyType(
    {
        "ct_destroyed": "the centre torso is gone",
        "head_destroyed": "the head is gone",
        "pilot_killed": "the pilot is dead",
        "engine_destroyed": "the engine went with the side torsos",
        "already": "it was out before",
    }
)
NoRollReason = Literal["cool", "nothing_explosive", "automatic"]
HarmlessReason = Literal["destroyed", "empty", "inert"]
_NO_ROLL: Mapping[NoRollReason, str] = MappingProxyType(
    {
        "cool": "no check below heat 19",
        "nothing_explosive": "no bin can explode",
        "automatic": "every bin explodes",
    }
)
_POINTS = MappingProxyType({"structure": "structure", "armor": "armour", "rear_armor": "rear armour"})


class LogLine(Document):
    """One step for a reader: what, the sum, and why."""

    label: str
    sum: str
    reason: str = ""


class Check(Document):
    """One roll of the heat phase. Under Total Warfare ``binId`` is the bin that exploded, or nothing."""

    bin_id: str | None
    dice: tuple[int, int]
    target_number: int
    exploded: bool


@dataclass(frozen=True, slots=True)
class NoRoll:
    """A heat phase that takes no dice, and why."""

    heat: int
    reason: NoRollReason


@dataclass(frozen=True, slots=True)
class Harmless:
    """A critical hit on something that does not explode, and why."""

    source: Bin | Equipment
    reason: HarmlessReason


class PilotHits(NamedTuple):
    """Hits of the pilot before and after an explosion."""

    before: int
    added: int
    after: int


@dataclass(frozen=True, slots=True)
class Explosion:
    """One bin or weapon going off: where its damage went, what the pilot took, and what ended the 'Mech, if it did."""

    source: Bin | Equipment
    damage: int
    protection: Protection
    flows: tuple[Flow, ...]
    pilot: PilotHits
    cause: Cause | None


Entry = NoRoll | Check | Harmless | Explosion


def item_id(source: Bin | Equipment) -> str:
    """The id of a bin or of a weapon.

    >>> item_id(Bin(bin_id="srm", location="LT"))
    'srm'
    """
    return source.bin_id if isinstance(source, Bin) else source.equipment_id


def product(source: Bin) -> str:
    """Rounds times damage, written out.

    >>> product(Bin(bin_id="srm", location="LT", rounds=3, damage_per_round=12))
    '3 × 12 = 36'
    """
    return f"{source.rounds} × {source.damage_per_round} = {source.rounds * source.damage_per_round}"


def explosion_sum(entry: Explosion) -> str:
    """The damage of an explosion as a sum: rounds times damage for a bin, one figure for a weapon."""
    return product(entry.source) if isinstance(entry.source, Bin) else str(entry.damage)


def check_sum(check: Check) -> str:
    """Two dice, their sum and what it had to reach."""
    first, second = check.dice
    return f"{first} + {second} = {first + second}, needs {check.target_number}"


def no_roll_reason(entry: NoRoll) -> str:
    return _NO_ROLL[entry.reason]


def harmless_reason(entry: Harmless) -> str:
    """Why nothing explodes, in words."""
    if entry.reason == "destroyed":
        return "already destroyed: no effect"
    if isinstance(entry.source, Equipment):
        return "inert"
    return f"{'inert ammunition' if entry.reason == 'inert' else 'empty bin'}: nothing to explode"


def lines(entry: Entry) -> Iterator[LogLine]:
    """An entry in words, every sum on a line of its own."""
    match entry:
        case NoRoll():
            yield LogLine(label=f"Heat {entry.heat}", sum="no roll", reason=no_roll_reason(entry))
        case Check():
            verdict = "explodes" if entry.exploded else "holds"
            reason = f"{entry.bin_id} {verdict}" if entry.bin_id else verdict
            yield LogLine(label="Heat check", sum=check_sum(entry), reason=reason)
        case Harmless():
            yield _harmless_line(entry)
        case Explosion():
            label = f"{item_id(entry.source)} in {entry.source.location}"
            yield LogLine(label=label, sum=explosion_sum(entry), reason="explodes")
            yield from consequences(entry)


def consequences(entry: Explosion) -> Iterator[LogLine]:
    """What an explosion did, sum by sum: where the damage went, the pilot, the end of the 'Mech."""
    for flow in entry.flows:
        yield _flow_line(flow, entry.protection)
    if entry.pilot.added:
        before, added, after = entry.pilot
        yield LogLine(label="Pilot", sum=f"{before} + {added} = {after}", reason=f"dead at {PILOT_HITS_TO_KILL}")
    if entry.cause is not None:
        yield LogLine(label="'Mech", sum="destroyed", reason=CAUSES[entry.cause])


def _harmless_line(entry: Harmless) -> LogLine:
    source, reason = entry.source, harmless_reason(entry)
    if entry.reason == "destroyed":
        return LogLine(label=item_id(source), sum="0", reason=reason)
    if isinstance(source, Bin):
        return LogLine(label=source.bin_id, sum=product(source), reason=reason)
    return LogLine(label=f"{source.equipment_id} in {source.location}", sum="0", reason=reason)


def _flow_line(flow: Flow, protection: Protection) -> LogLine:
    """A step of the damage in words."""
    here = LOCATIONS[flow.at]
    there = LOCATIONS[flow.to] if flow.to is not None else ""
    stopper = "CASE II" if protection == "case_ii" else "CASE"
    match flow.kind:
        case "transfer":
            why = "CASE II lets this much through" if protection == "case_ii" else "no CASE: the rest moves inward"
            return LogLine(label=f"{here} → {there}", sum=str(flow.amount), reason=why)
        case "vented":
            return LogLine(label=f"{here} vented", sum=str(flow.amount), reason=f"{stopper} stops the transfer")
        case "wasted":
            return LogLine(label="Left over", sum=str(flow.amount), reason=f"nothing beyond {here}")
        case "destroyed":
            return LogLine(label=here, sum="destroyed", reason="no structure left")
        case "fell":
            return LogLine(label=here, sum="destroyed", reason=f"falls with {there}")
        case _:
            sums = f"{flow.before} − {flow.amount} = {flow.before - flow.amount}"
            return LogLine(label=f"{here} {_POINTS[flow.kind]}", sum=sums)

"""Resolve one trigger: a critical hit on a bin or on equipment, or a heat phase with injected dice.

The result carries the state after, the events in order and a typed log of every step (``log``).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from engine.battletech.blast import Flow, Hull, Layout, blast
from engine.battletech.log import Check, Entry, Explosion, Harmless, LogLine, NoRoll, PilotHits, lines
from engine.battletech.mech import (
    AmmoExplosion,
    Bin,
    BinCritical,
    BinDestroyed,
    Cause,
    Equipment,
    EquipmentCritical,
    EquipmentExplosion,
    Event,
    HeatPhase,
    LocationDestroyed,
    LocationFell,
    Mech,
    MechDestroyed,
    NoEffectOnBin,
    NoEffectOnEquipment,
    PilotKilled,
    Rules,
    TriggerWord,
    engine_lost,
)
from engine.battletech.tables import (
    CT,
    HD,
    INDEX,
    LOCATIONS,
    PILOT_HITS_TO_KILL,
    HeatBand,
    Location,
    Protection,
    heat_band,
)
from engine.dice.roller import Roller
from engine.wire import EngineError

Item = TypeVar("Item", Bin, Equipment)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What happened, the hull and the 'Mech after it (ready for the next trigger), and the log."""

    events: tuple[Event, ...]
    entries: tuple[Entry, ...]
    hull: Hull
    after: Mech
    pilot_damage: int
    pilot_killed: bool
    cause: Cause | None
    dice_used: int = 0
    band: HeatBand | None = None

    @property
    def mech_destroyed(self) -> bool:
        return self.cause is not None

    @property
    def checks(self) -> tuple[Check, ...]:
        """The rolls of a heat phase, in order."""
        return tuple(entry for entry in self.entries if isinstance(entry, Check))

    @property
    def flows(self) -> tuple[Flow, ...]:
        """Where the damage of all explosions went, step by step."""
        return tuple(flow for entry in self.entries if isinstance(entry, Explosion) for flow in entry.flows)

    @property
    def log(self) -> tuple[LogLine, ...]:
        """The entries in words."""
        return tuple(line for entry in self.entries for line in lines(entry))


def resolve(mech: Mech, rules: Rules, trigger: BinCritical | EquipmentCritical | HeatPhase, roller: Roller) -> Outcome:
    """Resolve one trigger. Only a heat phase rolls dice.

    >>> from engine.dice.roller import SeededRoller
    >>> atlas = Mech(tonnage=100, bins=(Bin(bin_id="srm", location="LT", rounds=3, damage_per_round=12),))
    >>> hit = BinCritical(kind="bin_critical", bin_id="srm")
    >>> resolve(atlas, Rules(), hit, SeededRoller(1)).events[0].total_damage
    36
    """
    sheet = _Sheet(mech, rules)
    if isinstance(trigger, HeatPhase):
        return _heat_phase(sheet, trigger.heat, roller)
    if isinstance(trigger, BinCritical):
        _hit_bin(sheet, trigger.bin_id)
    else:
        _hit_equipment(sheet, trigger.equipment_id)
    return sheet.outcome()


def choose(options: int, roller: Roller) -> int:
    """A fair index below ``options`` from six-sided dice: base-6 digits, high values rolled again.

    >>> from engine.dice.roller import ScriptedRoller
    >>> choose(7, ScriptedRoller([6, 6, 2, 1]))  # 35 of 36 is beyond the last full seven; then 6, and 6 mod 7 = 6
    6
    """
    dice = dice_to_choose(options)
    span = 6**dice
    while True:
        value = 0
        for _ in range(dice):
            value = value * 6 + roller.roll(6) - 1
        if value < span - span % options:
            return value % options


def dice_to_choose(options: int) -> int:
    """How many dice one try of ``choose`` takes.

    >>> [dice_to_choose(n) for n in (1, 2, 6, 7)]
    [0, 1, 1, 2]
    """
    dice = 0
    while 6**dice < options:
        dice += 1
    return dice


def fewest_dice(mech: Mech, rules: Rules, heat: int) -> int:
    """The dice a heat phase takes when none has to be rolled again.

    >>> bins = tuple(Bin(bin_id=i, location="LT", rounds=1, damage_per_round=5) for i in "ab")
    >>> fewest_dice(Mech(tonnage=50, bins=bins), Rules(), 23)  # one to draw the first of two bins, then two for each
    5
    """
    band, pool = heat_band(rules.book, heat), len(mech.explosive_bins)
    if band is None or band.automatic or not pool:
        return 0
    if rules.book.one_roll_per_phase:
        return 2
    return sum(dice_to_choose(waiting) + 2 for waiting in range(1, pool + 1))


def is_out(mech: Mech, rules: Rules) -> bool:
    """Whether a 'Mech is out of play already: it has no further heat phases.

    >>> is_out(Mech(tonnage=50, pilot_hits=6), Rules())
    True
    """
    return _Sheet(mech, rules).cause is not None


def _hit_bin(sheet: _Sheet, bin_id: str) -> None:
    found = _find(sheet.mech.bins, bin_id, "binId", [b.bin_id for b in sheet.mech.bins])
    if sheet.mech.lost(found):
        sheet.entries.append(Harmless(found, "destroyed"))
        sheet.events.append(NoEffectOnBin(bin_id=bin_id, location=found.location))
    elif not found.explosion:
        sheet.entries.append(Harmless(found, "inert" if found.rounds else "empty"))
        sheet.spent.add(bin_id)
        sheet.events.append(BinDestroyed(bin_id=bin_id, location=found.location))
    else:
        sheet.explode_bin(found, "critical")


def _hit_equipment(sheet: _Sheet, equipment_id: str) -> None:
    pool = sheet.mech.explosive_equipment
    found = _find(pool, equipment_id, "equipmentId", [e.equipment_id for e in pool])
    if sheet.mech.lost(found):
        sheet.entries.append(Harmless(found, "destroyed"))
        sheet.events.append(NoEffectOnEquipment(equipment_id=equipment_id, location=found.location))
    else:
        sheet.explode_equipment(found)


def _find(items: Sequence[Item], wanted: str, field_name: str, ids: list[str]) -> Item:
    if wanted not in ids:
        raise EngineError(
            f"This 'Mech has no {wanted!r}.",
            field=f"trigger.{field_name}",
            constraint="one of",
            expected=ids,
            actual=wanted,
        )
    return items[ids.index(wanted)]


def _heat_phase(sheet: _Sheet, heat: int, roller: Roller) -> Outcome:
    band = heat_band(sheet.rules.book, heat)
    dice = _Counted(roller)
    pool = sheet.mech.explosive_bins
    checks: list[Check] = []
    exploding: list[Bin] = []
    if band is None or not pool:
        sheet.entries.append(NoRoll(heat, "cool" if band is None else "nothing_explosive"))
    elif band.automatic:
        sheet.entries.append(NoRoll(heat, "automatic"))
        exploding = list(pool)
    elif sheet.rules.book.one_roll_per_phase:
        checks, exploding = _one_roll(pool, band, dice)
    else:
        checks, exploding = _roll_per_bin(pool, band, dice)
    sheet.entries.extend(checks)
    for doomed in exploding:
        sheet.explode_bin(doomed, "heat")
    return sheet.outcome(dice_used=dice.used, band=band)


def _roll_per_bin(pool: Iterable[Bin], band: HeatBand, roller: Roller) -> tuple[list[Check], list[Bin]]:
    """Draw the bins one by one and roll for each as it is drawn (ruling 1). Failures explode after all rolls."""
    waiting, checks, exploding = list(pool), [], []
    while waiting:
        drawn = waiting.pop(choose(len(waiting), roller))
        check = _check(drawn.bin_id, band, roller)
        checks.append(check)
        if check.exploded:
            exploding.append(drawn)
    return checks, exploding


def _one_roll(pool: Sequence[Bin], band: HeatBand, roller: Roller) -> tuple[list[Check], list[Bin]]:
    """Total Warfare: one roll for the 'Mech; on a failure its worst bin explodes."""
    check = _check(None, band, roller)
    if not check.exploded:
        return [check], []
    worst = worst_bins(pool)
    bang = worst[choose(len(worst), roller)]
    return [check.model_copy(update={"bin_id": bang.bin_id})], [bang]


def worst_bins(pool: Sequence[Bin]) -> list[Bin]:
    """Most damage per round, then most rounds; several only if they tie exactly."""
    worst = max((b.damage_per_round, b.rounds) for b in pool)
    return [b for b in pool if (b.damage_per_round, b.rounds) == worst]


def _check(bin_id: str | None, band: HeatBand, roller: Roller) -> Check:
    dice = (roller.roll(6), roller.roll(6))
    failed = sum(dice) < band.target_number
    return Check(bin_id=bin_id, dice=dice, target_number=band.target_number, exploded=failed)


class _Counted:
    """A roller that knows how many dice it gave."""

    def __init__(self, roller: Roller) -> None:
        self._roller = roller
        self.used = 0

    def roll(self, sides: int) -> int:
        self.used += 1
        return self._roller.roll(sides)


@dataclass(slots=True)
class _Sheet:
    """The sheet while it is being written on: explosions go in, one outcome comes out."""

    mech: Mech
    rules: Rules
    events: list[Event] = field(default_factory=list)
    entries: list[Entry] = field(default_factory=list)
    spent: set[str] = field(default_factory=set)
    pilot_damage: int = 0
    hull: Hull = field(init=False)
    layout: Layout = field(init=False)
    pilot_hits: int = field(init=False)
    pilot_killed: bool = field(init=False)
    cause: Cause | None = field(init=False)

    def __post_init__(self) -> None:
        self.hull = Hull.of(self.mech)
        self.layout = Layout.of(self.mech, self.rules)
        self.pilot_hits = self.mech.pilot_hits
        self.pilot_killed = self.pilot_hits >= PILOT_HITS_TO_KILL
        self.cause = "already" if self.pilot_killed or self._hull_cause() or self._engine_lost() else None

    def explode_bin(self, source: Bin, trigger: TriggerWord) -> None:
        self.spent.add(source.bin_id)
        words = self._words(source.location, source.explosion, trigger)
        self.events.append(AmmoExplosion(bin_id=source.bin_id, **words))
        self._apply(source, source.explosion, words["protection"], words["pilot_damage"])

    def explode_equipment(self, source: Equipment) -> None:
        self.spent.add(source.equipment_id)
        damage = source.explosion(self.rules.book)
        if damage:
            words = self._words(source.location, damage, "critical")
            self.events.append(EquipmentExplosion(equipment_id=source.equipment_id, **words))
            self._apply(source, damage, words["protection"], words["pilot_damage"])
        else:
            self.entries.append(Harmless(source, "inert"))

    def _words(self, location: Location, damage: int, trigger: TriggerWord) -> dict[str, Any]:
        """What every explosion event says."""
        book = self.rules.book
        protection = self.mech.protection(location, book)
        return {
            "location": location,
            "total_damage": damage,
            "is_case_protected": protection != "none",
            "pilot_damage": book.pilot_unprotected if protection == "none" else book.pilot_protected,
            "protection": protection,
            "trigger": trigger,
        }

    def _apply(self, source: Bin | Equipment, damage: int, protection: Protection, pilot: int) -> None:
        out_before = self.cause
        self.hull, flows = blast(self.hull, self.layout, INDEX[source.location], damage)
        for flow in flows:
            if flow.kind == "destroyed":
                self.events.append(LocationDestroyed(location=LOCATIONS[flow.at]))
            elif flow.kind == "fell" and flow.to is not None:
                self.events.append(LocationFell(location=LOCATIONS[flow.at], cascade_from=LOCATIONS[flow.to]))
        pilot_hits = self._hurt_pilot(pilot)
        self._judge()
        cause = self.cause if out_before is None else None
        self.entries.append(Explosion(source, damage, protection, tuple(flows), pilot_hits, cause))

    def _hurt_pilot(self, hits: int) -> PilotHits:
        before = self.pilot_hits
        self.pilot_damage += hits
        self.pilot_hits = min(PILOT_HITS_TO_KILL, before + hits)
        return PilotHits(before, hits, self.pilot_hits)

    def _judge(self) -> None:
        """Is the 'Mech out, and why? The hull speaks first, then the pilot, then the engine."""
        hull_cause = self._hull_cause()
        if hull_cause:
            self._destroy(hull_cause)
            if self.rules.book.crew_dies_with_hull:
                self.pilot_hits = PILOT_HITS_TO_KILL
        if self.pilot_hits >= PILOT_HITS_TO_KILL and not self.pilot_killed:
            self.pilot_killed = True
            self.events.append(PilotKilled())
            self._destroy("pilot_killed")
        if self._engine_lost():
            self._destroy("engine_destroyed")

    def _destroy(self, cause: Cause) -> None:
        if self.cause is None:
            self.cause = cause
            self.events.append(MechDestroyed(cause=cause))

    def _hull_cause(self) -> Cause | None:
        if self.hull.structure[CT] == 0:
            return "ct_destroyed"
        return "head_destroyed" if self.hull.structure[HD] == 0 else None

    def _engine_lost(self) -> bool:
        return engine_lost(self.hull.structure, self.mech.side_torso_engine_slots, self.rules.book)

    def outcome(self, *, dice_used: int = 0, band: HeatBand | None = None) -> Outcome:
        return Outcome(
            events=tuple(self.events),
            entries=tuple(self.entries),
            hull=self.hull,
            after=self._after(),
            pilot_damage=self.pilot_damage,
            pilot_killed=self.pilot_killed,
            cause=self.cause,
            dice_used=dice_used,
            band=band,
        )

    def _after(self) -> Mech:
        """The sheet with everything spent or lost crossed out (ruling 20)."""
        by_name = {name: at for at, name in enumerate(LOCATIONS)}
        structure = {name: self.hull.structure[at] for name, at in by_name.items()}

        def gone(item_id: str, item: Bin | Equipment) -> bool:
            return item.destroyed or item_id in self.spent or structure[item.location] == 0

        return self.mech.model_copy(
            update={
                "structure": structure,
                "armor": {name: self.hull.armor[at] for name, at in by_name.items()},
                "max_armor": {name: self.layout.full_armor[at] for name, at in by_name.items()},
                "rear_armor": {name: self.hull.rear_armor[INDEX[name]] for name in self.mech.rear_armor},
                "pilot_hits": self.pilot_hits,
                "bins": tuple(
                    b.model_copy(update={"rounds": 0, "destroyed": True}) if gone(b.bin_id, b) else b
                    for b in self.mech.bins
                ),
                "explosive_equipment": tuple(
                    e.model_copy(update={"destroyed": True}) if gone(e.equipment_id, e) else e
                    for e in self.mech.explosive_equipment
                ),
            }
        )

"""The record sheet: an immutable 'Mech, the rules it is played by, and what can happen to it."""

from __future__ import annotations

from typing import Annotated, Any, Literal, Self

from pydantic import Field, field_validator, model_validator

from engine.battletech.tables import (
    AMMO,
    CASE,
    CASE_TWO,
    ENGINE_HITS_TO_KILL,
    EXPLOSIVE_EQUIPMENT,
    LOCATIONS,
    LT,
    PROFILES,
    RT,
    STRUCTURE_BY_TONNAGE,
    UNPROTECTED,
    CaseTwoModel,
    Containment,
    Location,
    Profile,
    ProfileName,
    Protection,
    structure_of,
)
from engine.wire import Document, EngineError

Points = Annotated[int, Field(ge=0, le=1000)]
Face = Annotated[int, Field(ge=1, le=6)]
Heat = Annotated[int, Field(ge=0, le=100)]
Name = Annotated[str, Field(min_length=1, max_length=80)]

MOST_HEAD_ARMOR = 9
# Older names of the profiles, still found in saved documents.
PROFILE_ALIASES = {"seed": "standard", "tw": "total_warfare"}


class Rules(Document):
    """A profile and, if wanted, another reading of CASE II."""

    profile: ProfileName = "standard"
    case2: CaseTwoModel | None = None

    @field_validator("profile", mode="before")
    @classmethod
    def _canonical(cls, value: Any) -> Any:
        return PROFILE_ALIASES.get(value, value) if isinstance(value, str) else value

    @property
    def book(self) -> Profile:
        return PROFILES[self.profile]

    def containment(self, protection: Protection) -> Containment:
        if protection == "none":
            return UNPROTECTED
        return CASE if protection == "case" else CASE_TWO[self.case2 or self.book.case_two]


class Bin(Document):
    """One bin of ammunition. Rounds are free input (ruling 14); ``ammo`` and ``maxRounds`` only label it."""

    bin_id: Name
    location: Location
    rounds: Points = 0
    damage_per_round: Points = 0
    destroyed: bool = False
    ammo: str | None = None
    max_rounds: Points | None = None

    @property
    def explosion(self) -> int:
        return 0 if self.destroyed else self.rounds * self.damage_per_round


class Equipment(Document):
    """A weapon or device that explodes by itself when hit."""

    equipment_id: Name
    location: Location
    type: Name = "gauss"
    explosion_damage: Points | None = None
    destroyed: bool = False
    name: str | None = None

    def explosion(self, profile: Profile) -> int:
        known = EXPLOSIVE_EQUIPMENT.get(self.type)
        if profile.gauss_damage is not None and known is not None and known.gauss:
            return profile.gauss_damage
        if self.explosion_damage is not None:
            return self.explosion_damage
        return known.damage if known else 0


class Mech(Document):
    """A 'Mech as it stands. Structure 0 means the location is gone; omitted armour is 0, omitted CASE is by rule."""

    tech_base: Literal["Inner Sphere", "Clan"] = "Inner Sphere"
    omni: bool = False
    side_torso_engine_slots: Annotated[int, Field(ge=0, le=12)] = 0
    armor: dict[Location, Points] = {}
    max_armor: dict[Location, Points] = {}
    rear_armor: dict[Location, Points] = {}
    structure: dict[Location, Points] = {}
    case: dict[Location, Protection] = {}
    bins: Annotated[tuple[Bin, ...], Field(max_length=60)] = ()
    explosive_equipment: Annotated[tuple[Equipment, ...], Field(max_length=60)] = ()
    pilot_hits: Annotated[int, Field(ge=0, le=6)] = 0
    name: Annotated[str, Field(max_length=80)] | None = None
    tonnage: int | None = None

    @model_validator(mode="before")
    @classmethod
    def _structure_by_tonnage(cls, document: Any) -> Any:
        """A sheet that gives its tonnage need not copy the structure table."""
        if not isinstance(document, dict) or document.get("structure"):
            return document
        tonnage = document.get("tonnage")
        if not isinstance(tonnage, int) or tonnage not in STRUCTURE_BY_TONNAGE:
            raise EngineError(
                "A 'Mech needs its structure by location, or a tonnage of 20–100 in steps of 5.",
                field="mech.structure",
                constraint="required",
                expected=list(LOCATIONS),
                actual=tonnage,
            )
        return {**document, "structure": dict(zip(LOCATIONS, structure_of(tonnage), strict=True))}

    @model_validator(mode="after")
    def _ids_are_unique(self) -> Self:
        _refuse_repeats("mech.bins", [b.bin_id for b in self.bins])
        _refuse_repeats("mech.explosiveEquipment", [e.equipment_id for e in self.explosive_equipment])
        return self

    def stands(self, location: Location) -> bool:
        return self.structure.get(location, 0) > 0

    def lost(self, item: Bin | Equipment) -> bool:
        """Destroyed itself, or gone with its location."""
        return item.destroyed or not self.stands(item.location)

    @property
    def explosive_bins(self) -> tuple[Bin, ...]:
        """What a heat phase can set off, in sheet order: not empty, not inert, not lost (rulings 12, 13)."""
        return tuple(b for b in self.bins if b.explosion and not self.lost(b))

    def protection(self, location: Location, profile: Profile) -> Protection:
        """CASE at a location: what the sheet says, else what the Clans build in (ruling 15)."""
        if location in self.case:
            return self.case[location]
        if self.tech_base != "Clan":
            return "none"
        if profile.clan_case_everywhere:
            return "case" if self._can_explode(location, profile) else "none"
        return "case" if self.omni and location in ("LT", "RT") else "none"

    def _can_explode(self, location: Location, profile: Profile) -> bool:
        in_bins = any(b.location == location and b.damage_per_round for b in self.bins)
        return in_bins or any(e.location == location and e.explosion(profile) for e in self.explosive_equipment)

    @property
    def warnings(self) -> tuple[str, ...]:
        """What a sheet may hold but a construction book would not allow; never refused (rulings 8, 14)."""
        overfull = [
            f"{b.bin_id}: {b.rounds} rounds; a full bin of {full.name} holds {full.rounds}."
            for b in self.bins
            if (full := AMMO.get(b.ammo or "")) and b.rounds > full.rounds
        ]
        outside = [
            f"{location}: Inner Sphere CASE fits torsos only."
            for location, protection in self.case.items()
            if self.tech_base == "Inner Sphere" and protection == "case" and location not in ("CT", "LT", "RT")
        ]
        return (*overfull, *outside, *self._too_much_armor())

    def _too_much_armor(self) -> tuple[str, ...]:
        """Armour beyond what a frame of this tonnage carries: twice the structure, nine on the head (TechManual)."""
        if self.tonnage is None or self.tonnage not in STRUCTURE_BY_TONNAGE:
            return ()
        most = {name: 2 * points for name, points in zip(LOCATIONS, structure_of(self.tonnage), strict=True)}
        most["HD"] = MOST_HEAD_ARMOR
        worn = {
            name: max(self.armor.get(name, 0), self.max_armor.get(name, 0)) + self.rear_armor.get(name, 0)
            for name in LOCATIONS
        }
        return tuple(
            f"{name}: {worn[name]} armour; a ’Mech of {self.tonnage} t carries at most {most[name]} there."
            for name in LOCATIONS
            if worn[name] > most[name]
        )


def _refuse_repeats(field: str, ids: list[str]) -> None:
    repeated = sorted({i for i in ids if ids.count(i) > 1})
    if repeated:
        raise EngineError(
            f"Ids must be unique; {repeated[0]!r} appears more than once.",
            field=field,
            constraint="unique",
            expected="each id once",
            actual=repeated[0],
        )


def engine_lost(structure: tuple[int, ...], slots: int, profile: Profile) -> bool:
    """Total Warfare: engine slots in lost side torsos count as engine hits."""
    gone = (structure[LT] == 0) + (structure[RT] == 0)
    return profile.engine_in_side_torsos and slots * gone >= ENGINE_HITS_TO_KILL


class BinCritical(Document):
    kind: Literal["bin_critical"]
    bin_id: str


class EquipmentCritical(Document):
    kind: Literal["equipment_critical"]
    equipment_id: str


class HeatPhase(Document):
    """``dice``: every face in the order used, or ``seed``, or neither: real randomness."""

    kind: Literal["heat"]
    heat: Heat
    dice: tuple[Face, ...] | None = None
    seed: int | None = None

    @model_validator(mode="after")
    def _one_source_of_dice(self) -> Self:
        if self.dice is not None and self.seed is not None:
            raise EngineError(
                "Give the dice or a seed, not both.",
                field="trigger.seed",
                constraint="one of",
                expected=["dice", "seed"],
                actual=self.seed,
            )
        return self


Trigger = Annotated[BinCritical | EquipmentCritical | HeatPhase, Field(discriminator="kind")]


Cause = Literal["ct_destroyed", "head_destroyed", "pilot_killed", "engine_destroyed", "already"]
TriggerWord = Literal["critical", "heat"]


class AmmoExplosion(Document):
    type: Literal["AmmoExplosion"] = "AmmoExplosion"
    bin_id: str
    location: Location
    total_damage: int
    is_case_protected: bool = Field(alias="isCASEProtected")
    pilot_damage: int
    protection: Protection
    trigger: TriggerWord


class EquipmentExplosion(Document):
    type: Literal["EquipmentExplosion"] = "EquipmentExplosion"
    bin_id: None = None
    location: Location
    total_damage: int
    is_case_protected: bool = Field(alias="isCASEProtected")
    pilot_damage: int
    protection: Protection
    trigger: TriggerWord
    equipment_id: str


class BinDestroyed(Document):
    type: Literal["BinDestroyed"] = "BinDestroyed"
    bin_id: str
    location: Location


class NoEffectOnBin(Document):
    type: Literal["NoEffect"] = "NoEffect"
    bin_id: str
    location: Location


class NoEffectOnEquipment(Document):
    type: Literal["NoEffect"] = "NoEffect"
    equipment_id: str
    location: Location


class LocationDestroyed(Document):
    type: Literal["LocationDestroyed"] = "LocationDestroyed"
    location: Location


class LocationFell(LocationDestroyed):
    cascade_from: Location


class MechDestroyed(Document):
    type: Literal["MechDestroyed"] = "MechDestroyed"
    cause: Cause


class PilotKilled(Document):
    type: Literal["PilotKilled"] = "PilotKilled"


Event = (
    AmmoExplosion
    | EquipmentExplosion
    | BinDestroyed
    | NoEffectOnBin
    | NoEffectOnEquipment
    | LocationFell
    | LocationDestroyed
    | MechDestroyed
    | PilotKilled
)

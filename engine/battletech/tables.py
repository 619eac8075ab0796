"""The facts and the rules as data: hull layout, structure, ammunition, explosive equipment, and the two profiles."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal, NamedTuple, get_args

Location = Literal["HD", "CT", "LT", "RT", "LA", "RA", "LL", "RL"]
Protection = Literal["none", "case", "case_ii"]
CaseTwoModel = Literal["contain", "full", "official"]
ProfileName = Literal["standard", "total_warfare"]

LOCATIONS: tuple[Location, ...] = get_args(Location)
PROTECTIONS: tuple[Protection, ...] = get_args(Protection)
INDEX = MappingProxyType({name: at for at, name in enumerate(LOCATIONS)})
HD, CT, LT, RT, LA, RA, LL, RL = range(8)
LOCATION_NAMES = MappingProxyType(
    {
        "HD": "head", "CT": "centre torso", "LT": "left torso", "RT": "right torso",
        "LA": "left arm", "RA": "right arm", "LL": "left leg", "RL": "right leg",
    }
)  # fmt: skip

# Where damage goes once a location is gone. Beyond the centre torso and the head there is nothing.
# Source: Total Warfare damage transfer diagram; the same in MegaMek and MekStation.
NEXT_INWARD: tuple[int | None, ...] = (None, None, CT, CT, LT, RT, LT, RT)
# A side torso takes its arm with it (ruling 7).
ARM_OF = MappingProxyType({LT: LA, RT: RA})
TORSOS = frozenset({CT, LT, RT})

PILOT_HITS_TO_KILL = 6  # ruling 18
ENGINE_HITS_TO_KILL = 3  # Total Warfare: the third engine critical ends the 'Mech

# Internal structure of the centre torso, side torsos, arms and legs; the head is always 3.
# Source: TechManual internal structure table, equal in MegaMek, Solaris Skunk Werks and MekStation.
HEAD_STRUCTURE = 3
STRUCTURE_BY_TONNAGE = MappingProxyType(
    {
        20: (6, 5, 3, 4), 25: (8, 6, 4, 6), 30: (10, 7, 5, 7), 35: (11, 8, 6, 8), 40: (12, 10, 6, 10),
        45: (14, 11, 7, 11), 50: (16, 12, 8, 12), 55: (18, 13, 9, 13), 60: (20, 14, 10, 14), 65: (21, 15, 10, 15),
        70: (22, 15, 11, 15), 75: (23, 16, 12, 16), 80: (25, 17, 13, 17), 85: (27, 18, 14, 18),
        90: (29, 19, 15, 19), 95: (30, 20, 16, 20), 100: (31, 21, 17, 21),
    }
)  # fmt: skip


def structure_of(tonnage: int) -> tuple[int, ...]:
    """Undamaged internal structure in the order of LOCATIONS.

    >>> structure_of(100)
    (3, 31, 21, 21, 17, 17, 21, 21)
    """
    center, side, arm, leg = STRUCTURE_BY_TONNAGE[tonnage]
    return (HEAD_STRUCTURE, center, side, side, arm, arm, leg, leg)


class Ammo(NamedTuple):
    """One full bin. A round is one firing: a whole salvo for missiles (ruling 17). Damage 0 = inert (ruling 12)."""

    name: str
    rounds: int
    damage: int
    source: str


_TWO = "MegaMek AmmoType; Solaris Skunk Werks ammunition list"
_TOOL = "MegaMek AmmoType (a tool's convention: the books give no explosion damage)"

AMMO = MappingProxyType(
    {
        "ac2": Ammo("AC/2", 45, 2, _TWO),
        "ac5": Ammo("AC/5", 20, 5, _TWO),
        "ac10": Ammo("AC/10", 10, 10, _TWO),
        "ac20": Ammo("AC/20", 5, 20, _TWO),
        "lb10x": Ammo("LB 10-X AC", 10, 10, _TWO),
        "uac5": Ammo("Ultra AC/5", 20, 5, _TWO),
        "uac10": Ammo("Ultra AC/10", 10, 10, _TWO),
        "uac20": Ammo("Ultra AC/20", 5, 20, _TWO),
        "rac5": Ammo("Rotary AC/5", 20, 5, _TWO),
        "lrm5": Ammo("LRM 5", 24, 5, _TWO),
        "lrm10": Ammo("LRM 10", 12, 10, _TWO),
        "lrm15": Ammo("LRM 15", 8, 15, _TWO),
        "lrm20": Ammo("LRM 20", 6, 20, _TWO),
        "elrm15": Ammo("Extended LRM 15", 6, 15, _TWO),
        "srm2": Ammo("SRM 2", 50, 4, _TWO),
        "srm4": Ammo("SRM 4", 25, 8, _TWO),
        "srm6": Ammo("SRM 6", 15, 12, _TWO),
        "ssrm2": Ammo("Streak SRM 2", 50, 4, _TWO),
        "ssrm4": Ammo("Streak SRM 4", 25, 8, _TWO),
        "ssrm6": Ammo("Streak SRM 6", 15, 12, _TWO),
        "mrm10": Ammo("MRM 10", 24, 10, _TWO),
        "mrm20": Ammo("MRM 20", 12, 20, _TWO),
        "mrm30": Ammo("MRM 30", 8, 30, _TWO),
        "mrm40": Ammo("MRM 40", 6, 40, _TWO),
        "atm6": Ammo("ATM 6", 10, 12, _TWO),
        "atm9": Ammo("ATM 9", 7, 18, _TWO),
        "atm12": Ammo("ATM 12", 5, 24, _TWO),
        "mg": Ammo("Machine gun", 200, 2, _TWO),
        "lmg": Ammo("Light machine gun", 200, 1, _TWO),
        "hmg": Ammo("Heavy machine gun", 100, 3, _TWO),
        "arrow4": Ammo("Arrow IV", 5, 20, _TWO),
        "ams_is": Ammo("AMS (Inner Sphere)", 12, 2, _TOOL),
        "ams_clan": Ammo("AMS (Clan)", 24, 2, _TOOL),
        "gauss": Ammo("Gauss rifle", 8, 0, _TWO),
        "lgauss": Ammo("Light Gauss rifle", 16, 0, _TWO),
        "hgauss": Ammo("Heavy Gauss rifle", 4, 0, _TWO),
    }
)


class Explosive(NamedTuple):
    """Equipment that explodes when hit. ``gauss``: the standard profile gives the whole family one figure."""

    name: str
    damage: int
    gauss: bool
    source: str


_WEAPON = "MegaMek weapon class; Solaris Skunk Werks explosive flag"
_MOUNTED = "MegaMek Mounted.getExplosionDamage"

EXPLOSIVE_EQUIPMENT = MappingProxyType(
    {
        "gauss": Explosive("Gauss rifle", 20, True, _WEAPON),
        "cgauss": Explosive("Gauss rifle (Clan)", 20, True, _WEAPON),
        "lgauss": Explosive("Light Gauss rifle", 16, True, _WEAPON),
        "hgauss": Explosive("Heavy Gauss rifle", 25, True, _WEAPON),
        "ihgauss": Explosive("Improved Heavy Gauss rifle", 30, True, _WEAPON),
        "sbgauss": Explosive("Silver Bullet Gauss rifle", 20, True, _WEAPON),
        "igauss": Explosive("Improved Gauss rifle (Clan)", 20, True, _WEAPON),
        "apgauss": Explosive("AP Gauss rifle", 3, True, _WEAPON),
        "magshot": Explosive("Magshot", 3, True, _WEAPON),
        "hag20": Explosive("Hyper-Assault Gauss 20", 10, True, _WEAPON),
        "hag30": Explosive("Hyper-Assault Gauss 30", 15, True, _WEAPON),
        "hag40": Explosive("Hyper-Assault Gauss 40", 20, True, _WEAPON),
        "ihl_small": Explosive("Improved heavy small laser", 3, False, _WEAPON),
        "ihl_medium": Explosive("Improved heavy medium laser", 5, False, _WEAPON),
        "ihl_large": Explosive("Improved heavy large laser", 8, False, _WEAPON),
        "taser": Explosive("BattleMech taser", 6, False, _WEAPON),
        "ppc_capacitor": Explosive("PPC capacitor (charged)", 15, False, _MOUNTED),
        "b_pod": Explosive("B-Pod (unfired)", 2, False, _WEAPON),
        "m_pod": Explosive("M-Pod (unfired)", 5, False, _WEAPON),
    }
)


class HeatBand(NamedTuple):
    """From this heat up: the 2d6 roll that avoids an explosion, or no roll at all."""

    heat: int
    target_number: int
    automatic: bool = False


class Containment(NamedTuple):
    """How much of an explosion a protected location lets through; ``None`` = no limit."""

    own_structure: int | None
    onward: int | None
    blows_out_armor: bool = False


UNPROTECTED = Containment(own_structure=None, onward=None)
CASE = Containment(own_structure=None, onward=0)
# Ruling 4. "official" is the printed rule: the blast leaves through the rear (limbs, head: half their full) armour.
CASE_TWO: MappingProxyType[CaseTwoModel, Containment] = MappingProxyType(
    {
        "contain": Containment(own_structure=1, onward=1),
        "full": Containment(own_structure=None, onward=1),
        "official": Containment(own_structure=1, onward=0, blows_out_armor=True),
    }
)


@dataclass(frozen=True, slots=True)
class Profile:
    """One way to play it. Everything that differs between the profiles is a field here."""

    name: ProfileName
    heat_bands: tuple[HeatBand, ...]
    one_roll_per_phase: bool  # else one roll per bin
    pilot_unprotected: int
    pilot_protected: int
    armor_takes_carried: bool  # carried damage meets front armour first (ruling 6)
    case_stops_carried: bool  # CASE also works where damage only passes through (ruling 9)
    case_two: CaseTwoModel
    gauss_damage: int | None  # one figure for the whole family (ruling 11)
    clan_case_everywhere: bool  # else OmniMech side torsos only (ruling 15)
    engine_in_side_torsos: bool
    crew_dies_with_hull: bool


_BANDS = (HeatBand(19, 4), HeatBand(23, 6), HeatBand(28, 8))
PROFILES: MappingProxyType[ProfileName, Profile] = MappingProxyType(
    {
        "standard": Profile(
            name="standard",
            heat_bands=(*_BANDS, HeatBand(30, 8, automatic=True)),
            one_roll_per_phase=False,
            pilot_unprotected=1,
            pilot_protected=0,
            armor_takes_carried=True,
            case_stops_carried=False,
            case_two="contain",
            gauss_damage=20,
            clan_case_everywhere=False,
            engine_in_side_torsos=False,
            crew_dies_with_hull=False,
        ),
        "total_warfare": Profile(
            name="total_warfare",
            heat_bands=_BANDS,
            one_roll_per_phase=True,
            pilot_unprotected=2,
            pilot_protected=2,
            armor_takes_carried=False,
            case_stops_carried=True,
            case_two="official",
            gauss_damage=None,
            clan_case_everywhere=True,
            engine_in_side_torsos=True,
            crew_dies_with_hull=True,
        ),
    }
)


class Difference(NamedTuple):
    """A row of the rules toggle: what a reader will see change."""

    topic: str
    standard: str
    total_warfare: str


DIFFERENCES = (
    Difference("Heat check", "two dice for every bin that can explode", "two dice once for the whole 'Mech"),
    Difference(
        "Which bin explodes",
        "every bin whose own roll fails, in the order drawn",
        "the one with the most damage per round, then the most rounds; dice break exact ties",
    ),
    Difference("Heat 30 and above", "every bin explodes, no roll", "still avoided on 8 or more"),
    Difference("Pilot, no CASE", "1 hit per explosion", "2 hits per explosion"),
    Difference("Pilot, CASE or CASE II", "unhurt", "2 hits per explosion"),
    Difference("Damage that moves inward", "front armour first, then structure", "structure only; armour is skipped"),
    Difference("CASE where damage only passes through", "no effect", "stops it there"),
    Difference(
        "CASE II",
        "1 to its own structure, 1 onward, the rest is vented",
        "1 to its own structure, the rest through rear armour (limbs and head: half their armour), nothing onward",
    ),
    Difference("Gauss weapons", "20 for every kind", "by kind: 3 to 30"),
    Difference("CASE built in", "side torsos of Clan OmniMechs", "every Clan location that can explode"),
    Difference("Engine in the side torsos", "not counted", "three engine slots lost destroy the 'Mech"),
    Difference("Pilot when centre torso or head is lost", "not counted", "killed"),
)


def heat_band(profile: Profile, heat: int) -> HeatBand | None:
    """The band a heat level falls in, or None below the first check.

    >>> heat_band(PROFILES["standard"], 25).target_number
    6
    """
    reached = [band for band in profile.heat_bands if heat >= band.heat]
    return reached[-1] if reached else None


def p_explosion(band: HeatBand | None) -> float:
    """Chance that one check fails: two dice below the target number.

    >>> p_explosion(HeatBand(23, 6)) == 10 / 36
    True
    """
    if band is None:
        return 0.0
    if band.automatic:
        return 1.0
    ways = sum(first + second < band.target_number for first in range(1, 7) for second in range(1, 7))
    return ways / 36

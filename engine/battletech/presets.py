"""Stock 'Mechs as data. Names are plain references to the game; figures are public record-sheet facts.

Each row was read from two independently kept data sets (Solaris Skunk Werks and MekStation) that agree on it.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import NamedTuple

from engine.battletech.mech import Bin, Equipment, Mech
from engine.battletech.tables import (
    AMMO,
    EXPLOSIVE_EQUIPMENT,
    LOCATIONS,
    Location,
    Protection,
    structure_of,
)


class Stock(NamedTuple):
    """A preset row. Armour in the order of LOCATIONS, rear armour CT LT RT, ammunition as (where, what, bins)."""

    name: str
    tonnage: int
    armor: tuple[int, int, int, int, int, int, int, int]
    rear_armor: tuple[int, int, int]
    ammo: tuple[tuple[Location, str, int], ...]
    source: str
    clan_omni: bool = False
    engine_slots: int = 0
    case: tuple[tuple[Location, Protection], ...] = ()
    equipment: tuple[tuple[Location, str], ...] = ()


_3039, _3050 = "Record Sheets 3039 Unabridged", "Record Sheets 3050 Upgrade"
_CLAN, _RG10 = "Clan OmniMech primary configuration", "Recognition Guide 10"
_BOTH_CASE: tuple[tuple[Location, Protection], ...] = (("LT", "case"), ("RT", "case"))

STOCK = MappingProxyType(
    {
        "atlas-as7-d": Stock(
            "Atlas AS7-D", 100, (9, 47, 32, 32, 34, 34, 41, 41), (14, 10, 10),
            (("LT", "lrm20", 2), ("LT", "srm6", 1), ("RT", "ac20", 2)), _3039,
        ),
        "hunchback-hbk-4g": Stock(
            "Hunchback HBK-4G", 50, (9, 26, 20, 20, 16, 16, 20, 20), (5, 4, 4),
            (("LT", "ac20", 2),), _3039,
        ),
        "marauder-mad-3r": Stock(
            "Marauder MAD-3R", 75, (9, 35, 17, 17, 22, 22, 18, 18), (10, 8, 8),
            (("LT", "ac5", 1),), _3039,
        ),
        "warhammer-whm-6r": Stock(
            "Warhammer WHM-6R", 70, (9, 22, 17, 17, 20, 20, 15, 15), (9, 8, 8),
            (("RT", "srm6", 1), ("CT", "mg", 1)), _3039,
        ),
        "thunderbolt-tdr-5s": Stock(
            "Thunderbolt TDR-5S", 65, (9, 30, 24, 24, 20, 20, 29, 29), (11, 6, 6),
            (("LA", "mg", 1), ("RT", "srm2", 1), ("CT", "lrm15", 2)), _3039,
        ),
        "catapult-cplt-c1": Stock(
            "Catapult CPLT-C1", 65, (9, 24, 19, 19, 13, 13, 18, 18), (11, 8, 8),
            (("LT", "lrm15", 1), ("RT", "lrm15", 1)), _3039,
        ),
        "archer-arc-2r": Stock(
            "Archer ARC-2R", 70, (9, 33, 24, 24, 22, 22, 26, 26), (10, 6, 6),
            (("LT", "lrm20", 2), ("RT", "lrm20", 2)), _3039,
        ),
        "awesome-aws-8q": Stock(
            "Awesome AWS-8Q", 80, (9, 30, 24, 24, 24, 24, 33, 33), (19, 10, 10),
            (), _3039,
        ),
        "annihilator-anh-1a": Stock(
            "Annihilator ANH-1A", 100, (9, 25, 21, 21, 24, 24, 24, 24), (10, 9, 9),
            (("LT", "ac10", 2), ("RT", "ac10", 2)), _3050,
        ),
        "hunchback-hbk-5m": Stock(
            "Hunchback HBK-5M", 50, (9, 26, 20, 20, 16, 16, 20, 20), (5, 4, 4),
            (("LT", "ac20", 1),), _3050, case=(("LT", "case"),),
        ),
        "atlas-as7-k": Stock(
            "Atlas AS7-K", 100, (9, 47, 32, 32, 34, 34, 41, 41), (14, 10, 10),
            (("RA", "gauss", 2), ("LT", "lrm20", 2), ("LT", "ams_is", 1)), _3050,
            engine_slots=3, case=_BOTH_CASE, equipment=(("RT", "gauss"),),
        ),
        "highlander-hgn-732": Stock(
            "Highlander HGN-732", 90, (9, 40, 28, 28, 30, 30, 38, 38), (16, 10, 10),
            (("LT", "srm6", 2), ("LT", "lrm20", 2), ("RT", "gauss", 2)), _3050,
            case=_BOTH_CASE, equipment=(("RA", "gauss"),),
        ),
        "timber-wolf-prime": Stock(
            "Timber Wolf (Mad Cat) Prime", 75, (9, 36, 25, 25, 24, 24, 32, 32), (9, 7, 7),
            (("LT", "lrm20", 1), ("RT", "lrm20", 1), ("RT", "mg", 1)), _CLAN, clan_omni=True, engine_slots=2,
        ),
        "mad-dog-prime": Stock(
            "Mad Dog (Vulture) Prime", 60, (9, 23, 16, 16, 16, 16, 23, 23), (7, 7, 7),
            (("LT", "lrm20", 1), ("RT", "lrm20", 1)), _CLAN, clan_omni=True, engine_slots=2,
        ),
        "dire-wolf-prime": Stock(
            "Dire Wolf (Daishi) Prime", 100, (9, 47, 32, 32, 34, 34, 41, 41), (14, 10, 10),
            (("LA", "uac5", 1), ("RA", "uac5", 1), ("LT", "lrm10", 1)), _CLAN, clan_omni=True, engine_slots=2,
        ),
        "archer-arc-9r": Stock(
            "Archer ARC-9R", 70, (9, 33, 24, 24, 22, 22, 30, 30), (10, 6, 6),
            (("LT", "elrm15", 3), ("RT", "elrm15", 3)), _RG10,
            engine_slots=2, case=(("LT", "case_ii"), ("RT", "case_ii")),
        ),
        "highlander-hgn-740": Stock(
            "Highlander HGN-740", 90, (9, 42, 28, 28, 29, 29, 36, 36), (14, 10, 10),
            (("LT", "lrm20", 2), ("LT", "ssrm6", 1)), _RG10, case=(("LT", "case_ii"),),
        ),
        "locust-lct-1v": Stock(
            "Locust LCT-1V", 20, (8, 10, 8, 8, 4, 4, 8, 8), (2, 2, 2),
            (("CT", "mg", 1),), _3039,
        ),
    }
)  # fmt: skip


def preset(key: str) -> Mech:
    """A stock 'Mech, factory fresh.

    >>> preset("atlas-as7-d").bins[0].explosion
    120
    """
    row = STOCK[key]
    armor = dict(zip(LOCATIONS, row.armor, strict=True))
    rear: dict[Location, int] = {"CT": row.rear_armor[0], "LT": row.rear_armor[1], "RT": row.rear_armor[2]}
    return Mech(
        name=row.name,
        tonnage=row.tonnage,
        tech_base="Clan" if row.clan_omni else "Inner Sphere",
        omni=row.clan_omni,
        side_torso_engine_slots=row.engine_slots,
        armor=armor,
        max_armor=armor,
        rear_armor=rear,
        structure=dict(zip(LOCATIONS, structure_of(row.tonnage), strict=True)),
        case=dict(row.case),
        bins=tuple(_bin(where, what, n) for where, what, count in row.ammo for n in range(1, count + 1)),
        explosive_equipment=tuple(_equipment(where, what) for where, what in row.equipment),
    )


def _bin(location: Location, ammo: str, number: int) -> Bin:
    full = AMMO[ammo]
    return Bin(
        bin_id=f"{location.lower()}-{ammo}-{number}",
        location=location,
        rounds=full.rounds,
        damage_per_round=full.damage,
        ammo=ammo,
        max_rounds=full.rounds,
    )


def _equipment(location: Location, kind: str) -> Equipment:
    known = EXPLOSIVE_EQUIPMENT[kind]
    return Equipment(
        equipment_id=f"{location.lower()}-{kind}-1",
        location=location,
        type=kind,
        explosion_damage=known.damage,
        name=known.name,
    )

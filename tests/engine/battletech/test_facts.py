"""Our own small tables against the public figures they were taken from."""

from __future__ import annotations

import pytest

from engine.battletech.mech import Rules
from engine.battletech.presets import STOCK, preset
from engine.battletech.tables import (
    AMMO,
    ARM_OF,
    EXPLOSIVE_EQUIPMENT,
    LOCATION_NAMES,
    LOCATIONS,
    NEXT_INWARD,
    PROFILES,
    STRUCTURE_BY_TONNAGE,
    heat_band,
    p_explosion,
    structure_of,
)
from tests.reference import rows

MECHS = {row["id"]: row for row in rows("battletech-facts/mechs")["mechs"]}


@pytest.mark.parametrize("tonnage", STRUCTURE_BY_TONNAGE)
def test_internal_structure(tonnage: int) -> None:
    public = rows("battletech-facts/internal_structure")["byTonnage"][str(tonnage)]
    assert dict(zip(LOCATIONS, structure_of(tonnage), strict=True)) == public["structure"]


def test_damage_moves_and_arms_fall_as_the_public_diagram_says() -> None:
    public = rows("battletech-facts/transfer")
    ours = {LOCATIONS[at]: None if to is None else LOCATIONS[to] for at, to in enumerate(NEXT_INWARD)}
    assert ours == public["transfer"]
    assert {LOCATIONS[at]: [LOCATIONS[arm]] for at, arm in ARM_OF.items()} == public["cascade"]
    assert set(LOCATION_NAMES) == set(LOCATIONS)


def test_ammunition() -> None:
    public = {row["id"]: row for row in rows("battletech-facts/ammo")["ammo"]}
    for key, ammo in AMMO.items():
        assert (ammo.rounds, ammo.damage) == (public[key]["roundsPerBin"], public[key]["explosionDamagePerRound"]), key
        assert ammo.source


def test_explosive_equipment() -> None:
    public = {row["id"]: row for row in rows("battletech-facts/explosive_equipment")["equipment"]}
    for key, item in EXPLOSIVE_EQUIPMENT.items():
        assert (item.damage, item.gauss) == (public[key]["explosionDamage"], "seedDamage" in public[key]), key


@pytest.mark.parametrize(("profile", "table"), [("standard", "ammoSeed"), ("total_warfare", "ammoTotalWarfare")])
def test_heat_bands(profile: str, table: str) -> None:
    for band in rows("battletech-facts/heat_scale")[table]:
        for heat in (band["from"], band["to"] or 60):
            ours = heat_band(PROFILES[profile], heat)
            assert ours is not None
            assert (ours.target_number, ours.automatic) == (band["targetNumber"], band["automatic"])
            assert p_explosion(ours) == pytest.approx(band["failWaysOf36"] / 36)


@pytest.mark.parametrize("key", STOCK)
def test_a_stock_mech_is_its_public_record_sheet(key: str) -> None:
    ours, public = preset(key), MECHS[key]
    assert (ours.name, ours.tonnage, ours.tech_base, ours.omni) == tuple(
        public[part] for part in ("name", "tonnage", "techBase", "omni")
    )
    assert ours.side_torso_engine_slots == public["sideTorsoEngineSlots"]
    for part, theirs in (("armor", "armor"), ("rear_armor", "rearArmor"), ("structure", "structure"), ("case", "case")):
        assert getattr(ours, part) == public[theirs], part
    assert [(b.bin_id, b.location, b.rounds, b.damage_per_round) for b in ours.bins] == [
        (b["binId"], b["location"], b["rounds"], b["damagePerRound"]) for b in public["bins"]
    ]
    assert [(e.equipment_id, e.location, e.explosion(Rules().book)) for e in ours.explosive_equipment] == [
        (e["equipmentId"], e["location"], e["explosionDamage"]) for e in public["explosiveEquipment"]
    ]


def test_there_are_enough_presets_to_choose_from() -> None:
    assert len(STOCK) >= 12
    assert any(row.clan_omni for row in STOCK.values())
    assert any("case_ii" in dict(row.case).values() for row in STOCK.values())

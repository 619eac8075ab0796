"""What the Total Warfare toggle changes, row by row of the list the reader is shown."""

from __future__ import annotations

import pytest

from engine.battletech.mech import Rules
from engine.battletech.odds import odds
from engine.battletech.tables import DIFFERENCES, PROFILES
from tests.engine.battletech.sheets import HUNDRED_TONS, mech, plain
from tests.engine.battletech.test_scenarios import heat, hit, types

TW = {"profile": "total_warfare"}


def test_one_roll_and_the_worst_bin() -> None:
    sheet = plain(("LT", 9, 12), ("RT", 5, 20), ("RL", 6, 20), ("LL", 6, 15))
    result = heat(sheet, 23, 2, 3, **TW)
    assert result["checks"] == [{"binId": "c", "dice": [2, 3], "targetNumber": 6, "exploded": True}]


def test_a_roll_that_holds_names_no_bin() -> None:
    result = heat(plain(("LT", 5, 20), ("RT", 5, 20)), 23, 3, 3, **TW)
    assert result["checks"] == [{"binId": None, "dice": [3, 3], "targetNumber": 6, "exploded": False}]


def test_dice_break_exact_ties_only() -> None:
    sheet = plain(("LT", 5, 20), ("RT", 5, 20), ("RL", 4, 20))
    assert heat(sheet, 23, 1, 1, 4, **TW)["checks"][0]["binId"] == "b"


def test_heat_30_is_still_a_roll() -> None:
    result = heat(plain(("LT", 5, 20)), 30, 4, 4, **TW)
    assert (result["automatic"], result["targetNumber"], result["events"]) == (False, 8, [])


@pytest.mark.parametrize("protection", ["none", "case", "case_ii"])
def test_the_pilot_takes_2_whatever_the_protection(protection: str) -> None:
    assert hit(plain(("LL", 1, 5), case={"LL": protection}), **TW)["pilotHits"] == 2


def test_carried_damage_skips_armour() -> None:
    result = hit(plain(("LT", 3, 12)), **TW)
    assert (result["armorDamage"], result["structureDamage"]) == ({}, {"LT": 21, "CT": 15})


def test_case_on_the_way_stops_carried_damage() -> None:
    result = hit(plain(("RA", 10, 10), case={"RT": "case"}), **TW)
    assert result["structureDamage"] == {"RA": 17, "RT": 21}
    assert (result["vented"], result["mechDestroyed"]) == (62, False)


def test_case_ii_is_the_printed_rule() -> None:
    result = hit(plain(("LT", 5, 20), case={"LT": "case_ii"}), **TW)
    assert (result["structureDamage"], result["rearArmorDamage"], result["transfers"]) == ({"LT": 1}, {"LT": 10}, [])


@pytest.mark.parametrize("location", ["LA", "CT", "HD", "RT"])
def test_every_clan_location_that_can_explode_has_case(location: str) -> None:
    sheet = plain((location, 1, 2), techBase="Clan")
    assert hit(sheet, **TW)["events"][0]["protection"] == "case"


def test_clan_equipment_brings_case_too_and_inert_ammunition_does_not() -> None:
    gauss = {"equipmentId": "g", "location": "RA", "type": "cgauss"}
    sheet = mech(plain(("LA", 8, 0), techBase="Clan", explosiveEquipment=[gauss]))
    book = PROFILES["total_warfare"]
    assert (sheet.protection("RA", book), sheet.protection("LA", book)) == ("case", "none")


@pytest.mark.parametrize(("slots", "cause"), [(3, "engine_destroyed"), (2, None)])
def test_an_inner_sphere_xl_engine_dies_with_a_side_torso(slots: int, cause: str | None) -> None:
    sheet = plain(("LT", 5, 20), case={"LT": "case"}, sideTorsoEngineSlots=slots)
    assert hit(sheet, **TW)["cause"] == cause


def test_both_side_torsos_of_a_two_slot_engine_are_too_much() -> None:
    sheet = plain(("LT", 5, 20), case={"LT": "case"}, sideTorsoEngineSlots=2, structure={**HUNDRED_TONS, "RT": 0})
    assert hit(sheet, **TW)["cause"] == "engine_destroyed"
    assert hit(sheet)["cause"] is None


@pytest.mark.parametrize("location", ["CT", "HD"])
def test_the_pilot_dies_with_the_centre_torso_or_the_head(location: str) -> None:
    result = hit(plain((location, 50, 20)), **TW)
    assert (result["pilotKilled"], result["pilotHits"], result["pilotDamage"]) == (True, 6, 2)
    assert types(result)[-2:] == ["MechDestroyed", "PilotKilled"]


def test_the_list_of_differences_names_every_field_of_the_profile_that_differs() -> None:
    standard, total_warfare = PROFILES["standard"], PROFILES["total_warfare"]
    differing = [name for name in standard.__slots__ if getattr(standard, name) != getattr(total_warfare, name)]
    # One row per field, with two for the heat check (how often, which bin) and none for the profile's own name.
    assert len(DIFFERENCES) == len(differing) - 1 + 1
    assert all(row.topic and row.standard != row.total_warfare for row in DIFFERENCES)


def test_one_roll_makes_the_chance_independent_of_the_number_of_bins() -> None:
    for count in (1, 4, 9):
        found = odds(mech(plain(*[("LT", 5, 20)] * count)), Rules(profile="total_warfare"), [23])
        assert found.p_any == pytest.approx(10 / 36)
        assert found.p_bin["a"] == pytest.approx(10 / 36 / count)

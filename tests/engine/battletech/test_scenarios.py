"""One test per scenario of the ammo-explosion specification, and one per ruling that decides a gap in it."""

from __future__ import annotations

from typing import Any

import pytest

from engine.contracts import call
from tests.engine.battletech.sheets import HUNDRED_TONS, plain


def resolve(mech: dict[str, Any], trigger: dict[str, Any], **rules: str) -> dict[str, Any]:
    reply = call("battletech.resolve", {"rules": rules, "mech": mech, "trigger": trigger})
    assert reply["ok"], reply
    return reply["result"]


def hit(mech: dict[str, Any], bin_id: str = "a", **rules: str) -> dict[str, Any]:
    return resolve(mech, {"kind": "bin_critical", "binId": bin_id}, **rules)


def heat(mech: dict[str, Any], level: int, *dice: int, **rules: str) -> dict[str, Any]:
    return resolve(mech, {"kind": "heat", "heat": level, "dice": list(dice)}, **rules)


def types(result: dict[str, Any]) -> list[str]:
    return [event["type"] for event in result["events"]]


# Critical hits


def test_scenario_full_ammo_bin_explosion() -> None:
    result = hit(plain(("RT", 15, 10)))
    assert result["events"][0]["totalDamage"] == result["totalDamage"] == 150
    assert result["structureDamage"]["RT"] == 21
    assert result["transfers"] == [{"from": "RT", "to": "CT", "damage": 129}]


def test_scenario_partially_depleted_ammo_bin() -> None:
    assert hit(plain(("LT", 3, 12)))["events"][0]["totalDamage"] == 36


def test_scenario_empty_ammo_bin_critical_hit() -> None:
    result = hit(plain(("LT", 0, 10)))
    assert result["totalDamage"] == 0
    assert types(result) == ["BinDestroyed"]
    assert result["binsAfter"] == {"a": {"rounds": 0, "destroyed": True}}


# CASE


def test_scenario_case_limits_explosion_to_single_location() -> None:
    result = hit(plain(("LT", 5, 20), case={"LT": "case"}))
    assert result["structureDamage"] == {"LT": 21}
    assert result["transfers"] == []
    assert result["pilotHits"] == 0
    assert "LT" in result["destroyedLocations"]


def test_scenario_case_does_not_prevent_location_destruction() -> None:
    result = hit(plain(("LT", 5, 20), case={"LT": "case"}))
    assert result["destroyedLocations"] == ["LT", "LA"]
    assert {"type": "LocationDestroyed", "location": "LA", "cascadeFrom": "LT"} in result["events"]
    assert result["vented"] == 79


def test_scenario_case_ii_limits_damage_transfer() -> None:
    result = hit(plain(("LT", 5, 20), case={"LT": "case_ii"}))
    assert result["transfers"] == [{"from": "LT", "to": "CT", "damage": 1}]
    assert result["structureDamage"] == {"LT": 1}
    assert result["vented"] == 98
    assert result["pilotDamage"] == 0


def test_scenario_unprotected_ammo_explosion() -> None:
    result = hit(plain(("LT", 3, 12)))
    assert result["structureDamage"] == {"LT": 21}
    assert result["armorDamage"] == {"CT": 15}
    assert result["pilotHits"] == 1


# Heat


@pytest.mark.parametrize("level", [19, 22])
@pytest.mark.parametrize(("dice", "explodes"), [((1, 2), True), ((1, 3), False)])
def test_scenario_ammo_explosion_check_at_heat_19_to_22(level: int, dice: tuple[int, int], explodes: bool) -> None:
    result = heat(plain(("LT", 5, 20)), level, *dice)
    assert result["targetNumber"] == 4
    assert result["checks"] == [{"binId": "a", "dice": list(dice), "targetNumber": 4, "exploded": explodes}]
    assert ("AmmoExplosion" in types(result)) is explodes


@pytest.mark.parametrize("level", [23, 27])
@pytest.mark.parametrize(("dice", "explodes"), [((2, 3), True), ((3, 3), False)])
def test_scenario_ammo_explosion_check_at_heat_23_to_27(level: int, dice: tuple[int, int], explodes: bool) -> None:
    result = heat(plain(("LT", 5, 20)), level, *dice)
    assert result["targetNumber"] == 6
    assert result["checks"][0]["exploded"] is explodes


@pytest.mark.parametrize("level", [28, 29])
@pytest.mark.parametrize(("dice", "explodes"), [((3, 4), True), ((4, 4), False)])
def test_scenario_ammo_explosion_check_at_heat_28_and_above(level: int, dice: tuple[int, int], explodes: bool) -> None:
    result = heat(plain(("LT", 5, 20)), level, *dice)
    assert result["targetNumber"] == 8
    assert result["checks"][0]["exploded"] is explodes


@pytest.mark.parametrize("level", [30, 45])
def test_scenario_auto_explosion_at_heat_30_and_above(level: int) -> None:
    result = heat(plain(("RT", 1, 5), ("LT", 1, 5), ("LL", 0, 5)), level)
    assert [event["binId"] for event in result["events"] if event["type"] == "AmmoExplosion"] == ["a", "b"]
    assert (result["automatic"], result["targetNumber"], result["diceUsed"], result["checks"]) == (True, 8, 0, [])


def test_scenario_random_bin_selection_for_heat_induced_explosion() -> None:
    """One die draws among three (empty ones are not in the pool), then two dice are that bin's own check."""
    sheet = plain(("LT", 1, 5), ("LL", 0, 5), ("RT", 1, 5), ("RL", 1, 5))
    result = heat(sheet, 23, 2, 1, 1, 1, 6, 6, 6, 6)
    assert [check["binId"] for check in result["checks"]] == ["c", "a", "d"]
    assert [event["binId"] for event in result["events"]] == ["c"]


def test_below_heat_19_there_is_no_check() -> None:
    result = heat(plain(("LT", 5, 20)), 18)
    assert (result["targetNumber"], result["automatic"], result["checks"], result["events"]) == (None, False, [], [])


# Gauss rifles, Clan CASE, events, dice


def test_scenario_gauss_rifle_critical_hit_explosion() -> None:
    gauss = {"equipmentId": "g", "location": "RA", "type": "gauss", "explosionDamage": 20}
    result = resolve(plain(explosiveEquipment=[gauss]), {"kind": "equipment_critical", "equipmentId": "g"})
    assert result["totalDamage"] == 20
    assert result["structureDamage"] == {"RA": 17}
    assert result["equipmentDestroyed"] == ["g"]
    assert result["events"][0] == {
        "type": "EquipmentExplosion",
        "binId": None,
        "equipmentId": "g",
        "location": "RA",
        "totalDamage": 20,
        "isCASEProtected": False,
        "pilotDamage": 1,
        "protection": "none",
        "trigger": "critical",
    }


@pytest.mark.parametrize("side", ["LT", "RT"])
def test_scenario_clan_omnimech_case_in_side_torsos(side: str) -> None:
    result = hit(plain((side, 6, 20), techBase="Clan", omni=True))
    assert result["transfers"] == []
    assert result["events"][0]["protection"] == "case"


def test_scenario_ammo_explosion_event_emitted() -> None:
    assert hit(plain(("LT", 1, 5)))["events"] == [
        {
            "type": "AmmoExplosion",
            "binId": "a",
            "location": "LT",
            "totalDamage": 5,
            "isCASEProtected": False,
            "pilotDamage": 1,
            "protection": "none",
            "trigger": "critical",
        }
    ]


def test_scenario_deterministic_ammo_explosion_resolution() -> None:
    sheet = plain(*[("LT", 1, 5)] * 7)
    first, second, other = (resolve(sheet, {"kind": "heat", "heat": 25, "seed": seed}) for seed in (11, 11, 12))
    assert first == second
    assert first["checks"] != other["checks"]


# Rulings


def test_ruling_3_a_bin_in_an_arm_lost_in_the_same_phase_still_bursts_into_the_torso_line() -> None:
    result = heat(plain(("LT", 3, 12), ("LA", 1, 10)), 30)
    assert result["transfers"] == [
        {"from": "LT", "to": "CT", "damage": 15},
        {"from": "LA", "to": "LT", "damage": 10},
        {"from": "LT", "to": "CT", "damage": 10},
    ]


@pytest.mark.parametrize(
    ("model", "structure", "rear", "onward", "vented"),
    [("contain", {"LT": 1}, {}, 1, 38), ("full", {"LT": 21}, {}, 1, 18), ("official", {"LT": 1}, {"LT": 10}, 0, 29)],
)
def test_ruling_4_the_three_readings_of_case_ii(
    model: str, structure: dict, rear: dict, onward: int, vented: int
) -> None:
    result = hit(plain(("LT", 4, 10), case={"LT": "case_ii"}), case2=model)
    assert result["structureDamage"] == structure
    assert result["rearArmorDamage"] == rear
    assert sum(transfer["damage"] for transfer in result["transfers"]) == onward
    assert result["vented"] == vented


def test_ruling_4_official_case_ii_costs_a_limb_half_its_full_armour_rounded_up() -> None:
    sheet = plain(("LA", 4, 10), case={"LA": "case_ii"})
    sheet["maxArmor"] = {**sheet["armor"], "LA": 33}
    assert hit(sheet, case2="official")["armorDamage"] == {"LA": 17}


def test_ruling_7_an_arm_that_falls_loses_its_bins_without_an_explosion() -> None:
    result = hit(plain(("LT", 3, 12), ("LA", 5, 20)))
    assert types(result).count("AmmoExplosion") == 1
    assert result["binsAfter"]["b"] == {"rounds": 0, "destroyed": True}
    assert result["structureDamage"] == {"LT": 21}


def test_ruling_9_case_where_damage_only_passes_through_has_no_effect() -> None:
    result = hit(plain(("RA", 10, 10), case={"RT": "case"}))
    assert {"from": "RT", "to": "CT", "damage": 31} in result["transfers"]


def test_ruling_11_every_gauss_weapon_is_20_in_the_standard_profile_only() -> None:
    heavy = {"equipmentId": "g", "location": "LL", "type": "hgauss"}
    sheet, trigger = plain(explosiveEquipment=[heavy]), {"kind": "equipment_critical", "equipmentId": "g"}
    assert resolve(sheet, trigger)["totalDamage"] == 20
    assert resolve(sheet, trigger, profile="total_warfare")["totalDamage"] == 25


def test_ruling_12_inert_ammunition_is_marked_destroyed_and_never_rolled_for() -> None:
    sheet = plain(("LT", 8, 0))
    assert types(hit(sheet)) == ["BinDestroyed"]
    assert heat(sheet, 30)["binsAfter"]["a"] == {"rounds": 8, "destroyed": False}


@pytest.mark.parametrize(
    ("location", "changes", "protection"),
    [
        ("LT", {"techBase": "Clan", "omni": False}, "none"),
        ("LT", {"techBase": "Inner Sphere", "omni": True}, "none"),
        ("LA", {"techBase": "Clan", "omni": True}, "none"),
        ("LT", {"techBase": "Clan", "omni": True, "case": {"LT": "none"}}, "none"),
        ("LT", {"techBase": "Clan", "omni": True, "case": {"LT": "case_ii"}}, "case_ii"),
    ],
)
def test_ruling_15_only_clan_omnimech_side_torsos_have_case_unless_the_sheet_says_otherwise(
    location: str, changes: dict, protection: str
) -> None:
    assert hit(plain((location, 1, 5), **changes))["events"][0]["protection"] == protection


def test_ruling_16_case_ii_counts_as_case_protected() -> None:
    assert hit(plain(("LT", 1, 5), case={"LT": "case_ii"}))["events"][0]["isCASEProtected"] is True


def test_ruling_18_the_sixth_hit_kills_the_pilot_and_ends_the_mech() -> None:
    result = hit(plain(("LT", 1, 5), pilotHits=5))
    assert (result["pilotHits"], result["pilotKilled"], result["cause"]) == (6, True, "pilot_killed")
    assert types(result)[-2:] == ["PilotKilled", "MechDestroyed"]


def test_ruling_18_a_head_explosion_ends_the_mech_and_moves_nowhere() -> None:
    result = hit(plain(("HD", 5, 20)))
    assert (result["cause"], result["transfers"], result["wasted"]) == ("head_destroyed", [], 97)


def test_a_hull_and_a_pilot_lost_together_name_the_hull() -> None:
    result = hit(plain(("CT", 5, 20), pilotHits=5))
    assert (result["cause"], result["pilotKilled"]) == ("ct_destroyed", True)
    assert types(result)[-2:] == ["MechDestroyed", "PilotKilled"]


def test_what_is_already_destroyed_cannot_be_hit_again() -> None:
    spent = {"binId": "a", "location": "LT", "rounds": 5, "damagePerRound": 20, "destroyed": True}
    gun = {"equipmentId": "g", "location": "RA", "type": "gauss", "destroyed": True}
    sheet = plain(bins=[spent], explosiveEquipment=[gun])
    assert hit(sheet)["events"] == [{"type": "NoEffect", "binId": "a", "location": "LT"}]
    result = resolve(sheet, {"kind": "equipment_critical", "equipmentId": "g"})
    assert result["events"] == [{"type": "NoEffect", "equipmentId": "g", "location": "RA"}]
    assert result["totalDamage"] == 0


def test_a_bin_in_a_lost_location_is_lost_with_it() -> None:
    sheet = plain(("LA", 5, 20), structure={**HUNDRED_TONS, "LA": 0})
    assert types(hit(sheet)) == ["NoEffect"]
    assert heat(sheet, 30)["events"] == []


def test_a_wreck_stays_a_wreck_and_its_bins_still_burst() -> None:
    result = hit(plain(("LT", 1, 5), structure={**HUNDRED_TONS, "CT": 0}))
    assert (result["mechDestroyed"], result["cause"]) == (True, "already")
    assert types(result) == ["AmmoExplosion"]


def test_equipment_without_explosive_content_is_simply_destroyed() -> None:
    dud = {"equipmentId": "g", "location": "RA", "type": "searchlight"}
    result = resolve(plain(explosiveEquipment=[dud]), {"kind": "equipment_critical", "equipmentId": "g"})
    assert (result["events"], result["equipmentDestroyed"], result["totalDamage"]) == ([], ["g"], 0)

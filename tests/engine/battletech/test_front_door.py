"""The two operations as a stranger meets them: JSON in, JSON out, errors that name the field."""

from __future__ import annotations

from typing import Any

import pytest

from engine.battletech.mech import Mech
from engine.battletech.presets import STOCK, preset
from engine.contracts import OPS, call
from tests.engine.battletech.sheets import plain

CRITICAL = {"kind": "bin_critical", "binId": "a"}
SHEET = plain(("LT", 5, 20), ("RT", 5, 20))


def error(op: str, document: dict[str, Any]) -> dict[str, Any]:
    reply = call(op, document)
    assert not reply["ok"], reply
    return reply["error"]["details"]


def test_both_operations_answer() -> None:
    assert {"battletech.resolve", "battletech.odds"} <= set(OPS)


def test_the_odds_of_a_heat_and_of_a_plan_of_one_are_the_same() -> None:
    one = call("battletech.odds", {"mech": SHEET, "heat": 23})
    plan = call("battletech.odds", {"mech": SHEET, "heatPlan": [23]})
    assert one == plan
    assert one["result"]["pAny"] == pytest.approx(1 - (13 / 18) ** 2)
    assert set(one["result"]) == {
        "pAny",
        "pNone",
        "expectedExplosions",
        "expectedRawDamage",
        "expectedStructureLoss",
        "expectedPilot",
        "pMechDestroyed",
        "pLocation",
        "pBin",
        "turns",
    }


def test_old_and_new_names_of_a_profile_mean_the_same() -> None:
    for old, new in (("seed", "standard"), ("tw", "total_warfare")):
        first, second = (
            call("battletech.odds", {"rules": {"profile": name}, "mech": SHEET, "heat": 28}) for name in (old, new)
        )
        assert first == second


@pytest.mark.parametrize("field", [{}, {"heat": 20, "heatPlan": [20]}])
def test_odds_need_one_heat_or_one_plan(field: dict) -> None:
    assert error("battletech.odds", {"mech": SHEET, **field})["field"] == "heat"


@pytest.mark.parametrize(("dice", "expected"), [([1, 2, 2, 2, 2, 2], 5), ([1, 2], "more than 2"), ([], "more than 0")])
def test_dice_must_be_exactly_the_dice_used(dice: list[int], expected: Any) -> None:
    details = error("battletech.resolve", {"mech": SHEET, "trigger": {"kind": "heat", "heat": 23, "dice": dice}})
    assert (details["field"], details["constraint"], details["expected"]) == ("trigger.dice", "length", expected)


def test_dice_at_a_heat_without_a_roll_are_left_over() -> None:
    details = error("battletech.resolve", {"mech": SHEET, "trigger": {"kind": "heat", "heat": 12, "dice": [3]}})
    assert (details["expected"], details["actual"]) == (0, 1)


@pytest.mark.parametrize(
    ("document", "field"),
    [
        ({"mech": SHEET, "trigger": {"kind": "bin_critical", "binId": "zz"}}, "trigger.binId"),
        ({"mech": SHEET, "trigger": {"kind": "equipment_critical", "equipmentId": "zz"}}, "trigger.equipmentId"),
        ({"mech": SHEET, "trigger": {"kind": "heat", "heat": 20, "dice": [1], "seed": 1}}, "trigger.seed"),
        ({"mech": {**SHEET, "jumpJets": 4}, "trigger": CRITICAL}, "mech.jumpJets"),
        ({"mech": {"bins": []}, "trigger": CRITICAL}, "mech.structure"),
        ({"mech": {"tonnage": "heavy"}, "trigger": CRITICAL}, "mech.structure"),
        ({"mech": {**SHEET, "bins": SHEET["bins"] * 2}, "trigger": CRITICAL}, "mech.bins"),
        ({"mech": SHEET, "trigger": CRITICAL, "rules": {"profile": 3}}, "rules.profile"),
        ({"mech": 7, "trigger": CRITICAL}, "mech"),
    ],
)
def test_a_bad_document_names_its_field(document: dict, field: str) -> None:
    assert error("battletech.resolve", document)["field"] == field


def test_a_heat_phase_without_dice_or_seed_rolls_real_dice() -> None:
    reply = call("battletech.resolve", {"mech": SHEET, "trigger": {"kind": "heat", "heat": 23}})
    assert len(reply["result"]["checks"]) == 2


def test_the_log_comes_only_when_asked_for_and_gives_sums_and_reasons() -> None:
    sheet = plain(("LT", 5, 20), ("RT", 0, 20), ("LA", 8, 0), case={"LT": "case"})

    def log(trigger: dict, **changes: Any) -> list[tuple[str, str, str]]:
        reply = call("battletech.resolve", {"mech": {**sheet, **changes}, "trigger": trigger, "trace": True})
        return [(line["label"], line["sum"], line["reason"]) for line in reply["result"]["log"]]

    contained = log(CRITICAL)
    assert contained[0] == ("a in LT", "5 × 20 = 100", "explodes")
    assert ("LT structure", "21 − 21 = 0", "") in contained
    assert ("LA", "destroyed", "falls with LT") in contained
    assert contained[-1] == ("LT vented", "79", "CASE stops the transfer")
    assert log({**CRITICAL, "binId": "b"}) == [("b", "0 × 20 = 0", "empty bin: nothing to explode")]
    assert log({**CRITICAL, "binId": "c"}) == [("c", "8 × 0 = 0", "inert ammunition: nothing to explode")]
    rolled = log({"kind": "heat", "heat": 23, "dice": [3, 3]})
    assert rolled == [("Heat check", "3 + 3 = 6, needs 6", "a holds")]
    assert log({"kind": "heat", "heat": 3}) == [("Heat 3", "no roll", "no check below heat 19")]
    assert log({"kind": "heat", "heat": 25}, bins=[]) == [("Heat 25", "no roll", "no bin can explode")]
    two = log(CRITICAL, case={"LT": "case_ii"})
    assert ("LT → CT", "1", "CASE II lets this much through") in two
    wrecked = log(CRITICAL, case={}, armor={})
    assert ("Left over", "48", "nothing beyond CT") in wrecked
    assert wrecked[-1] == ("'Mech", "destroyed", "the centre torso is gone")
    assert "log" not in call("battletech.resolve", {"mech": sheet, "trigger": CRITICAL})["result"]


@pytest.mark.parametrize("key", STOCK)
def test_a_preset_survives_the_wire_and_answers(key: str) -> None:
    document = preset(key).model_dump(mode="json", by_alias=True)
    assert Mech.model_validate(document, by_alias=True, by_name=False) == preset(key)
    assert call("battletech.odds", {"mech": document, "heat": 25})["ok"]


def test_tonnage_fills_in_the_structure() -> None:
    reply = call("battletech.resolve", {"mech": {"tonnage": 55, "bins": SHEET["bins"]}, "trigger": CRITICAL})
    assert reply["result"]["structureDamage"] == {"CT": 18, "LT": 13}


def test_odd_sheets_are_warned_about_never_refused() -> None:
    sheet = Mech.model_validate(
        {
            "tonnage": 50,
            "case": {"LA": "case", "LT": "case", "HD": "case_ii"},
            "bins": [
                {"binId": "a", "location": "LT", "ammo": "ac10", "rounds": 15, "damagePerRound": 10},
                {"binId": "b", "location": "LT", "ammo": "homemade", "rounds": 99, "damagePerRound": 1},
            ],
        }
    )
    assert sheet.warnings == (
        "a: 15 rounds; a full bin of AC/10 holds 10.",
        "LA: Inner Sphere CASE fits torsos only.",
    )
    assert sheet.model_copy(update={"tech_base": "Clan"}).warnings == sheet.warnings[:1]

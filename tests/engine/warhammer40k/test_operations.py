"""The room's operations through the front door, as a client uses them."""

from __future__ import annotations

from typing import Any

import pytest

from engine.contracts import call
from engine.warhammer40k.builder import CombatSequenceBuilder, RerollPolicy

GUN = {"name": "Plasma", "count": 5, "attacks": 2, "skill": 3, "strength": 8, "ap": 3, "damage": "2"}
UNIT = {"models": 10, "toughness": 4, "save": 3, "wounds": 2}
DOCUMENT = {"weapons": [GUN, {"name": "Grenade", "type": "mortal", "mortalWounds": "D3"}], "defender": UNIT}


def ask(op: str, **document: Any) -> dict[str, Any]:
    answer = call(f"warhammer40k.{op}", document)
    assert answer["ok"], answer
    return answer["result"]


def refused(op: str, **document: Any) -> dict[str, Any]:
    answer = call(f"warhammer40k.{op}", document)
    assert not answer["ok"], answer
    return answer["error"]


def test_attack_gives_every_stage_and_a_funnel() -> None:
    result = ask("attack", **DOCUMENT)
    assert result["attacks"]["mean"] == pytest.approx(10)
    assert [row["name"] for row in result["funnel"]] == ["Plasma", "Grenade"]
    assert result["funnel"][0]["hits"] == pytest.approx(20 / 3)
    assert result["funnel"][1]["rawDamage"] == pytest.approx(2)
    assert (result["edition"], result["warnings"], result["points"]) == ("tenth", [], None)


def test_an_empty_document_is_a_valid_empty_result() -> None:
    for document in ({}, {"weapons": [], "defender": None, "rules": None}):
        result = ask("attack", **document)
        assert (result["damage"]["pmf"], result["unitDestroyedProbability"]) == ([1.0], 0.0)


def test_nulls_mean_none() -> None:
    weapon = GUN | {"anti": None, "criticalHit": None, "sustainedHits": None, "blast": None}
    unit = UNIT | {"invulnerable": None, "feelNoPain": None, "woundsAlreadyLost": None}
    assert ask("attack", weapons=[weapon], defender=unit) == ask("attack", weapons=[GUN], defender=UNIT)


def test_points_per_kill() -> None:
    result = ask("attack", weapons=[GUN | {"points": 20}], defender=UNIT | {"points": 18})
    kills = result["destroyed"]["mean"]
    assert result["points"] == {
        "spent": 100,
        "destroyed": pytest.approx(18 * kills),
        "perKill": pytest.approx(100 / kills),
    }
    assert ask("attack", weapons=[GUN | {"points": 20}])["points"]["perKill"] is None


@pytest.mark.parametrize(
    ("edition", "bearer", "chance", "each"),
    [("tenth", False, 1, None), ("tenth", True, 1, 3), ("eleventh", False, 2, 1), ("eleventh", True, 2, 3)],
)
def test_hazardous_weapons_count_what_they_cost(edition: str, bearer: bool, chance: int, each: int | None) -> None:
    weapon = GUN | {"hazardous": True, "bearerMonsterVehicle": bearer}
    (hazard,) = ask("attack", weapons=[weapon], defender=UNIT, rules={"edition": edition})["hazards"]
    assert hazard["failures"]["mean"] == pytest.approx(5 * chance / 6)
    assert (hazard["rolls"], hazard["mortalWoundsEach"]) == (5, each)


def test_simulate_has_standard_errors_and_the_same_answer_for_the_same_seed() -> None:
    first = ask("simulate", **DOCUMENT, iterations=5000, seed=4)
    assert first == ask("simulate", **DOCUMENT, iterations=5000, seed=4)
    exact = ask("attack", **DOCUMENT)
    for stage in ("hits", "wounds", "unsaved", "rawDamage", "damage", "destroyed"):
        assert abs(first[stage]["mean"] - exact[stage]["mean"]) <= 4 * first[stage]["standardError"]
    assert first["standardError"] > 0


SEQUENCE = {
    "attacks": 10,
    "hitting": 3,
    "wounding": 4,
    "saving": 5,
    "damage": 2,
    "rerolls": {"hit": "ones"},
    "modifiers": {"hit": 1},
    "explodingHits": {"on": 6, "extra": 1},
    "mortalWounds": {"on": 6, "count": 1},
    "seed": 12,
}


def test_roll_is_the_builder_with_every_die_and_proof() -> None:
    result = ask("roll", **SEQUENCE)
    plan = CombatSequenceBuilder(seed=12).attacks(10).hitting(3).wounding(4).saving(5).damage(2)
    same = plan.with_rerolls(hit=RerollPolicy.ONES).with_modifiers(hit=1).with_exploding_hits().with_mortal_wounds()
    expected = same.execute()
    assert (result["hits"], result["damage"], result["mortalWounds"]) == (
        expected.hits,
        expected.damage,
        expected.mortal_wounds,
    )
    assert result["verified"]
    assert len(result["hitRolls"]) == len(expected.hit_rolls)
    assert len(result["hitRolls"][0]["original"]["proof"]) == 16


def test_roll_without_a_seed_or_a_save() -> None:
    result = ask("roll", attacks=3, hitting=2, wounding=2, ruleset="tenth")
    assert result["saveRolls"] == []
    assert result["verified"]


def test_policy_names_the_dice_to_reroll_and_what_fishing_costs() -> None:
    gun = GUN | {"twinLinked": True, "devastatingWounds": True}
    result = ask("policy", weapons=[gun], defender=UNIT, objective="kills")
    (row,) = result["weapons"]
    assert row["best"]["wound"] in ("failed", "ones", "noncrit")
    assert row["best"]["worth"] == result["worth"]
    assert len(row["options"]) == 4
    assert row["fishingHits"] is None


def test_improve_says_how_many_more_attacks() -> None:
    result = ask("improve", **DOCUMENT, level=0.5)
    assert result["now"]["wipe"] < 0.5
    assert result["extraAttacks"] > 0
    assert {"label", "pWiped", "gain", "reaches"} == set(result["improvements"][0])


def test_explain_shows_the_readers_own_numbers() -> None:
    gun = GUN | {
        "rapidFire": 1,
        "halfRange": True,
        "melta": 2,
        "blast": 1,
        "rerollHits": "ones",
        "heavy": True,
        "stationary": True,
        "sustainedHits": 1,
        "lethalHits": True,
        "devastatingWounds": True,
        "anti": 2,
        "rerollDamage": "ones",
        "strength": 3,
        "woundModifier": 1,
    }
    unit = UNIT | {
        "cover": True,
        "saveModifier": -1,
        "invulnerable": 5,
        "halveDamage": True,
        "damageReduction": 1,
        "feelNoPain": 5,
    }
    result = ask("explain", weapons=[gun, {"type": "mortal", "mortalWounds": "D3"}], defender=unit)
    steps = {(step["weapon"], step["label"]): step for step in result["steps"]}
    assert "5 × (2 + 1 for Rapid Fire at half range + 2 for every five of 10 models)" in steps[0, "Attack dice"]["why"]
    assert steps[0, "Attack dice"]["value"] == 25
    assert "3+, +1 Heavy: 5/6 kept + 1/6 rerolled × 5/6" in steps[0, "Chance to hit"]["why"]
    assert steps[0, "Chance to hit"]["value"] == pytest.approx(35 / 36)
    assert "S3 against T4 is 5+" in steps[0, "Chance that a hit wounds"]["why"]
    assert (
        "AP-3, +1 cover, -1 modifier, 5+ invulnerable: 5+ is used"
        in steps[0, "Chance that a wound is not saved"]["why"]
    )
    assert "(FNP)" in steps[1, "Mortal wounds on average"]["why"]
    attack = ask("attack", weapons=[gun, {"type": "mortal", "mortalWounds": "D3"}], defender=unit)
    assert steps[None, "Wounds lost on average"]["value"] == pytest.approx(attack["damage"]["mean"])
    assert steps[None, "Chance to wipe the unit out"]["value"] == attack["unitDestroyedProbability"]


@pytest.mark.parametrize(
    ("weapon", "unit", "rules", "wanted"),
    [
        ({"torrent": True}, {}, {}, "every attack hits without a roll"),
        ({"indirect": True}, {"save": 7}, {}, "1–3 always miss"),
        ({}, {"cover": True}, {"edition": "eleventh"}, "4+ after cover and height"),
        ({"ap": 5}, {}, {}, "nothing to roll"),
        ({"attacks": 0}, {}, {}, "0 attacks × 0 unsaved"),
    ],
)
def test_explain_in_other_situations(
    weapon: dict[str, Any], unit: dict[str, Any], rules: dict[str, Any], wanted: str
) -> None:
    result = ask("explain", weapons=[GUN | weapon], defender=UNIT | unit, rules=rules)
    assert any(wanted in step["why"] for step in result["steps"])


@pytest.mark.parametrize(
    ("op", "document", "field", "message"),
    [
        ("attack", {"weapons": [GUN | {"range": 24}]}, "weapons.0.range", "not a known field"),
        ("attack", {"weapons": [GUN | {"damage": "D"}]}, "damage", "not dice notation"),
        ("attack", {"weapons": [GUN | {"damage": -1}]}, "damage", "negative"),
        ("attack", {"weapons": [GUN | {"ap": -1}]}, "weapons.0.ap", "greater than or equal to 0"),
        ("attack", {"rules": {"edition": "ninth"}}, "rules.edition", "tenth"),
        ("attack", {"defender": UNIT | {"woundsAlreadyLost": 2}}, "defender.woundsAlreadyLost", "at most 1"),
        ("simulate", {"iterations": 0}, "iterations", "greater"),
        ("roll", {"attacks": 5}, "hitting", "required"),
        ("roll", {"attacks": 5, "hitting": 3, "wounding": 4, "damage": -1}, "damage", "must be 0–100"),
        ("improve", {**DOCUMENT, "weapon": 1}, "weapon", "no weapon 2"),
    ],
)
def test_bad_input_is_refused_naming_the_field(op: str, document: dict[str, Any], field: str, message: str) -> None:
    error = refused(op, **document)
    assert error["code"] == "ERR_INVALID_INPUT"
    assert error["details"]["field"] == field
    assert message in error["message"]

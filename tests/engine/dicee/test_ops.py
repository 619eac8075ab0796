"""Dicee through the front door, as ``python -m engine`` answers it."""

from __future__ import annotations

import pytest

from engine import contracts
from engine.dicee import tables
from tests.engine.dicee.positions import REFERENCE_VARIANT, card_points
from tests.reference import rows


@pytest.fixture(autouse=True, scope="module")
def _own_directory(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(tables.DIRECTORY_VARIABLE, str(tmp_path_factory.mktemp("front-door")))
        yield


def ask(op, **document):
    return contracts.call(f"dicee.{op}", document)


def result(op, **document):
    answer = ask(op, **document)
    assert answer["ok"], answer
    return answer["result"]


@pytest.mark.parametrize("row", rows("dicee/states.sample")[::10], ids=lambda row: row["id"])
def test_analyze_answers_reference_rows(row):
    found = result(
        "analyze",
        dice=row["dice"],
        rollsRemaining=row["rolls_left"],
        scorecard=card_points(row),
        rulesVariant=REFERENCE_VARIANT[row["variant"]],
        horizon="game",
    )
    assert found["ev"] == pytest.approx(row["ev"], abs=1e-6)
    assert found["scoreOptions"] == pytest.approx(row.get("score_options", {}), abs=1e-6)
    assert {tuple(keep): ev for keep, ev in found["keepOptions"]} == pytest.approx(
        {tuple(keep): ev for keep, ev in row.get("keep_options", [])}, abs=1e-6
    )


def test_analyze_defaults_to_this_turn_and_names_every_field():
    found = result("analyze", dice=[5, 5, 5, 2, 6], rollsRemaining=1, scorecard={})
    assert set(found) == {
        "ev",
        "action",
        "keep",
        "category",
        "runnerUpEv",
        "scoreOptions",
        "keepOptions",
        "categories",
        "computationMethod",
        "confidence",
        "warnings",
    }
    assert found["scoreOptions"]["chance"] == 23
    assert found["categories"]["fives"] == {
        "probability": 1.0,
        "expectedValue": pytest.approx(15 + 5 / 3),
        "currentScore": 15,
        "keep": [2, 5, 5, 5, 6],
    }
    assert (found["computationMethod"], found["confidence"], found["warnings"]) == ("exact", 1.0, [])


@pytest.mark.parametrize("row", rows("dicee/turn_states.sample"), ids=lambda row: row["id"])
def test_the_turn_horizon_answers_reference_rows(row):
    """Everything the turn pays: the box, +100 and +35 (ruling D18)."""
    found = result(
        "analyze",
        dice=row["dice"],
        rollsRemaining=row["rolls_left"],
        scorecard=card_points(row),
        rulesVariant=REFERENCE_VARIANT[row["variant"]],
    )
    assert found["ev"] == pytest.approx(row["full_ev"], abs=1e-9)


def test_odds_follow_the_variant_and_only_legal_boxes_are_options():
    card = {"sixes": 24, "dicee": 50}
    forced = result("analyze", dice=[6] * 5, rollsRemaining=0, scorecard=card, rulesVariant="forced_dicee")
    assert forced["category"] == "large_straight"
    assert (forced["categories"]["large_straight"]["probability"], forced["scoreOptions"]["large_straight"]) == (1, 140)
    assert set(forced["scoreOptions"]) == {"three_of_kind", "four_of_kind", "full_house", "small_straight",
                                           "large_straight", "chance"}  # fmt: skip
    assert forced["categories"]["ones"] | {"keep": []} == {
        "probability": 0.0, "expectedValue": 0.0, "currentScore": 0, "keep": [],
    }  # fmt: skip
    standard = result("analyze", dice=[6] * 5, rollsRemaining=0, scorecard=card)
    assert standard["categories"]["large_straight"]["probability"] == 0


def test_a_kept_mask_gives_the_odds_of_that_keep():
    found = result(
        "analyze", dice=[5, 5, 2, 6, 5], rollsRemaining=1, keptMask=[True, True, False, False, True], scorecard={}
    )
    assert found["categories"]["four_of_kind"]["probability"] == pytest.approx(11 / 36)
    assert found["categories"]["full_house"]["keep"] == [5, 5, 5]
    stopping = result("analyze", dice=[5, 5, 2, 6, 5], rollsRemaining=1, keptMask=[True] * 5, scorecard={})
    assert stopping["categories"]["four_of_kind"]["probability"] == 0


def test_before_the_first_roll_there_are_no_dice():
    found = result("analyze", dice=[], rollsRemaining=3, scorecard={}, rulesVariant="joker_rules", horizon="game")
    assert found["ev"] == pytest.approx(254.589609, abs=1e-6)
    assert (found["action"], found["runnerUpEv"], found["keepOptions"]) == ("roll", None, [])


def test_a_struck_chance_is_accepted_with_a_word_about_it():
    found = result("analyze", dice=[1, 2, 3, 4, 6], rollsRemaining=0, scorecard={"chance": 0})
    assert "Chance holds 0" in found["warnings"][0]


@pytest.mark.parametrize(
    ("variant", "expected"),
    [("standard", 253.970241), ("forced_dicee", 254.587729), ("joker_rules", 254.589609)],
)
def test_solve_gives_the_acceptance_figures(variant, expected):
    fresh = result("solve", rulesVariant=variant, rebuild=True)
    assert fresh["expectedScore"] == pytest.approx(expected, abs=1e-6)
    assert (fresh["states"], fresh["fromTable"]) == (536448, False)
    assert fresh["seconds"] > 0
    assert result("solve", rulesVariant=variant)["expectedScore"] == fresh["expectedScore"]


@pytest.mark.parametrize(
    ("document", "code", "field"),
    [
        ({"dice": [1, 2, 3, 4], "rollsRemaining": 1}, "ERR_INVALID_DICE", "dice"),
        ({"dice": [1, 2, 3, 4, 7], "rollsRemaining": 1}, "ERR_INVALID_DICE", "dice.4"),
        ({"dice": [1, 2, 3, 4, 5.5], "rollsRemaining": 1}, "ERR_INVALID_INPUT", "dice.4"),
        ({"dice": [1, 2, 3, 4, 5], "rollsRemaining": 3}, "ERR_INVALID_TURN", "rollsRemaining"),
        ({"dice": [1, 2, 3, 4, 5], "rollsRemaining": 4}, "ERR_INVALID_INPUT", "rollsRemaining"),
        ({"dice": [1, 2, 3, 4, 5], "rollsRemaining": 1, "keptMask": [True]}, "ERR_INVALID_DICE", "keptMask"),
        (
            {"dice": [1, 2, 3, 4, 5], "rollsRemaining": 1, "scorecard": {"twos": 3}},
            "ERR_INVALID_INPUT",
            "scorecard.twos",
        ),
        (
            {"dice": [1, 2, 3, 4, 5], "rollsRemaining": 1, "scorecard": {"sevens": 7}},
            "ERR_INVALID_CATEGORY",
            "scorecard.sevens",
        ),
        ({"dice": [1, 2, 3, 4, 5], "rollsRemaining": 1, "rulesVariant": "house"}, "ERR_INVALID_INPUT", "rulesVariant"),
        ({"dice": [1, 2, 3, 4, 5], "rollsRemaining": 1, "luck": 1}, "ERR_INVALID_INPUT", "luck"),
    ],
)
def test_bad_input_names_field_limit_and_value(document, code, field):
    error = ask("analyze", **document)["error"]
    assert error["code"] == code
    assert error["details"]["field"] == field
    assert error["details"]["constraint"]
    assert error["details"]["expected"] is not None
    assert error["message"]


def test_simulate_gives_a_distribution_and_the_chance_of_a_target():
    found = result("simulate", iterations=2000, seed=4, rulesVariant="joker_rules", target=250)
    assert set(found) == {
        "mean",
        "sd",
        "ci95",
        "pmf",
        "targetProbability",
        "targetCi95",
        "confidenceLevel",
        "interval",
        "targetInterval",
        "categoryProbability",
        "categoryInterval",
        "actualIterations",
        "warnings",
    }
    assert found["actualIterations"] == 2000
    assert sum(found["pmf"]) == pytest.approx(1)
    assert sum(found["pmf"][250:]) == pytest.approx(found["targetProbability"])
    assert found["targetCi95"][0] < found["targetProbability"] < found["targetCi95"][1]
    again = result("simulate", iterations=2000, seed=4, rulesVariant="joker_rules", target=250)
    assert again == found


def test_simulate_without_a_target_says_nothing_of_one():
    found = result("simulate", iterations=1000, policy="random", dice=[1, 1, 1, 1, 1], rollsRemaining=0)
    assert found["targetProbability"] is None
    assert found["mean"] > 5


@pytest.mark.parametrize(
    ("document", "field"),
    [({"iterations": 999}, "iterations"), ({"seed": -1}, "seed"), ({"policy": "lucky"}, "policy")],
)
def test_simulate_refuses_bad_input_by_field(document, field):
    error = ask("simulate", **document)["error"]
    assert error["code"] == "ERR_INVALID_INPUT"
    assert error["details"]["field"] == field

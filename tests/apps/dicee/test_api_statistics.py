"""Odds, recommendation and verdict for any position, as RFC-003 §6 asks and the rulings correct."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from apps.dicee.services import horizon
from apps.dicee.services.api.documents import (
    ErrorResponse,
    EvaluationResponse,
    ProbabilityResponse,
    RecommendationResponse,
)
from engine.dicee.boxes import BOXES, Variant

FIVES = {"diceResult": [5, 5, 5, 2, 6], "rollsRemaining": 1}
STRUCK = {"currentScorecard": {"threeOfKind": 0}}  # where three of a kind would pay the same 23
KEPT = FIVES | {"keptMask": [True, True, True, False, False]}


CARD_WITHOUT_DICEE = ("ones", "twos", "threes", "fours", "fives", "sixes", "threeOfKind", "fourOfKind", "fullHouse",
                      "smallStraight", "largeStraight", "chance")  # fmt: skip


def post(path: str, body: dict[str, Any]) -> Any:
    return Client().post(f"/api/v1/{path}", body, content_type="application/json")


@pytest.mark.parametrize(
    ("box", "p"),
    [("full_house", 5 / 36), ("four_of_kind", 11 / 36), ("dicee", 1 / 36), ("fives", 1.0), ("chance", 1.0)],
)
def test_the_odds_of_the_rulings(db: None, box: str, p: float) -> None:
    """D2 and D3: five of a kind is no full house, and at least four is four."""
    found = ProbabilityResponse.model_validate(post("stats/probabilities", KEPT).json())
    assert found.probabilities.categories[box].probability == pytest.approx(p)


def test_the_vector_obeys_its_own_validation_rules(db: None) -> None:
    found = ProbabilityResponse.model_validate(post("stats/probabilities", FIVES).json()).probabilities
    best = found.categories[found.optimal_category]
    assert best.expected_value == pytest.approx(found.optimal_ev)
    assert all(0 <= box.probability <= 1 for box in found.categories.values())
    assert all(box.expected_value <= found.optimal_ev for box in found.categories.values())
    assert found.confidence == 1.0


def test_odds_and_advice_follow_the_joker(db: None) -> None:
    """D19: five sixes with Sixes and Dicee filled. The best box has a chance; a forbidden box says so."""
    body = {"diceResult": [6] * 5, "rollsRemaining": 0, "currentScorecard": {"sixes": 24, "dicee": 50}}
    body |= {"rulesVariant": "forced_dicee"}
    found = ProbabilityResponse.model_validate(post("stats/probabilities", body).json()).probabilities
    best = found.categories["large_straight"]
    assert found.optimal_category == "large_straight"
    assert (best.probability, best.expected_value, best.current_score, best.legal) == (1, 40, 40, True)
    assert not found.categories["ones"].legal
    assert found.categories["ones"].probability == 0
    advised = RecommendationResponse.model_validate(post("stats/recommendation", body).json()).recommendation
    assert (advised.recommended_category, advised.expected_value) == ("large_straight", 140)


def test_the_turn_counts_the_hundred(db: None) -> None:
    """D18: only the straights are open; five sixes earn 100, which is not rolled away."""
    card = dict.fromkeys(("ones", "twos", "threes", "fours", "fives", "sixes", "chance"), 0)
    card |= {"threeOfKind": 0, "fourOfKind": 0, "fullHouse": 0, "dicee": 50}
    body = {"diceResult": [6] * 5, "rollsRemaining": 2, "currentScorecard": card, "explanationDepth": "minimal"}
    found = RecommendationResponse.model_validate(post("stats/recommendation", body).json())
    assert (found.recommendation.action, found.recommendation.expected_value) == ("score", 100)
    assert len(found.recommendation.reasoning) <= 200
    assert "rest of the game" not in found.recommendation.reasoning


def test_chance_is_23(db: None) -> None:
    """D1, and the default horizon is the turn (D6)."""
    found = RecommendationResponse.model_validate(
        post("stats/recommendation", FIVES | STRUCK | {"rollsRemaining": 0, "explanationDepth": "minimal"}).json()
    )
    assert found.recommendation.recommended_category == "chance"
    assert found.recommendation.expected_value == 23
    assert len(found.recommendation.reasoning) <= 200
    assert all(other.ev_difference >= 0 for other in found.recommendation.alternatives)
    assert found.horizon_used == "turn"


def test_the_game_horizon_keeps_fives(db: None) -> None:
    found = RecommendationResponse.model_validate(
        post("stats/recommendation", FIVES | {"rollsRemaining": 2, "horizon": "game"}).json()
    )
    assert found.horizon_used == "game"
    assert found.recommendation.action == "reroll"
    assert found.recommendation.kept_mask == (True, True, True, False, False)


def test_without_the_table_it_says_what_it_looked_at(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ODDSMITH_TABLES_DIR", "/nonexistent")
    found = post("stats/recommendation", FIVES | {"horizon": "game"}).json()
    assert (found["horizonUsed"], found["notice"]) == ("turn", horizon.WARMING_UP)


def test_a_verdict(db: None) -> None:
    body = {"gameState": {"diceResult": [5, 5, 5, 2, 6], "rollNumber": 3, "scorecard": {"threeOfKind": 0}}}
    body |= {"chosenCategory": "fives"}
    found = EvaluationResponse.model_validate(post("stats/evaluate", body).json())
    assert (found.points_earned, found.optimal_category, found.optimal_ev) == (15, "chance", 23)
    assert found.ev_difference == pytest.approx(8)
    assert found.ev_percentage_loss == pytest.approx(8 / 23)
    assert found.decision_quality == "suboptimal"


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"diceResult": [1, 2, 3, 7, 1]}, "dice.3"),
        ({"diceResult": [1, 2, 3]}, "dice"),
        ({"rollsRemaining": 3}, "rollsRemaining"),
        ({"availableCategories": ["chance"], "currentScorecard": {}}, "availableCategories"),
        ({"currentScorecard": {"fullHouse": 24}}, "scorecard.full_house"),
        ({"guess": 1}, "guess"),
    ],
)
def test_what_cannot_be_is_refused_by_name(db: None, change: dict[str, Any], field: str) -> None:
    reply = post("stats/probabilities", FIVES | change)
    assert reply.status_code == 422
    assert ErrorResponse.model_validate(reply.json()).error.details["field"] == field


def test_the_example_of_rfc_001_is_answered(db: None) -> None:
    """A few categories and no card (RFC-001 §5.2): the other boxes count as struck."""
    body = {
        "dice": [5, 5, 5, 2, 6],
        "keptMask": [True, True, True, False, False],
        "rollsRemaining": 1,
        "availableCategories": ["full_house", "fives", "chance"],
    }
    found = ProbabilityResponse.model_validate(post("stats/probabilities", body).json())
    assert set(found.probabilities.categories) == {"full_house", "fives", "chance"}
    assert found.probabilities.categories["full_house"].probability == pytest.approx(5 / 36)  # ruling D2
    assert found.probabilities.computation_time_ms > 0
    advised = RecommendationResponse.model_validate(post("stats/recommendation", body).json())
    assert advised.recommendation.kept_mask == (True, True, True, False, True)
    assert advised.recommendation.expected_value == pytest.approx(15 + 6 + 3.5)


@pytest.mark.parametrize("name", ["opponentScores", "recentDecisions", "maxComputationTimeMs"])
def test_an_input_without_effect_is_refused_by_name(db: None, name: str) -> None:
    reply = post("stats/recommendation", FIVES | {name: [100]})
    assert reply.status_code == 422
    error = ErrorResponse.model_validate(reply.json()).error
    assert (error.details["field"], error.details["constraint"]) == (name, "absent")


def test_simulation_of_a_box_at_a_level_of_confidence(db: None) -> None:
    body = {"dice": [5, 5, 5, 5, 2], "rollsRemaining": 1, "iterations": 10_000, "targetCategory": "dicee", "seed": 3}
    body |= {"scorecard": dict.fromkeys(CARD_WITHOUT_DICEE, 0)}
    wide = post("simulate", body | {"confidenceLevel": 0.99}).json()
    narrow = post("simulate", body | {"confidenceLevel": 0.8}).json()
    low, high = wide["categoryInterval"]
    assert low <= 1 / 6 <= high
    assert narrow["categoryProbability"] == wide["categoryProbability"]
    assert narrow["categoryInterval"][1] - narrow["categoryInterval"][0] < (high - low) * 0.55
    assert wide["interval"][0] < wide["ci95"][0] < narrow["interval"][0]


def test_a_box_that_is_filled_cannot_be_aimed_at(db: None) -> None:
    reply = post("simulate", {"scorecard": {"dicee": 50}, "targetCategory": "dicee"})
    assert reply.status_code == 422
    assert reply.json()["error"]["details"]["field"] == "targetCategory"


def test_available_categories_may_be_said_twice(db: None) -> None:
    assert post("stats/probabilities", FIVES | {"availableCategories": list(BOXES)}).status_code == 200


def test_simulation_agrees_with_the_exact_value(db: None) -> None:
    body = {"dice": [6, 6, 6, 6, 6], "rollsRemaining": 0, "iterations": 2000, "policy": "optimal", "seed": 1}
    found = post("simulate", body).json()
    table = horizon.ready(Variant.STANDARD)
    assert table is not None
    assert found["actualIterations"] == 2000
    exact = Client().post(
        "/api/v1/compute/dicee.analyze", {"dice": [6] * 5, "rollsRemaining": 0, "horizon": "game"}, "application/json"
    )
    assert abs(found["mean"] - exact.json()["ev"]) < 6 * found["sd"] / 2000**0.5

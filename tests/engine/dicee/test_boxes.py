"""What dice pay, which boxes the rules allow, and cards that cannot be."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.dicee.boxes import (
    BOX_NUMBER,
    BOXES,
    FIVE_OF,
    NATURAL,
    UPPER_PAR,
    Scorecard,
    Situation,
    Variant,
    natural_score,
    situation,
)
from engine.dicee.lattice import ROLLS, roll_number
from engine.wire import EngineError
from tests.engine.dicee.positions import five_dice, scorecards, variants
from tests.oracles import dicee as slow


@pytest.mark.parametrize("box", BOXES)
def test_every_box_pays_what_the_slow_rules_say_for_every_roll(box):
    number = BOX_NUMBER[box]
    assert NATURAL[number].tolist() == [slow.score(box, dice) for dice in ROLLS]
    assert natural_score(number, (6, 6, 6, 6, 6)) == slow.score(box, (6, 6, 6, 6, 6))


def test_rulings_on_single_scores():
    assert natural_score(BOX_NUMBER["chance"], [5, 5, 5, 2, 6]) == 23  # D1
    assert natural_score(BOX_NUMBER["full_house"], [5] * 5) == 0  # D2


@given(scorecards(), five_dice, variants)
def test_legal_boxes_are_those_of_the_slow_rules(card, dice, variant):
    assert card.legal_scores(dice, variant) == slow.legal(variant.value, frozenset(card.open_boxes), dice)


@given(scorecards(), st.integers(1, 6), variants)
def test_a_five_of_a_kind_always_has_a_legal_box(card, face, variant):
    dice = (face,) * 5
    legal = card.legal_scores(dice, variant)
    assert legal == slow.legal(variant.value, frozenset(card.open_boxes), dice)
    assert legal
    assert card.bonus_for(dice) == (100 if card.holds_dicee else 0)


def test_only_five_of_a_kind_changes_the_situation():
    filled = (1 << BOX_NUMBER["dicee"]) | 1
    assert situation(filled, roll_number([1] * 5)) is Situation.JOKER_LOWER
    assert situation(filled, roll_number([2] * 5)) is Situation.MATCHING_OPEN
    assert situation(filled, roll_number([1, 1, 1, 1, 2])) is Situation.NATURAL
    assert situation(0b1_1111_1100_0000 | 1, roll_number([1] * 5)) is Situation.JOKER_UPPER
    assert sorted(FIVE_OF[FIVE_OF >= 0]) == [0, 1, 2, 3, 4, 5]


@given(scorecards(), five_dice, variants)
def test_a_score_changes_one_box_and_the_totals_add_up(card, dice, variant):
    for box, points in card.legal_scores(dice, variant).items():
        after = card.after(box, dice, variant)
        assert set(card.open_boxes) - set(after.open_boxes) == {box}
        assert after.turns_completed == card.turns_completed + 1
        assert after.dicee_bonus - card.dicee_bonus == card.bonus_for(dice)
        upper = sum(p or 0 for p in after.points[:6])
        assert after.upper_subtotal == upper
        assert after.upper_bonus == (35 if upper >= UPPER_PAR else 0)
        gained = points + card.bonus_for(dice) + after.upper_bonus - card.upper_bonus
        assert after.grand_total == card.grand_total + gained


@given(scorecards(least_open=0))
def test_a_card_survives_the_wire(card):
    assert Scorecard.from_wire(card.to_wire()) == card
    short = {box: points for box, points in zip(BOXES, card.points, strict=True) if points is not None}
    assert Scorecard.from_wire(short | {"diceeBonus": card.dicee_bonus}) == card


@pytest.mark.parametrize(
    ("wire", "field", "actual"),
    [
        ({"twos": 3}, "scorecard.twos", 3),
        ({"ones": 6}, "scorecard.ones", 6),
        ({"sixes": -6}, "scorecard.sixes", -6),
        ({"chance": 4}, "scorecard.chance", 4),
        ({"three_of_kind": 31}, "scorecard.three_of_kind", 31),
        ({"fullHouse": 20}, "scorecard.full_house", 20),
        ({"dicee": 100}, "scorecard.dicee", 100),
        ({"dicee": "50"}, "scorecard.dicee", "50"),
        ({"ones": True}, "scorecard.ones", True),
        ({"diceeBonus": 100}, "scorecard.diceeBonus", 100),
        ({"dicee": 0, "ones": 1, "diceeBonus": 100}, "scorecard.diceeBonus", 100),
        ({"dicee": 50, "ones": 1, "diceeBonus": 200}, "scorecard.diceeBonus", 200),
        ({"dicee": 50, "ones": 1, "diceeBonus": 50}, "scorecard.diceeBonus", 50),
        ({"ones": 3, "upperSubtotal": 4}, "scorecard.upperSubtotal", 4),
        ({"ones": 3, "upperBonus": 35}, "scorecard.upperBonus", 35),
        ({"ones": 3, "grandTotal": 38}, "scorecard.grandTotal", 38),
        ({"ones": 3, "lowerTotal": 1}, "scorecard.lowerTotal", 1),
        ({"ones": 3, "turnsCompleted": 2}, "scorecard.turnsCompleted", 2),
    ],
)
def test_impossible_cards_are_refused_by_field(wire, field, actual):
    with pytest.raises(EngineError) as caught:
        Scorecard.from_wire(wire)
    assert caught.value.code == "ERR_INVALID_INPUT"
    assert caught.value.details["field"] == field
    assert caught.value.details["actual"] == actual
    assert caught.value.details["expected"] is not None


def test_an_unknown_box_is_refused_by_name():
    with pytest.raises(EngineError, match="sevens") as caught:
        Scorecard.from_wire({"sevens": 7})
    assert caught.value.code == "ERR_INVALID_CATEGORY"
    with pytest.raises(EngineError, match="sevens"):
        Scorecard().after("sevens", [1] * 5, Variant.STANDARD)


def test_a_box_is_scored_once():
    card = Scorecard().after("fives", [5, 5, 1, 2, 3], Variant.STANDARD)
    with pytest.raises(EngineError, match="already holds 10") as caught:
        card.after("fives", [5, 5, 5, 5, 5], Variant.STANDARD)
    assert caught.value.code == "ERR_CATEGORY_SCORED"


def test_the_forced_joker_names_the_only_box_it_may_use():
    card = Scorecard().after("dicee", [1] * 5, Variant.FORCED_DICEE)
    with pytest.raises(EngineError, match="must go in fours") as caught:
        card.after("chance", [4] * 5, Variant.FORCED_DICEE)
    assert caught.value.code == "ERR_INVALID_CATEGORY"
    assert card.after("fours", [4] * 5, Variant.FORCED_DICEE).grand_total == 50 + 20 + 100
    assert card.after("chance", [4] * 5, Variant.JOKER_RULES).grand_total == 50 + 20 + 100

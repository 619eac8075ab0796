"""One decision: reference figures, brute force and the promises of RFC-003 §10."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from engine.dicee.analysis import Horizon, Position, analyze, box_odds, keep_odds, odds, position_odds
from engine.dicee.boxes import BOXES, Scorecard, Variant
from engine.dicee.lattice import keep_number
from engine.wire import EngineError
from tests.engine.dicee.positions import five_dice, position, positions, scorecards
from tests.oracles import dicee as slow
from tests.reference import rows

GAME_ROWS = rows("dicee/states.sample")
TURN_ROWS = rows("dicee/turn_states.sample")
ODDS_ROWS = rows("dicee/prob_states.sample")
ACTION = {"roll": "roll", "keep": "reroll", "score": "score"}


def _is_best(found, best) -> bool:
    option = found.best
    return (
        option.action == ACTION[best["type"]]
        and option.box == best.get("category")
        and option.keep == (tuple(best["keep"]) if "keep" in best else None)
    )


@pytest.mark.parametrize("row", GAME_ROWS, ids=lambda row: row["id"])
def test_game_horizon_reference_row(row, table_of):
    here = position(row)
    found = analyze(here, Horizon.GAME, table_of(here.variant))
    assert found.ev == pytest.approx(row["ev"], abs=1e-6)
    assert found.runner_up_ev == (row["runner_up_ev"] and pytest.approx(row["runner_up_ev"], abs=1e-6))
    assert found.ties == row["ties"]
    assert row["ties"] > 1 or _is_best(found, row["best"])
    boxes = {option.box: option.ev for option in found.boxes}
    assert boxes == pytest.approx(row.get("score_options", {}), abs=1e-6)
    keeps = {option.keep: option.ev for option in found.keeps}
    assert keeps == pytest.approx({tuple(keep): ev for keep, ev in row.get("keep_options", [])}, abs=1e-6)


@pytest.mark.parametrize("row", TURN_ROWS, ids=lambda row: row["id"])
def test_turn_horizon_reference_row(row):
    found = analyze(position(row))
    assert found.ev == pytest.approx(row["full_ev"], abs=1e-9)
    if "full_runner_up_ev" in row:
        assert found.runner_up_ev == pytest.approx(row["full_runner_up_ev"], abs=1e-9)
        assert found.ties == row["full_ties"]
        assert row["full_ties"] > 1 or _is_best(found, row["full_best"])


@pytest.mark.parametrize("row", ODDS_ROWS, ids=lambda row: row["id"])
def test_box_odds_reference_row(row):
    best = box_odds(row["dice"], row["rolls_left"])
    given_keep = box_odds(row["dice"], row["rolls_left"], row["given_keep"]) if "given_keep" in row else best
    for box, expected in row["categories"].items():
        assert best[box].probability * 6**15 == expected["p_num_6pow15"]
        assert float(best[box].expected) == pytest.approx(expected["exp_score"], abs=1e-9)
        if "given_keep" in row:
            assert float(given_keep[box].probability) == pytest.approx(expected["p_given_keep"], abs=1e-9)
            assert float(given_keep[box].expected) == pytest.approx(expected["exp_score_given_keep"], abs=1e-9)


@given(five_dice, st.integers(0, 2))
@settings(max_examples=25)
def test_box_odds_match_listing_every_outcome(dice, rolls_left):
    found = box_odds(dice, rolls_left)
    sorted_dice = tuple(sorted(dice))
    for box in ("sixes", "full_house", "small_straight", "three_of_kind"):
        hit = slow.Turn(_HITS[box])
        points = slow.Turn(lambda final, box=box: slow.score(box, final))
        assert float(found[box].probability) == pytest.approx(hit.roll_value(sorted_dice, rolls_left), abs=1e-9)
        assert float(found[box].expected) == pytest.approx(points.roll_value(sorted_dice, rolls_left), abs=1e-9)


_HITS = {
    "sixes": lambda dice: float(dice.count(6) >= 3),
    "full_house": lambda dice: float(slow.score("full_house", dice) > 0),
    "small_straight": lambda dice: float(slow.score("small_straight", dice) > 0),
    "three_of_kind": lambda dice: float(slow.score("three_of_kind", dice) > 0),
}


@given(positions())
@settings(max_examples=25)
def test_turn_values_match_listing_every_outcome(here):
    boxes, upper, fifty = frozenset(here.card.open_boxes), here.card.upper_subtotal, here.card.holds_dicee
    turn = slow.Turn(lambda dice: max(slow.turn_pay(here.variant.value, boxes, upper, fifty, dice).values()))
    dice = tuple(sorted(here.dice))
    found = analyze(here)
    assert found.ev == pytest.approx(turn.roll_value(dice, here.rolls_left), abs=1e-9)
    for option in found.keeps:
        assert option.ev == pytest.approx(turn.keep_value(option.keep, here.rolls_left), abs=1e-9)


@st.composite
def joker_positions(draw):
    """The Dicee box is filled, often with dice that make a further five of a kind likely."""
    card = draw(scorecards())
    filled = draw(st.sampled_from((0, 50)))
    points = (*card.points[:11], filled, card.points[12])
    assume(None in points)
    face = draw(st.integers(1, 6))
    dice = draw(st.one_of(five_dice, st.tuples(*[st.sampled_from((face, face, face, 1))] * 5)))
    return Position(Scorecard(points), draw(st.sampled_from(list(Variant)[1:])), dice, draw(st.integers(0, 2)))


@given(joker_positions(), st.sampled_from(BOXES))
@settings(max_examples=40)
def test_odds_by_the_rules_match_listing_every_outcome(here, box):
    """Ruling D19: jokers count, a roll the forced joker sends elsewhere misses, forbidden boxes are not legal."""
    boxes, variant, dice = frozenset(here.card.open_boxes), here.variant.value, tuple(sorted(here.dice))
    found = position_odds(here)
    may_now = slow.legal(variant, boxes, dice)
    assert {name for name, odds in found.items() if odds.legal} == set(may_now)
    if box not in boxes:
        assert found[box].probability == box_odds(here.dice, here.rolls_left)[box].probability
        return
    hit = slow.Turn(lambda final: float(slow.makes(variant, boxes, box, final)))
    pays = slow.Turn(lambda final: slow.legal(variant, boxes, final).get(box, 0))
    assert float(found[box].probability) == pytest.approx(hit.roll_value(dice, here.rolls_left), abs=1e-9)
    assert float(found[box].expected) == pytest.approx(pays.roll_value(dice, here.rolls_left), abs=1e-9)
    assert found[box].current_score == may_now.get(box, 0)
    p, points = keep_odds(here)
    for keep in (found[box].keep, found[box].expected_keep, dice[:2]):
        stops = here.rolls_left == 0 or len(keep) == 5
        of_keep = float(slow.makes(variant, boxes, box, dice)) if stops else hit.keep_value(keep, here.rolls_left)
        paid = may_now.get(box, 0) if stops else pays.keep_value(keep, here.rolls_left)
        number = keep_number(dice if stops else keep)
        assert p[number, BOXES.index(box)] == pytest.approx(of_keep, abs=1e-9)
        assert points[number, BOXES.index(box)] == pytest.approx(paid, abs=1e-9)


@given(positions())
def test_without_a_joker_the_odds_are_those_of_the_dice_alone(here):
    if here.variant is not Variant.STANDARD and here.card.points[11] is not None:
        return
    alone = box_odds(here.dice, here.rolls_left)
    for box, by_rules in position_odds(here).items():
        assert replace(by_rules, legal=True) == alone[box]


def test_a_best_box_that_pays_always_has_a_chance():
    """Five sixes as a joker: the best box was shown beside "no chance" and 0 points."""
    for variant in (Variant.FORCED_DICEE, Variant.JOKER_RULES):
        here = Position(Scorecard.from_wire({"sixes": 24, "dicee": 50}), variant, (6,) * 5, 0)
        best = analyze(here).best
        odds = position_odds(here)[best.box]
        assert (best.box, best.ev) == ("large_straight", 140)
        assert (odds.probability, odds.expected, odds.current_score, odds.legal) == (1, 40, 40, True)


def test_the_turn_horizon_counts_the_hundred_of_a_further_five_of_a_kind():
    """Only straights open, five sixes on the table: 100 is banked, not rolled away."""
    card = Scorecard.from_wire(dict.fromkeys((*BOXES[:9], "chance"), 0) | {"dicee": 50})
    here = Position(card, Variant.STANDARD, (6,) * 5, 2)
    assert (analyze(here).best.action, analyze(here).ev) == ("score", 100)
    one_left = Position(card, Variant.STANDARD, (6, 6, 6, 6, 2), 1)
    assert analyze(one_left).option(keep=(6, 6, 6, 6)).ev == pytest.approx(100 / 6)


def test_the_turn_horizon_counts_the_bonus_a_score_reaches():
    card = Scorecard.from_wire({"twos": 6, "threes": 9, "fours": 12, "fives": 15, "sixes": 18})
    found = analyze(Position(card, Variant.STANDARD, (1, 1, 1, 5, 6), 0))
    assert (found.best.box, found.ev) == ("ones", 38)
    assert found.option(box="chance").ev == 14


@given(positions())
def test_what_an_option_costs_is_what_it_loses_unless_it_ties(here):
    for option in analyze(here).options:
        assert option.cost == (0 if option.points_lost <= 1e-9 else option.points_lost)


@given(positions())
def test_a_further_roll_is_never_a_disadvantage(table_of, here):
    for horizon in Horizon:
        values = [
            analyze(Position(here.card, here.variant, here.dice, left), horizon, table_of(here.variant)).ev
            for left in (0, 1, 2)
        ]
        assert values[0] - 1e-9 <= values[1] <= values[2] + 1e-9


@given(positions())
def test_the_best_option_is_the_value_and_nothing_beats_it(table_of, here):
    for horizon in Horizon:
        found = analyze(here, horizon, table_of(here.variant))
        assert found.best.ev == pytest.approx(found.ev, abs=1e-9)
        assert found.best.points_lost <= 1e-9
        for option in found.options:
            assert option.points_lost == pytest.approx(found.ev - option.ev, abs=1e-9)
        assert [option.rank for option in found.options] == list(range(1, len(found.options) + 1))
        assert found.top == found.options[:3]
        assert (found.computation_method, found.confidence) == ("exact", 1.0)


@given(five_dice, st.integers(0, 2))
def test_odds_stay_inside_their_bounds(dice, rolls_left):
    for name, box in box_odds(dice, rolls_left).items():
        assert 0 <= box.probability <= 1
        assert box.expected >= 0
        assert box.current_score == slow.score(name, dice)
        assert box.expected >= box.current_score


def test_rulings_on_the_worked_example():
    kept = box_odds([5, 5, 5, 2, 6], 1, kept=[5, 5, 5])
    assert kept["full_house"].probability == Fraction(5, 36)  # D2
    assert kept["four_of_kind"].probability == Fraction(11, 36)  # D3
    assert kept["dicee"].probability == Fraction(1, 36)


def test_before_the_first_roll_there_is_only_rolling(table):
    found = analyze(Position(Scorecard(), Variant.JOKER_RULES), Horizon.GAME, table)
    assert (found.best.action, found.best.keep, found.best.box, found.runner_up_ev) == ("roll", None, None, None)
    assert found.ev == pytest.approx(table.expected_score, abs=1e-9)
    assert box_odds([], 3)["dicee"].probability == Fraction(347897, 7558272)


def test_points_in_hand_come_first_on_a_tie():
    found = analyze(Position(Scorecard(), Variant.STANDARD, (2, 3, 4, 5, 6), 2))
    assert found.best.box == "large_straight"


def test_a_chosen_option_can_be_looked_up():
    found = analyze(Position(Scorecard(), Variant.STANDARD, (5, 5, 5, 2, 6), 1))
    assert found.option(keep=[5, 5, 5]).keep == (5, 5, 5)
    assert found.option(keep=[6, 5, 5, 5, 2]) == found.boxes[0]
    assert found.option(box="fives").ev == 15
    with pytest.raises(EngineError) as caught:
        found.option(keep=[1])
    assert caught.value.code == "ERR_INVALID_DICE"
    with pytest.raises(EngineError) as caught:
        found.option(box="sevens")
    assert caught.value.code == "ERR_INVALID_CATEGORY"


def test_a_keep_must_be_part_of_the_roll():
    with pytest.raises(EngineError, match="cannot be kept") as caught:
        box_odds([1, 2, 3, 4, 5], 1, kept=[6])
    assert caught.value.details["field"] == "keptMask"


FULL = Scorecard.from_wire(dict.fromkeys(BOXES, 0))


@pytest.mark.parametrize(
    ("card", "dice", "rolls_left", "code"),
    [
        (Scorecard(), (1, 2, 3, 4, 5), 3, "ERR_INVALID_TURN"),
        (Scorecard(), (1, 2, 3, 4, 5), 4, "ERR_INVALID_TURN"),
        (Scorecard(), (), 1, "ERR_INVALID_DICE"),
        (Scorecard(), (1, 2, 3, 4), 2, "ERR_INVALID_DICE"),
        (Scorecard(), (1, 2, 3, 4, 7), 2, "ERR_INVALID_DICE"),
        (FULL, (1, 2, 3, 4, 5), 2, "ERR_GAME_COMPLETED"),
    ],
)
def test_impossible_positions_are_refused(card, dice, rolls_left, code):
    with pytest.raises(EngineError) as caught:
        Position(card, Variant.STANDARD, dice, rolls_left)
    assert caught.value.code == code


@pytest.mark.parametrize(
    ("p", "percent", "one_in"),
    [
        (Fraction(0), "0.0 %", "never"),
        (Fraction(1), "100.0 %", "always"),
        (Fraction(1, 6), "16.7 %", "1 in 6"),
        (Fraction(1, 7776), "<0.1 %", "1 in 7776"),
        (Fraction(7775, 7776), ">99.9 %", "1 in 1"),
    ],
)
def test_odds_are_worded_so_that_the_possible_is_never_zero(p, percent, one_in):
    words = odds(p)
    assert words.percent == percent
    assert words.one_in == one_in
    assert words.fraction == f"{p.numerator}/{p.denominator}"

"""The numbers that come with the table page, against slow and independent ways to get them."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apps.dicee.services.page import coach
from engine.dicee import advice, tables
from engine.dicee.analysis import Horizon, Option, Position, analyze, box_odds
from engine.dicee.boxes import BOXES, Scorecard, Variant, natural_score

CARD = Scorecard.from_wire({"ones": 3, "threes": 9, "sixes": 18, "small_straight": 30})
FIVES = (5, 5, 5, 2, 6)


def position(rolls_left: int, dice: tuple[int, ...] = FIVES) -> Position:
    return Position(CARD, Variant.STANDARD, dice, rolls_left)


def solved() -> tables.Table:
    return tables.load(Variant.STANDARD)


def test_a_hold_has_the_odds_of_all_36_outcomes() -> None:
    """Kept 5-5-5: 11/36 for a fourth five, 5/36 for a full house, 1/36 for Dicee (rulings D2, D3)."""
    hold = coach.numbers(position(1), solved()).hold(0b00111)
    assert hold.keep == (5, 5, 5)
    for box, hits in (("four_of_kind", 11), ("full_house", 5), ("dicee", 1), ("fives", 36)):
        assert hold.p[BOXES.index(box)] == pytest.approx(hits / 36)
    points = [natural_score(BOXES.index("fives"), (5, 5, 5, *rest)) for rest in product(range(1, 7), repeat=2)]
    assert hold.points[BOXES.index("fives")] == pytest.approx(sum(points) / 36)


def test_every_mask_means_the_dice_it_marks() -> None:
    numbers = coach.numbers(position(2), solved())
    for mask in range(32):
        marked = tuple(sorted(face for die, face in enumerate(FIVES) if mask >> die & 1))
        assert numbers.hold(mask).keep == marked


@settings(max_examples=25, deadline=None)
@given(st.tuples(*[st.integers(1, 6)] * 5), st.integers(0, 2))
def test_values_agree_with_the_engines_own_analysis(dice: tuple[int, ...], rolls_left: int) -> None:
    here, table = position(rolls_left, dice), solved()
    numbers, found = coach.numbers(here, table), analyze(here, Horizon.GAME, table)
    assert numbers.hold(numbers.best).final == pytest.approx(CARD.grand_total + found.ev)
    assert max(hold.final for hold in numbers.holds) == pytest.approx(CARD.grand_total + found.ev)
    for keep in found.keeps:
        mask = coach.mask_of(dice, keep)
        assert numbers.hold(mask).final == pytest.approx(CARD.grand_total + keep.ev)


def test_a_box_played_for_alone_is_counted_outcome_by_outcome() -> None:
    """Stop: the box as it stands. One roll left, 5-5-5 kept: the mean over 36 outcomes of what the box leaves."""
    here, table = position(1), solved()
    numbers = coach.numbers(here, table)
    for box in ("fives", "chance", "full_house", "dicee"):
        number, finals = BOXES.index(box), []
        for rest in product(range(1, 7), repeat=2):
            after = CARD.after(box, (5, 5, 5, *rest), Variant.STANDARD)
            finals.append(after.grand_total + table.value(after))
        assert numbers.hold(0b00111).finals[number] == pytest.approx(sum(finals) / 36)
        stop = CARD.after(box, FIVES, Variant.STANDARD)
        assert numbers.hold(coach.STOP).finals[number] == pytest.approx(stop.grand_total + table.value(stop))


@pytest.mark.parametrize("rolls_left", [1, 2])
def test_where_best_play_ends_is_the_engines_outlook(rolls_left: int) -> None:
    here, table = position(rolls_left), solved()
    numbers = coach.numbers(here, table)
    for keep in analyze(here, Horizon.GAME, table).keeps[:8]:
        ahead = advice.outlook(here, keep, table)
        ends = numbers.hold(coach.mask_of(FIVES, keep)).ends
        assert sum(ends) == pytest.approx(1)
        for number in range(len(BOXES)):
            assert ends[number] == pytest.approx(float(ahead.final[ahead.box == number].sum()))


def test_a_hold_is_for_the_box_best_play_ends_in() -> None:
    """Threes and fours of a run: the straight is what it is for, even if insisting on it alone would cost points."""
    hold = coach.numbers(position(1, (2, 3, 4, 6, 6)), solved()).hold(0b00111)
    opened = [number for number, points in enumerate(CARD.points) if points is None]
    assert hold.order(opened)[0] == max(opened, key=lambda number: hold.ends[number])
    assert hold.order(opened, by_turn=True)[0] == max(opened, key=lambda number: hold.points[number])


def test_filled_boxes_have_no_value() -> None:
    finals = coach.numbers(position(2), solved()).hold(0).finals
    assert [BOXES[n] for n, value in enumerate(finals) if value is None] == [
        "ones",
        "threes",
        "sixes",
        "small_straight",
    ]


def test_a_forced_joker_never_counts_an_illegal_box() -> None:
    """Five sixes with Dicee filled and Sixes open must go to Sixes: the other boxes borrow its value, never less."""
    card = Scorecard.from_wire({"dicee": 50})
    here = Position(card, Variant.FORCED_DICEE, (6, 6, 6, 6, 6), 0)
    numbers = coach.numbers(here, tables.load(Variant.FORCED_DICEE))
    legal = analyze(here, Horizon.GAME, tables.load(Variant.FORCED_DICEE)).boxes
    assert [option.box for option in legal] == ["sixes"]
    assert all(value is None or value <= numbers.hold(coach.STOP).final + 1e-9 for value in numbers.holds[0].finals)


def test_after_the_next_roll_every_roll_has_its_best_box() -> None:
    numbers, table = coach.numbers(position(1), solved()), solved()
    wire = numbers.wire()["rolls"]
    assert len(wire) == 252
    box, points, final = wire["55555"]
    assert (BOXES[box], points) == ("dicee", 50)
    after = CARD.after("dicee", (5,) * 5, Variant.STANDARD)
    assert final == pytest.approx(after.grand_total + table.value(after), abs=0.006)


def test_without_a_table_only_the_turn_is_known() -> None:
    numbers = coach.numbers(position(1), None)
    assert numbers.horizon is Horizon.TURN
    assert numbers.hold(numbers.best).turn == pytest.approx(analyze(position(1)).ev)


def test_hints_grow_from_the_goal_to_the_move() -> None:
    texts = [coach.hint(position(1), level, solved()) for level in (1, 2, 3)]
    assert texts[0].text == "Think about Fives and Full House."
    assert texts[1].text == "Keep 5 5 5 of 2 5 5 5 6."
    assert texts[2].text.startswith("Keep 5-5-5, roll two.")
    assert [hint.last for hint in texts] == [False, False, True]
    assert coach.hint(position(1), 9, solved()).level == 3


def test_a_beginner_reads_no_numbers() -> None:
    said = coach.words(position(1), solved())
    assert "%" in said.simple
    assert "%" not in said.plain
    assert {goal.word for goal in said.goals} <= {"Likely", "Possible", "Unlikely"}


def test_what_is_guessed_is_neither_sure_nor_impossible() -> None:
    target = coach.prediction_target(position(1))
    assert target is not None
    p = float(box_odds(FIVES, 1)[BOXES[target]].probability)
    assert 0 < p < 1
    assert coach.best_chance(position(1), target) == p
    assert coach.prediction_target(position(0)) is None


def test_the_mask_of_scoring_is_all_five() -> None:
    assert coach.mask_of(FIVES, Option(1.0, 0.0, 1, box="fives")) == coach.STOP
    assert coach.mask_of(FIVES, Option(1.0, 0.0, 1, keep=(2, 5, 5))) == 0b01011

"""All 32 holds at once, against slow and independent ways to get the same numbers."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.dicee import advice, holds, tables
from engine.dicee.analysis import Horizon, Option, Position, analyze
from engine.dicee.boxes import BOXES, Scorecard, Variant, natural_score

CARD = Scorecard.from_wire({"ones": 3, "threes": 9, "sixes": 18, "small_straight": 30})
FIVES = (5, 5, 5, 2, 6)


def position(rolls_left: int, dice: tuple[int, ...] = FIVES) -> Position:
    return Position(CARD, Variant.STANDARD, dice, rolls_left)


def solved() -> tables.Table:
    return tables.load(Variant.STANDARD)


def test_a_hold_has_the_odds_of_all_36_outcomes() -> None:
    """Kept 5-5-5: 11/36 for a fourth five, 5/36 for a full house, 1/36 for Dicee (rulings D2, D3)."""
    hold = holds.numbers(position(1), solved()).hold(0b00111)
    assert hold.keep == (5, 5, 5)
    for box, hits in (("four_of_kind", 11), ("full_house", 5), ("dicee", 1), ("fives", 36)):
        assert hold.p[BOXES.index(box)] == pytest.approx(hits / 36)
    points = [natural_score(BOXES.index("fives"), (5, 5, 5, *rest)) for rest in product(range(1, 7), repeat=2)]
    assert hold.points[BOXES.index("fives")] == pytest.approx(sum(points) / 36)


def test_every_mask_means_the_dice_it_marks() -> None:
    numbers = holds.numbers(position(2), solved())
    for mask in range(32):
        marked = tuple(sorted(face for die, face in enumerate(FIVES) if mask >> die & 1))
        assert numbers.hold(mask).keep == marked


@settings(max_examples=25, deadline=None)
@given(st.tuples(*[st.integers(1, 6)] * 5), st.integers(0, 2))
def test_values_agree_with_the_engines_own_analysis(dice: tuple[int, ...], rolls_left: int) -> None:
    here, table = position(rolls_left, dice), solved()
    numbers, found = holds.numbers(here, table), analyze(here, Horizon.GAME, table)
    assert numbers.hold(numbers.best).final == pytest.approx(CARD.grand_total + found.ev)
    assert max(hold.final for hold in numbers.holds) == pytest.approx(CARD.grand_total + found.ev)
    for keep in found.keeps:
        mask = holds.mask_of(dice, keep)
        assert numbers.hold(mask).final == pytest.approx(CARD.grand_total + keep.ev)


def test_a_box_played_for_alone_is_counted_outcome_by_outcome() -> None:
    """Stop: the box as it stands. One roll left, 5-5-5 kept: the mean over 36 outcomes of what the box leaves."""
    here, table = position(1), solved()
    numbers = holds.numbers(here, table)
    for box in ("fives", "chance", "full_house", "dicee"):
        number, finals = BOXES.index(box), []
        for rest in product(range(1, 7), repeat=2):
            after = CARD.after(box, (5, 5, 5, *rest), Variant.STANDARD)
            finals.append(after.grand_total + table.value(after))
        assert numbers.hold(0b00111).finals[number] == pytest.approx(sum(finals) / 36)
        stop = CARD.after(box, FIVES, Variant.STANDARD)
        assert numbers.hold(holds.STOP).finals[number] == pytest.approx(stop.grand_total + table.value(stop))


@pytest.mark.parametrize("rolls_left", [1, 2])
def test_where_best_play_ends_is_the_engines_outlook(rolls_left: int) -> None:
    here, table = position(rolls_left), solved()
    numbers = holds.numbers(here, table)
    for keep in analyze(here, Horizon.GAME, table).keeps[:8]:
        ahead = advice.outlook(here, keep, table)
        ends = numbers.hold(holds.mask_of(FIVES, keep)).ends
        assert sum(ends) == pytest.approx(1)
        for number in range(len(BOXES)):
            assert ends[number] == pytest.approx(float(ahead.final[ahead.box == number].sum()))


def test_a_hold_is_for_the_box_best_play_ends_in() -> None:
    """Threes and fours of a run: the straight is what it is for, even if insisting on it alone would cost points."""
    hold = holds.numbers(position(1, (2, 3, 4, 6, 6)), solved()).hold(0b00111)
    opened = [number for number, points in enumerate(CARD.points) if points is None]
    assert hold.order(opened)[0] == max(opened, key=lambda number: hold.ends[number])
    assert hold.order(opened, by_turn=True)[0] == max(opened, key=lambda number: hold.points[number])


def test_filled_boxes_have_no_value() -> None:
    finals = holds.numbers(position(2), solved()).hold(0).finals
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
    numbers = holds.numbers(here, tables.load(Variant.FORCED_DICEE))
    legal = analyze(here, Horizon.GAME, tables.load(Variant.FORCED_DICEE)).boxes
    assert [option.box for option in legal] == ["sixes"]
    assert all(value is None or value <= numbers.hold(holds.STOP).final + 1e-9 for value in numbers.holds[0].finals)


def test_without_a_table_only_the_turn_is_known() -> None:
    numbers = holds.numbers(position(1), None)
    assert numbers.horizon is Horizon.TURN
    assert numbers.hold(numbers.best).turn == pytest.approx(analyze(position(1)).ev)


def test_the_mask_of_scoring_is_all_five() -> None:
    assert holds.mask_of(FIVES, Option(1.0, 0.0, 1, box="fives")) == holds.STOP
    assert holds.mask_of(FIVES, Option(1.0, 0.0, 1, keep=(2, 5, 5))) == 0b01011

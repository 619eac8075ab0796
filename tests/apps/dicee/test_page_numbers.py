"""What the table page says of its numbers: hints, words, the guess, and the JSON the script repaints from."""

from __future__ import annotations

import pytest

from apps.dicee.services.page import coach
from engine.dicee import holds, tables
from engine.dicee.analysis import Position, box_odds
from engine.dicee.boxes import BOXES, Scorecard, Variant

CARD = Scorecard.from_wire({"ones": 3, "threes": 9, "sixes": 18, "small_straight": 30})
FIVES = (5, 5, 5, 2, 6)


def position(rolls_left: int, dice: tuple[int, ...] = FIVES) -> Position:
    return Position(CARD, Variant.STANDARD, dice, rolls_left)


def solved() -> tables.Table:
    return tables.load(Variant.STANDARD)


def test_after_the_next_roll_every_roll_has_its_best_box() -> None:
    numbers, table = holds.numbers(position(1), solved()), solved()
    wire = coach.wire(numbers)["rolls"]
    assert len(wire) == 252
    box, points, final = wire["55555"]
    assert (BOXES[box], points) == ("dicee", 50)
    after = CARD.after("dicee", (5,) * 5, Variant.STANDARD)
    assert final == pytest.approx(after.grand_total + table.value(after), abs=0.006)


def test_hints_grow_from_the_goal_to_the_move() -> None:
    texts = [coach.hint(position(1), level, solved()) for level in (1, 2, 3)]
    assert texts[0].text == "Think about Fives and Full House."
    assert texts[1].text == "Keep 5 5 5 of 2 5 5 5 6."
    assert texts[2].text.startswith("Keep 5-5-5, roll two.")
    assert [hint.last for hint in texts] == [False, False, True]
    assert coach.hint(position(1), 9, solved()).level == 3


def test_a_beginner_reads_no_numbers() -> None:
    words = coach.words(position(1), solved())
    assert "%" in words.simple
    assert "%" not in words.plain
    assert {goal.word for goal in words.goals} <= {"Likely", "Possible", "Unlikely"}


def test_no_hint_of_a_beginner_has_a_percentage() -> None:
    for level in (1, 2, 3):
        assert "%" not in coach.hint(position(1), level, solved(), plain=True).text
    assert "%" in coach.hint(position(1), 3, solved()).text


def test_what_is_guessed_is_neither_sure_nor_impossible() -> None:
    target = coach.prediction_target(position(1))
    assert target is not None
    p = float(box_odds(FIVES, 1)[BOXES[target]].probability)
    assert 0 < p < 1
    assert coach.best_chance(position(1), target) == p
    assert coach.prediction_target(position(0)) is None

"""Lessons on counting (sample space, complement, conditional): every figure against a count of its own."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest

from apps.lessons.services.units import (
    conditional,
)
from tests.apps.lessons.lesson_texts import (
    COMPLEMENT,
    CONDITIONAL,
    HALF,
    SIXTH,
    SPACE,
    TWO_DICE,
    asked,
    chance,
    makes,
    share_of,
    shown,
)

# -- Sample space --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("event", "number", "rule"),
    [
        *[("total", n, lambda a, b, n: a + b == n) for n in range(13)],
        *[("least", n, lambda a, b, n: a + b >= n) for n in range(13)],
        *[("face", n, lambda a, b, n: a == n or b == n) for n in range(1, 7)],
        *[("apart", n, lambda a, b, n: max(a, b) - min(a, b) == n) for n in range(13)],
    ],
)
def test_an_event_lights_up_exactly_its_squares(event: str, number: int, rule) -> None:
    found = shown(SPACE, "events", f"event={event}&number={number}")
    lit = {(cell.gold, cell.white) for row in found.rows for cell in row if cell.state == "in"}
    assert lit == {(a, b) for a, b in TWO_DICE if rule(a, b, number)}
    assert found.share == (len(lit), 36)
    assert found.kind == {0: "impossible", 36: "certain"}.get(len(lit), "")


def test_the_squares_stacked_by_total_are_all_squares_once() -> None:
    stacks = shown(SPACE, "shape")
    assert sorted(square for _, _, squares in stacks for square in squares) == TWO_DICE
    for total, share, squares in stacks:
        assert share == (6 - abs(total - 7), 36)
        assert {a + b for a, b in squares} == {total}


SEVENS = [f"{a}{b}" for a, b in TWO_DICE if a + b == 7]


@pytest.mark.parametrize(
    ("marks", "said"),
    [
        ([], "Nothing is marked yet"),
        (SEVENS, "Every one of them, and nothing else: 6 of 36"),
        (["16", "25", "34"], "gold 6 with white 1 is not"),
        (["16", "61"], "4 more are still hiding"),
        (SEVENS[:4], "Gold 1 with white 6 is marked, gold 6 with white 1 is not"),
        ([*SEVENS, "66"], "1 of your squares does not add up to 7: look at gold 6, white 6"),
        (["11", "12"], "2 of your squares do not add up"),
    ],
)
def test_the_verdict_on_marked_squares_tells_the_kind_of_mistake(marks: list[str], said: str) -> None:
    found = shown(SPACE, "mark", "&".join(f"mark={mark}" for mark in marks))
    assert said in found.verdict
    assert found.done == (sorted(marks) == SEVENS)


def test_the_marked_answers_of_the_sample_space_are_right() -> None:
    def total(n: int) -> Fraction:
        return share_of(lambda square: sum(square) == n, TWO_DICE)

    assert total(7) > total(6)  # the guess
    assert asked(SPACE, "guess")["right answer"] == "I have, with 7"
    eleven = asked(SPACE, "eleven")
    assert chance(eleven["right answer"]) == total(11)
    assert sum(chance(text) == total(11) for key, text in eleven.items() if key != "right answer") == 1
    one_six = asked(SPACE, "onesix")
    truth = share_of(lambda square: 6 in square, TWO_DICE)
    assert chance(one_six["right answer"]) == truth
    assert chance(one_six["exactly"]) == share_of(lambda square: square.count(6) == 1, TWO_DICE)
    assert chance(one_six["row"]) == share_of(lambda square: square[0] == 6, TWO_DICE)
    five_alike = share_of(lambda dice: len(set(dice)) == 1, product(range(6), repeat=5))
    assert SPACE.facts()["dicee"] == five_alike
    assert SPACE.facts()["dicee_ways"].p == five_alike


# -- Complement ----------------------------------------------------------------------------------------------------

HIT_FACES = {"six": {6}, "high": {5, 6}, "even": {2, 4, 6}}


@pytest.mark.parametrize("hit", HIT_FACES)
@pytest.mark.parametrize("dice", range(1, 6))
def test_both_roads_lead_to_the_counted_chance(dice: int, hit: str) -> None:
    found = shown(COMPLEMENT, "road", f"dice={dice}&hit={hit}")
    outcomes = list(product(range(1, 7), repeat=dice))
    hits = [sum(face in HIT_FACES[hit] for face in roll) for roll in outcomes]
    assert found.none == (hits.count(0), 6**dice)
    assert found.some == (6**dice - hits.count(0), 6**dice)
    assert list(found.cases) == [(n, (hits.count(n), 6**dice)) for n in range(1, dice + 1)]
    assert sum(share.hits for _, share in found.cases) == found.some.hits
    for n, still in enumerate(found.still, 1):
        rolls = product(range(1, 7), repeat=n)
        assert still == (sum(not HIT_FACES[hit] & set(roll) for roll in rolls), 6**n)


def test_ten_dice_still_add_up_exactly() -> None:
    found = shown(COMPLEMENT, "road", "dice=10")
    assert sum(share.hits for _, share in found.cases) == found.some.hits == 6**10 - 5**10


def test_the_bets_are_read_off_the_right_curves() -> None:
    found = shown(COMPLEMENT, "gambler", "rolls=24")
    none, no_double = 1.0, 1.0
    for roll in range(40):
        none, no_double = none * 5 / 6, no_double * 35 / 36
        assert found["figure"]["data"][0]["y"][roll] == pytest.approx(1 - none)
        assert found["figure"]["data"][1]["y"][roll] == pytest.approx(1 - no_double)
    assert found["six"] == 1 - Fraction(5, 6) ** 24
    assert found["double"] == 1 - Fraction(35, 36) ** 24


def test_the_marked_answers_of_the_complement_are_right() -> None:
    four = share_of(lambda roll: 6 in roll, product(range(1, 7), repeat=4))
    assert HALF < four < Fraction(11, 20)
    assert asked(COMPLEMENT, "guess")["right answer"] == "A little more than half"
    rolls = list(product(range(1, 7), repeat=3))
    opposite = {
        "one": lambda roll: roll.count(6) == 1,
        "none": lambda roll: roll.count(6) == 0,
        "all": lambda roll: roll.count(6) == 3,
        "some_not": lambda roll: roll.count(6) < 3,
    }
    fits = [key for key, event in opposite.items() if all(event(roll) != (6 in roll) for roll in rolls)]
    asks = next(question for question in COMPLEMENT.questions if question.name == "opposite")
    assert asks.right.key == fits[0]
    assert len(fits) == 1
    assert list(opposite) == [option.key for option in asks.options]
    assert Fraction(9, 20) < 1 - Fraction(35, 36) ** 24 < HALF < 1 - Fraction(35, 36) ** 25
    assert asked(COMPLEMENT, "gambler")["right answer"] == "A little less than half"
    assert COMPLEMENT.facts()["even_six"] == 4
    assert COMPLEMENT.facts()["even_double"] == 25
    fourth = asked(COMPLEMENT, "fourth")
    assert chance(fourth["right answer"]) == share_of(lambda roll: 5 in roll, TWO_DICE)
    assert chance(fourth["opposite"]) == share_of(lambda roll: 5 not in roll, TWO_DICE)
    assert chance(fourth["one"]) == share_of(lambda roll: roll.count(5) == 1, TWO_DICE)


# -- Conditional ---------------------------------------------------------------------------------------------------

RULES = {
    "nothing": lambda a, b: True,
    "gold": lambda a, b: a == 6,
    "one": lambda a, b: a == 6 or b == 6,
    "both": lambda a, b: a == 6 and b == 6,
    "double": lambda a, b: a == b,
    "high": lambda a, b: a + b >= 10,
    "seven": lambda a, b: a + b == 7,
    "even": lambda a, b: (a + b) % 2 == 0,
}


@pytest.mark.parametrize("known", conditional.GIVEN)
@pytest.mark.parametrize("wanted", conditional.ASKED)
def test_what_is_known_strikes_squares_out(known: str, wanted: str) -> None:
    found = shown(CONDITIONAL, "shrink", f"given={known}&asked={wanted}")
    left = [square for square in TWO_DICE if RULES[known](*square)]
    both = [square for square in left if RULES[wanted](*square)]
    states = {(cell.gold, cell.white): cell.state for row in found.rows for cell in row}
    assert [square for square, state in states.items() if state != "gone"] == left
    assert [square for square, state in states.items() if state == "in"] == both
    assert found.after == (len(both), len(left))
    before = share_of(lambda square: RULES[wanted](*square), TWO_DICE)
    assert found.before.p == before
    assert found.same == (Fraction(len(both), len(left)) == before)


@pytest.mark.parametrize("box", conditional.BOXES)
@pytest.mark.parametrize("held", [(5, 5), (2, 5), (3, 4), (1, 6)])
def test_two_held_dice_leave_the_ways_the_engine_counts(held: tuple[int, int], box: str) -> None:
    found = shown(CONDITIONAL, "held", f"first={held[0]}&second={held[1]}&box={box}")
    thrown = list(product(range(1, 7), repeat=3))
    hits = [roll for roll in thrown if makes(box, (*held, *roll))]
    lit = [
        (block.face, cell.gold, cell.white)
        for block in found.blocks
        for row in block.rows
        for cell in row
        if cell.state == "in"
    ]
    assert lit == hits
    assert found.after_ways == (len(hits), 216)
    assert found.after == Fraction(len(hits), 216)
    assert sum(block.hits for block in found.blocks) == len(hits)


@pytest.mark.parametrize("box", conditional.BOXES)
def test_the_chance_with_nothing_held_counts_all_five_dice(box: str) -> None:
    found = shown(CONDITIONAL, "held", f"box={box}")
    ways = sum(makes(box, roll) for roll in product(range(1, 7), repeat=5))
    assert found.before_ways == (ways, 7776)


def test_the_marked_answers_of_conditional_probability_are_right() -> None:
    with_a_six = [square for square in TWO_DICE if 6 in square]
    guess = asked(CONDITIONAL, "guess")
    assert chance(guess["right answer"]) == share_of(lambda square: square == (6, 6), with_a_six)
    assert chance(guess["independent"]) == SIXTH
    high = [square for square in TWO_DICE if sum(square) >= 10]
    turned = asked(CONDITIONAL, "turned")
    assert chance(turned["right answer"]) == share_of(lambda square: 6 in square, high)
    assert chance(turned["turned"]) == share_of(lambda square: sum(square) >= 10, with_a_six)
    assert chance(turned["joint"]) == share_of(lambda square: 6 in square and sum(square) >= 10, TWO_DICE)
    assert chance(turned["before"]) == share_of(lambda square: 6 in square, TWO_DICE)
    assert [square for square in high if 6 not in square] == [(5, 5)]  # "all of them but double five"
    thrown = list(product(range(1, 7), repeat=3))
    full = asked(CONDITIONAL, "fullhouse")
    assert chance(full["right answer"]) == share_of(lambda roll: makes("full_house", (5, 5, *roll)), thrown)
    assert chance(full["third"]) == share_of(lambda roll: 5 in roll and makes("full_house", (5, 5, *roll)), thrown)
    assert chance(full["triple"]) == share_of(lambda roll: 5 not in roll and len(set(roll)) == 1, thrown)
    facts = CONDITIONAL.facts()
    assert facts["split"].p == share_of(lambda roll: makes("full_house", (2, 5, *roll)), thrown)
    assert facts["times"] == facts["full_house"].p / facts["split"].p == Fraction(10, 3)
    assert facts["even_double"].p == 1
    assert facts["double_even"].p == share_of(
        lambda square: square[0] == square[1], [square for square in TWO_DICE if sum(square) % 2 == 0]
    )
    assert facts["seven_gold"].p == facts["seven"].p == SIXTH  # "no change"
    assert facts["seven_one"].p == share_of(lambda square: sum(square) == 7, with_a_six) != SIXTH

"""What five dice can do."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product
from math import factorial, prod

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.dicee import lattice
from engine.dicee.lattice import KEEPS, ROLLS, WAYS, chance_of, keep_number, roll_number, sub_keeps
from engine.wire import EngineError
from tests.engine.dicee.positions import five_dice
from tests.oracles.dicee import keeps, outcomes


def test_there_are_462_keeps_of_which_252_are_rolls():
    assert len(KEEPS) == len(set(KEEPS)) == 462
    assert len(ROLLS) == 252


@given(five_dice)
def test_a_roll_and_its_number_are_one_to_one(dice):
    assert ROLLS[roll_number(dice)] == tuple(sorted(dice))


def test_every_number_is_the_number_of_its_roll():
    assert [roll_number(dice) for dice in ROLLS] == list(range(252))


def test_multiplicities_are_multinomial_and_add_up_to_all_ordered_results():
    closed_form = [factorial(5) // prod(factorial(n) for n in Counter(dice).values()) for dice in ROLLS]
    assert lattice.MULTIPLICITY.tolist() == closed_form
    counted = Counter(tuple(sorted(dice)) for dice in product(range(1, 7), repeat=5))
    assert lattice.MULTIPLICITY.tolist() == [counted[dice] for dice in ROLLS]
    assert lattice.MULTIPLICITY.sum() == 7776


def test_every_row_of_chances_adds_up_to_one():
    assert WAYS.sum(axis=1).tolist() == [6 ** (5 - len(faces)) for faces in KEEPS]
    np.testing.assert_allclose(lattice.TRANSITION.sum(axis=1), 1.0, atol=1e-14)


@pytest.mark.parametrize("faces", [(), (6,), (1, 2), (5, 5, 5), (2, 3, 4, 5), (1, 1, 1, 1, 1)])
def test_ways_match_listing_every_outcome(faces):
    counted = Counter(outcomes(faces))
    assert {ROLLS[roll]: n for roll, n in enumerate(WAYS[keep_number(faces)]) if n} == counted


@given(five_dice)
def test_keeping_all_five_is_certain(dice):
    assert chance_of(keep_number(dice), roll_number(dice)) == 1


@given(five_dice)
def test_rerolling_all_five_is_a_fresh_roll(dice):
    roll = roll_number(dice)
    assert chance_of(0, roll) == Fraction(int(lattice.MULTIPLICITY[roll]), 7776)


@given(five_dice)
def test_sub_keeps_are_every_distinct_choice_of_dice(dice):
    found = [KEEPS[keep] for keep in sub_keeps(roll_number(dice))]
    assert len(found) == len(set(found))
    assert set(found) == keeps(dice)
    assert found[-1] == tuple(sorted(dice))


def test_the_best_of_keeps_is_the_largest_of_each_rolls_keeps():
    values = np.random.default_rng(5).random(len(KEEPS))
    slow = [max(values[keep] for keep in sub_keeps(roll)) for roll in range(len(ROLLS))]
    assert lattice.best_of_keeps(values).tolist() == slow


@pytest.mark.parametrize(
    ("dice", "field", "actual"),
    [
        ([1, 2, 3, 4], "dice", 4),
        ([1, 2, 3, 4, 5, 6], "dice", 6),
        ([1, 2, 7, 4, 5], "dice.2", 7),
        ([0] * 5, "dice.0", 0),
    ],
)
def test_bad_dice_are_named(dice, field, actual):
    with pytest.raises(EngineError) as caught:
        roll_number(dice)
    assert caught.value.code == "ERR_INVALID_DICE"
    assert caught.value.details["field"] == field
    assert caught.value.details["actual"] == actual


@given(st.lists(st.integers(1, 6), max_size=5))
def test_keep_numbers_do_not_depend_on_order(faces):
    assert KEEPS[keep_number(faces)] == tuple(sorted(faces))

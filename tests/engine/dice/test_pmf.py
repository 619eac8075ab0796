"""Distributions: closed forms, other libraries, and the laws they must obey."""

from __future__ import annotations

import itertools
from fractions import Fraction
from math import comb

import dyce
import icepool
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.dice.pmf import BLOCK, Pmf, convolved
from engine.dice.progress import listening

distributions = st.dictionaries(st.integers(-20, 20), st.floats(0.01, 1), min_size=1, max_size=8).map(Pmf.from_weights)


def test_a_binomial_has_its_closed_form() -> None:
    heads = Pmf.binomial(12, 0.3)
    assert all(heads.exactly(k) == pytest.approx(comb(12, k) * 0.3**k * 0.7 ** (12 - k)) for k in range(13))


@pytest.mark.parametrize(("count", "sides"), [(1, 6), (3, 6), (5, 4), (10, 10)])
def test_sums_of_dice_are_those_of_two_other_libraries(count: int, sides: int) -> None:
    ours = Pmf.die(sides).repeat(count)
    theirs = count @ icepool.d(sides)
    others = count @ dyce.H(sides)
    scale = sides**count
    for total in range(count, count * sides + 1):
        assert ours.exactly(total) == pytest.approx(float(theirs.probability(total)), abs=1e-14)
        assert ours.exactly(total) == pytest.approx(others.get(total, 0) / scale, abs=1e-14)


@given(distributions, distributions)
def test_means_and_variances_add(a: Pmf, b: Pmf) -> None:
    total = a.convolve(b)
    assert total.mean == pytest.approx(a.mean + b.mean, abs=1e-9)
    assert total.variance == pytest.approx(a.variance + b.variance, abs=1e-6)


@given(distributions, st.integers(0, 6))
def test_repeating_is_adding_again_and_again(a: Pmf, times: int) -> None:
    slow = Pmf.point(0)
    for _ in range(times):
        slow = slow.convolve(a)
    assert a.repeat(times).close_to(slow)


@given(distributions, st.integers(-25, 25))
def test_tails_are_complements(a: Pmf, value: int) -> None:
    assert a.at_least(value) + a.at_most(value - 1) == pytest.approx(1)
    assert a.at_least(value) - a.at_least(value + 1) == pytest.approx(a.exactly(value))


@given(distributions, st.floats(0, 1))
def test_a_quantile_is_the_first_value_that_reaches_it(a: Pmf, q: float) -> None:
    value = a.quantile(q)
    assert a.at_most(value) >= q - 1e-8
    assert value == a.low or a.at_most(value - 1) < q + 1e-8


@given(distributions, st.integers(-5, 5))
def test_shifting_and_mapping_agree(a: Pmf, by: int) -> None:
    assert a.shift(by).close_to(a.map(lambda value: value + by))


@given(distributions, st.integers(-10, 10))
def test_capping_moves_the_tail_onto_the_cap(a: Pmf, most: int) -> None:
    capped = a.capped(most)
    assert capped.high <= max(most, a.low)
    assert capped.exactly(most) == pytest.approx(a.at_least(most) if a.high >= most else 0)


@given(st.lists(st.floats(0.01, 1), min_size=1, max_size=5), st.lists(st.floats(0.01, 1), min_size=1, max_size=4))
def test_a_random_number_of_copies_is_a_mixture_of_repeats(numbers: list[float], faces: list[float]) -> None:
    number, each = Pmf.from_weights(dict(enumerate(numbers, 1))), Pmf.from_weights(dict(enumerate(faces)))
    slow = Pmf.mix((p, each.repeat(times)) for times, p in number.items())
    assert number.copies_of(each).close_to(slow)
    assert Pmf.point(0).copies_of(each) == Pmf.point(0)


def test_a_mixture_is_weighted() -> None:
    mixed = Pmf.mix([(0.25, Pmf.point(4)), (0.75, Pmf.die(2)), (0.0, Pmf.point(99))])
    assert (mixed.low, mixed.high, mixed.mean) == (1, 4, pytest.approx(0.25 * 4 + 0.75 * 1.5))


def test_questions() -> None:
    die = Pmf.die(6)
    assert (die.mode, die.mean, die.quantile(0), die.quantile(1)) == (1, 3.5, 1, 6)
    assert die.sd == pytest.approx((35 / 12) ** 0.5)
    assert (die.at_least(0), die.at_least(9), die.at_most(9), die.at_most(0), die.exactly(9)) == (1, 0, 1, 0, 0)
    assert dict(Pmf([0.5, 0, 0.5], 3).items()) == {3: 0.5, 5: 0.5}


def test_the_wire_form_starts_at_zero() -> None:
    assert Pmf.die(2).to_wire() == [0.0, 0.5, 0.5]
    with pytest.raises(ValueError, match="negative"):
        Pmf.point(-1).to_wire()


def test_a_distribution_cannot_be_changed() -> None:
    die = Pmf.die(6)
    with pytest.raises(AttributeError, match="cannot be changed"):
        die.low = 3
    with pytest.raises(ValueError, match="read-only"):
        die.p[0] = 1
    with pytest.raises(ValueError, match="read-only"):
        die.convolve(die).p[0] = 1


def test_equality_and_hash() -> None:
    assert Pmf.die(4) == Pmf([0.25] * 4, 1)
    assert hash(Pmf.die(4)) == hash(Pmf([0.25] * 4, 1))
    assert Pmf.die(4) != Pmf.die(6)
    assert Pmf.die(4) != "D4"
    assert not Pmf.die(4).close_to(Pmf.die(6))
    assert repr(Pmf.die(6)) == "Pmf(1…6, mean 3.5)"


def test_impossible_ends_are_dropped_even_when_they_vanish_by_underflow() -> None:
    assert (Pmf([0, 0.5, 0.5, 0], 3).low, Pmf([0, 0.5, 0.5, 0], 3).high) == (4, 5)
    rare = Pmf.from_weights({0: 1e-300, 1: 1}).repeat(3)
    assert rare.low > 0
    assert rare.p.sum() == pytest.approx(1)


@pytest.mark.parametrize("bad", [[], [[1.0]], [0.5], [1.5, -0.5], [float("nan")], [np.inf]])
def test_what_is_no_distribution_is_refused(bad: object) -> None:
    with pytest.raises(ValueError, match="probabilit"):
        Pmf(bad)


def test_other_nonsense_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one side"):
        Pmf.die(0)
    with pytest.raises(ValueError, match="positive sum"):
        Pmf.from_weights({1: 0.0})
    with pytest.raises(ValueError, match="cannot be negative"):
        Pmf.point(-1).copies_of(Pmf.die(6))
    with pytest.raises(ValueError, match="cannot repeat"):
        Pmf.die(6).repeat(-1)
    with pytest.raises(ValueError, match="between 0 and 1"):
        Pmf.die(6).quantile(1.5)


def test_a_long_sum_agrees_with_whole_numbers_and_says_how_far_it_is() -> None:
    """30D2000, counted with Python's whole numbers: each further die is a moving sum of the counts so far."""
    counts = [1]
    for _ in range(30):
        sums = [0, *itertools.accumulate(counts + [0] * 1999)]
        counts = [sums[i + 1] - sums[max(0, i + 1 - 2000)] for i in range(len(sums) - 1)]
    heard: list[float] = []
    with listening(heard.append):
        total = Pmf.die(2000).repeat(30)
    assert (total.low, total.high) == (30, 60_000)
    ways = 2000**30
    for value in (30, 31, 5_000, 30_015, 59_999, 60_000):
        assert total.exactly(value) == pytest.approx(float(Fraction(counts[value - 30], ways)), rel=1e-12)
    assert len(heard) > 10
    assert heard == sorted(heard)
    assert heard[-1] == pytest.approx(1)


def test_convolution_in_blocks_is_convolution() -> None:
    a, b = np.random.default_rng(1).random((2, 3 * BLOCK + 7))
    assert np.allclose(convolved(a, b[: 2 * BLOCK]), np.convolve(a, b[: 2 * BLOCK]), rtol=1e-13, atol=0)

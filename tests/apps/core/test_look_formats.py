"""Numbers as people read them."""

from __future__ import annotations

import doctest
import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.core import charts, context, formats

possible = st.floats(min_value=1e-300, max_value=1 - 1e-9, exclude_min=True)
chances = st.floats(min_value=0, max_value=1)


@pytest.mark.parametrize("module", [formats, charts, context])
def test_the_examples_in_the_docstrings_hold(module):
    result = doctest.testmod(module)
    assert result.attempted > 0
    assert result.failed == 0


@given(possible)
def test_what_can_happen_is_never_printed_as_impossible_or_certain(p):
    assert formats.percent(p) not in {"0\xa0%", "0.0\xa0%", "100\xa0%", "100.0\xa0%"}
    assert formats.one_in(p) not in {"never", "always", "1 in 1"}
    assert formats.fraction(p) not in {"0", "1"}
    assert formats.heat(p) != "n"


@given(chances)
def test_a_percentage_is_the_number_it_says(p):
    text = formats.percent(p).removesuffix("\xa0%")
    if text[0] == "<":
        assert 0 < 100 * p < float(text[1:])
    elif text[0] == ">":
        assert float(text[1:]) < 100 * p < 100
    else:
        assert math.isclose(float(text), 100 * p, abs_tol=0.0500001)


@pytest.mark.parametrize("p", [5e-324, 1e-13, 0.0009999, 0.001, 0.999, 0.99900001, 1 - 1e-9])
def test_the_edges_of_percent_keep_their_promise(p):
    text = formats.percent(p)
    assert text.startswith("<") == (100 * p < 0.1)
    assert text.startswith(">") == (100 * p > 99.9)


def test_rounding_noise_in_a_certain_sum_is_certain():
    assert formats.percent(sum([0.1] * 10)) == "100\xa0%"
    assert formats.one_in(sum([0.1] * 10)) == "always"


@given(st.integers(1, 6**5), st.integers(1, 5))
def test_a_chance_made_by_dice_prints_as_its_own_fraction(ways, dice):
    exact = Fraction(ways % 6**dice or 1, 6**dice)
    if exact.denominator > formats.EXACT_DENOMINATOR or exact == 1:
        return
    assert formats.fraction(float(exact)) == f"{exact.numerator:,}/{exact.denominator:,}"


@given(st.floats(0.001, 0.999), st.sampled_from([formats.ROUGH_DENOMINATOR, formats.EXACT_DENOMINATOR]))
def test_the_closest_fraction_is_as_close_as_the_library_finds(p, most):
    n, d = formats.closest(p, most)
    best = Fraction(p).limit_denominator(most)
    assert d <= most
    assert abs(n / d - p) == pytest.approx(abs(float(best) - p), abs=1e-15)


@given(st.integers(-(10**6), 10**6), st.integers(0, 3))
def test_halves_round_away_from_zero(k, places):
    exact = Fraction(2 * k + 1, 2 * 10**places)
    x = float(exact)
    if Fraction(x) != exact:  # most halves are not doubles
        return
    up = (abs(exact) * 10**places + Fraction(1, 2)) / 10**places
    assert abs(Fraction(formats.fixed(x, places).replace(",", ""))) == up


@given(possible)
def test_a_rough_fraction_says_so_and_is_close(p):
    text = formats.fraction(p)
    if text.startswith("≈") and p > 1e-6:
        top, bottom = text[1:].replace(",", "").split("/")
        assert math.isclose(int(top) / int(bottom), p, rel_tol=0.01)


@given(st.floats(min_value=5e-324, max_value=1e-6))
def test_the_very_rare_is_said_in_few_characters(p):
    assert len(formats.one_in(p)) <= 20
    assert len(formats.fraction(p)) <= 20


@pytest.mark.parametrize(
    ("p", "text"),
    [
        (0.5, "1 in 2"),
        (1 / 9.96, "1 in 10"),
        (1e-6, "1 in 1 million"),
        (2.5e-10, "1 in 4 billion"),
        (0.96, "all but 1 in 25"),
        ((1 / 6) ** 60, "1 in 10⁴⁷"),
    ],
)
def test_one_in_n_is_short(p, text):
    assert formats.one_in(p) == text


@given(st.floats(min_value=-1e9, max_value=1e9))
def test_a_difference_carries_its_sign_unless_it_rounds_to_nothing(x):
    text = formats.signed(x)
    value = float(text.replace("−", "-").replace(",", ""))
    assert math.isclose(value, x, abs_tol=0.00500001)
    assert (text[0] in "+−") == (value != 0)
    assert formats.trend(x) == ("gain" if value > 0 else "loss" if value < 0 else "even")


@given(chances, chances)
def test_heat_rises_with_the_chance(a, b):
    low, high = sorted((a, b))
    steps = [-1 if formats.heat(p) == "n" else int(formats.heat(p)) for p in (low, high)]
    assert steps[0] <= steps[1] <= 8


def test_an_unknown_style_prints_percent():
    assert formats.odds(0.25, "entrails") == "25.0\xa0%"
    assert formats.odds(0.25, "one_in") == "1 in 4"

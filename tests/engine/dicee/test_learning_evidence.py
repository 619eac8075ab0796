"""Habit or accident: against a product spelt out, and on made-up players whose habit is known."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.dicee.learning.evidence import CONVINCING, LEAST_SHARE, MOST_SURE, SHARES, Lapse, find, weigh
from engine.dicee.learning.observations import TEMPERATURES, Signal
from engine.dicee.learning.patterns import PATTERNS
from tests.oracles import learning as slow

ONE, OTHER = "stops_early", "keeps_highest"
N = len(TEMPERATURES)
#: Log-chances of the other decisions that leave no doubt about a temperature.
CERTAIN = [0.0 if place == 3 else -1000.0 for place in range(N)]

chances = st.lists(st.floats(0.01, 0.9), min_size=N, max_size=N)
cases = st.lists(st.tuples(st.booleans(), chances), min_size=1, max_size=12)


def lapse(fell: bool, noise: float | list[float], *patterns: str) -> Lapse:
    chance = tuple(noise) if isinstance(noise, list) else (noise,) * N
    return Lapse(likelihood=(0.0,) * N, signals=tuple(Signal(pattern=p, fell=fell, noise=chance) for p in patterns))


@settings(max_examples=60, deadline=None)
@given(cases=cases, others=st.lists(st.floats(-20, 0), min_size=N, max_size=N))
def test_the_bayes_factor_is_the_product_spelt_out(cases, others):
    weight = weigh(ONE, others, [lapse(fell, noise, ONE) for fell, noise in cases])
    assert weight.log_factor == pytest.approx(slow.log_bayes_factor(others, cases, SHARES), abs=1e-8)
    assert weight.opportunities == len(cases)
    assert weight.taken == sum(fell for fell, _ in cases)


def test_carelessness_is_judged_by_the_other_decisions():
    """The likelihood of the opportunities themselves is taken out again before the temperature is weighed."""
    mine = Lapse(
        likelihood=tuple(-5.0 * place for place in range(N)),
        signals=(Signal(pattern=ONE, fell=True, noise=tuple(0.1 * (place + 1) for place in range(N))),),
    )
    whole = [a + b for a, b in zip(CERTAIN, mine.likelihood, strict=True)]
    assert weigh(ONE, whole, [mine]).expected == pytest.approx(0.4)


def test_no_opportunity_says_nothing():
    weight = weigh(ONE, CERTAIN, [])
    assert (weight.log_factor, weight.opportunities, weight.share, weight.convinces) == (0.0, 0, 0.0, False)
    assert find(CERTAIN, []) == ()


def test_a_habit_is_named_with_its_evidence():
    named = find(CERTAIN, [lapse(place < 9, 0.1, ONE) for place in range(12)])
    assert [found.key for found in named] == [ONE]
    found = named[0]
    assert (found.title, found.concept) == (PATTERNS[ONE].title, PATTERNS[ONE].concept)
    assert (found.opportunities, found.taken) == (12, 9)
    assert found.expected == pytest.approx(1.2)
    assert found.evidence == "9 of 12 times; slips alone would make about 1."
    assert found.confidence == MOST_SURE


@pytest.mark.parametrize(
    ("taken", "of", "noise"),
    [
        (4, 4, 0.1),  # too few to speak of
        (30, 300, 0.1),  # as often as slips would
        (60, 300, 0.1),  # more often, but far from a habit
        (3, 12, 0.1),  # could be chance
    ],
)
def test_nothing_is_named_without_numbers_size_and_surprise(taken, of, noise):
    assert find(CERTAIN, [lapse(place < taken, noise, ONE) for place in range(of)]) == ()


def test_a_second_pattern_must_stand_on_its_own_decisions():
    both = [lapse(True, 0.05, ONE, OTHER) for _ in range(15)]
    spared = [lapse(False, 0.05, OTHER) for _ in range(10)]
    assert [found.key for found in find(CERTAIN, both + spared)] == [ONE]
    alone = [lapse(True, 0.05, key) for key in (ONE, OTHER) for _ in range(10)]
    assert {found.key for found in find(CERTAIN, both + alone)} == {ONE, OTHER}


def test_slips_alone_are_hardly_ever_called_a_habit():
    """A thousand careless players with 40 opportunities each: at 400 to 1 at most a few may be accused."""
    luck = random.Random(20)
    accused = 0
    for _ in range(1000):
        noise = luck.uniform(0.02, 0.5)
        accused += weigh(ONE, CERTAIN, [lapse(luck.random() < noise, noise, ONE) for _ in range(40)]).convinces
    assert accused <= 5


def test_a_real_habit_is_hardly_ever_missed():
    luck = random.Random(21)
    seen = 0
    for _ in range(300):
        noise, habit = luck.uniform(0.02, 0.2), luck.uniform(0.5, 0.9)
        seen += weigh(
            ONE, CERTAIN, [lapse(luck.random() < habit + (1 - habit) * noise, noise, ONE) for _ in range(40)]
        ).convinces
    assert seen >= 290
    assert CONVINCING > 0 < LEAST_SHARE

"""Habit or carelessness: against a product spelt out, the martingale's promise, and made-up players."""

from __future__ import annotations

import math
import random
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.dicee.learning.carelessness import CELLS, WAYS, Mixture, fitted
from engine.dicee.learning.evidence import (
    CONVINCING,
    FEWEST_GAMES,
    KEYS,
    MOST_SURE,
    NUMBER,
    SHARES,
    SLACK,
    WINDOW,
    Looks,
    Played,
    described,
    find,
    record,
    weigh,
)
from engine.dicee.learning.patterns import PATTERNS
from tests.oracles import learning as slow

ONE, OTHER = "stops_early", "keeps_highest"
LIKELY = np.full(WAYS, 0.5)


def game(*signals: tuple[str, bool, float], form: int = 0, others: int = 20) -> Played:
    """A game with some opportunities (pattern, taken, chance under every way) and some decisions without any."""
    rows = [(at, NUMBER[key], form, fell) for at, (key, fell, _) in enumerate(signals)]
    return Played(
        np.tile(LIKELY, (len(signals) + others, 1)),
        np.zeros(len(signals) + others, np.int64),
        np.array(rows, np.int64).reshape(-1, 4),
        np.array([[noise] * WAYS for _, _, noise in signals]).reshape(-1, WAYS),
    )


def names(games: list[Played]) -> list[str]:
    return [weight.key for weight in Looks(games).named(len(games))]


cases = st.lists(st.lists(st.tuples(st.booleans(), st.floats(0.01, 0.9)), max_size=4), min_size=1, max_size=6)


@settings(max_examples=40, deadline=None)
@given(cases)
def test_the_test_is_the_product_spelt_out(cases):
    """Every way gives the same chance here, so the mixture has no say and the oracle can be exact."""
    found = record([game(*((ONE, fell, noise) for fell, noise in row)) for row in cases])
    log = slow.log_test(cases, [float(share) for share in SHARES], SLACK)
    assert found.log_test[-1, NUMBER[ONE]] == pytest.approx(log, abs=1e-9)
    assert found.offered.sum() == sum(map(len, cases))
    assert found.taken.sum() == sum(fell for row in cases for fell, _ in row)
    assert found.expected.sum() == pytest.approx(sum(noise for row in cases for _, noise in row))


@pytest.mark.parametrize("share", [Fraction(1, 10), Fraction(1, 2), Fraction(9, 10)])
@pytest.mark.parametrize("most", [Fraction(1, 50), Fraction(1, 5), Fraction(3, 5)])
def test_one_step_has_an_expected_value_of_at_most_one_under_the_null(share, most):
    """Exactly one at the largest chance that the null allows, less below it."""
    habit = share + (1 - share) * most
    for chance in (most, most / 2, most / 10, Fraction(0)):
        step = chance * habit / most + (1 - chance) * (1 - habit) / (1 - most)
        assert step == 1 if chance == most else step < 1


def test_the_promise_holds_however_often_one_looks():
    """Players at the very edge of the null, looked at after each of 40 games: 1/α is passed with chance α at most."""
    luck = random.Random(5)
    passed, players = 0, 300
    for _ in range(players):
        noise = luck.uniform(0.03, 0.3)
        edge = SLACK * noise / (1 + (SLACK - 1) * noise)
        games = [game(*((ONE, luck.random() < edge, noise) for _ in range(3)), others=1) for _ in range(40)]
        passed += record(games).log_test[:, NUMBER[ONE]].max() >= math.log(20)
    assert passed <= players / 20


def test_a_habit_is_named_with_its_evidence():
    games = [game(*((ONE, place < 2, 0.1) for place in range(3))) for _ in range(8)]
    assert names(games) == [ONE]
    found = described(Looks(games).named(8)[0])
    assert (found.title, found.concept) == (PATTERNS[ONE].title, PATTERNS[ONE].concept)
    assert (found.opportunities, found.taken) == (24, 16)
    assert found.evidence == "16 of 24 times; slips alone would make about 2."
    assert found.words == PATTERNS[ONE].forms[0].words
    assert found.confidence == MOST_SURE


def test_nothing_is_named_before_enough_games_and_two_looks():
    flagrant = [game(*((ONE, True, 0.02) for _ in range(5)))] * 12
    assert all(not Looks(flagrant).named(count) for count in range(FEWEST_GAMES + 1))
    assert Looks(flagrant).named(FEWEST_GAMES + 1)
    late = [game((ONE, False, 0.3))] * 9 + [game(*((ONE, True, 0.01) for _ in range(9)))]
    assert record(late).log_test[-1, NUMBER[ONE]] >= CONVINCING
    assert names(late) == []  # one look
    assert names([*late, game((ONE, True, 0.01))]) == [ONE]  # two


@pytest.mark.parametrize(
    ("taken", "of", "noise"),
    [(4, 4, 0.1), (30, 300, 0.1), (45, 300, 0.1), (4, 12, 0.1)],
    ids=["too few", "as often as slips", "within the slack", "could be chance"],
)
def test_nothing_is_named_without_numbers_size_and_surprise(taken, of, noise):
    luck = random.Random(1)
    fell = luck.sample([place < taken for place in range(of)], of)
    games = [game(*((ONE, one, noise) for one in fell[at::10])) for at in range(10)]
    assert names(games) == []


def test_a_second_pattern_must_stand_on_its_own_decisions():
    def shared(fell: bool) -> Played:
        one = game(*((ONE, fell, 0.05) for _ in range(3)))
        both = np.concatenate([one.signals, one.signals * [1, 0, 1, 1] + [0, NUMBER[OTHER], 0, 0]])
        return Played(one.likelihood, one.cells, both, np.concatenate([one.noise, one.noise]))

    spared = game((OTHER, False, 0.05), (OTHER, False, 0.05))
    assert names([shared(True), spared] * 6) == [ONE]
    assert set(names([game(*((key, True, 0.05) for key in (ONE, OTHER, ONE, OTHER)))] * 10)) == {ONE, OTHER}


def test_a_habit_that_was_dropped_is_forgotten_within_ten_games():
    games = [game(*((ONE, True, 0.05) for _ in range(3)))] * 15 + [game(*((ONE, False, 0.05) for _ in range(3)))] * 10
    looks = Looks(games)
    assert [weight.key for weight in looks.named(15)] == [ONE]
    assert looks.named(25) == []
    assert WINDOW < 10


def test_the_opposite_of_a_habit_is_never_named():
    for key, pattern in PATTERNS.items():
        if pattern.opposite:
            assert PATTERNS[pattern.opposite].opposite == key
    both = [
        game(*(("upper_first", True, 0.05) for _ in range(4)), *(("ignores_bonus", True, 0.05) for _ in range(2)))
    ] * 12
    assert names(both) == ["upper_first"]


def test_pairs_in_dear_boxes_are_no_contempt_for_the_bonus_of_who_fills_the_upper_section_first():
    """Two habits bring the first form about. Only the other one, passing three of a face over, is their difference."""
    dear = [("ignores_bonus", True, 0.02)] * 3
    upper = [("upper_first", True, 0.1), ("upper_first", True, 0.1), ("upper_first", False, 0.1)]
    assert names([game(*dear)] * 12) == ["ignores_bonus"]
    both = [game(*dear, *upper)] * 12
    found = weigh(record(both), 12)
    assert found["ignores_bonus"].log_test > found["upper_first"].log_test > CONVINCING
    assert names(both) == ["upper_first"]
    passing = game(*dear, *upper)
    passing.signals[:3, 2] = 1
    assert names([passing] * 12) == ["ignores_bonus"]


def test_a_form_that_does_not_happen_hides_no_other():
    """One mistake in ten opportunities of another form: it still shows in the last games."""
    mixed = [
        game(*(("ignores_bonus", True, 0.02) for _ in range(2)), form=0),
        *[game(*(("ignores_bonus", False, 0.02) for _ in range(10)), form=1)] * 3,
    ] * 5
    assert names(mixed) == ["ignores_bonus"]
    assert weigh(record(mixed), 20)["ignores_bonus"].lately > 0.5


def test_only_the_form_that_happened_is_told():
    pattern = PATTERNS["chases_dicee"]
    for form, text in enumerate(pattern.forms):
        found = described(Looks([game(*(("chases_dicee", True, 0.05) for _ in range(3)), form=form)] * 9).named(9)[0])
        assert (found.words, found.advice, found.title) == (text.words, text.advice, text.title)
    mixed = [
        game(*(("chases_dicee", True, 0.05) for _ in range(3)), form=0),
        game(*(("chases_dicee", False, 0.05) for _ in range(3)), form=2),
    ] * 6
    found = described(Looks(mixed).named(12)[0])
    assert found.words == pattern.forms[0].words
    assert found.opportunities == 18


def test_no_opportunity_says_nothing():
    assert find([]) == ()
    weight = weigh(record([game()] * 9), 9)[ONE]
    assert (weight.lately, weight.convinces) == (0.0, False)
    assert len(KEYS) == len(PATTERNS)


def test_the_past_is_not_rewritten():
    luck = random.Random(3)
    games = [game(*((ONE, luck.random() < 0.5, 0.2) for _ in range(3))) for _ in range(12)]
    assert record(games[:7]).log_test == pytest.approx(record(games).log_test[:7])


# -- Carelessness --------------------------------------------------------------------------------------------------


def way_players(seed: int, decisions: int, weights: np.ndarray) -> np.ndarray:
    """What was chosen has chance 0.9 under the way that made it, and little under the others."""
    luck = np.random.default_rng(seed)
    likely = np.full((decisions, WAYS), 0.02)
    likely[np.arange(decisions), luck.choice(WAYS, decisions, p=weights)] = 0.9
    return likely


def test_a_mixture_is_learnt_and_followed():
    one, other = np.eye(WAYS)[0], np.eye(WAYS)[4]
    mixture, cells = Mixture(1), np.zeros(36, np.int64)
    for number in range(12):
        mixture.learn(way_players(number, 36, one), cells, np.ones((1, 36)))
    assert mixture.weights[0, 0, 0] > 0.8
    for number in range(12):
        mixture.learn(way_players(number, 36, other), cells, np.ones((1, 36)))
    assert mixture.weights[0, 0, 4] > 0.7
    assert mixture.weights.sum(axis=2) == pytest.approx(1)


def test_cells_keep_what_is_theirs():
    """Careless in one cell only: the others hardly notice."""
    mixture = Mixture(1)
    cells = np.arange(60) % CELLS
    for number in range(10):
        likely = np.where((cells == 0)[:, None], way_players(number, 60, np.eye(WAYS)[5]), 0.02)
        likely[cells > 0, 0] = 0.9
        mixture.learn(likely, cells, np.ones((1, 60)))
    assert mixture.weights[0, 0].argmax() == 5
    assert (mixture.weights[0, 2:].argmax(axis=1) == 0).all()


def test_decisions_left_out_are_not_learnt_from():
    likely, cells = way_players(1, 30, np.eye(WAYS)[3]), np.zeros(30, np.int64)
    mixture = Mixture(2)
    mixture.learn(likely, cells, np.array([np.ones(30), np.zeros(30)]))
    assert mixture.weights[0, 0, 3] > mixture.weights[1, 0, 3]
    assert mixture.weights[1] == pytest.approx(Mixture(1).weights[0])


def test_a_fit_finds_the_mixture_that_made_the_decisions():
    truth = np.zeros(WAYS)
    truth[[1, 6]] = 0.7, 0.3
    fit = fitted(way_players(9, 3000, truth), np.zeros(3000, np.int64))
    assert fit[0] == pytest.approx(truth, abs=0.05)

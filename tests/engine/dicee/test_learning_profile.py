"""A game in a few numbers, a player from many games, and a rating with an honest margin."""

from __future__ import annotations

import random
from itertools import pairwise
from statistics import fmean

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.dicee.learning import (
    Concept,
    GameDigest,
    Guess,
    Kind,
    Observation,
    PracticeAnswer,
    Profile,
    calibration,
    digest,
    profile,
    rate,
)
from engine.dicee.learning.evidence import Lapse
from engine.dicee.learning.observations import TEMPERATURES, Signal
from engine.dicee.learning.profiles import EWMA_DECISIONS, game_loss
from engine.dicee.learning.rating import PAR, RECENT, SETTLED_GAMES, scale, student

LEVEL = (0.0,) * len(TEMPERATURES)
losses = st.lists(st.floats(0, 120), min_size=1, max_size=30)


def decision(
    lost: float = 0.0,
    kind: Kind = Kind.KEEP,
    category: str = "fives",
    concepts: tuple[Concept, ...] = (Concept.OF_A_KIND,),
    took_ms: int = 1000,
    hinted: bool = False,
    signals: tuple[Signal, ...] = (),
) -> Observation:
    return Observation(
        kind=kind,
        category=category,
        concepts=concepts,
        lost=lost,
        best=not lost,
        stakes=1.0,
        took_ms=took_ms,
        hinted=hinted,
        likelihood=LEVEL,
        signals=signals,
    )


def game(*lost: float, score: int | None = 200, **more: object) -> GameDigest:
    return digest([decision(loss, **more) for loss in lost], score)


# -- A game --------------------------------------------------------------------------------------------------------

observed = st.builds(
    decision,
    lost=st.one_of(st.just(0.0), st.floats(0.01, 20)),
    kind=st.sampled_from(Kind),
    category=st.sampled_from(("ones", "fives", "chance")),
    concepts=st.lists(st.sampled_from(Concept), min_size=1, max_size=3, unique=True).map(tuple),
    took_ms=st.integers(0, 60_000),
    hinted=st.booleans(),
)


@settings(max_examples=60, deadline=None)
@given(st.lists(observed, max_size=39))
def test_a_digest_adds_up(observations):
    kept = digest(observations, 180)
    own = [it for it in observations if not it.hinted]
    assert kept.decisions + kept.hinted == len(observations)
    assert kept.lost == pytest.approx(sum(it.lost for it in own))
    assert kept.losses == pytest.approx([it.lost for it in own], abs=1e-4)
    for tallies in (kept.kinds, kept.categories):
        assert sum(tally.n for tally in tallies.values()) == len(own)
        assert sum(tally.right for tally in tallies.values()) == kept.right == sum(it.best for it in own)
        assert sum(tally.lost for tally in tallies.values()) == pytest.approx(kept.lost)
    for concept, tally in kept.concepts.items():
        assert tally.n == sum(concept in it.concepts for it in own) > 0
        assert tally.accuracy == pytest.approx(tally.right / tally.n)
    assert GameDigest.model_validate_json(kept.model_dump_json()) == kept


def test_what_was_hinted_shows_no_skill():
    helped = digest([decision(4.0), decision(9.0, hinted=True)], 200)
    assert (helped.lost, helped.decisions, helped.hinted) == (4.0, 1, 1)
    assert game_loss(helped) == 8.0  # as if the hinted choice had been like the other
    assert game_loss(digest([decision(4.0), *[decision(hinted=True)] * 2], 200)) is None
    assert profile([digest([decision(4.0), *[decision(hinted=True)] * 2], 200)]).lost_per_game == rate([]).lost_per_game


def test_speed_is_a_median_and_untimed_decisions_have_none():
    kept = digest([decision(took_ms=ms) for ms in (1000, 3000, 90_000, 0)], 200)
    assert kept.median_ms == {Kind.KEEP: 3000}
    other = digest([decision(took_ms=5000), decision(took_ms=800, kind=Kind.BOX)], 200)
    assert profile([kept, other]).speed == {Kind.KEEP: 4000, Kind.BOX: 800}


def test_decisions_that_tempted_are_kept_for_the_patterns():
    tempted = decision(2.0, signals=(Signal(pattern="stops_early", fell=True, noise=LEVEL),))
    assert digest([decision(), tempted], 200).lapses == (Lapse(likelihood=LEVEL, signals=tempted.signals),)


# -- A player ------------------------------------------------------------------------------------------------------


def test_a_profile_never_moves_in_the_middle_of_a_game():
    finished = [game(1.0, 2.0), game(0.0, 3.0)]
    assert profile([*finished, game(50.0, score=None)]) == profile(finished)


def test_a_newcomer_has_a_usual_rating_with_a_wide_margin():
    new = profile([])
    assert (new.games, new.decisions, new.settled, new.accuracy) == (0, 0, False, None)
    assert new.high - new.low > 20
    assert new.practise_next is Concept.READING_ODDS
    assert Profile.model_validate_json(new.model_dump_json()) == new


@settings(max_examples=30, deadline=None)
@given(st.lists(st.lists(st.floats(0, 9), min_size=3, max_size=6), min_size=2, max_size=8), st.randoms())
def test_order_matters_to_the_moving_averages_and_the_curve_only(rows, luck):
    games = [game(*row) for row in rows]
    mixed = luck.sample(games, len(games))
    one, other = profile(games), profile(mixed)
    for name in Profile.model_fields:
        if name not in ("lost_per_decision", "curve"):
            assert _near(getattr(one, name), getattr(other, name)), name
    assert one.lost_per_decision.overall == pytest.approx(other.lost_per_decision.overall)


def _near(one, other) -> bool:
    if isinstance(one, float):
        return one == pytest.approx(other)
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(
            _near(value.lost, other[key].lost) if hasattr(value, "lost") else value == other[key]
            for key, value in one.items()
        )
    return one == other


def test_trends_against_their_definitions():
    games = [game(5.0, 1.0), *[game(0.0, 2.0)] * 11]
    trend = profile(games).lost_per_decision
    series = [loss for kept in games for loss in kept.losses]
    assert trend.overall == pytest.approx(fmean(series))
    assert trend.rolling == pytest.approx(1.0)  # the last ten games
    weights = [2.718281828459045 ** (-(len(series) - 1 - at) / EWMA_DECISIONS) for at in range(len(series))]
    assert trend.ewma == pytest.approx(sum(w * x for w, x in zip(weights, series, strict=True)) / sum(weights))
    assert (
        profile([game(9.0), game(0.0)]).lost_per_decision.ewma < profile([game(0.0), game(9.0)]).lost_per_decision.ewma
    )


def test_the_curve_has_one_point_per_game_and_ends_at_the_rating():
    games = [game(float(lost), score=150 + lost) for lost in range(6)]
    found = profile(games)
    assert [(point.game, point.score, point.lost) for point in found.curve] == [
        (lost + 1, 150 + lost, float(lost)) for lost in range(6)
    ]
    last = found.curve[-1]
    assert (last.rating, last.low, last.high) == (found.rating, found.low, found.high)
    assert profile(games[:3]).curve == found.curve[:3]  # the past is not rewritten


def test_strengths_and_what_to_practise():
    weak = [decision(3.0, concepts=(Concept.STRAIGHTS,))] * 12
    strong = [decision(0.0, concepts=(Concept.CHANCE,))] * 12
    found = profile([digest([*weak, *strong], 190)])
    assert found.practise_next is Concept.STRAIGHTS
    assert found.strengths == (Concept.CHANCE,)
    bad = [Guess(predicted=0.9, truth=0.3)] * 12
    assert profile([digest([*weak, *strong], 190)], bad).practise_next is Concept.READING_ODDS


def test_a_habit_decides_what_to_practise():
    quiet = (0.001,) * len(TEMPERATURES)
    habit = decision(2.0, signals=(Signal(pattern="chance_early", fell=True, noise=quiet),))
    found = profile([digest([habit] * 8, 190)])
    assert [pattern.key for pattern in found.patterns] == ["chance_early"]
    assert found.practise_next is Concept.CHANCE


def test_practice_is_counted_but_never_rated():
    answers = [PracticeAnswer(concept=Concept.CHANCE, lost=lost) for lost in (0.0, 2.0, 0.0)]
    played = [game(4.0)]
    found = profile(played, answers=answers)
    assert (found.practice[Concept.CHANCE].n, found.practice[Concept.CHANCE].right) == (3, 2)
    assert found.rating == profile(played).rating
    assert found.concepts == profile(played).concepts


# -- Guesses -------------------------------------------------------------------------------------------------------


def test_calibration_against_its_definition():
    found = calibration(
        [Guess(predicted=0.5, truth=0.25), Guess(predicted=0.1, truth=0.2), Guess(predicted=1.0, truth=0.9)]
    )
    assert found.n == 3
    assert found.brier == pytest.approx((0.25**2 + 0.1**2 + 0.1**2) / 3)
    assert found.bias == pytest.approx(0.25 / 3)
    assert [(b.low, b.high, b.n) for b in found.bins] == [(0.0, 0.2, 1), (0.4, 0.6, 1), (0.8, 1.0, 1)]
    assert calibration([]) is None


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), min_size=1, max_size=30))
def test_bins_hold_every_guess_once_and_explain_the_bias(pairs):
    found = calibration([Guess(predicted=p, truth=t) for p, t in pairs])
    assert sum(b.n for b in found.bins) == len(pairs)
    assert sum(b.n * (b.predicted - b.truth) for b in found.bins) / found.n == pytest.approx(found.bias, abs=1e-9)
    assert found.brier + 1e-12 >= found.bias**2
    assert all(b.low - 1e-9 <= b.predicted <= b.high + 1e-9 for b in found.bins)


# -- The rating ----------------------------------------------------------------------------------------------------


def test_the_scale_is_the_share_of_perfect_plays_score():
    assert (scale(0), scale(PAR), scale(PAR / 4), scale(400)) == (100, 0, 75, 0)


@pytest.mark.parametrize(
    ("freedom", "t95"), [(4, 2.132), (5, 2.015), (8, 1.860), (10, 1.812), (20, 1.725), (40, 1.684)]
)
def test_students_quantile_is_that_of_the_printed_tables(freedom, t95):
    assert student(0.95, freedom) == pytest.approx(t95, rel=0.005)
    assert student(0.5, freedom) == pytest.approx(0)


@given(losses, st.integers(0, 29), st.floats(0.5, 30))
def test_losing_less_in_any_game_never_lowers_the_rating(lost, place, less):
    place %= len(lost)
    better = [*lost]
    better[place] = max(0.0, better[place] - less)
    assert rate(better).lost_per_game <= rate(lost).lost_per_game


@given(losses)
def test_low_rating_high_are_in_order_and_on_the_scale(lost):
    found = rate(lost)
    assert 0 <= found.low <= found.rating <= found.high <= 100
    assert 0 <= found.lost_low <= found.lost_per_game <= found.lost_high
    assert found.expected_score == pytest.approx(PAR - found.lost_per_game)


@given(losses)
def test_more_of_the_same_games_narrow_the_interval(lost):
    widths = [
        rate(lost * times).lost_high - rate(lost * times).lost_low for times in (1, 2, 4) if len(lost) * times <= RECENT
    ]
    assert all(after < before for before, after in pairwise(widths))


def test_only_recent_games_are_rated():
    assert rate([90.0] * 30 + [5.0] * RECENT) == rate([5.0] * RECENT)


def test_a_rating_settles_within_twenty_games():
    wild = [0.0, 120.0] * (SETTLED_GAMES // 2)
    assert not rate(wild[:-1]).settled
    assert rate(wild).settled
    assert rate([20.0, 25.0, 18.0, 22.0, 20.0, 21.0, 24.0, 19.0]).settled
    assert not rate([20.0] * 4).settled


def test_a_perfect_player_may_be_perfect():
    assert rate([0.0] * 20).high == 100
    assert rate([0.0] * 20).low > 99.8


@pytest.mark.parametrize(("mean", "shape"), [(5.0, 3.0), (20.0, 5.0), (40.0, 2.0), (90.0, 20.0)])
@pytest.mark.parametrize("games", [20, 40])
def test_the_interval_covers_the_truth_of_skewed_losses(mean, shape, games):
    """Gamma losses, 1 000 players each: nominally 90 %, and never below 85 %."""
    luck = random.Random(f"{mean}/{games}")
    covered = 0
    for _ in range(1000):
        found = rate([luck.gammavariate(shape, mean / shape) for _ in range(games)])
        covered += found.lost_low <= mean <= found.lost_high
    assert covered >= 850

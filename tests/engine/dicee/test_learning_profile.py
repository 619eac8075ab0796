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
from engine.dicee.learning.carelessness import WAYS
from engine.dicee.learning.evidence import Choice
from engine.dicee.learning.observations import Signal
from engine.dicee.learning.profiles import VERSION, game_loss, is_current
from engine.dicee.learning.rating import PAR, SETTLED_GAMES, ratings, scale
from engine.dicee.learning.standing import Standing, standings, strongest, weakest
from engine.dicee.learning.trends import EWMA_DECISIONS, Direction, direction

LEVEL = (0.5,) * WAYS
losses = st.lists(st.floats(0, 120), min_size=1, max_size=30)


def decision(
    lost: float = 0.0,
    kind: Kind = Kind.KEEP,
    category: str = "fives",
    concepts: tuple[Concept, ...] = (Concept.OF_A_KIND,),
    took_ms: int = 1000,
    assisted: bool = False,
    obvious: bool = False,
    signals: tuple[Signal, ...] = (),
    expected: float = 0.5,
) -> Observation:
    return Observation(
        kind=kind,
        category=category,
        concepts=concepts,
        lost=lost,
        best=lost <= 0.1,
        obvious=obvious,
        stakes=1.0,
        took_ms=took_ms,
        assisted=assisted,
        cell=0,
        likelihood=LEVEL,
        mean_lost=(expected,) * WAYS,
        mean_square=(2 * expected**2,) * WAYS,
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
    assisted=st.booleans(),
    obvious=st.booleans(),
)


@settings(max_examples=60, deadline=None)
@given(st.lists(observed, max_size=39))
def test_a_digest_adds_up(observations):
    kept = digest(observations, 180)
    own = [it for it in observations if not it.assisted]
    judged = [it for it in own if not it.obvious]
    assert kept.decisions + kept.assisted == len(observations)
    assert kept.judged == len(judged)
    assert kept.right == sum(it.best for it in judged)
    assert kept.lost == pytest.approx(sum(it.lost for it in own))
    assert kept.losses == pytest.approx([it.lost for it in own], abs=1e-4)
    for tallies in (kept.kinds, kept.categories):
        assert sum(tally.n for tally in tallies.values()) == kept.judged
        assert sum(tally.right for tally in tallies.values()) == kept.right
        assert sum(tally.lost for tally in tallies.values()) == pytest.approx(sum(it.lost for it in judged))
    for concept, tally in kept.concepts.items():
        assert tally.n == sum(concept in it.concepts for it in judged) > 0
        assert tally.accuracy == pytest.approx(tally.right / tally.n)
    assert kept.choices == tuple(Choice.of(it) for it in own)
    assert GameDigest.model_validate_json(kept.model_dump_json()) == kept


def test_what_was_assisted_shows_no_skill():
    """By ruling D20: no part of rating, accuracy, habits or ideas, and told apart."""
    helped = digest([decision(4.0), decision(9.0, assisted=True)], 200)
    assert (helped.lost, helped.decisions, helped.assisted) == (4.0, 1, 1)
    assert (helped.judged, helped.right, len(helped.choices)) == (1, 0, 1)
    assert game_loss(helped) == 8.0  # as if the assisted choice had been like the other
    mostly = digest([decision(4.0), *[decision(assisted=True)] * 2], 200)
    assert game_loss(mostly) is None
    assert profile([mostly]).lost_per_game == rate([]).lost_per_game
    assert profile([mostly]).assisted_share == pytest.approx(2 / 3)
    assert profile([digest([decision(assisted=True)] * 9, 200)]).assisted_share == 1
    assert profile([game(1.0)]).assisted_share == 0


def test_obvious_decisions_leave_the_accuracy_but_not_the_rating():
    plain = digest([decision(3.0), decision(0.0)], 200)
    padded = digest([decision(3.0), decision(0.0), *[decision(0.0, obvious=True)] * 8], 200)
    assert profile([plain]).accuracy == profile([padded]).accuracy == 0.5
    blundered = digest([decision(3.0), decision(0.0), decision(20.0, obvious=True)], 200)
    assert profile([blundered]).accuracy == 0.5
    assert profile([blundered]).lost_per_game > profile([plain]).lost_per_game


def test_within_a_tenth_of_a_point_is_best_everywhere():
    answers = [PracticeAnswer(concept=Concept.CHANCE, lost=lost) for lost in (0.1, 0.11)]
    assert profile([game(0.1, 0.11)], answers=answers).practice[Concept.CHANCE].right == 1
    assert game(0.1, 0.11).right == 1


def test_a_digest_of_an_older_model_is_known_as_such():
    assert is_current(game(1.0).model_dump(by_alias=True))
    assert not is_current({"version": VERSION - 1})
    assert not is_current({"score": 200, "hinted": 0})


def test_speed_is_a_median_and_untimed_decisions_have_none():
    kept = digest([decision(took_ms=ms) for ms in (1000, 3000, 90_000, 0)], 200)
    assert kept.median_ms == {Kind.KEEP: 3000}
    other = digest([decision(took_ms=5000), decision(took_ms=800, kind=Kind.BOX)], 200)
    assert profile([kept, other]).speed == {Kind.KEEP: 4000, Kind.BOX: 800}


# -- A player ------------------------------------------------------------------------------------------------------


def test_a_profile_never_moves_in_the_middle_of_a_game():
    finished = [game(1.0, 2.0), game(0.0, 3.0)]
    assert profile([*finished, game(50.0, score=None)]) == profile(finished)


def test_a_newcomer_has_a_usual_rating_with_a_wide_margin():
    new = profile([])
    assert (new.games, new.decisions, new.settled, new.accuracy) == (0, 0, False, None)
    assert new.high - new.low > 20
    assert new.practise_next is None
    assert (new.patterns, new.strengths, new.standings) == ((), (), {})
    assert Profile.model_validate_json(new.model_dump_json()) == new


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


def idea(concept: Concept, lost: float, expected: float, times: int = 400) -> list[Observation]:
    return [decision(lost, concepts=(concept,), expected=expected)] * times


def test_an_idea_is_weak_or_strong_only_against_the_same_carelessness():
    """Reading odds costs everybody more: that alone is no weakness."""
    fair = digest([*idea(Concept.READING_ODDS, 2.0, 2.0), *idea(Concept.CHANCE, 0.2, 0.2)], 190)
    assert profile([fair]).practise_next is None
    assert profile([fair]).strengths == ()
    lame = digest([*idea(Concept.READING_ODDS, 2.0, 2.0), *idea(Concept.STRAIGHTS, 2.0, 0.4)], 190)
    found = profile([lame])
    assert found.practise_next is Concept.STRAIGHTS
    assert found.strengths == (Concept.READING_ODDS,)
    bad = [Guess(predicted=0.9, truth=0.3)] * 12
    assert profile([lame], bad).practise_next is Concept.READING_ODDS


def test_a_standing_is_judged_by_its_margin_and_adds_up():
    one = Standing(n=100, lost=60.0, expected=40.0, variance=25.0)
    assert one.difference == pytest.approx(0.2)
    assert one.margin == pytest.approx((3 * 5 + 0.15 * 40) / 100)
    assert not one.is_weak
    four = one + one + one + one
    assert (four.n, four.lost, four.variance) == (400, 240.0, 100.0)
    assert four.is_weak
    assert weakest({Concept.CHANCE: one}) is None
    assert weakest({Concept.CHANCE: four, Concept.STRAIGHTS: one}) is Concept.CHANCE
    better = Standing(n=400, lost=80.0, expected=160.0, variance=100.0)
    assert strongest({Concept.CHANCE: four, Concept.STRAIGHTS: better}) == (Concept.STRAIGHTS,)


def test_expected_losses_of_each_stage_add_up_to_what_was_lost():
    luck = random.Random(2)
    choices = [
        Choice.of(decision(luck.expovariate(1), expected=luck.uniform(0.1, 2), concepts=(luck.choice(list(Concept)),)))
        for _ in range(200)
    ]
    found = standings([choices[:90], choices[90:]])
    assert sum(one.expected for one in found.values()) == pytest.approx(sum(choice.lost for choice in choices))
    assert standings([]) == {}


def test_a_habit_decides_what_to_practise():
    quiet = (0.01,) * WAYS
    habit = decision(2.0, signals=(Signal(pattern="chance_early", fell=True, noise=quiet),))
    games = [digest([habit] * 3 + [decision()] * 20, 190)] * 8
    assert [pattern.key for pattern in profile(games).patterns] == ["chance_early"]
    assert profile(games).practise_next is Concept.CHANCE
    assert profile(games[:6]).patterns == ()  # too few games to name anything


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


@settings(max_examples=40, deadline=None)
@given(losses, st.floats(0.5, 30))
def test_losing_less_in_the_last_game_never_lowers_the_rating(lost, less):
    better = [*lost[:-1], max(0.0, lost[-1] - less)]
    assert rate(better).lost_per_game <= rate(lost).lost_per_game + 0.5


@settings(max_examples=40, deadline=None)
@given(losses)
def test_low_rating_high_are_in_order_and_on_the_scale(lost):
    found = rate(lost)
    assert 0 <= found.low <= found.rating <= found.high <= 100
    assert 0 <= found.lost_low <= found.lost_per_game <= found.lost_high
    assert found.expected_score == pytest.approx(PAR - found.lost_per_game)


@pytest.mark.parametrize("mean", [3.0, 20.0, 60.0])
def test_more_of_the_same_games_narrow_the_interval(mean):
    lost = [mean * share for share in (0.7, 1.2, 1.0, 0.8, 1.3)]
    widths = [rate(lost * times).lost_high - rate(lost * times).lost_low for times in (1, 2, 4)]
    assert all(after < before for before, after in pairwise(widths))


def test_a_rating_follows_and_never_rewrites_the_past():
    lost = [60.0, 55.0, 62.0, 58.0] * 4 + [8.0, 12.0, 9.0, 11.0] * 3
    steps = ratings(lost)
    assert len(steps) == len(lost) + 1
    assert steps[:10] == ratings(lost[:9])
    assert steps[16].lost_per_game > 50
    assert steps[-1].lost_low <= 10 <= steps[-1].lost_high
    assert abs(rate([90.0] * 30 + [5.0] * 40).lost_per_game - rate([5.0] * 40).lost_per_game) < 1


def test_a_rating_settles_within_twenty_games():
    wild = [0.0, 120.0] * (SETTLED_GAMES // 2)
    assert not rate(wild[:-1]).settled
    assert rate(wild).settled
    assert rate([20.0, 25.0, 18.0, 22.0, 20.0, 21.0, 24.0, 19.0] * 2).settled
    assert not rate([20.0] * 4).settled


def test_a_perfect_player_may_be_perfect():
    assert rate([0.0] * 20).high == 100
    assert rate([0.0] * 20).low > 99.8


#: Points lost per game, oldest first.
COURSES = {
    "steady 5": [5.0] * 30,
    "steady 20": [20.0] * 30,
    "steady 90": [90.0] * 30,
    "improves 66 to 6": [66 - 60 * game / 29 for game in range(30)],
    "learns at once": [50.0] * 12 + [10.0] * 18,
}


@pytest.mark.parametrize("course", COURSES)
def test_the_interval_covers_skill_as_it_is_now(course):
    """Gamma losses around a known skill, 50 players a course: nominally 90 %, two errors below that at worst."""
    truth, luck, shape = COURSES[course], random.Random(course), 7.0
    covered = dict.fromkeys((10, 20, 30), 0)
    for _ in range(50):
        steps = ratings(luck.gammavariate(shape, skill / shape) for skill in truth)
        for games in covered:
            covered[games] += steps[games].lost_low <= truth[games - 1] <= steps[games].lost_high
    assert min(covered.values()) >= 40
    assert sum(covered.values()) >= 126  # of 150


# -- Trends --------------------------------------------------------------------------------------------------------


def test_a_trend_is_claimed_only_beyond_its_margin():
    luck = random.Random(8)
    claimed = 0
    for _ in range(100):
        lost = [luck.gammavariate(4, 5) for _ in range(30)]
        claimed += any(direction(lost[:n]) in (Direction.BETTER, Direction.WORSE) for n in range(1, 31))
    assert claimed <= 5
    assert direction([60.0, 50.0, 55.0, 65.0, 58.0] * 4 + [8.0, 10.0, 7.0, 9.0] * 3) is Direction.BETTER
    assert direction([8.0, 10.0, 7.0, 9.0] * 4 + [40.0, 50.0, 45.0] * 4) is Direction.WORSE
    assert direction([20.0] * 9) is Direction.UNKNOWN
    assert direction([20.0, 25.0, 18.0] * 5) is Direction.STEADY

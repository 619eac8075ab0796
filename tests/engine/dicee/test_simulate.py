"""Many games: against exact means, the same for the same seed, stoppable, and bots that obey the rules."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings

from engine.clock import TimeLimit
from engine.dice.roller import SeededRoller
from engine.dicee import simulate as sim
from engine.dicee import tables
from engine.dicee.analysis import Horizon, Position, analyze, position_odds
from engine.dicee.boxes import BOXES, Scorecard, Variant
from engine.dicee.simulate import BOT_POLICIES, Bot, Policy, bot_move, simulate, wilson, z_of
from engine.wire import EngineError
from tests.engine.dicee.positions import positions
from tests.oracles import dicee as slow

JOKER = Variant.JOKER_RULES
START = Position(Scorecard(), JOKER)
# Exact means under perfect play, joker rules.
EXACT = {
    "ones": 1.881, "twos": 5.282, "threes": 8.569, "fours": 12.158, "fives": 15.687, "sixes": 19.189,
    "upper_bonus": 23.841, "three_of_kind": 21.661, "four_of_kind": 13.098, "full_house": 22.592,
    "small_straight": 29.461, "large_straight": 32.711, "dicee": 16.868, "chance": 22.009, "dicee_bonus": 9.580,
}  # fmt: skip
# Five standard errors of a mean of 50 000 games: the largest spread of a source is that of the Dicee bonus, below 45.
FIVE_ERRORS = {source: 5 * 45 / 50_000**0.5 if source == "dicee_bonus" else 5 * 20 / 50_000**0.5 for source in EXACT}


@pytest.fixture(scope="module")
def played(table):
    return simulate(START, 50_000, seed=2024, table=table)


def test_the_mean_is_the_exact_value_within_its_error(played):
    assert played.mean == pytest.approx(254.589609, abs=5 * 59.6114 / 50_000**0.5)
    assert played.ci95.low < played.mean < played.ci95.high
    assert played.ci95.high - played.ci95.low == pytest.approx(2 * 1.96 * played.sd / 50_000**0.5, rel=1e-3)


def test_the_spread_is_the_exact_one(played):
    assert played.sd == pytest.approx(59.6114, rel=0.03)
    for share, score in ((0.05, 180), (0.25, 217), (0.5, 248), (0.75, 272)):
        assert played.percentile(share) == pytest.approx(score, abs=2)


@pytest.mark.parametrize("source", EXACT)
def test_points_come_from_where_they_should(played, source):
    assert played.points_by_source[source] == pytest.approx(EXACT[source], abs=FIVE_ERRORS[source])


def test_sources_add_up_to_the_mean(played):
    assert sum(played.points_by_source.values()) == pytest.approx(played.mean)
    assert played.pmf.sum() == pytest.approx(1)
    assert played.pmf @ np.arange(len(played.pmf)) == pytest.approx(played.mean)


@pytest.mark.parametrize("policy", list(Policy))
def test_the_same_seed_gives_the_same_games_whatever_the_threads(policy, table):
    one = simulate(START, 1_500, 7, policy, table, workers=1)
    three = simulate(START, 1_500, 7, policy, table, workers=3)
    other = simulate(START, 1_500, 8, policy, table)
    assert one.counts.tolist() == three.counts.tolist()
    assert one.counts.tolist() != other.counts.tolist()


def test_better_policies_score_more(table):
    means = {policy: simulate(START, 5_000, 3, policy, table).mean for policy in Policy}
    assert means[Policy.RANDOM] < 60 < means[Policy.TURN] < 225 < means[Policy.OPTIMAL]


def test_a_turn_in_progress_is_played_from_its_dice(table):
    last = Scorecard(tuple(None if box == "dicee" else 0 for box in BOXES))
    here = Position(last, JOKER, (5, 5, 5, 5, 2), 1)
    share, interval = simulate(here, 20_000, 1, table=table).at_least(50)
    assert interval.low < 1 / 6 < interval.high
    assert share == pytest.approx(1 / 6, abs=0.02)
    sure = simulate(Position(last, JOKER, (5, 5, 5, 5, 5), 2), 1_000, 1, table=table)
    assert (sure.mean, sure.sd) == (50, 0)
    none_left = simulate(Position(last, JOKER, (5, 5, 5, 5, 2), 0), 1_000, 1, Policy.RANDOM)
    assert none_left.mean == 0


@pytest.mark.parametrize("policy", [Policy.OPTIMAL, Policy.TURN])
def test_a_late_position_averages_its_exact_value(policy, table):
    card = Scorecard.from_wire(dict.fromkeys(BOXES[:10], 0) | {"dicee": 50, "diceeBonus": 100})
    here = Position(card, JOKER, (2, 3, 4, 4, 6), 2)
    found = simulate(here, 40_000, 11, policy, table)
    best = card.grand_total + analyze(here, Horizon.GAME, table).ev
    assert found.mean <= best + 5 * found.sd / 40_000**0.5
    if policy is Policy.OPTIMAL:
        assert found.mean == pytest.approx(best, abs=5 * found.sd / 40_000**0.5)


@pytest.mark.parametrize("variant", list(Variant))
def test_every_variant_plays_by_its_own_value(variant, table_of):
    card = Scorecard.from_wire(
        {box: 0 for box in BOXES if box not in ("sixes", "full_house", "chance")} | {"dicee": 50}
    )
    here = Position(card, variant)
    found = simulate(here, 20_000, 5, table=table_of(variant))
    exact = 50 + slow.card_value(variant.value, frozenset(card.open_boxes), 0, True)
    assert found.mean == pytest.approx(exact, abs=5 * found.sd / 20_000**0.5)


def test_progress_deadline_and_cancelling(table):
    seen: list[float] = []
    whole = simulate(START, 12_000, 1, Policy.TURN, progress=seen.append)
    assert seen == [10_000 / 12_000, 1.0]
    assert (whole.actual_iterations, whole.warnings) == (12_000, ())
    late = simulate(START, 50_000, 1, Policy.TURN, limit=TimeLimit(0))
    assert late.actual_iterations == 10_000
    assert "10,000 of 50,000" in late.warnings[0]
    stopped = simulate(START, 50_000, 1, Policy.TURN, cancelled=lambda: True)
    assert stopped.actual_iterations == 10_000
    assert stopped.warnings[0].startswith("Cancelled")
    assert stopped.counts.tolist() == late.counts.tolist()


def test_the_running_mean_converges(played):
    marks = [point.games for point in played.convergence]
    assert marks == sorted(set(marks))
    assert (marks[0], marks[-1]) == (100, 50_000)
    assert played.convergence[-1].mean == pytest.approx(played.mean)
    assert played.convergence[-1].half_width == pytest.approx((played.ci95.high - played.ci95.low) / 2, rel=1e-3)
    assert played.convergence[0].half_width > played.convergence[-1].half_width


def test_the_interval_of_a_share_is_wilsons():
    assert wilson(0, 1000).low == pytest.approx(0)
    assert wilson(1000, 1000).high == pytest.approx(1)
    half = wilson(5000, 10_000)
    assert half.low == pytest.approx(0.5 - 1.96 * 0.005, abs=1e-4)
    assert half.high == pytest.approx(0.5 + 1.96 * 0.005, abs=1e-4)


def test_a_target_already_passed_is_certain(played):
    assert played.at_least(0)[0] == 1
    assert played.at_least(5_000)[0] == 0
    assert 0.1 < played.at_least(300)[0] < 0.2


@pytest.mark.parametrize("iterations", [999, 10_000_001])
def test_the_number_of_games_has_limits(iterations):
    with pytest.raises(EngineError, match="Between 1,000 and 10,000,000") as caught:
        simulate(START, iterations, 1, Policy.RANDOM)
    assert caught.value.details["actual"] == iterations


def test_perfect_play_cannot_be_simulated_without_the_table():
    with pytest.raises(ValueError, match="solved table"):
        simulate(START, 1_000, 1)


@pytest.mark.filterwarnings("ignore:overflow encountered:RuntimeWarning")  # as in machine code, numbers wrap around
def test_python_source_of_the_loops_plays_the_same_games(table, monkeypatch):
    """The compiled loops run as plain Python on a few games."""
    card = Scorecard(tuple(None if box in ("dicee", "sixes") else 0 for box in BOXES))
    here = Position(card, JOKER)
    for policy in Policy:
        compiled = simulate(here, 1_000, 9, policy, table, workers=1)
        with monkeypatch.context() as patch:
            for name in ("play_turn", "plan_boxes", "plan_keeps", "collect_commonest", "throw", "any_keep", "any_box"):
                patch.setattr(sim, name, getattr(sim, name).python)
            plain = simulate(here, 1_000, 9, policy, table, workers=1)
        assert plain.counts.tolist() == compiled.counts.tolist()


def test_the_generator_is_splitmix64():
    """Against the published algorithm in whole numbers, compiled and as plain Python."""
    fast, plain = np.array([2024], np.uint64), np.array([2024], np.uint64)
    state = 2024
    for _ in range(50):
        state = (state + 0x9E3779B97F4A7C15) % 2**64
        mixed = (state ^ state >> 30) * 0xBF58476D1CE4E5B9 % 2**64
        mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EB % 2**64
        expected = (mixed ^ mixed >> 31) >> 11
        with np.errstate(over="ignore"):
            assert sim.draw(fast, 0) == sim.draw.python(plain, 0) == expected


@given(positions())
@settings(max_examples=40)
def test_bots_only_do_what_the_rules_allow(table_of, here):
    found = analyze(here, Horizon.GAME, table_of(here.variant))
    for bot in Bot:
        move = bot_move(bot, here, SeededRoller(3), table_of(here.variant))
        assert found.option(keep=move.keep, box=move.box)
        assert here.rolls_left or move.box
    assert bot_move(Bot.PERFECT, here, SeededRoller(3), table_of(here.variant)).points_lost <= 1e-9


def test_the_greedy_bot_collects_the_commonest_face():
    assert bot_move(Bot.GREEDY, Position(Scorecard(), JOKER, (2, 2, 5, 5, 6), 2), SeededRoller(1)).keep == (5, 5)
    assert bot_move(Bot.TURN_OPTIMAL, Position(Scorecard(), JOKER, (2, 3, 4, 5, 6), 2), SeededRoller(1)).box == (
        "large_straight"
    )


@pytest.mark.parametrize("bot", [Bot.RANDOM, Bot.GREEDY, Bot.TURN_OPTIMAL])
def test_a_policy_plays_as_its_bot_does(bot):
    """Many games of a policy have the mean of games that the bot itself plays, move by move."""
    start, dice = Position(Scorecard((0,) * 4 + (None,) * 3 + (0,) * 6), JOKER), SeededRoller(11)
    games = [_bot_game(bot, start, dice) for _ in range(600)]
    policy = simulate(start, 40_000, 5, BOT_POLICIES[bot])
    error = (np.var(games) / len(games) + policy.sd**2 / 40_000) ** 0.5
    assert np.mean(games) == pytest.approx(policy.mean, abs=4 * error)


def _bot_game(bot, start, dice):
    card = start.card
    while not card.is_complete:
        faces, left = [dice.roll(6) for _ in range(5)], 2
        while (move := bot_move(bot, Position(card, start.variant, tuple(faces), left), dice)).box is None:
            faces, left = [*move.keep, *(dice.roll(6) for _ in range(5 - len(move.keep)))], left - 1
        card = card.after(move.box, tuple(faces), start.variant)
    return card.grand_total


@pytest.mark.parametrize("variant", Variant)
def test_the_share_of_games_that_make_the_last_box_is_its_exact_chance(variant: Variant) -> None:
    """With one box open every policy that wants points plays for it alone, so the exact odds of the box apply."""
    for box in ("dicee", "large_straight", "sixes", "chance"):
        card = Scorecard(tuple(None if name == box else 0 for name in BOXES))
        position = Position(card, variant, (6, 6, 5, 4, 3), 1)
        played = simulate(position, 20_000, 5, Policy.OPTIMAL, tables.load(variant), workers=1)
        share, interval = played.share_made(box, z_of(0.999))
        assert interval.low <= share <= interval.high
        assert interval.low <= float(position_odds(position)[box].probability) <= interval.high

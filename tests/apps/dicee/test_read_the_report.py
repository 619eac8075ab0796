"""After the game: luck and skill apart, mistakes by cost, percentile of perfect play."""

from __future__ import annotations

import random
import uuid

import pytest

from apps.accounts.models import Player
from apps.dicee import services
from apps.dicee.models import Game
from apps.dicee.services import horizon, review, store
from apps.dicee.services.review import par
from engine.dicee import advice, tables
from engine.dicee.analysis import Position
from engine.dicee.boxes import Scorecard, Variant
from tests.apps.dicee.conftest import play_out


def bot_game(alice: Player, bot: str) -> tuple[Game, uuid.UUID]:
    """A finished game against a bot, and the bot's id."""
    game = services.create(alice, "bots", bots=[bot])
    play_out(game, alice)
    return game, game.seats.get(bot=bot).player_ref


def test_luck_and_skill_add_up_to_the_score(solo: Game, alice: Player) -> None:
    play_out(solo, alice)
    found = review.report(solo, alice)
    assert found.par is not None
    assert found.luck is not None
    assert found.par + found.luck - found.points_lost == pytest.approx(found.score, abs=1e-6)
    assert found.par == pytest.approx(253.970241, abs=1e-6)


@pytest.mark.parametrize("bot", ["random", "greedy", "turn_optimal", "perfect"])
def test_it_adds_up_for_every_bot_and_the_perfect_one_loses_nothing(alice: Player, bot: str) -> None:
    game, ref = bot_game(alice, bot)
    found = review.report(game, alice, ref)
    assert found.par is not None
    assert found.luck is not None
    assert found.par + found.luck - found.points_lost == pytest.approx(found.score, abs=1e-6)
    if bot == "perfect":
        assert found.accuracy == 1
        assert found.points_lost == 0
        assert found.worst_slip is None
    if bot == "random":
        assert found.points_lost > 20


def test_each_turn_adds_up_too(solo: Game, alice: Player) -> None:
    play_out(solo, alice)
    found = review.report(solo, alice)
    assert len(found.turns) == 13
    expected = found.par or 0
    for line in found.turns:
        expected += line.luck - line.lost
        assert line.expected_final == pytest.approx(expected, abs=1e-6)
    assert found.turns[-1].total == found.score


def test_slips_are_sorted_by_cost_and_graded_as_the_coach_grades(solo: Game, alice: Player) -> None:
    play_out(solo, alice)
    found = review.report(solo, alice)
    losses = [slip.lost for slip in found.slips]
    assert losses == sorted(losses, reverse=True)
    assert losses
    worst = found.worst_slip
    assert worst is not None
    graded = advice.grade(
        worst.position, keep=worst.chosen.keep, box=worst.chosen.box, table=horizon.ready(Variant.STANDARD)
    )
    assert (graded.quality, graded.points_lost) == (worst.quality, worst.lost)
    assert sum(found.qualities.values()) == len(found.decisions)


def test_a_percentile_of_perfect_play_with_its_interval(solo: Game, alice: Player) -> None:
    par.make(Variant.STANDARD, games=2_000)
    play_out(solo, alice)
    found = review.report(solo, alice)
    assert found.percentile is not None
    assert found.percentile_interval is not None
    low, high = found.percentile_interval
    assert low - 1e-12 <= found.percentile <= high
    made = par.par(Variant.STANDARD)
    assert made is not None
    assert made.percentile(1575)[0] == 1
    assert 0.3 < made.percentile(250)[0] < 0.7


def test_there_is_no_report_before_the_end_and_none_of_strangers(solo: Game, alice: Player) -> None:
    with pytest.raises(services.Refused) as refused:
        review.report(solo, alice)
    assert refused.value.code == "ERR_INVALID_TURN"
    play_out(solo, alice)
    with pytest.raises(services.Refused) as refused:
        review.report(solo, alice, uuid.uuid4())
    assert refused.value.code == "ERR_FORBIDDEN"


def test_a_score_taken_back_is_no_decision(alice: Player) -> None:
    game = services.create(alice, table_settings={"allowUndo": True})
    services.roll(game, alice)
    services.score(game, alice, "ones")
    services.undo(game, alice)
    services.score(game, alice, "chance")
    play_out(game, alice, 12)
    found = review.report(game, alice)
    assert found.turns[0].box == "chance"
    assert len(found.decisions) == 13
    assert (found.par or 0) + (found.luck or 0) - found.points_lost == pytest.approx(found.score, abs=1e-6)


def test_without_the_table_the_report_says_so(solo: Game, alice: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    play_out(solo, alice)
    monkeypatch.setenv("ODDSMITH_TABLES_DIR", "/nonexistent")
    found = review.report(solo, alice)
    assert found.horizon == "turn"
    assert found.notice == horizon.WARMING_UP
    assert found.par is found.luck is found.percentile is None
    assert found.points_lost > 0


def test_the_share_text_gives_nothing_away(solo: Game, alice: Player) -> None:
    play_out(solo, alice)
    found = review.report(solo, alice)
    text = review.share_text(found, "https://example.org/x")
    assert str(found.score) in text
    assert len([c for c in text if c in "🟩🟨🟧🟥"]) == 13
    titles = set(advice.TITLES.values()) - {"Dicee"}  # also the name of the game
    assert not any(title in text for title in titles)


def test_a_decision_is_explained_by_its_number(solo: Game, alice: Player) -> None:
    play_out(solo, alice, 2)
    ref = solo.seats.get().player_ref
    explained = review.explain(solo, ref, 2)
    assert explained.decision.turn == 2
    assert explained.total == 2
    assert explained.grade.points_lost == explained.decision.lost
    assert explained.ranking[0][0] == explained.decision.best_words
    with pytest.raises(services.Refused):
        review.explain(solo, ref, 3)


def test_the_quiz_asks_about_mistakes_and_knows_the_answer(solo: Game, alice: Player) -> None:
    play_out(solo, alice)
    questions = review.quiz(alice)
    assert questions
    assert all(q.decision.lost >= 1 for q in questions)
    first = questions[0]
    best = next(i for i, choice in enumerate(first.choices) if choice.option == first.decision.best)
    mine = next(i for i, choice in enumerate(first.choices) if choice.option == first.decision.chosen)
    assert first.answer(best).quality == "optimal"
    assert first.answer(mine).points_lost == pytest.approx(first.decision.lost)
    assert review.question(alice, first.key).choices == first.choices
    assert store.current(solo).status == "completed"


def test_a_question_needs_no_game_and_never_offers_a_choice_twice() -> None:
    """The lure, the most points this turn, is among the choices; so is the best, once, whatever its rank is called."""
    table = tables.load(Variant.STANDARD)
    roller = random.Random(5)
    lured = 0
    for _ in range(40):
        dice = tuple(roller.choices(range(1, 7), k=5))
        asked = review.problem("here", Position(Scorecard(), Variant.STANDARD, dice, roller.randint(0, 2)), table)
        words = [choice.words for choice in asked.choices]
        assert len(set(words)) == len(words) == 4
        assert sum(choice.option.points_lost == 0 for choice in asked.choices) >= 1
        assert asked.lure is not None
        assert review.say(asked.position, asked.lure) in words
        lured += asked.lure.points_lost > 0
        best = next(n for n, choice in enumerate(asked.choices) if choice.option == asked.found.best)
        assert asked.answer(best).points_lost == 0
    assert lured, "somewhere this turn's points must mislead"

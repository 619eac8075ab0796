"""Simulated students: they obey the rules, repeat themselves for a seed, and err in the way that was planted."""

from __future__ import annotations

import random
from dataclasses import replace
from statistics import fmean

import numpy as np
import pytest

from engine.dicee.analysis import Horizon, Position, analyze
from engine.dicee.boxes import Scorecard, Variant
from engine.dicee.learning.patterns import PATTERNS, Spot, opportunities
from engine.dicee.learning.students import (
    APPEALS,
    REFORMED,
    STUDENTS,
    TRUTH,
    WILD,
    Belief,
    Student,
    believed,
    choose,
    observations,
    play,
)

KINDS = {student.name: student for student in STUDENTS}
PERFECT = KINDS["perfect"]


@pytest.fixture(scope="module")
def standard(table_of):
    return table_of(Variant.STANDARD)


def test_six_wrong_ideas_or_more_besides_perfect_and_careless_players():
    planted = {student.pattern for student in STUDENTS if student.pattern}
    assert planted == set(PATTERNS) - {"clings"}  # an idea about the roll before, which values do not know
    assert len(STUDENTS) >= 20
    assert len(planted) >= 6
    assert sum(student.pattern is None for student in STUDENTS) >= 12
    assert {student.appeal for student in STUDENTS} - {""} == set(APPEALS)


@pytest.mark.parametrize("name", KINDS)
def test_a_game_obeys_the_rules_and_adds_up(standard, name):
    game = play(KINDS[name], 4, standard)
    card, dice, left = Scorecard(), None, 2
    for move in game.moves:
        here = move.position
        assert (here.card, here.rolls_left) == (card, left)
        assert dice is None or here.dice == dice
        found = analyze(here, Horizon.GAME, standard)
        real = found.option(keep=move.chosen.keep, box=move.chosen.box)
        assert move.chosen.points_lost == pytest.approx(real.points_lost, abs=1e-8)
        if move.chosen.box:
            card, dice, left = card.after(move.chosen.box, here.dice, here.variant), None, 2
        else:
            kept = move.chosen.keep
            assert move.rolled[: len(kept)] == kept
            dice, left = move.rolled, left - 1
    assert card.is_complete
    assert card.grand_total == game.score
    assert game.lost == pytest.approx(sum(move.chosen.points_lost for move in game.moves))
    assert play(KINDS[name], 4, standard) == game


def test_the_model_sees_the_same_losses(standard):
    game = play(KINDS["very careless"], 8, standard)
    seen = observations(game, standard)
    assert sum(it.lost for it in seen) == pytest.approx(game.lost)
    assert [it.took_ms for it in seen] == [move.took_ms for move in game.moves]


def test_a_perfect_player_loses_nothing_and_scores_par(standard):
    games = [play(PERFECT, seed, standard) for seed in range(60)]
    assert max(game.lost for game in games) < 1e-6
    assert fmean(game.score for game in games) == pytest.approx(standard.expected_score, abs=5 * 60 / 60**0.5)


def test_more_careless_players_lose_more(standard):
    lost = [
        fmean(play(Student("", noise=noise), seed, standard).lost for seed in range(8)) for noise in (0.3, 1.0, 3.0)
    ]
    assert 0 < lost[0] < lost[1] < lost[2]
    assert KINDS["perfect"].careless(0.3, 0.1) == replace(PERFECT, noise=0.3, slips=0.1)


def test_a_belief_is_a_different_game_solved(standard):
    """Without the bonus a game is worth less, by less than 35; a dearer Dicee makes it worth more."""
    no_bonus = believed(Variant.STANDARD, Belief(upper_bonus=0)).expected_score
    assert standard.expected_score - 35 < no_bonus < standard.expected_score - 10
    assert believed(Variant.STANDARD, Belief(dicee=200)).expected_score > standard.expected_score + 50
    assert np.allclose(believed(Variant.STANDARD, TRUTH).values, standard.values)


def test_someone_without_foresight_plays_best_for_the_turn(standard):
    blind, luck = Student("", belief=Belief(ahead=False)), random.Random(1)
    for dice, left in (((6, 6, 2, 3, 4), 2), ((1, 2, 2, 5, 5), 0), ((3, 3, 3, 5, 6), 1)):
        here = Position(Scorecard(), Variant.STANDARD, dice, left)
        chosen, short = choose(blind, here, standard, luck), analyze(here)
        assert short.option(keep=chosen.keep, box=chosen.box).ev == pytest.approx(short.ev)


@pytest.mark.parametrize("name", [student.name for student in STUDENTS if student.pattern])
def test_a_planted_idea_is_acted_on_far_more_often_than_by_a_careless_player(standard, name):
    planted = KINDS[name].careless(0.0)
    taken = offered = 0
    for seed in range(12):
        for move in play(planted, 600 + seed, standard).moves:
            found = analyze(move.position, Horizon.GAME, standard)
            fitting = opportunities(Spot(move.position, found)).get(planted.pattern, [])
            offered += bool(fitting)
            taken += any((o.keep, o.box) == (move.chosen.keep, move.chosen.box) for o in fitting)
    assert taken >= 3
    assert taken / offered > 0.2


def test_students_change_as_they_were_made_to():
    improves, gives_up = KINDS["improves"], REFORMED[0]
    noises = [improves.at(game).noise for game in range(40)]
    assert noises == sorted(noises, reverse=True)
    assert (noises[0], noises[-1]) == (improves.noise, improves.becomes)
    assert gives_up.at(14).appeal
    assert not gives_up.at(15).appeal
    assert gives_up.at(15).pattern is None
    assert not improves.is_steady
    assert KINDS["tires"].is_steady
    assert {KINDS["moody"].at(game).noise for game in range(20)} == {KINDS["moody"].noise, WILD}


def test_carelessness_of_other_kinds_shows_where_it_should(standard):
    """Losses by stage: only writing, only the first keep, only later turns."""

    def lost(name: str, counted) -> float:
        games = [play(KINDS[name], seed, standard) for seed in range(6)]
        return sum(move.chosen.points_lost for game in games for move in game.moves if counted(move.position))

    assert lost("careless when writing", lambda here: not here.rolls_left) > 5 * lost(
        "careless when writing", lambda here: here.rolls_left
    )
    assert lost("careless when keeping", lambda here: here.rolls_left) > 5 * lost(
        "careless when keeping", lambda here: not here.rolls_left
    )
    assert lost("rushes the first keep", lambda here: here.rolls_left == 2) > 3 * lost(
        "rushes the first keep", lambda here: here.rolls_left < 2
    )
    early = lost("tires", lambda here: len(here.card.open_boxes) > 7)
    assert lost("tires", lambda here: len(here.card.open_boxes) <= 6) > 2 * early

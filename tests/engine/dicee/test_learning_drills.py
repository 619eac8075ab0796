"""Drills: one clearly best answer, a natural wrong one, cards that could have happened, the same for the same seed."""

from __future__ import annotations

import pytest

from engine.dicee import notation
from engine.dicee.analysis import Horizon, Position, analyze
from engine.dicee.boxes import BOXES, UPPER, Scorecard, Variant
from engine.dicee.learning import Concept, make_drill
from engine.dicee.learning.concepts import touched
from engine.dicee.learning.drills import BANDS, CLEAR, LEAST_CHOICES, MOST_CHOICES, UNCERTAIN, guess
from engine.dicee.learning.patterns import PATTERNS, Spot
from engine.wire import EngineError
from tests.oracles import dicee as slow

SEEDS = range(3)


@pytest.fixture(scope="module")
def standard(table_of):
    return table_of(Variant.STANDARD)


@pytest.mark.parametrize("difficulty", BANDS)
@pytest.mark.parametrize("concept", list(Concept))
def test_a_drill_asks_what_was_ordered(standard, concept, difficulty):
    for seed in SEEDS:
        drill = make_drill(concept, difficulty, seed, standard)
        found = analyze(drill.position, Horizon.GAME, standard)
        assert (drill.concept, drill.difficulty) == (concept, difficulty)
        assert concept in touched(drill.position, found)
        assert (drill.best.keep, drill.best.box) == (found.best.keep, found.best.box)
        assert drill.gap == pytest.approx(found.options[1].points_lost)
        assert drill.gap >= CLEAR[drill.difficulty]
        low, high = BANDS[difficulty]
        assert low <= drill.tempting.points_lost < high
        assert LEAST_CHOICES <= len(drill.options) <= MOST_CHOICES
        assert drill.options[0] == drill.best
        assert drill.tempting in drill.options[1:]
        assert len({(option.keep, option.box) for option in drill.options}) == len(drill.options)
        for option in drill.options:
            real = found.option(keep=option.keep, box=option.box)
            assert option.points_lost == pytest.approx(real.points_lost)


def test_the_same_seed_makes_the_same_drill_and_others_make_others(standard):
    made = [make_drill(Concept.OF_A_KIND, 2, seed, standard) for seed in range(6)]
    assert made[0] == make_drill(Concept.OF_A_KIND, 2, 0, standard)
    assert len({notation.write(drill.position) for drill in made}) == 6
    assert make_drill(Concept.OF_A_KIND, 1, 0, standard).position != made[0].position


def test_a_named_mistake_is_the_one_the_tempting_choice_would_be(standard):
    named = [make_drill(Concept.CHANCE, 2, seed, standard) for seed in SEEDS]
    assert {drill.pattern for drill in named} <= {None, "chance_early", "saves_chance"}
    for drill in named:
        if drill.pattern:
            found = analyze(drill.position, Horizon.GAME, standard)
            assert PATTERNS[drill.pattern].fits(Spot(drill.position, found), drill.tempting)


def test_harder_means_less_to_see():
    assert BANDS[1][0] >= BANDS[2][1] > BANDS[2][0] >= BANDS[3][1] > BANDS[3][0] > CLEAR[3]
    assert CLEAR[1] > CLEAR[2] > CLEAR[3]


def test_a_chance_to_guess_is_the_exact_one(standard):
    """Every outcome of the remaining rolls, played for that box alone."""
    for seed in SEEDS:
        drill = make_drill(Concept.READING_ODDS, 2, seed, standard)
        here = drill.position
        assert drill.predicts in here.card.open_boxes
        assert UNCERTAIN[0] <= drill.truth <= UNCERTAIN[1]
        if here.rolls_left == 1:
            assert drill.truth == pytest.approx(_chance(drill.predicts, here))


def test_one_roll_guess_by_enumeration():
    here = Position(Scorecard(), Variant.STANDARD, (2, 3, 4, 5, 5), 1)
    box, truth = guess(here, analyze(here).option(keep=(2, 3, 4, 5)))
    assert box == "large_straight"  # Small Straight is certain: nothing to guess
    assert truth == pytest.approx(1 / 3) == pytest.approx(_chance(box, here))
    assert guess(Position(Scorecard(), Variant.STANDARD, (2, 3, 4, 5, 5), 0), analyze(here).best) == (None, None)
    sure = Scorecard(tuple(None if box == "chance" else 0 for box in BOXES))
    only_chance = Position(sure, Variant.STANDARD, (1, 2, 2, 4, 6), 1)
    assert guess(only_chance, analyze(only_chance).best) == (None, None)


def _chance(box: str, here: Position) -> float:
    def made(dice: slow.Dice) -> float:
        number = BOXES.index(box)
        return float(dice.count(number + 1) >= 3 if number in UPPER else slow.score(box, dice) > 0)

    return slow.Turn(made).roll_value(tuple(sorted(here.dice)), 1)


@pytest.mark.parametrize("difficulty", [0, 4])
def test_other_difficulties_are_refused(standard, difficulty):
    with pytest.raises(EngineError, match="1, 2 or 3"):
        make_drill(Concept.CHANCE, difficulty, 1, standard)

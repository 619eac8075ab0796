"""One decision as the learning model sees it: against enumeration, and true of any decision at all."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.dicee.analysis import Analysis, Horizon, Position, analyze
from engine.dicee.boxes import BOXES, Scorecard, Variant
from engine.dicee.learning import CONCEPTS, PATTERNS, Concept, Kind, Observation, observe
from engine.dicee.learning.carelessness import CELLS, RANKS, TEMPERATURES, TOP, WAYS, WITHIN, actions, chances
from engine.dicee.learning.concepts import goal
from engine.dicee.learning.observations import OBVIOUS, is_obvious, most_this_turn, stakes
from engine.dicee.learning.patterns import REAL_COST, TOO_DEAR, Spot, longest_run, opportunities
from tests.engine.dicee.positions import five_dice, scorecards
from tests.oracles import learning as slow

STANDARD = Variant.STANDARD


@pytest.fixture(scope="module")
def standard(table_of):
    return table_of(STANDARD)


@pytest.fixture(scope="module")
def look(standard):
    """``look(dice, rolls_left, **filled)``: the analysis of a position."""

    def analysis(dice: tuple[int, ...], rolls_left: int, **filled: int) -> Analysis:
        return analyze(Position(Scorecard.from_wire(filled), STANDARD, dice, rolls_left), Horizon.GAME, standard)

    return analysis


def seen(found: Analysis, **choice: object) -> Observation:
    return observe(found.position, found.option(**choice), found)


def card_with_open(*boxes: str) -> Scorecard:
    return Scorecard(tuple(None if box in boxes else 0 for box in BOXES))


@settings(max_examples=60, deadline=None)
@given(card=scorecards(), dice=five_dice, rolls_left=st.integers(0, 2), which=st.integers(0, 100))
def test_true_of_any_decision(standard, card, dice, rolls_left, which):
    found = analyze(Position(card, STANDARD, dice, rolls_left), Horizon.GAME, standard)
    every = actions(found)
    chosen = every[which % len(every)]
    it = observe(found.position, chosen, found, 1234, assisted=True)
    assert it.lost >= 0
    assert it.best == (it.lost <= 0.1)
    assert it.cell in range(CELLS)
    assert it.stakes >= 0
    assert (it.took_ms, it.assisted) == (1234, True)
    assert it.concepts
    assert it.category in BOXES
    assert (it.kind is Kind.BOX) == (bool(chosen.box) and bool(found.best.box))
    assert all(0 <= chance <= 1 for chance in it.likelihood)
    assert len(it.likelihood) == len(it.mean_lost) == len(it.mean_square) == WAYS
    for signal in it.signals:
        assert signal.pattern in PATTERNS
        assert not (signal.fell and it.lost < REAL_COST)
        assert all(0 <= chance <= 1 for chance in signal.noise)
    assert Observation.model_validate_json(it.model_dump_json()) == it
    assert observe(found.position, chosen, found, 1234, assisted=True) == it


@settings(max_examples=40, deadline=None)
@given(card=scorecards(), dice=five_dice, rolls_left=st.integers(0, 2))
def test_what_a_decision_is_about_does_not_depend_on_the_choice(standard, card, dice, rolls_left):
    found = analyze(Position(card, STANDARD, dice, rolls_left), Horizon.GAME, standard)
    about = {observe(found.position, option, found).concepts for option in actions(found)}
    tempting = {tuple(s.pattern for s in observe(found.position, o, found).signals) for o in actions(found)}
    assert len(about) == len(tempting) == 1
    for fitting in opportunities(Spot(found.position, found)).values():
        assert REAL_COST <= min(option.points_lost for option in fitting) <= TOO_DEAR
        assert all((o.keep, o.box) != (found.best.keep, found.best.box) for o in fitting)


@settings(max_examples=40, deadline=None)
@given(card=scorecards(), dice=five_dice, rolls_left=st.integers(0, 2))
def test_chances_of_a_careless_player_add_up_and_the_best_choice_is_likeliest(standard, card, dice, rolls_left):
    found = analyze(Position(card, STANDARD, dice, rolls_left), Horizon.GAME, standard)
    likely = chances(found)
    assert likely.shape == (WAYS, len(actions(found)))
    assert likely.sum(axis=1) == pytest.approx(1)
    lost = [option.points_lost for option in actions(found)]
    soft = likely[: len(TEMPERATURES)]
    assert (soft[:, lost.index(min(lost))] >= soft.max(axis=1) - 1e-12).all()
    order = [lost[place] for place in likely[len(TEMPERATURES) + 1 : len(TEMPERATURES) + 1 + len(RANKS)].argmax(axis=1)]
    ranked = [option.points_lost for option in found.options]
    assert order == pytest.approx([ranked[min(rank, len(ranked) - 1)] for rank in RANKS])
    assert (likely[-len(WITHIN) - 1] > 0).sum() == min(TOP, len(ranked))
    for row, within in zip(likely[-len(WITHIN) :], WITHIN, strict=True):
        assert (row > 0).tolist() == [loss <= within for loss in lost]


@pytest.mark.parametrize(
    ("opened", "dice", "rolls_left"),
    [
        (("chance",), (1, 3, 3, 5, 6), 1),
        (("sixes", "chance"), (6, 6, 1, 2, 3), 0),
        (("ones", "full_house"), (2, 2, 5, 5, 6), 1),
        (("large_straight",), (2, 3, 3, 4, 5), 1),
        (("dicee", "twos"), (2, 4, 4, 4, 6), 0),
    ],
)
def test_every_choice_agrees_with_enumeration(standard, opened, dice, rolls_left):
    """Losses, likelihoods, signals and stakes from the oracle's list of every outcome."""
    here = Position(card_with_open(*opened), STANDARD, dice, rolls_left)
    found = analyze(here, Horizon.GAME, standard)
    lost = slow.losses("standard", frozenset(opened), 0, dice, rolls_left)
    for option in actions(found):
        name = ("box", option.box) if option.box else ("keep", option.keep)
        it = observe(here, option, found)
        assert it.lost == pytest.approx(lost[name], abs=1e-8)
        for at, temperature in enumerate(TEMPERATURES):
            chance = slow.softmax(lost, temperature)
            assert it.likelihood[at] == pytest.approx(chance[name], abs=6e-5)
            assert it.mean_lost[at] == pytest.approx(sum(chance[a] * lost[a] for a in lost), abs=6e-5)
            assert it.mean_square[at] == pytest.approx(sum(chance[a] * lost[a] ** 2 for a in lost), abs=6e-5)
    for key, fitting in opportunities(Spot(here, found)).items():
        signal = next(s for s in observe(here, fitting[0], found).signals if s.pattern == key)
        assert signal.fell
        for at, temperature in enumerate(TEMPERATURES):
            chance = slow.softmax(lost, temperature)
            whole = sum(chance[("box", o.box) if o.box else ("keep", o.keep)] for o in fitting)
            assert signal.noise[at] == pytest.approx(whole, abs=6e-5)


@settings(max_examples=40, deadline=None)
@given(card=scorecards(), dice=five_dice, rolls_left=st.integers(0, 2))
def test_the_natural_other_choice_is_the_one_with_most_points_this_turn(standard, card, dice, rolls_left):
    here = Position(card, STANDARD, dice, rolls_left)
    found, short = analyze(here, Horizon.GAME, standard), analyze(here)
    assert short.option(keep=most_this_turn(here)).ev == pytest.approx(short.ev)
    greedy = found.option(keep=most_this_turn(here)).points_lost
    if greedy > 1e-9:
        assert stakes(here, found) == pytest.approx(greedy)


# dice, rolls left, filled boxes, what falls for it, dice held before. All on cards of the standard game.
TEMPTED = {
    "pairs_over_runs": ((3, 4, 4, 5, 6), 1, {"fours": 12, "small_straight": 30}, {"keep": (4, 4)}, ()),
    "chance_early": ((1, 1, 4, 5, 6), 0, {}, {"box": "chance"}, ()),
    "ignores_bonus": ((6, 6, 6, 6, 1), 0, {}, {"box": "four_of_kind"}, ()),
    "chases_dicee": ((1, 1, 1, 2, 2), 1, {"ones": 3}, {"keep": (1, 1, 1)}, ()),
    "stops_early": ((5, 5, 5, 1, 2), 2, {}, {"box": "three_of_kind"}, ()),
    "keeps_highest": ((2, 2, 3, 5, 6), 2, {}, {"keep": (6,)}, ()),
    "keeps_kicker": ((5, 5, 5, 2, 6), 1, {}, {"keep": (5, 5, 5, 6)}, ()),
    "strikes_big": ((1, 2, 2, 4, 6), 0, {"chance": 20}, {"box": "full_house"}, ()),
    "chases_straights": ((3, 4, 5, 5, 1), 2, {}, {"keep": (3, 4, 5)}, ()),
    "most_now": ((6, 6, 1, 1, 5), 0, {}, {"box": "chance"}, ()),
    "upper_first": ((5, 5, 5, 6, 6), 0, {}, {"box": "fives"}, ()),
    "saves_chance": ((6, 6, 5, 4, 2), 0, {"ones": 2, "twos": 4, "sixes": 24}, {"box": "fives"}, ()),
    "splits_two_pairs": ((5, 5, 6, 6, 2), 1, {"three_of_kind": 26, "dicee": 50}, {"keep": (6, 6)}, ()),
    "risks_made": ((2, 3, 4, 5, 6), 1, {}, {"keep": (2, 3, 4, 5)}, ()),
    "throws_all": ((5, 5, 5, 2, 6), 2, {}, {"keep": ()}, ()),
    "avoids_zero": ((1, 1, 3, 5, 5), 0, {"ones": 1, "fours": 12, "three_of_kind": 24, "full_house": 25},
                    {"box": "fives"}, ()),
    "clings": ((6, 2, 2, 2, 3), 1, {}, {"keep": (6,)}, (6,)),
}  # fmt: skip


def test_every_pattern_has_an_example():
    assert set(TEMPTED) == set(PATTERNS)


@pytest.mark.parametrize("key", TEMPTED)
def test_a_pattern_tempts_where_it_should_and_best_play_never_falls_for_it(look, key):
    dice, rolls_left, filled, choice, held = TEMPTED[key]
    found = look(dice, rolls_left, **filled)
    chosen = observe(found.position, found.option(**choice), found, held=held)
    signals = {signal.pattern: signal.fell for signal in chosen.signals}
    assert signals[key] is True
    best = {s.pattern: s.fell for s in observe(found.position, found.best, found, held=held).signals}
    assert best[key] is False
    assert not any(best.values())


def test_texts_are_whole():
    assert set(CONCEPTS) == set(Concept)
    assert all(text.title and len(text.short) <= 9 and text.text.endswith(".") for text in CONCEPTS.values())
    assert len(PATTERNS) >= 8
    assert all(
        p.key == key and p.title and form.words.endswith(".") and form.advice.endswith(".")
        for key, p in PATTERNS.items()
        for form in p.forms
    )
    assert {pattern.concept for pattern in PATTERNS.values()} == set(Concept)


@pytest.mark.parametrize(
    ("dice", "rolls_left", "filled", "concept"),
    [
        ((2, 3, 4, 5, 5), 1, {}, Concept.STRAIGHTS),
        ((5, 5, 5, 2, 6), 2, {}, Concept.OF_A_KIND),
        ((6, 6, 6, 6, 1), 0, {}, Concept.BONUS_PACE),
        ((1, 1, 4, 5, 6), 0, {}, Concept.SACRIFICE),
        ((6, 6, 5, 4, 2), 0, {"ones": 2, "twos": 4, "sixes": 24}, Concept.CHANCE),
        ((5, 5, 5, 2, 2), 1, {}, Concept.READING_ODDS),
    ],
)
def test_a_decision_is_about_what_a_teacher_would_say(look, dice, rolls_left, filled, concept):
    found = look(dice, rolls_left, **filled)
    assert concept in observe(found.position, found.best, found).concepts


def test_a_keep_is_for_the_box_it_raises_most(look):
    found = look((5, 5, 5, 2, 6), 1, fives=15)
    assert goal(found.position, found.option(keep=(5, 5, 5))) == "three_of_kind"
    assert goal(found.position, found.option(box="chance")) == "chance"
    only = Position(card_with_open("chance"), STANDARD, (1, 2, 3, 4, 5), 1)
    assert goal(only, found.option(keep=(5, 5, 5))) == "chance"
    assert longest_run((2, 2, 2, 2, 2)) == 1


def test_dice_held_before_matter_only_where_the_plan_should_change(look):
    found = look((6, 2, 2, 2, 3), 1)
    keys = lambda held: {s.pattern for s in observe(found.position, found.best, found, held=held).signals}  # noqa: E731
    assert keys((6,)) - keys(()) == {"clings"}
    assert keys((2, 2)) == keys(())


@pytest.mark.parametrize(
    ("dice", "rolls_left", "obvious"),
    [((2, 3, 4, 5, 6), 0, True), ((1, 1, 4, 5, 6), 0, False), ((5, 5, 5, 2, 6), 1, False)],
)
def test_what_a_beginner_would_not_miss(look, dice, rolls_left, obvious):
    assert is_obvious((found := look(dice, rolls_left)).position, found) is obvious


@settings(max_examples=40, deadline=None)
@given(card=scorecards(), dice=five_dice, rolls_left=st.integers(0, 2))
def test_an_obvious_decision_has_no_rival_within_the_margin(standard, card, dice, rolls_left):
    here = Position(card, STANDARD, dice, rolls_left)
    found = analyze(here, Horizon.GAME, standard)
    greedy = found.option(keep=most_this_turn(here)).points_lost
    rivals = [option for option in found.options[1:] if option.points_lost < OBVIOUS]
    scores = card.legal_scores(dice, STANDARD)
    pays_most = not found.best.box or scores[found.best.box] == max(scores.values())
    assert is_obvious(here, found) == (not rivals and greedy <= 1e-9 and pays_most)
    assert {observe(here, option, found).obvious for option in actions(found)} == {is_obvious(here, found)}

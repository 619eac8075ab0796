"""Words about decisions: true to the figures, tied to the card, short where they must be."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.dicee import advice, solver, tables
from engine.dicee import shares as accounts
from engine.dicee.advice import BANDS, Depth, Pace, account, advise, band, difference, grade, outlook, pace
from engine.dicee.analysis import Horizon, Position, analyze
from engine.dicee.boxes import BOXES, Scorecard, Variant, rules
from engine.dicee.solver import SOURCES, states
from tests.engine.dicee.positions import positions
from tests.engine.dicee.test_simulate import EXACT
from tests.oracles import dicee as slow

JOKER = Variant.JOKER_RULES


@pytest.fixture(scope="module")
def directory(tmp_path_factory):
    return tmp_path_factory.mktemp("shares")


@pytest.fixture(scope="module")
def shares(directory):
    return tables.load_shares(JOKER, directory)


def here(dice, rolls_left, variant=JOKER, **card):
    return Position(Scorecard.from_wire(card), variant, tuple(dice), rolls_left)


@given(positions(), st.sampled_from(Horizon))
@settings(max_examples=60)
def test_simple_advice_fits_in_200_characters_and_names_the_best_choice(table_of, position, horizon):
    table = table_of(position.variant)
    found = advise(position, Depth.SIMPLE, horizon, table)
    assert len(found.text) <= 200
    best = analyze(position, horizon, table).best
    assert (found.option.keep, found.option.box) == (best.keep, best.box)
    if best.box:
        assert advice.TITLES[best.box] in found.text
    elif best.keep:
        assert "-".join(map(str, best.keep)) in found.text
    longer = [advise(position, depth, horizon, table).text for depth in Depth]
    assert len(longer[0]) <= len(longer[1]) <= len(longer[2])


@given(positions())
@settings(max_examples=60)
def test_no_two_reasons_share_a_sentence(table_of, position):
    reasons = advise(position, Depth.EXPERT, Horizon.GAME, table_of(position.variant)).reasons
    assert len({reason.kind for reason in reasons}) == len(reasons)
    assert len({reason.text for reason in reasons}) == len(reasons)
    assert all(reason.text.endswith(".") for reason in reasons)


def _kinds(position, table, horizon=Horizon.GAME):
    return {reason.kind: reason.text for reason in advise(position, Depth.EXPERT, horizon, table).reasons}


def test_each_situation_has_a_reason_of_its_own(table):
    struck = dict.fromkeys(BOXES[:10], 0)
    cases = {
        "improve": here([1, 2, 3, 4, 6], 2),
        "going_for": here([5, 5, 3, 3, 2], 2, sixes=24, ones=1),
        "full_value": here([2, 3, 4, 5, 6], 1),
        "par": here([4, 4, 5, 3, 4], 0, sixes=18, fives=15, chance=22, dicee=50),
        "strike": here([1, 2, 4, 6, 6], 0, **struck, chance=20),
        "raise_chance": here([1, 1, 1, 4, 6], 1, **struck),
        "chance": here([3, 5, 5, 6, 4], 0, **struck),
        "bank": here([6, 6, 6, 6, 5], 1, **dict.fromkeys(BOXES[:12], 0)),
    }
    texts = {}
    for kind, position in cases.items():
        kinds = _kinds(position, table)
        assert kind in kinds, (kind, kinds)
        texts[kind] = re.sub(r"[\d.]+|" + "|".join(advice.TITLES.values()), "#", kinds[kind])
    assert len(set(texts.values())) == len(texts)


def test_a_safe_box_and_the_box_it_can_become_are_named(table):
    text = advise(here([1, 2, 3, 4, 6], 2), table=table).text
    assert text == "Keep 1-2-3-4, roll one. Small Straight is already safe; it can still become Large Straight (31 %)."
    assert 1 - (5 / 6) ** 2 == pytest.approx(0.31, abs=0.005)


def test_near_ties_are_said_to_be_ties(table):
    seen = set()
    rng = np.random.default_rng(3)
    for _ in range(400):
        position = here(rng.integers(1, 7, 5).tolist(), int(rng.integers(1, 3)))
        found = analyze(position, Horizon.GAME, table)
        gap = found.options[1].points_lost
        words = _kinds(position, table).get("near_tie")
        assert (words is not None) == (gap <= advice.NEAR_TIE)
        if words:
            seen.add("exact" if gap <= 1e-9 else "near")
            assert words.startswith("Exactly as good" if gap <= 1e-9 else "Effectively tied")
            assert gap <= 1e-9 or f"{gap:.2f} points" in words
        if len(seen) == 2:
            return
    assert "near" in seen


def test_points_now_against_the_rest_of_the_game(table):
    position = here([4, 4, 5, 3, 4], 0, sixes=18, fives=15, chance=22, dicee=50)
    words = _kinds(position, table)["turn_against_rest"]
    found = analyze(position, Horizon.GAME, table)
    lost = found.option(box="three_of_kind").points_lost
    assert "score Three of a Kind for 20 (+8.0 now)" in words
    assert f"costs {8 + lost:.1f} later" in words


def _greedy_turn_value(position, table):
    """The game value of playing this turn out for its own points and the game perfectly after it, the slow way."""
    card, variant = position.card, position.variant
    boxes, upper, fifty = frozenset(card.open_boxes), card.upper_subtotal, card.holds_dicee

    def pays(dice):
        return slow.turn_pay(variant.value, boxes, upper, fifty, dice)

    def worth(dice):
        """What the turn pays and what the game is then worth, for the box that pays most."""
        paid = pays(dice)
        most = [card.after(box, dice, variant) for box in paid if paid[box] == max(paid.values())]
        return max(after.grand_total - card.grand_total + table.value(after) for after in most)

    best = analyze(position).best
    greedy = tuple(sorted(position.dice)) if best.keep is None else best.keep
    turn = slow.Turn(lambda dice: max(pays(dice).values()))
    later = [worth(dice) for dice in slow.outcomes(greedy)]
    return turn.keep_value(greedy, 1), sum(later) / len(later)


def test_points_now_and_their_price_later_belong_to_one_way_to_play_on(table):
    """With one roll left: gain and price of the same greedy turn, each counted outcome by outcome."""
    found = 0
    rng = np.random.default_rng(11)
    for _ in range(60):
        position = here(rng.integers(1, 7, 5).tolist(), 1, sixes=18, chance=22)
        words = _kinds(position, table).get("turn_against_rest")
        if words is None:
            continue
        best = analyze(position, Horizon.GAME, table)
        greedy_points, greedy_value = _greedy_turn_value(position, table)
        gain = greedy_points - outlook(position, best.best, table).points
        assert f"(+{gain:.1f} now), but that costs {gain + best.ev - greedy_value:.1f} later" in words
        found += 1
    assert found > 5


@given(positions(), st.sampled_from(Depth))
@settings(max_examples=60)
def test_the_turn_horizon_speaks_of_this_turn_only(position, depth):
    found = advise(position, depth, Horizon.TURN)
    graded = grade(position, box=found.option.box, keep=found.option.keep, horizon=Horizon.TURN)
    for text in (found.text, graded.summary, graded.reasoning, *(reason.text for reason in found.reasons)):
        assert "rest of the game" not in text
        assert "later" not in text


def test_the_dicee_bonus_is_mentioned_when_it_can_be_won(table):
    assert "dicee_bonus" in _kinds(here([3, 3, 3, 1, 5], 2, dicee=50), table)
    assert "dicee_bonus" not in _kinds(here([3, 3, 3, 1, 5], 2, dicee=0), table)
    assert "+100 bonus" in advise(here([3, 3, 3, 3, 3], 0, dicee=50), table=table).text


@pytest.mark.parametrize(
    ("card", "expected", "words"),
    [
        ({}, Pace.UNSTARTED, "three of each face"),
        ({"sixes": 24}, Pace.AHEAD, "6 ahead of pace, 39 to go"),
        ({"sixes": 18}, Pace.LEVEL, "exactly on pace"),
        ({"sixes": 12}, Pace.BEHIND, "6 behind pace, 51 to go"),
        ({"sixes": 0, "fives": 0, "fours": 4}, Pace.DEAD, "59 short with only Ones, Twos, Threes open"),
        (dict(zip(BOXES, [3, 6, 9, 12, 15, 18], strict=False)), Pace.SECURED, "35 points are yours"),
    ],
)
def test_the_pace_of_the_upper_bonus(card, expected, words, table):
    assert pace(Scorecard.from_wire(card)) is expected
    assert words in _kinds(here([1, 2, 3, 5, 6], 1, **card), table)["pace"]


def test_before_the_first_roll_the_advice_is_to_roll(table):
    found = advise(Position(Scorecard(), JOKER), table=table)
    assert found.option.action == "roll"
    assert found.text.startswith("Roll all five dice.")


@given(positions())
@settings(max_examples=40)
def test_an_outlook_is_a_distribution_that_agrees_with_the_value_of_the_turn(position):
    found = analyze(position)
    for option in found.options:
        ahead = outlook(position, option, None)
        assert ahead.final.sum() == pytest.approx(1)
        assert ahead.points == pytest.approx(option.ev, abs=1e-9)
        assert sum(ahead.made.values()) + sum(ahead.settled.values()) == pytest.approx(1)


def test_shares_add_up_to_the_value_of_every_state_and_to_the_published_means(shares, table):
    for filled in range(13):
        level = states(filled)
        np.testing.assert_allclose(
            shares.values[level.row, level.slot].sum(axis=1), table.values[level.row, level.slot], atol=1e-9
        )
    start = dict(zip(SOURCES, shares.values[0, 0].tolist(), strict=True))
    assert start == pytest.approx(EXACT, abs=5.1e-4)


def test_python_source_of_the_shares_gives_the_same_shares(shares, table):
    """The compiled loop runs as plain Python on a few states."""
    level = next(states(11).batches(3))
    again = np.array(shares.values)
    again[level.row, level.slot] = 0.0
    on = solver.board(np.asarray(table.values), rules(JOKER))
    accounts.share_states.python(level.card, level.slot, again, solver.ROLL_CHANCE, on, accounts.sheets())
    np.testing.assert_allclose(again[level.row, level.slot], shares.values[level.row, level.slot], atol=1e-12)


@given(data=st.data())
@settings(max_examples=40)
def test_an_account_adds_up_to_the_value_of_its_option(table, shares, data):
    position = data.draw(positions())
    position = Position(position.card, JOKER, position.dice, position.rolls_left)
    options = analyze(position, Horizon.GAME, table).options
    option = data.draw(st.sampled_from(options))
    assert sum(account(position, option, table, shares).values()) == pytest.approx(option.ev, abs=1e-9)
    gaps = difference(position, options[0], option, table, shares)
    assert sum(gaps.values()) == pytest.approx(option.points_lost, abs=1e-8)
    assert set(gaps) == set(SOURCES)
    assert list(gaps.values()) == sorted(gaps.values(), key=lambda gap: -abs(gap))


def test_shares_are_read_back_from_their_file(directory, shares):
    again = tables.read(tables.table_path(JOKER, directory, "shares"), JOKER, "shares")
    assert again.from_file
    assert np.array_equal(shares.values, again.values)
    assert tables.load_shares(JOKER, directory) is shares


@pytest.mark.slow
def test_progress_of_the_shares_rises_to_one_even_where_nothing_can_be_saved(tmp_path, table):
    (tmp_path / "file").write_text("in the way")
    seen: list[float] = []
    late = Scorecard.from_wire(dict.fromkeys(BOXES[:12], 0))
    found = tables.load_shares(JOKER, tmp_path / "file", seen.append)
    assert seen == sorted(seen)
    assert seen[-1] == 1.0
    option = analyze(Position(late, JOKER, (1, 2, 3, 4, 6), 0), Horizon.GAME, table).best
    assert account(Position(late, JOKER, (1, 2, 3, 4, 6), 0), option, table, found)["chance"] == 16


@given(positions(), st.sampled_from(Horizon))
@settings(max_examples=60)
def test_a_grade_follows_the_bands(table_of, position, horizon):
    table = table_of(position.variant)
    found = analyze(position, horizon, table)
    yardstick = analyze(position).ev
    for option in (found.options[0], found.options[-1]):
        graded = grade(position, keep=option.keep, box=option.box, horizon=horizon, table=table)
        assert graded.points_lost == pytest.approx(option.points_lost, abs=1e-8)
        assert graded.points_lost >= 0
        if graded.points_lost == 0:
            assert (graded.quality, graded.mistake) == ("optimal", None)
            continue
        assert graded.mistake in ("probability", "expected_value", "strategy")
        share = graded.points_lost / yardstick if yardstick else np.inf
        expected = next((name for name, limit in BANDS if share <= limit + 1e-9), "poor")
        assert graded.quality == expected


@pytest.mark.parametrize(
    ("lost", "yardstick", "quality"),
    [
        (0, 0, "optimal"),
        (0, 20, "optimal"),
        (1, 0, "poor"),
        (1, 20, "excellent"),
        (2, 20, "good"),
        (4, 20, "acceptable"),
        (10, 20, "suboptimal"),
        (10.01, 20, "poor"),
        (25, 20, "poor"),
    ],
)
def test_band_edges(lost, yardstick, quality):
    assert band(lost, yardstick)[0] == quality


def test_mistakes_are_told_apart(table):
    position = here([5, 5, 3, 3, 2], 2, sixes=24, ones=1)
    assert grade(position, keep=[2, 5, 5], table=table).mistake == "probability"
    last = here([4, 4, 5, 3, 4], 0, sixes=18, fives=15, chance=22, dicee=50)
    assert grade(last, box="three_of_kind", table=table).mistake == "strategy"
    assert grade(last, box="four_of_kind", table=table).mistake == "expected_value"
    assert "Better by" in grade(last, box="four_of_kind", table=table).summary
    assert grade(last, box="fours", table=table).summary == "The best choice."


def test_a_shared_first_place_is_said_to_be_shared(table):
    position = here([2, 3, 4, 5, 6], 0, **dict.fromkeys(BOXES[:6], 0), chance=20)
    graded = grade(position, box=analyze(position, Horizon.GAME, table).best.box, table=table)
    assert graded.quality == "optimal"
    tied = here([1, 1, 1, 2, 2], 0, Variant.STANDARD, ones=3)
    same = [o.box for o in analyze(tied).boxes if o.points_lost == 0]
    assert grade(tied, box=same[0], horizon=Horizon.TURN).quality == "optimal"


def test_tips_fit_the_lesson(table):
    assert "Chance" in advise(here([3, 5, 5, 6, 4], 0, **dict.fromkeys(BOXES[:10], 0)), table=table).tip
    assert "run of four" in advise(here([1, 2, 3, 4, 6], 2), table=table).tip
    assert "100" in advise(here([3, 3, 3, 1, 5], 2, dicee=50), table=table).tip
    assert "63" in advise(here([6, 6, 6, 6, 2], 0), table=table).tip

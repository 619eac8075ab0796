"""The whole game solved: acceptance figures, toy games with closed forms, brute force, a second library."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.dicee import solver
from engine.dicee.boxes import BOXES, FIVE_OF, ILLEGAL, Rules, Scorecard, Variant, rules, situation
from engine.dicee.lattice import CHILD, COUNTS, FIRST_ROLL, KEEPS, ROLLS, TRANSITION, best_of_keeps
from engine.dicee.tables import Table, slot_of
from tests.engine.dicee.positions import scorecards
from tests.oracles import dicee as slow

PUBLISHED = {"standard": 253.970241, "forced_dicee": 254.587729, "joker_rules": 254.589609}


@pytest.mark.parametrize(("variant", "expected"), PUBLISHED.items())
def test_perfect_play_averages_the_published_figure(variant, expected, table_of):
    assert table_of(variant).expected_score == pytest.approx(expected, abs=1e-6)


def test_state_counts_are_those_of_the_literature():
    assert solver.state_count() == 536_448
    assert 3 * 64 * int(solver.slots().start[-1]) == 359_616
    assert sum(len(solver.states(filled).card) for filled in range(14)) == 359_616


def test_a_game_where_every_box_counts_sixes_has_a_closed_form():
    sixes = np.repeat((COUNTS[FIRST_ROLL:, 5])[None, None], 4, axis=0).repeat(13, axis=1)
    values = solver.solve(Rules(np.ascontiguousarray(sixes), upper_bonus=0, dicee_bonus=0))
    per_turn = 5 * (1 - (5 / 6) ** 3)
    for filled in range(14):
        states = solver.states(filled)
        np.testing.assert_allclose(values[states.row, states.slot], (13 - filled) * per_turn, atol=1e-9)


def test_a_game_of_one_box_has_a_closed_form(table):
    only = {box: Scorecard(tuple(None if box == name else 0 for name in BOXES)) for box in BOXES}
    # Chance: each die is rolled again below its mean to come: 4.25 after one roll, 14/3 after two.
    assert table.value(only["chance"]) == pytest.approx(5 * 14 / 3, abs=1e-9)
    assert table.value(only["dicee"]) == pytest.approx(50 * 347897 / 7558272, abs=1e-9)
    for face, box in enumerate(BOXES[:6], start=1):
        assert table.value(only[box]) == pytest.approx(5 * face * (1 - (5 / 6) ** 3), abs=1e-9)


CARDS = [
    (["chance", "dicee"], 0, False),
    (["full_house", "sixes"], 50, True),
    (["ones", "sixes"], 44, False),
    (["large_straight", "three_of_kind"], 63, True),
    (["small_straight", "fours", "dicee"], 48, False),
]


@pytest.mark.parametrize("variant", list(Variant))
@pytest.mark.parametrize(("open_boxes", "upper", "fifty"), CARDS)
def test_small_cards_match_listing_every_outcome(variant, open_boxes, upper, fifty, table_of):
    filled = sum(1 << n for n, box in enumerate(BOXES) if box not in open_boxes)
    slot = solver.slots().number[filled & 63, upper]
    value = table_of(variant).values[solver.row_of(filled, fifty), slot] - 35 * (upper == 63)
    assert value == pytest.approx(slow.card_value(variant.value, frozenset(open_boxes), upper, fifty), abs=1e-9)


@pytest.mark.slow
@given(st.integers(0, 8191), st.integers(0, 63), st.booleans())
@settings(max_examples=200)
def test_an_agreeing_second_library(table_of, filled, total, fifty):
    theirs = _second_library()
    slot = solver.slots().number[filled & 63, total]
    if slot == solver.UNREACHABLE or filled == 8191 or (fifty and not filled >> 11 & 1):
        return
    ours = table_of("joker_rules").values[solver.row_of(filled, fifty), slot]
    expected = theirs.state_values(np.array([filled], np.uint32), np.array([total], np.uint16), np.array([fifty]))
    assert ours - 35 * (total == 63) == pytest.approx(float(expected[0]), abs=1e-7)


_library = []


def _second_library():
    yatzy = pytest.importorskip("yatzy_solver")
    if not _library:
        _library.append(yatzy.Solver.build(yatzy.Variant("american")))
    return _library[0]


@given(st.integers(0, 8191), st.integers(0, 62))
def test_more_in_the_upper_section_is_never_worse(table, filled, total):
    numbers = solver.slots().number[filled & 63]
    row = table.values[solver.row_of(filled, False)]
    if numbers[total] >= 0 and numbers[total + 1] >= 0:
        assert row[numbers[total + 1]] >= row[numbers[total]] - 1e-9


def test_threads_do_not_change_a_single_bit(table):
    assert np.array_equal(solver.solve(rules(Variant.JOKER_RULES), workers=1), table.values)


def test_progress_rises_to_one():
    seen: list[float] = []
    solver.solve(rules(Variant.STANDARD), seen.append)
    assert seen == sorted(seen)
    assert len(seen) == 13
    assert seen[-1] == 1.0


def test_compiled_loops_and_their_python_source_agree():
    """The same lines run as plain Python on a few states: what the compiler was given is what is tested."""
    by = rules(Variant.FORCED_DICEE)
    values = solver.solve(by)
    batch = next(solver.states(12).batches(40))
    on, how = solver.board(values.copy(), by), solver.turn(by)
    sheet = np.zeros((solver.FIRST_MOVE + len(how.moves), solver.LANES))
    left = np.zeros((len(BOXES), 6, solver.LANES))
    solver.leave.python(sheet, left, batch.card, batch.slot, on)
    solver.score_rolls.python(sheet, left, batch.card, on, how)
    for _ in range(solver.REROLLS):
        solver.reroll.python(sheet, on.child, how.hold)
    worth = solver.ROLL_CHANCE @ sheet[FIRST_ROLL : FIRST_ROLL + len(ROLLS)]
    np.testing.assert_allclose(worth[: len(batch.card)], values[batch.row, batch.slot], atol=1e-9)
    on.values[batch.row, batch.slot] = np.nan
    solver.value_states.python(batch.card, batch.slot, on, how, solver.sheets(how))
    np.testing.assert_allclose(on.values, values, atol=1e-9)


def test_one_more_roll_is_the_best_keep_by_its_mean():
    """The steps on the lattice against every keep of every roll and its row of chances, a game per lane."""
    sheet = np.random.default_rng(7).uniform(-300, 300, (len(KEEPS), solver.LANES))
    best = best_of_keeps(TRANSITION @ sheet[FIRST_ROLL:])
    solver.reroll(sheet, CHILD, solver.turn(rules(Variant.STANDARD)).hold)
    np.testing.assert_allclose(sheet[FIRST_ROLL:], best, atol=1e-9)


@given(st.data())
def test_steps_take_the_largest_of_any_rows(data):
    among = data.draw(st.lists(st.integers(1, 19), min_size=1, max_size=12))
    sheet = np.random.default_rng(data.draw(st.integers(0, 99))).random((20, solver.LANES))
    largest = sheet[among].max(axis=0)
    steps = np.array(list(solver._steps(0, among)))
    by_source = sheet.copy()
    solver.take_best(sheet, steps)
    solver.take_best.python(by_source, steps)
    assert np.array_equal(sheet[0], largest)
    assert np.array_equal(by_source, sheet)


@given(st.integers(0, 8191), st.integers(0, 251))
def test_the_compiled_situation_is_that_of_the_rules(filled, roll):
    expected = situation(filled, roll)
    assert solver.joker_case(filled, FIVE_OF[roll]) == expected
    assert solver.joker_case.python(filled, int(FIVE_OF[roll])) == expected


@given(st.integers(0, 8191), st.integers(0, 5))
def test_the_compiled_situation_of_five_of_a_kind(filled, face):
    roll = int(np.flatnonzero(face == FIVE_OF)[0])
    assert solver.joker_case.python(filled, face) == solver.joker_case(filled, face) == situation(filled, roll)


def test_some_box_is_legal_on_every_card():
    """The solver starts a joker roll from 0, which is only right if some box may then be used."""
    scores = rules(Variant.FORCED_DICEE).scores
    for roll in np.flatnonzero(FIVE_OF >= 0):
        assert scores[1, FIVE_OF[roll], roll] != ILLEGAL
        assert (scores[2, 6:, roll] != ILLEGAL).all()
        assert (scores[3, :6, roll] != ILLEGAL).all()


def test_a_secured_upper_bonus_is_on_the_card_not_to_come(table):
    sixty_three = dict(zip(BOXES[:6], [3, 6, 9, 12, 15, 18], strict=True))
    rest = dict.fromkeys(BOXES[6:12], 0)
    card = Scorecard.from_wire(sixty_three | rest)
    assert card.upper_bonus == 35
    assert isinstance(table, Table)
    assert table.value(card) == pytest.approx(5 * 14 / 3, abs=1e-9)


@given(scorecards(), st.sampled_from(Variant))
@settings(max_examples=30)
def test_a_plan_for_this_turn_counts_everything_the_turn_pays(card, variant):
    """The compiled plan against the rules written out: points, +100 and +35 (ruling D18)."""
    worth, boxes, left = np.empty(len(KEEPS)), np.zeros(len(ROLLS), np.int64), np.empty((len(BOXES), 6))
    bits = card.filled | (solver.HOLDS_DICEE if card.holds_dicee else 0)
    on = solver.board(np.zeros((1, 1)), rules(variant))
    solver.plan_boxes(worth, boxes, left, bits, slot_of(card.filled, card.upper_subtotal), False, on)
    open_boxes = frozenset(card.open_boxes)
    for roll, dice in enumerate(ROLLS):
        pays = slow.turn_pay(variant.value, open_boxes, card.upper_subtotal, card.holds_dicee, dice)
        assert worth[FIRST_ROLL + roll] == max(pays.values()) == pays[BOXES[boxes[roll]]]

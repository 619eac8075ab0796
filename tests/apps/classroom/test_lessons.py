"""The six built-in lessons: every figure against a count of its own, every marked answer proven, every bound kept."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from math import comb, sqrt
from string import Formatter

import numpy as np
import pytest
from django.http import QueryDict
from django.template.loader import render_to_string
from django.test import Client

from apps.accounts.models import Player
from apps.classroom.services import lessons
from apps.classroom.services.lessons import (
    complement,
    conditional,
    expected_value,
    large_numbers,
    sample_space,
    stopping,
)
from apps.classroom.services.lessons.lesson import Lesson, Pick, Share, fill, write
from apps.classroom.services.lessons.page import form_class
from apps.core.forms import Whole

HALF, SIXTH = Fraction(1, 2), Fraction(1, 6)
TWO_DICE = list(product(range(1, 7), repeat=2))
every_lesson = pytest.mark.parametrize("lesson", lessons.LESSONS, ids=lambda lesson: lesson.slug)


def shown(lesson: Lesson, slug: str, query: str = ""):
    """What a step shows of an address."""
    page = lessons.open_page(lesson, QueryDict(query), only=slug)
    assert not page.errors
    return next(step.shown for step in page.steps if step.step.slug == slug)


def asked(lesson: Lesson, name: str) -> dict[str, str]:
    """The texts of a question's options, by key; the right one under "right answer" too."""
    question = next(question for question in lesson.questions if question.name == name)
    texts = {option.key: fill(option.text, lesson.facts()) for option in question.options}
    return texts | {"right answer": texts[question.right.key]}


def chance(text: str) -> Fraction:
    """The fraction a text begins with: "20/7,776", "1/6: because …"."""
    found = re.match(r"([\d,]+)/([\d,]+)", text)
    assert found, text
    return Fraction(int(found[1].replace(",", "")), int(found[2].replace(",", "")))


def share_of(event, outcomes) -> Fraction:
    outcomes = list(outcomes)
    return Fraction(sum(map(event, outcomes)), len(outcomes))


# -- What every lesson has -----------------------------------------------------------------------------------------


def texts(lesson: Lesson) -> Iterator[str]:
    yield from (lesson.title, lesson.hook, lesson.topic, lesson.headline, lesson.headline_says, *lesson.goals)
    for step in lesson.steps:
        yield from (step.title, *step.say, *step.find, *step.idea, step.recall_says)
    for question in lesson.questions:
        yield question.asks
        for option in question.options:
            yield from (option.text, option.says, option.slip)
    note = lesson.note
    yield from (*note.run, *note.words, *note.further)
    for pair in (*note.board, *note.watch):
        yield from pair


@every_lesson
def test_no_figure_is_typed_in(lesson: Lesson) -> None:
    typed = [text for text in texts(lesson) if re.search(r"\d", re.sub(r"\{[^}]*\}", "", text))]
    assert typed == []


@every_lesson
def test_every_figure_named_is_counted(lesson: Lesson) -> None:
    facts = lesson.facts()
    for text in texts(lesson):
        assert "{" not in fill(text, facts)


@every_lesson
def test_every_figure_counted_is_named(lesson: Lesson) -> None:
    verdicts = (sample_space.ALL_RIGHT, sample_space.NOTHING) if lesson is SPACE else ()
    named = {name for text in (*texts(lesson), *verdicts) for _, name, _, _ in Formatter().parse(text) if name}
    assert set(lesson.facts()) - named == set()


@every_lesson
def test_a_lesson_is_short_and_complete(lesson: Lesson) -> None:
    kinds = [step.kind for step in lesson.steps]
    assert 5 <= len(kinds) <= 7
    assert 10 <= lesson.minutes <= 15
    assert kinds[0] == "Guess"
    assert kinds[-1] == "Play"
    assert {"Try", "Idea", "Check"} <= set(kinds)
    assert len(lesson.goals) >= 3
    assert lesson.note.run
    assert len(lesson.note.board) >= 3
    assert len(lesson.note.watch) >= 2
    assert len(lesson.note.words) >= 5
    guesses = {question.name for question in lesson.questions if question.guess}
    assert {step.recall for step in lesson.steps if step.recall} == guesses


@every_lesson
def test_a_question_has_one_right_answer_and_names_the_slip_behind_the_others(lesson: Lesson) -> None:
    for question in lesson.questions:
        filled = [fill(option.text, lesson.facts()) for option in question.options]
        assert len(set(filled)) == len(filled)
        assert sum(option.right for option in question.options) == 1
        if not question.guess:
            assert all(option.says for option in question.options)
            assert all(bool(option.slip) != option.right for option in question.options)


def test_figures_are_written_as_people_read_them() -> None:
    assert write(Share(6, 36)) == "6/36"
    assert write(Share(300, 7776), "of") == "300 of 7,776"
    assert write(Fraction(4, 2)) == "2"
    assert write(0.16666, "%") == "16.7\N{NO-BREAK SPACE}%"
    assert fill("{n} and {p:2}", {"n": 10_000, "p": Fraction(14, 3)}) == "10,000 and 4.67"


# -- Sample space --------------------------------------------------------------------------------------------------

SPACE = sample_space.LESSON


@pytest.mark.parametrize(
    ("event", "number", "rule"),
    [
        *[("total", n, lambda a, b, n: a + b == n) for n in range(13)],
        *[("least", n, lambda a, b, n: a + b >= n) for n in range(13)],
        *[("face", n, lambda a, b, n: a == n or b == n) for n in range(1, 7)],
        *[("apart", n, lambda a, b, n: max(a, b) - min(a, b) == n) for n in range(13)],
    ],
)
def test_an_event_lights_up_exactly_its_squares(event: str, number: int, rule) -> None:
    found = shown(SPACE, "events", f"event={event}&number={number}")
    lit = {(cell.gold, cell.white) for row in found.rows for cell in row if cell.state == "in"}
    assert lit == {(a, b) for a, b in TWO_DICE if rule(a, b, number)}
    assert found.share == (len(lit), 36)
    assert found.kind == {0: "impossible", 36: "certain"}.get(len(lit), "")


def test_the_squares_stacked_by_total_are_all_squares_once() -> None:
    stacks = shown(SPACE, "shape")
    assert sorted(square for _, _, squares in stacks for square in squares) == TWO_DICE
    for total, share, squares in stacks:
        assert share == (6 - abs(total - 7), 36)
        assert {a + b for a, b in squares} == {total}


SEVENS = [f"{a}{b}" for a, b in TWO_DICE if a + b == 7]


@pytest.mark.parametrize(
    ("marks", "said"),
    [
        ([], "Nothing is marked yet"),
        (SEVENS, "Every one of them, and nothing else: 6 of 36"),
        (["16", "25", "34"], "gold 6 with white 1 is not"),
        (["16", "61"], "4 more are still hiding"),
        (SEVENS[:4], "Gold 1 with white 6 is marked, gold 6 with white 1 is not"),
        ([*SEVENS, "66"], "1 of your squares does not add up to 7: look at gold 6, white 6"),
        (["11", "12"], "2 of your squares do not add up"),
    ],
)
def test_the_verdict_on_marked_squares_tells_the_kind_of_mistake(marks: list[str], said: str) -> None:
    found = shown(SPACE, "mark", "&".join(f"mark={mark}" for mark in marks))
    assert said in found.verdict
    assert found.done == (sorted(marks) == SEVENS)


def test_the_marked_answers_of_the_sample_space_are_right() -> None:
    def total(n: int) -> Fraction:
        return share_of(lambda square: sum(square) == n, TWO_DICE)

    assert total(7) > total(6)  # the guess
    assert asked(SPACE, "guess")["right answer"] == "I have, with 7"
    eleven = asked(SPACE, "eleven")
    assert chance(eleven["right answer"]) == total(11)
    assert sum(chance(text) == total(11) for key, text in eleven.items() if key != "right answer") == 1
    one_six = asked(SPACE, "onesix")
    truth = share_of(lambda square: 6 in square, TWO_DICE)
    assert chance(one_six["right answer"]) == truth
    assert chance(one_six["exactly"]) == share_of(lambda square: square.count(6) == 1, TWO_DICE)
    assert chance(one_six["row"]) == share_of(lambda square: square[0] == 6, TWO_DICE)
    five_alike = share_of(lambda dice: len(set(dice)) == 1, product(range(6), repeat=5))
    assert SPACE.facts()["dicee"] == five_alike
    assert SPACE.facts()["dicee_ways"].p == five_alike


# -- Complement ----------------------------------------------------------------------------------------------------

COMPLEMENT = complement.LESSON
HIT_FACES = {"six": {6}, "high": {5, 6}, "even": {2, 4, 6}}


@pytest.mark.parametrize("hit", HIT_FACES)
@pytest.mark.parametrize("dice", range(1, 6))
def test_both_roads_lead_to_the_counted_chance(dice: int, hit: str) -> None:
    found = shown(COMPLEMENT, "road", f"dice={dice}&hit={hit}")
    outcomes = list(product(range(1, 7), repeat=dice))
    hits = [sum(face in HIT_FACES[hit] for face in roll) for roll in outcomes]
    assert found.none == (hits.count(0), 6**dice)
    assert found.some == (6**dice - hits.count(0), 6**dice)
    assert list(found.cases) == [(n, (hits.count(n), 6**dice)) for n in range(1, dice + 1)]
    assert sum(share.hits for _, share in found.cases) == found.some.hits
    for n, still in enumerate(found.still, 1):
        rolls = product(range(1, 7), repeat=n)
        assert still == (sum(not HIT_FACES[hit] & set(roll) for roll in rolls), 6**n)


def test_ten_dice_still_add_up_exactly() -> None:
    found = shown(COMPLEMENT, "road", "dice=10")
    assert sum(share.hits for _, share in found.cases) == found.some.hits == 6**10 - 5**10


def test_the_bets_are_read_off_the_right_curves() -> None:
    found = shown(COMPLEMENT, "gambler", "rolls=24")
    none, no_double = 1.0, 1.0
    for roll in range(40):
        none, no_double = none * 5 / 6, no_double * 35 / 36
        assert found["figure"]["data"][0]["y"][roll] == pytest.approx(1 - none)
        assert found["figure"]["data"][1]["y"][roll] == pytest.approx(1 - no_double)
    assert found["six"] == 1 - Fraction(5, 6) ** 24
    assert found["double"] == 1 - Fraction(35, 36) ** 24


def test_the_marked_answers_of_the_complement_are_right() -> None:
    four = share_of(lambda roll: 6 in roll, product(range(1, 7), repeat=4))
    assert HALF < four < Fraction(11, 20)
    assert asked(COMPLEMENT, "guess")["right answer"] == "A little more than half"
    rolls = list(product(range(1, 7), repeat=3))
    opposite = {
        "one": lambda roll: roll.count(6) == 1,
        "none": lambda roll: roll.count(6) == 0,
        "all": lambda roll: roll.count(6) == 3,
        "some_not": lambda roll: roll.count(6) < 3,
    }
    fits = [key for key, event in opposite.items() if all(event(roll) != (6 in roll) for roll in rolls)]
    assert [option.key for option in complement.OPPOSITE.options if option.right] == fits
    assert list(opposite) == [option.key for option in complement.OPPOSITE.options]
    assert Fraction(9, 20) < 1 - Fraction(35, 36) ** 24 < HALF < 1 - Fraction(35, 36) ** 25
    assert asked(COMPLEMENT, "gambler")["right answer"] == "A little less than half"
    assert COMPLEMENT.facts()["even_six"] == 4
    assert COMPLEMENT.facts()["even_double"] == 25
    fourth = asked(COMPLEMENT, "fourth")
    assert chance(fourth["right answer"]) == share_of(lambda roll: 5 in roll, TWO_DICE)
    assert chance(fourth["opposite"]) == share_of(lambda roll: 5 not in roll, TWO_DICE)
    assert chance(fourth["one"]) == share_of(lambda roll: roll.count(5) == 1, TWO_DICE)


# -- Conditional ---------------------------------------------------------------------------------------------------

CONDITIONAL = conditional.LESSON
RULES = {
    "nothing": lambda a, b: True,
    "gold": lambda a, b: a == 6,
    "one": lambda a, b: a == 6 or b == 6,
    "both": lambda a, b: a == 6 and b == 6,
    "double": lambda a, b: a == b,
    "high": lambda a, b: a + b >= 10,
    "seven": lambda a, b: a + b == 7,
    "even": lambda a, b: (a + b) % 2 == 0,
}


@pytest.mark.parametrize("known", conditional.GIVEN)
@pytest.mark.parametrize("wanted", conditional.ASKED)
def test_what_is_known_strikes_squares_out(known: str, wanted: str) -> None:
    found = shown(CONDITIONAL, "shrink", f"given={known}&asked={wanted}")
    left = [square for square in TWO_DICE if RULES[known](*square)]
    both = [square for square in left if RULES[wanted](*square)]
    states = {(cell.gold, cell.white): cell.state for row in found.rows for cell in row}
    assert [square for square, state in states.items() if state != "gone"] == left
    assert [square for square, state in states.items() if state == "in"] == both
    assert found.after == (len(both), len(left))
    before = share_of(lambda square: RULES[wanted](*square), TWO_DICE)
    assert found.before.p == before
    assert found.same == (Fraction(len(both), len(left)) == before)


def makes(box: str, dice: tuple[int, ...]) -> bool:
    """Dicee's boxes once more, from the rules."""
    counts = sorted((dice.count(face) for face in set(dice)), reverse=True)
    runs = [set(range(low, low + size)) <= set(dice) for size in (4, 5) for low in range(1, 8 - size)]
    return {
        "full_house": counts == [3, 2],
        "three_of_kind": counts[0] >= 3,
        "four_of_kind": counts[0] >= 4,
        "small_straight": any(runs),
        "large_straight": any(runs[3:]),
        "dicee": counts[0] == 5,
    }[box]


@pytest.mark.parametrize("box", conditional.BOXES)
@pytest.mark.parametrize("held", [(5, 5), (2, 5), (3, 4), (1, 6)])
def test_two_held_dice_leave_the_ways_the_engine_counts(held: tuple[int, int], box: str) -> None:
    found = shown(CONDITIONAL, "held", f"first={held[0]}&second={held[1]}&box={box}")
    thrown = list(product(range(1, 7), repeat=3))
    hits = [roll for roll in thrown if makes(box, (*held, *roll))]
    lit = [
        (block.face, cell.gold, cell.white)
        for block in found.blocks
        for row in block.rows
        for cell in row
        if cell.state == "in"
    ]
    assert lit == hits
    assert found.after_ways == (len(hits), 216)
    assert found.after == Fraction(len(hits), 216)
    assert sum(block.hits for block in found.blocks) == len(hits)


@pytest.mark.parametrize("box", conditional.BOXES)
def test_the_chance_with_nothing_held_counts_all_five_dice(box: str) -> None:
    found = shown(CONDITIONAL, "held", f"box={box}")
    ways = sum(makes(box, roll) for roll in product(range(1, 7), repeat=5))
    assert found.before_ways == (ways, 7776)


def test_the_marked_answers_of_conditional_probability_are_right() -> None:
    with_a_six = [square for square in TWO_DICE if 6 in square]
    guess = asked(CONDITIONAL, "guess")
    assert chance(guess["right answer"]) == share_of(lambda square: square == (6, 6), with_a_six)
    assert chance(guess["independent"]) == SIXTH
    high = [square for square in TWO_DICE if sum(square) >= 10]
    turned = asked(CONDITIONAL, "turned")
    assert chance(turned["right answer"]) == share_of(lambda square: 6 in square, high)
    assert chance(turned["turned"]) == share_of(lambda square: sum(square) >= 10, with_a_six)
    assert chance(turned["joint"]) == share_of(lambda square: 6 in square and sum(square) >= 10, TWO_DICE)
    assert chance(turned["before"]) == share_of(lambda square: 6 in square, TWO_DICE)
    assert [square for square in high if 6 not in square] == [(5, 5)]  # "all of them but double five"
    thrown = list(product(range(1, 7), repeat=3))
    full = asked(CONDITIONAL, "fullhouse")
    assert chance(full["right answer"]) == share_of(lambda roll: makes("full_house", (5, 5, *roll)), thrown)
    assert chance(full["third"]) == share_of(lambda roll: 5 in roll and makes("full_house", (5, 5, *roll)), thrown)
    assert chance(full["triple"]) == share_of(lambda roll: 5 not in roll and len(set(roll)) == 1, thrown)
    facts = CONDITIONAL.facts()
    assert facts["split"].p == share_of(lambda roll: makes("full_house", (2, 5, *roll)), thrown)
    assert facts["times"] == facts["full_house"].p / facts["split"].p == Fraction(10, 3)
    assert facts["even_double"].p == 1
    assert facts["double_even"].p == share_of(lambda square: square[0] == square[1],
                                              [square for square in TWO_DICE if sum(square) % 2 == 0])  # fmt: skip
    assert facts["seven_gold"].p == facts["seven"].p == SIXTH  # "no change"
    assert facts["seven_one"].p == share_of(lambda square: sum(square) == 7, with_a_six) != SIXTH


# -- Expected value ------------------------------------------------------------------------------------------------

VALUE = expected_value.LESSON


@pytest.mark.parametrize("pays", [(1, 2, 3, 4, 5, 6), (0, 0, 0, 0, 0, 30), (60,) * 6, (0,) * 6, (3, 1, 4, 1, 5, 9)])
def test_the_beam_balances_at_the_mean(pays: tuple[int, ...]) -> None:
    query = "&".join(f"pay{face}={pay}" for face, pay in enumerate(pays, 1))
    found = shown(VALUE, "balance", f"{query}&price=5")
    assert found.ev == Fraction(sum(pays), 6)
    assert found.gain == found.ev - 5
    assert found.wins == (sum(pay > 5 for pay in pays), 6)
    torque = sum(len(weight.faces) * (weight.at - found.balances_at) for weight in found.weights)
    assert torque == pytest.approx(0, abs=1e-9)
    assert sorted(face for weight in found.weights for face in weight.faces) == [1, 2, 3, 4, 5, 6]


def points(box: str, dice: tuple[int, ...]) -> int:
    """What a box pays, once more from the rules."""
    names = ["ones", "twos", "threes", "fours", "fives", "sixes"]
    if box in names:
        face = names.index(box) + 1
        return face * dice.count(face)
    if box in ("three_of_kind", "four_of_kind", "chance"):
        return sum(dice) if box == "chance" or makes(box, dice) else 0
    return {"full_house": 25, "small_straight": 30, "large_straight": 40, "dicee": 50}[box] * makes(box, dice)


@pytest.mark.parametrize("box", expected_value.BOXES)
@pytest.mark.parametrize(("dice", "hold"), [("55526", "123"), ("55526", "1235"), ("13466", ""), ("23456", "12345")])
def test_a_roll_for_more_is_worth_its_mean(dice: str, hold: str, box: str) -> None:
    query = f"dice={dice}&box={box}&" + "&".join(f"hold={place}" for place in hold)
    found = shown(VALUE, "later", query)
    faces = tuple(map(int, dice))
    kept = tuple(faces[int(place) - 1] for place in hold)
    outcomes = [points(box, (*kept, *roll)) for roll in product(range(1, 7), repeat=5 - len(kept))]
    assert found.now == points(box, faces)
    assert found.later == Fraction(sum(outcomes), len(outcomes))
    assert list(found.outcomes) == [(p, (outcomes.count(p), len(outcomes))) for p in sorted(set(outcomes))]
    assert found.gain == found.later - found.now
    bars = {x: y for x, y in zip(found.figure["data"][0]["x"], found.figure["data"][0]["y"], strict=True) if y}
    assert bars == {p: pytest.approx(float(share.p)) for p, share in found.outcomes}


def test_the_best_keep_shown_is_the_best_of_all_thirty_two() -> None:
    found = shown(VALUE, "later", "dice=55526&box=three_of_kind")
    values = {}
    for mask in product((False, True), repeat=5):
        kept = tuple(sorted(face for face, held in zip((5, 5, 5, 2, 6), mask, strict=True) if held))
        rolls = list(product(range(1, 7), repeat=5 - len(kept)))
        values[kept] = Fraction(sum(points("three_of_kind", (*kept, *roll)) for roll in rolls), len(rolls))
    assert found.best_ev == max(values.values())
    assert values[found.best] == found.best_ev
    assert values[5, 5, 5, 6] == VALUE.facts()["with_six"] == max(values.values())  # the marked answer
    assert values[5, 5, 5] == VALUE.facts()["triple"] < VALUE.facts()["now"] == 23
    assert values[()] == VALUE.facts()["all"]


def test_the_marked_answers_of_expected_value_are_right() -> None:
    mean = Fraction(sum(range(1, 7)), 6)
    assert mean < VALUE.facts()["price"]
    assert asked(VALUE, "guess")["right answer"].startswith("No: on average it takes more")
    fair = asked(VALUE, "fair")
    assert fair["right answer"] == write(Fraction(30, 6))
    assert fair["half"].startswith("15:")
    assert asked(VALUE, "lastroll")["right answer"] == "Keep the fives and the six, roll the 2"


# -- Law of large numbers ------------------------------------------------------------------------------------------

NUMBERS = large_numbers.LESSON


@pytest.mark.parametrize("n", large_numbers.LENGTHS)
@pytest.mark.parametrize("what", ["one", "two"])
def test_the_overlay_counts_the_rolls_it_shows(n: int, what: str) -> None:
    found = shown(NUMBERS, "run", f"rolls={n}&what={what}&run=7")
    dice = np.random.default_rng(7).integers(1, 7, (10_000, 2))[:n].tolist()
    seen = [a if what == "one" else a + b for a, b in dice]
    exact = list(range(1, 7)) if what == "one" else [a + b for a, b in TWO_DICE]
    for value, p, times, share in found.rows:
        assert times == seen.count(value)
        assert share == pytest.approx(seen.count(value) / n)
        assert p == pytest.approx(exact.count(value) / len(exact))
    assert sum(row[2] for row in found.rows) == n
    assert found.mean == pytest.approx(sum(seen) / n)
    assert found.exact_mean == pytest.approx(sum(exact) / len(exact))
    value, off = found.worst
    assert off == pytest.approx(max(abs(row[3] - row[1]) for row in found.rows))
    line = found.means["data"][1]
    assert line["y"][-1] == pytest.approx(found.mean)
    for x, y in zip(line["x"][:20], line["y"][:20], strict=True):
        assert y == pytest.approx(sum(seen[:x]) / x)
    band = found.means["data"][0]
    variance = sum((v - found.exact_mean) ** 2 for v in exact) / len(exact)
    assert band["y"][len(line["x"]) - 1] == pytest.approx(min(max(exact), found.exact_mean + 2 * sqrt(variance / n)))


def test_a_run_is_repeatable_and_a_longer_one_continues_it() -> None:
    assert shown(NUMBERS, "run", "rolls=1000&run=3") == shown(NUMBERS, "run", "rolls=1000&run=3")
    assert shown(NUMBERS, "run", "rolls=1000&run=3") != shown(NUMBERS, "run", "rolls=1000&run=4")
    short, long = (shown(NUMBERS, "run", f"rolls={n}&run=3").means["data"][1] for n in (10, 100))
    later = dict(zip(long["x"], long["y"], strict=True))
    for x, y in zip(short["x"], short["y"], strict=True):
        assert later[x] == pytest.approx(y)


def test_shares_close_in_over_many_runs() -> None:
    """Seeded: the mean distance from a sixth shrinks with the root of the rolls; the mean distance in sixes grows."""
    tallies = [shown(NUMBERS, "law", f"run={run}") for run in range(1, 101)]
    by_length = list(zip(*tallies, strict=True))
    shares = [np.mean([abs(t.share_off) for t in column]) for column in by_length]
    counts = [np.mean([abs(t.off) for t in column]) for column in by_length]
    assert shares == sorted(shares, reverse=True)
    assert counts == sorted(counts)
    assert shares[0] / shares[2] == pytest.approx(10, rel=0.3)  # a hundred times the rolls


@pytest.mark.parametrize("length", [1, 3, 12, 20])
def test_what_follows_a_drought_is_counted_place_by_place(length: int) -> None:
    found = shown(NUMBERS, "after", f"drought={length}&run=5")
    seen = np.random.default_rng(5).integers(1, 7, (10_000, 2))[:, 0].tolist()
    places = [i for i in range(length, 10_000) if 6 not in seen[i - length : i]]
    assert found.places == len(places)
    assert found.sixes == sum(seen[i] == 6 for i in places)
    assert list(found.example) == seen[places[0] - length : places[0]]
    assert found.came == seen[places[0]]


def test_a_run_without_such_a_drought_says_so() -> None:
    none = large_numbers.Drought(20, 0, 0, (), 6, SIXTH, 10_000)
    text = render_to_string("classroom/lessons/widgets/drought.html", {"shown": none})
    assert "This run has no drought of 20 rolls." in text


def test_tallies_count_the_sixes() -> None:
    seen = np.random.default_rng(9).integers(1, 7, (10_000, 2))[:, 0].tolist()
    for tally in shown(NUMBERS, "law", "run=9"):
        assert tally.sixes == seen[: tally.n].count(6)
        assert tally.off == pytest.approx(tally.sixes - tally.n / 6)
        assert tally.share_off == pytest.approx(tally.sixes / tally.n - 1 / 6)


def test_the_marked_answers_of_large_numbers_are_right() -> None:
    facts = NUMBERS.facts()
    assert asked(NUMBERS, "guess")["right answer"] == "Exactly 1/6"
    assert facts["drought_chance"] == Fraction(5**12, 6**12)
    follow = asked(NUMBERS, "next")
    assert follow["right answer"] == "165"
    assert facts["expected"] == Fraction(990, 6)
    assert facts["evened"] == Fraction(1000, 6) - 4
    assert facts["end_share"] == Fraction(4 + 165, 1000)

    def at_least(sixes: int, n: int) -> Fraction:
        return 1 - sum((Fraction(comb(n, k) * 5 ** (n - k), 6**n) for k in range(sixes)), Fraction(0))

    few, many = at_least(3, 10), at_least(300, 1000)
    assert few > many
    assert facts["small_chance"] == pytest.approx(float(few))
    assert facts["large_chance"] == pytest.approx(float(many), abs=1e-12)
    assert asked(NUMBERS, "smaller")["right answer"] == "Of 10 rolls"


# -- Optimal stopping ----------------------------------------------------------------------------------------------

STOPPING = stopping.LESSON


def rule_mean(first: int, second: int) -> Fraction:
    """What a rule earns, over all ways three rolls can fall."""
    paid = [a if a >= first else b if b >= second else c for a, b, c in product(range(1, 7), repeat=3)]
    return Fraction(sum(paid), len(paid))


def test_every_rule_earns_what_all_outcomes_average_to() -> None:
    found = shown(STOPPING, "rules", "first=5&second=3")
    for first, cells in found.rows:
        for cell in cells:
            assert cell.ev == rule_mean(first, cell.second)
            assert cell.best == (cell.ev == found.best)
    assert found.ev == rule_mean(5, 3)
    assert found.lost == found.best - found.ev > 0
    assert [(cell.first, cell.second) for _, cells in found.rows for cell in cells if cell.mine] == [(5, 3)]


def test_working_backwards_finds_the_best_of_all_rules() -> None:
    best = max(rule_mean(a, b) for a in range(1, 8) for b in range(1, 8))
    assert stopping.worth(3) == best == Fraction(14, 3)
    assert rule_mean(stopping.stop_at(2), stopping.stop_at(1)) == best


def test_the_ladder_is_a_mean_of_the_better_of_two() -> None:
    rungs = shown(STOPPING, "backwards", "rolls=10")
    after = Fraction(0)
    for left, rung in enumerate(rungs):
        values = [max(Fraction(face), after) for face in range(1, 7)]
        assert (rung.left, rung.after) == (left, after)
        assert [value for _, _, value in rung.faces] == values
        assert [stops for _, stops, _ in rung.faces] == [face >= after for face in range(1, 7)]
        after = Fraction(sum(values), 6)
        assert rung.worth == after
    assert len(rungs) == 10
    assert after < 6


def test_a_game_is_played_by_its_address() -> None:
    start = shown(STOPPING, "play", "game=4")
    assert (start.at, start.over) == (1, False)
    again = shown(STOPPING, "play", "game=4&dealt=4&at=1&play=again")
    assert again.dice[:1] == start.dice
    assert (again.at, again.over) == (2, False)
    stopped = shown(STOPPING, "play", "game=4&dealt=4&at=2&play=stop")
    assert (stopped.dice, stopped.over, stopped.paid) == (again.dice, True, again.dice[1])
    last = shown(STOPPING, "play", "game=4&dealt=4&at=2&play=again")
    assert (last.at, last.over) == (3, True)
    assert shown(STOPPING, "play", "game=4&dealt=4&at=2&ended=1&play=again").dice == again.dice
    other = shown(STOPPING, "play", "game=5&dealt=4&at=3&ended=1")
    assert (other.at, other.over) == (1, False)


def test_the_best_rule_pays_its_worth_over_many_games() -> None:
    fresh = {"dealt": 0, "at": 1, "ended": False, "play": ""}
    paid = [stopping.played({"game": seed, **fresh}).best_paid for seed in range(1, 2001)]
    spread = np.std(paid) / sqrt(len(paid))
    assert abs(np.mean(paid) - 14 / 3) < 4 * spread


@pytest.mark.parametrize("dice", ["13456", "12446", "66666", "11111", "33445"])
@pytest.mark.parametrize("left", [1, 2])
def test_the_last_box_is_five_little_games(dice: str, left: int) -> None:
    found = shown(STOPPING, "lastbox", f"dice={dice}&left={left}")
    faces = list(map(int, dice))
    worth = {1: Fraction(7, 2), 2: Fraction(17, 4)}[left]
    assert found.ev == pytest.approx(float(sum(max(Fraction(face), worth) for face in faces)))
    assert [kept for _, kept in found.dice] == [face > worth for face in faces]
    assert found.now == sum(faces)
    assert found.options[0][2] == pytest.approx(0)


def test_the_marked_answers_of_stopping_are_right() -> None:
    facts = STOPPING.facts()
    assert max(rule_mean(1, 1), Fraction(4)) < facts["two"] == Fraction(17, 4)
    assert asked(STOPPING, "guess")["right answer"] == "Roll again"
    worth = Fraction(0)
    for n in range(1, 7):
        worth = Fraction(sum(max(Fraction(face), worth) for face in range(1, 7)), 6)
        if n == facts["late"]:
            assert worth == facts["late_worth"] > 5
        elif n == facts["late"] - 1:
            assert worth == facts["before_late"] <= 5
    assert facts["late_rolls"] == facts["late"] + 1
    assert asked(STOPPING, "late")["right answer"] == "Roll again"
    assert asked(STOPPING, "four")["right answer"] == "Only 5 and 6"
    assert facts["ev_two"] == pytest.approx(5 + 6 + 3 * 17 / 4)
    assert facts["ev_with_four"] == pytest.approx(4 + 5 + 6 + 2 * 17 / 4)
    assert facts["keep_one"] == "4, 5 and 6"
    assert facts["chance"] == 5 * Fraction(14, 3)


# -- The pages -----------------------------------------------------------------------------------------------------


def address(lesson: Lesson, query: str = "") -> str:
    return f"/classroom/lessons/{lesson.slug}/" + (f"?{query}" if query else "")


def test_the_overview_leads_to_every_lesson(visitor: Client) -> None:
    text = visitor.get("/classroom/lessons/").content.decode()
    for lesson in lessons.LESSONS:
        assert f'href="{address(lesson)}"' in text
        assert f'href="{address(lesson)}?for=teacher#note"' in text


@every_lesson
def test_a_lesson_opens_for_anybody_and_leaves_no_trace(visitor: Client, lesson: Lesson) -> None:
    response = visitor.get(address(lesson))
    assert response.status_code == 200
    assert not Player.objects.exists()
    text = html.unescape(response.content.decode())
    for step in lesson.steps:
        assert f'id="{step.slug}"' in text
        assert f'href="#{step.slug}"' in text
    for goal in lesson.goals:
        assert fill(goal, lesson.facts()) in text


@every_lesson
def test_the_teachers_note_has_everything_and_opens_by_its_link(visitor: Client, lesson: Lesson) -> None:
    closed = visitor.get(address(lesson)).content.decode()
    assert '<details class="drawer tnote" id="note">' in closed
    text = html.unescape(visitor.get(address(lesson, "for=teacher")).content.decode())
    assert '<details class="drawer tnote" id="note" open>' in text
    assert '<input type="hidden" name="for" value="teacher">' in text
    note = text[text.index("tnote") :]
    for question in lesson.questions:
        assert fill(question.right.text, lesson.facts()) in note
        for option in question.options:
            assert fill(option.slip, lesson.facts()) in note
    for step in lesson.steps:
        assert fill(step.recall_says, lesson.facts()) in note
    for word in lesson.note.words:
        assert word in note


@every_lesson
def test_an_answer_in_the_address_is_answered(visitor: Client, lesson: Lesson) -> None:
    for question in lesson.questions:
        for option in question.options:
            text = html.unescape(visitor.get(address(lesson, f"{question.name}={option.key}")).content.decode())
            said = text[text.index(f'id="{question.name}-go"') :].split('<div class="said"')[1].split("</div>")[0]
            expected = "Kept:" if question.guess else "Right." if option.right else f"Not quite. {option.slip}."
            assert expected in said
            assert fill(option.says, lesson.facts()) in said


def test_a_guess_comes_back_beside_the_truth(visitor: Client) -> None:
    before = visitor.get(address(SPACE)).content.decode()
    assert "You said" not in before
    assert 'Guess in <a href="#bet">step 1</a> first' in before
    after = html.unescape(visitor.get(address(SPACE, "guess=six")).content.decode())
    assert "You said: My friend, with 6." in after
    assert "A 7 has 6 of 36 squares, a 6 has 5 of 36." in after


def wholes() -> Iterator[tuple[Lesson, str, Whole]]:
    for lesson in lessons.LESSONS:
        for name, field in form_class(lesson).base_fields.items():
            if isinstance(field, Whole):
                yield lesson, name, field


@pytest.mark.parametrize(
    ("lesson", "name", "field"), list(wholes()), ids=lambda part: getattr(part, "slug", getattr(part, "label", part))
)
def test_numbers_are_bounded_before_anything_is_counted(
    visitor: Client, lesson: Lesson, name: str, field: Whole
) -> None:
    for entered in (field.min_value - 1, field.max_value + 1, "many", "9" * 40):
        response = visitor.get(address(lesson, f"{name}={entered}"))
        assert response.status_code == 422
        page = lessons.open_page(lesson, QueryDict(f"{name}={entered}"))
        assert page.errors == {
            f"a-{name}": f"{field.label} must be {field.min_value}–{field.max_value}; you entered {str(entered)[:20]}."
        }
    for entered in (field.min_value, field.max_value):
        assert visitor.get(address(lesson, f"{name}={entered}")).status_code == 200


def test_an_error_is_beside_its_field_and_the_rest_of_the_lesson_stays(visitor: Client) -> None:
    response = visitor.get(address(SPACE, "event=face&number=12&guess=six"))
    text = html.unescape(response.content.decode())
    assert response.status_code == 422
    assert "A die shows 1–6; you entered 12." in text
    assert 'name="number" value="12"' in text
    assert "needs another value" in text
    assert "You said: My friend, with 6." in text
    assert 'class="stairs"' in text


@pytest.mark.parametrize("entered", ["5552", "55527", "abcde", "555266", ""])
@pytest.mark.parametrize("lesson", [VALUE, STOPPING], ids=lambda lesson: lesson.slug)
def test_dice_are_five_faces(visitor: Client, lesson: Lesson, entered: str) -> None:
    response = visitor.get(address(lesson, f"dice={entered}"))
    assert response.status_code == 422
    assert f"Dice must be five faces from 1 to 6; you entered {entered or 'nothing'}." in response.content.decode()


def test_dice_may_be_typed_with_blanks() -> None:
    assert [face for _, face, _ in shown(VALUE, "later", "dice=1+3+4+6+6").dice] == [1, 3, 4, 6, 6]


def test_an_unknown_answer_is_refused_beside_the_question(visitor: Client) -> None:
    response = visitor.get(address(SPACE, "guess=dunno"))
    assert response.status_code == 422
    assert "The answer must be one of those listed; you entered dunno." in response.content.decode()


def test_there_is_no_other_lesson_and_nothing_to_post(visitor: Client) -> None:
    assert visitor.get("/classroom/lessons/astrology/").status_code == 404
    assert visitor.post(address(SPACE)).status_code == 405


def test_markup_in_an_address_stays_text(visitor: Client) -> None:
    text = visitor.get(address(VALUE, "dice=<script>alert(1)</script>&guess=<b>")).content.decode()
    assert "<script>alert" not in text
    assert "&lt;script&gt;" in text


# -- Without a script, and with one --------------------------------------------------------------------------------


@every_lesson
def test_without_a_script_one_form_sends_everything(visitor: Client, lesson: Lesson) -> None:
    text = visitor.get(address(lesson)).content.decode()
    assert text.count("<form id=") == 1
    form = text[text.index('<form id="lesson"') : text.index("</form>", text.index('<form id="lesson"'))]
    assert 'method="get"' in form
    for question in lesson.questions:
        assert f'name="{question.name}"' in form
    for widget in lesson.widgets:
        for name, field in widget.fields.items():
            assert f'name="{name}"' in form or isinstance(field, Pick) or name == "ended"
    for step in lesson.steps:
        if step.widget and set(step.widget.fields) - set(step.widget.inside):
            assert f'formaction="{address(lesson)}#{step.slug}"' in form
    # Enter must not press the first button: a disabled one comes first.
    assert re.search(r"<button[^>]*>", form)[0] == '<button type="submit" disabled hidden>'


def htmx(client: Client, lesson: Lesson, target: str, query: str):
    return client.get(address(lesson, query), headers={"HX-Request": "true", "HX-Target": target})


def test_htmx_gets_one_part_and_the_short_address(visitor: Client) -> None:
    response = htmx(visitor, COMPLEMENT, "road-shown", "guess=&dice=3&hit=six&rolls=1&opposite=&gambler=&fourth=")
    text = response.content.decode()
    assert text.strip().startswith('<div class="shown stack" id="road-shown"')
    assert "91 of 216" in text
    assert "<form" not in text
    assert response["HX-Replace-Url"] == address(COMPLEMENT, "dice=3")
    assert "HX-Request" in response["Vary"]


def test_htmx_gets_what_is_said_and_the_guess_where_it_comes_back(visitor: Client) -> None:
    text = htmx(visitor, SPACE, "bet-said", "guess=same").content.decode()
    assert 'id="bet-said"' in text
    assert '<div class="recall" id="mark-recall" hx-swap-oob="true">' in text


def test_another_run_also_redraws_what_depends_on_it(visitor: Client) -> None:
    text = htmx(visitor, NUMBERS, "run-shown", "run=2&rolls=10").content.decode()
    assert 'id="run-shown" aria-live="polite">' in text
    assert 'id="after-shown" aria-live="polite" hx-swap-oob="true">' in text
    assert 'id="law-shown" aria-live="polite" hx-swap-oob="true">' in text


def test_while_typing_an_error_leaves_the_last_picture(visitor: Client) -> None:
    response = htmx(visitor, COMPLEMENT, "road-shown", "dice=11")
    assert response.status_code == 422
    assert response["HX-Reswap"] == "none"
    assert json.loads(response["HX-Trigger"]) == {"calculator:errors": {"a-dice": "Dice must be 1–10; you entered 11."}}
    elsewhere = htmx(visitor, COMPLEMENT, "gambler-said", "dice=11&gambler=less")
    assert elsewhere.status_code == 200
    assert "Right." in elsewhere.content.decode()


def test_htmx_cannot_ask_for_a_step_that_is_not_there(visitor: Client) -> None:
    assert htmx(visitor, SPACE, "nothing-shown", "").status_code == 404

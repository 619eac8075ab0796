"""Lessons on means (expected value, large numbers, stopping): every figure against a count of its own."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import comb, sqrt

import numpy as np
import pytest
from django.template.loader import render_to_string

from apps.lessons.services.lesson import write
from apps.lessons.services.units import (
    expected_value,
    large_numbers,
    stopping,
)
from tests.apps.lessons.lesson_texts import NUMBERS, SIXTH, STOPPING, TWO_DICE, VALUE, asked, makes, shown

# -- Expected value ------------------------------------------------------------------------------------------------


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
    text = render_to_string("lessons/widgets/drought.html", {"shown": none})
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

"""Dice notation: what it means, that it round-trips, and what it refuses."""

from __future__ import annotations

import icepool
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.dice.notation import parse
from engine.wire import EngineError
from tests.oracles.dice import combinations, kept_sum


@pytest.mark.parametrize(
    ("text", "canonical", "low", "high", "mean"),
    [
        ("3D6+2", "3D6+2", 5, 20, 12.5),
        ("d3", "D3", 1, 3, 2),
        ("2d8-1", "2D8-1", 1, 15, 8),
        (" 1D6 + 1D4 + 3 ", "D6+D4+3", 5, 13, 9),
        ("7", "7", 7, 7, 7),
        ("-D6", "-D6", -6, -1, -3.5),
        ("2D6kh1", "2D6kh1", 1, 6, 161 / 36),
    ],
)
def test_reading_and_writing(text: str, canonical: str, low: int, high: int, mean: float) -> None:
    expression = parse(text)
    total = expression.distribution
    assert (str(expression), total.low, total.high) == (canonical, low, high)
    assert total.mean == pytest.approx(mean)


@pytest.mark.parametrize("high", [True, False])
@pytest.mark.parametrize(("count", "sides", "keep"), [(2, 6, 1), (4, 6, 3), (5, 4, 2), (3, 3, 3)])
def test_kept_dice_are_those_of_every_roll_and_of_another_library(
    count: int, sides: int, keep: int, high: bool
) -> None:
    ours = parse(f"{count}D{sides}k{'h' if high else 'l'}{keep}").distribution
    pool = icepool.d(sides).pool(count)
    theirs = (pool.highest(keep) if high else pool.lowest(keep)).sum()
    for total, chance in kept_sum(count, sides, keep, high).items():
        assert ours.exactly(total) == pytest.approx(float(chance), abs=1e-14)
        assert ours.exactly(total) == pytest.approx(float(theirs.probability(total)), abs=1e-14)


terms = st.builds(
    lambda count, sides, keep: f"{count}D{sides}" + (f"k{keep[0]}{min(keep[1], count)}" if keep else ""),
    st.integers(1, 4),
    st.integers(1, 8),
    st.none() | st.tuples(st.sampled_from("hl"), st.integers(1, 4)),
)
expressions = st.lists(terms | st.integers(0, 30).map(str), min_size=1, max_size=4).map("+".join)


@given(expressions)
def test_the_canonical_text_reads_back_the_same(text: str) -> None:
    expression = parse(text)
    assert parse(str(expression)) == expression


@given(st.sampled_from(["2D3+1", "D4-D2", "3D2kh2+D3", "2D3kl1", "5"]))
def test_the_total_of_every_roll_gives_the_distribution(text: str) -> None:
    expression = parse(text)
    rolls = combinations(list(expression.dice))
    pmf = expression.distribution
    totals = [expression.total(faces) for faces in rolls]
    for value in set(totals):
        assert pmf.exactly(value) == pytest.approx(totals.count(value) / len(rolls))


@pytest.mark.parametrize("text", ["", " ", "D", "2X6", "2D6 2D6", "3D6++", "1+2kh1", "four", "1" + "+1" * 20])
def test_what_is_no_notation_says_how_to_write_it(text: str) -> None:
    with pytest.raises(EngineError, match=r"not dice notation. Write it like 3D6\+2"):
        parse(text)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("201D6", "dice must be 1–200; you entered 201"),
        ("0D6", "dice must be 1–200"),
        ("D1001", "sides must be 1–1000"),
        ("D0", "sides must be 1–1000"),
        ("100001", "added must be 0–100000"),
        ("99999999999", "added must be 0–100000"),
        ("3D6kh4", "kept must be 1–3"),
        ("200D101", "within 20,000"),
        ("190D40kh3", "too many dice"),
    ],
)
def test_limits_are_named(text: str, message: str) -> None:
    with pytest.raises(EngineError, match=message) as refused:
        parse(text, field="attacks")
    assert refused.value.details["field"] == "attacks"


def test_what_cannot_be_read_is_quoted_from_where_it_starts() -> None:
    text = "2D6 & " + "x" * 50
    with pytest.raises(EngineError) as refused:
        parse(text, field="attacks")
    quoted = "& " + "x" * 38
    assert refused.value.message == f"“{quoted}” is not dice notation. Write it like 3D6+2, D3 or 4D6kh3."
    assert refused.value.details == {"field": "attacks", "constraint": "notation", "expected": "XDy+Z", "actual": text}


def test_each_term_counts_its_own_dice() -> None:
    assert parse("2D6kh1-D4+3").total((2, 5, 4)) == 5 - 4 + 3
    assert parse("2D6kl1-5+2D4").total((6, 2, 1, 3)) == 2 - 5 + 4

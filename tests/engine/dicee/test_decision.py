"""A choice as text: every option of a position reads back as itself, and costs what the analysis says."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from engine.dicee.analysis import Position, analyze
from engine.dicee.boxes import Scorecard, Variant
from engine.dicee.decision import read_choice, write_choice

dice = st.lists(st.integers(1, 6), min_size=5, max_size=5).map(tuple)


@settings(deadline=None, max_examples=40)
@given(dice, st.integers(0, 2))
def test_every_option_reads_back_as_itself(faces: tuple[int, ...], rolls_left: int) -> None:
    found = analyze(Position(Scorecard(), Variant.STANDARD, faces, rolls_left))
    every = {write_choice(option): option for option in (*found.boxes, *found.keeps)}
    assert len(every) == len(found.boxes) + len(found.keeps)
    assert all(read_choice(found, text) == option for text, option in every.items())


@settings(deadline=None, max_examples=40)
@given(dice, st.integers(0, 2))
def test_only_what_ties_with_the_best_is_free(faces: tuple[int, ...], rolls_left: int) -> None:
    found = analyze(Position(Scorecard(), Variant.STANDARD, faces, rolls_left))
    assert found.best.cost == 0
    for option in found.options:
        assert (option.cost == 0) == (found.best.ev - option.ev <= 1e-9)


def test_keeping_all_five_is_stopping() -> None:
    found = analyze(Position(Scorecard(), Variant.STANDARD, (6, 6, 6, 6, 6), 1))
    assert read_choice(found, "66666") == found.boxes[0]

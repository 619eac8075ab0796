"""A position's text reads back as the position, and nothing else reads at all."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.dicee.analysis import Position
from engine.dicee.boxes import BOXES, Scorecard, Variant
from engine.dicee.notation import LONGEST, read, write
from engine.wire import EngineError


def position_after(turns: int, variant: Variant, seed: int, rolls_left: int) -> Position:
    dice = random.Random(seed)
    card = Scorecard()
    for _ in range(turns):
        faces = [dice.randint(1, 6)] * 5 if dice.random() < 0.3 else [dice.randint(1, 6) for _ in range(5)]
        card = card.after(dice.choice(list(card.legal_scores(faces, variant))), faces, variant)
    faces = tuple(dice.randint(1, 6) for _ in range(5)) if rolls_left < 3 else ()
    return Position(card, variant, faces, rolls_left)


@given(st.integers(0, 12), st.sampled_from(Variant), st.integers(0, 10**6), st.integers(0, 3))
def test_what_is_written_reads_back(turns: int, variant: Variant, seed: int, rolls_left: int) -> None:
    position = position_after(turns, variant, seed, rolls_left)
    text = write(position)
    assert read(text) == position
    assert len(text) <= LONGEST


def test_the_text_is_what_the_documentation_shows() -> None:
    found = read("standard/-.-.9.-.15.24.-.-.25.-.-.50.-+1/55526/1")
    assert dict(zip(BOXES, found.card.points, strict=True))["full_house"] == 25
    assert (found.card.dicee_bonus, found.dice, found.rolls_left) == (100, (5, 5, 5, 2, 6), 1)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "standard",
        "nonsense/-.-.-.-.-.-.-.-.-.-.-.-.-/-/3",
        "standard/-.-.-.-.-.-.-.-.-.-.-.-/-/3",  # twelve boxes
        "standard/-.-.-.-.-.19.-.-.-.-.-.-.-/-/3",  # 19 in Sixes
        "standard/-.-.-.-.-.-.-.-.-.-.-.-.-+1/-/3",  # a bonus without a Dicee
        "standard/-.-.-.-.-.-.-.-.-.-.-.-.-/55527/1",
        "standard/-.-.-.-.-.-.-.-.-.-.-.-.-/-/1",  # no dice, yet a roll was made
        "standard/-.-.-.-.-.-.-.-.-.-.-.-.-/55526/3",
        "standard/-.-.-.-.-.-.-.-.-.-.-.-.-/-/3\n",
        "standard/--.-.-.-.-.-.-.-.-.-.-.-.-/-/3",
        "standard/" + "-." * 500,
    ],
)
def test_anything_else_is_refused_by_name(text: str) -> None:
    with pytest.raises(EngineError) as refused:
        read(text)
    assert refused.value.details["field"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("standard/-.-.9.-.15.24.-.-.25.-.-.50.-/5552/1", "here are 4"),
        ("standard/-.-.9.-.15.24.-.-.25.-.-.50.-/55527/1", "7 is none of them"),
        ("standard/-.-.9.-.15.24.-.-.25.-.-.50.-/55526/4", "rolls are left"),
        ("standard/-.-.9.-.15.24.-.-.25.-.-.50.-/55526", "four parts"),
        ("standard/-.-.9/55526/1", "13 boxes"),
        ("standard/-.-.x.-.-.-.-.-.-.-.-.-.-/55526/1", "threes is its points"),
        ("house/-.-.-.-.-.-.-.-.-.-.-.-.-/55526/1", "no rules 'house'"),
    ],
)
def test_each_mistake_has_a_sentence_of_its_own(text: str, words: str) -> None:
    with pytest.raises(EngineError, match=words):
        read(text)

"""docs/dice-language.md: every example is run, and every operator has one."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from engine.dice.language.native import cursor, tokens
from engine.dice.language.program import answer, read

DOCUMENT = (Path(__file__).resolve().parents[3] / "docs" / "dice-language.md").read_text()
ROWS = re.findall(r"^\| `([^`]+)` \| (?:.*) \| *([−-]?[\d.]*) *\|$", DOCUMENT, re.M)


def test_there_are_examples() -> None:
    assert len(ROWS) > 50


@pytest.mark.parametrize(("text", "average"), ROWS)
def test_the_example_has_the_average_it_says(text: str, average: str) -> None:
    first = answer(text)[0]
    if average:
        assert first.pmf.mean == pytest.approx(float(average.replace("−", "-")), abs=6e-5)
    else:
        assert first.kind == "text"


@pytest.mark.parametrize("word", sorted(tokens.RESERVED - {"d", "df", "x", "against", "as", "right"}))
def test_every_word_of_the_language_is_explained(word: str) -> None:
    assert re.search(rf"\b{word}\b", DOCUMENT), word


@pytest.mark.parametrize("text", ["/roll 4d6kh3!r1", "[[2d6+1]]", "8d10>7f1", "2d20kl1"])
def test_what_it_says_of_other_notations_is_read(text: str) -> None:
    assert text in DOCUMENT
    assert read(text)


def test_the_limits_are_those_of_the_parser() -> None:
    assert f"{tokens.MAX_LENGTH:,} characters, {cursor.MAX_OUTPUTS} answers, {cursor.MAX_DICE:,} dice" in DOCUMENT
    assert f"{cursor.MAX_DEPTH} levels" in DOCUMENT

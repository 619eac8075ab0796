"""Lines of play as text: they read back, end where a game would, and refuse what cannot be."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.dicee import line, notation
from engine.dicee.analysis import Position
from engine.dicee.boxes import BOXES, Scorecard, Variant
from engine.wire import EngineError

START = notation.read("standard/-.-.-.-.-.-.-.-.-.-.-.-.-/55526/1")
FACES = st.integers(1, 6)


@given(st.data(), st.sampled_from(list(Variant)))
@settings(max_examples=40, deadline=None)
def test_any_game_reads_back_and_adds_up(data: st.DataObject, variant: Variant) -> None:
    """A game played here with the rules of the card leads to the same position, card and text as its line."""
    card, moves = Scorecard(), []
    for _ in range(data.draw(st.integers(1, len(BOXES)))):
        dice = data.draw(st.lists(FACES, min_size=5, max_size=5))
        moves.append("".join(map(str, dice)))
        for _ in range(data.draw(st.integers(0, 2))):
            mask = data.draw(st.lists(st.booleans(), min_size=5, max_size=5).filter(lambda kept: not all(kept)))
            kept = sorted(face for face, keep in zip(dice, mask, strict=True) if keep)
            dice = [face if keep else data.draw(FACES) for face, keep in zip(dice, mask, strict=True)]
            moves += ["".join(map(str, kept)) or "-", "".join(map(str, dice))]
        box = data.draw(st.sampled_from(sorted(card.legal_scores(dice, variant))))
        card = card.after(box, dice, variant)
        moves.append(box)
    text = ".".join(moves)
    found = line.read(Position(Scorecard(), variant), text)
    assert (found.text, found.card) == (text, card)
    assert (found.position is None) is card.is_complete


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("444.44412", "not on the table"),
        ("555", "what fell"),
        ("555.44412", "was kept"),
        ("555.5551", "five faces"),
        ("chance.dicee", "five faces"),
        ("55526.11111", "neither a box"),
        ("55.55123.55.55123", "No roll is left"),
        ("x" * 2000, "at most"),
        ("yahtzee.11111", "neither a box"),
    ],
)
def test_a_move_that_cannot_be_is_named(text: str, word: str) -> None:
    with pytest.raises(EngineError, match=word) as refused:
        line.read(START, text)
    assert refused.value.details["field"] == "line"


def test_nothing_follows_a_full_card() -> None:
    last = notation.read("standard/1.2.3.4.5.6.10.10.25.30.40.50.-/12345/0")
    assert line.read(last, "chance").position is None
    with pytest.raises(EngineError, match="over"):
        line.read(last, "chance.12345")

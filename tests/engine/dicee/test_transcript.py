"""A game as text: written, read back, and refused by the line that is wrong."""

from __future__ import annotations

import pytest

from engine.dicee import line, transcript
from engine.dicee.analysis import Position
from engine.dicee.boxes import Scorecard, Variant
from engine.dicee.transcript import Played
from engine.wire import EngineError

TEXT = """Dicee 1
Rules: joker_rules
Player: Alice
1. 55526 555 55533 full_house
2. 13466 66 66662 666 66661 sixes
Total: 49
Player: Bob
1. 12345 large_straight
Total: 40
"""


def test_a_text_reads_back_as_it_was_written() -> None:
    alice, bob = transcript.read(TEXT)
    assert (alice.name, alice.line.card.grand_total, bob.line.card.grand_total) == ("Alice", 49, 40)
    assert alice.line.start.variant is Variant.JOKER_RULES
    assert transcript.write(Variant.JOKER_RULES, (alice, bob)) == TEXT
    spaced = TEXT.replace(" 555 ", "   555  ").replace("\n", "\r\n\r\n")
    assert [played.line for played in transcript.read(spaced)] == [alice.line, bob.line]


def test_what_a_line_says_is_what_is_written() -> None:
    start = Position(Scorecard(), Variant.STANDARD)
    played = Played("Carol", line.read(start, "12346.1234.12345.large_straight.11111.dicee"))
    assert "1. 12346 1234 12345 large_straight\n2. 11111 dicee\nTotal: 90" in transcript.write(
        Variant.STANDARD, [played]
    )


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("Dicee 1", "Dicee 2", "Line 1: The first line"),
        ("joker_rules", "house", "Line 2: Rules"),
        ("Player: Alice\n", "", "Line 3: Whose turn"),
        ("555 55533", "444 44412", "Line 4: 444 is not on the table"),
        ("555 55533 full_house", "555 55533", "Line 4: A turn is one line"),
        ("1. 55526 555 55533 full_house", "hello", "Line 4: A line is"),
        ("Total: 49", "Total: 48", "Line 6: These turns add up to 49"),
        ("sixes", "full_house", "Line 5"),
    ],
)
def test_the_line_that_is_wrong_is_named(old: str, new: str, words: str) -> None:
    with pytest.raises(EngineError, match=words) as refused:
        transcript.read(TEXT.replace(old, new, 1))
    assert refused.value.details["field"] == "text"


@pytest.mark.parametrize("text", ["", "Dicee 1\n", "Dicee 1\nPlayer: Alice\n", "x" * 20_000])
def test_nothing_is_no_game(text: str) -> None:
    with pytest.raises(EngineError):
        transcript.read(text)

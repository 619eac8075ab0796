"""A whole game as text that people can read, mail and paste: one line a turn.

    Dicee 1
    Rules: standard
    Player: Alice
    1. 55526 555 55533 full_house
    2. 13466 66 66662 666 66661 sixes
    Total: 49

Each turn is its first roll, then what was kept (``-`` for nothing) and what lay on the table after each roll, then the
box. ``Player:`` begins the next player's turns; ``Total:`` is checked where it stands. docs/dicee-game-text.md has it
for people.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NoReturn

from engine.dicee import line as lines
from engine.dicee.analysis import Position
from engine.dicee.boxes import BOX_NUMBER, BOXES, Scorecard, Variant
from engine.dicee.line import Line
from engine.wire import EngineError, refuse

HEAD = "Dicee 1"
LONGEST = 12_000  # characters: six players and their names
LONGEST_NAME = 40
MOST_PLAYERS = 6
_TURN = re.compile(r"\d+\.\s+(.+)")


@dataclass(frozen=True, slots=True)
class Played:
    """One player's part of a game."""

    name: str
    line: Line


def write(variant: Variant, players: Iterable[Played]) -> str:
    """The text of a game.

    >>> start = Position(Scorecard(), Variant.STANDARD)
    >>> print(write(Variant.STANDARD, [Played("Alice", lines.read(start, "55526.555.55533.full_house"))]))
    Dicee 1
    Rules: standard
    Player: Alice
    1. 55526 555 55533 full_house
    Total: 25
    <BLANKLINE>
    """
    text = [HEAD, f"Rules: {variant.value}"]
    for played in players:
        text += [f"Player: {played.name}", *_turns(played.line), f"Total: {played.line.card.grand_total}"]
    return "\n".join(text) + "\n"


def _turns(line: Line) -> list[str]:
    turns: list[list[str]] = [[]]
    for step in line.steps:
        turns[-1] += step.text.split(lines.DOT)
        if step.choice in BOX_NUMBER:
            turns.append([])
    return [f"{number}. {' '.join(moves)}" for number, moves in enumerate(turns, 1) if moves]


def read(text: str) -> tuple[Played, ...]:
    """The game a text stands for, or a refusal that names the line that is wrong.

    >>> read("Dicee 1\\nRules: standard\\nPlayer: Alice\\n1. 55526 555 55533 full_house")[0].line.card.grand_total
    25
    """
    if len(text) > LONGEST:
        _refuse(1, f"A game has at most {LONGEST:,} characters.", "shorter", len(text))
    rows = [(number, row.strip()) for number, row in enumerate(text.splitlines(), 1) if row.strip()]
    if not rows or rows[0][1] != HEAD:
        _refuse(1, f"The first line is “{HEAD}”.", HEAD, rows[0][1] if rows else "")
    reader = _Reader()
    for number, row in rows[1:]:
        reader.take(number, row)
    return reader.result()


class _Reader:
    """Collects players and their turns, row by row."""

    def __init__(self) -> None:
        self.variant = Variant.STANDARD
        self.names: list[str] = []
        self.lines: list[Line] = []

    def take(self, number: int, row: str) -> None:
        word, _, rest = row.partition(":")
        if turn := _TURN.fullmatch(row):
            self._turn(number, turn[1])
        elif word == "Rules":
            self._rules(number, rest.strip())
        elif word == "Player":
            self._player(number, rest.strip())
        elif word == "Total":
            self._total(number, rest.strip())
        else:
            _refuse(number, "A line is Rules:, Player:, Total: or a turn such as “1. 55526 chance”.", "a turn", row)

    def _rules(self, number: int, name: str) -> None:
        if name not in list(Variant) or self.names:
            _refuse(number, "Rules come before the first player.", [variant.value for variant in Variant], name)
        self.variant = Variant(name)

    def _player(self, number: int, name: str) -> None:
        if not name or len(self.names) >= MOST_PLAYERS:
            _refuse(number, f"A game has one to {MOST_PLAYERS} players, each with a name.", "a name", name)
        self.names.append(name[:LONGEST_NAME])
        self.lines.append(lines.read(Position(Scorecard(), self.variant), ""))

    def _turn(self, number: int, moves: str) -> None:
        if not self.lines:
            _refuse(number, "Whose turn is it? “Player: a name” comes first.", "Player: a name", moves)
        before = self.lines[-1]
        text = lines.DOT.join(filter(None, (before.text, lines.DOT.join(moves.split()))))
        try:
            self.lines[-1] = lines.read(before.start, text)
        except EngineError as error:
            _refuse(number, error.message, error.details.get("expected"), moves)
        if self.lines[-1].card.turns_completed != before.card.turns_completed + 1:
            _refuse(number, "A turn is one line and ends with its box.", list(BOXES), moves)

    def _total(self, number: int, points: str) -> None:
        total = self.lines[-1].card.grand_total if self.lines else 0
        if points != str(total):
            _refuse(number, f"These turns add up to {total}.", total, points)

    def result(self) -> tuple[Played, ...]:
        if not any(line.steps for line in self.lines):
            _refuse(1, "There is no turn in it.", "1. 55526 chance", "nothing")
        return tuple(Played(name, line) for name, line in zip(self.names, self.lines, strict=True))


def _refuse(number: int, message: str, expected: object, actual: object) -> NoReturn:
    where = f"line {number}"
    refuse(f"Line {number}: {message}", field="text", constraint=where, expected=expected, actual=str(actual)[:80])

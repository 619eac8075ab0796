"""A line of play from a position as text: what was kept, what fell, where it was written.

    555.55531.-.13466.full_house.66612

Moves are parted by dots. Faces in front of a roll are kept (``-`` for none) and the five faces after them lie on the
table then; a box's name writes them; after it the turn is over and the next five faces are the first roll of the
next one. Read from the same position, a text always leads to the same line.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import NoReturn

from engine.dicee.analysis import BEFORE_FIRST_ROLL, Position
from engine.dicee.boxes import BOX_NUMBER, Scorecard
from engine.dicee.decision import NO_DICE
from engine.dicee.lattice import DICE
from engine.wire import refuse

LONGEST = 1200  # characters: a whole game has about 800
DOT = "."


@dataclass(frozen=True, slots=True)
class Step:
    """One move of a line: the position before it, the choice as text, and the dice that fell after a keep."""

    before: Position
    choice: str  # a box, the faces kept, ``-`` for none; empty for the first roll of a turn
    fell: str = ""

    @property
    def text(self) -> str:
        return DOT.join(part for part in (self.choice, self.fell) if part)


@dataclass(frozen=True, slots=True)
class Line:
    """Where a line leads. ``position`` is None when its last move filled the card."""

    start: Position
    steps: tuple[Step, ...]
    position: Position | None
    card: Scorecard

    @property
    def text(self) -> str:
        return write(self.steps)


def write(steps: tuple[Step, ...]) -> str:
    """The text of some moves in a row."""
    return DOT.join(step.text for step in steps)


def read(start: Position, text: str) -> Line:
    """The line a text stands for, or a refusal that names the move that cannot be.

    >>> from engine.dicee import notation
    >>> start = notation.read("standard/-.-.-.-.-.-.-.-.-.-.-.-.-/55526/1")
    >>> line = read(start, "555.55533.full_house.12345")
    >>> line.position.dice, line.position.rolls_left, line.card.grand_total
    ((1, 2, 3, 4, 5), 2, 25)
    """
    if len(text) > LONGEST:
        _refuse("A line has at most a game's moves.", f"at most {LONGEST} characters", text[:LONGEST])
    position: Position | None = start
    card = start.card
    steps: list[Step] = []
    moves = [move for move in text.split(DOT) if move]
    while moves:
        if position is None:
            _refuse("The game is over: nothing follows.", "nothing", moves[0])
        step = _step(position, moves)
        steps.append(step)
        position, card = _after(step)
    return Line(start, tuple(steps), position, card)


def _step(position: Position, moves: list[str]) -> Step:
    """Take the next move off a text."""
    move = moves.pop(0)
    if not position.dice:
        return Step(position, "", _dice(move))
    if move in BOX_NUMBER:
        return Step(position, move)
    if not position.rolls_left:
        _refuse("No roll is left: the dice are written into a box.", "a box", move)
    kept = _faces(move)
    if not moves:
        _refuse(f"After {move} stands what fell: five faces.", "five faces", "nothing")
    fell = _dice(moves.pop(0))
    if Counter(kept) - Counter(map(str, position.dice)):
        _refuse(f"{move} is not on the table.", f"some of {''.join(map(str, position.dice))}", move)
    if Counter(kept) - Counter(fell):
        _refuse(f"{move} was kept, so it is among the five faces after it.", f"{move} and what fell", fell)
    return Step(position, kept or NO_DICE, fell)


def _after(step: Step) -> tuple[Position | None, Scorecard]:
    before = step.before
    if step.fell:
        left = min(before.rolls_left, BEFORE_FIRST_ROLL) - 1
        return Position(before.card, before.variant, tuple(map(int, step.fell)), left), before.card
    card = before.card.after(step.choice, before.dice, before.variant)
    return None if card.is_complete else Position(card, before.variant), card


def _faces(text: str) -> str:
    """Faces to keep, in rising order; nothing for ``-``."""
    if text == NO_DICE:
        return ""
    if len(text) >= DICE or not set(text) <= set("123456"):
        _refuse(f"{text} is neither a box nor up to four faces to keep.", "faces, - or a box", text)
    return "".join(sorted(text))


def _dice(text: str) -> str:
    if len(text) != DICE or not set(text) <= set("123456"):
        _refuse(f"{text} is not five faces from 1 to 6.", "five faces", text)
    return text


def _refuse(message: str, expected: str, actual: str) -> NoReturn:
    refuse(message, field="line", constraint="a move that can be", expected=expected, actual=actual)

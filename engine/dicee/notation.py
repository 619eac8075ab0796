"""A position as one line of text that survives a link, a file and a chat, and reads back as the same position.

    standard/-.-.9.-.15.24.-.-.25.-.-.50.-+1/55526/1

The rules, the thirteen boxes in the order of the card (``-`` while open), ``+n`` for n Dicee bonuses, the dice in the
order they lie (``-`` before the first roll) and the rolls left.
"""

from __future__ import annotations

from typing import NoReturn

from engine.dicee.analysis import Position
from engine.dicee.boxes import BOXES, DICEE_BONUS, Scorecard, Variant
from engine.wire import refuse

LONGEST = 80
_EXAMPLE = "standard/-.-.-.-.-.-.-.-.-.-.-.-.-/-/3"


def write(position: Position) -> str:
    """The canonical text of a position.

    >>> write(Position(Scorecard().after("sixes", [6, 6, 6, 1, 2], Variant.STANDARD), Variant.STANDARD))
    'standard/-.-.-.-.-.18.-.-.-.-.-.-.-/-/3'
    """
    card = ".".join("-" if points is None else str(points) for points in position.card.points)
    bonus = f"+{position.card.dicee_bonus // DICEE_BONUS}" if position.card.dicee_bonus else ""
    dice = "".join(map(str, position.dice)) or "-"
    return f"{position.variant.value}/{card}{bonus}/{dice}/{position.rolls_left}"


def read(text: str) -> Position:
    """The position a text stands for, or a refusal that says what is wrong with it.

    >>> read("standard/-.-.-.-.-.18.-.-.-.-.-.-.-/55526/1").dice
    (5, 5, 5, 2, 6)
    """
    parts = text.split("/")
    if len(text) > LONGEST or len(parts) != 4:
        _refuse("A position has four parts: rules/boxes/dice/rolls left.", "shape", _EXAMPLE, text[:LONGEST])
    rules, card, dice, rolls = parts
    if rules not in list(Variant):
        _refuse(f"There are no rules {rules!r}.", "one of", [variant.value for variant in Variant], rules)
    return Position(_card(card), Variant(rules), _dice(dice), _rolls(rolls))


def _card(text: str) -> Scorecard:
    boxes, _, bonuses = text.partition("+")
    points = boxes.split(".")
    if len(points) != len(BOXES):
        _refuse(
            f"A card has {len(BOXES)} boxes, parted by dots; here are {len(points)}.", "shape", len(BOXES), len(points)
        )
    for box, value in zip(BOXES, points, strict=True):
        if value != "-" and not _is_number(value, 3):
            _refuse(f"{box} is its points, or - while it is open.", "shape", "0 to 999 or -", value)
    if bonuses and not _is_number(bonuses, 1):
        _refuse("After + stands how many Dicee bonuses there are.", "shape", "0 to 9", bonuses)
    return Scorecard(tuple(None if value == "-" else int(value) for value in points), DICEE_BONUS * int(bonuses or 0))


def _dice(text: str) -> tuple[int, ...]:
    if text == "-":
        return ()
    if len(text) != 5:
        _refuse(
            f"There are five dice, or - before the first roll; here are {len(text)}.", "shape", "5 faces or -", text
        )
    if wrong := next((face for face in text if face not in "123456"), ""):
        _refuse(f"A die shows 1 to 6; {wrong} is none of them.", "range", "1 to 6", wrong)
    return tuple(map(int, text))


def _rolls(text: str) -> int:
    if text not in ("0", "1", "2", "3"):
        _refuse("The last part is how many rolls are left.", "range", "0 to 3", text)
    return int(text)


def _is_number(text: str, digits: int) -> bool:
    return text.isascii() and text.isdecimal() and len(text) <= digits


def _refuse(message: str, constraint: str, expected: object, actual: object) -> NoReturn:
    refuse(message, field="position", constraint=constraint, expected=expected, actual=actual)

"""A position as one line of text that survives a link, a file and a chat, and reads back as the same position.

    standard/-.-.9.-.15.24.-.-.25.-.-.50.-+1/55526/1

The rules, the thirteen boxes in the order of the card (``-`` while open), ``+n`` for n Dicee bonuses, the dice in the
order they lie (``-`` before the first roll) and the rolls left.
"""

from __future__ import annotations

import re

from engine.dicee.analysis import Position
from engine.dicee.boxes import BOXES, DICEE_BONUS, Scorecard, Variant
from engine.wire import refuse

LONGEST = 80
_SHAPE = re.compile(r"(\w+)/([0-9.-]+?)(?:\+(\d))?/([1-6]{5}|-)/([0-3])", re.ASCII)
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
    found = _SHAPE.fullmatch(text) if len(text) <= LONGEST else None
    boxes = found[2].split(".") if found else []
    if found is None or len(boxes) != len(BOXES) or any(box != "-" and not box.isdecimal() for box in boxes):
        refuse(
            "A position reads rules/boxes/dice/rolls left.",
            field="position",
            constraint="shape",
            expected=_EXAMPLE,
            actual=text[:LONGEST],
        )
    if found[1] not in list(Variant):
        refuse(
            "There are no such rules.",
            field="position",
            constraint="one of",
            expected=[variant.value for variant in Variant],
            actual=found[1],
        )
    points = tuple(None if box == "-" else int(box) for box in boxes)
    card = Scorecard(points, DICEE_BONUS * int(found[3] or 0))
    dice = () if found[4] == "-" else tuple(map(int, found[4]))
    return Position(card, Variant(found[1]), dice, int(found[5]))

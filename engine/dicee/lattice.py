"""What five dice can do: 462 keeps ordered by size, and how one more die leads from each to the next.

Every distribution in Dicee follows from one fact: the value of holding some dice is the mean, over six faces, of
holding those dice and one more. So the 462 keeps with their 210 × 6 edges replace the 252 × 32 × 252 table of
reroll probabilities (ADR-002), and everything is counted in whole outcomes: ``WAYS[keep, roll]`` ordered results of
the dice in hand lead from a keep to a roll, out of ``6 ** (dice in hand)``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import combinations_with_replacement

import numpy as np
from numpy.typing import NDArray

from engine.wire import EngineError

DICE = 5
SIDES = 6
FACES = range(1, SIDES + 1)

KEEPS: tuple[tuple[int, ...], ...] = tuple(
    faces for size in range(DICE + 1) for faces in combinations_with_replacement(FACES, size)
)
INDEX = {faces: number for number, faces in enumerate(KEEPS)}
FIRST_ROLL = next(number for number, faces in enumerate(KEEPS) if len(faces) == DICE)
ROLLS = KEEPS[FIRST_ROLL:]

SIZE: NDArray[np.int64] = np.array([len(faces) for faces in KEEPS])
COUNTS: NDArray[np.int64] = np.array([[faces.count(face) for face in FACES] for faces in KEEPS])
CHILD: NDArray[np.int64] = np.array(
    [[INDEX[tuple(sorted((*faces, face)))] for face in FACES] for faces in KEEPS[:FIRST_ROLL]]
)


def _count_ways() -> NDArray[np.int64]:
    ways = np.zeros((len(KEEPS), len(ROLLS)), np.int64)
    ways[FIRST_ROLL:] = np.eye(len(ROLLS), dtype=np.int64)
    for keep in reversed(range(FIRST_ROLL)):
        ways[keep] = ways[CHILD[keep]].sum(axis=0)
    return ways


def _sub_keeps() -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """For each roll its distinct sub-keeps, itself last: one flat array and where each roll starts in it."""
    below: list[set[int]] = [{keep} for keep in range(len(KEEPS))]
    for keep, children in enumerate(CHILD):
        for child in children:
            below[child] |= below[keep]
    parts = [sorted(below[roll]) for roll in range(FIRST_ROLL, len(KEEPS))]
    starts = np.cumsum([0, *(len(part) for part in parts)])
    return np.concatenate([np.array(part) for part in parts]), starts


WAYS = _count_ways()
MULTIPLICITY = WAYS[0]  # of 6^5 = 7 776 ordered results
OUTCOMES = SIDES ** (DICE - SIZE)  # how many ordered results the dice in hand have, per keep
TRANSITION: NDArray[np.float64] = WAYS / OUTCOMES[:, None]
SUB_KEEPS, SUB_START = _sub_keeps()


def roll_number(faces: Iterable[int]) -> int:
    """The number, 0 to 251, of five dice in any order.

    >>> roll_number([5, 2, 5, 6, 5]) == roll_number([2, 5, 5, 5, 6])
    True
    """
    return keep_number(check_dice(faces)) - FIRST_ROLL


def keep_number(faces: Iterable[int]) -> int:
    """The number, 0 to 461, of up to five dice in any order.

    >>> keep_number([])
    0
    """
    return INDEX[tuple(sorted(faces))]


def check_dice(faces: Iterable[int], field: str = "dice") -> tuple[int, ...]:
    """Five faces from 1 to 6, or an error that says which one is not."""
    dice = tuple(faces)
    if len(dice) != DICE:
        raise EngineError(
            f"A roll has exactly {DICE} dice; you gave {len(dice)}.",
            code="ERR_INVALID_DICE",
            field=field,
            constraint="length",
            expected=DICE,
            actual=len(dice),
        )
    for position, face in enumerate(dice):
        if face not in FACES:
            raise EngineError(
                f"Die {position + 1} must be 1–{SIDES}; you entered {face}.",
                code="ERR_INVALID_DICE",
                field=f"{field}.{position}",
                constraint="range",
                expected="1–6",
                actual=face,
            )
    return dice


def sub_keeps(roll: int) -> NDArray[np.int64]:
    """Every distinct way to keep dice of a roll, from none to (last) all five."""
    return SUB_KEEPS[SUB_START[roll] : SUB_START[roll + 1]]


def kept_mask(dice: Sequence[int], keep: Sequence[int]) -> tuple[bool, bool, bool, bool, bool]:
    """Which dice on the table a keep means; of equal dice the first ones.

    >>> kept_mask([5, 2, 5, 6, 5], [5, 5])
    (True, False, True, False, False)
    """
    wanted = Counter(keep)
    mask = []
    for face in dice:
        mask.append(wanted[face] > 0)
        wanted[face] -= 1
    first, second, third, fourth, fifth = mask
    return first, second, third, fourth, fifth


def chance_of(keep: int, roll: int) -> Fraction:
    """The exact chance that a keep becomes a roll when the other dice are thrown.

    >>> chance_of(keep_number([5, 5, 5]), roll_number([5, 5, 5, 5, 5]))
    Fraction(1, 36)
    """
    return Fraction(int(WAYS[keep, roll]), int(OUTCOMES[keep]))


def best_of_keeps(keep_values: NDArray[np.float64]) -> NDArray[np.float64]:
    """For each roll, the most any of its keeps is worth."""
    best: NDArray[np.float64] = np.maximum.reduceat(keep_values[SUB_KEEPS], SUB_START[:-1], axis=0)
    return best

"""Where an option leads: the chance of every final roll of the turn under best play, and the box it is written in."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.dicee.analysis import FIVES, Option, Position, box_values
from engine.dicee.boxes import (
    BOX_NUMBER,
    BOXES,
    CHANCE,
    UPPER,
    rules,
    situation,
)
from engine.dicee.lattice import ROLLS, SUB_KEEPS, SUB_START, TRANSITION, best_of_keeps, keep_number
from engine.dicee.solver import Floats, Ints
from engine.dicee.tables import Table

PAR_COUNT = 3  # of each face

TITLES = {
    **{name: name.capitalize() for name in BOXES},
    "three_of_kind": "Three of a Kind",
    "four_of_kind": "Four of a Kind",
    "full_house": "Full House",
    "small_straight": "Small Straight",
    "large_straight": "Large Straight",
    "upper_bonus": "Upper bonus",
    "dicee_bonus": "Dicee bonus",
}

# What a box must pay to count as made: three of a face, anything in the lower section; Chance is never a goal.
MADE = np.array([PAR_COUNT * (box + 1) if box in UPPER else 1 for box in range(len(BOXES))])
MADE[CHANCE] = np.iinfo(MADE.dtype).max


@dataclass(frozen=True, slots=True)
class Outlook:
    """What best play makes of an option: the chance of each final roll and the box it is then written in."""

    final: Floats
    box: Ints
    pays: Ints  # the points of that box
    earns: Floats  # everything the turn then pays, bonuses included (ruling D18)

    @property
    def points(self) -> float:
        """Points expected from this turn."""
        return float(self.final @ self.earns)

    @property
    def made(self) -> dict[str, float]:
        """The boxes best play ends up making, likeliest first. An upper box is made with three of its face."""
        return self._chances(self.pays >= MADE[self.box])

    @property
    def settled(self) -> dict[str, float]:
        """The boxes that take the dice when nothing is made: Chance, a low upper score, a box struck."""
        return self._chances(self.pays < MADE[self.box])

    def _chances(self, which: NDArray[np.bool_]) -> dict[str, float]:
        chance = np.bincount(self.box[which], self.final[which], len(BOXES))
        order = np.argsort(-chance, kind="stable")
        return {BOXES[box]: float(chance[box]) for box in order if chance[box] > 0}


def outlook(position: Position, option: Option, table: Table | None) -> Outlook:
    """Follow an option to the end of the turn under best play (of the game with a table, of the turn without)."""
    scored = box_values(position.card, position.variant, table)
    box = scored.argmax(axis=0)
    final = np.zeros(len(ROLLS))
    if option.box:
        final[position.roll] = 1.0
        box[position.roll] = BOX_NUMBER[option.box]
    else:
        final = TRANSITION[keep_number(option.keep or ())].copy()
        held = scored.max(axis=0)
        plans = []
        for _ in range(position.rolls_left - 1):
            worth = TRANSITION @ held
            plans.append(_best_keep(worth))
            held = best_of_keeps(worth)
        for plan in reversed(plans):
            final = final @ TRANSITION[plan]
    cases = np.zeros(len(ROLLS), np.int64)
    cases[FIVES] = [situation(position.card.filled, int(roll)) for roll in FIVES]
    pays = rules(position.variant).scores[cases, box, np.arange(len(ROLLS))]
    earns = box_values(position.card, position.variant, None)[box, np.arange(len(ROLLS))]
    return Outlook(final, box, np.maximum(pays, 0), np.where(final > 0, earns, 0.0))


def _best_keep(worth: Floats) -> Ints:
    """For each roll its best keep; all five, which comes last, on a tie."""
    is_best = worth[SUB_KEEPS] == np.repeat(best_of_keeps(worth), np.diff(SUB_START))
    last = np.maximum.reduceat(np.where(is_best, np.arange(SUB_KEEPS.size), -1), SUB_START[:-1])
    plan: Ints = SUB_KEEPS[last]
    return plan

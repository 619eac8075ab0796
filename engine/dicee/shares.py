"""Where a perfect player's points come from: every state's value taken apart, box by box.

A turn is followed forwards. The solver's values say which box every final roll goes to and which dice are held before;
that carries the chance of each roll through two re-rolls to the boxes. What a box then pays is its share, and what the
card is worth afterwards is taken apart already, because fewer boxes are open on it.

As in ``solver``, ``LANES`` states are the columns of sheets whose rows are keeps, so that nearly all of it is loops
over whole rows. Few successors are reached by many rolls: their chances are added up before any share is looked up.
"""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import numpy as np

from engine.compiled import compiled_in_place, inner
from engine.dicee.boxes import ALL_FILLED, DICEE, UPPER_MASK, UPPER_PAR, Rules
from engine.dicee.lattice import DICE, FIRST_ROLL, SIDES
from engine.dicee.solver import (
    BATCH,
    DICEE_SOURCE,
    N_BOXES,
    N_KEEPS,
    N_ROLLS,
    N_SOURCES,
    REROLLS,
    ROLL_CHANCE,
    ROWS,
    SIXTH,
    STRUCK,
    TIE,
    UPPER_SOURCE,
    Board,
    Floats,
    Ints,
    Progress,
    States,
    board,
    joker_case,
    leave,
    row_of,
    slots,
    states,
)

LANES = 32  # states side by side; more sheets are open at a time than in the solver, so they are narrower


class Sheets(NamedTuple):
    """Room to work in: what rows hold for each of ``LANES`` states."""

    left: Floats  # [box, hit]: the card's worth with that box filled; for ``hit`` see :func:`solver.leave`
    worth: Floats  # [keep]: of holding it; below the keeps, of the best box to strike
    boxes: Ints  # [roll]: where it is scored
    keeps: Ints  # [rolls left, keep]: what is held of it
    held: Floats  # [keep]: chance that it is held
    reach: Floats  # [roll]: chance that it is on the table
    into: Floats  # [box, hit]: chance that the turn ends there
    earned: Floats  # [box]: what it is paid, on average
    struck: Ints  # the best box to strike


def sheets() -> Sheets:
    return Sheets(
        np.zeros((N_BOXES, DICE + 1, LANES)),
        np.zeros((STRUCK + 1, LANES)),
        np.zeros((N_ROLLS, LANES), np.int64),
        np.zeros((REROLLS + 1, N_KEEPS, LANES), np.int64),
        np.zeros((N_KEEPS, LANES)),
        np.zeros((N_ROLLS, LANES)),
        np.zeros((N_BOXES, DICE + 1, LANES)),
        np.zeros((N_BOXES, LANES)),
        np.zeros(LANES, np.int64),
    )


def solve_shares(rules: Rules, values: Floats, progress: Progress | None = None) -> Floats:
    """Where a perfect player's points come from, for every state: ``shares[row, slot, source]``.

    The sum over sources is the state's value: an exact account of it, box by box.
    """
    shares = np.zeros((ROWS, slots().start[-1], N_SOURCES))
    ends = [row_of(ALL_FILLED, False), row_of(ALL_FILLED, True)]
    shares[ends, slots().number[UPPER_MASK, UPPER_PAR], UPPER_SOURCE] = rules.upper_bonus
    on = board(values, rules)

    def share(batch: States) -> None:
        share_states(batch.card, batch.slot, shares, ROLL_CHANCE, on, sheets())

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for filled_boxes in reversed(range(N_BOXES)):
            list(pool.map(share, states(filled_boxes).batches(BATCH)))
            if progress:
                progress(1 - filled_boxes / N_BOXES)
    return shares


@compiled_in_place
def share_states(cards: Ints, slot: Ints, shares: Floats, chance: Floats, on: Board, sheet: Sheets) -> None:
    """Take apart states whose successors are taken apart, a sheet at a time."""
    for at in range(0, len(cards), LANES):
        some, here = cards[at : at + LANES], slot[at : at + LANES]
        leave(sheet.worth, sheet.left, some, here, on)
        choose_boxes(some, on, sheet)
        choose_keeps(on.child, sheet)
        follow(chance, on.child, sheet)
        add_up(some, here, shares, on, sheet)


@inner
def choose_boxes(cards: Ints, on: Board, sheet: Sheets) -> None:
    """The best box of every roll and its worth. A filled box is worth minus infinity.

    Striking a box never beats scoring in it, so a roll looks at the best box to strike and at the boxes that pay.
    """
    worth, boxes, left = sheet.worth, sheet.boxes, sheet.left
    for lane in range(LANES):
        worth[STRUCK, lane] = -1.0
    for box in range(N_BOXES):
        for lane in range(LANES):
            better = left[box, 0, lane] > worth[STRUCK, lane]
            worth[STRUCK, lane] = left[box, 0, lane] if better else worth[STRUCK, lane]
            sheet.struck[lane] = box if better else sheet.struck[lane]
    for roll in range(N_ROLLS):
        row = FIRST_ROLL + roll
        if on.five_of[roll] < 0:
            for lane in range(LANES):
                worth[row, lane] = worth[STRUCK, lane]
                boxes[roll, lane] = sheet.struck[lane]
            for box in range(N_BOXES):
                pay = on.scores[0, box, roll]
                if pay <= 0:
                    continue
                hit = on.counts[roll, box] if box < SIDES else 1
                for lane in range(LANES):
                    value = pay + left[box, hit, lane]
                    better = value > worth[row, lane]
                    worth[row, lane] = value if better else worth[row, lane]
                    boxes[roll, lane] = box if better else boxes[roll, lane]
            continue
        for lane in range(len(cards)):  # what is legal depends on the card
            case = joker_case(cards[lane], on.five_of[roll])
            worth[row, lane] = -1.0
            for box in range(N_BOXES):
                pay = on.scores[case, box, roll]
                value = pay + left[box, on.counts[roll, box] if box < SIDES else int(pay > 0), lane]
                if pay >= 0 and value > worth[row, lane]:
                    worth[row, lane] = value
                    boxes[roll, lane] = box
            worth[row, lane] += on.dicee_bonus * (cards[lane] >> N_BOXES) if case else 0


@inner
def choose_keeps(child: Ints, sheet: Sheets) -> None:
    """The best keep of every roll with one and with two rolls left: means up the lattice, maxima down it."""
    worth = sheet.worth
    for left in range(1, REROLLS + 1):
        keeps = sheet.keeps[left]
        for keep in range(FIRST_ROLL - 1, -1, -1):
            a, b, c, d, e, f = child[keep]
            for lane in range(LANES):
                some = worth[a, lane] + worth[b, lane] + worth[c, lane]
                worth[keep, lane] = (some + worth[d, lane] + worth[e, lane] + worth[f, lane]) * SIXTH
        for keep in range(N_KEEPS):
            for lane in range(LANES):
                keeps[keep, lane] = keep
        for keep in range(FIRST_ROLL):
            for face in range(SIDES):
                more = child[keep, face]
                for lane in range(LANES):
                    better = worth[keep, lane] > worth[more, lane] + TIE
                    worth[more, lane] = worth[keep, lane] if better else worth[more, lane]
                    keeps[more, lane] = keeps[keep, lane] if better else keeps[more, lane]


@inner
def follow(chance: Floats, child: Ints, sheet: Sheets) -> None:
    """From the first roll to the last: the chance of each roll when it is scored."""
    held, reach = sheet.held, sheet.reach
    for roll in range(N_ROLLS):
        for lane in range(LANES):
            reach[roll, lane] = chance[roll]
    for left in range(REROLLS, 0, -1):
        keeps = sheet.keeps[left]
        for keep in range(N_KEEPS):
            for lane in range(LANES):
                held[keep, lane] = 0.0
        for roll in range(N_ROLLS):
            for lane in range(LANES):
                held[keeps[FIRST_ROLL + roll, lane], lane] += reach[roll, lane]
        for keep in range(FIRST_ROLL):
            for face in range(SIDES):
                more = child[keep, face]
                for lane in range(LANES):
                    held[more, lane] += held[keep, lane] * SIXTH
        for roll in range(N_ROLLS):
            for lane in range(LANES):
                reach[roll, lane] = held[FIRST_ROLL + roll, lane]


@inner
def add_up(cards: Ints, slot: Ints, shares: Floats, on: Board, sheet: Sheets) -> None:
    """What final rolls pay, then what the cards they lead to are worth, source by source."""
    into, earned = sheet.into, sheet.earned
    for box in range(N_BOXES):
        for lane in range(LANES):
            earned[box, lane] = 0.0
            for hit in range(DICE + 1):
                into[box, hit, lane] = 0.0
    for roll in range(N_ROLLS):
        five_of = on.five_of[roll]
        for lane in range(len(cards)):
            case = 0 if five_of < 0 else joker_case(cards[lane], five_of)
            box, p = sheet.boxes[roll, lane], sheet.reach[roll, lane]
            pay = on.scores[case, box, roll]
            into[box, on.counts[roll, box] if box < SIDES else int(pay > 0), lane] += p
            earned[box, lane] += p * pay
            if case:
                bonus = on.dicee_bonus * (cards[lane] >> N_BOXES)
                shares[cards[lane] >> SIDES, slot[lane], DICEE_SOURCE] += p * bonus
    for lane in range(len(cards)):
        row, here = cards[lane] >> SIDES, slot[lane]
        for box in range(N_BOXES):
            shares[row, here, box] += earned[box, lane]
            for hit in range(DICE + 1 if box < SIDES else 2):
                p = into[box, hit, lane]
                if p == 0.0:
                    continue
                below = row if box < SIDES else row | 1 << (box - SIDES) | (box == DICEE and hit) << (N_BOXES - SIDES)
                there = on.after[here, box, hit] if box < SIDES else here
                for source in range(N_SOURCES):
                    shares[row, here, source] += p * shares[below, there, source]

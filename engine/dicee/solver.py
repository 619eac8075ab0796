"""What every card is worth: the whole game solved backwards, one filled box at a time.

State. A card matters only through its filled boxes (13 bits), whether the Dicee box holds 50, and the upper total up
to 63: 536 448 reachable states. The +35 is paid at the end of the game, so totals of 63 and more are one state, and
totals that can no longer reach 63 are one state too; 359 616 distinct values remain. ``values[row, slot]`` holds them:
the row says what the lower section looks like, the slot which upper boxes are filled and to what total.

Algorithm. A card's value is the mean over rolls of the best keep's value, twice, then the best box. On the lattice
both steps walk the same 1 260 edges: means up from full rolls to the empty keep, maxima down from the empty keep to
full rolls. The best box is a maximum too, over the few boxes that pay for a roll. Cards with the same number of filled
boxes are independent: 96 of their states at a time are the columns of one sheet of numbers whose rows are keeps and
moves, so every mean and maximum is a loop over whole rows, without a branch, that stays in the cache. Threads share
the rest. Complexity: 359 616 states × ~6 000 double-precision steps; rounding stays below 1e-9.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from itertools import cycle, islice
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.compiled import compiled_in_place, inner
from engine.dicee.boxes import ALL_FILLED, BOXES, DICEE, FIVE_OF, LOWER_MASK, UPPER_MASK, UPPER_PAR, Rules
from engine.dicee.lattice import CHILD, COUNTS, DICE, FACES, FIRST_ROLL, KEEPS, MULTIPLICITY, ROLLS, SIDES

Progress = Callable[[float], None]
Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

ROWS = 256  # seven lower boxes, and one bit for a Dicee box that holds 50
HOLDS_DICEE = 1 << len(BOXES)
UNREACHABLE = -1
REROLLS = 2
LANES = 96  # states side by side on a sheet: long enough to vectorise, short enough for the cache
BATCH = 8 * LANES  # states a thread takes at a time
SIXTH = 1 / SIDES
TIE = 1e-9  # closer than this is equal: double precision, not a difference in play
N_BOXES = len(BOXES)
N_KEEPS = len(KEEPS)
SOURCES = (*BOXES, "upper_bonus", "dicee_bonus")
N_SOURCES = len(SOURCES)
UPPER_SOURCE, DICEE_SOURCE = N_BOXES, N_BOXES + 1
N_ROLLS = len(ROLLS)
STRUCK = N_KEEPS  # the row of a sheet below the keeps: the best open box to strike
FIRST_MOVE = STRUCK + 1
ROLL_COUNTS = COUNTS[FIRST_ROLL:]
ROLL_CHANCE: Floats = MULTIPLICITY / MULTIPLICITY.sum()


@dataclass(frozen=True, slots=True)
class Slots:
    """The upper section numbered: ``number[filled, total]``, and where a further score leads."""

    number: Ints  # [filled upper boxes, total 0–63] -> slot
    start: Ints  # slots of one set of filled boxes are contiguous
    after: Ints  # [slot, face, count] -> slot
    reachable: int  # upper sections before totals that cannot reach par are merged


class Board(NamedTuple):
    """What the compiled loops read: values so far, where scores lead, what boxes pay, how dice grow."""

    values: Floats
    after: Ints
    scores: Ints
    dicee_bonus: int
    five_of: Ints
    counts: Ints
    child: Ints
    bonus_at: Ints  # [slot] -> the +35 if its upper section has reached par


def board(values: Floats, rules: Rules) -> Board:
    bonus_at = np.zeros(int(slots().start[-1]), np.int64)
    at_par = slots().number[:, UPPER_PAR]
    bonus_at[at_par[at_par != UNREACHABLE]] = rules.upper_bonus
    return Board(values, slots().after, rules.scores, rules.dicee_bonus, FIVE_OF, ROLL_COUNTS, CHILD, bonus_at)


class Turn(NamedTuple):
    """A turn as work on a sheet of rows, ``LANES`` states wide: the keeps, then ``STRUCK``, then the moves."""

    moves: Ints  # [move] -> box, hit, points; for ``hit`` see :func:`leave`
    score: Ints  # steps of :func:`take_best` from moves to rolls
    hold: Ints  # steps of :func:`take_best` from smaller keeps to larger ones
    five_of: Ints  # [face] -> the roll that shows it five times
    chance: Floats  # of each roll


def turn(by: Rules) -> Turn:
    """Number the moves that pay, and say which maxima lead to each roll's best box and to each keep's best keep."""
    moves: dict[tuple[int, int, int], int] = {}
    score: list[list[int]] = []
    for roll in np.flatnonzero(FIVE_OF < 0).tolist():
        hits = [*ROLL_COUNTS[roll].tolist(), *[1] * (N_BOXES - SIDES)]
        paying = [(box, hits[box], pay) for box, pay in enumerate(by.scores[0, :, roll].tolist()) if pay > 0]
        rows = [moves.setdefault(move, FIRST_MOVE + len(moves)) for move in paying]
        score += _steps(FIRST_ROLL + roll, [STRUCK, *rows])
    below = [[keep] for keep in range(N_KEEPS)]  # each keep, and what is left without one of its dice
    for keep, children in enumerate(CHILD.tolist()):
        for child in children:
            below[child].append(keep)
    hold = [step for keep in range(1, N_KEEPS) for step in _steps(keep, below[keep])]
    fives = [np.flatnonzero(face == FIVE_OF)[0] for face in range(SIDES)]
    return Turn(np.array([*moves]), np.array(score), np.array(hold), np.array(fives), ROLL_CHANCE)


def _steps(row: int, among: list[int]) -> Iterator[list[int]]:
    """The largest of some rows into ``row``: four of them, then three more at a time; too few are repeated."""
    yield [row, *islice(cycle(among[:4]), 4)]
    for at in range(4, len(among), 3):
        yield [row, row, *islice(cycle(among[at : at + 3]), 3)]


@cache
def slots() -> Slots:
    """Number the reachable upper sections. Totals that can no longer reach 63 share the first slot of their set."""
    number = np.full((UPPER_MASK + 1, UPPER_PAR + 1), UNREACHABLE)
    start, owner, reachable = [0], [], 0
    for filled in range(UPPER_MASK + 1):
        totals = _totals(filled)
        best_rest = DICE * sum(face for face in FACES if not filled >> face - 1 & 1)
        groups = sorted({UNREACHABLE if total + best_rest < UPPER_PAR else total for total in totals})
        for total in totals:
            group = UNREACHABLE if total + best_rest < UPPER_PAR else total
            number[filled, total] = start[-1] + groups.index(group)
        owner += [(filled, next(t for t in totals if number[filled, t] == start[-1] + g)) for g in range(len(groups))]
        start.append(start[-1] + len(groups))
        reachable += len(totals)
    after = np.full((len(owner), SIDES, DICE + 1), UNREACHABLE)
    for slot, (filled, total) in enumerate(owner):
        for face in FACES:
            if not filled >> face - 1 & 1:
                reached = [min(UPPER_PAR, total + face * count) for count in range(DICE + 1)]
                after[slot, face - 1] = number[filled | 1 << face - 1, reached]
    return Slots(number, np.array(start), after, reachable)


def _totals(filled: int) -> list[int]:
    """Every upper total, up to 63, that these filled boxes can add up to."""
    totals = {0}
    for face in FACES:
        if filled >> face - 1 & 1:
            totals = {min(UPPER_PAR, total + face * count) for total in totals for count in range(DICE + 1)}
    return sorted(totals)


def row_of(filled: int, holds_dicee: bool) -> int:
    """The table row of a card's lower section."""
    return filled >> SIDES | holds_dicee << N_BOXES - SIDES


@dataclass(frozen=True, slots=True)
class States:
    """Some states in table order: the card (filled boxes, plus ``HOLDS_DICEE``) and the slot of each."""

    card: Ints
    slot: Ints

    @property
    def row(self) -> Ints:
        return self.card >> SIDES

    def batches(self, size: int) -> Iterator[States]:
        for at in range(0, len(self.card), size):
            yield States(self.card[at : at + size], self.slot[at : at + size])


def states(filled_boxes: int) -> States:
    """Every distinct state with that many boxes filled."""
    masks = [mask for mask in range(ALL_FILLED + 1) if mask.bit_count() == filled_boxes]
    cards = np.array(masks + [mask | HOLDS_DICEE for mask in masks if mask >> DICEE & 1])
    start = slots().start
    first, end = start[cards & UPPER_MASK], start[(cards & UPPER_MASK) + 1]
    length = end - first
    before = np.cumsum(length) - length  # how many states come before each card's first
    return States(np.repeat(cards, length), np.arange(length.sum()) + np.repeat(first - before, length))


def state_count() -> int:
    """How many distinct reachable states a table answers for.

    >>> state_count()
    536448
    """
    dicee_and_lower = 3 * 2 ** (len(BOXES) - SIDES - 1)
    return int(slots().reachable * dicee_and_lower)


def solve(rules: Rules, progress: Progress | None = None, workers: int | None = None) -> Floats:
    """The value at the start of a turn of every state: ``values[row, slot]``, the upper bonus included."""
    values = np.zeros((ROWS, slots().start[-1]))
    values[[row_of(ALL_FILLED, False), row_of(ALL_FILLED, True)], slots().number[UPPER_MASK, UPPER_PAR]] = (
        rules.upper_bonus
    )
    on, how = board(values, rules), turn(rules)
    with ThreadPoolExecutor(workers or os.cpu_count()) as pool:
        for filled_boxes in reversed(range(N_BOXES)):  # each level needs only the one after it
            batches = states(filled_boxes).batches(BATCH)
            list(pool.map(lambda batch: value_states(batch.card, batch.slot, on, how, sheets(how)), batches))
            if progress:
                progress(1 - filled_boxes / N_BOXES)
    return values


class Sheets(NamedTuple):
    """Room to work in."""

    sheet: Floats
    left: Floats
    mean: Floats


def sheets(how: Turn) -> Sheets:
    sheet = np.zeros((FIRST_MOVE + len(how.moves), LANES))
    return Sheets(sheet, np.zeros((N_BOXES, DICE + 1, LANES)), np.empty(LANES))


@compiled_in_place
def value_states(cards: Ints, slot: Ints, on: Board, how: Turn, room: Sheets) -> None:
    """Write the value of states whose successors are known, a sheet at a time."""
    sheet, left, mean = room
    for at in range(0, len(cards), LANES):
        some, here = cards[at : at + LANES], slot[at : at + LANES]
        leave(sheet, left, some, here, on)
        score_rolls(sheet, left, some, on, how)
        for _ in range(REROLLS):
            reroll(sheet, on.child, how.hold)
        for lane in range(LANES):
            mean[lane] = 0.0
        for roll in range(N_ROLLS):
            for lane in range(LANES):
                mean[lane] += how.chance[roll] * sheet[FIRST_ROLL + roll, lane]
        for lane in range(len(some)):
            on.values[some[lane] >> SIDES, here[lane]] = mean[lane]


@inner
def take_best(sheet: Floats, steps: Ints) -> None:
    """For each step write the largest of four rows to the first one named. Whole rows at a time, no remainder."""
    for step in range(len(steps)):
        row, a, b, c, d = steps[step]
        for lane in range(LANES):
            # Spelt out: max() of two floats is not vectorised.
            one = sheet[a, lane] if sheet[a, lane] > sheet[b, lane] else sheet[b, lane]
            two = sheet[c, lane] if sheet[c, lane] > sheet[d, lane] else sheet[d, lane]
            sheet[row, lane] = one if one > two else two


@inner
def reroll(sheet: Floats, child: Ints, hold: Ints) -> None:
    """One more roll in hand: means up the lattice, then maxima down it."""
    for keep in range(FIRST_ROLL - 1, -1, -1):
        a, b, c, d, e, f = child[keep]
        for lane in range(LANES):
            total = sheet[a, lane] + sheet[b, lane] + sheet[c, lane] + sheet[d, lane] + sheet[e, lane] + sheet[f, lane]
            sheet[keep, lane] = total * SIXTH
    take_best(sheet, hold)


@inner
def joker_case(card: int, face: int) -> int:
    """The ``Situation`` of a roll whose five of a kind shows ``face`` (-1: it is none)."""
    if face < 0 or not card >> DICEE & 1:
        return 0
    if not card >> face & 1:
        return 1
    return 2 if card & LOWER_MASK != LOWER_MASK else 3


@inner
def leave(sheet: Floats, left: Floats, cards: Ints, slot: Ints, on: Board) -> None:
    """What each card is worth with one more box filled: ``left[box, hit, lane]``, without the points of that box.

    ``hit`` counts the face in an upper box and says whether a lower box paid. A filled box is worth minus infinity.
    """
    for lane in range(len(cards)):
        card, row, here = cards[lane], cards[lane] >> SIDES, slot[lane]
        sheet[STRUCK, lane] = 0.0
        for box in range(N_BOXES):
            for hit in range(DICE + 1 if box < SIDES else 2):
                below = row if box < SIDES else row | 1 << (box - SIDES) | (box == DICEE and hit) << (N_BOXES - SIDES)
                left[box, hit, lane] = -np.inf
                if not card >> box & 1:
                    left[box, hit, lane] = on.values[below, on.after[here, box, hit] if box < SIDES else here]
            sheet[STRUCK, lane] = max(sheet[STRUCK, lane], left[box, 0, lane])


@inner
def score_rolls(sheet: Floats, left: Floats, cards: Ints, on: Board, how: Turn) -> None:
    """For each roll, the best open box: its points, the +100 it may earn, and the card it leaves.

    Striking a box never beats scoring in it, so a roll looks at the best box to strike and at the boxes that pay. Five
    of a kind looks at every legal box, for what is legal depends on the card.
    """
    for move in range(len(how.moves)):
        box, hit, points = how.moves[move]
        for lane in range(LANES):
            sheet[FIRST_MOVE + move, lane] = points + left[box, hit, lane]
    take_best(sheet, how.score)
    for face in range(SIDES):
        roll = how.five_of[face]
        for lane in range(len(cards)):
            case = joker_case(cards[lane], face)
            best = 0.0
            for box in range(N_BOXES):
                pay = on.scores[case, box, roll]
                if pay >= 0:
                    best = max(best, pay + left[box, on.counts[roll, box] if box < SIDES else min(pay, 1), lane])
            bonus = on.dicee_bonus * (cards[lane] >> N_BOXES) if case else 0
            sheet[FIRST_ROLL + roll, lane] = best + bonus


@inner
def plan_boxes(worth: Floats, boxes: Ints, left: Floats, card: int, slot: int, far_sighted: bool, on: Board) -> None:
    """The best box of every roll and its worth: with what it leaves behind, or for all this turn pays (ruling D18).

    ``left[box, hit]`` is what the card is then worth, or the +35 it then earns; ``hit`` is as in :func:`leave`.
    """
    row = card >> SIDES
    for box in range(N_BOXES):
        for hit in range(DICE + 1 if box < SIDES else 2):
            below = row if box < SIDES else row | 1 << (box - SIDES) | (box == DICEE and hit) << (N_BOXES - SIDES)
            left[box, hit] = 0.0
            if card >> box & 1:
                continue
            there = on.after[slot, box, hit] if box < SIDES else slot
            left[box, hit] = on.values[below, there] if far_sighted else on.bonus_at[there] - on.bonus_at[slot]
    for roll in range(N_ROLLS):
        case = joker_case(card, on.five_of[roll])
        best = -1.0
        for box in range(N_BOXES):
            pay = on.scores[case, box, roll]
            if card >> box & 1 or pay < 0:
                continue
            value = pay + left[box, on.counts[roll, box] if box < SIDES else min(pay, 1)]
            if value > best:
                best = value
                boxes[roll] = box
        # The +100 is earned whatever the box, so it matters to the keeps only.
        bonus = on.dicee_bonus * (card >> N_BOXES) if case else 0
        worth[FIRST_ROLL + roll] = best + bonus


@inner
def plan_keeps(worth: Floats, keeps: Ints, child: Ints) -> None:
    """The best keep of every roll with one and with two rolls left: means up the lattice, maxima down it."""
    for left in range(1, REROLLS + 1):
        for keep in range(FIRST_ROLL - 1, -1, -1):
            total = 0.0
            for face in range(SIDES):
                total += worth[child[keep, face]]
            worth[keep] = total * SIXTH
        for keep in range(N_KEEPS):
            keeps[left, keep] = keep
        for keep in range(FIRST_ROLL):
            for face in range(SIDES):
                more = child[keep, face]
                if worth[keep] > worth[more] + TIE:
                    worth[more] = worth[keep]
                    keeps[left, more] = keeps[left, keep]

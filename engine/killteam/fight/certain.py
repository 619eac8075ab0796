"""Fights without Feel No Pain: every state leads to one certain end, so a cell is a 16-bit number, the *rank* of it.

Minimax is then a running maximum and minimum of small integers. A table is filled group by group; what a round needs of
it (the blocks it may start in) is folded into an expectation, a spread or a matrix as soon as its group is filled, so
that no table has to be kept. Ranks are exact. ``optimal`` goes backwards for the values of the rounds to come, then
forwards along the choices they make, filling a round's table again rather than keeping it.

Indices into tables are unsigned: a negative one would have to be looked for in every step, which keeps loops from being
vectorised.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cached_property, partial, reduce
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.compiled import compiled_in_place, inner, interpreted_as
from engine.dice.pmf import Array
from engine.killteam.fight.arena import LOOKS_AHEAD, Arena, Codes, Progress, already_over, with_edges
from engine.killteam.fight.moves import MOVES, OPTIMAL, PARRY, STRIKE, Ints
from engine.killteam.fight.states import (
    BLOCK,
    DICE1,
    DICE2,
    END,
    FIRST,
    HABIT_KILL,
    HABIT_LAST,
    HABIT_PARRY,
    HABIT_STRIKE,
    HABIT_THEN_KILL,
    HAND1,
    HAND2,
    IS_START,
    LEADS,
    LEFT1,
    LEFT2,
    OPENING,
    ORIGIN,
    PASS,
    SECOND,
    TURN,
    WHAT,
    WIDTH,
    Board,
    Orders,
    Round,
    Window,
    walks,
)

Ranks = NDArray[np.int16]

START_FIGURES = (ORIGIN, WIDTH, HAND1, HAND2)

#: Measured on a small server with two cores; benchmarks/bench_killteam.py shows what it is elsewhere.
CELLS_PER_SECOND = 400_000_000
INTERPRETED_CELLS_PER_SECOND = 1_000_000
MOST_PATHS = 64
DICE_BASE = 64  # more than the dice of either, for a key made of figures
WIN_DIGITS, MARGIN_DIGITS = 12, 9  # values equal to so many digits count as equal


# -- filling a table --------------------------------------------------------------------------------------------------


class Scratch(NamedTuple):
    """Room for one block at a time.

    ``cells[path]`` leads from each cell of a block to its cell after a move; ``keys`` say after which, and the last of
    them how many there are: the blocks of a group share a few paths. ``lanes`` are a block as it is after each of a
    strategy's moves, and the enemy's wounds there, by turn: ``room`` numbers each.
    """

    keys: Ints
    cells: NDArray[np.uint16]
    lanes: Ranks


STRUCK, PARRIED, FINISHED, IF_STRUCK, IF_PARRIED, FOE_WOUNDS = range(6)  # lanes
LANES = 7  # the last one is two, by turn


def scratch_for(board: Board) -> Scratch:
    room = int((board.top[0] + 1) * (board.top[1] + 1))
    keys, cells = np.zeros(MOST_PATHS + 1, np.int64), np.empty((MOST_PATHS, room), np.uint16)
    return Scratch(keys, cells, np.empty(LANES * room, np.int16))


@compiled_in_place
def fill(
    board: Board,
    orders: Orders,
    strategies: Codes,
    ends: Ranks,
    guides: tuple[Ranks, Ranks],
    self_guided: int,
    scratch: Scratch,
    table: Ranks,
) -> None:  # pragma: no cover - machine code
    """Fill blocks as ordered with the rank of the end of the round, ``ends[level1, level2]`` when dice are out.

    Fighter 1 likes high ranks if it plays OPTIMAL, fighter 2 low ones. A look-ahead strategy takes the move whose rank
    is higher in its guide: another table, or this one for the turn ``self_guided``.
    """
    d1, d2, size = orders[0, DICE1], orders[0, DICE2], 0
    for o in range(orders.shape[0]):
        if o == 0 or orders[o, DICE1] != d1 or orders[o, DICE2] != d2:
            d1, d2 = orders[o, DICE1], orders[o, DICE2]
            size = _foe_wounds(board, d1, d2, scratch)
            scratch.keys[MOST_PATHS] = 0
        if scratch.keys[MOST_PATHS] > MOST_PATHS - MOVES:  # the block might not find room for its own
            scratch.keys[MOST_PATHS] = 0
        turn, what = orders[o, TURN], orders[o, WHAT]
        strategy = strategies[0] if turn == 0 else strategies[1]
        if what == END:
            _end(board, ends, orders[o, BLOCK], table)
        elif what == PASS:
            start, here = np.uint64(orders[o, LEADS]), np.uint64(orders[o, BLOCK])
            for j in range(np.uint64(size)):
                table[here + j] = table[start + j]
        elif what == OPENING or strategy == OPTIMAL:
            _best_of(board, orders, o, strategy, size, scratch, table)
        else:  # one call: every further one would be compiled once more
            guide = table if self_guided == turn else guides[0] if turn == 0 else guides[1]
            _by_habit(board, orders, o, strategy, size, scratch, guide, table)


@inner
def _foe_wounds(board: Board, d1: int, d2: int, scratch: Scratch) -> int:  # pragma: no cover - machine code
    """Write down the wounds of the enemy, by turn and cell; returns how many cells a block of the group has."""
    low1, low2 = board.low[0, d2] - 1, board.low[1, d1] - 1
    rows, columns = board.top[0] - low1, board.top[1] - low2
    size, lane = rows * columns, FOE_WOUNDS * scratch.cells.shape[1]
    for row in range(rows):
        for column in range(columns):
            cell = lane + row * columns + column
            scratch.lanes[cell] = board.wounds[1, low2 + column] if column > 0 else 0
            scratch.lanes[size + cell] = board.wounds[0, low1 + row] if row > 0 else 0
    return int(size)


@inner
def _end(board: Board, ends: Ranks, at: int, table: Ranks) -> None:  # pragma: no cover - machine code
    low1, low2 = board.low[0, 0] - 1, board.low[1, 0] - 1
    columns = board.top[1] - low2
    for row in range(board.top[0] - low1):
        for column in range(columns):
            end = ends[low1 + row if row > 0 else 0, low2 + column if column > 0 else 0]
            table[at + row * columns + column] = end


@inner
def _path(board: Board, orders: Orders, o: int, k: int, scratch: Scratch) -> int:  # pragma: no cover - machine code
    """The number of the path that leads from each cell of a block to its cell after a move, or -1 if that is the same.

    Whoever is dead already is left alone.
    """
    turn, there1, there2 = orders[o, TURN], orders[o, LEFT1 + k], orders[o, LEFT2 + k]
    damage = max(0, orders[o, FIRST + k]) + max(0, orders[o, SECOND + k])
    low1, low2 = board.low[0, orders[o, DICE2]] - 1, board.low[1, orders[o, DICE1]] - 1
    down1, down2 = board.low[0, there2] - 1, board.low[1, there1] - 1
    if damage == 0 and low1 == down1 and low2 == down2:
        return -1
    key = ((damage * DICE_BASE + there1) * DICE_BASE + there2) * 2 + turn
    known = scratch.keys[MOST_PATHS]
    for number in range(known):
        if scratch.keys[number] == key:
            return number
    scratch.keys[MOST_PATHS] = known + 1
    scratch.keys[known] = key
    lost1, lost2 = (0, damage) if turn == 0 else (damage, 0)
    _write_path(board, (low1, low2), (down1, down2), (lost1, lost2), scratch, known)
    return int(known)


@inner
def _write_path(
    board: Board, low: Codes, down: Codes, lost: Codes, scratch: Scratch, known: int
) -> None:  # pragma: no cover - machine code
    """From blocks whose living levels begin above ``low`` to blocks where they begin above ``down``."""
    low1, low2 = low
    down1, down2 = down
    lost1, lost2 = lost
    columns, stride = board.top[1] - low2, board.top[1] - down2
    for row in range(board.top[0] - low1):
        w1 = low1 + row if row > 0 else 0
        for column in range(columns):
            w2 = low2 + column if column > 0 else 0
            after1 = board.lower[0, lost1, w1] if w2 > 0 else w1
            after2 = board.lower[1, lost2, w2] if w1 > 0 else w2
            row_there = after1 - down1 if after1 > 0 else 0
            column_there = after2 - down2 if after2 > 0 else 0
            scratch.cells[known, row * columns + column] = row_there * stride + column_there


@inner
def _fetch(
    source: Ranks, at: int, path: int, scratch: Scratch, size: int, into: int
) -> None:  # pragma: no cover - machine code
    """A block as it is after a move, into the lane that begins there."""
    start, via, lane = np.uint64(at), np.uint64(max(0, path)), np.uint64(into)
    if path < 0:
        for j in range(np.uint64(size)):
            scratch.lanes[lane + j] = source[start + j]
    else:
        for j in range(np.uint64(size)):
            scratch.lanes[lane + j] = source[start + np.uint64(scratch.cells[via, j])]


@inner
def _best_of(
    board: Board, orders: Orders, o: int, strategy: int, size: int, scratch: Scratch, table: Ranks
) -> None:  # pragma: no cover - machine code
    """The best rank over all moves under OPTIMAL, else the usual one's: fighter 1 takes the highest, 2 the lowest."""
    turn, here, cells = orders[o, TURN], np.uint64(orders[o, BLOCK]), np.uint64(size)
    first = True
    for k in range(MOVES):
        if orders[o, LEADS + k] < 0 or (strategy != OPTIMAL and k != orders[o, HABIT_PARRY]):
            continue
        path = _path(board, orders, o, k, scratch)
        start, via = np.uint64(orders[o, LEADS + k]), np.uint64(max(0, path))
        if first and path < 0:
            for j in range(cells):
                table[here + j] = table[start + j]
        elif first:
            for j in range(cells):
                table[here + j] = table[start + np.uint64(scratch.cells[via, j])]
        elif turn == 0 and path < 0:
            for j in range(cells):
                table[here + j] = max(table[here + j], table[start + j])
        elif turn == 0:
            for j in range(cells):
                table[here + j] = max(table[here + j], table[start + np.uint64(scratch.cells[via, j])])
        elif path < 0:
            for j in range(cells):
                table[here + j] = min(table[here + j], table[start + j])
        else:
            for j in range(cells):
                table[here + j] = min(table[here + j], table[start + np.uint64(scratch.cells[via, j])])
        first = False


@inner
def _by_habit(
    board: Board, orders: Orders, o: int, strategy: int, size: int, scratch: Scratch, guide: Ranks, table: Ranks
) -> None:  # pragma: no cover - machine code
    """Fill a block by a named strategy; looking ahead is taking what the guide likes better, a strike among equals."""
    kill, then_kill = np.int16(orders[o, HABIT_KILL]), np.int16(orders[o, HABIT_THEN_KILL])
    strike = orders[o, HABIT_STRIKE]
    # Where there is no parry, the limits prevent its use.
    parry = orders[o, HABIT_PARRY] if orders[o, HABIT_PARRY] >= 0 else strike
    last = orders[o, HABIT_LAST] if orders[o, HABIT_LAST] >= 0 else strike
    looks_ahead = strategy > PARRY
    room = scratch.cells.shape[1]
    struck, parried, finished = room * STRUCK, room * PARRIED, room * FINISHED
    if_struck, if_parried = room * IF_STRUCK, room * IF_PARRIED
    foe = room * FOE_WOUNDS + orders[o, TURN] * size
    strike_path = _path(board, orders, o, strike, scratch)
    parry_path = _path(board, orders, o, parry, scratch)
    _fetch(table, orders[o, LEADS + strike], strike_path, scratch, size, struck)
    if strategy != STRIKE:
        _fetch(table, orders[o, LEADS + parry], parry_path, scratch, size, parried)
    if then_kill > kill:
        last_path = _path(board, orders, o, last, scratch)
        _fetch(table, orders[o, LEADS + last], last_path, scratch, size, finished)
    if looks_ahead:
        _fetch(guide, orders[o, LEADS + strike], strike_path, scratch, size, if_struck)
        _fetch(guide, orders[o, LEADS + parry], parry_path, scratch, size, if_parried)
    habitual = struck if strategy == STRIKE else parried
    lanes = Lanes(struck, habitual, finished, foe, if_struck, if_parried, kill, then_kill, looks_ahead)
    _decide(scratch, orders[o, BLOCK], size, table, lanes)


class Lanes(NamedTuple):
    """Where the lanes begin that a named strategy chooses between, and the wounds up to which it kills."""

    struck: int
    habitual: int
    finished: int
    foe: int
    if_struck: int
    if_parried: int
    kill: np.int16
    then_kill: np.int16
    looks_ahead: bool


@inner
def _decide(scratch: Scratch, here: int, size: int, table: Ranks, at: Lanes) -> None:  # pragma: no cover - machine code
    """Strike to kill, make the last parry if the rest then kills, else what the guide likes better or the habit."""
    lanes, kill, then_kill, block = scratch.lanes, at.kill, at.then_kill, np.uint64(here)
    struck, habitual, finished, foe = (
        np.uint64(at.struck),
        np.uint64(at.habitual),
        np.uint64(at.finished),
        np.uint64(at.foe),
    )
    if_struck, if_parried = np.uint64(at.if_struck), np.uint64(at.if_parried)
    # Values are read before they are chosen between: a read inside a condition keeps a loop from vectorising.
    if at.looks_ahead:
        for j in range(np.uint64(size)):
            s, p, f, w = lanes[struck + j], lanes[habitual + j], lanes[finished + j], lanes[foe + j]
            gs, gp = lanes[if_struck + j], lanes[if_parried + j]
            better = s if gs >= gp else p
            later = f if w <= then_kill else better
            table[block + j] = s if w <= kill else later
    else:
        for j in range(np.uint64(size)):
            s, p, f, w = lanes[struck + j], lanes[habitual + j], lanes[finished + j], lanes[foe + j]
            later = f if w <= then_kill else p
            table[block + j] = s if w <= kill else later


# -- the same without machine code, a block at a time -----------------------------------------------------------------


@interpreted_as(fill)
def _fill_in_numpy(
    board: Board,
    orders: Orders,
    strategies: Codes,
    ends: Ranks,
    guides: tuple[Ranks, Ranks],
    self_guided: int,
    scratch: Scratch,
    table: Ranks,
) -> None:
    blocks = _Blocks(board, table)
    for order in orders.tolist():
        blocks.enter(order)
        turn, what, begin = order[TURN], order[WHAT], order[BLOCK]
        here, strategy = slice(begin, begin + blocks.size), strategies[turn]
        if what == END:
            table[here] = ends[blocks.w1[:, None], blocks.w2].ravel()
        elif what == PASS:
            table[here] = table[order[LEADS] : order[LEADS] + blocks.size]
        elif what == OPENING or strategy == OPTIMAL:
            moves = [k for k in range(MOVES) if order[LEADS + k] >= 0]
            usual = moves if strategy == OPTIMAL else [order[HABIT_PARRY]]
            after = [blocks.after(table, order, k) for k in usual]
            table[here] = reduce(np.maximum if turn == 0 else np.minimum, after)
        else:
            table[here] = blocks.by_habit(order, strategy, table if self_guided == turn else guides[turn])


class _Blocks:
    """The blocks of a group, and the paths from one of them to another."""

    def __init__(self, board: Board, table: Ranks) -> None:
        self.board, self.table = board, table
        self.top, self.low = board.top.tolist(), board.low.tolist()
        self.dice = -1, -1
        self.size = 0

    def enter(self, order: list[int]) -> None:
        """Go to the group of an order."""
        if self.dice != (order[DICE1], order[DICE2]):
            d1, d2 = self.dice = order[DICE1], order[DICE2]
            self.w1 = np.concatenate([[0], np.arange(self.low[0][d2], self.top[0])])
            self.w2 = np.concatenate([[0], np.arange(self.low[1][d1], self.top[1])])
            self.size = self.w1.size * self.w2.size
            self.paths: dict[tuple[int, ...], Ints] = {}
            wounds = self.board.wounds[0, self.w1][:, None], self.board.wounds[1, self.w2][None]
            each = np.broadcast_arrays(*wounds)
            self.foes = each[1].ravel(), each[0].ravel()  # by turn

    def after(self, source: Ranks, order: list[int], k: int) -> Ranks:
        """A block as it is after a move."""
        damage = max(0, order[FIRST + k]) + max(0, order[SECOND + k])
        key = damage, order[LEFT1 + k], order[LEFT2 + k], order[TURN]
        if key not in self.paths:
            self.paths[key] = self._path(*key)
        after: Ranks = source[order[LEADS + k] :].take(self.paths[key])
        return after

    def _path(self, damage: int, left1: int, left2: int, turn: int) -> Ints:
        """From each cell to its cell after a move; whoever is dead already is left alone."""
        w1, w2, lower = self.w1[:, None], self.w2, self.board.lower
        lost1, lost2 = (0, damage) if turn == 0 else (damage, 0)
        after1, after2 = np.where(w2 > 0, lower[0, lost1][w1], w1), np.where(w1 > 0, lower[1, lost2][w2], w2)
        low1, low2 = self.low[0][left2] - 1, self.low[1][left1] - 1
        row, column = np.where(after1 > 0, after1 - low1, 0), np.where(after2 > 0, after2 - low2, 0)
        path: Ints = (row * (self.top[1] - low2) + column).ravel()
        return path

    def by_habit(self, order: list[int], strategy: int, guide: Ranks) -> Ranks:
        """A block by a named strategy; looking ahead is taking what the guide likes better, a strike among equals."""
        table, foe = self.table, self.foes[order[TURN]]
        strike, parry = order[HABIT_STRIKE], order[HABIT_PARRY]
        kill, then_kill = order[HABIT_KILL], order[HABIT_THEN_KILL]
        struck = self.after(table, order, strike)
        chosen = struck if strategy == STRIKE or parry < 0 else self.after(table, order, parry)
        if strategy > PARRY and parry >= 0:
            is_better = self.after(guide, order, strike) >= self.after(guide, order, parry)
            chosen = np.where(is_better, struck, chosen)
        if then_kill > kill:
            chosen = np.where(foe <= then_kill, self.after(table, order, order[HABIT_LAST]), chosen)
        block: Ranks = np.where(foe <= kill, struck, chosen)
        return block


# -- what a round needs of its table ----------------------------------------------------------------------------------


class Starts(NamedTuple):
    """The blocks a round may start in, their hands with P(hand) by level, and the levels it may start from."""

    origin: Ints
    width: Ints
    hand1: Ints
    hand2: Ints
    odds1: Array
    odds2: Array
    lowest: Ints
    top: Ints


class Walked(NamedTuple):
    """The orders of a part of a stage, and the starts among them."""

    orders: Orders
    starts: Starts


@compiled_in_place
def expect(starts: Starts, table: Ranks, by_rank: Array, before: Array) -> None:  # pragma: no cover - machine code
    """Add what these starts give to the expected values at the start of a round: ``by_rank[criterion, rank]``."""
    for i in range(starts.origin.size):
        hand1, hand2 = starts.hand1[i], starts.hand2[i]
        for w1 in range(starts.lowest[0], starts.top[0]):
            chance = starts.odds1[hand1, w1]
            here = starts.origin[i] + w1 * starts.width[i]
            if chance > 0.0:
                for w2 in range(starts.lowest[1], starts.top[1]):
                    p, rank = chance * starts.odds2[hand2, w2], table[here + w2]
                    before[0, w1, w2] += p * by_rank[0, rank]
                    before[1, w1, w2] += p * by_rank[1, rank]


@compiled_in_place
def spread(starts: Starts, table: Ranks, mass: Array, after: Array) -> None:  # pragma: no cover - machine code
    """Add what these starts give to P(rank) after a round fought from ``mass[level1, level2]``."""
    for i in range(starts.origin.size):
        hand1, hand2 = starts.hand1[i], starts.hand2[i]
        for w1 in range(starts.lowest[0], starts.top[0]):
            chance = starts.odds1[hand1, w1]
            here = starts.origin[i] + w1 * starts.width[i]
            if chance > 0.0:
                for w2 in range(starts.lowest[1], starts.top[1]):
                    p = mass[w1, w2] * chance * starts.odds2[hand2, w2]
                    if p > 0.0:
                        after[table[here + w2]] += p


@compiled_in_place
def transitions(starts: Starts, table: Ranks, moved: Array) -> None:  # pragma: no cover - machine code
    """Add what these starts give to moved[start, rank]: where a round leads from each pair of living levels."""
    top = starts.top[1]
    for i in range(starts.origin.size):
        hand1, hand2 = starts.hand1[i], starts.hand2[i]
        for w1 in range(1, starts.top[0]):
            chance, here = starts.odds1[hand1, w1], starts.origin[i] + w1 * starts.width[i]
            for w2 in range(1, top):
                moved[w1 * top + w2, table[here + w2]] += chance * starts.odds2[hand2, w2]


# -- from round to round ----------------------------------------------------------------------------------------------


Fold = Callable[..., None]


class Certain:
    """A fight without Feel No Pain. With few wounds a round is a matrix of transitions, which serves both ways."""

    def __init__(self, arena: Arena, progress: Progress = lambda done, total: None) -> None:
        self.arena, self.progress = arena, progress
        self.best = arena.plays_best
        self.few = arena.rounds > 1 and int(arena.anywhere.board.top.prod()) <= arena.budget.matrix_cells
        self.done = 0
        self._tables: list[Ranks] = []

    def parts(self, number: int | None) -> list[Round]:
        """A round, counted from 0, or the parts of it that fit into memory one by one; None may start anywhere."""
        anywhere = number is None or (self.few and (number > 0 or not self.best))
        fought = self.arena.anywhere if anywhere or number is None else self.arena.each_round[number]
        return self.arena.fitting(fought, self._memory)

    def windows(self, number: int | None) -> list[Window]:
        """The parts of a round with room; the window of rounds that may start anywhere is the same for all of them."""
        return [self.arena.window(part) for part in self.parts(number)]

    def walked(self, window: Window) -> Iterable[list[Walked]]:
        """What to do in each stage: remembered in the window that several rounds share, while that is little."""
        return self._remembered if window is self._shared else self._walked(window)

    def _walked(self, window: Window) -> Iterator[list[Walked]]:
        for stage in walks(window, window.stages):
            yield [Walked(orders, starts_of(self.arena, window, orders)) for orders in stage]

    @cached_property
    def _remembered(self) -> list[list[Walked]]:
        return list(self._walked(self.arena.window(self.arena.anywhere)))

    @cached_property
    def _shared(self) -> Window | None:
        few_enough = self.arena.rounds > 1 and self.arena.anywhere.cells <= self.arena.budget.remembered_cells
        return self.arena.window(self.arena.anywhere) if few_enough else None

    def _memory(self, a_round: Round) -> int:
        return 2 * (1 + self.arena.guides) * self.arena.window(a_round).room

    @cached_property
    def cells(self) -> int:
        """How many cells are filled in all."""
        sizes = [sum(part.cells for part in self.parts(number)) for number in range(self.arena.rounds)]
        once = sizes[0] if self.few and not self.best else sum(sizes)
        again = sum(sizes[1:]) if self.best and not self.few else 0
        return (once + again) * (1 + self.arena.guides)

    @property
    def seconds(self) -> float:
        return self.cells / CELLS_PER_SECOND

    @property
    def interpreted_seconds(self) -> float:
        """About how long it takes without machine code."""
        return self.cells / INTERPRETED_CELLS_PER_SECOND

    def check_size(self) -> None:
        """Nothing is too large: what does not fit into memory at once is divided."""

    def fought(self, mass: Array) -> Array:
        """P(level1, level2) after all rounds, given it before the first."""
        last = self.arena.rounds - 1
        win, margin = self.arena.final_values()
        rounds = [_Round(self, last, _ranked(win, margin) if self.best else _numbered(win))]
        for number in range(last - 1, -1, -1):
            if self.best:
                win, margin = rounds[-1].before(win, margin)
                rounds.append(_Round(self, number, _ranked(win, margin)))
            else:
                rounds.append(rounds[0] if self.few else _Round(self, number, rounds[0].rank))
        for played in reversed(rounds):
            mass = played.after(mass)
        return mass

    def values(self, rounds: int) -> tuple[Array, Array]:
        """Both criteria for every pair of levels with so many rounds to come, whatever wounds they start with."""
        win, margin = self.arena.final_values()
        for _ in range(rounds):
            win, margin = _Round(self, None, _ranked(win, margin)).before(win, margin)
        return win, margin

    @cached_property
    def aims(self) -> list[Ranks]:
        """What either fighter would look ahead to, by both levels."""
        return [self.arena.aim(turn).astype(np.int16) for turn in (0, 1)]

    def tables(self, room: int) -> list[Ranks]:
        """Used by one round after the other: touching fresh memory costs more than the arithmetic."""
        if not self._tables or self._tables[0].size < room:
            self._tables = [np.empty(room, np.int16) for _ in range(1 + self.arena.guides)]
        return self._tables

    def report(self, cells: int) -> None:
        self.done += cells * (1 + self.arena.guides)
        self.progress(self.done, self.cells)


class _Round:
    """One round: where each pair of wounds leads. ``after`` goes forwards, ``before`` backwards."""

    def __init__(self, fight: Certain, number: int | None, rank: Ranks) -> None:
        self.fight, self.rank, self.arena = fight, rank, fight.arena
        self.windows = fight.windows(number)
        self.is_matrix = fight.few and number is not None and self.windows[0].round is fight.arena.anywhere

    def after(self, mass: Array) -> Array:
        """P(level1, level2) after the round, given it before the round. The dead fight no more."""
        ranked = mass.ravel() @ self.matrix if self.is_matrix else self._folded(spread, mass, shape=(mass.size,))
        return already_over(mass) + ranked[self.rank]

    def before(self, win: Array, margin: Array) -> tuple[Array, Array]:
        """Expected values before the round, given values after it."""
        by_rank = np.empty((2, win.size))
        by_rank[0, self.rank], by_rank[1, self.rank] = win, margin
        if self.is_matrix:
            expected = np.stack([self.matrix @ values for values in by_rank]).reshape(2, *win.shape)
        else:
            expected = self._folded(expect, by_rank, shape=(2, *win.shape))
        expected = with_edges(expected, np.stack([win, margin]))
        return expected[0], expected[1]

    @cached_property
    def matrix(self) -> Array:
        return self._folded(transitions, shape=(self.rank.size, self.rank.size))

    def _folded(self, fold: Fold, *given: Array, shape: tuple[int, ...]) -> Array:
        """Fill the table stage by stage, and fold the starts of each stage into a sum."""
        tables = self.fight.tables(max(window.room for window in self.windows))
        total = np.zeros(shape)
        for window in self.windows:
            part = partial(self._part, window, tables, fold, given)
            total += self.arena.by_stages(window, self.fight.walked(window), part, shape, self.fight.report)
        return total

    def _part(
        self, window: Window, tables: list[Ranks], fold: Fold, given: tuple[Array, ...], walked: Walked, into: Array
    ) -> None:
        arena, board, orders = self.arena, window.round.board, walked.orders
        table, spare, scratch = tables[0], list(tables[1:]), scratch_for(board)
        guide1, guide2 = (spare.pop() if code in LOOKS_AHEAD else table for code in arena.codes)
        for turn, own in enumerate((guide1, guide2)):
            if arena.codes[turn] in LOOKS_AHEAD:
                fill(
                    board, orders, arena.against_a_striker(turn), self.fight.aims[turn], (own, own), turn, scratch, own
                )
        fill(board, orders, arena.codes, self.rank, (guide1, guide2), -1, scratch, table)
        fold(walked.starts, table, *given, into)


def starts_of(arena: Arena, window: Window, orders: Orders) -> Starts:
    """The starts among these orders."""
    here = np.flatnonzero(orders[:, IS_START])
    origin, width, hand1, hand2 = orders[here[:, None], START_FIGURES].T.astype(np.int64)
    (low1, _), (low2, _) = window.round.start
    return Starts(origin, width, hand1, hand2, *arena.hand_odds, np.array([low1, low2]), window.round.board.top)


def _numbered(like: Array) -> Ranks:
    return np.arange(like.size, dtype=np.int16).reshape(like.shape)


def _ranked(win: Array, margin: Array) -> Ranks:
    """Order all ends of a round for fighter 1: worst 0. Values equal up to rounding count as equal."""
    # Sorting is stable, so what is equal stays in the order of fighter 1's wounds.
    order = np.lexsort((margin.round(MARGIN_DIGITS).ravel(), win.round(WIN_DIGITS).ravel()))
    rank = np.empty(win.size, np.int16)
    rank[order] = np.arange(win.size, dtype=np.int16)
    return rank.reshape(win.shape)

"""A round without Feel No Pain: every state leads to one certain end, so a cell is a 16-bit number, the *rank* of it.

Minimax is then a running maximum and minimum of small integers. A table is filled group by group; what a round needs of
it (the blocks it may start in) is folded into an expectation, a spread or a matrix as soon as its group is filled, so
that no table has to be kept. Ranks are exact. Indices into tables are unsigned: a negative one would have to be looked
for in every step, which keeps loops from being vectorised.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.compiled import compiled, compiled_in_place
from engine.dice.pmf import Array
from engine.killteam.board import (
    BLOCK,
    COUNT,
    DICE,
    DICE1,
    DICE2,
    END,
    HARM,
    KILL,
    LAST,
    OPENING,
    PASS,
    STEP,
    THEN_KILL,
    THERE1,
    THERE2,
    TURN,
    USUAL,
    WAYS,
    WHAT,
    Board,
    Ints,
    Orders,
    fewest_crits,
    level,
    lines,
    most_crits,
    place,
    start_kind,
)
from engine.killteam.moves import MOST_MOVES, OPTIMAL, PARRY, STRIKE

Ranks = NDArray[np.int16]
MOST_PATHS = 64


class Paths(NamedTuple):
    """Scratch: for each kind of move met in a group, the cell a cell leads to."""

    key: Ints
    cell: NDArray[np.uint16]
    known: Ints


@compiled
def fill(
    board: Board,
    orders: Orders,
    strategy1: int,
    strategy2: int,
    ends: Ranks,
    guide1: Ranks,
    guide2: Ranks,
    self_guided: int,
    table: Ranks,
) -> None:  # pragma: no cover - machine code
    """Fill blocks as ordered with the rank of the end of the round, ``ends[level1, level2]`` when dice are out.

    Fighter 1 likes high ranks if it plays OPTIMAL, fighter 2 low ones. A look-ahead strategy takes the move whose rank
    is higher in its guide: another table, or this one for the turn ``self_guided``.
    """
    room = (board.top[0] + 1) * (board.top[1] + 1)
    paths = Paths(np.empty(MOST_PATHS, np.int64), np.empty((MOST_PATHS, room), np.uint16), np.zeros(1, np.int64))
    lanes, foes = np.empty((5, room), np.int16), np.empty((2, room), np.int16)
    d1, d2, size = -1, -1, 0
    for o in range(orders.shape[0]):
        if orders[o, DICE1] != d1 or orders[o, DICE2] != d2:
            d1, d2 = orders[o, DICE1], orders[o, DICE2]
            size = _foe_wounds(board, d1, d2, foes)
            paths.known[0] = 0
        turn, what = orders[o, TURN], orders[o, WHAT]
        strategy = strategy1 if turn == 0 else strategy2
        if what == END:
            _end(board, ends, orders[o, BLOCK], table)
        elif what == PASS:
            _copy(table, orders[o, WAYS], orders[o, BLOCK], size)
        elif strategy == OPTIMAL:
            _best_of(board, orders, o, 0, orders[o, COUNT], size, paths, table)
        elif what == OPENING:
            _best_of(board, orders, o, orders[o, USUAL], orders[o, USUAL] + 1, size, paths, table)
        else:
            guide = table if self_guided == turn else guide1 if turn == 0 else guide2
            _by_habit(board, orders, o, strategy, size, paths, lanes, foes, guide, table)


@compiled_in_place
def _foe_wounds(board: Board, d1: int, d2: int, out: Ranks) -> int:  # pragma: no cover - machine code
    """By turn and cell, the wounds of the enemy; returns how many cells a block of the group has."""
    columns, rows = lines(board, 1, d1), lines(board, 0, d2)
    for row in range(rows):
        for column in range(columns):
            out[0, row * columns + column] = board.wounds[1, level(board, 1, d1, column)]
            out[1, row * columns + column] = board.wounds[0, level(board, 0, d2, row)]
    return rows * columns


@compiled_in_place
def _end(board: Board, ends: Ranks, at: int, table: Ranks) -> None:  # pragma: no cover - machine code
    columns = lines(board, 1, 0)
    for row in range(lines(board, 0, 0)):
        for column in range(columns):
            table[at + row * columns + column] = ends[level(board, 0, 0, row), level(board, 1, 0, column)]


@compiled_in_place
def _path(board: Board, orders: Orders, o: int, k: int, paths: Paths) -> int:  # pragma: no cover - machine code
    """The number of the path that leads from each cell of a block to its cell after a move, or -1 if that is the same.

    Whoever is dead already is left alone. The blocks of a group share a few paths.
    """
    turn, d1, d2, way = orders[o, TURN], orders[o, DICE1], orders[o, DICE2], WAYS + STEP * k
    damage, there1, there2 = orders[o, way + HARM], orders[o, way + THERE1], orders[o, way + THERE2]
    stride, columns, rows = lines(board, 1, there1), lines(board, 1, d1), lines(board, 0, d2)
    if damage == 0 and stride == columns and lines(board, 0, there2) == rows:
        return -1
    key = ((damage * 64 + there1) * 64 + there2) * 2 + turn
    for number in range(paths.known[0]):
        if paths.key[number] == key:
            return number
    number = int(paths.known[0])
    paths.known[0] += 1
    paths.key[number] = key
    lost1, lost2 = (0, damage) if turn == 0 else (damage, 0)
    for row in range(rows):
        w1 = level(board, 0, d2, row)
        for column in range(columns):
            w2 = level(board, 1, d1, column)
            after1 = board.lower[0, lost1, w1] if w2 > 0 else w1
            after2 = board.lower[1, lost2, w2] if w1 > 0 else w2
            row_there = after1 - board.low[0, there2] + 1 if after1 > 0 else 0
            column_there = after2 - board.low[1, there1] + 1 if after2 > 0 else 0
            paths.cell[number, row * columns + column] = row_there * stride + column_there
    return number


@compiled_in_place
def _copy(table: Ranks, source: int, at: int, size: int) -> None:  # pragma: no cover - machine code
    start, here = np.uint64(source), np.uint64(at)
    for j in range(np.uint64(size)):
        table[here + j] = table[start + j]


@compiled_in_place
def _fetch(
    source: Ranks, at: int, path: int, paths: Paths, size: int, out: Ranks
) -> None:  # pragma: no cover - machine code
    """A block as it is after a move."""
    start, cell = np.uint64(at), paths.cell[path]
    if path < 0:
        for j in range(np.uint64(size)):
            out[j] = source[start + j]
    else:
        for j in range(np.uint64(size)):
            out[j] = source[start + np.uint64(cell[j])]


@compiled_in_place
def _best_of(
    board: Board, orders: Orders, o: int, first: int, behind: int, size: int, paths: Paths, table: Ranks
) -> None:  # pragma: no cover - machine code
    """The best rank over these moves: fighter 1 takes the highest, fighter 2 the lowest."""
    _make_room(paths)
    turn, here, cells = orders[o, TURN], np.uint64(orders[o, BLOCK]), np.uint64(size)
    for k in range(first, behind):
        path = _path(board, orders, o, k, paths)
        start, cell = np.uint64(orders[o, WAYS + STEP * k]), paths.cell[path]
        if k == first and path < 0:
            for j in range(cells):
                table[here + j] = table[start + j]
        elif k == first:
            for j in range(cells):
                table[here + j] = table[start + np.uint64(cell[j])]
        elif turn == 0 and path < 0:
            for j in range(cells):
                table[here + j] = max(table[here + j], table[start + j])
        elif turn == 0:
            for j in range(cells):
                table[here + j] = max(table[here + j], table[start + np.uint64(cell[j])])
        elif path < 0:
            for j in range(cells):
                table[here + j] = min(table[here + j], table[start + j])
        else:
            for j in range(cells):
                table[here + j] = min(table[here + j], table[start + np.uint64(cell[j])])


@compiled_in_place
def _make_room(paths: Paths) -> None:  # pragma: no cover - machine code
    """Forget the paths when the next block might not find room for its own."""
    if paths.known[0] > MOST_PATHS - MOST_MOVES:
        paths.known[0] = 0


@compiled_in_place
def _by_habit(
    board: Board,
    orders: Orders,
    o: int,
    strategy: int,
    size: int,
    paths: Paths,
    lanes: Ranks,
    foes: Ranks,
    guide: Ranks,
    table: Ranks,
) -> None:  # pragma: no cover - machine code
    """Fill a block by a named strategy; looking ahead is taking what the guide likes better, a strike among equals."""
    _make_room(paths)
    kill, then_kill, foe = np.int16(orders[o, KILL]), np.int16(orders[o, THEN_KILL]), foes[orders[o, TURN]]
    parry, last = max(0, orders[o, USUAL]), max(0, orders[o, LAST])  # where there is none, the limits prevent its use
    struck, parried, finished, if_struck, if_parried = lanes[0], lanes[1], lanes[2], lanes[3], lanes[4]
    strike_path, strike_at = _path(board, orders, o, 0, paths), orders[o, WAYS]
    parry_path, parry_at = -1, orders[o, WAYS + STEP * parry]
    here, cells = np.uint64(orders[o, BLOCK]), np.uint64(size)
    _fetch(table, strike_at, strike_path, paths, size, struck)
    if strategy != STRIKE:
        parry_path = _path(board, orders, o, parry, paths)
        _fetch(table, parry_at, parry_path, paths, size, parried)
    if then_kill > kill:
        _fetch(table, orders[o, WAYS + STEP * last], _path(board, orders, o, last, paths), paths, size, finished)
    # Values are read before they are chosen between: a read inside a condition keeps a loop from vectorising.
    if strategy in (STRIKE, PARRY):
        habitual = struck if strategy == STRIKE else parried
        for j in range(cells):
            s, p, f, w = struck[j], habitual[j], finished[j], foe[j]
            later = f if w <= then_kill else p
            table[here + j] = s if w <= kill else later
    else:
        _fetch(guide, strike_at, strike_path, paths, size, if_struck)
        _fetch(guide, parry_at, parry_path, paths, size, if_parried)
        for j in range(cells):
            s, p, f, w, gs, gp = struck[j], parried[j], finished[j], foe[j], if_struck[j], if_parried[j]
            better = s if gs >= gp else p
            later = f if w <= then_kill else better
            table[here + j] = s if w <= kill else later


# -- what a round needs of its table ---------------------------------------------------------------------------------


@compiled_in_place
def expect(
    board: Board,
    groups: Ints,
    table: Ranks,
    odds1: Array,
    odds2: Array,
    hurt1: Ints,
    hurt2: Ints,
    by_rank: Array,
    before: Array,
) -> None:  # pragma: no cover - machine code
    """Add what these groups give to the expected values at the start of a round: ``by_rank[criterion, rank]``."""
    low1, low2 = board.low[0, board.hands[1, DICE]], board.low[1, board.hands[0, DICE]]
    for g in range(groups.shape[0]):
        d1, d2 = groups[g, 0], groups[g, 1]
        columns = lines(board, 1, d1)
        for c1 in range(fewest_crits(board, 0, d1), most_crits(board, 0, d1) + 1):
            for c2 in range(fewest_crits(board, 1, d2), most_crits(board, 1, d2) + 1):
                at = place(board, start_kind(board), c1, d1, c2, d2)
                for w1 in range(low1, board.top[0]):
                    chance = odds1[hurt1[w1], c1, d1 - c1]
                    here = at + (w1 - board.low[0, d2] + 1) * columns - board.low[1, d1] + 1
                    if chance > 0.0:
                        for w2 in range(low2, board.top[1]):
                            p, rank = chance * odds2[hurt2[w2], c2, d2 - c2], table[here + w2]
                            before[0, w1, w2] += p * by_rank[0, rank]
                            before[1, w1, w2] += p * by_rank[1, rank]


@compiled
def spread(
    board: Board,
    groups: Ints,
    table: Ranks,
    odds1: Array,
    odds2: Array,
    hurt1: Ints,
    hurt2: Ints,
    mass: Array,
    after: Array,
) -> None:  # pragma: no cover - machine code
    """Add what these groups give to P(rank) after a round fought from ``mass[level1, level2]``."""
    low1, low2 = board.low[0, board.hands[1, DICE]], board.low[1, board.hands[0, DICE]]
    alive = np.argwhere(mass[low1 : board.top[0], low2 : board.top[1]] > 0.0)
    for g in range(groups.shape[0]):
        d1, d2 = groups[g, 0], groups[g, 1]
        columns = lines(board, 1, d1)
        for c1 in range(fewest_crits(board, 0, d1), most_crits(board, 0, d1) + 1):
            for c2 in range(fewest_crits(board, 1, d2), most_crits(board, 1, d2) + 1):
                at = place(board, start_kind(board), c1, d1, c2, d2)
                for i in range(alive.shape[0]):
                    w1, w2 = low1 + alive[i, 0], low2 + alive[i, 1]
                    p = mass[w1, w2] * odds1[hurt1[w1], c1, d1 - c1] * odds2[hurt2[w2], c2, d2 - c2]
                    if p > 0.0:
                        rank = table[at + (w1 - board.low[0, d2] + 1) * columns + w2 - board.low[1, d1] + 1]
                        after[rank] += p


@compiled_in_place
def transitions(
    board: Board, groups: Ints, table: Ranks, odds1: Array, odds2: Array, hurt1: Ints, hurt2: Ints, moved: Array
) -> None:  # pragma: no cover - machine code
    """Add what these groups give to moved[start, rank]: where a round leads from each pair of living levels."""
    for g in range(groups.shape[0]):
        d1, d2 = groups[g, 0], groups[g, 1]
        columns = lines(board, 1, d1)
        for c1 in range(fewest_crits(board, 0, d1), most_crits(board, 0, d1) + 1):
            for c2 in range(fewest_crits(board, 1, d2), most_crits(board, 1, d2) + 1):
                at = place(board, start_kind(board), c1, d1, c2, d2)
                for w1 in range(1, board.top[0]):
                    chance = odds1[hurt1[w1], c1, d1 - c1]
                    for w2 in range(1, board.top[1]):
                        reached = table[at + w1 * columns + w2]
                        moved[w1 * board.top[1] + w2, reached] += chance * odds2[hurt2[w2], c2, d2 - c2]

"""Where the states of a round live: which dice and wounds can occur, in what order they are met, and what moves do.

A state is (kind, dice of both, wounds of both). Its *kind* says who has done what so far and whose turn it is; a
Duelist's parry before the first strike is a kind of its own. States with the same number of dice left to either fighter
form a *group*, groups with the same number in all a *layer*. Every move uses up a die, so a layer leads only to lower
ones, at most ``depth`` below, and the groups of a layer do not depend on each other.

The wounds × wounds cells of a state are a *block*. Wounds are counted in *levels*: the numbers strikes can leave, 0
first. Of a fighter's levels a block has the dead one and those from ``low`` upwards: lower ones cannot occur while the
enemy has so many dice left. In a first round, where both start unhurt, that leaves about a ninth of all cells.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.compiled import compiled, compiled_in_place
from engine.killteam.moves import (
    CRIT_PARRY,
    DUELIST,
    DUELLER,
    FIRST,
    FOE_C,
    FOE_N,
    KIND,
    MOST_MOVES,
    MURDEROUS,
    OWN_C,
    OWN_N,
    PHASE,
    SECOND,
    SHOCK,
    STORM,
    STUN,
    Row,
    duelist_parry,
    habits,
    legal_moves,
    most_damage,
    phases,
    strikes,
)

Ints = NDArray[np.int64]
Orders = NDArray[np.int32]

CRITS, NORMS, DICE = range(3)  # columns of ``Board.hands``
AT, THERE1, THERE2 = range(3)  # columns of a way: where the block after a move begins, and the dice left there
# Columns of an order: the block, what is done there, whose turn, dice of both, how many moves, the habits of named
# strategies (see :func:`engine.killteam.moves.habits`; before the first strike only the usual parry), and then four
# columns a move: its way and the damage it does.
BLOCK, WHAT, TURN, DICE1, DICE2, COUNT, KILL, LAST, THEN_KILL, USUAL, WAYS = range(11)
HARM, STEP = 3, 4
END, PASS, MOVE, OPENING = range(4)


class Board(NamedTuple):
    """Everything the compiled loops need to find a block. ``base`` belongs to a :class:`Window`."""

    rows: Ints  # both fighters in figures
    phases: Ints
    hands: Ints  # most criticals, normals and dice of either
    top: Ints  # how many levels either has
    wounds: Ints  # wounds[fighter, level]
    lower: Ints  # lower[fighter, damage, level]: the level after losing so much
    low: Ints  # low[fighter, dice left to the enemy]: the lowest living level that matters
    base: Ints  # base[dice1, dice2]: where the cells of a group begin


# -- compiled: from a state to its cells -----------------------------------------------------------------------------


@compiled_in_place
def fewest_crits(board: Board, who: int, dice: int) -> int:  # pragma: no cover - machine code
    return int(max(0, dice - board.hands[who, NORMS]))


@compiled_in_place
def most_crits(board: Board, who: int, dice: int) -> int:  # pragma: no cover - machine code
    return int(min(dice, board.hands[who, CRITS]))


@compiled_in_place
def lines(board: Board, who: int, foe_dice: int) -> int:  # pragma: no cover - machine code
    """Rows (fighter 1) or columns (fighter 2) of a block: the dead level and all from ``low``."""
    return int(1 + board.top[who] - board.low[who, foe_dice])


@compiled_in_place
def level(board: Board, who: int, foe_dice: int, line: int) -> int:  # pragma: no cover - machine code
    return int(board.low[who, foe_dice] + line - 1) if line > 0 else 0


@compiled_in_place
def kind_of(board: Board, phase1: int, phase2: int, turn: int) -> int:  # pragma: no cover - machine code
    return int((phase1 * board.phases[1] + phase2) * 2 + turn)


@compiled_in_place
def opening_kind(board: Board, turn: int) -> int:  # pragma: no cover - machine code
    """The kind in which a Duelist may parry before the first strike: fighter 1 first, then fighter 2."""
    kinds = board.phases[0] * board.phases[1] * 2
    return int(kinds + board.rows[1, DUELIST]) if turn == 0 else int(kinds)


@compiled_in_place
def after_opening(board: Board, turn: int) -> int:  # pragma: no cover - machine code
    return opening_kind(board, 1) if turn == 0 and board.rows[1, DUELIST] else 0


@compiled_in_place
def start_kind(board: Board) -> int:  # pragma: no cover - machine code
    """The kind every round starts in."""
    if board.rows[0, DUELIST]:
        return opening_kind(board, 0)
    return opening_kind(board, 1) if board.rows[1, DUELIST] else 0


@compiled_in_place
def place(board: Board, kind: int, c1: int, d1: int, c2: int, d2: int) -> int:  # pragma: no cover - machine code
    """Where the block of a state begins."""
    f1, f2 = fewest_crits(board, 0, d1), fewest_crits(board, 1, d2)
    h1, h2 = most_crits(board, 0, d1) - f1 + 1, most_crits(board, 1, d2) - f2 + 1
    block = (kind * h1 + c1 - f1) * h2 + c2 - f2
    return int(board.base[d1, d2] + block * lines(board, 0, d2) * lines(board, 1, d1))


@compiled_in_place
def _lead(
    board: Board, kind: int, turn: int, own_c: int, own_n: int, foe_c: int, foe_n: int, ways: Ints, k: int
) -> None:  # pragma: no cover - machine code
    c1, n1, c2, n2 = (own_c, own_n, foe_c, foe_n) if turn == 0 else (foe_c, foe_n, own_c, own_n)
    ways[k, AT], ways[k, THERE1], ways[k, THERE2] = place(board, kind, c1, c1 + n1, c2, c2 + n2), c1 + n1, c2 + n2


@compiled_in_place
def ways_from(
    board: Board, turn: int, phase1: int, phase2: int, c1: int, d1: int, c2: int, d2: int, moves: Row, ways: Ints
) -> int:  # pragma: no cover - machine code
    """The mover's moves at a state and where each leads; returns how many."""
    me, foe = board.rows[turn], board.rows[1 - turn]
    c, n, ec, en = (c1, d1 - c1, c2, d2 - c2) if turn == 0 else (c2, d2 - c2, c1, d1 - c1)
    count = legal_moves(c, n, ec, en, phase1 if turn == 0 else phase2, me, foe, moves)
    for k in range(count):
        after1, after2 = (moves[k, PHASE], phase2) if turn == 0 else (phase1, moves[k, PHASE])
        kind = kind_of(board, after1, after2, 1 - turn)
        _lead(board, kind, turn, moves[k, OWN_C], moves[k, OWN_N], moves[k, FOE_C], moves[k, FOE_N], ways, k)
    return count


@compiled_in_place
def openings_from(
    board: Board, turn: int, c1: int, d1: int, c2: int, d2: int, moves: Row, ways: Ints
) -> tuple[int, int]:  # pragma: no cover - machine code
    """A Duelist's ways before the first strike: to do nothing, and each parry. Returns how many, and the usual one."""
    me, foe, kind = board.rows[turn], board.rows[1 - turn], after_opening(board, turn)
    c, n, ec, en = (c1, d1 - c1, c2, d2 - c2) if turn == 0 else (c2, d2 - c2, c1, d1 - c1)
    _lead(board, kind, turn, c, n, ec, en, ways, 0)
    if d1 == 0 or d2 == 0:
        return 1, 0
    count, usual = 1, 0
    legal = legal_moves(c, n, ec, en, 0, me, foe, moves)
    habit = duelist_parry(c, n, ec, foe, moves, legal)
    for k in range(legal):
        if moves[k, KIND] >= CRIT_PARRY:
            _lead(board, kind, turn, moves[k, OWN_C], moves[k, OWN_N], moves[k, FOE_C], moves[k, FOE_N], ways, count)
            usual = count if k == habit else usual
            count += 1
    return count, usual


@compiled_in_place
def damage_of(moves: Row, k: int) -> int:  # pragma: no cover - machine code
    """What a move takes off the enemy, before Feel No Pain."""
    return int(max(0, moves[k, FIRST]) + max(0, moves[k, SECOND]))


@compiled
def orders_for(board: Board, groups: Ints) -> Orders:  # pragma: no cover - machine code
    """What is to be done at each block of these groups, in an order in which only known blocks are needed.

    It depends on dice and abilities alone, so that all tables and rounds on a board can share it.
    """
    kinds, blocks = board.phases[0] * board.phases[1] * 2 + board.rows[:, DUELIST].sum(), 0
    for g in range(groups.shape[0]):
        d1, d2 = groups[g, 0], groups[g, 1]
        h1 = most_crits(board, 0, d1) - fewest_crits(board, 0, d1) + 1
        blocks += kinds * h1 * (most_crits(board, 1, d2) - fewest_crits(board, 1, d2) + 1)
    orders = np.zeros((blocks, WAYS + STEP * MOST_MOVES), np.int32)
    moves, ways = np.empty((MOST_MOVES, 8), np.int64), np.empty((MOST_MOVES, 3), np.int64)
    at = 0
    for g in range(groups.shape[0]):
        d1, d2 = groups[g, 0], groups[g, 1]
        for c1 in range(fewest_crits(board, 0, d1), most_crits(board, 0, d1) + 1):
            for c2 in range(fewest_crits(board, 1, d2), most_crits(board, 1, d2) + 1):
                for phase1 in range(board.phases[0]):
                    for phase2 in range(board.phases[1]):
                        for step in range(2):
                            turn = step if d1 > 0 else 1 - step  # who has no dice passes, to a block that is known
                            kind, order = kind_of(board, phase1, phase2, turn), orders[at]
                            order[BLOCK] = place(board, kind, c1, d1, c2, d2)
                            order[TURN], order[DICE1], order[DICE2] = turn, d1, d2
                            at += 1
                            if d1 + d2 == 0:
                                order[WHAT] = END
                            elif (d1 if turn == 0 else d2) == 0:
                                order[WHAT] = PASS
                                order[WAYS] = place(board, kind_of(board, phase1, phase2, 1 - turn), c1, d1, c2, d2)
                            else:
                                order[WHAT] = MOVE
                                count = ways_from(board, turn, phase1, phase2, c1, d1, c2, d2, moves, ways)
                                c, n, ec, en = (c1, d1 - c1, c2, d2 - c2) if turn == 0 else (c2, d2 - c2, c1, d1 - c1)
                                phase = phase1 if turn == 0 else phase2
                                me, foe = board.rows[turn], board.rows[1 - turn]
                                habit = habits(c, n, ec, en, phase, me, foe, moves, count)
                                order[KILL], order[LAST], order[THEN_KILL], order[USUAL] = habit
                                _write_ways(moves, ways, count, order)
                for turn in (1, 0):
                    if board.rows[turn, DUELIST]:
                        order = orders[at]
                        at += 1
                        order[BLOCK] = place(board, opening_kind(board, turn), c1, d1, c2, d2)
                        order[WHAT], order[TURN], order[DICE1], order[DICE2] = OPENING, turn, d1, d2
                        count, order[USUAL] = openings_from(board, turn, c1, d1, c2, d2, moves, ways)
                        moves[:count] = -1
                        _write_ways(moves, ways, count, order)
    return orders


@compiled_in_place
def _write_ways(moves: Row, ways: Ints, count: int, order: Orders) -> None:  # pragma: no cover - machine code
    order[COUNT] = count
    for k in range(count):
        first = WAYS + STEP * k
        order[first + AT], order[first + THERE1], order[first + THERE2] = ways[k, AT], ways[k, THERE1], ways[k, THERE2]
        order[first + HARM] = damage_of(moves, k)


# -- plain Python: laying a board out --------------------------------------------------------------------------------


class Window(NamedTuple):
    """A board with room for its tables. ``stages`` are the groups to fill together, each in parts for the cores."""

    board: Board
    stages: list[list[Ints]]
    stage_cells: list[int]
    room: int  # cells a table has to hold at once
    cells: int  # cells that are filled in all


def levels_of(wounds: int, striker: Row, strikes_at_most: int) -> Ints:
    """The numbers of wounds that so many strikes can leave, 0 first."""
    reached, newly = {wounds}, {wounds}
    for _ in range(strikes_at_most):
        newly = {max(0, now - damage) for now in newly for damage in strikes(striker)} - reached
        if not newly:
            break
        reached |= newly
    return np.array(sorted(reached | {0}), np.int64)


def new_board(rows: tuple[Row, Row], hands: Ints, levels: tuple[Ints, Ints]) -> Board:
    """A board without wounds to start from and without room yet: see :func:`starting` and :func:`windowed`."""
    size = max(most_damage(row) for row in rows) + 1
    most = max(each.size for each in levels)
    wounds, lower = np.zeros((2, most), np.int64), np.zeros((2, size, most), np.int64)
    for who, own in enumerate(levels):
        wounds[who, : own.size] = own
        number = np.zeros(own[-1] + 1, np.int64)
        number[own] = np.arange(own.size)
        # Where no strike does so, the level does not occur and any serves.
        lower[who, :, : own.size] = number[np.maximum(0, own[None, :] - np.arange(size)[:, None])]
    none = np.zeros((1, 1), np.int64)
    return Board(
        np.stack(rows),
        np.array([phases(row) for row in rows]),
        hands,
        np.array([each.size for each in levels]),
        wounds,
        lower,
        none,
        none,
    )


def starting(board: Board, lowest: tuple[int, int]) -> Board:
    """The board of a round at whose start nobody who lives is below these levels."""
    low = np.ones((2, int(board.hands[:, DICE].max()) + 1), np.int64)
    for who in (0, 1):
        now, hardest = lowest[who], max(strikes(board.rows[1 - who]))
        for dice in range(int(board.hands[1 - who, DICE]), -1, -1):
            low[who, dice] = now
            left = max(1, int(board.wounds[who, now]) - hardest)
            now = int(np.searchsorted(board.wounds[who, : board.top[who]], left))
    return board._replace(low=low)


def started(board: Board) -> tuple[tuple[int, int], tuple[int, int]]:
    """The lowest living level and the number of levels of either fighter at the start of the round."""
    one, two = (int(board.low[who, board.hands[1 - who, DICE]]) for who in (0, 1))
    return (one, int(board.top[0])), (two, int(board.top[1]))


def split(board: Board, parts: int) -> Iterator[Board]:
    """The same round from fewer wounds at a time: boards for parts × parts ranges of levels to start from.

    The first is the largest.
    """
    ranges = []
    for low, top in started(board):
        bounds = np.unique(np.linspace(low, top, parts + 1).astype(np.int64)).tolist()
        ranges.append(list(itertools.pairwise(bounds))[::-1])
    for (low1, above1), (low2, above2) in itertools.product(*ranges):
        yield starting(board._replace(top=np.array([above1, above2])), (low1, low2))


def lowest_after(board: Board) -> tuple[int, int]:
    """The lowest living levels when the round is over."""
    return int(board.low[0, 0]), int(board.low[1, 0])


def depth(board: Board) -> int:
    """More dice than this no single move uses up."""
    deepest = 0
    for row in board.rows:
        parry = 1 + (2 if row[STORM] or row[DUELLER] else 1)
        strike = 1 + int(row[STUN] + row[SHOCK] + row[MURDEROUS])
        deepest = max(deepest, parry, strike)
    return deepest


def group_cells(board: Board) -> Ints:
    """How many cells each group has, by dice left to either."""
    across = []
    for who in (0, 1):
        dice = np.arange(board.hands[who, DICE] + 1)
        hands = np.minimum(dice, board.hands[who, CRITS]) - np.maximum(0, dice - board.hands[who, NORMS]) + 1
        across.append(hands * (1 + board.top[1 - who] - board.low[1 - who, : dice.size]))
    kinds = int(board.phases.prod()) * 2 + int(board.rows[:, DUELIST].sum())
    cells: Ints = kinds * np.outer(*across)
    return cells


def windowed(board: Board, *, whole: int, cores: int) -> Window:
    """Room for all layers if that takes no more than ``whole`` cells, else for as many as moves reach back to."""
    sizes = group_cells(board)
    layer = np.add.outer(*map(np.arange, sizes.shape))
    order = np.argsort(layer, axis=None, kind="stable")
    groups = np.stack(np.unravel_index(order, sizes.shape), axis=1)
    in_order, of_layer = sizes.ravel()[order], layer.ravel()[order]
    begins = np.cumsum(in_order) - in_order
    base = np.empty_like(sizes)
    total = int(sizes.sum())
    if total <= whole:
        base[groups[:, 0], groups[:, 1]] = begins
        return Window(board._replace(base=base), [[groups]], [total], total, total)
    first = np.searchsorted(of_layer, np.arange(of_layer[-1] + 2))
    bounds = list(itertools.pairwise(first))
    stage_cells = [int(in_order[a:b].sum()) for a, b in bounds]
    largest = max(stage_cells)
    kept = min(depth(board) + 1, first.size - 1)
    base[groups[:, 0], groups[:, 1]] = begins - begins[first[of_layer]] + of_layer % kept * largest
    stages = [_parts(groups[a:b], in_order[a:b], cores) for a, b in bounds]
    return Window(board._replace(base=base), stages, stage_cells, kept * largest, total)


WORTH_SHARING = 300_000  # cells of a layer that are worth a second thread


def _parts(groups: Ints, sizes: Ints, cores: int) -> list[Ints]:
    """Split the groups of a layer into parts of about the same size."""
    if cores < 2 or sizes.sum() < WORTH_SHARING:
        return [groups]
    parts: list[list[int]] = [[] for _ in range(cores)]
    load = [0] * cores
    for at in np.argsort(-sizes, kind="stable"):
        least = load.index(min(load))
        parts[least].append(int(at))
        load[least] += int(sizes[at])
    return [groups[part] for part in parts if part]

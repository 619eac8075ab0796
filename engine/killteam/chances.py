"""A round with Feel No Pain: a strike branches, so a cell holds expectations, and choices are written down.

Backwards, the expectations of one or both criteria need only the layers that moves reach back to; the choices, a byte
each, are kept whole. Forwards, probability is carried along the choices from many dice to few. Expectations are doubles
compared at ``EPSILON``; a row of wounds is handled at a time, one shifted sum for each number of wounds lost.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.compiled import compiled, compiled_in_place
from engine.dice.pmf import Array
from engine.killteam.board import (
    AT,
    DICE,
    THERE1,
    THERE2,
    Board,
    Ints,
    fewest_crits,
    kind_of,
    level,
    lines,
    most_crits,
    opening_kind,
    openings_from,
    place,
    start_kind,
    ways_from,
)
from engine.killteam.moves import DUELIST, FIRST, FOLLOW, MOST_MOVES, OPTIMAL, PARRY, SECOND, STRIKE, Row, habits

Choices = NDArray[np.uint8]

EPSILON = 1e-12


@compiled_in_place
def loss_of(moves: Row, k: int, loss: Array, out: Array) -> int:  # pragma: no cover - machine code
    """Spread of wounds lost to a move (two strikes add up); returns one more than the most."""
    first, second = moves[k, FIRST], moves[k, SECOND]
    out[:] = 0.0
    if first < 0:
        out[0] = 1.0
        return 1
    if second < 0:
        for lost in range(first + 1):
            out[lost] = loss[first, lost]
        return int(first) + 1
    for a in range(first + 1):
        for b in range(second + 1):
            out[a + b] += loss[first, a] * loss[second, b]
    return int(first + second) + 1


@compiled
def fill(
    board: Board,
    kept: Board,
    groups: Ints,
    strategy1: int,
    strategy2: int,
    loss1: Array,
    loss2: Array,
    ends: Array,
    values: Array,
    choices: Choices,
    record: int,
) -> None:  # pragma: no cover - machine code
    """Fill the blocks of these groups with expected criteria, ``ends[criterion, level1, level2]`` when dice are out.

    ``kept`` says where choices live; those of the turns in the bits of ``record`` are written down. Under OPTIMAL the
    criteria are fighter 1's, and there are two; a look-ahead strategy takes the first one as its own. Without any
    criterion only the choices of habit are made.
    """
    moves, ways = np.empty((MOST_MOVES, 8), np.int64), np.empty((MOST_MOVES, 3), np.int64)
    columns = board.wounds.shape[1] + 1
    after, chosen = np.empty((2, MOST_MOVES + 1, columns)), np.empty(columns, np.uint8)
    lengths, spreads = np.empty(MOST_MOVES, np.int64), np.empty((MOST_MOVES, 2 * loss1.shape[0]))
    used = np.empty(MOST_MOVES, np.bool_)
    for g in range(groups.shape[0]):
        d1, d2 = groups[g, 0], groups[g, 1]
        size = lines(board, 0, d2) * lines(board, 1, d1)
        for c1 in range(fewest_crits(board, 0, d1), most_crits(board, 0, d1) + 1):
            for c2 in range(fewest_crits(board, 1, d2), most_crits(board, 1, d2) + 1):
                for phase1 in range(board.phases[0]):
                    for phase2 in range(board.phases[1]):
                        for step in range(2):
                            turn = step if d1 > 0 else 1 - step  # who has no dice passes, to a block that is known
                            kind = kind_of(board, phase1, phase2, turn)
                            at = place(board, kind, c1, d1, c2, d2)
                            if d1 + d2 == 0:
                                _end(board, ends, at, values)
                                continue
                            if (d1 if turn == 0 else d2) == 0:
                                other = place(board, kind_of(board, phase1, phase2, 1 - turn), c1, d1, c2, d2)
                                values[:, at : at + size] = values[:, other : other + size]
                                continue
                            count = ways_from(board, turn, phase1, phase2, c1, d1, c2, d2, moves, ways)
                            strategy = strategy1 if turn == 0 else strategy2
                            me, foe = board.rows[turn], board.rows[1 - turn]
                            c, n, ec, en = (c1, d1 - c1, c2, d2 - c2) if turn == 0 else (c2, d2 - c2, c1, d1 - c1)
                            phase = phase1 if turn == 0 else phase2
                            habit = habits(c, n, ec, en, phase, me, foe, moves, count)
                            for k in range(count):
                                used[k] = strategy == OPTIMAL or k in (0, habit[1], habit[3])
                                lengths[k] = loss_of(moves, k, loss1 if turn == 0 else loss2, spreads[k])
                            _fill_block(
                                board,
                                turn,
                                d1,
                                d2,
                                strategy,
                                habit,
                                ways,
                                count,
                                used,
                                lengths,
                                spreads,
                                at,
                                place(kept, kind, c1, d1, c2, d2),
                                ends,
                                after,
                                chosen,
                                values,
                                choices,
                                record >> turn & 1,
                            )
                for turn in (1, 0):
                    if board.rows[turn, DUELIST]:
                        count, usual = openings_from(board, turn, c1, d1, c2, d2, moves, ways)
                        strategy = OPTIMAL if (strategy1 if turn == 0 else strategy2) == OPTIMAL else PARRY
                        lengths[:], spreads[:, 0], used[:] = 1, 1.0, strategy == OPTIMAL
                        used[usual] = True
                        kind = opening_kind(board, turn)
                        _fill_block(
                            board,
                            turn,
                            d1,
                            d2,
                            strategy,
                            (-1, -1, -1, usual),
                            ways,
                            count,
                            used,
                            lengths,
                            spreads,
                            place(board, kind, c1, d1, c2, d2),
                            place(kept, kind, c1, d1, c2, d2),
                            ends,
                            after,
                            chosen,
                            values,
                            choices,
                            record >> turn & 1,
                        )


@compiled_in_place
def _end(board: Board, ends: Array, at: int, values: Array) -> None:  # pragma: no cover - machine code
    columns = lines(board, 1, 0)
    for criterion in range(values.shape[0]):
        for row in range(lines(board, 0, 0)):
            for column in range(columns):
                end = ends[criterion, level(board, 0, 0, row), level(board, 1, 0, column)]
                values[criterion, at + row * columns + column] = end


@compiled_in_place
def _fill_block(
    board: Board,
    turn: int,
    d1: int,
    d2: int,
    strategy: int,
    habit: tuple[int, int, int, int],
    ways: Ints,
    count: int,
    used: NDArray[np.bool_],
    lengths: Ints,
    spreads: Array,
    at: int,
    kept_at: int,
    ends: Array,
    after: Array,
    chosen: Choices,
    values: Array,
    choices: Choices,
    record: int,
) -> None:  # pragma: no cover - machine code
    rows, columns, criteria = lines(board, 0, d2), lines(board, 1, d1), values.shape[0]
    for criterion in range(criteria):  # whoever is dead stays so
        for column in range(columns):
            values[criterion, at + column] = ends[criterion, 0, level(board, 1, d1, column)]
        for row in range(1, rows):
            values[criterion, at + row * columns] = ends[criterion, level(board, 0, d2, row), 0]
    for row in range(1, rows):
        for k in range(count):
            if used[k]:
                for criterion in range(criteria):
                    _averaged(board, turn, d1, d2, row, ways, k, lengths, spreads, values, criterion, after)
        here = kept_at + row * columns
        if strategy == OPTIMAL:
            _choose_best(turn, count, columns, after, chosen)
        elif strategy == FOLLOW:
            for column in range(1, columns):
                chosen[column] = choices[here + column]
        else:
            _choose_by_habit(board, turn, d1, d2, row, columns, strategy, habit, after[0], chosen)
        if record:
            for column in range(1, columns):
                choices[here + column] = chosen[column]
        for criterion in range(criteria):
            for column in range(1, columns):
                values[criterion, at + row * columns + column] = after[criterion, chosen[column], column]


@compiled_in_place
def _averaged(
    board: Board,
    turn: int,
    d1: int,
    d2: int,
    row: int,
    ways: Ints,
    k: int,
    lengths: Ints,
    spreads: Array,
    values: Array,
    criterion: int,
    after: Array,
) -> None:  # pragma: no cover - machine code
    """Expected values of a row of a block after a move. Unsigned indices, so that the loops are vectorised."""
    there1, there2 = ways[k, THERE1], ways[k, THERE2]
    columns, stride = np.uint64(lines(board, 1, d1)), lines(board, 1, there1)
    low, shift = board.low[1, d1], board.low[1, d1] - board.low[1, there1]
    own, below = level(board, 0, d2, row), board.low[0, there2] - 1
    q, move = np.uint64(criterion), np.uint64(k)
    for column in range(columns):
        after[q, move, column] = 0.0
    for lost in range(lengths[k]):
        p = spreads[k, lost]
        if p == 0.0:
            continue
        left = own if turn == 0 else max(0, own - lost)
        start = ways[k, AT] + (left - below) * stride if left > 0 else ways[k, AT]
        living = np.uint64(max(1, lost - low + 2)) if turn == 0 else np.uint64(1)  # the first column that survives
        for column in range(np.uint64(1), min(living, columns)):
            after[q, move, column] += p * values[q, start]
        source = np.uint64(start + shift - (lost if turn == 0 else 0))
        for column in range(living, columns):
            after[q, move, column] += p * values[q, source + column]


@compiled_in_place
def _choose_best(
    turn: int, count: int, columns: int, after: Array, chosen: Choices
) -> None:  # pragma: no cover - machine code
    """First criterion first, the second among equals, the earlier move among equals; ``after[:, -1]`` is scratch."""
    sign = 1.0 if turn == 0 else -1.0
    best = after.shape[1] - 1
    chosen[:columns] = 0
    for column in range(columns):
        after[0, best, column], after[1, best, column] = after[0, 0, column], after[1, 0, column]
    for k in range(1, count):
        for column in range(1, columns):
            x, y = after[0, k, column], after[1, k, column]
            gain, second = sign * (x - after[0, best, column]), sign * (y - after[1, best, column])
            better = (gain > EPSILON) | ((gain > -EPSILON) & (second > EPSILON))
            after[0, best, column] = x if better else after[0, best, column]
            after[1, best, column] = y if better else after[1, best, column]
            chosen[column] = k if better else chosen[column]


@compiled_in_place
def _choose_by_habit(
    board: Board,
    turn: int,
    d1: int,
    d2: int,
    row: int,
    columns: int,
    strategy: int,
    habit: tuple[int, int, int, int],
    after: Array,
    chosen: Choices,
) -> None:  # pragma: no cover - machine code
    """The moves of a named strategy against enemies with these wounds, given the value of each move."""
    kill, last, then_kill, parry = habit
    own = board.wounds[0, level(board, 0, d2, row)]
    for column in range(1, columns):
        foe = board.wounds[1, level(board, 1, d1, column)] if turn == 0 else own
        if foe <= kill or (strategy == STRIKE and foe > then_kill):
            chosen[column] = 0
        elif foe <= then_kill:
            chosen[column] = last
        elif strategy == PARRY:
            chosen[column] = parry
        else:
            chosen[column] = 0 if after[0, column] >= after[parry, column] - EPSILON else parry


@compiled_in_place
def expect(
    board: Board, groups: Ints, values: Array, odds1: Array, odds2: Array, hurt1: Ints, hurt2: Ints, before: Array
) -> None:  # pragma: no cover - machine code
    """Add what these groups give to the expected criteria at the start of a round."""
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
                    for w2 in range(low2, board.top[1]):
                        p = chance * odds2[hurt2[w2], c2, d2 - c2]
                        for criterion in range(values.shape[0]):
                            before[criterion, w1, w2] += p * values[criterion, here + w2]


# -- forwards --------------------------------------------------------------------------------------------------------


@compiled
def carry(
    board: Board,
    kept: Board,
    groups: Ints,
    loss1: Array,
    loss2: Array,
    choices: Choices,
    odds1: Array,
    odds2: Array,
    hurt1: Ints,
    hurt2: Ints,
    start: Array,
    mass: Array,
    end: Array,
) -> None:  # pragma: no cover - machine code
    """Start rounds in these groups from ``start[level1, level2]`` and carry what is there along the choices.

    Groups come from many dice to few. ``mass`` is left empty behind, ``end`` gathers what is over.
    """
    moves, ways = np.empty((MOST_MOVES, 8), np.int64), np.empty((MOST_MOVES, 3), np.int64)
    lengths, spreads = np.ones(MOST_MOVES, np.int64), np.zeros((MOST_MOVES, 2 * loss1.shape[0]))
    part = np.empty(board.wounds.shape[1] + 1)
    for g in range(groups.shape[0]):
        d1, d2 = groups[g, 0], groups[g, 1]
        size = lines(board, 0, d2) * lines(board, 1, d1)
        for c1 in range(fewest_crits(board, 0, d1), most_crits(board, 0, d1) + 1):
            for c2 in range(fewest_crits(board, 1, d2), most_crits(board, 1, d2) + 1):
                _begin(board, c1, d1, c2, d2, odds1, odds2, hurt1, hurt2, start, mass)
                for turn in (0, 1):
                    if board.rows[turn, DUELIST]:
                        kind = opening_kind(board, turn)
                        count, _ = openings_from(board, turn, c1, d1, c2, d2, moves, ways)
                        lengths[:], spreads[:, 0] = 1, 1.0
                        _carry_block(
                            board,
                            turn,
                            d1,
                            d2,
                            ways,
                            count,
                            lengths,
                            spreads,
                            place(board, kind, c1, d1, c2, d2),
                            place(kept, kind, c1, d1, c2, d2),
                            choices,
                            part,
                            mass,
                            end,
                        )
                for phase1 in range(board.phases[0]):
                    for phase2 in range(board.phases[1]):
                        for step in range(2):
                            turn = step if d1 == 0 else 1 - step  # who has no dice passes, to a block still to come
                            kind = kind_of(board, phase1, phase2, turn)
                            at = place(board, kind, c1, d1, c2, d2)
                            if d1 + d2 == 0:
                                _finish(board, at, mass, end)
                                continue
                            if (d1 if turn == 0 else d2) == 0:
                                other = place(board, kind_of(board, phase1, phase2, 1 - turn), c1, d1, c2, d2)
                                mass[other : other + size] += mass[at : at + size]
                                mass[at : at + size] = 0.0
                                continue
                            count = ways_from(board, turn, phase1, phase2, c1, d1, c2, d2, moves, ways)
                            for k in range(count):
                                lengths[k] = loss_of(moves, k, loss1 if turn == 0 else loss2, spreads[k])
                            _carry_block(
                                board,
                                turn,
                                d1,
                                d2,
                                ways,
                                count,
                                lengths,
                                spreads,
                                at,
                                place(kept, kind, c1, d1, c2, d2),
                                choices,
                                part,
                                mass,
                                end,
                            )


@compiled_in_place
def _begin(
    board: Board,
    c1: int,
    d1: int,
    c2: int,
    d2: int,
    odds1: Array,
    odds2: Array,
    hurt1: Ints,
    hurt2: Ints,
    start: Array,
    mass: Array,
) -> None:  # pragma: no cover - machine code
    """Put P(wounds) × P(these dice) into the block in which rounds start."""
    at, columns = place(board, start_kind(board), c1, d1, c2, d2), lines(board, 1, d1)
    low1, low2 = board.low[0, board.hands[1, DICE]], board.low[1, board.hands[0, DICE]]
    for w1 in range(low1, board.top[0]):
        chance = odds1[hurt1[w1], c1, d1 - c1]
        here = at + (w1 - board.low[0, d2] + 1) * columns - board.low[1, d1] + 1
        if chance > 0.0:
            for w2 in range(low2, board.top[1]):
                mass[here + w2] += start[w1, w2] * chance * odds2[hurt2[w2], c2, d2 - c2]


@compiled_in_place
def _finish(board: Board, at: int, mass: Array, end: Array) -> None:  # pragma: no cover - machine code
    columns = lines(board, 1, 0)
    for row in range(lines(board, 0, 0)):
        for column in range(columns):
            end[level(board, 0, 0, row), level(board, 1, 0, column)] += mass[at + row * columns + column]
            mass[at + row * columns + column] = 0.0


@compiled_in_place
def _carry_block(
    board: Board,
    turn: int,
    d1: int,
    d2: int,
    ways: Ints,
    count: int,
    lengths: Ints,
    spreads: Array,
    at: int,
    kept_at: int,
    choices: Choices,
    part: Array,
    mass: Array,
    end: Array,
) -> None:  # pragma: no cover - machine code
    columns = lines(board, 1, d1)
    low, below = board.low[1, d1], board.low[0, d2] - 1
    for row in range(lines(board, 0, d2)):
        own, here, kept_here = level(board, 0, d2, row), at + row * columns, kept_at + row * columns
        there = 0.0
        for column in range(columns):
            there += mass[here + column]
        if there == 0.0:
            continue
        first = 1 if row > 0 else columns  # the dead of this row and column are over
        for column in range(first):
            end[own, level(board, 1, d1, column)] += mass[here + column]
        for k in range(count):
            going = False
            for column in range(first, columns):
                p = mass[here + column] if choices[kept_here + column] == k else 0.0
                part[column] = p
                going |= p > 0.0
            if not going:
                continue
            stride = lines(board, 1, ways[k, THERE1])
            shift, down = low - board.low[1, ways[k, THERE1]], board.low[0, ways[k, THERE2]] - 1
            for lost in range(lengths[k]):
                q = spreads[k, lost]
                if q == 0.0:
                    continue
                left = own if turn == 0 else max(0, below + row - lost)
                begins = ways[k, AT] + (left - down) * stride if left > 0 else ways[k, AT]
                living = min(columns, max(1, lost - low + 2)) if turn == 0 else 1
                for column in range(first, living):
                    mass[begins] += q * part[column]
                source = np.uint64(begins + shift + living - (lost if turn == 0 else 0))
                start = np.uint64(living)
                for i in range(np.uint64(columns - living)):
                    mass[source + i] += q * part[start + i]
        for column in range(columns):
            mass[here + column] = 0.0

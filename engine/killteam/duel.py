"""One round of a fight as a game: tables over every state, shared by all dice that may be rolled.

A state is (phases, whose turn, dice of both, wounds of both). Every move uses up a die, so filling the table from few
dice to many (and from late phases to early ones) meets only states that are already known. Two kinds of table:

* Without Feel No Pain a state leads to one certain end of the round, so a cell is a 16-bit number: the *rank* of that
  end. Minimax is then a running maximum and minimum of small integers, and only wounds that strikes can leave have a
  cell.
* With Feel No Pain a strike branches, so a cell holds two expectations (first and second criterion), the choice made
  there is written down, and a forward sweep carries probability through the choices.

Time and memory are proportional to phases × 2 × dice₁ × dice₂ × wounds₁ × wounds₂, where dice_i counts (criticals,
normals). Ranks are exact; expectations are doubles compared at ``EPSILON``.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.compiled import compiled
from engine.dice.pmf import Array
from engine.killteam.moves import (
    CRIT_PARRY,
    DUELIST,
    FIRST,
    FOE_C,
    FOE_N,
    FOLLOW,
    KIND,
    MEMORY,
    MOST_MOVES,
    OPTIMAL,
    OWN_C,
    OWN_N,
    PARRY,
    PHASE,
    SECOND,
    STRIKE,
    Row,
    duelist_parry,
    habits,
    legal_moves,
)

Ranks = NDArray[np.int16]
Choices = NDArray[np.uint8]
Drops = NDArray[np.uint16]

EPSILON = 1e-12


@compiled
def pair(c: int, n: int) -> int:  # pragma: no cover - machine code
    """(criticals, normals) as one number, fewer dice first."""
    total = c + n
    return total * (total + 1) // 2 + c


@compiled
def pairs(dice: int) -> NDArray[np.int64]:  # pragma: no cover - machine code
    """The (criticals, normals) behind each number."""
    out = np.empty(((dice + 1) * (dice + 2) // 2, 2), np.int64)
    for total in range(dice + 1):
        for c in range(total + 1):
            out[pair(c, total - c)] = c, total - c
    return out


@compiled
def phase_count(row: Row) -> int:  # pragma: no cover - machine code
    return (1, 2, 2, 3)[row[MEMORY]]


@compiled
def block_of(
    phase1: int, phase2: int, turn: int, i1: int, i2: int, phases2: int, size1: int, size2: int
) -> int:  # pragma: no cover - machine code
    """Where the wounds × wounds cells of a state live. The start of a round is block ``i1 * size2 + i2``."""
    return (((phase1 * phases2 + phase2) * 2 + turn) * size1 + i1) * size2 + i2


# Columns of a schedule: the state's block, the block after passing, whose turn, both phases, dice of mover and foe.
BLOCK, PASSED, TURN, PHASE1, PHASE2, MY_C, MY_N, HIS_C, HIS_N = range(9)


@compiled
def schedule(row1: Row, row2: Row, dice1: int, dice2: int) -> Row:  # pragma: no cover - machine code
    """All states in an order in which every move leads backwards; a fighter without dice passes to the row before."""
    hands1, hands2 = pairs(dice1), pairs(dice2)
    size1, size2 = hands1.shape[0], hands2.shape[0]
    phases1, phases2 = phase_count(row1), phase_count(row2)
    plan = np.empty((phases1 * phases2 * 2 * size1 * size2, 9), np.int64)
    at = 0
    for p1 in range(phases1 - 1, -1, -1):
        for p2 in range(phases2 - 1, -1, -1):
            for i1 in range(size1):
                for i2 in range(size2):
                    for step in range(2):
                        turn = step if i1 > 0 else 1 - step
                        (c, n), (ec, en) = (hands1[i1], hands2[i2]) if turn == 0 else (hands2[i2], hands1[i1])
                        plan[at, BLOCK] = block_of(p1, p2, turn, i1, i2, phases2, size1, size2)
                        plan[at, PASSED] = block_of(p1, p2, 1 - turn, i1, i2, phases2, size1, size2)
                        plan[at, TURN], plan[at, PHASE1], plan[at, PHASE2] = turn, p1, p2
                        plan[at, MY_C], plan[at, MY_N], plan[at, HIS_C], plan[at, HIS_N] = c, n, ec, en
                        at += 1
    return plan


@compiled
def options_at(
    state: Row, row1: Row, row2: Row, sizes: Row, moves: Row, child: Row
) -> int:  # pragma: no cover - machine code
    """The mover's moves at a state and the block each leads to; returns how many."""
    turn = state[TURN]
    me, foe, phase = (row1, row2, state[PHASE1]) if turn == 0 else (row2, row1, state[PHASE2])
    count = legal_moves(state[MY_C], state[MY_N], state[HIS_C], state[HIS_N], phase, me, foe, moves)
    phases2, size1, size2 = phase_count(row2), sizes[0], sizes[1]
    for k in range(count):
        own, other = pair(moves[k, OWN_C], moves[k, OWN_N]), pair(moves[k, FOE_C], moves[k, FOE_N])
        if turn == 0:
            child[k] = block_of(moves[k, PHASE], state[PHASE2], 1, own, other, phases2, size1, size2)
        else:
            child[k] = block_of(state[PHASE1], moves[k, PHASE], 0, other, own, phases2, size1, size2)
    return count


@compiled
def habits_at(
    state: Row, row1: Row, row2: Row, moves: Row, count: int
) -> tuple[int, int, int, int]:  # pragma: no cover - machine code
    """:func:`habits` for the mover of a state."""
    me, foe, phase = (row1, row2, state[PHASE1]) if state[TURN] == 0 else (row2, row1, state[PHASE2])
    return habits(state[MY_C], state[MY_N], state[HIS_C], state[HIS_N], phase, me, foe, moves, count)


@compiled
def _sizes(dice1: int, dice2: int) -> Row:  # pragma: no cover - machine code
    return np.array([(dice1 + 1) * (dice1 + 2) // 2, (dice2 + 1) * (dice2 + 2) // 2])


# -- without chance ---------------------------------------------------------------------------------------------------


@compiled
def rank_table(
    strategy1: int, strategy2: int, row1: Row, row2: Row, dice1: int, dice2: int, ends: Ranks, drops: Drops,
    foe_wounds: Ranks, guide1: Ranks, guide2: Ranks, self_guided: int, table: Ranks,
) -> None:  # fmt: skip  # pragma: no cover - machine code
    """Fill ``table[block, cell]`` with the rank of the end of the round; a cell is a pair of wounds that can occur.

    ``drops[turn, damage, cell]`` is the cell a strike leads to, ``foe_wounds[turn, cell]`` the wounds the mover sees.
    Fighter 1 likes high ranks if it plays OPTIMAL, fighter 2 low ones. A look-ahead strategy takes the move whose rank
    is higher in its guide: an earlier table, or this one for the turn ``self_guided``.
    """
    plan, sizes = schedule(row1, row2, dice1, dice2), _sizes(dice1, dice2)
    moves, child = np.empty((MOST_MOVES, 8), np.int64), np.empty(MOST_MOVES, np.int64)
    struck, if_struck = np.empty(ends.size, np.int16), np.empty(ends.size, np.int16)
    for at in range(plan.shape[0]):
        state = plan[at]
        b, turn = state[BLOCK], state[TURN]
        if state[MY_C] + state[MY_N] == 0:
            table[b] = ends if state[HIS_C] + state[HIS_N] == 0 else table[state[PASSED]]
            continue
        count = options_at(state, row1, row2, sizes, moves, child)
        strategy = strategy1 if turn == 0 else strategy2
        if strategy == OPTIMAL:
            _best_of(table, b, turn, moves, count, child, drops[turn], struck)
            continue
        habit = habits_at(state, row1, row2, moves, count)
        guide = table if self_guided == turn else guide1 if turn == 0 else guide2
        drop = drops[turn, moves[0, FIRST] + max(0, moves[0, SECOND])]
        _gather(table[child[0]], drop, struck)
        if strategy not in (STRIKE, PARRY):
            _gather(guide[child[0]], drop, if_struck)
        _by_habit(table, guide, b, strategy, child, habit, foe_wounds[turn], struck, if_struck)


@compiled
def _gather(source: Ranks, drop: Drops, out: Ranks) -> None:  # pragma: no cover - machine code
    for j in range(out.size):
        out[j] = source[drop[j]]


@compiled
def _best_of(
    table: Ranks, b: int, turn: int, moves: Row, count: int, child: Row, drops: Drops, struck: Ranks
) -> None:  # pragma: no cover - machine code
    """The best rank over all moves: fighter 1 takes the highest, fighter 2 the lowest."""
    out = table[b]
    for k in range(count):
        reached = table[child[k]]
        if moves[k, FIRST] >= 0:
            _gather(reached, drops[moves[k, FIRST] + max(0, moves[k, SECOND])], struck)
            reached = struck
        if k == 0:
            out[:] = reached
        elif turn == 0:
            for j in range(out.size):
                out[j] = max(out[j], reached[j])
        else:
            for j in range(out.size):
                out[j] = min(out[j], reached[j])


@compiled
def _by_habit(
    table: Ranks, guide: Ranks, b: int, strategy: int, child: Row, habit: tuple[int, int, int, int], foe_wounds: Ranks,
    struck: Ranks, if_struck: Ranks,
) -> None:  # fmt: skip  # pragma: no cover - machine code
    """Fill a block by a named strategy; looking ahead is taking what the guide likes better, a strike among equals."""
    last, parry = max(0, habit[1]), max(0, habit[3])  # where there is none, the limits keep it from being used
    kill, then_kill = np.int16(habit[0]), np.int16(habit[2])
    out, parried, finished = table[b], table[child[parry]], table[child[last]]
    # Values are read before they are chosen between: a read inside a condition would keep the loop from vectorising.
    if strategy in (STRIKE, PARRY):
        habitual = struck if strategy == STRIKE else parried
        for j in range(out.size):
            s, p, f, foe = struck[j], habitual[j], finished[j], foe_wounds[j]
            later = f if foe <= then_kill else p
            out[j] = s if foe <= kill else later
    else:
        if_parried = guide[child[parry]]
        for j in range(out.size):
            s, p, f, foe, gs, gp = struck[j], parried[j], finished[j], foe_wounds[j], if_struck[j], if_parried[j]
            better = s if gs >= gp else p
            later = f if foe <= then_kill else better
            out[j] = s if foe <= kill else later


@compiled
def transitions(
    starts: Ranks, odds1: Array, odds2: Array, hurt1: Row, hurt2: Row
) -> Array:  # pragma: no cover - machine code
    """moved[start, rank]: where a round leads from each pair of wounds; nowhere for the dead."""
    levels1, levels2 = starts.shape[1], starts.shape[2]
    moved = np.zeros((levels1 * levels2, levels1 * levels2))
    for i1 in range(odds1.shape[1]):
        for i2 in range(odds2.shape[1]):
            reached = starts[i1 * odds2.shape[1] + i2]
            for w1 in range(1, levels1):
                chance = odds1[hurt1[w1], i1]
                for w2 in range(1, levels2):
                    moved[w1 * levels2 + w2, reached[w1, w2]] += chance * odds2[hurt2[w2], i2]
    return moved


@compiled
def spread_from(
    starts: Ranks, odds1: Array, odds2: Array, hurt1: Row, hurt2: Row, mass: Array
) -> Array:  # pragma: no cover - machine code
    """P(rank) after a round fought from ``mass[w1, w2]``: a row vector times the matrix of :func:`transitions`."""
    after = np.zeros(mass.size)
    alive = np.argwhere(mass[1:, 1:] > 0.0) + 1
    for i1 in range(odds1.shape[1]):
        for i2 in range(odds2.shape[1]):
            reached = starts[i1 * odds2.shape[1] + i2]
            for at in range(alive.shape[0]):
                w1, w2 = alive[at, 0], alive[at, 1]
                after[reached[w1, w2]] += mass[w1, w2] * odds1[hurt1[w1], i1] * odds2[hurt2[w2], i2]
    return after


@compiled
def expect_from(
    starts: Ranks, odds1: Array, odds2: Array, hurt1: Row, hurt2: Row, by_rank: Array
) -> Array:  # pragma: no cover - machine code
    """Expected value at each start, from values by rank: the matrix of :func:`transitions` times a column vector."""
    before = np.zeros((starts.shape[1], starts.shape[2]))
    for i1 in range(odds1.shape[1]):
        for i2 in range(odds2.shape[1]):
            reached = starts[i1 * odds2.shape[1] + i2]
            for w1 in range(1, before.shape[0]):
                chance = odds1[hurt1[w1], i1]
                for w2 in range(1, before.shape[1]):
                    before[w1, w2] += chance * odds2[hurt2[w2], i2] * by_rank[reached[w1, w2]]
    return before


# -- with Feel No Pain ------------------------------------------------------------------------------------------------


@compiled
def loss_of(move: Row, loss: Array, out: Array) -> int:  # pragma: no cover - machine code
    """Spread of wounds lost to a move (two strikes add up); returns one more than the most."""
    out[:] = 0.0
    if move[FIRST] < 0:
        out[0] = 1.0
        return 1
    if move[SECOND] < 0:
        out[: move[FIRST] + 1] = loss[move[FIRST], : move[FIRST] + 1]
        return int(move[FIRST]) + 1
    for a in range(move[FIRST] + 1):
        for b in range(move[SECOND] + 1):
            out[a + b] += loss[move[FIRST], a] * loss[move[SECOND], b]
    return int(move[FIRST] + move[SECOND]) + 1


@compiled
def averaged(
    values: Array, turn: int, spread: Array, length: int, out: Array
) -> None:  # pragma: no cover - machine code
    """Expected values after losing wounds by ``spread``, for all wounds at once: one shifted sum per number lost."""
    out[:] = 0.0
    for lost in range(length):
        p = spread[lost]
        if p == 0.0:
            continue
        for w1 in range(1, out.shape[0]):
            if turn == 1:
                out[w1] += p * values[max(0, w1 - lost)]
            else:
                dead = min(lost + 1, out.shape[1])
                out[w1, 1:dead] += p * values[w1, 0]
                out[w1, dead:] += p * values[w1, dead - lost : out.shape[1] - lost]


@compiled
def value_tables(
    strategy1: int, strategy2: int, row1: Row, row2: Row, dice1: int, dice2: int, loss1: Array, loss2: Array,
    first: Array, second: Array, choices: Choices, record: int,
) -> tuple[Array, Array]:  # fmt: skip  # pragma: no cover - machine code
    """Expected first and second criterion from every state; choices of the turns in the bits of ``record`` are kept.

    Under OPTIMAL the criteria are fighter 1's; a look-ahead strategy takes the first one as its own.
    """
    plan, sizes = schedule(row1, row2, dice1, dice2), _sizes(dice1, dice2)
    x = np.empty((plan.shape[0], first.shape[0], first.shape[1]))
    y = np.empty_like(x)
    moves, child = np.empty((MOST_MOVES, 8), np.int64), np.empty(MOST_MOVES, np.int64)
    spread = np.empty(2 * loss1.shape[0])
    after_x, after_y = np.empty((MOST_MOVES, *first.shape)), np.empty((MOST_MOVES, *first.shape))
    for at in range(plan.shape[0]):
        state = plan[at]
        b, turn = state[BLOCK], state[TURN]
        if state[MY_C] + state[MY_N] == 0:
            done = state[HIS_C] + state[HIS_N] == 0
            x[b] = first if done else x[state[PASSED]]
            y[b] = second if done else y[state[PASSED]]
            continue
        count = options_at(state, row1, row2, sizes, moves, child)
        habit = habits_at(state, row1, row2, moves, count)
        strategy = strategy1 if turn == 0 else strategy2
        for k in range(count):
            if strategy == OPTIMAL or k in (0, habit[1], habit[3]):
                length = loss_of(moves[k], loss1 if turn == 0 else loss2, spread)
                averaged(x[child[k]], turn, spread, length, after_x[k])
                averaged(y[child[k]], turn, spread, length, after_y[k])
        x[b, 0, :], y[b, 0, :] = first[0, :], second[0, :]
        x[b, :, 0], y[b, :, 0] = first[:, 0], second[:, 0]
        for w1 in range(1, first.shape[0]):
            for w2 in range(1, first.shape[1]):
                if strategy == OPTIMAL:
                    k = _best_move(after_x, after_y, turn, w1, w2, count)
                elif strategy == FOLLOW:
                    k = choices[b, w1, w2]
                else:
                    k = _habitual_move(strategy, habit, w2 if turn == 0 else w1, after_x[:, w1, w2])
                if record >> turn & 1:
                    choices[b, w1, w2] = k
                x[b, w1, w2], y[b, w1, w2] = after_x[k, w1, w2], after_y[k, w1, w2]
    return x, y


@compiled
def _habitual_move(
    strategy: int, habit: tuple[int, int, int, int], foe_wounds: int, after: Array
) -> int:  # pragma: no cover - machine code
    """The move of a named strategy against an enemy with so many wounds, given the value of each move."""
    kill, last, then_kill, parry = habit
    if foe_wounds <= kill:
        return 0
    if foe_wounds <= then_kill:
        return last
    if strategy in (STRIKE, PARRY):
        return 0 if strategy == STRIKE else parry
    return 0 if after[0] >= after[parry] - EPSILON else parry


@compiled
def _best_move(x: Array, y: Array, turn: int, w1: int, w2: int, count: int) -> int:  # pragma: no cover - machine code
    """First criterion first, the second among equals, the earlier move among equals of both."""
    sign = 1.0 if turn == 0 else -1.0
    best = 0
    for k in range(1, count):
        gain = sign * (x[k, w1, w2] - x[best, w1, w2])
        if gain > EPSILON or (gain > -EPSILON and sign * (y[k, w1, w2] - y[best, w1, w2]) > EPSILON):
            best = k
    return best


@compiled
def carry(
    row1: Row, row2: Row, dice1: int, dice2: int, loss1: Array, loss2: Array, choices: Choices, start: Array
) -> Array:  # pragma: no cover - machine code
    """Carry probability from the starts of a round (``start[block, w1, w2]``) along the choices to its ends."""
    plan, sizes = schedule(row1, row2, dice1, dice2), _sizes(dice1, dice2)
    mass = np.zeros((plan.shape[0], start.shape[1], start.shape[2]))
    mass[: start.shape[0]] = start
    end = np.zeros((start.shape[1], start.shape[2]))
    moves, child = np.empty((MOST_MOVES, 8), np.int64), np.empty(MOST_MOVES, np.int64)
    spread, length = np.empty((MOST_MOVES, 2 * loss1.shape[0])), np.empty(MOST_MOVES, np.int64)
    for at in range(plan.shape[0] - 1, -1, -1):
        state = plan[at]
        b, turn = state[BLOCK], state[TURN]
        if state[MY_C] + state[MY_N] == 0:
            if state[HIS_C] + state[HIS_N] == 0:
                end += mass[b]
            else:
                mass[state[PASSED]] += mass[b]
            continue
        count = options_at(state, row1, row2, sizes, moves, child)
        for k in range(count):
            length[k] = loss_of(moves[k], loss1 if turn == 0 else loss2, spread[k])
        end[0, :] += mass[b, 0, :]
        end[1:, 0] += mass[b, 1:, 0]
        for w1 in range(1, end.shape[0]):
            for w2 in range(1, end.shape[1]):
                p = mass[b, w1, w2]
                if p == 0.0:
                    continue
                k = choices[b, w1, w2]
                for lost in range(length[k]):
                    if turn == 0:
                        mass[child[k], w1, max(0, w2 - lost)] += p * spread[k, lost]
                    else:
                        mass[child[k], max(0, w1 - lost), w2] += p * spread[k, lost]
    return end


# -- the parry before the first strike --------------------------------------------------------------------------------


@compiled
def openings(
    x: NDArray[Any], y: NDArray[Any], strategy1: int, strategy2: int, row1: Row, row2: Row, dice1: int, dice2: int
) -> NDArray[np.int32]:  # pragma: no cover - machine code
    """Where a round really starts once Duelists have parried: fighter 1 first, then fighter 2.

    ``x`` and ``y`` are the criteria at the start blocks (a table of ranks serves as both); only OPTIMAL looks at them.
    """
    hands1, hands2 = pairs(dice1), pairs(dice2)
    size1, size2 = hands1.shape[0], hands2.shape[0]
    target = np.empty((size1 * size2, x.shape[1], x.shape[2]), np.int32)
    for k in range(size1 * size2):
        target[k] = k
    moves = np.empty((MOST_MOVES, 8), np.int64)
    for turn in (1, 0):  # backwards: fighter 2's answer must be known when fighter 1 chooses
        me, foe = (row1, row2) if turn == 0 else (row2, row1)
        if not me[DUELIST]:
            continue
        after = target.copy()
        for i1 in range(1, size1):
            for i2 in range(1, size2):
                (c, n), (ec, en) = (hands1[i1], hands2[i2]) if turn == 0 else (hands2[i2], hands1[i1])
                count = legal_moves(c, n, ec, en, 0, me, foe, moves)
                here = i1 * size2 + i2
                chosen = duelist_parry(c, n, ec, foe, moves, count)
                for k in range(count):
                    if moves[k, KIND] < CRIT_PARRY:
                        continue
                    own, other = pair(moves[k, OWN_C], moves[k, OWN_N]), pair(moves[k, FOE_C], moves[k, FOE_N])
                    there = own * size2 + other if turn == 0 else other * size2 + own
                    if (strategy1 if turn == 0 else strategy2) == OPTIMAL:
                        _keep_better(x, y, turn, after[here], target[there])
                    elif k == chosen:
                        after[here] = target[there]
        target = after
    return target


@compiled
def _keep_better(
    x: NDArray[Any], y: NDArray[Any], turn: int, current: NDArray[np.int32], other: NDArray[np.int32]
) -> None:  # pragma: no cover - machine code
    sign = 1.0 if turn == 0 else -1.0
    for w1 in range(1, current.shape[0]):
        for w2 in range(1, current.shape[1]):
            a, b = current[w1, w2], other[w1, w2]
            gain = sign * (x[b, w1, w2] - x[a, w1, w2])
            if gain > EPSILON or (gain > -EPSILON and sign * (y[b, w1, w2] - y[a, w1, w2]) > EPSILON):
                current[w1, w2] = b

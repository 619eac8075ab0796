"""One round of a fight as a game: tables over every state, shared by all dice that may be rolled.

A state is (phases, whose turn, dice of both, wounds of both). Every move uses up a die, so filling the table from few
dice to many (and from late phases to early ones) meets only states that are already known. Two kinds of table:

* Without Feel No Pain a state leads to one certain end of the round, so a cell is a 16-bit number: the *rank* of that
  end. Fighter 1 likes high ranks and fighter 2 low ones; minimax is a running maximum and minimum of small integers.
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
    MAX_DAMAGE,
    MEMORY,
    MOST_MOVES,
    OPTIMAL,
    OWN_C,
    OWN_N,
    PHASE,
    SECOND,
    Row,
    duelist_parry,
    legal_moves,
    ruled,
)

Ranks = NDArray[np.int16]
Choices = NDArray[np.uint8]

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
def rules_at(
    strategy: int, state: Row, row1: Row, row2: Row, moves: Row, count: int, by_foe: Row
) -> int:  # pragma: no cover - machine code
    """:func:`ruled` for the mover of a state."""
    me, foe, phase = (row1, row2, state[PHASE1]) if state[TURN] == 0 else (row2, row1, state[PHASE2])
    return ruled(strategy, state[MY_C], state[MY_N], state[HIS_C], state[HIS_N], phase, me, foe, moves, count, by_foe)


@compiled
def _sizes(dice1: int, dice2: int) -> Row:  # pragma: no cover - machine code
    return np.array([(dice1 + 1) * (dice1 + 2) // 2, (dice2 + 1) * (dice2 + 2) // 2])


# -- without chance ---------------------------------------------------------------------------------------------------


@compiled
def rank_table(
    strategy1: int, strategy2: int, row1: Row, row2: Row, dice1: int, dice2: int, rank: Ranks, ends: Ranks,
    choices: Choices, record: int,
) -> Ranks:  # fmt: skip  # pragma: no cover - machine code
    """The rank of the end of the round from every state.

    ``rank[w1, w2]`` ranks the ends, ``ends[rank]`` gives their wounds back. Look-ahead strategies judge by wounds, and
    write what they decide into ``choices`` when ``record`` is their turn; FOLLOW reads it from there.
    """
    plan, sizes = schedule(row1, row2, dice1, dice2), _sizes(dice1, dice2)
    table = np.empty((plan.shape[0], rank.shape[0], rank.shape[1]), np.int16)
    moves, child = np.empty((MOST_MOVES, 8), np.int64), np.empty(MOST_MOVES, np.int64)
    by_foe1, by_foe2 = np.empty(rank.shape[1], np.int64), np.empty(rank.shape[0], np.int64)
    for at in range(plan.shape[0]):
        state = plan[at]
        b, turn = state[BLOCK], state[TURN]
        if state[MY_C] + state[MY_N] == 0:
            table[b] = rank if state[HIS_C] + state[HIS_N] == 0 else table[state[PASSED]]
            continue
        count = options_at(state, row1, row2, sizes, moves, child)
        table[b, 0, :] = rank[0, :]
        table[b, :, 0] = rank[:, 0]
        strategy = strategy1 if turn == 0 else strategy2
        if strategy == OPTIMAL:
            _best_of(table, b, turn, moves, count, child)
        else:
            by_foe = by_foe1 if turn == 0 else by_foe2
            parry = rules_at(strategy, state, row1, row2, moves, count, by_foe)
            _by_rule(table, b, turn, moves, child, by_foe, parry, strategy, ends, choices, record == turn)
    return table


@compiled
def _best_of(
    table: Ranks, b: int, turn: int, moves: Row, count: int, child: Row
) -> None:  # pragma: no cover - machine code
    """The best rank over all moves: fighter 1 takes the highest, fighter 2 the lowest."""
    out = table[b]
    for k in range(count):
        source = table[child[k]]
        damage = max(0, moves[k, FIRST]) + max(0, moves[k, SECOND])
        for w1 in range(1, out.shape[0]):
            line = out[w1]
            if turn == 0:
                reached = source[w1]
                dead = min(damage + 1, line.size)
                if k == 0:
                    line[1:dead] = reached[0]
                    for w2 in range(dead, line.size):
                        line[w2] = reached[w2 - damage]
                else:
                    for w2 in range(1, dead):
                        line[w2] = max(line[w2], reached[0])
                    for w2 in range(dead, line.size):
                        line[w2] = max(line[w2], reached[w2 - damage])
            else:
                reached = source[max(0, w1 - damage)]
                if k == 0:
                    line[1:] = reached[1:]
                else:
                    for w2 in range(1, line.size):
                        line[w2] = min(line[w2], reached[w2])


@compiled
def _by_rule(
    table: Ranks, b: int, turn: int, moves: Row, child: Row, by_foe: Row, parry: int, strategy: int, ends: Ranks,
    choices: Choices, record: bool,
) -> None:  # fmt: skip  # pragma: no cover - machine code
    out = table[b]
    for w1 in range(1, out.shape[0]):
        for w2 in range(1, out.shape[1]):
            k = by_foe[w2] if turn == 0 else by_foe[w1]
            if k < 0 and strategy == FOLLOW:
                k = choices[b, w1, w2]
            elif k < 0:
                damage = moves[0, FIRST] + max(0, moves[0, SECOND])
                a1, a2 = (w1, max(0, w2 - damage)) if turn == 0 else (max(0, w1 - damage), w2)
                struck, parried = table[child[0], a1, a2], table[child[parry], w1, w2]
                if strategy == MAX_DAMAGE:
                    strike = ends[struck, 1 - turn] <= ends[parried, 1 - turn]
                else:
                    strike = ends[struck, turn] >= ends[parried, turn]
                k = 0 if strike else parry
                if record:
                    choices[b, w1, w2] = k
            damage = max(0, moves[k, FIRST]) + max(0, moves[k, SECOND])
            if turn == 0:
                out[w1, w2] = table[child[k], w1, max(0, w2 - damage)]
            else:
                out[w1, w2] = table[child[k], max(0, w1 - damage), w2]


@compiled
def spread_ends(
    starts: Ranks, ends: Ranks, odds1: Array, odds2: Array, hurt1: Row, hurt2: Row, mass: Array
) -> Array:  # pragma: no cover - machine code
    """Wounds after one more round: ``starts[dice, w1, w2]`` is the rank reached; ``odds[hurt, dice]`` the dice."""
    after = np.zeros_like(mass)
    alive = np.argwhere(mass[1:, 1:] > 0.0) + 1
    after[0, :] = mass[0, :]
    after[1:, 0] = mass[1:, 0]
    for i1 in range(odds1.shape[1]):
        for i2 in range(odds2.shape[1]):
            reached = starts[i1 * odds2.shape[1] + i2]
            for at in range(alive.shape[0]):
                w1, w2 = alive[at]
                end = ends[reached[w1, w2]]
                after[end[0], end[1]] += mass[w1, w2] * odds1[hurt1[w1], i1] * odds2[hurt2[w2], i2]
    return after


@compiled
def round_values(
    starts: Ranks, by_rank: Array, odds1: Array, odds2: Array, hurt1: Row, hurt2: Row, values: Array
) -> Array:  # pragma: no cover - machine code
    """Expected value at the start of a round for all wounds, from the values of its ends by rank."""
    before = np.zeros_like(values)
    before[0, :] = values[0, :]
    before[1:, 0] = values[1:, 0]
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
def expectation(
    values: Array, turn: int, w1: int, w2: int, spread: Array, length: int
) -> float:  # pragma: no cover - machine code
    total = 0.0
    for lost in range(length):
        if turn == 0:
            total += spread[lost] * values[w1, max(0, w2 - lost)]
        else:
            total += spread[lost] * values[max(0, w1 - lost), w2]
    return total


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
    spread, length = np.empty((MOST_MOVES, 2 * loss1.shape[0])), np.empty(MOST_MOVES, np.int64)
    by_foe1, by_foe2 = np.empty(first.shape[1], np.int64), np.empty(first.shape[0], np.int64)
    for at in range(plan.shape[0]):
        state = plan[at]
        b, turn = state[BLOCK], state[TURN]
        if state[MY_C] + state[MY_N] == 0:
            done = state[HIS_C] + state[HIS_N] == 0
            x[b] = first if done else x[state[PASSED]]
            y[b] = second if done else y[state[PASSED]]
            continue
        count = options_at(state, row1, row2, sizes, moves, child)
        for k in range(count):
            length[k] = loss_of(moves[k], loss1 if turn == 0 else loss2, spread[k])
        x[b, 0, :], y[b, 0, :] = first[0, :], second[0, :]
        x[b, :, 0], y[b, :, 0] = first[:, 0], second[:, 0]
        strategy = strategy1 if turn == 0 else strategy2
        by_foe = by_foe1 if turn == 0 else by_foe2
        parry = rules_at(strategy, state, row1, row2, moves, count, by_foe) if strategy != OPTIMAL else -1
        for w1 in range(1, first.shape[0]):
            for w2 in range(1, first.shape[1]):
                if strategy == OPTIMAL:
                    k = _best_move(x, y, turn, w1, w2, count, child, spread, length)
                else:
                    k = by_foe[w2] if turn == 0 else by_foe[w1]
                if k < 0 and strategy == FOLLOW:
                    k = choices[b, w1, w2]
                elif k < 0:
                    struck = expectation(x[child[0]], turn, w1, w2, spread[0], length[0])
                    k = 0 if struck >= x[child[parry], w1, w2] - EPSILON else parry
                if record >> turn & 1:
                    choices[b, w1, w2] = k
                x[b, w1, w2] = expectation(x[child[k]], turn, w1, w2, spread[k], length[k])
                y[b, w1, w2] = expectation(y[child[k]], turn, w1, w2, spread[k], length[k])
    return x, y


@compiled
def _best_move(
    x: Array, y: Array, turn: int, w1: int, w2: int, count: int, child: Row, spread: Array, length: Row
) -> int:  # pragma: no cover - machine code
    """First criterion first, the second among equals, the earlier move among equals of both."""
    sign = 1.0 if turn == 0 else -1.0
    best, best_x, best_y = 0, 0.0, 0.0
    for k in range(count):
        a = sign * expectation(x[child[k]], turn, w1, w2, spread[k], length[k])
        if k > 0 and a < best_x - EPSILON:
            continue
        b = sign * expectation(y[child[k]], turn, w1, w2, spread[k], length[k])
        if k == 0 or a > best_x + EPSILON or b > best_y + EPSILON:
            best, best_x, best_y = k, a, b
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

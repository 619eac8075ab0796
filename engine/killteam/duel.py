"""One round of a fight as a game: tables over every state, shared by all dice that may be rolled.

A state is (phases, whose turn, dice of both, wounds of both). Every move uses up a die, so filling the table from few
dice to many (and from late phases to early ones) meets only states that are already known. Two kinds of table:

* Without Feel No Pain a state leads to one certain end of the round, so a cell is a 16-bit number: the *rank* of that
  end. Minimax is then a running maximum and minimum of small integers, sixteen at a time.
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


def padded(rank: Ranks, pad1: int, pad2: int) -> Ranks:
    """Ranks by wounds with room for overkill: rows and columns below 0 repeat those of a dead fighter.

    So a strike moves a whole block of wounds by one fixed distance, and the inner loops have no condition.
    """
    wounds1, wounds2 = (np.arange(-pad, size).clip(0) for pad, size in zip((pad1, pad2), rank.shape, strict=True))
    return np.ascontiguousarray(rank[np.ix_(wounds1, wounds2)])


@compiled
def rank_table(
    strategy1: int, strategy2: int, row1: Row, row2: Row, dice1: int, dice2: int, rank: Ranks, pad1: int, pad2: int,
    guide1: Ranks, guide2: Ranks, self_guided: int, table: Ranks,
) -> None:  # fmt: skip  # pragma: no cover - machine code
    """Fill ``table`` with the rank of the end of the round from every state, as padded blocks laid flat.

    Fighter 1 likes high ranks if it plays OPTIMAL, fighter 2 low ones. A look-ahead strategy takes the move whose rank
    is higher in its guide: an earlier table, or this one for the turn ``self_guided``.
    """
    plan, sizes, width = schedule(row1, row2, dice1, dice2), _sizes(dice1, dice2), rank.shape[1]
    ends = rank.ravel()
    alive = (pad1 + 1) * width
    moves, child, shift = np.empty((MOST_MOVES, 8), np.int64), np.empty(MOST_MOVES, np.int64), np.zeros(8, np.int64)
    foe_of1, foe_of2, dead = _wounds_of_cells(rank.shape[0], width, pad1, pad2)
    for at in range(plan.shape[0]):
        state = plan[at]
        b, turn = state[BLOCK], state[TURN]
        if state[MY_C] + state[MY_N] == 0:
            table[b] = ends if state[HIS_C] + state[HIS_N] == 0 else table[state[PASSED]]
            continue
        count = options_at(state, row1, row2, sizes, moves, child)
        for k in range(count):
            damage = max(0, moves[k, FIRST]) + max(0, moves[k, SECOND])
            shift[k] = min(damage, pad2) if turn == 0 else min(damage, pad1) * width
        strategy = strategy1 if turn == 0 else strategy2
        if strategy == OPTIMAL:
            _best_of(table, b, turn, count, child, shift, alive)
        else:
            habit = habits_at(state, row1, row2, moves, count)
            guide = table if self_guided == turn else guide1 if turn == 0 else guide2
            foe_wounds = foe_of1 if turn == 0 else foe_of2
            _by_habit(table, guide, b, strategy, child, shift, habit, foe_wounds[alive:], alive)
        table[b, :alive] = ends[:alive]
        edge, known, out = dead[alive:], ends[alive:], table[b, alive:]
        for j in range(out.size):
            e, o = known[j], out[j]
            out[j] = e if edge[j] > 0 else o


@compiled
def _wounds_of_cells(
    height: int, width: int, pad1: int, pad2: int
) -> tuple[Ranks, Ranks, Ranks]:  # pragma: no cover - machine code
    """For each cell of a flat block: the enemy wounds that fighter 1 sees, that fighter 2 sees, and what is padding."""
    foe_of1, foe_of2 = np.empty(height * width, np.int16), np.empty(height * width, np.int16)
    dead = np.empty(height * width, np.int16)
    for row in range(height):
        for column in range(width):
            at = row * width + column
            foe_of1[at], foe_of2[at] = column - pad2, row - pad1
            dead[at] = column <= pad2 or row <= pad1
    return foe_of1, foe_of2, dead


@compiled
def _best_of(
    table: Ranks, b: int, turn: int, count: int, child: Row, shift: Row, alive: int
) -> None:  # pragma: no cover - machine code
    """The best rank over all moves: fighter 1 takes the highest, fighter 2 the lowest."""
    out = table[b, alive:]
    for k in range(count):
        reached = table[child[k], alive - shift[k] : table.shape[1] - shift[k]]
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
    table: Ranks, guide: Ranks, b: int, strategy: int, child: Row, shift: Row, habit: tuple[int, int, int, int],
    foe_wounds: Ranks, alive: int,
) -> None:  # fmt: skip  # pragma: no cover - machine code
    """Fill a block by a named strategy; looking ahead is taking what the guide likes better, a strike among equals."""
    last, parry = max(0, habit[1]), max(0, habit[3])  # where there is none, the limits keep it from being used
    kill, then_kill = np.int16(habit[0]), np.int16(habit[2])
    size, back = table.shape[1], shift[0]
    out, struck = table[b, alive:], table[child[0], alive - back : size - back]
    parried, finished = table[child[parry], alive:], table[child[last], alive:]
    # Values are read before they are chosen between: a read inside a condition would keep the loop from vectorising.
    if strategy in (STRIKE, PARRY):
        habitual = struck if strategy == STRIKE else parried
        for j in range(out.size):
            s, p, f, foe = struck[j], habitual[j], finished[j], foe_wounds[j]
            later = f if foe <= then_kill else p
            out[j] = s if foe <= kill else later
    else:
        if_struck, if_parried = guide[child[0], alive - back : size - back], guide[child[parry], alive:]
        for j in range(out.size):
            s, p, f, foe, gs, gp = struck[j], parried[j], finished[j], foe_wounds[j], if_struck[j], if_parried[j]
            better = s if gs >= gp else p
            later = f if foe <= then_kill else better
            out[j] = s if foe <= kill else later


@compiled
def transitions(
    starts: Ranks, odds1: Array, odds2: Array, hurt1: Row, hurt2: Row, alive: Row
) -> Array:  # pragma: no cover - machine code
    """moved[i, rank]: where a round leads from the i-th pair of wounds in ``alive``."""
    moved = np.zeros((alive.shape[0], starts.shape[1] * starts.shape[2]))
    for i1 in range(odds1.shape[1]):
        for i2 in range(odds2.shape[1]):
            reached = starts[i1 * odds2.shape[1] + i2]
            for at in range(alive.shape[0]):
                w1, w2 = alive[at, 0], alive[at, 1]
                moved[at, reached[w1, w2]] += odds1[hurt1[w1], i1] * odds2[hurt2[w2], i2]
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
        kill, last, then_kill, parry = habits_at(state, row1, row2, moves, count)
        for w1 in range(1, first.shape[0]):
            for w2 in range(1, first.shape[1]):
                foe_wounds = w2 if turn == 0 else w1
                if strategy == OPTIMAL:
                    k = _best_move(x, y, turn, w1, w2, count, child, spread, length)
                elif strategy == FOLLOW:
                    k = choices[b, w1, w2]
                elif foe_wounds <= kill:
                    k = 0
                elif foe_wounds <= then_kill:
                    k = last
                elif strategy in (STRIKE, PARRY):
                    k = 0 if strategy == STRIKE else parry
                else:
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

"""Fights with Feel No Pain: a strike branches, so a cell holds expectations, and choices are written down.

Backwards, the expectations of one or both criteria need only the layers that moves reach back to; the choices, a byte
each, are kept whole. Forwards, probability is carried along the choices from many dice to few. Expectations are doubles
compared at ``EPSILON``; a row of wounds is handled at a time, one shifted sum for each number of wounds lost. Every
number of wounds is a level of its own.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.compiled import compiled_in_place, inner
from engine.dice.pmf import Array
from engine.killteam.fight.arena import LOOKS_AHEAD, Arena, Codes, Progress, already_over, with_edges
from engine.killteam.fight.certain import Starts, starts_of
from engine.killteam.fight.moves import FOLLOW, MOVES, OPTIMAL, PARRY, STRIKE, Ints
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
    LEADS,
    LEFT1,
    LEFT2,
    OPENING,
    PASS,
    SECOND,
    TURN,
    WHAT,
    WHOLE_BLOCK,
    WIDTH,
    Board,
    Orders,
    Round,
    Window,
    walk,
    walks,
    windowed,
)

Choices = NDArray[np.uint8]

EPSILON = 1e-12
#: Measured on a small server with two cores; benchmarks/bench_killteam.py shows what they are elsewhere.
CELLS_PER_SECOND = 120_000_000
BEST_CELLS_PER_SECOND = 60_000_000
INTERPRETED_CELLS_PER_SECOND = 40_000
BOTH_TURNS = 3  # bits: whose choices are written down
BYTES_A_CELL = 17  # of a table kept whole: two expectations and a choice


# -- backwards --------------------------------------------------------------------------------------------------------


class Tables(NamedTuple):
    """``values[criterion, cell]``, ``ends[criterion, level1, level2]`` when dice are out, the choices at every cell."""

    values: Array
    ends: Array
    choices: Choices


class Scratch(NamedTuple):
    """For the moves of a block: the spread of wounds lost and its length, expectations, what is chosen in a row."""

    lengths: Ints
    spreads: Array
    after: Array  # after[criterion, move, column]; the last move is the best so far
    chosen: Choices


def scratch_for(board: Board, losses: Array) -> Scratch:
    columns = board.wounds.shape[1] + 1
    return Scratch(
        np.empty(MOVES, np.int64),
        np.empty((MOVES, 2 * losses.shape[1])),
        np.empty((2, MOVES + 1, columns)),
        np.empty(columns, np.uint8),
    )


@inner
def _loss(orders: Orders, o: int, k: int, losses: Array, scratch: Scratch) -> None:  # pragma: no cover - machine code
    """Spread of wounds lost to a move (two strikes add up)."""
    first, second, turn = orders[o, FIRST + k], orders[o, SECOND + k], orders[o, TURN]
    for lost in range(scratch.spreads.shape[1]):
        scratch.spreads[k, lost] = 0.0
    if first < 0:
        scratch.spreads[k, 0] = 1.0
        scratch.lengths[k] = 1
    elif second < 0:
        for lost in range(first + 1):
            scratch.spreads[k, lost] = losses[turn, first, lost]
        scratch.lengths[k] = first + 1
    else:
        for a in range(first + 1):
            for b in range(second + 1):
                scratch.spreads[k, a + b] += losses[turn, first, a] * losses[turn, second, b]
        scratch.lengths[k] = first + second + 1


@compiled_in_place
def fill(
    board: Board, orders: Orders, strategies: Codes, losses: Array, scratch: Scratch, tables: Tables, record: int
) -> None:  # pragma: no cover - machine code
    """Fill blocks as ordered with expected criteria, and write down the choices of the turns in the bits of ``record``.

    Under OPTIMAL the criteria are fighter 1's, and there are two; a look-ahead strategy takes the first one as its own.
    Without any criterion only the choices of habit are made.
    """
    for o in range(orders.shape[0]):
        what, turn = orders[o, WHAT], orders[o, TURN]
        if what == END:
            _end(board, orders[o, BLOCK], tables)
        elif what == PASS:
            size = orders[o, WIDTH] * (board.top[0] - board.low[0, orders[o, DICE2]] + 1)
            for criterion in range(tables.values.shape[0]):
                for j in range(size):
                    known = tables.values[criterion, orders[o, LEADS] + j]
                    tables.values[criterion, orders[o, BLOCK] + j] = known
        else:
            strategy = strategies[0] if turn == 0 else strategies[1]
            if what == OPENING and strategy != OPTIMAL:
                strategy = PARRY
            _fill_block(board, orders, o, strategy, losses, scratch, tables, record >> turn & 1)


@inner
def _end(board: Board, at: int, tables: Tables) -> None:  # pragma: no cover - machine code
    low1, low2 = board.low[0, 0] - 1, board.low[1, 0] - 1
    columns = board.top[1] - low2
    for criterion in range(tables.values.shape[0]):
        for row in range(board.top[0] - low1):
            for column in range(columns):
                end = tables.ends[criterion, low1 + row if row > 0 else 0, low2 + column if column > 0 else 0]
                tables.values[criterion, at + row * columns + column] = end


@inner
def _fill_block(
    board: Board,
    orders: Orders,
    o: int,
    strategy: int,
    losses: Array,
    scratch: Scratch,
    tables: Tables,
    record: int,
) -> None:  # pragma: no cover - machine code
    at, columns, criteria = orders[o, BLOCK], orders[o, WIDTH], tables.values.shape[0]
    low1, low2 = board.low[0, orders[o, DICE2]] - 1, board.low[1, orders[o, DICE1]] - 1
    rows = board.top[0] - low1
    for criterion in range(criteria):  # whoever is dead stays so
        for column in range(columns):
            tables.values[criterion, at + column] = tables.ends[criterion, 0, low2 + column if column > 0 else 0]
        for row in range(1, rows):
            tables.values[criterion, at + row * columns] = tables.ends[criterion, low1 + row, 0]
    for k in range(MOVES):
        if orders[o, LEADS + k] >= 0:
            _loss(orders, o, k, losses, scratch)
    for row in range(1, rows):
        for k in range(MOVES):
            habitual = k == orders[o, HABIT_STRIKE] or k == orders[o, HABIT_LAST] or k == orders[o, HABIT_PARRY]
            if orders[o, LEADS + k] >= 0 and (strategy == OPTIMAL or habitual):
                for criterion in range(criteria):
                    _averaged(board, orders, o, k, row, scratch, tables.values, criterion)
        here = orders[o, WHOLE_BLOCK] + row * columns
        if strategy == OPTIMAL:
            _choose_best(orders, o, columns, scratch)
        elif strategy == FOLLOW:
            for column in range(1, columns):
                scratch.chosen[column] = tables.choices[here + column]
        else:
            _choose_by_habit(orders, o, strategy, low1 + row, low2, scratch)
        if record == 1:
            for column in range(1, columns):
                tables.choices[here + column] = scratch.chosen[column]
        for criterion in range(criteria):
            for column in range(1, columns):
                best = scratch.after[criterion, scratch.chosen[column], column]
                tables.values[criterion, at + row * columns + column] = best


@inner
def _averaged(
    board: Board, orders: Orders, o: int, k: int, row: int, scratch: Scratch, values: Array, criterion: int
) -> None:  # pragma: no cover - machine code
    """Expected values of a row of a block after a move. Unsigned indices, so that the loops are vectorised."""
    turn, there1, there2 = orders[o, TURN], orders[o, LEFT1 + k], orders[o, LEFT2 + k]
    low, lead = board.low[1, orders[o, DICE1]], orders[o, LEADS + k]
    columns, stride = orders[o, WIDTH], board.top[1] - board.low[1, there1] + 1
    shift = low - board.low[1, there1]
    own, below = board.low[0, orders[o, DICE2]] - 1 + row, board.low[0, there2] - 1
    q, move = np.uint64(criterion), np.uint64(k)
    for column in range(np.uint64(columns)):
        scratch.after[q, move, column] = 0.0
    for lost in range(scratch.lengths[k]):
        p = scratch.spreads[k, lost]
        if p == 0.0:
            continue
        left = own if turn == 0 else max(0, own - lost)
        start = lead + (left - below) * stride if left > 0 else lead
        living = min(columns, max(1, lost - low + 2)) if turn == 0 else 1  # the first column that survives
        dead = p * values[q, np.uint64(start)]
        for column in range(np.uint64(1), np.uint64(living)):
            scratch.after[q, move, column] += dead
        first, source = np.uint64(living), np.uint64(start + shift + living - (lost if turn == 0 else 0))
        for i in range(np.uint64(columns - living)):
            scratch.after[q, move, first + i] += p * values[q, source + i]


@inner
def _choose_best(orders: Orders, o: int, columns: int, scratch: Scratch) -> None:  # pragma: no cover - machine code
    """First criterion first, the second among equals, the earlier move among equals."""
    after, sign = scratch.after, 1.0 if orders[o, TURN] == 0 else -1.0
    first = True
    for k in range(MOVES):
        if orders[o, LEADS + k] < 0:
            continue
        for column in range(1, columns):
            x, y = after[0, k, column], after[1, k, column]
            gain, second = sign * (x - after[0, MOVES, column]), sign * (y - after[1, MOVES, column])
            better = first | (gain > EPSILON) | ((gain > -EPSILON) & (second > EPSILON))
            after[0, MOVES, column] = x if better else after[0, MOVES, column]
            after[1, MOVES, column] = y if better else after[1, MOVES, column]
            scratch.chosen[column] = k if better else scratch.chosen[column]
        first = False


@inner
def _choose_by_habit(
    orders: Orders, o: int, strategy: int, own: int, below: int, scratch: Scratch
) -> None:  # pragma: no cover - machine code
    """The moves of a named strategy: fighter 1 has ``own`` wounds in this row, fighter 2 ``below`` + column."""
    strike, last, parry = orders[o, HABIT_STRIKE], orders[o, HABIT_LAST], orders[o, HABIT_PARRY]
    kill, then_kill = orders[o, HABIT_KILL], orders[o, HABIT_THEN_KILL]
    for column in range(1, orders[o, WIDTH]):
        foe = below + column if orders[o, TURN] == 0 else own
        if foe <= kill or (strategy == STRIKE and foe > then_kill):
            scratch.chosen[column] = strike
        elif foe <= then_kill:
            scratch.chosen[column] = last
        elif strategy == PARRY:
            scratch.chosen[column] = parry
        else:
            struck, parried = scratch.after[0, strike, column], scratch.after[0, parry, column]
            scratch.chosen[column] = strike if struck >= parried - EPSILON else parry


@compiled_in_place
def expect(starts: Starts, values: Array, before: Array) -> None:  # pragma: no cover - machine code
    """Add what these starts give to the expected criteria at the start of a round."""
    for i in range(starts.origin.size):
        for w1 in range(starts.lowest[0], starts.top[0]):
            here = starts.origin[i] + w1 * starts.width[i]
            for criterion in range(values.shape[0]):
                for w2 in range(starts.lowest[1], starts.top[1]):
                    p = starts.odds1[starts.hand1[i], w1] * starts.odds2[starts.hand2[i], w2]
                    before[criterion, w1, w2] += p * values[criterion, here + w2]


# -- forwards ---------------------------------------------------------------------------------------------------------


@compiled_in_place
def begin(starts: Starts, start: Array, mass: Array) -> None:  # pragma: no cover - machine code
    """Put P(wounds) × P(dice) into the blocks in which rounds start."""
    for i in range(starts.origin.size):
        for w1 in range(starts.lowest[0], starts.top[0]):
            here = starts.origin[i] + w1 * starts.width[i]
            for w2 in range(starts.lowest[1], starts.top[1]):
                p = starts.odds1[starts.hand1[i], w1] * starts.odds2[starts.hand2[i], w2]
                mass[here + w2] += start[w1, w2] * p


@compiled_in_place
def carry(
    board: Board, orders: Orders, losses: Array, scratch: Scratch, choices: Choices, mass: Array, end: Array
) -> None:  # pragma: no cover - machine code
    """Carry what is in these blocks along the choices, last order first: from many dice to few.

    ``mass`` is left empty behind, ``end`` gathers what is over.
    """
    for o in range(orders.shape[0] - 1, -1, -1):
        at, width, what = orders[o, BLOCK], orders[o, WIDTH], orders[o, WHAT]
        low1, low2 = board.low[0, orders[o, DICE2]] - 1, board.low[1, orders[o, DICE1]] - 1
        rows = board.top[0] - low1
        if what == END:
            for row in range(rows):
                for column in range(width):
                    w1, w2 = low1 + row if row > 0 else 0, low2 + column if column > 0 else 0
                    end[w1, w2] += mass[at + row * width + column]
                    mass[at + row * width + column] = 0.0
        elif what == PASS:
            for j in range(rows * width):
                mass[orders[o, LEADS] + j] += mass[at + j]
                mass[at + j] = 0.0
        else:
            for k in range(MOVES):
                if orders[o, LEADS + k] >= 0:
                    _loss(orders, o, k, losses, scratch)
            for row in range(rows):
                _carry_row(board, orders, o, row, scratch, choices, mass, end)


@inner
def _carry_row(
    board: Board, orders: Orders, o: int, row: int, scratch: Scratch, choices: Choices, mass: Array, end: Array
) -> None:  # pragma: no cover - machine code
    width = orders[o, WIDTH]
    here, whole = orders[o, BLOCK] + row * width, orders[o, WHOLE_BLOCK] + row * width
    low2 = board.low[1, orders[o, DICE1]] - 1
    own = board.low[0, orders[o, DICE2]] - 1 + row if row > 0 else 0
    there = 0.0
    for column in range(width):
        there += mass[here + column]
    if there == 0.0:
        return
    first = 1 if row > 0 else width  # the dead of this row and column are over
    for column in range(first):
        end[own, low2 + column if column > 0 else 0] += mass[here + column]
    part = scratch.after
    for k in range(MOVES):
        if orders[o, LEADS + k] < 0:
            continue
        going = False
        for column in range(first, width):
            p = mass[here + column] if choices[whole + column] == k else 0.0
            part[0, 0, column] = p
            going |= p > 0.0
        if going:
            _send(board, orders, o, k, own, scratch, mass)
    for column in range(width):
        mass[here + column] = 0.0


@inner
def _send(
    board: Board, orders: Orders, o: int, k: int, own: int, scratch: Scratch, mass: Array
) -> None:  # pragma: no cover - machine code
    """Move the part of a row that chose a move on to where it leads."""
    turn, width, part = orders[o, TURN], orders[o, WIDTH], scratch.after
    there1, low, lead = orders[o, LEFT1 + k], board.low[1, orders[o, DICE1]], orders[o, LEADS + k]
    stride, shift = board.top[1] - board.low[1, there1] + 1, low - board.low[1, there1]
    down = board.low[0, orders[o, LEFT2 + k]] - 1
    for lost in range(scratch.lengths[k]):
        q = scratch.spreads[k, lost]
        if q == 0.0:
            continue
        left = own if turn == 0 else max(0, own - lost)
        begins = lead + (left - down) * stride if left > 0 else lead
        living = min(width, max(1, lost - low + 2)) if turn == 0 else 1
        for column in range(1, living):
            mass[begins] += q * part[0, 0, column]
        source = np.uint64(begins + shift + living - (lost if turn == 0 else 0))
        start = np.uint64(living)
        for i in range(np.uint64(width - living)):
            mass[source + i] += q * part[0, 0, start + i]


# -- from round to round ----------------------------------------------------------------------------------------------


class Uncertain:
    """A fight with Feel No Pain: first the choices, from expectations, then probability along them."""

    def __init__(self, arena: Arena, progress: Progress = lambda done, total: None) -> None:
        self.arena, self.progress = arena, progress
        self.best = arena.plays_best
        self.done = 0

    @cached_property
    def rounds(self) -> list[list[Round]]:
        """Each round: one, or as many parts as it takes for each to fit into memory, as far as that goes.

        Strategies that do not look beyond the round share the last one's.
        """
        arena = self.arena
        rounds = arena.each_round if self.best else [arena.each_round[-1]] * arena.rounds
        return [arena.fitting(fought, self._memory) for fought in rounds]

    def _memory(self, part: Round) -> int:
        """Bytes: choices and, at the same time, expectations of the layers moves reach back to."""
        criteria = 2 if self.best else 1
        return part.cells + 8 * criteria * self.arena.window(part).room

    @property
    def memory(self) -> int:
        return max(self._memory(part) for parts in self.rounds for part in parts)

    @cached_property
    def sizes(self) -> list[int]:
        return [sum(part.cells for part in parts) for parts in self.rounds]

    @cached_property
    def keeps(self) -> bool:
        """Whether choices are kept until they are needed, or made again."""
        if not self.best:
            return len(self.rounds[0]) == 1
        return sum(self.sizes) <= self.arena.budget.choice_bytes

    @cached_property
    def cells(self) -> int:
        """How many cells are filled in all."""
        if self.best:
            filled = sum(self.sizes) + (0 if self.keeps else sum(self.sizes[1:]))
        else:
            filled = self.sizes[0] if self.keeps else sum(self.sizes)
        return filled * (1 + self.arena.guides) + sum(self.sizes)

    @property
    def seconds(self) -> float:
        return self.cells / (BEST_CELLS_PER_SECOND if self.best else CELLS_PER_SECOND)

    @property
    def interpreted_seconds(self) -> float:
        """About how long it takes without machine code."""
        return self.cells / INTERPRETED_CELLS_PER_SECOND

    def check_size(self, *, whole: bool = False) -> None:
        """Refuse what would not fit, before anything is computed. ``whole`` tables keep every expectation."""
        memory = BYTES_A_CELL * self.sizes[0] if whole else self.memory
        self.arena.budget.refuse_larger(memory, self.seconds)

    def fought(self, mass: Array) -> Array:
        """P(w1, w2) after all rounds, given it before the first."""
        self.check_size()
        for played in self.policies():
            after = already_over(mass)
            for window, choices in played:
                after += self._carried(window, choices, mass)
            mass = after
        return mass

    def policies(self) -> Iterator[Iterator[tuple[Window, Choices]]]:
        """Round by round, first to last: the choices at every state, with the windows that find them."""
        ends = np.stack(self.arena.final_values())
        following, kept = [ends] * self.arena.rounds, dict[int, list[Choices]]()
        if self.best:
            for number in range(self.arena.rounds - 1, 0, -1):
                before = np.zeros_like(ends)
                for part in self.rounds[number]:
                    choices, expected = self.policy(part, ends)
                    before += expected
                    if self.keeps:
                        kept.setdefault(number, []).append(choices)
                    del choices
                ends = following[number - 1] = with_edges(before, ends)
        elif self.keeps:
            always = [self.policy(self.rounds[0][0], ends)[0]]
            kept = dict.fromkeys(range(self.arena.rounds), always)
        for number in range(self.arena.rounds):
            yield self._round(number, following[number], kept.pop(number, []))

    def _round(self, number: int, after: Array, kept: list[Choices]) -> Iterator[tuple[Window, Choices]]:
        for at, part in enumerate(self.rounds[number]):
            yield self.arena.window(part), kept[at] if kept else self.policy(part, after)[0]

    def values(self, rounds: int) -> tuple[Array, Array]:
        """Both criteria for every pair of wounds with so many rounds to come, whatever wounds they start with."""
        ends = np.stack(self.arena.final_values())
        parts = self.arena.fitting(self.arena.anywhere, self._memory)
        for _ in range(rounds):
            before = np.sum([self.policy(part, ends, valued=True)[1] for part in parts], axis=0)
            ends = with_edges(before, ends)
        return ends[0], ends[1]

    def policy(self, part: Round, ends: Array, *, valued: bool = False) -> tuple[Choices, Array]:
        """The choice at every state of a round that is followed by these values, and the values it starts with."""
        window = self.arena.window(part)
        codes, choices = self._guided(window)
        return choices, self._filled(window, codes, ends if valued or self.best else ends[:0], choices, BOTH_TURNS)

    def whole(self, ends: Array) -> tuple[Orders, Array, Choices]:
        """All of the first round: its orders, the values at every state and the choices there."""
        window = windowed(self.arena.each_round[0], whole_cells=sys.maxsize)
        codes, choices = self._guided(window)
        values, orders = np.empty((2, window.room)), walk(window, window.stages[0][0])
        tables = Tables(values, ends, choices)
        losses, board = self.arena.losses, window.round.board
        fill(board, orders, codes, losses, scratch_for(board, losses), tables, BOTH_TURNS)
        return orders, values, choices

    def _guided(self, window: Window) -> tuple[Codes, Choices]:
        """Let look-ahead strategies write down their choices; what is left follows them."""
        arena = self.arena
        choices, codes = np.zeros(window.cells, np.uint8), arena.codes
        for turn in (0, 1):
            if arena.codes[turn] in LOOKS_AHEAD:
                aim = arena.aim(turn)[None].astype(np.float64)
                self._filled(window, arena.against_a_striker(turn), aim, choices, 1 << turn)
                codes = (FOLLOW, codes[1]) if turn == 0 else (codes[0], FOLLOW)
        return codes, choices

    def _filled(self, window: Window, codes: Codes, ends: Array, choices: Choices, record: int) -> Array:
        """Fill one table stage by stage, and fold its starts into the expectations before the round."""
        arena = self.arena
        tables = Tables(np.empty((len(ends), window.room)), ends, choices)

        def part(orders: Orders, into: Array) -> None:
            board = window.round.board
            fill(board, orders, codes, arena.losses, scratch_for(board, arena.losses), tables, record)
            expect(starts_of(arena, window, orders), tables.values, into)

        return arena.by_stages(window, walks(window, window.stages), part, ends.shape, self.report)

    def _carried(self, window: Window, choices: Choices, start: Array) -> Array:
        """P(w1, w2) of those who fought, after a round."""
        arena, board = self.arena, window.round.board
        mass, end = np.zeros(window.room), np.zeros_like(start)
        for stage, cells in zip(walks(window, window.stages[::-1]), window.stage_cells[::-1], strict=True):
            for orders in stage:
                begin(starts_of(arena, window, orders), start, mass)
                carry(board, orders, arena.losses, scratch_for(board, arena.losses), choices, mass, end)
            self.report(cells)
        return end

    def report(self, cells: int) -> None:
        self.done += cells
        self.progress(self.done, self.cells)

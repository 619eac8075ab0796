"""A fight round by round, each filled layer by layer and folded at once into what the fight needs of it.

``optimal`` goes backwards for the values of the rounds to come, then forwards along the choices they make, filling a
round's table again rather than keeping it.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from functools import cached_property, partial

import numpy as np

from engine.dice.pmf import Array
from engine.killteam import chances, ranks
from engine.killteam.arena import LOOKS_AHEAD, Arena, Codes, Progress, final_values, out
from engine.killteam.board import Board, Ints, Orders, Window, group_cells, orders_for, split, starting
from engine.killteam.moves import FOLLOW, OPTIMAL
from engine.wire import EngineError

MOST_MATRIX_CELLS = 1_100  # a matrix of at most ten megabytes
MOST_MEMORY = 3_000_000_000
MOST_PARTS = 16  # along either fighter's wounds; every further one costs time and gains less
MOST_MINUTES = 25  # a job may take thirty
SHARED_CELLS = 20_000_000  # of a board whose orders are remembered from round to round
KEPT_CHOICES = 250_000_000  # bytes up to which the choices of all rounds are kept
# Measured on a small server with two cores; benchmarks/bench_killteam.py shows what they are elsewhere.
RANKS_PER_SECOND = 400_000_000
CHANCES_PER_SECOND = 120_000_000
BEST_CHANCES_PER_SECOND = 60_000_000


class Certain:
    """Rounds without Feel No Pain. With few wounds a round is a matrix of transitions, which serves both ways."""

    def __init__(self, arena: Arena, progress: Progress = lambda done, total: None) -> None:
        self.arena, self.progress = arena, progress
        self.best = OPTIMAL in arena.codes
        self.few = arena.rounds > 1 and int(arena.board.top.prod()) <= MOST_MATRIX_CELLS
        self.done = 0
        self._tables: list[ranks.Ranks] = []
        self._orders: dict[int, Orders] = {}

    @cached_property
    def everywhere(self) -> Board:
        """For rounds that may start with any wounds."""
        return starting(self.arena.board, (1, 1))

    def boards(self, number: int | None) -> list[Board]:
        """The boards of a round, counted from 0: one, or as many as it takes for each to fit into memory."""
        anywhere = number is None or (self.few and (number > 0 or not self.best))
        board = self.everywhere if anywhere or number is None else self.arena.boards[number]
        return _fitting(board, self._memory)

    def windows(self, number: int | None) -> list[Window]:
        """The boards of a round with room; the window of rounds that may start anywhere is the same for all of them."""
        boards = self.boards(number)
        return [self._anywhere] if boards[0] is self.everywhere else [self.arena.window(board) for board in boards]

    @cached_property
    def _anywhere(self) -> Window:
        return self.arena.window(self.everywhere)

    def orders(self, board: Board, groups: Ints) -> Orders:
        """What to do in these groups: remembered on the board that several rounds share, while that is little."""
        if board is not self._anywhere.board or self._anywhere.cells > SHARED_CELLS:
            return orders_for(board, groups)
        if id(groups) not in self._orders:
            self._orders[id(groups)] = orders_for(board, groups)
        return self._orders[id(groups)]

    def _memory(self, board: Board) -> int:
        return 2 * (1 + self.arena.guides) * self.arena.window(board).room

    @cached_property
    def cells(self) -> int:
        """How many cells are filled in all."""
        rounds = range(self.arena.rounds)
        sizes = [sum(map(_cells, self.boards(number))) for number in rounds]
        once = sizes[0] if self.few and not self.best else sum(sizes)
        again = sum(sizes[1:]) if self.best and not self.few else 0
        return (once + again) * (1 + self.arena.guides)

    @property
    def seconds(self) -> float:
        return self.cells / RANKS_PER_SECOND

    def check_size(self) -> None:
        """Nothing is too large: what does not fit into memory at once is divided."""

    def fought(self, mass: Array) -> Array:
        """P(level1, level2) after all rounds, given it before the first."""
        last = self.arena.rounds - 1
        win, margin = final_values(*self.arena.levels)
        rounds = [Round(self, last, _ranked(win, margin) if self.best else _numbered(win))]
        for number in range(last - 1, -1, -1):
            if self.best:
                win, margin = rounds[-1].before(win, margin)
                rounds.append(Round(self, number, _ranked(win, margin)))
            else:
                rounds.append(rounds[0] if self.few else Round(self, number, rounds[0].rank))
        for played in reversed(rounds):
            mass = played.after(mass)
        return mass

    def values(self, rounds: int) -> tuple[Array, Array]:
        """Both criteria for every pair of levels with so many rounds to come, whatever wounds they start with."""
        win, margin = final_values(*self.arena.levels)
        for _ in range(rounds):
            win, margin = Round(self, None, _ranked(win, margin)).before(win, margin)
        return win, margin

    @cached_property
    def aims(self) -> list[ranks.Ranks]:
        """What either fighter would look ahead to, by both levels."""
        return [self.arena.aim(turn, *self.arena.levels).astype(np.int16) for turn in (0, 1)]

    def tables(self, room: int) -> list[ranks.Ranks]:
        """Used by one round after the other: touching fresh memory costs more than the arithmetic."""
        if not self._tables or self._tables[0].size < room:
            self._tables = [np.empty(room, np.int16) for _ in range(1 + self.arena.guides)]
        return self._tables

    def report(self, cells: int) -> None:
        self.done += cells * (1 + self.arena.guides)
        self.progress(self.done, self.cells)


Fold = Callable[..., None]


def by_stages(
    arena: Arena,
    window: Window,
    part: Callable[[Ints, Array], None],
    shape: tuple[int, ...],
    report: Callable[[int], None],
) -> Array:
    """Do every stage of a window, its parts at the same time, and add up what they fold into arrays of this shape."""
    sums = np.zeros((max(map(len, window.stages)), *shape))
    with arena.pool(window) as pool:
        for stage, cells in zip(window.stages, window.stage_cells, strict=True):
            if pool is None:
                part(stage[0], sums[0])
            else:
                list(pool.map(part, stage, sums))
            report(cells)
    total: Array = sums.sum(axis=0)
    return total


def later_seconds(arena: Arena, rounds: int) -> float:
    """About how long :func:`later_values` would take."""
    speed = BEST_CHANCES_PER_SECOND if arena.chance else RANKS_PER_SECOND
    return rounds * (1 + arena.guides) * _cells(starting(arena.board, (1, 1))) / speed if rounds else 0.0


def later_values(arena: Arena, rounds: int) -> Array:
    """Both criteria by wounds (not levels) with so many rounds to come."""
    values = np.zeros((2, arena.wounds[0] + 1, arena.wounds[1] + 1))
    found = Uncertain(arena).values(rounds) if arena.chance else Certain(arena).values(rounds)
    values[0][np.ix_(*arena.levels)], values[1][np.ix_(*arena.levels)] = found
    return values


class Round:
    """One round: where each pair of wounds leads. ``after`` goes forwards, ``before`` backwards."""

    def __init__(self, fight: Certain, number: int | None, rank: ranks.Ranks) -> None:
        self.fight, self.rank, self.arena = fight, rank, fight.arena
        self.windows = fight.windows(number)
        self.is_matrix = fight.few and number is not None and fight.boards(number)[0] is fight.everywhere

    def after(self, mass: Array) -> Array:
        """P(level1, level2) after the round, given it before the round. The dead fight no more."""
        shape = (mass.size,)
        ranked = mass.ravel() @ self.matrix if self.is_matrix else self._folded(ranks.spread, mass, shape=shape)
        return out(mass) + ranked[self.rank]

    def before(self, win: Array, margin: Array) -> tuple[Array, Array]:
        """Expected values before the round, given values after it."""
        by_rank = np.empty((2, win.size))
        by_rank[0, self.rank], by_rank[1, self.rank] = win, margin
        if self.is_matrix:
            expected = np.stack([self.matrix @ values for values in by_rank]).reshape(2, *win.shape)
        else:
            expected = self._folded(ranks.expect, by_rank, shape=(2, *win.shape))
        expected = _with_edges(expected, np.stack([win, margin]))
        return expected[0], expected[1]

    @cached_property
    def matrix(self) -> Array:
        return self._folded(ranks.transitions, shape=(self.rank.size, self.rank.size))

    def _folded(self, fold: Fold, *given: Array, shape: tuple[int, ...]) -> Array:
        """Fill the table stage by stage, and fold the starts of each stage into a sum."""
        tables = self.fight.tables(max(window.room for window in self.windows))
        total = np.zeros(shape)
        for window in self.windows:
            part = partial(self._part, window.board, tables, fold, given)
            total += by_stages(self.arena, window, part, shape, self.fight.report)
        return total

    def _part(
        self, board: Board, tables: list[ranks.Ranks], fold: Fold, given: tuple[Array, ...], groups: Ints, into: Array
    ) -> None:
        arena, orders = self.arena, self.fight.orders(board, groups)
        table, guides = tables[0], list(tables[1:])
        guide1, guide2 = (guides.pop() if code in LOOKS_AHEAD else table for code in arena.codes)
        for turn in (0, 1):
            if arena.codes[turn] in LOOKS_AHEAD:
                own = (guide1, guide2)[turn]
                ranks.fill(board, orders, *arena.against_a_striker(turn), self.fight.aims[turn], own, own, turn, own)
        ranks.fill(board, orders, *arena.codes, self.rank, guide1, guide2, -1, table)
        fold(board, groups, table, *arena.odds, *arena.hurt, *given, into)


class Uncertain:
    """Rounds with Feel No Pain: first the choices, from expectations, then probability along them."""

    def __init__(self, arena: Arena, progress: Progress = lambda done, total: None) -> None:
        self.arena, self.progress = arena, progress
        self.best = OPTIMAL in arena.codes
        self.done = 0

    @cached_property
    def boards(self) -> list[list[Board]]:
        """The boards of each round: one, or as many as it takes for each to fit into memory, as far as that goes.

        Strategies that do not look beyond the round share the last one's.
        """
        boards = self.arena.boards if self.best else [self.arena.boards[-1]] * self.arena.rounds
        return [_fitting(board, self._memory) for board in boards]

    def _memory(self, board: Board) -> int:
        """Bytes: choices and, at the same time, expectations of the layers moves reach back to."""
        criteria = 2 if self.best else 1
        return _cells(board) + 8 * criteria * self.arena.window(board).room

    @property
    def memory(self) -> int:
        return max(self._memory(board) for boards in self.boards for board in boards)

    @cached_property
    def sizes(self) -> list[int]:
        return [sum(map(_cells, boards)) for boards in self.boards]

    @cached_property
    def keeps(self) -> bool:
        """Whether choices are kept until they are needed, or made again."""
        if not self.best:
            return len(self.boards[0]) == 1
        return sum(self.sizes) <= KEPT_CHOICES

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
        return self.cells / (BEST_CHANCES_PER_SECOND if self.best else CHANCES_PER_SECOND)

    def check_size(self, *, whole: bool = False) -> None:
        """Refuse what would not fit, before anything is computed. ``whole`` tables keep every expectation."""
        memory = 17 * self.sizes[0] if whole else self.memory
        for figure, most, unit in (
            (memory / 1e9, MOST_MEMORY / 1e9, "GB"),
            (self.seconds / 60, MOST_MINUTES, "minutes"),
        ):
            if figure > most:
                raise EngineError(
                    f"Counting wound by wound, this needs {figure:.1f} {unit}, more than {most:.0f}. "
                    "Use fewer dice, wounds or rounds.",
                    field="fighter1.numDice",
                    constraint=unit,
                    expected=most,
                    actual=figure,
                )

    def fought(self, mass: Array) -> Array:
        """P(w1, w2) after all rounds, given it before the first."""
        self.check_size()
        for played in self.policies():
            after = out(mass)
            for board, choices in played:
                after += self._carried(board, choices, mass)
            mass = after
        return mass

    def policies(self) -> Iterator[Iterator[tuple[Board, chances.Choices]]]:
        """Round by round, first to last: the choices at every state, with the boards that find them."""
        ends = np.stack(final_values(*self.arena.levels))
        following, kept = [ends] * self.arena.rounds, dict[int, list[chances.Choices]]()
        if self.best:
            for number in range(self.arena.rounds - 1, 0, -1):
                before = np.zeros_like(ends)
                for board in self.boards[number]:
                    choices, expected = self.policy(board, ends)
                    before += expected
                    if self.keeps:
                        kept.setdefault(number, []).append(choices)
                    del choices
                ends = following[number - 1] = _with_edges(before, ends)
        elif self.keeps:
            always = [self.policy(self.boards[0][0], ends)[0]]
            kept = dict.fromkeys(range(self.arena.rounds), always)
        for number in range(self.arena.rounds):
            yield self._round(number, following[number], kept.pop(number, []))

    def _round(self, number: int, after: Array, kept: list[chances.Choices]) -> Iterator[tuple[Board, chances.Choices]]:
        for at, board in enumerate(self.boards[number]):
            yield self._whole(board), kept[at] if kept else self.policy(board, after)[0]

    def values(self, rounds: int) -> tuple[Array, Array]:
        """Both criteria for every pair of wounds with so many rounds to come, whatever wounds they start with."""
        ends = np.stack(final_values(*self.arena.levels))
        boards = _fitting(starting(self.arena.board, (1, 1)), self._memory)
        for _ in range(rounds):
            before = np.sum([self.policy(board, ends, valued=True)[1] for board in boards], axis=0)
            ends = _with_edges(before, ends)
        return ends[0], ends[1]

    def policy(self, board: Board, ends: Array, *, valued: bool = False) -> tuple[chances.Choices, Array]:
        """The choice at every state of a round that is followed by these values, and the values it starts with."""
        codes, choices = self._guided(board)
        return choices, self._filled(board, codes, ends if valued or self.best else ends[:0], choices, 3)

    def tables(self, board: Board, ends: Array) -> tuple[Board, Array, chances.Choices]:
        """All of one round: its board, the values at every state and the choices there."""
        window = self.arena.window(board, whole=sys.maxsize)
        codes, choices = self._guided(board)
        values = np.empty((2, window.room))
        at_once = window.board, window.board, window.stages[0][0]
        chances.fill(*at_once, *codes, *self.arena.losses, ends, values, choices, 3)
        return window.board, values, choices

    def _guided(self, board: Board) -> tuple[Codes, chances.Choices]:
        """Let look-ahead strategies write down their choices; what is left follows them."""
        arena = self.arena
        choices, codes = np.zeros(_cells(board), np.uint8), arena.codes
        for turn in (0, 1):
            if arena.codes[turn] in LOOKS_AHEAD:
                aim = arena.aim(turn, *arena.levels)[None].astype(np.float64)
                self._filled(board, arena.against_a_striker(turn), aim, choices, 1 << turn)
                codes = (FOLLOW, codes[1]) if turn == 0 else (codes[0], FOLLOW)
        return codes, choices

    def _filled(self, board: Board, codes: Codes, ends: Array, choices: chances.Choices, record: int) -> Array:
        """Fill one table stage by stage, and fold its starts into the expectations before the round."""
        arena, window = self.arena, self.arena.window(board)
        kept = self._whole(board)
        values = np.empty((len(ends), window.room))

        def part(groups: Ints, into: Array) -> None:
            chances.fill(window.board, kept, groups, *codes, *arena.losses, ends, values, choices, record)
            chances.expect(window.board, groups, values, *arena.odds, *arena.hurt, into)

        return by_stages(arena, window, part, ends.shape, self.report)

    def _carried(self, board: Board, choices: chances.Choices, start: Array) -> Array:
        """P(w1, w2) of those who fought, after a round."""
        arena, window, kept = self.arena, self.arena.window(board), board
        mass, end = np.zeros(window.room), np.zeros_like(start)
        for stage, cells in zip(reversed(window.stages), reversed(window.stage_cells), strict=True):
            for groups in stage:
                chances.carry(
                    window.board,
                    kept,
                    groups[::-1].copy(),
                    *arena.losses,
                    choices,
                    *arena.odds,
                    *arena.hurt,
                    start,
                    mass,
                    end,
                )
            self.report(cells)
        return end

    def _whole(self, board: Board) -> Board:
        """The board with room for every layer, as choices have it."""
        return self.arena.window(board, whole=sys.maxsize).board

    def report(self, cells: int) -> None:
        self.done += cells
        self.progress(self.done, self.cells)


def _cells(board: Board) -> int:
    return int(group_cells(board).sum())


def _fitting(board: Board, memory: Callable[[Board], int]) -> list[Board]:
    """The board, or the fewest parts of it that fit into memory one by one, if it can be divided so far."""
    parts, largest = 1, board
    while parts < MOST_PARTS and memory(largest) > MOST_MEMORY:
        parts += 1
        largest = next(split(board, parts))
    return list(split(board, parts)) if parts > 1 else [board]


def _with_edges(before: Array, after: Array) -> Array:
    """The dead are left alone: their values stay."""
    before[:, 0, :], before[:, :, 0] = after[:, 0, :], after[:, :, 0]
    return before


def _numbered(like: Array) -> ranks.Ranks:
    return np.arange(like.size, dtype=np.int16).reshape(like.shape)


def _ranked(win: Array, margin: Array) -> ranks.Ranks:
    """Order all ends of a round for fighter 1: worst 0. Values equal up to rounding count as equal."""
    w1 = np.indices(win.shape)[0]
    order = np.lexsort((w1.ravel(), np.round(margin, 9).ravel(), np.round(win, 12).ravel()))
    rank = np.empty(win.size, np.int16)
    rank[order] = np.arange(win.size, dtype=np.int16)
    return rank.reshape(win.shape)

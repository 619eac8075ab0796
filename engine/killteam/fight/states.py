"""Where the states of a round live, and the one walk over them: which can occur, in what order, what moves do there.

A state is (kind, dice of both, wounds of both). Its *kind* says who has done what so far and whose turn it is; a
Duelist's parry before the first strike is a kind of its own. States with the same number of dice left to either fighter
form a *group*, groups with the same number in all a *layer*. Every move uses up a die, so a layer leads only to lower
ones, at most ``depth`` below, and the groups of a layer do not depend on each other.

The wounds × wounds cells of a state are a *block*. Wounds are counted in *levels*: the numbers strikes can leave, 0
first. Of a fighter's levels a block has the dead one and those from ``low`` upwards: lower ones cannot occur while the
enemy has so many dice left. In a first round, where both start unhurt, that leaves about a ninth of all cells.

:func:`walk` writes all of that down as *orders*, a row of figures for each block: where it is, what is done there
and where each move leads. Tables are filled, carried forward, looked up and played by following orders; nothing else
needs to know dice or abilities.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.killteam.fight.moves import (
    MOVES,
    NONE,
    NOTHING,
    PARRIES,
    Figures,
    Hands,
    Ints,
    duelist_parry,
    habits,
    legal_moves,
)

Orders = NDArray[np.int64]

CRITS, NORMS, DICE = range(3)  # columns of ``Board.hands``
END, PASS, MOVE, OPENING = range(4)  # what is done at a block
# The figures of an order: where its block is in a table, and in a table of all layers; what is done there and by whom;
# the dice on the table; the width of the block, and where wounds (0, 0) would be in it; the habits of named strategies
# (before the first strike only the usual parry). Then those of its moves.
(
    BLOCK, WHOLE_BLOCK, WHAT, TURN, CRITS1, DICE1, CRITS2, DICE2, WIDTH, ORIGIN, IS_START,
    HABIT_STRIKE, HABIT_KILL, HABIT_LAST, HABIT_THEN_KILL, HABIT_PARRY,
) = range(16)  # fmt: skip
# Of each move: the block it leads to (NONE: not legal), the dice left there, and the damage of its strikes.
LEADS, LEFT1, LEFT2, FIRST, SECOND = range(16, 16 + 5 * MOVES, MOVES)
FIGURES = 16 + 5 * MOVES
MOST_ROWS = 16_000  # of orders that are written at once: six megabytes


class Board(NamedTuple):
    """The wounds of a round as compiled loops read them. Levels count up from the dead one."""

    top: Ints  # how many levels either fighter has
    wounds: Ints  # wounds[fighter, level]
    lower: Ints  # lower[fighter, damage, level]: the level after losing so much
    low: Ints  # low[fighter, dice left to the enemy]: the lowest living level that matters


class Round(NamedTuple):
    """A round's fighters, dice and wounds: all that decides which states there are."""

    fighters: tuple[Figures, Figures]
    hands: Ints  # most criticals, normals and dice of either
    board: Board

    @property
    def kinds(self) -> int:
        """(phase of fighter 1, phase of fighter 2, turn), then the Duelists' openings: fighter 2's, fighter 1's."""
        return self._played_kinds + sum(fighter.duelist for fighter in self.fighters)

    @property
    def _played_kinds(self) -> int:
        return self.fighters[0].phases * self.fighters[1].phases * 2

    def kind(self, phase1: int | Ints, phase2: int | Ints, turn: int) -> int | Ints:
        return (phase1 * self.fighters[1].phases + phase2) * 2 + turn

    def opening_kind(self, turn: int) -> int:
        """The kind in which a Duelist may parry before the first strike: fighter 1 first, then fighter 2."""
        return self._played_kinds + (self.fighters[1].duelist if turn == 0 else 0)

    def after_opening(self, turn: int) -> int:
        return self.opening_kind(1) if turn == 0 and self.fighters[1].duelist else 0

    @property
    def start_kind(self) -> int:
        """The kind every round starts in."""
        if self.fighters[0].duelist:
            return self.opening_kind(0)
        return self.opening_kind(1) if self.fighters[1].duelist else 0

    @property
    def depth(self) -> int:
        """More dice than this no single move uses up."""
        return max(fighter.most_dice for fighter in self.fighters)

    def fewest_crits(self, who: int) -> Ints:
        """By dice left."""
        fewest: Ints = np.maximum(0, np.arange(self.hands[who, DICE] + 1) - self.hands[who, NORMS])
        return fewest

    def hands_with(self, who: int) -> Ints:
        """How many hands there are, by dice left."""
        dice = np.arange(self.hands[who, DICE] + 1)
        many: Ints = np.minimum(dice, self.hands[who, CRITS]) - self.fewest_crits(who) + 1
        return many

    def lines(self, who: int) -> Ints:
        """Rows (fighter 1) or columns (fighter 2) of a block, by dice left to the enemy."""
        lines: Ints = 1 + self.board.top[who] - self.board.low[who, : self.hands[1 - who, DICE] + 1]
        return lines

    @property
    def group_cells(self) -> Ints:
        """How many cells each group has, by dice left to either."""
        cells: Ints = self.kinds * np.outer(self.hands_with(0) * self.lines(1), self.hands_with(1) * self.lines(0))
        return cells

    @property
    def cells(self) -> int:
        return int(self.group_cells.sum())

    @property
    def start(self) -> tuple[tuple[int, int], tuple[int, int]]:
        """The lowest living level and the number of levels of either fighter at the start of the round."""
        one, two = (int(self.board.low[who, self.hands[1 - who, DICE]]) for who in (0, 1))
        return (one, int(self.board.top[0])), (two, int(self.board.top[1]))

    @property
    def lowest_after(self) -> tuple[int, int]:
        """The lowest living levels when the round is over."""
        return int(self.board.low[0, 0]), int(self.board.low[1, 0])


# -- laying a round out -----------------------------------------------------------------------------------------------


def levels_of(wounds: int, striker: Figures, strikes_at_most: int) -> Ints:
    """The numbers of wounds that so many strikes can leave, 0 first."""
    reached, newly = {wounds}, {wounds}
    for _ in range(strikes_at_most):
        newly = {max(0, now - damage) for now in newly for damage in striker.strikes} - reached
        if not newly:
            break
        reached |= newly
    return np.array(sorted(reached | {0}), np.int64)


def new_round(fighters: tuple[Figures, Figures], hands: Ints, levels: tuple[Ints, Ints]) -> Round:
    """A round without wounds to start from yet: see :func:`starting`."""
    size = max(fighter.most_damage for fighter in fighters) + 1
    most = max(each.size for each in levels)
    wounds, lower = np.zeros((2, most), np.int64), np.zeros((2, size, most), np.int64)
    for who, own in enumerate(levels):
        wounds[who, : own.size] = own
        number = np.zeros(own[-1] + 1, np.int64)
        number[own] = np.arange(own.size)
        # Where no strike does so, the level does not occur and any serves.
        lower[who, :, : own.size] = number[np.maximum(0, own[None, :] - np.arange(size)[:, None])]
    top = np.array([each.size for each in levels])
    return Round(fighters, hands, Board(top, wounds, lower, np.zeros((2, 1), np.int64)))


def starting(a_round: Round, lowest: tuple[int, int]) -> Round:
    """The round at whose start nobody who lives is below these levels."""
    board, hands = a_round.board, a_round.hands
    low = np.ones((2, int(hands[:, DICE].max()) + 1), np.int64)
    for who in (0, 1):
        now, hardest = lowest[who], max(a_round.fighters[1 - who].strikes)
        own = board.wounds[who, : board.top[who]]
        for dice in range(int(hands[1 - who, DICE]), -1, -1):
            low[who, dice] = now
            now = int(np.searchsorted(own, max(1, int(own[now]) - hardest)))
    return a_round._replace(board=board._replace(low=low))


def split(a_round: Round, parts: int) -> Iterator[Round]:
    """The same round from fewer wounds at a time: parts × parts ranges of levels to start from, the largest first."""
    ranges = []
    for low, top in a_round.start:
        bounds = np.unique(np.linspace(low, top, parts + 1).astype(np.int64)).tolist()
        ranges.append(list(itertools.pairwise(bounds))[::-1])
    for (low1, above1), (low2, above2) in itertools.product(*ranges):
        smaller = a_round.board._replace(top=np.array([above1, above2]))
        yield starting(a_round._replace(board=smaller), (low1, low2))


class Window(NamedTuple):
    """A round with room for its tables. ``stages`` are the groups to fill together, each in parts for the cores."""

    round: Round
    base: Ints  # base[dice1, dice2]: where the cells of a group begin
    whole_base: Ints  # the same with room for every layer
    stages: list[list[Ints]]
    stage_cells: list[int]
    room: int  # cells a table has to hold at once
    cells: int  # cells that are filled in all


def windowed(a_round: Round, *, whole_cells: int, thread_cells: int = 0, cores: int = 1) -> Window:
    """Room for all layers if they have no more than ``whole_cells``, else for as many as moves reach back to."""
    sizes = a_round.group_cells
    layer = np.add.outer(*map(np.arange, sizes.shape))
    order = np.argsort(layer, axis=None, kind="stable")
    groups = np.stack(np.unravel_index(order, sizes.shape), axis=1)
    in_order, of_layer = sizes.ravel()[order], layer.ravel()[order]
    begins = np.cumsum(in_order) - in_order
    whole_base = np.empty_like(sizes)
    whole_base[groups[:, 0], groups[:, 1]] = begins
    total = int(sizes.sum())
    if total <= whole_cells:
        return Window(a_round, whole_base, whole_base, [[groups]], [total], total, total)
    base = np.empty_like(sizes)
    first = np.searchsorted(of_layer, np.arange(of_layer[-1] + 2))
    bounds = list(itertools.pairwise(first))
    stage_cells = [int(in_order[a:b].sum()) for a, b in bounds]
    largest = max(stage_cells)
    kept = min(a_round.depth + 1, first.size - 1)
    base[groups[:, 0], groups[:, 1]] = begins - begins[first[of_layer]] + of_layer % kept * largest
    parts = cores if cores > 1 else 1
    stages = [
        _parts(groups[a:b], in_order[a:b], parts if cells >= thread_cells else 1)
        for (a, b), cells in zip(bounds, stage_cells, strict=True)
    ]
    return Window(a_round, base, whole_base, stages, stage_cells, kept * largest, total)


def _parts(groups: Ints, sizes: Ints, count: int) -> list[Ints]:
    """Split the groups of a layer into parts of about the same size."""
    if count == 1:
        return [groups]
    parts: list[list[int]] = [[] for _ in range(count)]
    load = [0] * count
    for at in np.argsort(-sizes, kind="stable"):
        least = load.index(min(load))
        parts[least].append(int(at))
        load[least] += int(sizes[at])
    return [groups[part] for part in parts if part]


# -- the walk ---------------------------------------------------------------------------------------------------------


class _Places:
    """Finds the blocks of a window."""

    def __init__(self, window: Window) -> None:
        a_round = window.round
        self.fewest = a_round.fewest_crits(0), a_round.fewest_crits(1)
        self.many = a_round.hands_with(0), a_round.hands_with(1)
        self.lines = a_round.lines(0), a_round.lines(1)  # by the enemy's dice
        self.size = np.outer(self.lines[1], self.lines[0])  # [dice1, dice2]
        self.low = a_round.board.low
        self.base, self.whole_base = window.base, window.whole_base

    def offset(self, kind: int | Ints, c1: Ints, d1: Ints, c2: Ints, d2: Ints) -> Ints:
        """Where the block of a state begins in its group."""
        number = (kind * self.many[0][d1] + c1 - self.fewest[0][d1]) * self.many[1][d2] + c2 - self.fewest[1][d2]
        offset: Ints = number * self.size[d1, d2]
        return offset

    def block(self, kind: int | Ints, c1: Ints, d1: Ints, c2: Ints, d2: Ints) -> Ints:
        """Where the block of a state begins in the table."""
        return self.base[d1, d2] + self.offset(kind, c1, d1, c2, d2)


def _hands_of(window: Window, groups: Ints) -> tuple[Ints, Ints, Ints, Ints, Ints]:
    """Every hand of these groups: the number of its group, criticals and dice of fighter 1, of fighter 2."""
    a_round = window.round
    one, two = groups[:, 0], groups[:, 1]
    many2 = a_round.hands_with(1)[two]
    count = a_round.hands_with(0)[one] * many2
    group = np.repeat(np.arange(len(groups)), count)
    number = np.arange(group.size) - np.repeat(np.cumsum(count) - count, count)
    d1, d2 = one[group], two[group]
    c1 = a_round.fewest_crits(0)[d1] + number // many2[group]
    c2 = a_round.fewest_crits(1)[d2] + number % many2[group]
    return group, c1, d1, c2, d2


def walk(window: Window, groups: Ints) -> Orders:
    """``orders[block, figure]`` for each block of these groups, in an order in which only known blocks are needed.

    It depends on dice, abilities and the layout of wounds alone, so that all tables and rounds on a board can share it.
    """
    a_round, places = window.round, _Places(window)
    group, *dice = _hands_of(window, groups)
    orders = np.empty((FIGURES, a_round.kinds, group.size), np.int64)
    rank = np.empty((a_round.kinds, group.size), np.int64)
    for phase1, phase2 in itertools.product(*(range(fighter.phases) for fighter in a_round.fighters)):
        for turn in (0, 1):
            kind = int(a_round.kind(phase1, phase2, turn))
            _write_block(orders[:, kind], places, kind, turn, dice)
            _write_turn(orders[:, kind], a_round, places, (phase1, phase2), turn, dice)
            rank[kind] = np.where(dice[1] > 0, turn, 1 - turn)  # who has no dice passes, to a block that is known
    for turn in (0, 1):
        if a_round.fighters[turn].duelist:
            kind = a_round.opening_kind(turn)
            _write_block(orders[:, kind], places, kind, turn, dice)
            _write_opening(orders[:, kind], a_round, places, turn, dice)
            rank[kind] = 3 - turn
    orders[IS_START] = 0
    orders[IS_START, a_round.start_kind] = 1
    in_order = np.argsort((group * 4 + rank).ravel(), kind="stable")
    return np.ascontiguousarray(orders.reshape(FIGURES, -1).T[in_order])


def walks(window: Window, stages: list[list[Ints]]) -> Iterator[list[Orders]]:
    """The orders of these stages, each in its parts. Short stages are walked together, as NumPy charges by the call."""
    a_round = window.round
    rows = a_round.kinds * np.outer(a_round.hands_with(0), a_round.hands_with(1))
    sizes = [[int(rows[part[:, 0], part[:, 1]].sum()) for part in stage] for stage in stages]
    first = 0
    while first < len(stages):
        end, many = first + 1, sum(sizes[first])
        while end < len(stages) and many + sum(sizes[end]) <= MOST_ROWS:
            many += sum(sizes[end])
            end += 1
        orders = walk(window, np.concatenate([part for stage in stages[first:end] for part in stage]))
        begin = 0
        for of_stage in sizes[first:end]:
            bounds = list(itertools.accumulate(of_stage, initial=begin))
            yield [orders[a:b] for a, b in itertools.pairwise(bounds)]
            begin = bounds[-1]
        first = end


def _write_block(order: Orders, places: _Places, kind: int, turn: int, dice: list[Ints]) -> None:
    c1, d1, c2, d2 = dice
    offset = places.offset(kind, c1, d1, c2, d2)
    order[BLOCK], order[WHOLE_BLOCK] = places.base[d1, d2] + offset, places.whole_base[d1, d2] + offset
    order[TURN], order[CRITS1], order[DICE1], order[CRITS2], order[DICE2] = turn, c1, d1, c2, d2
    width = places.lines[1][d1]
    order[WIDTH] = width
    order[ORIGIN] = order[BLOCK] - (places.low[0][d2] - 1) * width - (places.low[1][d1] - 1)


def _mine(turn: int, dice: list[Ints]) -> Hands:
    c1, d1, c2, d2 = dice
    return Hands(c1, d1 - c1, c2, d2 - c2) if turn == 0 else Hands(c2, d2 - c2, c1, d1 - c1)


def _dice_after(turn: int, after: Hands) -> tuple[Ints, Ints, Ints, Ints]:
    one, two = (after[:2], after[2:]) if turn == 0 else (after[2:], after[:2])
    return one[0], one[0] + one[1], two[0], two[0] + two[1]


def _write_turn(
    order: Orders, a_round: Round, places: _Places, phases: tuple[int, int], turn: int, dice: list[Ints]
) -> None:
    """What may be done at the blocks of one kind, and what named strategies do."""
    c1, d1, c2, d2 = dice
    me, foe, phase = a_round.fighters[turn], a_round.fighters[1 - turn], phases[turn]
    hands = _mine(turn, dice)
    moves = legal_moves(hands, phase, me, foe)
    own = dice[1] if turn == 0 else dice[3]
    order[WHAT] = np.where(own > 0, MOVE, np.where(d1 + d2 > 0, PASS, END))
    kinds = a_round.kind(moves.phase, phases[1], 1) if turn == 0 else a_round.kind(phases[0], moves.phase, 0)
    after = _dice_after(turn, moves.after)
    order[LEADS : LEADS + MOVES] = np.where(moves.legal, places.block(kinds, *after), NONE)
    order[LEFT1 : LEFT1 + MOVES], order[LEFT2 : LEFT2 + MOVES] = after[1], after[3]
    order[FIRST : FIRST + MOVES], order[SECOND : SECOND + MOVES] = moves.first, moves.second
    order[HABIT_STRIKE : HABIT_PARRY + 1] = habits(hands, phase, me, foe, moves)
    if (own == 0).any():
        other = places.block(a_round.kind(*phases, 1 - turn), c1, d1, c2, d2)
        order[LEADS] = np.where(own > 0, order[LEADS], other)


def _write_opening(order: Orders, a_round: Round, places: _Places, turn: int, dice: list[Ints]) -> None:
    """A Duelist's ways before the first strike: to do nothing, and each parry."""
    _, d1, _, d2 = dice
    me, foe, kind = a_round.fighters[turn], a_round.fighters[1 - turn], a_round.after_opening(turn)
    hands = _mine(turn, dice)
    moves = legal_moves(hands, 0, me, foe)
    after = _dice_after(turn, moves.after)
    order[WHAT] = OPENING
    order[LEADS : LEADS + MOVES] = NONE
    for parry in PARRIES:
        legal = moves.legal[parry] & (d1 > 0) & (d2 > 0)
        there = [figures[parry] for figures in after]
        order[LEADS + parry] = np.where(legal, places.block(kind, *there), NONE)
        order[LEFT1 + parry], order[LEFT2 + parry] = there[1], there[3]
    order[LEADS + NOTHING], order[LEFT1 + NOTHING], order[LEFT2 + NOTHING] = places.block(kind, *dice), d1, d2
    order[FIRST : SECOND + MOVES] = NONE
    order[HABIT_STRIKE], order[HABIT_PARRY] = NOTHING, duelist_parry(hands, foe, moves)
    order[HABIT_KILL : HABIT_THEN_KILL + 1] = NONE

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
from bisect import bisect_left
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.killteam.fight.moves import (
    ALWAYS,
    MOVES,
    NONE,
    NORM_STRIKE,
    NOTHING,
    PARRIES,
    Bools,
    Counts,
    Figures,
    Hands,
    Ints,
    Moves,
    Situation,
    duelist_parry,
    habits,
    hands_up_to,
    legal_moves,
)

Orders = NDArray[np.int32]  # a budget's memory is less than 2³¹ cells

DICE = 2  # in ``Hands.most``
END, PASS, MOVE, OPENING = range(4)  # what is done at a block
# The figures of an order: where its block is in a table, and in a table of all layers; what is done there and by whom;
# the hands on the table and their dice; the width of the block, and where wounds (0, 0) would be in it; the habits of
# named strategies (before the first strike only the usual parry). Then those of its moves.
(
    BLOCK, WHOLE_BLOCK, WHAT, TURN, HAND1, HAND2, DICE1, DICE2, WIDTH, ORIGIN, IS_START,
    HABIT_STRIKE, HABIT_KILL, HABIT_LAST, HABIT_THEN_KILL, HABIT_PARRY,
) = range(16)  # fmt: skip
# Of each move: the block it leads to (NONE: not legal), the dice left there, and the damage of its strikes.
LEADS, LEFT1, LEFT2, FIRST, SECOND = range(16, 16 + 5 * MOVES, MOVES)
FIGURES = 16 + 5 * MOVES
MOST_ROWS = 16_000  # of orders that are written at once: six megabytes
REMEMBERED_ROWS = 2_500  # of a script that is remembered, 200 bytes each; five dice against five have 900


class Board(NamedTuple):
    """The wounds of a round as compiled loops read them. Levels count up from the dead one."""

    top: Ints  # how many levels either fighter has
    wounds: Ints  # wounds[fighter, level]
    lower: Ints  # lower[fighter, damage, level]: the level after losing so much
    low: Ints  # low[fighter, dice left to the enemy]: the lowest living level that matters


class Kinds(NamedTuple):
    """The kinds of states of two fighters, by number: (phase of fighter 1, phase of fighter 2, turn), then the
    openings of Duelists, fighter 2's before fighter 1's."""

    one: Figures
    two: Figures

    @property
    def many(self) -> int:
        return self._played + self.one.duelist + self.two.duelist

    @property
    def _played(self) -> int:
        return self.one.phases * self.two.phases * 2

    def number(self, phase1: int | Ints, phase2: int | Ints, turn: int) -> int | Ints:
        return (phase1 * self.two.phases + phase2) * 2 + turn

    def opening(self, turn: int) -> int:
        """The kind in which a Duelist may parry before the first strike: fighter 1 first, then fighter 2."""
        return self._played + (self.two.duelist if turn == 0 else 0)

    def after_opening(self, turn: int) -> int:
        return self.opening(1) if turn == 0 and self.two.duelist else 0

    @property
    def start(self) -> int:
        """The kind every round starts in."""
        if self.one.duelist:
            return self.opening(0)
        return self.opening(1) if self.two.duelist else 0


class Round(NamedTuple):
    """A round's fighters, dice and wounds: all that decides which states there are."""

    fighters: tuple[Figures, Figures]
    hands: tuple[Hands, Hands]  # that either may hold
    board: Board

    @property
    def kinds(self) -> Kinds:
        return Kinds(*self.fighters)

    @property
    def depth(self) -> int:
        """More dice than this no single move uses up."""
        return max(fighter.most_dice for fighter in self.fighters)

    def lines(self, who: int) -> Ints:
        """Rows (fighter 1) or columns (fighter 2) of a block, by dice left to the enemy."""
        lines: Ints = 1 + self.board.top[who] - self.board.low[who, : self.hands[1 - who].fewest.size]
        return lines

    @property
    def group_cells(self) -> Ints:
        """How many cells each group has, by dice left to either."""
        one, two = self.hands
        cells: Ints = self.kinds.many * np.multiply.outer(one.many * self.lines(1), two.many * self.lines(0))
        return cells

    @property
    def cells(self) -> int:
        return int(self.group_cells.sum())

    @property
    def start(self) -> tuple[tuple[int, int], tuple[int, int]]:
        """The lowest living level and the number of levels of either fighter at the start of the round."""
        one, two = (int(self.board.low[who, self.hands[1 - who].most[DICE]]) for who in (0, 1))
        return (one, int(self.board.top[0])), (two, int(self.board.top[1]))

    @property
    def lowest_after(self) -> tuple[int, int]:
        """The lowest living levels when the round is over."""
        return int(self.board.low[0, 0]), int(self.board.low[1, 0])


# -- laying a round out -----------------------------------------------------------------------------------------------


def levels_of(wounds: int, striker: Figures, strikes_at_most: int) -> Ints:
    """The numbers of wounds that so many strikes can leave, 0 first."""
    reached, newly, strikes = {wounds}, {wounds}, striker.strikes
    for _ in range(strikes_at_most):
        newly = {max(0, now - damage) for now in newly for damage in strikes} - reached
        if not newly:
            break
        reached |= newly
    return np.array(sorted(reached | {0}), np.int64)


def new_round(fighters: tuple[Figures, Figures], hands: tuple[Hands, Hands], levels: tuple[Ints, Ints]) -> Round:
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
    board, dice_left = a_round.board, [hands.most[DICE] for hands in a_round.hands]
    low = np.ones((2, max(dice_left) + 1), np.int64)
    for who in (0, 1):
        now, hardest = lowest[who], max(a_round.fighters[1 - who].strikes)
        own = board.wounds[who, : board.top[who]].tolist()
        for dice in range(dice_left[1 - who], -1, -1):
            low[who, dice] = now
            now = bisect_left(own, max(1, own[now] - hardest))
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
    """A round with room for its tables. ``stages`` are the groups to fill together, each in parts for the cores.

    Where a block begins goes by the hands of both: ``place`` is that of the first kind, ``kind_cells`` further that of
    the next; ``whole_place`` is the same with room for every layer.
    """

    round: Round
    place: Ints
    whole_place: Ints
    kind_cells: Ints
    stages: list[list[Ints]]
    stage_cells: list[int]
    room: int  # cells a table has to hold at once
    cells: int  # cells that are filled in all

    @property
    def is_whole(self) -> bool:
        """All layers have room at once."""
        return self.place is self.whole_place

    def block(self, kind: int | Ints, hand1: Ints, hand2: Ints) -> Ints:
        """Where the blocks of these hands begin."""
        at = hand1 * self.place.shape[1] + hand2
        block: Ints = self.place.take(at) + kind * self.kind_cells.take(at)
        return block


def windowed(a_round: Round, *, whole_cells: int, thread_cells: int = 0, cores: int = 1) -> Window:
    """Room for all layers if they have no more than ``whole_cells``, else for as many as moves reach back to."""
    sizes = a_round.group_cells
    begins = np.cumsum(sizes).reshape(sizes.shape) - sizes
    total = int(sizes.sum())
    in_group, kind_cells = _in_group(a_round)
    whole_place = in_group + _by_hand(a_round, begins)
    if total <= whole_cells:
        stages = [[_all_groups(a_round.hands)]]
        return Window(a_round, whole_place, whole_place, kind_cells, stages, [total], total, total)
    base, stages, stage_cells, room = _layered(a_round, sizes, thread_cells, cores)
    place = in_group + _by_hand(a_round, base)
    return Window(a_round, place, whole_place, kind_cells, stages, stage_cells, room, total)


def _by_hand(a_round: Round, by_dice: Ints) -> Ints:
    """What goes by the dice of both, by their hands."""
    one, two = a_round.hands
    by_hand: Ints = by_dice[one.dice[:, None], two.dice]
    return by_hand


def _in_group(a_round: Round) -> tuple[Ints, Ints]:
    """Where in its group the block of the first kind begins, and the cells of a kind, by the hands of both."""
    one, two = a_round.hands
    many2 = two.many[two.dice]
    kind_cells = _by_hand(a_round, np.multiply.outer(one.many * a_round.lines(1), two.many * a_round.lines(0)))
    number1, number2 = (np.arange(hands.size) - hands.first[hands.dice] for hands in (one, two))
    block_cells = _by_hand(a_round, np.multiply.outer(a_round.lines(1), a_round.lines(0)))
    return (np.multiply.outer(number1, many2) + number2) * block_cells, kind_cells


def _layered(
    a_round: Round, sizes: Ints, thread_cells: int, cores: int
) -> tuple[Ints, list[list[Ints]], list[int], int]:
    """A stage for each layer: where groups begin, the stages, their cells, and the room that the layers need."""
    layer = np.add.outer(*map(np.arange, sizes.shape))
    order = np.argsort(layer, axis=None, kind="stable")
    groups = np.stack(np.unravel_index(order, sizes.shape), axis=1)
    in_order, of_layer = sizes.ravel()[order], layer.ravel()[order]
    begins = np.cumsum(in_order) - in_order
    first = np.searchsorted(of_layer, np.arange(of_layer[-1] + 2))
    bounds = list(itertools.pairwise(first))
    stage_cells = [int(in_order[a:b].sum()) for a, b in bounds]
    largest = max(stage_cells)
    kept = min(a_round.depth + 1, first.size - 1)
    base = np.empty_like(sizes)
    base[groups[:, 0], groups[:, 1]] = begins - begins[first[of_layer]] + of_layer % kept * largest
    stages = [
        _parts(groups[a:b], in_order[a:b], cores if cells >= thread_cells else 1)
        for (a, b), cells in zip(bounds, stage_cells, strict=True)
    ]
    return base, stages, stage_cells, kept * largest


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


class Script(NamedTuple):
    """The blocks of some groups in the order in which they are filled, and what moves do there: all of their orders
    that depends neither on wounds nor on damage, so that fights with the same dice and abilities share it."""

    orders: NDArray[np.int16]  # with what is known so far
    kind: Ints  # [block]
    at: Ints  # [block]: the hands of both as one number
    legal: Bools  # [block, move]
    kind_after: NDArray[np.int16]  # [block, move]
    at_after: Ints
    second: NDArray[np.int8]  # [block, move]: NONE, or which damage a second strike does
    strikes_only: Bools  # [block]: named strategies always strike
    to_come: NDArray[np.int16]  # [block, 2]: criticals and normals that are left after the last parry


def walk(window: Window, groups: Ints) -> Orders:
    """``orders[block, figure]`` for each block of these groups, in an order in which only known blocks are needed.

    It depends on dice, abilities and the layout of wounds alone, so that all tables and rounds on a board can share it.
    """
    a_round = window.round
    kinds, (one, two) = a_round.kinds, a_round.hands
    if window.is_whole and kinds.many * one.size * two.size <= REMEMBERED_ROWS:
        script = _whole_script(_traits(kinds.one), _traits(kinds.two), one.most, two.most)
    else:
        script = _script(kinds, a_round.hands, groups)
    orders = script.orders.astype(np.int32)
    _write_blocks(orders, script, window)
    _write_damage(orders, script, kinds)
    return orders


def walks(window: Window, stages: list[list[Ints]]) -> Iterator[list[Orders]]:
    """The orders of these stages, each in its parts. Short stages are walked together, as NumPy charges by the call."""
    a_round = window.round
    one, two = a_round.hands
    rows = a_round.kinds.many * np.multiply.outer(one.many, two.many)
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


# -- what dice and abilities decide -----------------------------------------------------------------------------------


def _traits(fighter: Figures) -> Figures:
    """A fighter whatever damage it does."""
    return fighter._replace(norm=0, crit=0)


@lru_cache(maxsize=64)
def _whole_script(one: Figures, two: Figures, most1: Counts, most2: Counts) -> Script:
    """The script of all groups, remembered: whoever has fewer dice comes first."""
    hands = hands_up_to(*most1), hands_up_to(*most2)
    return _script(Kinds(one, two), hands, _all_groups(hands))


def _all_groups(hands: tuple[Hands, Hands]) -> Ints:
    shape = hands[0].many.size, hands[1].many.size
    return np.stack(np.unravel_index(np.arange(shape[0] * shape[1]), shape), axis=1)


def _script(kinds: Kinds, hands: tuple[Hands, Hands], groups: Ints) -> Script:
    group, hand1, hand2 = _hands_of(hands, groups)
    shape = kinds.many, group.size
    script = Script(
        np.zeros((*shape, FIGURES), np.int16),
        np.repeat(np.arange(kinds.many)[:, None], group.size, axis=1),
        np.repeat((hand1 * hands[1].size + hand2)[None], kinds.many, axis=0),
        np.zeros((*shape, MOVES), np.bool_),
        np.zeros((*shape, MOVES), np.int16),
        np.zeros((*shape, MOVES), np.int64),
        np.full((*shape, MOVES), NONE, np.int8),
        np.ones(shape, np.bool_),
        np.zeros((*shape, 2), np.int16),
    )
    d1, d2, rank = hands[0].dice[hand1], hands[1].dice[hand2], np.empty(shape, np.int64)
    for figure, common in ((HAND1, hand1), (HAND2, hand2), (DICE1, d1), (DICE2, d2)):
        script.orders[:, :, figure] = common
    script.orders[:, :, IS_START] = np.arange(kinds.many)[:, None] == kinds.start
    for phase1, phase2 in itertools.product(range(kinds.one.phases), range(kinds.two.phases)):
        for turn in (0, 1):
            kind = int(kinds.number(phase1, phase2, turn))
            _write_turn(_of_kind(script, kind), kinds, hands, (phase1, phase2), turn)
            rank[kind] = np.where(d1 > 0, turn, 1 - turn)  # who has no dice passes, to a block that is known
    for turn in (0, 1):
        if kinds[turn].duelist:
            kind = kinds.opening(turn)
            _write_opening(_of_kind(script, kind), kinds, hands, turn)
            rank[kind] = 3 - turn
    in_order = np.argsort((group * 4 + rank).ravel(), kind="stable")
    return Script._make(each.reshape(-1, *each.shape[2:]).take(in_order, axis=0) for each in script)


def _of_kind(script: Script, kind: int) -> Script:
    return Script._make(each[kind] for each in script)


def _hands_of(hands: tuple[Hands, Hands], groups: Ints) -> tuple[Ints, Ints, Ints]:
    """Every pair of hands of these groups: the number of its group, the hand of fighter 1, of fighter 2."""
    one, two = hands
    d1, d2 = groups[:, 0], groups[:, 1]
    many2 = two.many[d2]
    count = one.many[d1] * many2
    group = np.repeat(np.arange(len(groups)), count)
    number = np.arange(group.size) - (np.cumsum(count) - count)[group]
    in_hand1, in_hand2 = np.divmod(number, many2[group])
    return group, one.first[d1][group] + in_hand1, two.first[d2][group] + in_hand2


def _write_moves(part: Script, hands: tuple[Hands, Hands], turn: int, moves: Moves, kinds_after: Ints) -> Situation:
    """Which moves there are at the blocks of one kind, and where they lead."""
    order = part.orders
    both = order[:, HAND1].astype(np.int64), order[:, HAND2].astype(np.int64)
    own, foe = both if turn == 0 else both[::-1]
    part.legal[:] = moves.own.legal[own] & moves.foe.legal[foe]
    after, left = (moves.own.after[own], moves.foe.after[foe]), (moves.own.left[own], moves.foe.left[foe])
    one, two = (0, 1) if turn == 0 else (1, 0)
    part.kind_after[:], part.at_after[:] = kinds_after, after[one] * hands[1].size + after[two]
    order[:, LEFT1 : LEFT1 + MOVES], order[:, LEFT2 : LEFT2 + MOVES] = left[one], left[two]
    order[:, TURN] = turn
    mine, enemy = hands[turn], hands[1 - turn]
    return Situation(mine.crits[own], mine.norms[own], enemy.crits[foe], enemy.norms[foe], own, part.legal)


def _write_turn(part: Script, kinds: Kinds, hands: tuple[Hands, Hands], phases: tuple[int, int], turn: int) -> None:
    """What may be done at the blocks of one kind, and what named strategies do."""
    order, me, enemy, phase = part.orders, kinds[turn], kinds[1 - turn], phases[turn]
    moves = legal_moves((hands[turn], hands[1 - turn]), phase, me, enemy)
    after = kinds.number(moves.phase, phases[1], 1) if turn == 0 else kinds.number(phases[0], moves.phase, 0)
    at = _write_moves(part, hands, turn, moves, np.asarray(after))
    part.second[:] = moves.second[at.own]
    habit = habits(at, phase, me, enemy, moves)
    order[:, HABIT_STRIKE], order[:, HABIT_LAST], order[:, HABIT_PARRY] = habit.strike, habit.last, habit.parry
    part.strikes_only[:], part.to_come[:, 0], part.to_come[:, 1] = habit.strikes_only, habit.crits, habit.norms
    order[:, WHAT] = MOVE
    idle = order[:, DICE1 if turn == 0 else DICE2] == 0
    order[idle, WHAT] = np.where(order[idle, DICE1] + order[idle, DICE2] > 0, PASS, END)
    part.legal[idle, 0] = True
    part.kind_after[idle, 0], part.at_after[idle, 0] = kinds.number(*phases, 1 - turn), part.at[idle]


def _write_opening(part: Script, kinds: Kinds, hands: tuple[Hands, Hands], turn: int) -> None:
    """A Duelist's ways before the first strike: to do nothing, and each parry."""
    order, me, enemy = part.orders, kinds[turn], kinds[1 - turn]
    moves = legal_moves((hands[turn], hands[1 - turn]), 0, me, enemy)
    at = _write_moves(part, hands, turn, moves, np.full(MOVES, kinds.after_opening(turn)))
    part.legal[:, : min(PARRIES)] = False
    part.legal[:, NOTHING], part.at_after[:, NOTHING] = True, part.at
    order[:, LEFT1 + NOTHING], order[:, LEFT2 + NOTHING] = order[:, DICE1], order[:, DICE2]
    order[:, WHAT] = OPENING
    order[:, HABIT_STRIKE], order[:, HABIT_LAST], order[:, HABIT_PARRY] = NOTHING, NONE, duelist_parry(at, enemy)


# -- what wounds and damage decide ------------------------------------------------------------------------------------


def _write_blocks(orders: Orders, script: Script, window: Window) -> None:
    """Where blocks are, and which ones moves lead to."""
    a_round = window.round
    d1, d2, low = orders[:, DICE1], orders[:, DICE2], a_round.board.low
    of_kind = script.kind * window.kind_cells.take(script.at)
    block, width = window.place.take(script.at) + of_kind, a_round.lines(1)[d1]
    orders[:, BLOCK], orders[:, WIDTH] = block, width
    orders[:, WHOLE_BLOCK] = block if window.is_whole else window.whole_place.take(script.at) + of_kind
    orders[:, ORIGIN] = block - ((low[0][d2] - 1) * width + low[1][d1] - 1)
    leads = window.place.take(script.at_after) + script.kind_after * window.kind_cells.take(script.at_after)
    orders[:, LEADS : LEADS + MOVES] = np.where(script.legal, leads, NONE)


def _write_damage(orders: Orders, script: Script, kinds: Kinds) -> None:
    """What strikes do, and the wounds up to which named strategies kill with them."""
    first = np.full((kinds.many, MOVES), NONE)
    bonus = np.zeros(kinds.many, np.int64)
    for phase1, phase2 in itertools.product(range(kinds.one.phases), range(kinds.two.phases)):
        for turn, phase in enumerate((phase1, phase2)):
            me, kind = kinds[turn], kinds.number(phase1, phase2, turn)
            first[kind, : NORM_STRIKE + 1] = me.damage(phase, True), me.damage(phase, True), me.damage(phase, False)
            bonus[kind] = me.hammer and me.is_fresh(phase)
    orders[:, FIRST : FIRST + MOVES] = first.take(script.kind, axis=0)
    orders[:, SECOND : SECOND + MOVES] = NONE
    strike, last, whose = orders[:, HABIT_STRIKE], orders[:, HABIT_LAST], orders[:, TURN]
    kill = first.take(script.kind * MOVES + strike)
    if kinds.one.murderous or kinds.two.murderous:
        second = np.array([[NONE, me.norm, me.crit] for me in kinds])[whose[:, None], np.maximum(0, script.second)]
        orders[:, SECOND : SECOND + MOVES] = second
        kill += np.maximum(0, second[np.arange(strike.size), strike])
    crits, norms = script.to_come.T
    to_come = crits * np.array([me.crit for me in kinds])[whose] + norms * np.array([me.norm for me in kinds])[whose]
    to_come += bonus[script.kind] * (crits + norms > 0)
    orders[:, HABIT_KILL] = np.where(script.strikes_only, ALWAYS, kill)
    orders[:, HABIT_THEN_KILL] = np.where(last == NONE, NONE, np.minimum(to_come, ALWAYS))
    openings = orders[:, WHAT] == OPENING
    orders[openings, HABIT_KILL] = NONE

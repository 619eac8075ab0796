"""Two fighters made ready for the tables: their dice, the wounds that can occur, the board of each round.

Fighter 1 acts first. How the tables are filled is the business of :mod:`engine.killteam.ranks` and
:mod:`engine.killteam.chances`; this is what both share, with the size of the work known beforehand.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import contextmanager
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from engine.dice.pmf import Array
from engine.killteam.board import DICE, Board, Ints, Window, levels_of, lowest_after, new_board, starting, windowed
from engine.killteam.moves import DUELIST, MAX_DAMAGE, MIN_DAMAGE, OPTIMAL, STRIKE, fighter_row
from engine.killteam.pool import Grid, distribution, roll_of
from engine.killteam.profile import MAX_WOUNDS, Fighter, FightOptions, FnpMode, Strategy

STRATEGY_CODE = {
    Strategy.STRIKE: STRIKE,
    Strategy.PARRY: 1,
    Strategy.MAX_DMG_TO_ENEMY: MAX_DAMAGE,
    Strategy.MIN_DMG_TO_SELF: MIN_DAMAGE,
    Strategy.OPTIMAL: OPTIMAL,
}
LOOKS_AHEAD = (MAX_DAMAGE, MIN_DAMAGE)
Codes = tuple[int, int]
Hand = tuple[int, int]
Progress = Callable[[int, int], object]

WHOLE = 500_000  # cells up to which a table is filled in one go, all layers kept


class Arena:
    """Two fighters and how they play."""

    def __init__(
        self,
        fighter1: Fighter,
        fighter2: Fighter,
        options: FightOptions,
        *,
        hands: tuple[Hand, Hand] | None = None,
        from_anywhere: bool = False,
    ) -> None:
        """``hands`` are dice that lie on the table; without them they are rolled.

        ``from_anywhere`` reckons with wounds that more dice than are rolled may have left.
        """
        self.from_anywhere = from_anywhere
        self.options = options
        self.rounds = options.num_rounds
        fighters = fighter1, fighter2
        self.wounds = fighter1.wounds, fighter2.wounds
        self.rows = fighter_row(fighter1, fighter2), fighter_row(fighter2, fighter1)
        self.codes: Codes = STRATEGY_CODE[options.strategy1], STRATEGY_CODE[options.strategy2]
        self.odds = (
            (_on_the_table(hands[0]), _on_the_table(hands[1]))
            if hands
            else (self._odds(fighter1), self._odds(fighter2))
        )
        self.hands = np.array([_most(odds) for odds in self.odds])
        self.injured = self._injured(fighter1), self._injured(fighter2)
        # A fighter's losses depend on its own Feel No Pain; loss tables are kept by who strikes.
        self.losses = _loss_table(fighter2, options), _loss_table(fighter1, options)
        self.chance = any(fighter.fnp for fighter in fighters)
        self.cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1

    def _odds(self, fighter: Fighter) -> Grid:
        """P(criticals, normals), healthy and injured."""
        chain = self.options.severe_triggers_crit_rules
        worse = (0, int(self.options.injury))
        return np.stack([distribution(roll_of(fighter, worse=step, chain=chain)) for step in worse])

    def _injured(self, fighter: Fighter) -> Ints:
        """1 for each number of wounds below half of what the fighter started with, if injury is played (K10)."""
        wounds = np.arange(fighter.wounds + 1)
        return (2 * wounds < fighter.wounds).astype(np.int64) * int(self.options.injury)

    def duelist(self, turn: int) -> bool:
        return bool(self.rows[turn][DUELIST])

    # -- wounds and boards --------------------------------------------------------------------------------------------

    @cached_property
    def levels(self) -> tuple[Ints, Ints]:
        """The wounds that can occur: with Feel No Pain any, else those that strikes can leave."""
        if self.chance:
            return np.arange(self.wounds[0] + 1), np.arange(self.wounds[1] + 1)
        dice = np.array([MAX_WOUNDS] * 2) if self.from_anywhere else self.hands[:, DICE] * self.rounds
        return levels_of(self.wounds[0], self.rows[1], dice[1]), levels_of(self.wounds[1], self.rows[0], dice[0])

    @cached_property
    def hurt(self) -> tuple[Ints, Ints]:
        """By level, 1 if the fighter is injured."""
        return self.injured[0][self.levels[0]], self.injured[1][self.levels[1]]

    @cached_property
    def board(self) -> Board:
        return new_board(self.rows, self.hands, self.levels)

    @cached_property
    def boards(self) -> list[Board]:
        """The board of each round: the first starts from full wounds, the others from wherever the last may end."""
        lowest = int(self.board.top[0]) - 1, int(self.board.top[1]) - 1
        boards = []
        for _ in range(self.rounds):
            boards.append(starting(self.board, lowest))
            lowest = lowest_after(boards[-1])
        return boards

    def window(self, board: Board, *, whole: int | None = None) -> Window:
        return windowed(board, whole=WHOLE if whole is None else whole, cores=self.cores)

    @contextmanager
    def pool(self, window: Window) -> Iterator[Executor | None]:
        """Threads for the parts of a stage, where there are any: the compiled loops leave the interpreter to others."""
        if any(len(parts) > 1 for parts in window.stages):
            with ThreadPoolExecutor(self.cores) as pool:
                yield pool
        else:
            yield None

    # -- strategies ---------------------------------------------------------------------------------------------------

    def against_a_striker(self, turn: int) -> Codes:
        """What look-ahead supposes: the enemy strikes (ruling K9)."""
        return (self.codes[0], STRIKE) if turn == 0 else (STRIKE, self.codes[1])

    @property
    def guides(self) -> int:
        """How many tables look-ahead needs besides the fight's own."""
        return sum(code in LOOKS_AHEAD for code in self.codes)

    def aim(self, turn: int, wounds1: NDArray[np.int64], wounds2: NDArray[np.int64]) -> NDArray[np.int64]:
        """What a look-ahead strategy wants at the end of the round, by both levels."""
        own, foe = np.meshgrid(wounds1, wounds2, indexing="ij")[:: 1 if turn == 0 else -1]
        return -foe if self.codes[turn] == MAX_DAMAGE else own


def final_values(wounds1: Ints, wounds2: Ints) -> tuple[Array, Array]:
    """Both criteria when the fight is over: who is dead, and the difference of wounds."""
    w1, w2 = np.meshgrid(wounds1, wounds2, indexing="ij")
    return (w2 == 0).astype(np.float64) - (w1 == 0), (w1 - w2).astype(np.float64)


def out(mass: Array) -> Array:
    """The part of the probability in which somebody is dead already and no round is fought."""
    over = mass.copy()
    over[1:, 1:] = 0.0
    return over


def _on_the_table(hand: Hand) -> Grid:
    odds = np.zeros((2, hand[0] + 1, hand[1] + 1))
    odds[:, hand[0], hand[1]] = 1.0
    return odds


def _most(odds: Grid) -> tuple[int, int, int]:
    """Most criticals, normals and dice that can be rolled."""
    _, crits, norms = np.nonzero(odds)
    return int(crits.max()), int(norms.max()), int((crits + norms).max())


def _loss_table(victim: Fighter, options: FightOptions) -> Array:
    """loss[damage, wounds lost] for a strike on this fighter (ruling K8)."""
    size = 32  # a strike does at most 30, and 1 more with Hammerhand
    loss = np.zeros((size, size))
    per_hit = (victim.fnp_mode or options.fnp_mode) == FnpMode.PER_HIT
    ignores = (7 - victim.fnp) / 6 if victim.fnp else 0.0
    loss[0, 0] = 1.0
    for damage in range(1, size):
        if per_hit:
            loss[damage, damage], loss[damage, damage - 1] = 1.0 - ignores, ignores
        else:
            loss[damage, 1:] = loss[damage - 1, :-1] * (1.0 - ignores)
            loss[damage] += loss[damage - 1] * ignores
    return loss

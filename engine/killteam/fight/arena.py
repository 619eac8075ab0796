"""Two fighters made ready for the tables: their dice, the wounds that can occur, the rounds they fight.

Fighter 1 acts first. How tables are filled is the business of :mod:`~engine.killteam.fight.certain` and
:mod:`~engine.killteam.fight.chance`; this is what both share, with the size of the work known beforehand.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import contextmanager
from contextvars import copy_context
from functools import cached_property
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from engine.dice.pmf import Array
from engine.killteam.fight.budget import Budget
from engine.killteam.fight.moves import (
    MAX_DAMAGE,
    MIN_DAMAGE,
    OPTIMAL,
    PARRY,
    STRIKE,
    Counts,
    Ints,
    figures,
    hands_up_to,
)
from engine.killteam.fight.states import (
    DICE,
    Round,
    Window,
    levels_of,
    new_round,
    split,
    starting,
    windowed,
)
from engine.killteam.pool import Grid, distribution, roll_of
from engine.killteam.profile import MAX_WOUNDS, Fighter, FightOptions, FnpMode, Strategy

STRATEGY_CODE = {
    Strategy.STRIKE: STRIKE,
    Strategy.PARRY: PARRY,
    Strategy.MAX_DMG_TO_ENEMY: MAX_DAMAGE,
    Strategy.MIN_DMG_TO_SELF: MIN_DAMAGE,
    Strategy.OPTIMAL: OPTIMAL,
}
LOOKS_AHEAD = (MAX_DAMAGE, MIN_DAMAGE)
LOSS_SIZE = 32  # a strike does at most 30, and 1 more with Hammerhand
Codes = tuple[int, int]
Hand = tuple[int, int]
Progress = Callable[[int, int], object]
Walked = TypeVar("Walked")


class Arena:
    """Two fighters and how they play."""

    def __init__(
        self,
        fighter1: Fighter,
        fighter2: Fighter,
        options: FightOptions,
        budget: Budget,
        *,
        odds: tuple[Grid, Grid] | None = None,
        from_anywhere: bool = False,
        every_wound: bool = False,
    ) -> None:
        """``odds`` are P(criticals, normals) of dice that lie on the table, in whole or in part; else they are rolled.

        ``from_anywhere`` reckons with wounds that more dice than are rolled may have left; ``every_wound`` with all
        there are, as Feel No Pain does.
        """
        self.from_anywhere = from_anywhere
        self.options, self.budget = options, budget
        self.rounds = options.num_rounds
        self.wounds = fighter1.wounds, fighter2.wounds
        self.fighters = figures(fighter1, fighter2), figures(fighter2, fighter1)
        self.codes: Codes = STRATEGY_CODE[options.strategy1], STRATEGY_CODE[options.strategy2]
        if odds is None:
            self.odds = self._odds(fighter1), self._odds(fighter2)
        else:
            self.odds = _healthy_or_not(odds[0]), _healthy_or_not(odds[1])
        self.hands = hands_up_to(*_most(self.odds[0])), hands_up_to(*_most(self.odds[1]))
        self.injured = self._injured(fighter1), self._injured(fighter2)
        self._struck = fighter2, fighter1
        self._windows: dict[int, Window] = {}
        self.chance = every_wound or bool(fighter1.fnp or fighter2.fnp)

    def _odds(self, fighter: Fighter) -> Grid:
        """P(criticals, normals), healthy and injured."""
        chain = self.options.severe_triggers_crit_rules
        worse = (0, int(self.options.injury))
        return np.stack([distribution(roll_of(fighter, worse=step, chain=chain)) for step in worse])

    def _injured(self, fighter: Fighter) -> Ints:
        """1 for each number of wounds below half of what the fighter started with, if injury is played (K10)."""
        wounds = np.arange(fighter.wounds + 1)
        return (2 * wounds < fighter.wounds).astype(np.int64) * int(self.options.injury)

    @property
    def over(self) -> bool:
        """Somebody is dead before the fight begins."""
        return 0 in self.wounds

    @property
    def plays_best(self) -> bool:
        return OPTIMAL in self.codes

    @cached_property
    def losses(self) -> Array:
        """``losses[who strikes, damage, wounds lost]``: a fighter's losses depend on its own Feel No Pain."""
        return np.stack([_loss_table(victim, self.options) for victim in self._struck])

    # -- wounds and rounds --------------------------------------------------------------------------------------------

    @cached_property
    def levels(self) -> tuple[Ints, Ints]:
        """The wounds that can occur: with Feel No Pain any, else those that strikes can leave."""
        if self.chance:
            return np.arange(self.wounds[0] + 1), np.arange(self.wounds[1] + 1)
        dice = [MAX_WOUNDS if self.from_anywhere else hands.most[DICE] * self.rounds for hands in self.hands]
        one, two = self.fighters
        return levels_of(self.wounds[0], two, dice[1]), levels_of(self.wounds[1], one, dice[0])

    @cached_property
    def hurt(self) -> tuple[Ints, Ints]:
        """By level, 1 if the fighter is injured."""
        return self.injured[0][self.levels[0]], self.injured[1][self.levels[1]]

    @cached_property
    def each_round(self) -> list[Round]:
        """The rounds: the first starts from full wounds, the others from wherever the last may end."""
        fought = self._round
        lowest = int(fought.board.top[0]) - 1, int(fought.board.top[1]) - 1
        rounds = []
        for _ in range(self.rounds):
            rounds.append(starting(fought, lowest))
            lowest = rounds[-1].lowest_after
        return rounds

    @cached_property
    def anywhere(self) -> Round:
        """A round that may start with any wounds."""
        return starting(self._round, (1, 1))

    @cached_property
    def _round(self) -> Round:
        return new_round(self.fighters, self.hands, self.levels)

    def window(self, a_round: Round) -> Window:
        """Room for a round, made once: a window holds its round, so that no other can be taken for it."""
        if id(a_round) not in self._windows:
            budget = self.budget
            self._windows[id(a_round)] = windowed(
                a_round, whole_cells=budget.whole_cells, thread_cells=budget.thread_cells, cores=budget.cores
            )
        return self._windows[id(a_round)]

    def fitting(self, a_round: Round, memory: Callable[[Round], int]) -> list[Round]:
        """The round, or the fewest parts of it that fit into memory one by one, if it can be divided so far."""
        parts, largest = 1, a_round
        while parts < self.budget.most_parts and memory(largest) > self.budget.memory:
            parts += 1
            largest = next(split(a_round, parts))
        return list(split(a_round, parts)) if parts > 1 else [a_round]

    @cached_property
    def hand_odds(self) -> tuple[Array, Array]:
        """``odds[hand, level]``: P(the hand is rolled) by the level of the fighter who rolls it."""
        (odds1, odds2), (hands1, hands2), (hurt1, hurt2) = self.odds, self.hands, self.hurt
        one, two = odds1[:, hands1.crits, hands1.norms], odds2[:, hands2.crits, hands2.norms]
        return one.T.take(hurt1, axis=1), two.T.take(hurt2, axis=1)

    def by_stages(
        self,
        window: Window,
        walked: Iterable[list[Walked]],
        part: Callable[[Walked, Array], None],
        shape: tuple[int, ...],
        report: Callable[[int], None],
    ) -> Array:
        """Do every stage as it was walked, its parts at the same time, and add up what they fold into arrays."""
        sums = np.zeros((max(map(len, window.stages)), *shape))
        with self._threads(window) as pool:
            for stage, cells in zip(walked, window.stage_cells, strict=True):
                if pool is None:
                    part(stage[0], sums[0])
                else:
                    # A copy of the context each: whether loops are compiled is part of it.
                    tasks = zip(stage, sums, strict=False)
                    waiting = [pool.submit(copy_context().run, part, orders, into) for orders, into in tasks]
                    for task in waiting:
                        task.result()
                report(cells)
        total: Array = sums.sum(axis=0)
        return total

    @contextmanager
    def _threads(self, window: Window) -> Iterator[Executor | None]:
        """Threads for the parts of a stage, where there are any: the compiled loops leave the interpreter to others."""
        if any(len(parts) > 1 for parts in window.stages):
            with ThreadPoolExecutor(self.budget.cores) as pool:
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

    def aim(self, turn: int) -> NDArray[np.int64]:
        """What a look-ahead strategy wants at the end of the round, by both levels."""
        own, foe = np.meshgrid(*self.levels, indexing="ij")[:: 1 if turn == 0 else -1]
        return -foe if self.codes[turn] == MAX_DAMAGE else own

    def final_values(self) -> tuple[Array, Array]:
        """Both criteria when the fight is over, by both levels: who is dead, and the difference of wounds."""
        w1, w2 = self.levels[0][:, None], self.levels[1]
        return np.subtract(w2 == 0, w1 == 0, dtype=np.float64), np.subtract(w1, w2, dtype=np.float64)


def already_over(mass: Array) -> Array:
    """The part of the probability in which somebody is dead already and no round is fought."""
    over = mass.copy()
    over[1:, 1:] = 0.0
    return over


def with_edges(before: Array, after: Array) -> Array:
    """Values before a round: the dead are left alone, so theirs stay as they are after it."""
    before[:, 0, :], before[:, :, 0] = after[:, 0, :], after[:, :, 0]
    return before


def on_the_table(hand: Hand) -> Grid:
    """The odds of dice that lie there: they are what they are."""
    odds = np.zeros((hand[0] + 1, hand[1] + 1))
    odds[hand] = 1.0
    return odds


def _healthy_or_not(odds: Grid) -> Grid:
    """The same odds twice: whoever is injured has rolled already."""
    return np.stack([odds, odds])


def _most(odds: Grid) -> Counts:
    """Most criticals, normals and dice that can be rolled."""
    _, crits, norms = np.nonzero(odds)
    return int(crits.max()), int(norms.max()), int((crits + norms).max())


def _loss_table(victim: Fighter, options: FightOptions) -> Array:
    """loss[damage, wounds lost] for a strike on this fighter (ruling K8)."""
    loss = np.zeros((LOSS_SIZE, LOSS_SIZE))
    per_hit = (victim.fnp_mode or options.fnp_mode) == FnpMode.PER_HIT
    ignores = (7 - victim.fnp) / 6 if victim.fnp else 0.0
    loss[0, 0] = 1.0
    for damage in range(1, LOSS_SIZE):
        if per_hit:
            loss[damage, damage], loss[damage, damage - 1] = 1.0 - ignores, ignores
        else:
            loss[damage, 1:] = loss[damage - 1, :-1] * (1.0 - ignores)
            loss[damage] += loss[damage - 1] * ignores
    return loss

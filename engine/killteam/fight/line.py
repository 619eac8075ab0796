"""Dice on the table: the recommended line, move by move with alternatives, and what every pair of hands is worth."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from engine.compiled import is_compiled
from engine.dice.pmf import Array
from engine.killteam.fight import certain, chance
from engine.killteam.fight.arena import Arena, Hand, on_the_table
from engine.killteam.fight.budget import Budget
from engine.killteam.fight.certain import Certain
from engine.killteam.fight.chance import Uncertain
from engine.killteam.fight.moves import CRIT_NORM_STRIKE, CRIT_PARRIES, CRIT_STRIKE, MOVES, NORM_STRIKE, NOTHING
from engine.killteam.fight.plan import turned
from engine.killteam.fight.states import (
    BLOCK,
    DICE1,
    DICE2,
    FIRST,
    HAND1,
    HAND2,
    IS_START,
    LEADS,
    OPENING,
    PASS,
    SECOND,
    TURN,
    WHAT,
    WIDTH,
)
from engine.killteam.pool import Grid
from engine.killteam.profile import Fighter, FightOptions


@dataclass(frozen=True, slots=True)
class Alternative:
    """A move and what it comes to for the one who makes it: P(kill) − P(be killed), then the difference of wounds."""

    action: str
    win: float
    margin: float


@dataclass(frozen=True, slots=True)
class Step:
    """One move of the line. ``wounds`` are both fighters' afterwards, if Feel No Pain saves as much as is likeliest."""

    fighter: int
    action: str
    damage: int
    wounds: tuple[int, int]
    alternatives: tuple[Alternative, ...]


def best_line(
    fighter1: Fighter,
    fighter2: Fighter,
    hand1: Hand,
    hand2: Hand,
    options: FightOptions | None = None,
    budget: Budget | None = None,
) -> list[Step]:
    """Play out a round from the dice on the table (criticals, normals), each side by its strategy.

    ``options.num_rounds`` counts this round; later ones enter through their values.

    >>> one = Fighter(num_dice=4, dice_stat=3, norm_dmg=3, crit_dmg=4, wounds=7)
    >>> plan = FightOptions(strategy1="optimal", strategy2="optimal")
    >>> [step.action for step in best_line(one, one, (1, 1), (0, 1), plan)]
    ['strike with a normal', 'strike with a normal', 'strike with a critical']
    """
    return LinePlan(fighter1, fighter2, hand1, hand2, options, budget).solve()


class _RoundPlan:
    """A round whose dice lie on the table, in whole or in part, and the rounds after it: how long it takes to solve."""

    def __init__(
        self,
        fighters: tuple[Fighter, Fighter],
        odds: tuple[Grid, Grid],
        options: FightOptions | None = None,
        budget: Budget | None = None,
    ) -> None:
        options, budget = options or FightOptions(), budget or Budget()
        self.is_turned = options.first_fighter == 2
        if self.is_turned:
            fighters, odds, options = fighters[::-1], odds[::-1], turned(options)
        this_round = options.model_copy(update={"num_rounds": 1})
        self.arena = Arena(*fighters, this_round, budget, odds=odds, every_wound=True)
        #: The rounds after it, from wherever it leads.
        self.later = Arena(*fighters, options, budget, from_anywhere=True)
        self.later_rounds = options.num_rounds - 1

    @property
    def seconds(self) -> float:
        """About how long it takes on two cores. Raises what solving would raise."""
        if self.arena.over:
            return 0.0
        table = Uncertain(self.arena)
        table.check_size(whole=True)
        now = table.seconds if is_compiled() else table.interpreted_seconds
        return now + self._later_seconds()

    def _later_seconds(self) -> float:
        if not self.later_rounds:
            return 0.0
        cells = self.later_rounds * (1 + self.later.guides) * self.later.anywhere.cells
        if self.later.chance:
            return cells / (chance.BEST_CELLS_PER_SECOND if is_compiled() else chance.INTERPRETED_CELLS_PER_SECOND)
        return cells / (certain.CELLS_PER_SECOND if is_compiled() else certain.INTERPRETED_CELLS_PER_SECOND)

    def _later_values(self) -> Array:
        """Both criteria by wounds (not levels) with the later rounds to come."""
        later = self.later
        values = np.zeros((2, later.wounds[0] + 1, later.wounds[1] + 1))
        found = (Uncertain(later) if later.chance else Certain(later)).values(self.later_rounds)
        values[0][np.ix_(*later.levels)], values[1][np.ix_(*later.levels)] = found
        return values

    def _table(self) -> _Table:
        table = Uncertain(self.arena)
        table.check_size(whole=True)
        return _Table(table, self._later_values())


class LinePlan(_RoundPlan):
    """How the line for dice on the table will be found: built once, it says how long that takes and does it."""

    def __init__(
        self,
        fighter1: Fighter,
        fighter2: Fighter,
        hand1: Hand,
        hand2: Hand,
        options: FightOptions | None = None,
        budget: Budget | None = None,
    ) -> None:
        super().__init__((fighter1, fighter2), (on_the_table(hand1), on_the_table(hand2)), options, budget)

    def solve(self, sideways: Mapping[int, int] | None = None) -> list[Step]:
        """The line. ``sideways`` sends it another way: at the step of a number (from 1), the alternative of a number.

        >>> one = Fighter(num_dice=4, dice_stat=3, norm_dmg=3, crit_dmg=4, wounds=7)
        >>> plan = LinePlan(one, one, (1, 1), (0, 1), FightOptions(strategy1="optimal", strategy2="optimal"))
        >>> first = plan.solve()[0]
        >>> plan.solve({1: 0})[0].action == first.alternatives[0].action
        True
        """
        if self.arena.over:
            return []
        line = self._table().walk(self.arena.wounds, sideways or {})
        return [_mirrored(step) for step in line] if self.is_turned else list(line)


class HandsPlan(_RoundPlan):
    """What each pair of hands that ``odds`` can bring is worth to fighter 1 before the first move."""

    def solve(self) -> dict[tuple[Hand, Hand], tuple[float, float]]:
        """P(kill) − P(be killed), and the difference of wounds, by both hands (criticals, normals).

        >>> one = Fighter(num_dice=4, dice_stat=3, norm_dmg=3, crit_dmg=4, wounds=3)
        >>> best = FightOptions(strategy1="optimal", strategy2="optimal")
        >>> HandsPlan((one, one), (on_the_table((1, 0)), on_the_table((0, 1))), best).solve()[(1, 0), (0, 1)]
        (1.0, 3.0)
        """
        wounds = self.arena.wounds
        if self.arena.over:
            worth = float(wounds[1] == 0) - float(wounds[0] == 0), float(wounds[0] - wounds[1])
            known = {(one, two): worth for one in self._hands(0) for two in self._hands(1)}
        else:
            known = self._table().worth_of_hands(wounds)
        if not self.is_turned:
            return known
        return {(two, one): (-win, -margin) for (one, two), (win, margin) in known.items()}

    def _hands(self, who: int) -> list[Hand]:
        hands = self.arena.hands[who]
        return [(int(crits), int(norms)) for crits, norms in zip(hands.crits, hands.norms, strict=True)]


def _mirrored(step: Step) -> Step:
    return Step(3 - step.fighter, step.action, step.damage, step.wounds[::-1], step.alternatives)


class _Table:
    """A round, solved: values of both criteria and choices at every state that the hands on the table can lead to."""

    def __init__(self, solved: Uncertain, later: Array) -> None:
        orders, self.values, self.choices = solved.whole(later)
        self.orders = orders.T  # by figure
        self.losses, self.low = solved.arena.losses, solved.arena.each_round[0].board.low
        self.hands = solved.arena.each_round[0].hands
        self._order_of = {int(block): o for o, block in enumerate(self.orders[BLOCK])}

    def _cell(self, o: int, wounds: tuple[int, int]) -> int:
        """Where wounds are in the block of an order."""
        below = self.low[0, self.orders[DICE2, o]] - 1, self.low[1, self.orders[DICE1, o]] - 1
        row, column = (w - under if w else 0 for w, under in zip(wounds, below, strict=True))
        return int(self.orders[BLOCK, o] + row * self.orders[WIDTH, o] + column)

    def walk(self, wounds: tuple[int, int], sideways: Mapping[int, int]) -> Iterator[Step]:
        """The moves that are chosen from the dice on the table, or asked for."""
        number = 0
        dice = self.orders[DICE1] + self.orders[DICE2]
        o = int(np.flatnonzero((self.orders[IS_START] == 1) & (dice == dice.max()))[0])
        while 0 not in wounds and self.orders[DICE1, o] + self.orders[DICE2, o] > 0:
            if self.orders[WHAT, o] == PASS:
                o = self._after(o, 0)
            elif self.orders[WHAT, o] == OPENING:
                k = int(self.choices[self._cell(o, wounds)])
                if k != NOTHING:
                    number += 1
                    yield Step(int(self.orders[TURN, o]) + 1, "parry before the first strike", 0, wounds, ())
                o = self._after(o, k)
            else:
                number += 1
                step, o = self._take(o, wounds, sideways.get(number, -1))
                wounds = step.wounds
                yield step

    def worth_of_hands(self, wounds: tuple[int, int]) -> dict[tuple[Hand, Hand], tuple[float, float]]:
        """Both criteria before the first move, by both hands."""
        worth = {}
        for o in np.flatnonzero(self.orders[IS_START] == 1):
            one, two = (
                (int(self.hands[who].crits[hand]), int(self.hands[who].norms[hand]))
                for who, hand in enumerate((self.orders[HAND1, o], self.orders[HAND2, o]))
            )
            win, margin = self.values[:, self._cell(int(o), wounds)]
            worth[one, two] = float(win), float(margin)
        return worth

    def _after(self, o: int, k: int) -> int:
        """The order of the block a move leads to."""
        return self._order_of[int(self.orders[LEADS + k, o])]

    def _take(self, o: int, wounds: tuple[int, int], wanted: int) -> tuple[Step, int]:
        """The move at a state, the best or the one of the number wanted, with its alternatives; the order after it."""
        turn = int(self.orders[TURN, o])
        legal = [k for k in range(MOVES) if self.orders[LEADS + k, o] >= 0]
        alternatives = {k: Alternative(self._words(o, k), *self._worth(o, k, wounds)) for k in legal}
        k = legal[wanted] if 0 <= wanted < len(legal) else int(self.choices[self._cell(o, wounds)])
        damage = sum(max(0, int(self.orders[figure + k, o])) for figure in (FIRST, SECOND))
        left = _wounded(wounds, turn, int(np.argmax(self._spread(o, k))))
        return Step(turn + 1, alternatives[k].action, damage, left, tuple(alternatives.values())), self._after(o, k)

    def _worth(self, o: int, k: int, wounds: tuple[int, int]) -> tuple[float, float]:
        """Expected values of a move for the one who makes it."""
        turn, then, spread = int(self.orders[TURN, o]), self._after(o, k), self._spread(o, k)
        cells = [self._cell(then, _wounded(wounds, turn, int(lost))) for lost in np.flatnonzero(spread)]
        win, margin = (self.values[:, cells] @ spread[spread > 0]) * (1 - 2 * turn)
        return float(win), float(margin)

    def _spread(self, o: int, k: int) -> Array:
        """P(wounds lost to a move); two strikes add up."""
        spread: Array = np.ones(1)
        for figure in (FIRST, SECOND):
            damage = int(self.orders[figure + k, o])
            if damage >= 0:
                spread = np.convolve(spread, self.losses[self.orders[TURN, o], damage, : damage + 1])
        return spread

    def _words(self, o: int, k: int) -> str:
        """A move in words."""
        if k in (CRIT_STRIKE, CRIT_NORM_STRIKE, NORM_STRIKE):
            words = f"strike with a {'normal' if k == NORM_STRIKE else 'critical'}"
            if self.orders[SECOND + k, o] >= 0:
                words += f", then again with a {'critical' if k == CRIT_STRIKE else 'normal'}"
            return words
        (crits, norms), (crits_left, norms_left) = (self._foe_hand(o, at) for at in (o, self._after(o, k)))
        stopped = _counted(crits - crits_left, "critical"), _counted(norms - norms_left, "normal")
        return f"parry {' and '.join(filter(None, stopped))} with a {'critical' if k in CRIT_PARRIES else 'normal'}"

    def _foe_hand(self, o: int, at: int) -> Hand:
        """Dice of the enemy of the one who moves at an order, there or later."""
        foe = 1 - int(self.orders[TURN, o])
        hand = self.orders[HAND2 if foe else HAND1, at]
        return int(self.hands[foe].crits[hand]), int(self.hands[foe].norms[hand])


def _wounded(wounds: tuple[int, int], striker: int, lost: int) -> tuple[int, int]:
    w1, w2 = wounds
    return (w1, max(0, w2 - lost)) if striker == 0 else (max(0, w1 - lost), w2)


def _counted(count: int, name: str) -> str:
    return "" if count == 0 else f"a {name}" if count == 1 else f"{count} {name}s"

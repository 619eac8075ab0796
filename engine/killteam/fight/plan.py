"""Fighting: the joint distribution of the wounds both fighters have left, exactly, over one to five rounds.

The four named strategies play as the public calculator plays them, with its slips mended (rulings K5, K6, K8): within a
round, look-ahead supposes an enemy who strikes. They judge damage before Feel No Pain, and compare expected wounds.

``optimal`` is a best reply. Against ``optimal`` it is the minimax of a zero-sum game of perfect information (the dice
lie on the table before the first choice), by backward induction over all rounds that are left:

1. fighter 1 maximises P(it kills fighter 2) − P(it is killed) by the end of the last round, fighter 2 minimises it;
2. among moves equal in that, the same with the expected difference of wounds left, w₁ − w₂, at the end;
3. what is still equal is settled by a fixed order (fighter 1 keeps more wounds), which changes neither value.

Against a named strategy it maximises the same criteria knowing that strategy. Later rounds enter through their values,
so a fighter may spare itself now to win later.

Every fight is solved by dynamic programming over states that all dice share (:mod:`~engine.killteam.fight.states`),
layer by layer, so that its tables need never be held whole. Time is proportional to phases × dice₁ × dice₂ × wounds₁ ×
wounds₂ of the states that can occur, where dice_i counts (criticals, normals); :attr:`Plan.seconds` tells it before.
"""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from engine.compiled import compiling, is_compiled
from engine.dice.pmf import Array, Pmf
from engine.killteam.fight.arena import Arena, Progress
from engine.killteam.fight.budget import Budget
from engine.killteam.fight.certain import Certain
from engine.killteam.fight.chance import Uncertain
from engine.killteam.profile import Fighter, FightOptions, refuse_conflicts

#: Seconds without machine code beyond which it is made, whoever waits: more than any request may take.
WORTH_COMPILING = 10.0


@dataclass(frozen=True)
class Outcome:
    """``joint[w1, w2]`` = P(fighter 1 has w1 wounds left and fighter 2 has w2)."""

    joint: Array

    @cached_property
    def wounds1(self) -> Pmf:
        return Pmf(self.joint.sum(axis=1))

    @cached_property
    def wounds2(self) -> Pmf:
        return Pmf(self.joint.sum(axis=0))

    @property
    def p_kill1(self) -> float:
        """P(fighter 1 kills fighter 2)."""
        return min(1.0, float(self.joint[:, 0].sum()))

    @property
    def p_kill2(self) -> float:
        """P(fighter 2 kills fighter 1)."""
        return min(1.0, float(self.joint[0, :].sum()))


def turned(options: FightOptions) -> FightOptions:
    """The options of the same fight with the fighters' names exchanged."""
    return options.model_copy(
        update={"first_fighter": 1, "strategy1": options.strategy2, "strategy2": options.strategy1}
    )


class Plan:
    """How a fight will be solved: built once, it says how long that takes and does it.

    >>> knife = Fighter(num_dice=5, dice_stat=3, norm_dmg=3, crit_dmg=5, wounds=12)
    >>> plan = Plan(knife, knife)
    >>> plan.seconds < 1, round(float(plan.solve().joint.sum()), 9)
    (True, 1.0)
    """

    def __init__(
        self,
        fighter1: Fighter,
        fighter2: Fighter,
        options: FightOptions | None = None,
        budget: Budget | None = None,
        *,
        every_wound: bool = False,
    ) -> None:
        options = options or FightOptions()
        if options.strict:
            refuse_conflicts(fighter1=fighter1, fighter2=fighter2)
        self.is_turned = options.first_fighter == 2
        fighters = (fighter2, fighter1) if self.is_turned else (fighter1, fighter2)
        options = turned(options) if self.is_turned else options
        self.arena = Arena(*fighters, options, budget or Budget(), every_wound=every_wound)

    def _solver(self, progress: Progress = lambda done, total: None) -> Certain | Uncertain:
        return Uncertain(self.arena, progress) if self.arena.chance else Certain(self.arena, progress)

    @cached_property
    def seconds(self) -> float:
        """About how long it takes on two cores. Raises what solving would raise."""
        if self.arena.over:
            return 0.0
        solver = self._solver()
        solver.check_size()
        return solver.seconds if is_compiled() else solver.interpreted_seconds

    def solve(self, progress: Progress = lambda done, total: None) -> Outcome:
        """Fight it out. ``progress`` hears how many cells of how many are filled; what it raises ends the fight."""
        arena = self.arena
        mass = np.zeros((arena.wounds[0] + 1, arena.wounds[1] + 1))
        mass[arena.wounds] = 1.0
        if not arena.over:
            solver, here = self._solver(progress), np.ix_(*arena.levels)
            with compiling() if solver.interpreted_seconds > WORTH_COMPILING else nullcontext():
                mass[here] = solver.fought(mass[here])
        return Outcome(mass.T if self.is_turned else mass)


def fight(
    fighter1: Fighter,
    fighter2: Fighter,
    options: FightOptions | None = None,
    progress: Progress = lambda done, total: None,
    budget: Budget | None = None,
) -> Outcome:
    """Fight it out.

    >>> dead_eye = Fighter(num_dice=1, auto_crits=1, crit_dmg=5, norm_dmg=3, wounds=4)
    >>> fight(dead_eye, dead_eye).p_kill1  # whoever strikes first
    1.0
    """
    return Plan(fighter1, fighter2, options, budget).solve(progress)


def seconds(
    fighter1: Fighter, fighter2: Fighter, options: FightOptions | None = None, budget: Budget | None = None
) -> float:
    """About how long :func:`fight` would take on two cores. Raises what it would raise.

    >>> giant = Fighter(num_dice=20, dice_stat=3, norm_dmg=3, crit_dmg=5, wounds=99)
    >>> seconds(giant, giant) < 3 < seconds(giant, giant, FightOptions(num_rounds=3))
    True
    """
    return Plan(fighter1, fighter2, options, budget).seconds

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

Every fight is solved by dynamic programming over states that all dice share (:mod:`engine.killteam.board`), layer by
layer, so that its tables need never be held whole. Time is proportional to phases × dice₁ × dice₂ × wounds₁ × wounds₂
of the states that can occur, where dice_i counts (criticals, normals); :func:`seconds` tells it beforehand.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from engine.dice.pmf import Array, Pmf
from engine.killteam.arena import Arena, Progress
from engine.killteam.profile import Fighter, FightOptions, refuse_conflicts
from engine.killteam.rounds import Certain, Uncertain


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


def fight(
    fighter1: Fighter,
    fighter2: Fighter,
    options: FightOptions | None = None,
    progress: Progress = lambda done, total: None,
) -> Outcome:
    """Fight it out. ``progress`` hears how many cells of how many are filled; what it raises ends the fight.

    >>> dead_eye = Fighter(num_dice=1, auto_crits=1, crit_dmg=5, norm_dmg=3, wounds=4)
    >>> fight(dead_eye, dead_eye).p_kill1  # whoever strikes first
    1.0
    """
    options = options or FightOptions()
    if options.strict:
        refuse_conflicts(fighter1=fighter1, fighter2=fighter2)
    if options.first_fighter == 2:
        return Outcome(fought(Arena(fighter2, fighter1, turned(options)), progress).T)
    return Outcome(fought(Arena(fighter1, fighter2, options), progress))


def seconds(fighter1: Fighter, fighter2: Fighter, options: FightOptions) -> float:
    """About how long :func:`fight` would take on two cores. Raises what it would raise.

    >>> giant = Fighter(num_dice=20, dice_stat=3, norm_dmg=3, crit_dmg=5, wounds=99)
    >>> seconds(giant, giant, FightOptions()) < 3 < seconds(giant, giant, FightOptions(num_rounds=3))
    True
    """
    if options.first_fighter == 2:
        return seconds(fighter2, fighter1, turned(options))
    if options.strict:
        refuse_conflicts(fighter1=fighter1, fighter2=fighter2)
    arena = Arena(fighter1, fighter2, options)
    if 0 in arena.wounds:
        return 0.0
    solved = solver(arena)
    solved.check_size()
    return solved.seconds


def turned(options: FightOptions) -> FightOptions:
    """The options of the same fight with the fighters' names exchanged."""
    return options.model_copy(
        update={"first_fighter": 1, "strategy1": options.strategy2, "strategy2": options.strategy1}
    )


def solver(arena: Arena, progress: Progress = lambda done, total: None) -> Certain | Uncertain:
    return Uncertain(arena, progress) if arena.chance else Certain(arena, progress)


def fought(arena: Arena, progress: Progress = lambda done, total: None) -> Array:
    """P(w1, w2) after all rounds."""
    mass = np.zeros((arena.wounds[0] + 1, arena.wounds[1] + 1))
    mass[arena.wounds] = 1.0
    if 0 in arena.wounds:
        return mass
    here = np.ix_(*arena.levels)
    mass[here] = solver(arena, progress).fought(mass[here])
    return mass

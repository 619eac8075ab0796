"""What one activation does with more than one roll: Hot's price, several targets, a shot and a fight in either order.

Nothing here is sampled. A shot before a fight leaves the target with fewer wounds, and each number it may be left with
is a fight of its own; a fight before a shot leaves both with fewer. Whoever has less than half its wounds is injured
and hits one worse from then on (ruling K10).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from typing import TypeVar

import numpy as np

from engine.dice.pmf import Pmf
from engine.killteam.fight import Budget, Outcome, Plan
from engine.killteam.profile import Attacker, Defender, Fighter, FightOptions, ShootOptions
from engine.killteam.shoot import Shot, matrix, shoot

S = TypeVar("S", Attacker, Fighter)

SIDES = 6
WORST_STAT = 7  # hits with criticals only


def hot_damage(hit: int) -> Pmf:
    """What a Hot weapon does to its bearer: a die below the weapon's hit stat hurts for twice what it shows.

    >>> hot_damage(3).mean  # a 1 or a 2 hurts: (2 + 4) / 6
    1.0
    """
    hurts = range(1, min(max(hit, 1), WORST_STAT))
    return Pmf.from_weights({0: SIDES - len(hurts)} | {2 * face: 1 for face in hurts})


@dataclass(frozen=True, slots=True)
class Volley:
    """One weapon at several targets, each with a roll of its own (Blast, Torrent)."""

    shots: tuple[Shot, ...]

    @property
    def kills(self) -> Pmf:
        """How many of the targets fall."""
        each = [Pmf.from_weights({0: 1.0 - shot.p_kill, 1: shot.p_kill}) for shot in self.shots]
        return reduce(Pmf.convolve, each, Pmf.point(0))

    @property
    def wounds_lost(self) -> float:
        """Expected wounds lost by all targets together."""
        return sum(shot.wounds - shot.wounds_left for shot in self.shots)


def volley(attacker: Attacker, defenders: Sequence[Defender], options: ShootOptions | None = None) -> Volley:
    """A weapon that shoots at every target once.

    >>> sure = Attacker(num_dice=1, auto_norms=1, norm_dmg=3)
    >>> volley(sure, [Defender(wounds=3), Defender(wounds=4)]).kills.mean
    1.0
    """
    (shots,) = matrix([attacker], defenders, options)
    return Volley(tuple(shots))


def shoot_then_fight(
    weapon: Attacker,
    target: Defender,
    fighters: tuple[Fighter, Fighter],
    options: FightOptions | None = None,
    budget: Budget | None = None,
) -> Outcome:
    """Shoot at the target, then fight it if it still stands. Fighter 1 shoots; both begin with the wounds they have.

    >>> nothing = Attacker(num_dice=1, dice_stat=3)
    >>> sure = Fighter(num_dice=1, auto_crits=1, crit_dmg=5, wounds=4)
    >>> round(shoot_then_fight(nothing, Defender(wounds=4), (sure, sure)).p_kill1, 9)
    1.0
    """
    own, foe = fighters
    joint = np.zeros((own.wounds + 1, foe.wounds + 1))
    for lost, p in shoot(weapon, target).damage.capped(foe.wounds).items():
        left = foe.wounds - lost
        if left == 0:
            joint[own.wounds, 0] += p
            continue
        hurt = _injured(foe.changed(wounds=left), foe.wounds, left)
        fought = Plan(own, hurt, options, budget).solve().joint
        joint[:, : left + 1] += p * fought
    return Outcome(joint)


def fight_then_shoot(
    weapon: Attacker,
    target: Defender,
    fighters: tuple[Fighter, Fighter],
    options: FightOptions | None = None,
    budget: Budget | None = None,
) -> Outcome:
    """Fight the target, then shoot at it if both still stand. Fighter 1 shoots.

    >>> sure = Attacker(num_dice=1, auto_norms=1, norm_dmg=4)
    >>> idle = Fighter(wounds=4)
    >>> fight_then_shoot(sure, Defender(wounds=4), (idle, idle)).p_kill1
    1.0
    """
    own, foe = fighters
    fought = Plan(own, foe, options, budget).solve().joint
    joint = np.zeros_like(fought)
    joint[0], joint[:, 0] = fought[0], fought[:, 0]
    for left in range(1, own.wounds + 1):
        damage = shoot(_injured(weapon, own.wounds, left), target).damage
        for standing in np.flatnonzero(fought[left, 1:]) + 1:
            for lost, p in damage.capped(int(standing)).items():
                joint[left, standing - lost] += p * fought[left, standing]
    return Outcome(joint)


def _injured(side: S, full: int, left: int) -> S:
    """Below half of its wounds it hits one worse."""
    is_hurt = 2 * left < full and 0 < side.dice_stat < WORST_STAT
    return side.changed(dice_stat=side.dice_stat + 1) if is_hurt else side

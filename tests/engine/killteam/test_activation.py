"""Hot, several targets, a shot and a fight in either order: closed forms, enumeration and seeded dice."""

from __future__ import annotations

from itertools import product
from math import comb

import numpy as np
import pytest

from engine.dice.pmf import Pmf
from engine.killteam.activation import fight_then_shoot, hot_damage, shoot_then_fight, volley
from engine.killteam.fight import fight
from engine.killteam.profile import Attacker, Defender, Fighter, FightOptions, Strategy
from engine.killteam.shoot import shoot

GUN = Attacker(num_dice=4, dice_stat=3, norm_dmg=3, crit_dmg=4)
MARINE = Defender(num_dice=3, dice_stat=3, wounds=9)
OWN = Fighter(num_dice=3, dice_stat=3, norm_dmg=3, crit_dmg=4, wounds=8)
FOE = Fighter(num_dice=4, dice_stat=4, norm_dmg=4, crit_dmg=5, wounds=9)
PERFECT = FightOptions(strategy1=Strategy.OPTIMAL, strategy2=Strategy.OPTIMAL)


@pytest.mark.parametrize("hit", range(1, 8))
def test_hot_is_one_die_listed(hit: int) -> None:
    faces = [2 * face if face < hit else 0 for face in range(1, 7)]
    damage = hot_damage(hit)
    assert damage.mean == pytest.approx(sum(faces) / 6)
    for value in {*faces, 3}:
        assert damage.exactly(value) == pytest.approx(faces.count(value) / 6)


def test_targets_alike_fall_by_the_binomial() -> None:
    p = shoot(GUN, MARINE).p_kill
    kills = volley(GUN, [MARINE] * 5).kills
    for k in range(6):
        assert kills.exactly(k) == pytest.approx(comb(5, k) * p**k * (1 - p) ** (5 - k), abs=1e-15)


def test_targets_unlike_are_every_pattern_added_up() -> None:
    targets = [Defender(num_dice=3, dice_stat=save, wounds=wounds) for save, wounds in ((5, 7), (4, 8), (3, 4))]
    chances = [shoot(GUN, target).p_kill for target in targets]
    found = volley(GUN, targets)
    for k in range(4):
        expected = sum(
            np.prod([p if fell else 1 - p for p, fell in zip(chances, pattern, strict=True)])
            for pattern in product((True, False), repeat=3)
            if sum(pattern) == k
        )
        assert found.kills.exactly(k) == pytest.approx(float(expected), abs=1e-15)
    assert found.wounds_lost == pytest.approx(sum(shot.wounds - shot.wounds_left for shot in found.shots))


def injured(side: Fighter, full: int, left: int) -> Fighter:
    return side.changed(wounds=left, dice_stat=side.dice_stat + (2 * left < full))


def test_a_shot_then_a_fight_is_each_fight_it_may_lead_to() -> None:
    expected = np.zeros((OWN.wounds + 1, FOE.wounds + 1))
    damage = shoot(GUN, MARINE).damage
    for lost in range(damage.high + 1):
        left = max(0, FOE.wounds - lost)
        if left == 0:
            expected[OWN.wounds, 0] += damage.exactly(lost)
        else:
            joint = fight(OWN, injured(FOE, FOE.wounds, left), PERFECT).joint
            expected[:, : left + 1] += damage.exactly(lost) * joint
    found = shoot_then_fight(GUN, MARINE, (OWN, FOE), PERFECT)
    assert found.joint == pytest.approx(expected, abs=1e-14)
    assert found.joint.sum() == pytest.approx(1)
    assert found.p_kill1 >= max(shoot(GUN, MARINE).p_kill, fight(OWN, FOE, PERFECT).p_kill1)


def test_a_fight_then_a_shot_by_hand() -> None:
    """P(kill) = the fight kills + both stand and the shot finishes, healthy or injured."""
    joint = fight(OWN, FOE, PERFECT).joint
    healthy, hurt = shoot(GUN, MARINE).damage, shoot(GUN.changed(dice_stat=4), MARINE).damage
    kill = joint[:, 0].sum()
    for own in range(1, OWN.wounds + 1):
        for foe in range(1, FOE.wounds + 1):
            shot = hurt if 2 * own < OWN.wounds else healthy
            kill += joint[own, foe] * shot.at_least(foe)
    found = fight_then_shoot(GUN, MARINE, (OWN, FOE), PERFECT)
    assert found.p_kill1 == pytest.approx(kill, abs=1e-14)
    assert found.p_kill2 == pytest.approx(joint[0].sum(), abs=1e-14)
    assert found.joint.sum() == pytest.approx(1)


def test_without_a_shot_both_orders_are_the_fight() -> None:
    blank = Attacker()
    plain = fight(OWN, FOE, PERFECT).joint
    assert shoot_then_fight(blank, MARINE, (OWN, FOE), PERFECT).joint == pytest.approx(plain)
    assert fight_then_shoot(blank, MARINE, (OWN, FOE), PERFECT).joint == pytest.approx(plain)


def test_both_orders_agree_with_seeded_dice() -> None:
    """A shot sampled from its distribution, then a fight sampled from its own: 40,000 turns, four standard errors."""
    dice = np.random.default_rng(22)
    games = 40_000
    damage = shoot(GUN, MARINE).damage
    lost = dice.choice(damage.values, size=games, p=damage.p)
    kills = 0.0
    for left in range(FOE.wounds + 1):
        times = int(np.sum(np.maximum(0, FOE.wounds - lost) == left))
        p = 1.0 if left == 0 else fight(OWN, injured(FOE, FOE.wounds, left), PERFECT).p_kill1
        kills += dice.binomial(times, p)
    exact = shoot_then_fight(GUN, MARINE, (OWN, FOE), PERFECT).p_kill1
    assert abs(kills / games - exact) < 4 * np.sqrt(exact * (1 - exact) / games)


def test_hot_weapons_add_up_over_shots() -> None:
    assert hot_damage(3).repeat(2).mean == pytest.approx(2 * hot_damage(3).mean)
    assert isinstance(hot_damage(4), Pmf)

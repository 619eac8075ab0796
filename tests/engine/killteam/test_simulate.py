"""Simulation: the same seed gives the same games, and the sample means lie where the exact engine says."""

from __future__ import annotations

import numpy as np
import pytest

from engine.killteam.fight import fight
from engine.killteam.pool import distribution, roll_of
from engine.killteam.profile import Attacker, Defender, Fighter, FightOptions, Reroll, ShootOptions
from engine.killteam.shoot import shoot
from engine.killteam.simulate import estimate, fight_samples, roll_dice, shoot_samples

GAMES = 40_000


def rng(seed=7):
    return np.random.default_rng(seed)


def assert_close(samples, mean, sd):
    """Within five standard errors of the exact mean: a miss once in two million tries, and the seed is fixed."""
    assert abs(samples.mean() - mean) <= 5 * sd / np.sqrt(samples.size) + 1e-12


@pytest.mark.parametrize("reroll", list(Reroll))
def test_rolled_dice_have_the_exact_distribution(reroll):
    side = Attacker(
        num_dice=5, dice_stat=4, lethal=5, reroll=reroll, auto_norms=1, fails_to_norms=1, abilities=("rending",)
    )
    crits, norms = roll_dice(roll_of(side), GAMES, rng())
    grid = distribution(roll_of(side))
    counted = np.zeros_like(grid)
    np.add.at(counted, (crits, norms), 1 / GAMES)
    assert np.abs(counted - grid).max() < 5 * 0.5 / np.sqrt(GAMES)
    assert counted[grid == 0].sum() == 0


SHOTS = {
    "plain": (Attacker(num_dice=4, dice_stat=3, norm_dmg=3, crit_dmg=4), Defender(num_dice=3, dice_stat=3)),
    "everything": (
        Attacker(num_dice=5, dice_stat=3, norm_dmg=3, crit_dmg=5, mwx=2, px=1, abilities=("severe",)),
        Defender(num_dice=3, dice_stat=4, fnp=5, abilities=("durable", "just_a_scratch"), saintly_relics=1),
    ),
    "big normals": (
        Attacker(num_dice=3, dice_stat=3, norm_dmg=5, crit_dmg=2, abilities=("saturate",)),
        Defender(num_dice=3, dice_stat=4, auto_norms=1, saintly_relics=2, fnp=4, fnp_mode="per_hit"),
    ),
    "devastating per hit": (
        Attacker(num_dice=4, dice_stat=3, norm_dmg=3, crit_dmg=3, mwx=1),
        Defender(num_dice=2, dice_stat=5, fnp=5, fnp_mode="per_hit"),
    ),
}


@pytest.mark.parametrize("name", SHOTS)
@pytest.mark.parametrize("rounds", [1, 3])
def test_simulated_damage_agrees_with_exact_damage(name, rounds):
    attacker, defender = SHOTS[name]
    options = ShootOptions(num_rounds=rounds)
    exact = shoot(attacker, defender, options).damage
    samples = shoot_samples(attacker, defender, options, GAMES, rng())
    assert_close(samples, exact.mean, exact.sd)
    counted = np.bincount(samples, minlength=exact.high + 1) / GAMES
    assert all(abs(counted[d] - exact.exactly(d)) < 5 * 0.5 / np.sqrt(GAMES) for d in range(exact.high + 1))


ONE = Fighter(num_dice=4, dice_stat=3, norm_dmg=3, crit_dmg=5, wounds=9, abilities=("duelist",))
TWO = Fighter(num_dice=3, dice_stat=4, norm_dmg=4, crit_dmg=6, wounds=10, abilities=("murderous_entrance",))


@pytest.mark.parametrize("fnp", [0, 5])
@pytest.mark.parametrize("plans", [("optimal", "optimal"), ("max_dmg_to_enemy", "parry")])
@pytest.mark.parametrize("first", [1, 2])
def test_simulated_fights_agree_with_exact_fights(fnp, plans, first):
    options = FightOptions(
        strategy1=plans[0], strategy2=plans[1], num_rounds=2, injury=True, first_fighter=first, fnp_mode="per_hit"
    )
    two = TWO.changed(fnp=fnp)
    exact = fight(ONE, two, options)
    w1, w2 = fight_samples(ONE, two, options, GAMES, rng())
    assert_close(w1, exact.wounds1.mean, exact.wounds1.sd)
    assert_close(w2, exact.wounds2.mean, exact.wounds2.sd)
    assert_close(w2 == 0, exact.p_kill1, 0.5)


def test_the_dead_do_not_fight():
    w1, w2 = fight_samples(ONE, TWO.changed(wounds=0), FightOptions(), 5, rng())
    assert (w1.tolist(), w2.tolist()) == ([9] * 5, [0] * 5)


def test_the_same_seed_gives_the_same_games():
    first, second, other = (shoot_samples(*SHOTS["everything"], ShootOptions(), 200, rng(seed)) for seed in (1, 1, 2))
    assert np.array_equal(first, second)
    assert not np.array_equal(first, other)


def test_an_estimate_narrows_as_the_square_root_of_the_games():
    result = estimate(rng().normal(10.0, 2.0, 10_000))
    games, means, errors = zip(*result.series, strict=True)
    assert (games[0], games[-1]) == (100, 10_000)
    assert (means[-1], errors[-1]) == (result.mean, result.standard_error)
    assert result.standard_error == pytest.approx(0.02, rel=0.05)
    assert errors[0] == pytest.approx(0.2, rel=0.3)

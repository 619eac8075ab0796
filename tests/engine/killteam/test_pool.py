"""Dice into criticals and normals: against listed faces, the reference figures and a second dice library."""

from __future__ import annotations

from itertools import combinations

import icepool
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.killteam.pool import distribution, outcomes, roll_of
from engine.killteam.profile import Ability, Attacker, Defender, Fighter, Profile, Reroll
from tests.oracles import killteam as oracle

DICE_ABILITIES = [
    Ability.PUNISHING, Ability.PURITY_SEAL, Ability.INDOMITUS, Ability.CLOSE_ASSAULT, Ability.WAAAGH, Ability.SEVERE,
    Ability.MYSTIC_SCRY_BUFF, Ability.RENDING, Ability.ELITE_MODERATE, Ability.ELITE_EXTREME, Ability.OBSCURED_TARGET,
]  # fmt: skip


def grid_of(side, **circumstances):
    return {(c, n): p for c, n, p in outcomes(distribution(roll_of(side, **circumstances)))}


def assert_same(got, expected):
    assert got.keys() == {key for key, p in expected.items() if p}
    for key, p in expected.items():
        assert got.get(key, 0.0) == pytest.approx(float(p), abs=1e-12)


@pytest.mark.parametrize("reroll", list(Reroll))
@pytest.mark.parametrize(("stat", "crit_on"), [(1, 6), (2, 6), (4, 5), (5, 5), (6, 6), (7, 6), (3, 7)])
def test_every_reroll_agrees_with_listing_every_face(reroll, stat, crit_on):
    dice = 4 if reroll == "most_common_fail" else 3
    side = Attacker(num_dice=dice, dice_stat=stat, reroll=reroll, lethal=crit_on)
    assert_same(grid_of(side), oracle.dice(dice, stat, crit_on, reroll))


@pytest.mark.parametrize("pair", [*((a,) for a in DICE_ABILITIES), *combinations(DICE_ABILITIES, 2)])
@pytest.mark.parametrize("chain", [False, True])
def test_every_ability_and_every_pair_agrees_with_listing_every_face(pair, chain):
    side = Attacker(num_dice=4, dice_stat=4, abilities=pair, auto_norms=1, norm_dmg=3, crit_dmg=4, mwx=1)
    expected = oracle.dice(4, 4, auto_norms=1, abilities=pair, chain=chain, worth=(5, 3))
    assert_same(grid_of(side, chain=chain), expected)


@given(
    st.sets(st.sampled_from(DICE_ABILITIES)),
    st.sampled_from(list(Reroll)),
    st.integers(1, 7),
    st.tuples(*[st.integers(0, 3)] * 5),
    st.booleans(),
)
def test_any_mixture_agrees_with_listing_every_face(abilities, reroll, stat, numbers, chain):
    num_dice, auto_crits, auto_norms, fails_to_norms, norms_to_crits = numbers
    fields = {
        "num_dice": num_dice,
        "reroll": reroll,
        "auto_crits": auto_crits,
        "auto_norms": auto_norms,
        "fails_to_norms": fails_to_norms,
        "norms_to_crits": norms_to_crits,
        "abilities": tuple(abilities),
    }
    side = Fighter(dice_stat=stat, norm_dmg=2, crit_dmg=3, severe_triggers_crit_rules=chain, **fields)
    assert_same(grid_of(side), oracle.dice(stat=stat, chain=chain, worth=(3, 2), **fields))


@given(
    num_dice=st.integers(0, 20),
    dice_stat=st.integers(1, 7),
    lethal=st.integers(0, 7),
    reroll=st.sampled_from(list(Reroll)),
    auto_crits=st.integers(0, 20),
    auto_norms=st.integers(0, 20),
    fails_to_norms=st.integers(0, 20),
    norms_to_crits=st.integers(0, 20),
    abilities=st.lists(st.sampled_from(list(Ability))),
)
def test_chances_sum_to_one_for_every_legal_side(**fields):
    grid = distribution(roll_of(Profile(**fields)))
    assert grid.sum() == pytest.approx(1.0, abs=1e-12)
    assert grid.min() >= 0.0
    assert grid.shape == (fields["num_dice"] + 1,) * 2


@pytest.mark.parametrize("dice", [1, 6, 12])
def test_plain_dice_agree_with_a_second_library(dice):
    total = dice @ icepool.Die([0, 0, 1, 1, 1, 100])  # a critical counts 100, so the digits keep the two apart
    expected = {divmod(value, 100): ways / total.denominator() for value, ways in total.items()}
    assert_same(grid_of(Attacker(num_dice=dice, dice_stat=3)), expected)


def test_ceaseless_rerolls_only_the_commonest_face():
    # Two dice at 3+ fail on 1 and 2: both fall again when they match, else one of them does.
    grid = grid_of(Attacker(num_dice=2, dice_stat=3, reroll="most_common_fail"))
    same, different = 2 / 36, 2 / 36
    assert grid[0, 0] == pytest.approx(same / 9 + different / 3)


def test_relentless_for_criticals_has_the_closed_form():
    grid = grid_of(Attacker(num_dice=5, dice_stat=3, reroll="crit_fish_relentless"))
    assert grid[5, 0] == pytest.approx((11 / 36) ** 5)


def test_a_stat_of_one_never_fails_and_never_rerolls():
    for reroll in Reroll:
        grid = grid_of(Attacker(num_dice=3, dice_stat=1, reroll=reroll))
        assert all(c + n == 3 for c, n in grid)


def test_a_stat_of_seven_succeeds_only_on_a_critical_six():
    assert_same(grid_of(Defender(num_dice=1, dice_stat=7)), {(0, 0): 5 / 6, (1, 0): 1 / 6})
    assert_same(grid_of(Defender(num_dice=1, dice_stat=7, hardyx=7)), {(0, 0): 1.0})


def test_lethal_below_the_stat_counts_as_the_stat():
    assert grid_of(Attacker(num_dice=3, dice_stat=5, lethal=2)) == grid_of(Attacker(num_dice=3, dice_stat=5, lethal=5))


def test_injury_makes_the_stat_worse_but_a_six_still_hits():
    injured = grid_of(Fighter(num_dice=2, dice_stat=6), worse=1)
    assert_same(injured, oracle.dice(2, 7))
    assert_same(grid_of(Fighter(num_dice=2, dice_stat=4, lethal=4), worse=1), oracle.dice(2, 5, 5))


def test_being_obscured_does_not_touch_the_targets_own_dice():
    plain = Defender(num_dice=3, dice_stat=3)
    assert grid_of(plain.with_ability(Ability.OBSCURED_TARGET)) == grid_of(plain)


def test_severe_sets_off_rending_only_when_asked():
    side = Attacker(num_dice=2, dice_stat=1, lethal=7, abilities=("severe", "rending"))
    assert grid_of(side) == {(1, 1): 1.0}
    assert grid_of(side, chain=True) == {(2, 0): 1.0}

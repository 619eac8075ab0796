"""The fight matrix: every cell is the single fight, whoever strikes first."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.killteam.fight import fight
from engine.killteam.fight.matrix import matrix, seconds
from engine.killteam.profile import Ability, Fighter, FightOptions, Strategy

KNIFE = Fighter(num_dice=3, dice_stat=4, norm_dmg=3, crit_dmg=4, wounds=7)
SWORD = Fighter(num_dice=4, dice_stat=3, norm_dmg=4, crit_dmg=5, wounds=9, abilities=[Ability.BRUTAL])
SHIELD = Fighter(num_dice=4, dice_stat=3, norm_dmg=3, crit_dmg=5, wounds=8, abilities=[Ability.STORM_SHIELD], fnp=5)

fighters = st.builds(
    Fighter,
    num_dice=st.integers(1, 4),
    dice_stat=st.integers(2, 5),
    norm_dmg=st.integers(1, 4),
    crit_dmg=st.integers(2, 6),
    wounds=st.integers(1, 10),
    abilities=st.sets(st.sampled_from([Ability.BRUTAL, Ability.SHOCK, Ability.DUELIST]), max_size=1).map(list),
)


@pytest.mark.parametrize("one", [Strategy.OPTIMAL, Strategy.STRIKE])
@pytest.mark.parametrize("two", [Strategy.OPTIMAL, Strategy.PARRY])
@pytest.mark.parametrize("rounds", [1, 2])
def test_each_cell_is_the_single_fight(one: Strategy, two: Strategy, rounds: int) -> None:
    options = FightOptions(strategy1=one, strategy2=two, num_rounds=rounds)
    waiting = options.model_copy(update={"first_fighter": 2})
    everyone = [KNIFE, SWORD, SHIELD]
    for attacker, row in zip(everyone, matrix(everyone, everyone, options), strict=True):
        for defender, bout in zip(everyone, row, strict=True):
            np.testing.assert_allclose(bout.charges.joint, fight(attacker, defender, options).joint, atol=1e-12)
            np.testing.assert_allclose(bout.waits.joint, fight(attacker, defender, waiting).joint, atol=1e-12)


@settings(max_examples=25, deadline=None)
@given(fighters, fighters)
def test_whoever_plays_perfectly_never_loses_by_striking_first_what_the_other_does_not_gain(
    one: Fighter, two: Fighter
) -> None:
    """A cell and the cell across the diagonal are the same two fights seen from either side."""
    best = FightOptions(strategy1=Strategy.OPTIMAL, strategy2=Strategy.OPTIMAL)
    ((_, bout), (across, _)) = matrix([one, two], [one, two], best)
    assert bout.gain == pytest.approx(across.gain, abs=1e-12)
    np.testing.assert_allclose(bout.charges.joint, across.waits.joint.T, atol=1e-12)


def test_a_matrix_says_about_how_long_it_takes() -> None:
    assert seconds([KNIFE] * 4, [SWORD] * 5) == pytest.approx(20 * seconds([KNIFE], [SWORD]))

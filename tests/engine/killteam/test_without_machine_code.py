"""Fights while machine code is being made: the NumPy twins of loops fill the same tables."""

from __future__ import annotations

import numpy as np
import pytest

from engine.compiled import LOOPS, interpreting
from engine.killteam.fight import fight
from engine.killteam.profile import Ability, Fighter, FightOptions, Strategy

PLANS = list(Strategy)
KNIFE = Fighter(num_dice=4, dice_stat=3, norm_dmg=3, crit_dmg=4, wounds=9)
FISTS = Fighter(num_dice=3, dice_stat=4, norm_dmg=2, crit_dmg=6, wounds=11, abilities=[Ability.BRUTAL, Ability.SHOCK])
DUELLIST = Fighter(num_dice=3, dice_stat=3, norm_dmg=3, crit_dmg=5, wounds=8, abilities=[Ability.DUELIST])


@pytest.mark.parametrize("one", PLANS)
@pytest.mark.parametrize("two", PLANS)
@pytest.mark.parametrize("fighters", [(KNIFE, FISTS), (DUELLIST, KNIFE)], ids=["fists", "duellist"])
def test_fights_are_the_same(
    one: Strategy, two: Strategy, fighters: tuple[Fighter, Fighter], monkeypatch: pytest.MonkeyPatch
) -> None:
    options = FightOptions(strategy1=one, strategy2=two, num_rounds=2 if one == two else 1)
    compiled = fight(*fighters, options).joint
    for loop in LOOPS:  # what has machine code would use it
        monkeypatch.setattr(loop, "_machine", None)
    with interpreting():
        np.testing.assert_allclose(fight(*fighters, options).joint, compiled, atol=1e-12)

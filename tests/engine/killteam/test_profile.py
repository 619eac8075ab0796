"""Profiles: what may be entered, what excludes what, and that the tables of rules are whole."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from engine.killteam.profile import (
    ABILITIES,
    EXCLUSIVE,
    REROLLS,
    Ability,
    Attacker,
    Defender,
    Fighter,
    FightOptions,
    Reroll,
    ShootOptions,
    Side,
    refuse_conflicts,
)
from engine.wire import EngineError


def test_every_ability_and_every_reroll_has_one_row():
    assert sorted(rule.key for rule in ABILITIES) == sorted(Ability)
    assert [rule.key for rule in REROLLS] == list(Reroll)
    assert all(rule.title and rule.text.endswith(".") for rule in (*ABILITIES, *REROLLS))
    assert {rule.phase for rule in ABILITIES} == {"dice", "shoot", "fight", "shoot+fight"}


def test_abilities_are_kept_once_and_in_order():
    assert Side(abilities=("stun", "brutal", "stun")).abilities == (Ability.BRUTAL, Ability.STUN)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("num_dice", 21),
        ("num_dice", -1),
        ("dice_stat", 8),
        ("norm_dmg", 31),
        ("lethal", 8),
        ("reroll", "twice"),
        ("abilities", ["flying"]),
        ("wounds", 1),
    ],
)
def test_values_out_of_range_and_unknown_fields_are_refused(field, value):
    with pytest.raises(ValidationError, match=field):
        Attacker(**{"dice_stat": 3, field: value})


def test_rolled_dice_need_a_stat_but_automatic_ones_do_not():
    with pytest.raises(ValidationError, match="diceStat must be 1–7"):
        Attacker(num_dice=2, auto_norms=1)
    assert Attacker(num_dice=2, auto_norms=2).dice_stat == 0
    assert Defender(num_dice=3, invuln_save=4).stat_to_beat == 4


def test_a_copy_is_checked_and_the_original_stays():
    side = Fighter(num_dice=4, dice_stat=3, wounds=10)
    assert side.changed(wounds=4).wounds == 4
    assert side.wounds == 10
    with pytest.raises(ValidationError):
        side.changed(wounds=100)
    with pytest.raises(ValidationError):
        side.wounds = 3


@pytest.mark.parametrize(("name", "group"), EXCLUSIVE)
def test_taking_an_ability_drops_the_ones_it_excludes(name, group):
    first, second = sorted(group)[:2]
    both = Side(abilities=(first, second, Ability.BRUTAL))
    assert both.conflicts() == [(name, (first, second))]
    assert both.with_ability(second).abilities == tuple(sorted((second, Ability.BRUTAL)))
    with pytest.raises(EngineError, match=name):
        refuse_conflicts(fighter1=both)


def test_abilities_of_different_groups_go_together():
    side = Side(abilities=(Ability.RENDING, Ability.DUELLER, Ability.ELITE_EXTREME))
    assert side.conflicts() == []
    refuse_conflicts(attacker=side)


@pytest.mark.parametrize(
    ("lethal", "stat", "expected"), [(0, 3, 6), (5, 3, 5), (2, 4, 4), (7, 3, 7), (5, 7, 6), (2, 1, 2)]
)
def test_only_a_success_can_be_critical(lethal, stat, expected):
    assert Attacker(dice_stat=stat, lethal=lethal).crit_on == expected


def test_a_side_of_no_role_has_ordinary_criticals():
    assert Side(num_dice=3, dice_stat=3).crit_on == 6


def test_feel_no_pain_modes_are_read_in_both_spellings():
    assert ShootOptions(fnp_mode="perHit") == ShootOptions(fnp_mode="per_hit")
    with pytest.raises(ValidationError):
        FightOptions(fnp_mode=3)

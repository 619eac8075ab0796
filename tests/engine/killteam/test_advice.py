"""Mistakes are found and only then; reasons add up; reports read well."""

from __future__ import annotations

import pytest

from engine.killteam.advice import fight_mistakes, fight_report, percent, shoot_mistakes, shoot_reasons, shoot_report
from engine.killteam.fight import fight
from engine.killteam.profile import Attacker, Defender, Fighter, FightOptions, ShootOptions
from engine.killteam.shoot import shoot

GUN = Attacker(num_dice=4, dice_stat=3, norm_dmg=3, crit_dmg=4)
TARGET = Defender(num_dice=3, dice_stat=3, wounds=12)
KNIFE = Fighter(num_dice=4, dice_stat=3, norm_dmg=3, crit_dmg=5, wounds=12)


def test_a_sensible_situation_has_no_mistakes():
    assert shoot_mistakes(GUN, TARGET) == []
    assert fight_mistakes(KNIFE, KNIFE) == []


SHOOT = [
    ("crit_below_stat", {"lethal": 2}, {}),
    ("crit_below_stat", {}, {"hardyx": 2}),
    ("crit_on_six", {"lethal": 6}, {}),
    ("autos_exceed_dice", {}, {"auto_norms": 4}),
    ("nothing_to_reroll", {"reroll": "balanced", "auto_norms": 4}, {}),
    ("nothing_to_reroll", {"reroll": "relentless", "dice_stat": 1}, {}),
    ("no_norms", {"lethal": 3, "abilities": ["rending"]}, {}),
    ("severe_sets_nothing_off", {"abilities": ["severe", "fail_to_norm_if_crit"]}, {}),
    ("exclusive", {"abilities": ["elite_moderate", "elite_extreme"]}, {}),
    ("no_damage", {"norm_dmg": 0, "crit_dmg": 0}, {}),
    ("crit_weaker", {"norm_dmg": 6}, {}),
    ("needs_crits", {"mwx": 2, "lethal": 7}, {}),
    ("needs_crits", {"px": 1}, {"abilities": ["obscured_target"]}),
    ("piercing_invulnerable", {"apx": 1}, {"invuln_save": 3}),
    ("piercing_invulnerable", {"px": 1}, {"invuln_save": 3}),
    ("px_within_apx", {"apx": 1, "px": 1}, {}),
    ("all_dice_pierced", {"apx": 3}, {}),
    ("invulnerable_worse", {}, {"invuln_save": 5}),
    ("saturate_without_cover", {"abilities": ["saturate"]}, {}),
    ("no_wounds", {}, {"wounds": 0}),
    ("fnp_one", {}, {"fnp": 1}),
    ("durable_idle", {"norm_dmg": 3, "crit_dmg": 3}, {"abilities": ["durable"]}),
    ("idle_ability", {"abilities": ["brutal"]}, {}),
    ("idle_ability", {"abilities": ["durable"]}, {}),
    ("idle_ability", {}, {"abilities": ["storm_shield"]}),
]


@pytest.mark.parametrize(("code", "attack", "defence"), SHOOT)
def test_each_mistake_is_found_alone_and_says_what_to_do(code, attack, defence):
    found = shoot_mistakes(GUN.changed(**attack), TARGET.changed(**defence))
    assert [mistake.code for mistake in found] == [code]
    assert found[0].field.split(".")[0] in ("attacker", "defender")
    assert found[0].message.endswith(".")
    assert found[0].fix.endswith(".")


@pytest.mark.parametrize(
    ("doubtful", "plain", "target"),
    [
        ({"lethal": 2}, {"lethal": 3}, {}),
        ({"lethal": 6}, {}, {}),
        ({"apx": 1, "px": 1}, {"apx": 1}, {}),
        ({"apx": 2, "px": 3}, {}, {"invuln_save": 3}),
        ({"abilities": ["brutal"]}, {}, {}),
        ({"lethal": 3, "abilities": ["rending"]}, {"lethal": 3}, {}),
        ({"abilities": ["saturate"]}, {}, {}),
    ],
)
def test_what_is_called_redundant_really_changes_nothing(doubtful, plain, target):
    target = TARGET.changed(**target)
    assert shoot_mistakes(GUN.changed(**doubtful), target) != []
    assert shoot(GUN.changed(**doubtful), target).damage.close_to(shoot(GUN.changed(**plain), target).damage)


def test_the_older_reading_of_severe_is_no_mistake():
    gun = GUN.changed(abilities=["severe", "fail_to_norm_if_crit"])
    assert shoot_mistakes(gun, TARGET, ShootOptions(severe_triggers_crit_rules=True)) == []


@pytest.mark.parametrize(
    ("code", "changes", "options"),
    [
        ("no_wounds", {"wounds": 0}, {}),
        ("crit_weaker", {"crit_dmg": 2}, {}),
        ("fnp_one", {"fnp": 1}, {}),
        ("idle_ability", {"abilities": ["saturate"]}, {}),
        ("injury_one_round", {}, {"injury": True}),
    ],
)
def test_mistakes_in_fights(code, changes, options):
    found = fight_mistakes(KNIFE, KNIFE.changed(**changes), FightOptions(**options))
    assert [mistake.code for mistake in found] == [code]


def reason(label, attack, defence, **options):
    reasons = shoot_reasons(GUN.changed(**attack), TARGET.changed(**defence), ShootOptions(**options))
    return [(r.value, r.why) for r in reasons if r.label == label]


def test_reasons_tell_where_the_dice_come_from():
    assert reason("Defence dice", {"apx": 1}, {}) == [("2", "3 − 1 Piercing")]
    assert reason("Defence dice", {"apx": 1}, {"invuln_save": 4}) == [
        ("3", "3 on the profile; invulnerable saves are not pierced")
    ]
    assert reason("Defence dice", {}, {"auto_norms": 1})[0][1] == "3 on the profile; 1 kept without a roll, 2 rolled"
    assert reason("Defence dice after a critical", {"px": 2}, {})[0][0] == "1"
    assert reason("Save on one die", {}, {}) == [("3+", "critical on 6+: 16.7% critical, 50.0% normal, 33.3% fail")]
    assert reason("Hit on one die", {"lethal": 7}, {})[0][1].startswith("never critical")
    assert reason("Save on one die", {}, {"dice_stat": 7})[0][0] == "criticals only"
    assert reason("Save on one die", {}, {"auto_norms": 3}) == []


def test_reasons_name_every_rule_that_is_on():
    reasons = shoot_reasons(
        GUN.changed(reroll="balanced", abilities=["rending"], mwx=2, fails_to_norms=1, norms_to_crits=2),
        TARGET.changed(fnp=5, abilities=["durable", "obscured_target"]),
        ShootOptions(num_rounds=2),
    )
    values = {r.value for r in reasons}
    assert {"Balanced", "Rending", "2 per critical", "up to 1", "up to 2", "Durable", "Obscured target", "5+"} <= values
    assert reason("Saves", {}, {}, fire_team_rules=True) == [("any save stops any hit", "normal hits first")]
    assert reason("Feel No Pain", {}, {"fnp": 5}, fnp_mode="per_hit") == [("5+", "one roll per hit takes 1 off")]
    assert reason("Feel No Pain", {}, {"fnp": 5})[0][1] == "each point of damage stays with 66.7%"
    assert reason("Rounds", {}, {}, num_rounds=3)[0][0] == "3"


def test_percentages_never_call_the_possible_impossible():
    assert [percent(p) for p in (0.0, 0.00049, 0.5, 0.9995, 1.0)] == ["0 %", "<0.1 %", "50.0 %", ">99.9 %", "100 %"]


def test_a_shoot_report_can_be_read_aloud():
    gun, target = GUN.changed(reroll="balanced", lethal=5, mwx=2), TARGET.changed(fnp=5, invuln_save=4)
    shot = shoot(gun, target)
    lines = shoot_report(gun, target, shot).splitlines()
    assert lines[0] == "Attacker: 4 dice at 3+ (Balanced), damage 3/4, Lethal 5+, Devastating 2"
    assert lines[1] == "Defender: 3 dice at 4+, 12 wounds, invulnerable 4+, Feel No Pain 5+"
    assert lines[4] == f"{percent(shot.p_kill)} to kill"
    assert lines[5].endswith("to do 6 or more")
    assert lines[6].startswith(f"Average damage {shot.damage.mean:.2f}")
    assert lines[7].startswith(f"Most likely {shot.damage.mode}")


def test_a_fight_report_can_be_read_aloud():
    other = KNIFE.changed(abilities=["brutal"], wounds=8)
    options = FightOptions(strategy2="parry", num_rounds=2)
    outcome = fight(KNIFE, other, options)
    lines = fight_report(KNIFE, other, outcome, options).splitlines()
    assert lines[0] == "Fighter 1: 4 dice at 3+, damage 3/5, 12 wounds, plays max dmg to enemy"
    assert lines[1] == "Fighter 2: 4 dice at 3+ (Brutal), damage 3/5, 8 wounds, plays parry"
    assert lines[2] == "Rounds: 2, fighter 1 first"
    assert lines[4].startswith(
        f"{percent(outcome.p_kill1)} fighter 1 kills, {percent(outcome.p_kill2)} fighter 2 kills"
    )
    assert f"{outcome.wounds1.mean:.2f}" in lines[5]

"""Equipment, ploys and faction rules as switches: each changes what it says, and the odds with it."""

from __future__ import annotations

import pytest

from apps.killteam import options
from apps.killteam.options import Switch, of_team, switches
from apps.killteam.services import switches as working
from engine.killteam.fight import fight
from engine.killteam.profile import Attacker, Defender, Fighter, FightOptions, FnpMode, Reroll
from engine.killteam.shoot import shoot

GUN = Attacker(
    num_dice=4, dice_stat=4, norm_dmg=4, crit_dmg=5, apx=1, px=0, abilities=("obscured_target", "saturate", "shock")
)
#: A profile on which every kind of change shows.
TARGET = Defender(num_dice=3, dice_stat=4, wounds=12, auto_norms=1)
BRAWLER = Fighter(num_dice=3, dice_stat=4, norm_dmg=4, crit_dmg=5, wounds=12, abilities=("shock",))


def named(team: str, name: str, variant: str = "") -> Switch:
    return next(s for s in of_team(team) if s.team == team and s.name == name and s.variant == variant)


@pytest.mark.parametrize("switch", switches(), ids=lambda switch: switch.key)
def test_every_switch_changes_something(switch: Switch) -> None:
    """On a profile of its role, and the result is a profile the engine takes."""
    weapon = switch.weapons[0] if switch.weapons else ""
    rerolled = GUN.changed(reroll="relentless", lethal=5, norms_to_crits=1, dice_stat=3)
    brawler = BRAWLER.changed(reroll="balanced", lethal=5, dice_stat=3, num_dice=4)
    changed = []
    for gun in (GUN, rerolled, GUN.changed(abilities=(), apx=0)):
        for attackers, defenders in (([switch], []), ([], [switch])):
            shot = working.shot(gun, TARGET, attackers=attackers, defenders=defenders, weapon=weapon)
            changed.append(shot != (gun, TARGET))
    for one in (BRAWLER, brawler, BRAWLER.changed(abilities=())):
        for attackers, defenders in (([switch], []), ([], [switch])):
            sides = (attackers, defenders)
            fought = working.fight(
                (one, one), sides, FightOptions(first_fighter=2 if attackers else 1), (weapon, weapon)
            )
            changed.append(fought[:2] != (one, one) or switch.sets_first)
    assert any(changed), switch


def test_a_ploy_changes_the_odds_of_a_shot() -> None:
    doctrine = named("Angels of Death", "Combat Doctrine", "Devastator Doctrine")
    gun, target = working.shot(GUN, TARGET, attackers=[doctrine])
    assert gun.reroll == Reroll.BALANCED
    assert shoot(gun, target).p_kill > shoot(GUN, TARGET).p_kill


def test_an_enemy_switch_works_on_the_other_side() -> None:
    flies = named("Plague Marines", "Cloud Of Flies")
    plain = GUN.changed(abilities=())
    gun, target = working.shot(plain, TARGET, defenders=[flies])
    assert gun.abilities == ("obscured_target",)
    assert target == TARGET
    assert working.shot(plain, TARGET, attackers=[flies]) == (plain, TARGET)


def test_equipment_for_some_weapons_arms_only_those() -> None:
    coating = named("Hand of the Archon", "Refined Poison")
    assert working.shot(GUN, TARGET, attackers=[coating], weapon="Splinter rifle")[0].norm_dmg == 5
    assert working.shot(GUN, TARGET, attackers=[coating], weapon="Blaster")[0].norm_dmg == 4


def test_resilience_by_mark_works_per_hit() -> None:
    nurgle = named("Legionaries", "Mark of Nurgle")
    _, target = working.shot(GUN, TARGET, defenders=[nurgle])
    assert (target.fnp, target.fnp_mode) == (5, FnpMode.PER_HIT)
    plain = fight(BRAWLER, BRAWLER, FightOptions())
    one, two, how = working.fight((BRAWLER, BRAWLER), ([nurgle], []), FightOptions())
    assert fight(one, two, how).p_kill2 < plain.p_kill2


def test_a_switch_may_decide_who_strikes_first() -> None:
    first = next(switch for switch in switches() if switch.sets_first)
    *_, how = working.fight((BRAWLER, BRAWLER), ([], [first]), FightOptions())
    assert how.first_fighter == 2


@pytest.mark.parametrize(
    ("now", "change", "expected"),
    [
        (3, {"add": 1, "max": 4}, 4),
        (4, {"add": 1, "max": 4}, 4),
        (5, {"add": 1, "max": 4}, 5),
        (2, {"add": -1, "min": 2}, 2),
        (3, {"add": -1, "min": 2}, 2),
        (0, {"add": -1}, 0),
        (3, {"add": -1, "only_if_at_least": 4}, 3),
        (4, {"add": -1, "only_if_at_least": 4}, 3),
        (1, {"set": 0, "only_if": 1}, 0),
        (2, {"set": 0, "only_if": 1}, 2),
    ],
)
def test_figures_stop_at_their_limits(now: int, change: dict[str, int], expected: int) -> None:
    changed = working.applied(GUN.changed(norm_dmg=now), {"norm_dmg": change}, own=False)
    assert changed.norm_dmg == expected


def test_ones_own_switch_leaves_a_better_figure_alone() -> None:
    sharp = GUN.changed(apx=2, lethal=4)
    assert working.applied(sharp, {"apx": {"set": 1}, "lethal": {"set": 5}}) == sharp
    assert working.applied(sharp, {"apx": {"set": 1}, "lethal": {"set": 7}}, own=False) == sharp.changed(
        apx=1, lethal=7
    )
    assert working.applied(GUN.changed(apx=0), {"apx": {"set": 1}, "lethal": {"set": 5}}).lethal == 5


@pytest.mark.parametrize(
    ("now", "new", "expected"),
    [
        ("none", "balanced", "balanced"),
        ("most_common_fail", "balanced", "ceaseless_plus_balanced"),
        ("balanced", "most_common_fail", "ceaseless_plus_balanced"),
        ("relentless", "balanced", "relentless"),
        ("balanced", "relentless", "relentless"),
        ("relentless", "none", "none"),
    ],
)
def test_a_reroll_is_never_made_worse_unless_forbidden(now: str, new: str, expected: str) -> None:
    assert working.applied(GUN.changed(reroll=now), {"reroll": new}).reroll.value == expected


def test_universal_switches_belong_to_every_team() -> None:
    names = {switch.name for switch in of_team("Kasrkin") if switch.team == options.UNIVERSAL}
    assert names >= {"Portable Barricade", "Ammo Cache", "Command Re-roll"}
    assert not [switch for switch in of_team("Kasrkin") if switch.team not in (options.UNIVERSAL, "Kasrkin")]

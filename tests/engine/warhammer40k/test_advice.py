"""Reroll policies, what would lift the chance to wipe a unit out, and doubts about the input."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from engine.warhammer40k.advice import (
    DOUBTS,
    IMPROVEMENTS,
    MAX_TOGETHER,
    Policy,
    attacks_needed,
    best_rerolls,
    doubts,
    improvements,
    policies,
    with_policy,
    worth,
)
from engine.warhammer40k.profile import AttackInput, Defender, Weapon
from engine.wire import EngineError
from tests.oracles import warhammer40k as oracle

MARINES = Defender(models=5, toughness=4, save=3, wounds=2)


def request(*weapons: dict[str, Any], unit: Defender = MARINES, **rules: Any) -> AttackInput:
    lines = tuple(Weapon(**({"attacks": "4", "skill": 3, "strength": 4, "ap": 1, "damage": "1"} | w)) for w in weapons)
    return AttackInput(weapons=lines, defender=unit, **rules)


@pytest.mark.parametrize("objective", ["damage", "kills", "wipe"])
def test_the_best_policy_is_the_best_of_every_policy(objective: Any) -> None:
    asked = request({"reroll_hits": "all", "twin_linked": True, "devastating_wounds": True, "damage": "D3"})
    best, _ = best_rerolls(asked, objective)
    every = [
        worth(asked.model_copy(update={"weapons": (with_policy(asked.weapons[0], Policy(hit, wound, 1)),)}))
        for hit, wound in product(("none", "ones", "failed", "noncrit"), repeat=2)
    ]
    assert best.of(objective) == pytest.approx(max(value.of(objective) for value in every), abs=1e-12)


def test_fishing_costs_a_twin_linked_devastating_weapon_damage_when_saves_are_poor() -> None:
    """A plain wound against no save is already worth as much as a critical one."""
    asked = request({"twin_linked": True, "devastating_wounds": True}, unit=Defender(models=5, toughness=4, wounds=2))
    _, (row,) = best_rerolls(asked, "damage")
    assert row.best.wound == "failed"
    assert row.fishing_wounds is not None
    assert row.fishing_wounds < 0
    assert row.fishing_hits is None


def test_fishing_pays_against_good_saves() -> None:
    terminator = Defender(models=5, toughness=4, save=2, invulnerable=4, wounds=3)
    asked = request(
        {"twin_linked": True, "devastating_wounds": True, "ap": 0, "damage": "3", "anti": 5}, unit=terminator
    )
    _, (row,) = best_rerolls(asked, "damage")
    assert row.best.wound == "noncrit"
    assert row.fishing_wounds is not None
    assert row.fishing_wounds > 0


def test_the_value_of_a_policy_is_that_of_rolling_every_die() -> None:
    """The table's figures against brute force for one weapon."""
    asked = request({"attacks": "1", "reroll_wounds": "all", "devastating_wounds": True, "damage": "2"})
    _, (row,) = best_rerolls(asked, "damage")
    for policy, value in row.options:
        weapon = {"attacks": "1", "devastating_wounds": True, "damage": "2", "reroll_wounds": policy.wound}
        unit = MARINES.model_dump(include=set(oracle.DEFENDER))
        exact = oracle.resolve([weapon], unit, {})["damage"]
        assert value.damage == pytest.approx(float(sum(v * p for v, p in exact.items())), abs=1e-12)


def test_damage_dice_are_kept_from_the_face_that_pays() -> None:
    """Against two wounds a D6 of 2 already kills: rerolling a 2 or 3 only risks it."""
    asked = request({"damage": "D6", "reroll_damage": "all", "ap": 4})
    _, (row,) = best_rerolls(asked, "kills")
    assert row.best.damage_keep_from == 2


def test_many_weapons_are_improved_in_turn_to_the_same_answer() -> None:
    one = {"reroll_hits": "all", "twin_linked": True, "devastating_wounds": True}
    assert len(policies(Weapon(**one))) ** 3 > MAX_TOGETHER
    three = request(*[one | {"attacks": "1"}] * 3)
    single = request(one | {"attacks": "3"})
    assert best_rerolls(three, "damage")[0].damage == pytest.approx(best_rerolls(single, "damage")[0].damage)


def test_weapons_that_roll_no_dice_have_nothing_to_choose() -> None:
    assert policies(Weapon(type="mortal", reroll_hits="all")) == [Policy("none", "none", 1)]
    assert {p.hit for p in policies(Weapon(torrent=True, reroll_hits="all"))} == {"none"}


# -- lifting the chance to wipe the unit out ----------------------------------------------------------------------


@pytest.mark.parametrize("level", [0.2, 0.5, 0.9])
def test_so_many_further_attacks_reach_the_level_and_one_fewer_does_not(level: float) -> None:
    asked = request({"damage": "2"})
    needed = attacks_needed(asked, level, 0)
    assert needed is not None
    for extra, reached in ((needed, True), (needed - 1, False)):
        more = request({"damage": "2", "attacks": str(4 + extra)})
        assert (worth(more).wipe >= level) is reached


def test_a_level_already_reached_needs_nothing_and_one_out_of_reach_says_so() -> None:
    assert attacks_needed(request({"attacks": "90", "damage": "2"}), 0.5, 0) == 0
    assert attacks_needed(request({"damage": "0"}), 0.5, 0) is None


@pytest.mark.parametrize("at", [-1, 1, 5])
def test_only_a_weapon_that_attacks_can_be_given_attacks(at: int) -> None:
    with pytest.raises(EngineError, match="no weapon"):
        attacks_needed(request({}, {"type": "mortal"}), 0.5, at)


def test_improvements_are_what_the_changed_attack_gives() -> None:
    asked = request({"attacks": "12", "damage": "1"})
    lifts = {lift.label: lift for lift in improvements(asked, 0.05)}
    changed = request({"attacks": "12", "damage": "2"})
    assert lifts["+1 Damage"].p_wiped == pytest.approx(worth(changed).wipe)
    assert lifts["+1 Damage"].reaches is (worth(changed).wipe >= 0.05)
    gains = [lift.gain for lift in improvements(asked, 0.05)]
    assert gains == sorted(gains, reverse=True)


def test_improvements_that_cannot_apply_are_left_out() -> None:
    labels = {lift.label for lift in improvements(request({"torrent": True}), 0.5)}
    assert "+1 to hit" not in labels
    assert len({lift.label for lift in improvements(request({}), 0.5)}) == len(IMPROVEMENTS)
    assert improvements(request({"type": "mortal", "mortal_wounds": "3"}), 0.5) == ()


# -- doubts -------------------------------------------------------------------------------------------------------

TRIGGERS: dict[str, tuple[dict[str, Any], dict[str, Any], dict[str, Any]]] = {
    "Critical hits must be": ({"critical_hit": 1}, {}, {}),
    "Critical wounds must be": ({"critical_wound": 7}, {}, {}),
    "Anti must be": ({"anti": 1}, {}, {}),
    "AP changes nothing": ({"ap": 3}, {"save": 4, "invulnerable": 4}, {}),
    "Lethal Hits costs": ({"lethal_hits": True, "devastating_wounds": True, "anti": 2}, {"save": 2}, {}),
    "Lethal Hits skips": ({"lethal_hits": True, "devastating_wounds": True, "twin_linked": True}, {}, {}),
    "Rerolling plain wounds": ({"reroll_wounds": "noncrit"}, {"save": 7}, {}),
    "Blast adds nothing": ({"blast": True}, {"models": 1}, {}),
    "Melta only": ({"melta": 2}, {}, {}),
    "Rapid Fire only": ({"rapid_fire": 1}, {}, {}),
    "Heavy only": ({"heavy": True}, {}, {}),
    "Lance only": ({"lance": True}, {}, {}),
    "Without a skill": ({"skill": 0}, {}, {}),
    "Torrent makes no hit roll": ({"torrent": True, "lethal_hits": True}, {}, {}),
    "Hit modifiers add up": ({"hit_modifier": 1, "heavy": True, "stationary": True}, {}, {}),
    "Wound modifiers add up": ({"wound_modifier": -1}, {"wound_modifier": -1}, {}),
    "Cleave counts": ({"cleave": 1, "melee": True}, {}, {}),
    "These attacks may not reroll": ({"indirect": True, "reroll_hits": "ones"}, {}, {"edition": "eleventh"}),
    "Devastating Wounds is limited": (
        {"devastating_wounds": True, "devastating_against": "monster_vehicle"}, {}, {},
    ),
    "Devastating damage never spills": ({}, {}, {"edition": "eleventh", "devastating": "spill"}),
}  # fmt: skip


@pytest.mark.parametrize("start", TRIGGERS)
def test_nonsense_is_pointed_out_beside_its_field(start: str) -> None:
    weapon, defender, rules = TRIGGERS[start]
    unit = {"models": 5, "toughness": 4, "save": 3, "wounds": 2} | defender
    line = {"attacks": "4", "skill": 3, "strength": 4, "damage": "1"} | weapon
    asked = AttackInput.model_validate({"weapons": [line], "defender": unit, "rules": rules})
    found = [doubt for doubt in doubts(asked) if doubt.message.startswith(start)]
    assert len(found) == 1
    assert found[0].field.startswith(("weapons.0.", "rules."))


def test_every_doubt_has_a_trigger_here_and_a_sound_attack_raises_none() -> None:
    assert len(TRIGGERS) == len(DOUBTS) + 1
    assert list(doubts(request({}))) == []
    assert list(doubts(request({"type": "mortal", "skill": 0}))) == []

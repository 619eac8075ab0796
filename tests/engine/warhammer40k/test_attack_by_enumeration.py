"""The exact engine against rolling every face of every die, for every ability and every pair of abilities."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.warhammer40k.attack import resolve
from engine.warhammer40k.profile import AttackInput
from tests.oracles import warhammer40k as oracle

#: (weapon fields, defender fields): each on its own, then every two together.
ABILITIES: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "variable attacks": ({"attacks": "D3"}, {}),
    "variable damage": ({"damage": "D3"}, {}),
    "damage 3": ({"damage": "3"}, {}),
    "torrent": ({"torrent": True}, {}),
    "rolled strength": ({"strength": 2, "strength_dice": "D6"}, {}),
    "lethal hits": ({"lethal_hits": True}, {}),
    "sustained 1": ({"sustained_hits": 1}, {}),
    "sustained D3": ({"sustained_hits": "D3", "attacks": "1"}, {}),
    "devastating": ({"devastating_wounds": True}, {}),
    "anti 4+": ({"anti": 4}, {}),
    "twin-linked": ({"twin_linked": True}, {}),
    "blast": ({"blast": True, "attacks": "1"}, {"models": 5}),
    "rapid fire": ({"rapid_fire": 1, "attacks": "1", "half_range": True}, {}),
    "melta": ({"melta": 2, "half_range": True}, {}),
    "heavy": ({"heavy": True, "stationary": True}, {}),
    "lance": ({"lance": True, "charged": True}, {}),
    "ignores cover": ({"ignores_cover": True}, {"cover": True}),
    "indirect": ({"indirect": True}, {}),
    "melee": ({"melee": True}, {}),
    "critical hits 5+": ({"critical_hit": 5}, {}),
    "critical hits 5+ on success": ({"critical_hit": 4, "skill": 6, "critical_hit_needs_success": True}, {}),
    "critical wounds 5+": ({"critical_wound": 5}, {}),
    "+1 to hit": ({"hit_modifier": 2}, {}),
    "-1 to be hit": ({}, {"hit_modifier": -1}),
    "+1 to wound": ({"wound_modifier": 1}, {}),
    "-1 to be wounded": ({}, {"wound_modifier": -2}),
    "reroll hits of 1": ({"reroll_hits": "ones"}, {}),
    "fish for critical hits": ({"reroll_hits": "noncrit"}, {}),
    "reroll failed wounds": ({"reroll_wounds": "failed"}, {}),
    "reroll every wound": ({"reroll_wounds": "all"}, {}),
    "reroll low damage": ({"reroll_damage": "below_average", "damage": "D6"}, {"wounds": 4}),
    "extra mortals": ({"extra_mortals_on_crit_wound": "D3"}, {}),
    "invulnerable": ({"ap": 4}, {"invulnerable": 4}),
    "cover": ({}, {"cover": True}),
    "cover for 3+ against AP 0": ({"ap": 0}, {"save": 3, "cover": True}),
    "cover against 6+": ({"skill": 6}, {"cover": True}),
    "stealth": ({}, {"stealth": True}),
    "save +1": ({}, {"save_modifier": 1}),
    "reroll saves": ({}, {"reroll_saves": "failed"}),
    "feel no pain": ({}, {"feel_no_pain": 5}),
    "feel no mortal pain": ({}, {"feel_no_pain_mortal": 4}),
    "reduction": ({"damage": "2"}, {"damage_reduction": 1}),
    "reduction at the minimum": ({"damage": "1"}, {"damage_reduction": 2}),
    "halved": ({"damage": "3"}, {"halve_damage": True}),
    "reduction to 0": ({}, {"damage_reduction": 1, "damage_minimum": 0}),
    "wounded": ({}, {"wounds": 3, "wounds_already_lost": 2}),
    "overwatch": ({"overwatch": True}, {}),
    "plunging fire": ({"plunging_fire": True}, {}),
    "psychic": ({"psychic": True}, {}),
    "moved a little": ({"heavy": True, "moved_short": True}, {}),
    "spotted": ({"indirect": True, "spotted": True, "stationary": True}, {}),
    "cleave": ({"cleave": 1, "attacks": "1", "melee": True}, {"models": 5}),
    "devastating against monsters": ({"devastating_wounds": True, "devastating_against": "monster_vehicle"}, {}),
}
RULES = ({"edition": "tenth"}, {"edition": "tenth", "devastating": "spill"}, {"edition": "eleventh"})


def agree(weapons: list[dict[str, Any]], defender: dict[str, Any], rules: dict[str, Any]) -> None:
    full = [oracle.WEAPON | weapon for weapon in weapons]
    unit = oracle.DEFENDER | defender
    ours = resolve(AttackInput.model_validate({"weapons": full, "defender": unit, "rules": rules}))
    theirs = oracle.resolve(weapons, defender, rules)
    for stage in oracle.STAGES:
        pmf, exact = getattr(ours, stage), theirs[stage]
        assert pmf.p.sum() == pytest.approx(1, abs=1e-12)
        for value in range(max(pmf.high, *exact) + 1):
            assert pmf.exactly(value) == pytest.approx(float(exact.get(value, 0)), abs=1e-12), (stage, value)
    wiped = theirs["destroyed"].get(unit["models"], 0) if unit["models"] else 0
    assert ours.p_wiped == pytest.approx(float(wiped), abs=1e-12)


@pytest.mark.parametrize("rules", RULES, ids=["tenth", "launch", "eleventh"])
@pytest.mark.parametrize("name", ABILITIES)
def test_each_ability_alone(name: str, rules: dict[str, Any]) -> None:
    weapon, defender = ABILITIES[name]
    agree([weapon], defender, rules)


@pytest.mark.parametrize("name", ABILITIES)
def test_each_ability_with_every_other(name: str) -> None:
    weapon, defender = ABILITIES[name]
    for other, (more, unit) in ABILITIES.items():
        if other > name:
            for rules in (RULES[0], RULES[2]):
                agree([weapon | more | {"attacks": "1"}], defender | unit, rules)


DEVASTATING = {"devastating_wounds": True, "anti": 3, "attacks": "1"}
LINES: dict[str, list[dict[str, Any]]] = {
    "two alike": [DEVASTATING, DEVASTATING],
    "alike with another between": [DEVASTATING, DEVASTATING | {"damage": "2"}, DEVASTATING],
    "different damage": [DEVASTATING | {"damage": "D3"}, DEVASTATING | {"damage": "2"}],
    "plain between": [DEVASTATING, {"damage": "2"}, DEVASTATING],
    "with extra mortals": [
        DEVASTATING | {"extra_mortals_on_crit_wound": 1},
        {"anti": 2, "extra_mortals_on_crit_wound": "D3", "attacks": "1"},
        DEVASTATING | {"damage": "2", "extra_mortals_on_crit_wound": 1},
    ],
    "mortal wounds only": [{"type": "mortal", "mortal_wounds": "D3", "count": 2}, {"damage": "2"}],
    "two spilling": [
        {"anti": 2, "extra_mortals_on_crit_wound": 1, "attacks": "1"},
        {"anti": 4, "extra_mortals_on_crit_wound": 2, "attacks": "2"},
    ],
    "variable devastating": [DEVASTATING | {"attacks": "D3", "count": 2}],
    "nothing": [{"attacks": "0"}, {"count": 0}],
}


@pytest.mark.parametrize("rules", RULES, ids=["tenth", "launch", "eleventh"])
@pytest.mark.parametrize("line", LINES)
def test_several_weapons_in_order(line: str, rules: dict[str, Any]) -> None:
    agree(LINES[line], {"wounds": 3, "feel_no_pain_mortal": 5, "wounds_already_lost": 1}, rules)


@pytest.mark.parametrize("defender", [{"models": 0}, {"wounds": 0}], ids=["no models", "no wounds"])
def test_an_empty_unit_loses_nothing(defender: dict[str, Any]) -> None:
    outcome = resolve(AttackInput.model_validate({"weapons": [oracle.WEAPON], "defender": oracle.DEFENDER | defender}))
    assert (outcome.damage.mean, outcome.destroyed.mean, outcome.p_wiped) == (0, 0, 0)
    assert outcome.hits.mean == pytest.approx(4 / 3)


ability = st.sampled_from(sorted(ABILITIES))


@settings(max_examples=60)
@given(names=st.lists(ability, min_size=3, max_size=5, unique=True), rules=st.sampled_from(RULES))
def test_any_handful_of_abilities(names: list[str], rules: dict[str, Any]) -> None:
    weapon: dict[str, Any] = {}
    defender: dict[str, Any] = {}
    for name in names:
        weapon |= ABILITIES[name][0]
        defender |= ABILITIES[name][1]
    agree([weapon | {"attacks": "1"}], defender, rules)

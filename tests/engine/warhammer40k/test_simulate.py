"""Simulation against the exact answer, and the promises a job relies on: seeds, progress, limits."""

from __future__ import annotations

from typing import Any

import pytest

from engine.warhammer40k.attack import resolve
from engine.warhammer40k.profile import AttackInput
from engine.warhammer40k.simulate import CHUNK, COUNTED, simulate
from engine.wire import EngineError

BOLTER = {"attacks": "12", "skill": 3, "strength": 4, "ap": 1, "damage": "1"}
MARINES = {"models": 10, "toughness": 4, "save": 3, "wounds": 2}
ELEVENTH = {"rules": {"edition": "eleventh"}}

#: name: (weapon fields, defender fields, further document fields)
SCENARIOS: dict[str, tuple[dict[str, Any], dict[str, Any], dict[str, Any]]] = {
    "plain": ({}, {}, {}),
    "rolled strength": ({"strength": 1, "strength_dice": "2D6", "reroll_wounds": "ones"}, {"toughness": 6}, {}),
    "reroll ones": ({"reroll_hits": "ones", "reroll_wounds": "ones"}, {}, {}),
    "reroll failed": ({"reroll_hits": "failed", "twin_linked": True}, {}, {}),
    "fishing": ({"reroll_hits": "noncrit", "lethal_hits": True}, {}, {}),
    "reroll all": ({"reroll_wounds": "all"}, {"reroll_saves": "all"}, {}),
    "torrent": ({"torrent": True, "attacks": "2D6"}, {}, {}),
    "lethal sustained": ({"lethal_hits": True, "sustained_hits": "D3"}, {}, {}),
    "devastating": ({"devastating_wounds": True, "damage": "3"}, {}, {}),
    "launch devastating": ({"devastating_wounds": True, "damage": "D6"}, {}, {"rules": {"devastating": "spill"}}),
    "anti": ({"anti": 4, "devastating_wounds": True}, {"feel_no_pain_mortal": 4}, {}),
    "extra mortals": ({"extra_mortals_on_crit_wound": "D3"}, {}, {}),
    "both on a critical": ({"extra_mortals_on_crit_wound": "1", "devastating_wounds": True}, {}, {}),
    "mortal only": ({"type": "mortal", "mortal_wounds": "D6", "count": 3}, {"feel_no_pain": 6}, {}),
    "blast and rapid fire": ({"blast": 2, "rapid_fire": "D3", "half_range": True, "count": 2}, {"models": 12}, {}),
    "melta": ({"melta": 2, "half_range": True, "damage": "D6"}, {"wounds": 12, "models": 1}, {}),
    "halved": ({"damage": "D6+1"}, {"halve_damage": True, "damage_reduction": 1}, {}),
    "reduction to nothing": ({"damage": "D3"}, {"damage_reduction": 2, "damage_minimum": 0}, {}),
    "feel no pain": ({"damage": "2"}, {"feel_no_pain": 5}, {}),
    "low damage rerolled": ({"damage": "2D6", "reroll_damage": "below_average"}, {"wounds": 9, "models": 4}, {}),
    "ones of damage rerolled": ({"damage": "D3", "reroll_damage": "ones"}, {"wounds": 3}, {}),
    "wounded unit": ({"damage": "2"}, {"wounds": 3, "wounds_already_lost": 2}, {}),
    "indirect": ({"indirect": True, "blast": True}, {"save": 4}, {}),
    "heavy lance": ({"heavy": True, "stationary": True, "lance": True, "charged": True}, {}, {}),
    "invulnerable": ({"ap": 5}, {"invulnerable": 4, "reroll_saves": "ones"}, {}),
    "overwatch": ({"overwatch": True, "reroll_hits": "failed"}, {}, {}),
    "eleventh cover": ({}, {"cover": True, "stealth": True}, ELEVENTH),
    "eleventh devastating": ({"devastating_wounds": True, "damage": "3"}, {"damage_reduction": 1}, ELEVENTH),
    "eleventh lethal choice": ({"lethal_hits": True, "devastating_wounds": True, "anti": 3}, {}, ELEVENTH),
    "eleventh cleave": ({"cleave": 2, "melee": True, "attacks": "3"}, {}, ELEVENTH),
    "eleventh psychic": ({"psychic": True, "hit_modifier": -1}, {"cover": True}, ELEVENTH),
    "nobody there": ({}, {"models": 0}, {}),
}


def document(name: str) -> AttackInput:
    weapon, defender, more = SCENARIOS[name]
    second = {"attacks": "3", "skill": 4, "strength": 8, "ap": 2, "damage": "2", "devastating_wounds": True}
    return AttackInput.model_validate({"weapons": [BOLTER | weapon, second], "defender": MARINES | defender, **more})


@pytest.mark.parametrize("name", SCENARIOS)
def test_simulation_agrees_with_the_exact_answer_within_four_standard_errors(name: str) -> None:
    request = document(name)
    exact, rolled = resolve(request), simulate(request, 40_000, seed=20_26)
    for stage in COUNTED:
        mean = getattr(exact, stage).mean
        # A stage that never varied has no error to measure by; it must then be right outright.
        error = max(rolled.standard_error(stage), getattr(exact, stage).sd / 200)
        assert abs(rolled.distribution(stage).mean - mean) <= 4 * error + 1e-12, stage
    spread = (exact.p_wiped * (1 - exact.p_wiped) / 40_000) ** 0.5
    assert abs(rolled.p_wiped - exact.p_wiped) <= 4 * spread + 1e-12


def test_there_are_thirty_scenarios() -> None:
    assert len(SCENARIOS) >= 30


def test_the_same_seed_gives_the_same_counts() -> None:
    first, second, other = (simulate(document("plain"), 2_000, seed=seed) for seed in (7, 7, 8))
    assert all((first.counts[stage] == second.counts[stage]).all() for stage in COUNTED)
    assert any((first.counts[stage] != other.counts[stage]).any() for stage in COUNTED)


def test_progress_is_told_after_every_chunk() -> None:
    told: list[tuple[int, int]] = []
    simulate(document("plain"), CHUNK + 10, seed=1, progress=lambda done, of: told.append((done, of)))
    assert told == [(CHUNK, CHUNK + 10), (CHUNK + 10, CHUNK + 10)]


def test_errors_shrink_with_the_square_root_of_the_repetitions() -> None:
    few, many = (simulate(document("plain"), n, seed=3).standard_error("damage") for n in (1_000, 16_000))
    assert few / many == pytest.approx(4, rel=0.1)


@pytest.mark.parametrize(
    "weapon", [{"attacks": "200D5", "count": 1000, "skill": 3}, {"attacks": "1+1+1+1+1+1+1+1+D3", "skill": 3}]
)
def test_what_is_too_large_to_roll_is_refused_with_the_limit(weapon: dict[str, Any]) -> None:
    request = AttackInput.model_validate({"weapons": [weapon], "defender": MARINES})
    with pytest.raises(EngineError, match=r"limit is|at most"):
        simulate(request, 10_000_000, seed=1)

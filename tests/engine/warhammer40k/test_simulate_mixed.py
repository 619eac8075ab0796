"""Dice for a unit of different models: a hundred thousand sequences beside the exact answer, both editions."""

from __future__ import annotations

from math import sqrt

import pytest

from engine.warhammer40k.mixed import MixedDefender, MixedInput, ModelGroup, resolve_mixed
from engine.warhammer40k.profile import Rules, Weapon
from engine.warhammer40k.simulate_mixed import line_of, simulate_mixed

BOYZ = ModelGroup(name="Boyz", models=6, toughness=5, save=5, wounds=1, points=8)
NOB = ModelGroup(name="Nob", toughness=5, save=4, wounds=2, points=20)
WARBOSS = ModelGroup(name="Warboss", toughness=6, save=4, invulnerable=5, wounds=6, leader=True, points=65)
TOUGH = ModelGroup(models=3, toughness=4, save=3, wounds=3, feel_no_pain=5, damage_reduction=1)
GUN = Weapon(count=3, attacks="D6", skill=3, strength=5, ap=1, damage="D3", sustained_hits="1")
CASES = {
    "squad with a sergeant": ((GUN,), (BOYZ, NOB), {}),
    "leader with bodyguard": ((GUN, GUN), (BOYZ, NOB, WARBOSS), {}),
    "precision": ((GUN.model_copy(update={"precision": True}),), (BOYZ, WARBOSS), {}),
    "devastating": ((GUN.model_copy(update={"devastating_wounds": True, "lethal_hits": True}),), (NOB, TOUGH), {}),
    "rerolled saves": ((GUN,), (BOYZ, TOUGH, WARBOSS), {"reroll_saves": "ones"}),
    "mortal wounds": (
        (GUN.model_copy(update={"extra_mortals_on_crit_wound": "D3"}), Weapon(type="mortal", mortal_wounds="D3")),
        (TOUGH, WARBOSS),
        {},
    ),
    "wounded, listed order": ((GUN,), (NOB, BOYZ.model_copy(update={"save": 3})), {"order": "listed"}),
}


@pytest.mark.parametrize("edition", ["tenth", "eleventh"])
@pytest.mark.parametrize("name", CASES)
def test_dice_agree_with_the_exact_answer_within_four_standard_errors(name: str, edition: str) -> None:
    weapons, groups, more = CASES[name]
    unit = MixedDefender.model_validate({"groups": groups, **more}, by_name=True)
    request = MixedInput(weapons=weapons, defender=unit, rules=Rules(edition=edition))
    exact, rolled = resolve_mixed(request), simulate_mixed(request, 100_000, seed=7)
    for stage in ("hits", "wounds", "damage", "destroyed"):
        off = abs(rolled.distribution(stage).mean - getattr(exact, stage).mean)
        assert off <= 4 * rolled.standard_error(stage), stage
    error = sqrt(exact.p_wiped * (1 - exact.p_wiped) / rolled.iterations)
    assert abs(rolled.p_wiped - exact.p_wiped) <= 4 * error


def test_the_launch_wording_spills_from_model_to_model() -> None:
    gun = GUN.model_copy(update={"devastating_wounds": True, "damage": "4"})
    rules = Rules(edition="tenth", devastating="spill")
    request = MixedInput(weapons=(gun,), defender=MixedDefender(groups=(BOYZ, NOB)), rules=rules)
    exact, rolled = resolve_mixed(request), simulate_mixed(request, 100_000, seed=3)
    assert abs(rolled.distribution("destroyed").mean - exact.destroyed.mean) <= 4 * rolled.standard_error("destroyed")


def test_the_same_seed_gives_the_same_counts_and_progress_is_told() -> None:
    request = MixedInput(weapons=(GUN,), defender=MixedDefender(groups=(BOYZ, NOB)))
    told: list[tuple[int, int]] = []
    first = simulate_mixed(request, 120_000, 1, lambda done, of: told.append((done, of)))
    again = simulate_mixed(request, 120_000, 1)
    assert first.counts["damage"].tolist() == again.counts["damage"].tolist()
    assert told[-1] == (120_000, 120_000)
    assert len(told) == 3


def test_a_defender_who_decides_anew_keeps_to_the_best_fixed_order_here() -> None:
    adaptive = MixedDefender(groups=(BOYZ, NOB), order="adaptive")
    best = adaptive.model_copy(update={"order": "best"})
    orders = {line_of(MixedInput(weapons=(GUN,), defender=unit)).order for unit in (adaptive, best)}
    assert len(orders) == 1


def test_a_unit_that_nobody_shoots_at_loses_nothing() -> None:
    nothing = simulate_mixed(MixedInput(defender=MixedDefender(groups=(BOYZ, NOB))), 100, 1)
    assert nothing.distribution("destroyed").mean == 0
    assert nothing.wiped == 0

"""The compiled loops against the same code run by the interpreter, number for number."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import numpy as np
import pytest

from engine.compiled import Loop
from engine.warhammer40k import allocation, attack, simulate
from engine.warhammer40k.profile import AttackInput

WEAPONS = [
    {
        "attacks": "D3",
        "skill": 3,
        "strength": 4,
        "ap": 1,
        "damage": "D3",
        "devastatingWounds": True,
        "sustainedHits": 1,
        "rapidFire": 1,
        "halfRange": True,
        "rerollDamage": "ones",
        "rerollHits": "ones",
    },
    {
        "attacks": "2",
        "skill": 4,
        "strength": 8,
        "ap": 2,
        "damage": "2",
        "extraMortalsOnCritWound": 1,
        "lethalHits": True,
    },
    {"type": "mortal", "mortalWounds": "D3"},
    {"torrent": True, "attacks": "D6", "strength": 5, "damage": "3"},
]
UNIT = {"models": 4, "toughness": 4, "save": 4, "wounds": 3, "feelNoPain": 6, "woundsAlreadyLost": 1}
RULES: list[dict[str, Any]] = [{}, {"devastating": "spill"}, {"edition": "eleventh"}]


def interpreted(monkeypatch: pytest.MonkeyPatch, *modules: ModuleType) -> None:
    """Swap every compiled function of the modules for its Python source."""
    for module in modules:
        for name, value in list(vars(module).items()):
            if isinstance(value, Loop):
                monkeypatch.setattr(module, name, value.python)


@pytest.mark.parametrize("rules", RULES, ids=["tenth", "launch", "eleventh"])
def test_exact_answers_are_the_same(rules: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    request = AttackInput.model_validate({"weapons": WEAPONS, "defender": UNIT, "rules": rules})
    compiled = attack.resolve(request)
    interpreted(monkeypatch, allocation, attack)
    plain = attack.resolve(request)
    assert plain.damage.close_to(compiled.damage, 1e-14)
    assert plain.destroyed.close_to(compiled.destroyed, 1e-14)


@pytest.mark.parametrize("rules", RULES, ids=["tenth", "launch", "eleventh"])
def test_simulated_counts_are_the_same(rules: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    request = AttackInput.model_validate({"weapons": WEAPONS, "defender": UNIT, "rules": rules})
    compiled = simulate.simulate(request, 150, seed=5)
    interpreted(monkeypatch, simulate)
    with np.errstate(over="ignore"):  # 64-bit arithmetic wraps around by design
        plain = simulate.simulate(request, 150, seed=5)
    for stage in simulate.COUNTED:
        assert (plain.counts[stage] == compiled.counts[stage]).all(), stage


def test_dice_are_fair() -> None:
    """A chi-square of 60 000 faces stays below the 99.9 % point for five degrees of freedom."""
    state = np.array([2026], dtype=np.uint64)
    with np.errstate(over="ignore"):  # 64-bit arithmetic wraps around by design
        faces = np.bincount([simulate.die_face(state, 6) for _ in range(60_000)], minlength=7)[1:]
    assert ((faces - 10_000) ** 2 / 10_000).sum() < 20.5

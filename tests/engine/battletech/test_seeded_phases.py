"""Odds against seeded play: real dice protocol, real resolver, too many bins to enumerate."""

from __future__ import annotations

from math import sqrt

import pytest

from engine.battletech.explosion import resolve
from engine.battletech.mech import HeatPhase, Mech, Rules
from engine.battletech.odds import odds
from engine.dice.roller import SeededRoller
from tests.engine.battletech.sheets import mech, plain

NINE_BINS = plain(
    ("LA", 10, 3),
    ("LT", 11, 2),
    ("LL", 8, 5),
    ("RT", 6, 8),
    ("RA", 5, 9),
    ("CT", 3, 2),
    ("HD", 1, 1),
    ("RL", 9, 6),
    ("LT", 2, 5),
    case={"RA": "case_ii"},
)
FOUR_SIGMA = 4.0


def within(count: int, trials: int, p: float) -> bool:
    return abs(count - trials * p) <= FOUR_SIGMA * sqrt(trials * p * (1 - p)) + 1e-9


def check_phases(sheet: Mech, rules: Rules, heat: int, trials: int) -> None:
    exact = odds(sheet, rules, [heat])
    roller, trigger = SeededRoller(2024), HeatPhase(kind="heat", heat=heat)
    destroyed = quiet = burnt = 0
    lost = dict.fromkeys(sheet.structure, 0)
    for _ in range(trials):
        outcome = resolve(sheet, rules, trigger, roller)
        destroyed += outcome.mech_destroyed
        quiet += not outcome.flows
        burnt += sum(flow.amount for flow in outcome.flows if flow.kind == "structure")
        for name, points in outcome.after.structure.items():
            lost[name] += points == 0
    assert within(quiet, trials, exact.p_none)
    assert within(destroyed, trials, exact.p_mech_destroyed)
    for name, count in lost.items():
        assert within(count, trials, exact.p_location.get(name, 0.0)), name
    # The spread of structure burnt in a phase is below half the hull's 152 points.
    assert abs(burnt / trials - exact.expected_structure_loss) <= FOUR_SIGMA * 76 / sqrt(trials)


@pytest.mark.slow
def test_nine_bins_agree_with_100_000_seeded_phases() -> None:
    check_phases(mech(NINE_BINS), Rules(), 23, 100_000)


@pytest.mark.parametrize("profile", ["standard", "total_warfare"])
@pytest.mark.parametrize("heat", [19, 28])
def test_nine_bins_agree_with_seeded_phases(heat: int, profile: str) -> None:
    check_phases(mech(NINE_BINS), Rules(profile=profile), heat, 1_500)


@pytest.mark.parametrize("profile", ["standard", "total_warfare"])
def test_a_plan_agrees_with_seeded_turns(profile: str) -> None:
    sheet, rules, plan, trials = mech(NINE_BINS), Rules(profile=profile), [19, 24, 28], 1_500
    exact = odds(sheet, rules, plan)
    roller = SeededRoller(7)
    alive = [0] * len(plan)
    explosions = 0
    for _ in range(trials):
        now = sheet
        for turn, heat in enumerate(plan):
            outcome = resolve(now, rules, HeatPhase(kind="heat", heat=heat), roller)
            explosions += sum(event.type == "AmmoExplosion" for event in outcome.events)
            if outcome.mech_destroyed:
                break
            now = outcome.after
            alive[turn] += 1
    for count, turn in zip(alive, exact.turns, strict=True):
        assert within(count, trials, turn.p_survive)
    # Nine bins explode at most once each: the spread is below 4.5.
    assert abs(explosions / trials - exact.expected_explosions) <= FOUR_SIGMA * 4.5 / sqrt(trials)

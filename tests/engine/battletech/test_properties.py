"""What must hold for every sheet: damage is conserved, points never grow, and the engine agrees with the oracle."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from engine.battletech.blast import Hull, Layout, blast
from engine.battletech.explosion import choose, resolve, worst_bins
from engine.battletech.mech import BinCritical, HeatPhase, Rules
from engine.battletech.ops import ResolveInput, document
from engine.battletech.tables import LOCATIONS, heat_band, p_explosion
from engine.dice.roller import ScriptedRoller, SeededRoller
from tests.engine.battletech.sheets import documents, heats, mech, plain, rules
from tests.oracles import battletech as oracle


def run(sheet: dict[str, Any], rule: dict[str, Any], heat: int, seed: int) -> Any:
    request = ResolveInput(
        mech=mech(sheet), rules=Rules.model_validate(rule), trigger=HeatPhase(kind="heat", heat=heat, seed=seed)
    )
    outcome = resolve(request.mech, request.rules, request.trigger, SeededRoller(seed))
    return document(request, outcome), outcome


@settings(max_examples=300, deadline=None)
@given(documents(max_bins=8), rules, heats, st.integers(0, 10_000))
def test_dealt_plus_vented_plus_wasted_is_the_total(sheet: dict, rule: dict, heat: int, seed: int) -> None:
    result, _ = run(sheet, rule, heat, seed)
    dealt = sum(sum(part.values()) for part in (result.armor_damage, result.rear_armor_damage, result.structure_damage))
    exploded = sum(event.total_damage for event in result.events if event.type == "AmmoExplosion")
    assert dealt + result.vented + result.wasted == result.total_damage == exploded


@settings(max_examples=200, deadline=None)
@given(documents(max_bins=8), rules, heats, st.integers(0, 10_000))
def test_the_sheet_after_is_the_sheet_before_minus_the_damage(sheet: dict, rule: dict, heat: int, seed: int) -> None:
    result, outcome = run(sheet, rule, heat, seed)
    fallen = {event.location for event in result.events if getattr(event, "cascade_from", None)}
    for name in LOCATIONS:
        before, loss = sheet["structure"][name], result.structure_damage.get(name, 0)
        assert result.structure_after[name] == (0 if name in fallen else before - loss)
        assert result.armor_after[name] == sheet["armor"][name] - result.armor_damage.get(name, 0)
    new = tuple(name for name in LOCATIONS if sheet["structure"][name] and not result.structure_after[name])
    assert result.destroyed_locations == new
    assert outcome.after.explosive_bins == tuple(
        b for b in mech(sheet).explosive_bins if not result.bins_after[b.bin_id].destroyed
    )


@settings(max_examples=200, deadline=None)
@given(documents(max_bins=8), rules, heats, st.integers(0, 10_000))
def test_a_phase_does_what_the_oracle_does_with_the_same_bins(sheet: dict, rule: dict, heat: int, seed: int) -> None:
    result, _ = run(sheet, rule, heat, seed)
    case2 = rule["case2"] or ("contain" if rule["profile"] == "standard" else "official")
    by_id = {b["binId"]: b for b in sheet["bins"]}
    burst = [by_id[event.bin_id] for event in result.events if event.type == "AmmoExplosion"]
    later = oracle.after(oracle.sheet_of(sheet), burst, rule["profile"], case2)
    assert result.structure_after == later["structure"]
    assert result.armor_after == later["armor"]
    assert result.pilot_damage == later["totals"]["pilot"]
    assert result.mech_destroyed is oracle.out(later, rule["profile"])


@settings(max_examples=100, deadline=None)
@given(documents(max_bins=5), rules, st.integers(0, 500), st.sampled_from(LOCATIONS))
def test_a_blast_loses_nothing(sheet: dict, rule: dict, damage: int, source: str) -> None:
    built, rule_set = mech(sheet), Rules.model_validate(rule)
    hull, flows = blast(Hull.of(built), Layout.of(built, rule_set), LOCATIONS.index(source), damage)
    ended = ("structure", "armor", "rear_armor", "vented", "wasted")
    assert sum(flow.amount for flow in flows if flow.kind in ended) == damage
    assert all(points >= 0 for part in hull for points in part)


@pytest.mark.parametrize("options", range(1, 14))
def test_choose_is_fair(options: int) -> None:
    """Over every accepted throw of its dice, each index comes up equally often."""
    dice = next(k for k in range(5) if 6**k >= options)
    seen = []
    for faces in product(range(1, 7), repeat=dice):
        script = ScriptedRoller([*faces, *[1] * dice])
        index = choose(options, script)
        if script.used == dice:
            seen.append(index)
    assert sorted(set(seen)) == list(range(options))
    assert len({seen.count(index) for index in range(options)}) == 1


def test_a_check_fails_as_often_as_36_throws_say() -> None:
    for name, ways in ((19, 3), (23, 10), (28, 21), (30, 36)):
        assert p_explosion(heat_band(Rules().book, name)) == pytest.approx(ways / 36)
    assert p_explosion(heat_band(Rules().book, 18)) == 0
    for faces in product(range(1, 7), repeat=2):
        sheet = mech(plain(("LL", 1, 1)))
        rolled = resolve(sheet, Rules(), HeatPhase(kind="heat", heat=23), ScriptedRoller(faces))
        assert rolled.checks[0].exploded is (sum(faces) < 6)


@settings(max_examples=60, deadline=None)
@given(documents(max_bins=8))
def test_the_worst_bin_is_never_beaten(sheet: dict) -> None:
    pool = mech(sheet).explosive_bins
    assume(pool)
    worst = worst_bins(pool)
    assert all((b.damage_per_round, b.rounds) <= (worst[0].damage_per_round, worst[0].rounds) for b in pool)
    assert len({(b.damage_per_round, b.rounds) for b in worst}) == 1


def test_the_outcome_is_ready_for_the_next_trigger() -> None:
    """Two criticals one after the other equal the heat phase that sets off both in that order."""
    sheet = mech(plain(("LT", 2, 12), ("LA", 3, 9)))
    none = ScriptedRoller(())
    first = resolve(sheet, Rules(), BinCritical(kind="bin_critical", bin_id="a"), none)
    second = resolve(first.after, Rules(), BinCritical(kind="bin_critical", bin_id="b"), none)
    assert first.cause is None
    assert second.events[0].type == "NoEffect"  # the arm went with its torso, and its bin with the arm
    both = resolve(sheet, Rules(), HeatPhase(kind="heat", heat=30), none)
    assert [event.type for event in both.events].count("AmmoExplosion") == 2

"""Exact odds against every failing subset in every order, and against closed forms."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.battletech.mech import Rules
from engine.battletech.odds import MAX_PART, Odds, fitted_with, odds
from engine.battletech.presets import STOCK, preset
from engine.battletech.tables import PROTECTIONS
from engine.wire import EngineError
from tests.engine.battletech.sheets import HUNDRED_TONS, documents, heats, mech, plain, rules
from tests.oracles import battletech as oracle


def engine_odds(document: dict[str, Any], rule: dict[str, Any], plan: list[int]) -> Odds:
    return odds(mech(document), Rules.model_validate(rule), plan)


def assert_same(found: Odds, expected: dict[str, Any]) -> None:
    close: dict[str, Any] = {"rel": 1e-9, "abs": 1e-12}
    assert found.p_none == pytest.approx(expected["pNone"], **close)
    assert found.p_any == pytest.approx(1 - expected["pNone"], **close)
    assert found.expected_explosions == pytest.approx(expected["expectedExplosions"], **close)
    assert found.expected_raw_damage == pytest.approx(expected["expectedRawDamage"], **close)
    assert found.expected_structure_loss == pytest.approx(expected["expectedStructureLoss"], **close)
    assert found.expected_pilot == pytest.approx(expected["expectedPilot"], **close)
    assert found.p_mech_destroyed == pytest.approx(expected["pMechDestroyed"], **close)
    assert dict(found.p_location) == pytest.approx(expected["pLocation"], **close)
    assert dict(found.p_bin) == pytest.approx(expected["pBin"], **close)
    assert [turn.p_survive for turn in found.turns] == pytest.approx(expected["pSurvive"], **close)


@settings(max_examples=120, deadline=None)
@given(documents(max_bins=5), rules, heats)
def test_one_phase_agrees_with_every_subset_in_every_order(document: dict, rule: dict, heat: int) -> None:
    assert_same(engine_odds(document, rule, [heat]), oracle.odds(document, rule, [heat]))


@settings(max_examples=60, deadline=None)
@given(documents(max_bins=3), rules, st.lists(heats, min_size=2, max_size=3))
def test_a_plan_agrees_with_every_course_of_the_turns(document: dict, rule: dict, plan: list[int]) -> None:
    assert_same(engine_odds(document, rule, plan), oracle.odds(document, rule, plan))


ORDER_MATTERS = [
    # the arm's bins drain into the torso's armour only while the torso stands
    plain(("LA", 10, 3), ("LT", 11, 2), ("LA", 5, 5), ("LL", 8, 5), ("LT", 3, 7)),
    # both sides and the centre feed one centre torso
    plain(("LT", 6, 8), ("RT", 6, 9), ("CT", 1, 20), ("RA", 5, 9), ("HD", 1, 2)),
    # CASE II in an arm and a torso at once
    plain(("LA", 6, 8), ("LT", 3, 3), ("LL", 9, 9), case={"LA": "case_ii", "LT": "case_ii"}),
]


@pytest.mark.parametrize("heat", [19, 23, 28, 30])
@pytest.mark.parametrize("case2", ["contain", "full", "official"])
@pytest.mark.parametrize("document", ORDER_MATTERS, ids=["one side", "all over", "case ii"])
def test_sheets_where_the_order_matters_are_counted_exactly(document: dict, case2: str, heat: int) -> None:
    rule = {"profile": "standard", "case2": case2}
    assert_same(engine_odds(document, rule, [heat]), oracle.odds(document, rule, [heat]))


@pytest.mark.parametrize("protection", ["none", "case", "case_ii"])
@pytest.mark.parametrize("case2", ["contain", "full", "official"])
@pytest.mark.parametrize("place", ["HD", "CT", "LT", "RA", "LL"])
def test_bins_in_one_place_are_counted_exactly(place: str, case2: str, protection: str) -> None:
    document = plain(
        (place, 1, 1), (place, 2, 9), (place, 1, 1), (place, 5, 6), (place, 7, 5), case={place: protection}
    )
    rule = {"profile": "standard", "case2": case2}
    assert_same(engine_odds(document, rule, [23]), oracle.odds(document, rule, [23]))


def test_the_order_really_matters_on_the_first_of_those_sheets() -> None:
    sheet = oracle.sheet_of(ORDER_MATTERS[0])
    forward = oracle.after(sheet, oracle.pool_of(sheet), "standard", "contain")
    backward = oracle.after(sheet, oracle.pool_of(sheet)[::-1], "standard", "contain")
    assert forward["armor"] != backward["armor"]


@pytest.mark.parametrize("profile", ["standard", "total_warfare"])
@pytest.mark.parametrize("heat", [18, 19, 23, 28, 30])
@pytest.mark.parametrize("key", [key for key, row in STOCK.items() if sum(count for _, _, count in row.ammo) <= 5])
def test_a_stock_mech_agrees_with_enumeration(key: str, heat: int, profile: str) -> None:
    sheet = preset(key)
    document = sheet.model_dump(mode="json", by_alias=True)
    expected = oracle.odds(document, {"profile": profile}, [heat])
    assert_same(odds(sheet, Rules(profile=profile), [heat]), expected)


CHANCES = {19: 1 / 12, 23: 5 / 18, 28: 7 / 12, 30: 1.0}


@pytest.mark.parametrize(("heat", "p"), CHANCES.items())
@pytest.mark.parametrize("bins", range(1, 13))
def test_no_explosion_among_n_bins_is_one_minus_p_to_the_n(heat: int, p: float, bins: int) -> None:
    document = plain(*[("LT" if n % 2 else "RT", n + 1, 5) for n in range(bins)])
    found = engine_odds(document, {}, [heat])
    assert found.p_none == pytest.approx((1 - p) ** bins, abs=1e-12)
    assert found.expected_explosions == pytest.approx(p * bins)
    assert found.expected_raw_damage == pytest.approx(p * sum(5 * (n + 1) for n in range(bins)))


def test_nothing_so_far_over_a_plan_is_the_product_of_its_turns() -> None:
    found = engine_odds(plain(("LT", 6, 20), ("RT", 5, 20)), {}, [15, 19, 24, 28])
    expected = [1.0, (11 / 12) ** 2, (11 / 12 * 13 / 18) ** 2, (11 / 12 * 13 / 18 * 5 / 12) ** 2]
    assert [turn.p_none_so_far for turn in found.turns] == pytest.approx(expected)


def test_a_wreck_has_no_further_heat_phases() -> None:
    found = engine_odds(plain(("CT", 200, 2), ("LL", 1, 1)), {}, [30, 30])
    assert found.expected_explosions == 2
    assert [turn.p_explosion for turn in found.turns] == [1.0, 0.0]


def test_a_mech_that_is_out_already_counts_as_destroyed() -> None:
    document = plain(("LT", 6, 20), pilotHits=6)
    assert engine_odds(document, {}, [10]).p_mech_destroyed == 1.0


def test_a_location_lost_before_is_not_lost_again() -> None:
    document = plain(("HD", 1, 1), ("HD", 1, 1), structure={**HUNDRED_TONS, "HD": 1, "LT": 0, "LA": 0})
    assert set(engine_odds(document, {}, [23, 23]).p_location) == {"HD"}


def test_a_wreck_at_the_start_is_asked_for_one_phase_only() -> None:
    document = plain(("LT", 6, 20), pilotHits=6)
    found = engine_odds(document, {}, [10, 23])
    assert_same(found, oracle.odds(document, {}, [10, 23]))
    assert found.p_none == 1.0
    assert engine_odds(document, {}, [23]).p_none == pytest.approx(13 / 18)


def test_the_risk_curve_is_flat_within_a_band_and_climbs_between_bands() -> None:
    curve = [odds(preset("atlas-as7-d"), Rules(), [heat]) for heat in range(31)]
    assert curve[18].p_any == 0
    assert curve[19].p_any == curve[22].p_any == pytest.approx(1 - (11 / 12) ** 5)
    assert [risk.p_mech_destroyed for risk in curve] == sorted(risk.p_mech_destroyed for risk in curve)
    assert curve[30].p_any == 1


def test_protection_changes_the_fate_of_the_mech_but_not_the_chance_of_an_explosion() -> None:
    archer = preset("archer-arc-2r")
    by_protection = {kind: odds(fitted_with(archer, kind), Rules(), [25]) for kind in PROTECTIONS}
    assert len({round(found.p_any, 12) for found in by_protection.values()}) == 1
    assert by_protection["none"].p_mech_destroyed == pytest.approx(1 - (13 / 18) ** 4)
    assert by_protection["case"].p_mech_destroyed == 0
    assert "LT" in by_protection["case"].p_location
    assert by_protection["case_ii"].p_location == {}


def test_a_comparison_agrees_with_enumeration_for_each_protection() -> None:
    document = plain(("LT", 6, 8), ("RA", 5, 9), ("CT", 2, 5))
    for protection in PROTECTIONS:
        found = odds(fitted_with(mech(document), protection), Rules(), [23, 28])
        fitted = {**document, "case": dict.fromkeys(("LT", "RA", "CT"), protection)}
        assert_same(found, oracle.odds(fitted, {}, [23, 28]))


def test_alike_neighbours_cost_no_more_than_their_number() -> None:
    found = engine_odds(plain(*[("LT", 6, 20)] * 12), {}, [19])
    assert found.p_none == pytest.approx((11 / 12) ** 12)


def test_a_sheet_beyond_counting_is_refused_by_name() -> None:
    too_many = [("LT", n + 1, 1) for n in range(14)]
    document = plain()
    document["bins"] = [
        {"binId": f"b{n}", "location": where, "rounds": rounds, "damagePerRound": each}
        for n, (where, rounds, each) in enumerate(too_many)
    ]
    assert engine_odds(document, {"profile": "total_warfare"}, [19] * 20).p_none == pytest.approx((11 / 12) ** 20)
    with pytest.raises(EngineError) as refusal:
        engine_odds(document, {}, [19])
    assert refusal.value.details["field"] == "mech.bins"
    assert refusal.value.details["actual"] > MAX_PART

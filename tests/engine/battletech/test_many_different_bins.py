"""The compiled table of bursts against listing every order, and against the chain it takes over from."""

from __future__ import annotations

from collections import defaultdict
from itertools import combinations, permutations
from math import factorial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.battletech import regions
from engine.battletech.blast import Hull, Layout, blast
from engine.battletech.bursts import ARM, LEG, TORSO, UNLIMITED, Side, Sort, bursts
from engine.battletech.mech import Mech, Rules
from engine.battletech.odds import odds
from engine.battletech.tables import CASE_TWO, CT, LA, LL, LT, Containment
from tests.engine.battletech.sheets import documents, heats, mech

PLACES = {TORSO: LT, ARM: LA, LEG: LL}
CONTAINMENTS = [Containment(None, None), Containment(None, 0), *CASE_TWO.values()]


def limits(containment: Containment) -> tuple[int, int]:
    own, onward = containment.own_structure, containment.onward
    return UNLIMITED if own is None else own, UNLIMITED if onward is None else onward


@st.composite
def sides(draw: st.DrawFn):
    points = st.integers(0, 12)
    torso = draw(points)
    arm = draw(points) if torso else 0  # an arm never outlives its torso
    start = Side(torso, arm, draw(points), draw(points) if torso else 0, 0)
    held = {place: draw(st.sampled_from(CONTAINMENTS)) for place in PLACES}
    bins = draw(st.lists(st.tuples(st.sampled_from(sorted(PLACES)), st.integers(1, 15)), min_size=1, max_size=4))
    return start, draw(st.integers(1, 40)), held, bins


@given(sides())
@settings(max_examples=60)
def test_every_set_agrees_with_listing_its_orders(drawn) -> None:
    start, limit, held, bins = drawn
    found = bursts(start, limit, tuple(Sort(1, place, damage, *limits(held[place])) for place, damage in bins))
    layout = Layout(
        tuple(next((held[p] for p in PLACES if PLACES[p] == at), Containment(None, None)) for at in range(8)),
        (Containment(None, None),) * 8,
        armor_takes_carried=True,
        full_armor=(0,) * 8,
    )
    bottomless = limit + sum(damage for _, damage in bins)
    for size in range(len(bins) + 1):
        for chosen in combinations(range(len(bins)), size):
            expected: dict[Side, float] = defaultdict(float)
            for order in permutations(chosen):
                expected[_burst_in_order(start, limit, bottomless, layout, [bins[n] for n in order])] += 1
            number = sum(2**n for n in chosen)
            rows = slice(found.first[number], found.first[number + 1])
            shares = dict(zip(found.sides(found.codes[rows]), found.share[rows].tolist(), strict=True))
            assert shares == pytest.approx({side: n / factorial(size) for side, n in expected.items()})


def _burst_in_order(start: Side, limit: int, bottomless: int, layout: Layout, order) -> Side:
    structure = [3, 1, start.torso, 0, start.arm, 0, start.leg, 0]
    armor = [0, bottomless, start.armor, 0, 0, 0, 0, 0]
    hull = Hull(tuple(structure), tuple(armor), (0,) * 8)
    for place, damage in order:
        hull, _ = blast(hull, layout, PLACES[place], damage)
    armor_left = hull.armor[LT] if hull.structure[LT] else 0
    carried = min(limit, bottomless - hull.armor[CT])
    return Side(hull.structure[LT], hull.structure[LA], hull.structure[LL], armor_left, carried)


@given(documents(), heats, st.sampled_from([None, "contain", "full", "official"]), st.integers(1, 2))
@settings(max_examples=60)
def test_the_table_and_the_chain_give_the_same_odds(document, heat, case2, turns) -> None:
    sheet, rules = mech(document), Rules(case2=case2)
    by_chain = odds(sheet, rules, [heat] * turns)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(regions, "FEW_SETS", 0)
        by_table = odds(sheet, rules, [heat] * turns)
    assert by_table.p_mech_destroyed == pytest.approx(by_chain.p_mech_destroyed, abs=1e-12)
    assert by_table.expected_structure_loss == pytest.approx(by_chain.expected_structure_loss, abs=1e-9)
    assert dict(by_table.p_location) == pytest.approx(dict(by_chain.p_location), abs=1e-12)
    assert by_table.expected_pilot == pytest.approx(by_chain.expected_pilot)


def test_alike_bins_counted_and_named_apart_give_the_same_odds() -> None:
    """Fourteen bins of two sorts are 64 sets when counted; told apart by a hair they are 16,384 and refused."""
    bins = [(("LT", "LA")[n % 2], 4, 5) for n in sorted(range(14), key=lambda n: n % 2)]
    sheet = Mech.model_validate(
        {
            "tonnage": 100,
            "armor": {"LT": 32, "CT": 47},
            "bins": [
                {"binId": str(n), "location": where, "rounds": rounds, "damagePerRound": damage}
                for n, (where, rounds, damage) in enumerate(bins)
            ],
        }
    )
    counted = odds(sheet, Rules(), [23])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(regions, "FEW_SETS", 0)
        by_table = odds(sheet, Rules(), [23])
    assert by_table.p_mech_destroyed == pytest.approx(counted.p_mech_destroyed, abs=1e-12)
    assert counted.p_none == pytest.approx((26 / 36) ** 14)

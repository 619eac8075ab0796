"""Units of different models: against rolling every face for every model, against dice, and against plain units."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.contracts import call
from engine.warhammer40k.attack import resolve
from engine.warhammer40k.mixed import MixedDefender, MixedInput, ModelGroup, resolve_mixed
from engine.warhammer40k.profile import AttackInput
from tests.oracles import warhammer40k_mixed as oracle

SQUAD: list[dict[str, Any]] = [
    {"models": 2, "toughness": 4, "save": 4, "wounds": 1},
    {"models": 1, "toughness": 4, "save": 3, "invulnerable": 5, "wounds": 2},
]
LED = [*SQUAD[:1], {"models": 1, "toughness": 5, "save": 2, "invulnerable": 4, "wounds": 3, "leader": True}]
GUN: dict[str, Any] = {"attacks": "3", "skill": 3, "strength": 4, "ap": 1, "damage": "1"}

#: Weapons and the unit they are fired at: each is worked out in both editions and in every order.
CASES: dict[str, tuple[list[dict[str, Any]], dict[str, Any]]] = {
    "different saves": ([GUN], {"groups": SQUAD}),
    "two damage": ([GUN | {"damage": "2"}], {"groups": SQUAD}),
    "variable damage": ([GUN | {"damage": "D3"}], {"groups": SQUAD}),
    "a leader and a bodyguard": ([GUN | {"attacks": "4"}], {"groups": LED}),
    "precision": ([GUN | {"precision": True, "damage": "2"}], {"groups": LED}),
    "precision, then others": ([GUN | {"precision": True, "attacks": "2"}, GUN | {"attacks": "2"}], {"groups": LED}),
    "devastating": ([GUN | {"devastating_wounds": True, "anti": 5, "damage": "2"}], {"groups": SQUAD}),
    "devastating precision": ([GUN | {"devastating_wounds": True, "precision": True, "attacks": "2"}], {"groups": LED}),
    "two devastating weapons": (
        [GUN | {"devastating_wounds": True, "attacks": "2"}, GUN | {"devastating_wounds": True, "damage": "2"}],
        {"groups": SQUAD},
    ),
    "mortal wounds": ([{"type": "mortal", "mortal_wounds": "D3"}, GUN | {"attacks": "2"}], {"groups": LED}),
    "extra mortals": ([GUN | {"extra_mortals_on_crit_wound": 1, "attacks": "2"}], {"groups": SQUAD}),
    "extra mortals on the devastating": (
        [GUN | {"extra_mortals_on_crit_wound": 1, "attacks": "2", "devastating_wounds": True}],
        {"groups": SQUAD},
    ),
    "feel no pain of one group": (
        [GUN | {"damage": "2"}, {"type": "mortal", "mortal_wounds": "2"}],
        {"groups": [SQUAD[0], SQUAD[1] | {"feel_no_pain": 5}]},
    ),
    "reduction of one group": ([GUN | {"damage": "2"}], {"groups": [SQUAD[0], SQUAD[1] | {"damage_reduction": 1}]}),
    "wounded": ([GUN], {"groups": [SQUAD[0], SQUAD[1] | {"wounds_already_lost": 1}]}),
    "lethal and sustained": ([GUN | {"lethal_hits": True, "sustained_hits": 1, "attacks": "2"}], {"groups": SQUAD}),
    "three groups": (
        [GUN | {"attacks": "3"}],
        {"groups": [{"toughness": 4, "save": 5, "wounds": 1}, *SQUAD[1:], LED[1]]},
    ),
    "points": ([GUN], {"groups": [SQUAD[0] | {"points": 10}, SQUAD[1] | {"points": 40}]}),
    "highest toughness": ([GUN], {"groups": [SQUAD[0], SQUAD[1] | {"toughness": 6}]}),
    "majority toughness": ([GUN], {"groups": [SQUAD[0], SQUAD[1] | {"toughness": 6}], "toughness": "majority"}),
    "cover and rerolled saves": ([GUN], {"groups": SQUAD, "cover": True, "reroll_saves": "ones"}),
}  # fmt: skip


def document(weapons: list[dict[str, Any]], unit: dict[str, Any], edition: str, order: str) -> MixedInput:
    return MixedInput.model_validate(
        {"weapons": weapons, "defender": unit | {"order": order}, "rules": {"edition": edition}}
    )


@pytest.mark.parametrize("edition", ["tenth", "eleventh"])
@pytest.mark.parametrize("name", CASES)
def test_every_face_of_every_die(name: str, edition: str) -> None:
    weapons, unit = CASES[name]
    if edition == "eleventh" and unit.get("reroll_saves"):
        unit = unit | {"reroll_saves": "none"}  # the enumerator rolls plain dice when it sorts them
    outcome = resolve_mixed(document(weapons, unit, edition, "listed"))
    tables = oracle.fight(weapons, unit, {"edition": edition}, oracle.Unit(unit).guards)
    for stage, expected in oracle.counted(unit, tables).items():
        got = getattr(outcome, stage)
        for value, p in expected.items():
            assert got.exactly(value) == pytest.approx(float(p), abs=1e-12), (stage, value)


@pytest.mark.parametrize("edition", ["tenth", "eleventh"])
@pytest.mark.parametrize("name", ["different saves", "two damage", "points", "three groups", "devastating"])
def test_the_best_order_loses_least(name: str, edition: str) -> None:
    weapons, unit = CASES[name]
    outcome = resolve_mixed(document(weapons, unit, edition, "best"))
    _, tables = oracle.best(weapons, unit, {"edition": edition})
    assert outcome.loss == pytest.approx(float(oracle.loss(unit, tables)), abs=1e-12)


#: One wound at hand and two models, one of which may be given up: what is best depends on what is still to come.
TOUGH_AND_CHEAP: list[dict[str, Any]] = [
    {"models": 2, "toughness": 4, "save": 6, "wounds": 1, "points": 10},
    {"models": 1, "toughness": 4, "save": 3, "invulnerable": 4, "wounds": 3, "points": 25},
]
ADAPTIVE = {
    **{name: CASES[name] for name in CASES if name != "cover and rerolled saves"},
    "two weapons": ([GUN | {"damage": "2"}, GUN | {"ap": 3, "attacks": "2"}], {"groups": TOUGH_AND_CHEAP}),
    "a late heavy hit": (
        [GUN | {"ap": 0}, GUN | {"damage": "3", "attacks": "1", "ap": 4}],
        {"groups": TOUGH_AND_CHEAP},
    ),
    "devastating, then mortal": (
        [GUN | {"devastating_wounds": True, "attacks": "2", "damage": "2"}, {"type": "mortal", "mortal_wounds": "D3"}],
        {"groups": TOUGH_AND_CHEAP},
    ),
    "a bound model that ignores pain": (
        [GUN | {"attacks": "4", "damage": "2"}],
        {"groups": [TOUGH_AND_CHEAP[0] | {"feel_no_pain": 5}, TOUGH_AND_CHEAP[1] | {"feel_no_pain": 4}]},
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", ADAPTIVE)
def test_the_choice_at_every_wound_against_trying_all_of_them(name: str) -> None:
    weapons, unit = ADAPTIVE[name]
    outcome = resolve_mixed(document(weapons, unit, "tenth", "adaptive"))
    assert outcome.loss == pytest.approx(float(oracle.least_loss(weapons, unit)), abs=1e-12)
    assert outcome.states.sum() == pytest.approx(1, abs=1e-12)


def test_deciding_late_beats_every_fixed_order() -> None:
    """Two weapons: it pays to see what the first has done before somebody is given up."""
    weapons, unit = ADAPTIVE["a late heavy hit"]
    best = resolve_mixed(document(weapons, unit, "tenth", "best"))
    adaptive = resolve_mixed(document(weapons, unit, "tenth", "adaptive"))
    assert adaptive.loss < best.loss - 1e-6


def test_the_eleventh_edition_wants_the_order_beforehand() -> None:
    weapons, unit = ADAPTIVE["two weapons"]
    best = resolve_mixed(document(weapons, unit, "eleventh", "best"))
    assert resolve_mixed(document(weapons, unit, "eleventh", "adaptive")).loss == pytest.approx(best.loss)


@settings(max_examples=40, deadline=None)
@given(
    first=st.tuples(st.integers(1, 4), st.integers(1, 3), st.integers(2, 7), st.integers(0, 30)),
    second=st.tuples(st.integers(1, 3), st.integers(1, 4), st.integers(2, 7), st.integers(0, 30)),
    devastating=st.booleans(),
    damage=st.sampled_from(["1", "2", "D3"]),
)
def test_choosing_late_is_never_worse_than_any_order(
    first: tuple[int, int, int, int], second: tuple[int, int, int, int], devastating: bool, damage: str
) -> None:
    groups = [
        {"models": models, "wounds": wounds, "save": save, "points": points, "toughness": 4}
        for models, wounds, save, points in (first, second)
    ]
    gun = {"attacks": "D6+2", "skill": 3, "strength": 4, "ap": 1, "damage": damage, "devastating_wounds": devastating}
    late = resolve_mixed(document([gun, gun], {"groups": groups}, "tenth", "adaptive"))
    fixed = resolve_mixed(document([gun, gun], {"groups": groups}, "tenth", "best"))
    assert late.loss <= fixed.loss + 1e-9
    assert late.hits.to_wire() == pytest.approx(fixed.hits.to_wire())


@settings(max_examples=40, deadline=None)
@given(
    sizes=st.lists(st.integers(1, 4), min_size=1, max_size=4),
    wounds=st.integers(1, 3),
    save=st.integers(2, 7),
    pain=st.sampled_from([0, 5]),
    devastating=st.booleans(),
    edition=st.sampled_from(["tenth", "eleventh"]),
)
def test_groups_that_are_alike_are_one_unit(
    sizes: list[int], wounds: int, save: int, pain: int, devastating: bool, edition: str
) -> None:
    """Cut into groups, a unit of models alike answers as before."""
    figures = {"toughness": 4, "save": save, "wounds": wounds, "feel_no_pain": pain}
    gun = {"attacks": "D6+3", "skill": 3, "strength": 5, "ap": 1, "damage": "D3", "devastating_wounds": devastating}
    bomb = {"type": "mortal", "mortal_wounds": "D3"}
    rules = {"edition": edition}
    groups = [{"models": size, **figures} for size in sizes]
    cut = resolve_mixed(
        MixedInput.model_validate({"weapons": [gun, bomb], "defender": {"groups": groups}, "rules": rules})
    )
    plain = {"models": sum(sizes), **figures}
    whole = resolve(AttackInput.model_validate({"weapons": [gun, bomb], "defender": plain, "rules": rules}))
    for stage in ("damage", "destroyed", "hits", "wounds"):
        a, b = getattr(cut, stage), getattr(whole, stage)
        assert a.to_wire() == pytest.approx(b.to_wire(), abs=1e-12)


def roll_large_unit(times: int, seed: int, *, lowest_first: bool) -> list[np.ndarray]:
    """Twenty attacks (3+, 4+, AP 1, D3) into 10 bodyguards (4+, W1), 2 veterans (2+, W3) and a leader (3+, W5)."""
    rng = np.random.default_rng(seed)
    wounds_of, need_of = [1] * 10 + [3] * 2 + [5], [5] * 10 + [3] * 2 + [4]
    lost_models = []
    for _ in range(times):
        left = list(wounds_of)
        wounds = int(((rng.integers(1, 7, 20) >= 3) & (rng.integers(1, 7, 20) >= 4)).sum())
        faces = list(rng.integers(1, 7, wounds))
        if lowest_first:
            faces.sort()
        for face in faces:
            hurt = [at for at in range(12) if 0 < left[at] < wounds_of[at]]
            fresh = [at for at in range(13) if left[at] > 0]
            if not fresh:
                break
            at = (hurt or fresh)[0]
            if face < need_of[at]:
                left[at] = max(0, left[at] - int(rng.integers(1, 4)))
        lost_models.append(sum(not one for one in left))
    return [np.array(lost_models)]


@pytest.mark.parametrize(("edition", "lowest"), [("tenth", False), ("eleventh", True)])
def test_a_large_unit_against_dice(edition: str, lowest: bool) -> None:
    groups = [
        {"models": 10, "toughness": 4, "save": 4, "wounds": 1},
        {"models": 2, "toughness": 4, "save": 2, "wounds": 3},
        {"models": 1, "toughness": 4, "save": 3, "wounds": 5, "leader": True},
    ]
    gun = {"attacks": "20", "skill": 3, "strength": 4, "ap": 1, "damage": "D3"}
    outcome = resolve_mixed(document([gun], {"groups": groups}, edition, "listed"))
    times = 20_000
    (models,) = roll_large_unit(times, 40, lowest_first=lowest)
    assert abs(models.mean() - outcome.destroyed.mean) < 4 * outcome.destroyed.sd / times**0.5
    for value in range(3, 9):
        p = outcome.destroyed.exactly(value)
        assert abs((models == value).mean() - p) < 4.5 * (p * (1 - p) / times) ** 0.5


def test_the_bodyguard_falls_before_the_leader_unless_the_weapon_is_precise() -> None:
    groups = [
        ModelGroup(models=5, toughness=4, save=7, wounds=1),
        ModelGroup(toughness=4, save=7, wounds=3, leader=True),
    ]
    unit = MixedDefender(groups=tuple(groups))
    gun = {"attacks": "4", "torrent": True, "strength": 8, "damage": "1"}
    plain = resolve_mixed(MixedInput.model_validate({"weapons": [gun], "defender": unit}))
    precise = resolve_mixed(MixedInput.model_validate({"weapons": [gun | {"precision": True}], "defender": unit}))
    assert plain.destroyed_of(1).mean == 0
    assert precise.destroyed_of(1).exactly(1) == pytest.approx((5 / 6) ** 4 + 4 * (5 / 6) ** 3 / 6)


def test_the_front_door_answers_group_by_group() -> None:
    answer = call("warhammer40k.mixed", {
        "weapons": [{"attacks": 6, "skill": 3, "strength": 4, "damage": 1}],
        "defender": {"groups": [{"name": "Boyz", "models": 9, "toughness": 5, "wounds": 1, "points": 7},
                                {"name": "Nob", "toughness": 5, "wounds": 2, "points": 15}]},
    })  # fmt: skip
    result = answer["result"]
    assert [group["name"] for group in result["groups"]] == ["Boyz", "Nob"]
    assert set(result["order"]) == {"Boyz", "Nob"}
    total = sum(group["destroyed"]["mean"] for group in result["groups"])
    assert total == pytest.approx(result["destroyed"]["mean"])
    assert result["pointsLost"] == pytest.approx(7 * result["groups"][0]["destroyed"]["mean"]
                                                 + 15 * result["groups"][1]["destroyed"]["mean"])  # fmt: skip


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"groups": []}, "groups"),
        ({"groups": [{"toughness": 4, "wounds": 2, "woundsAlreadyLost": 2}]}, "woundsAlreadyLost"),
        ({"groups": [{"toughness": 4, "wounds": 2, "save": n} for n in range(2, 8)]}, "groups"),
        ({"groups": [{"models": 100, "toughness": 4, "wounds": 90}] * 2}, "weapons"),
    ],
)
def test_what_cannot_be_counted_is_refused_by_name(change: dict[str, Any], field: str) -> None:
    gun = {"attacks": 10, "skill": 3, "strength": 4, "damage": 1}
    answer = call("warhammer40k.mixed", {"weapons": [gun], "defender": change})
    assert not answer["ok"]
    assert field in answer["error"]["details"]["field"]

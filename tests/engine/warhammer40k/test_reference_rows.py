"""The reference rows, through the front door as a client sends them."""

from __future__ import annotations

from itertools import accumulate
from typing import Any

import pytest
from pydantic.alias_generators import to_camel

from engine.contracts import call
from tests.reference import rows

ATTACKS = rows("warhammer40k/attack.sample")
SPEC = rows("warhammer40k/spec_library.sample")


def camel(row: dict[str, Any]) -> dict[str, Any]:
    return {to_camel(key): value for key, value in row.items()}


def attack(**document: Any) -> dict[str, Any]:
    answer = call("warhammer40k.attack", document)
    assert answer["ok"], answer
    return answer["result"]


def worst_error(ours: list[float], theirs: list[float]) -> float:
    size = max(len(ours), len(theirs))
    padded = ([*pmf, *[0.0] * (size - len(pmf))] for pmf in (ours, theirs))
    return max(abs(a - b) for a, b in zip(*padded, strict=True))


@pytest.mark.parametrize("row", ATTACKS, ids=lambda row: row["id"])
def test_every_distribution_is_the_reference_one(row: dict[str, Any]) -> None:
    result = attack(weapons=[camel(w) for w in row["weapons"]], defender=camel(row["defender"]), rules=row["rules"])
    for stage, expected in row["exact"].items():
        ours = result[to_camel(stage)]
        assert worst_error(ours["pmf"], expected["pmf"]) < 1e-9, stage
        assert ours["mean"] == pytest.approx(expected["mean"], abs=1e-9)
        assert ours["sd"] == pytest.approx(expected["sd"], abs=1e-9)
        assert sum(ours["pmf"]) == pytest.approx(1, abs=1e-12)
    wiped = expected_wipe(row)
    assert result["unitDestroyedProbability"] == pytest.approx(wiped, abs=1e-9)


def expected_wipe(row: dict[str, Any]) -> float:
    pmf, models = row["exact"]["destroyed"]["pmf"], row["defender"]["models"]
    return pmf[models] if models < len(pmf) else 0.0


# -- rows of the library the rules document describes: its figures where its approximation is exact ---------------


def dice(attacker: dict[str, Any], what: str) -> str:
    count, sides, flat = (attacker.pop(f"{what}_{part}") for part in ("dice", "die", "flat"))
    return f"{count}D{sides}+{flat}" if count else str(flat)


def weapon_of(row: dict[str, Any], *, one_attack: bool) -> dict[str, Any]:
    attacker = dict(row["attacker"])
    attacks, damage, count = dice(attacker, "attack"), dice(attacker, "damage"), attacker.pop("models")
    if one_attack:
        attacks, count = "1", 1
    return camel(attacker) | {"attacks": attacks, "damage": damage, "count": count}


STAGE = {"hits": "hits", "wounds": "wounds", "failed_saves": "unsaved", "damage": "rawDamage", "destroyed": "destroyed"}
PER_ATTACK = {
    "probability_hit": "hits",
    "probability_hit_and_wound": "wounds",
    "probability_hit_wound_failed_save": "unsaved",
}


def ours_of(row: dict[str, Any]) -> Any:
    quantity = row["quantity"]
    weapon = weapon_of(row, one_attack=quantity in PER_ATTACK)
    defender = camel(row["defender"] or {}) | {"damageMinimum": 0}
    if quantity == "probability_hit" or "_hits" in quantity:
        weapon["sustainedHits"] = 0  # that library does not count the extra hits
    if "_damage" in quantity:
        defender |= {"feelNoPain": 0, "damageReduction": 0}  # nor does it look at these here
    result = attack(weapons=[weapon], defender=defender)
    if quantity in PER_ATTACK:
        return result[PER_ATTACK[quantity]]["mean"]
    stage = next(ours for theirs, ours in STAGE.items() if f"_{theirs}" in quantity)
    kind = quantity.partition("_")[0]
    return result[stage][kind] if kind != "dist" else distribution(result[stage]["pmf"], quantity)


def distribution(pmf: list[float], quantity: str) -> list[float]:
    if quantity.endswith("_cumulative"):
        return list(accumulate(pmf))
    return list(accumulate(pmf[::-1]))[::-1] if quantity.endswith("_survivor") else pmf


@pytest.mark.parametrize("row", SPEC, ids=lambda row: row["id"])
def test_every_figure_of_the_rules_document_library_is_met(row: dict[str, Any]) -> None:
    ours = ours_of(row)
    if isinstance(row["expected"], list):
        filler = 1.0 if row["quantity"].endswith("cumulative") else 0.0
        for (value, expected), (_, exact) in zip(row["expected"], row["exact_10e"], strict=True):
            got = ours[value] if value < len(ours) else filler
            assert got == pytest.approx(expected, abs=row["tolerance"])
            assert got == pytest.approx(exact, abs=1e-7)
    else:
        assert ours == pytest.approx(row["expected"], abs=row["tolerance"])
        assert ours == pytest.approx(row["exact_10e"], abs=1e-7)

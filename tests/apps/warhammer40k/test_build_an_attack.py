"""The builder's answer against counts made another way."""

from __future__ import annotations

from itertools import product
from math import comb
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.http import QueryDict

from apps.warhammer40k.forms import AttackForm
from apps.warhammer40k.services.answers import answer, extras
from tests.apps.warhammer40k.conftest import PLASMA_AND_BOLTERS, settings_of

BOLTERS_INTO_GUARD = "v=1&w1-count=5&w1-attacks=2&w1-ap=0&models=10&toughness=3&save=5&wounds=1"


def table(query: str, name: str = "distribution") -> dict[Any, Any]:
    return {row[0]: row[1] for row in answer(settings_of(query)).table(name).rows}


def binomial(n: int, k: int, p: float) -> float:
    return comb(n, k) * p**k * (1 - p) ** (n - k)


def test_one_wound_models_are_binomial() -> None:
    """Ten dice, 3+ to hit, 3+ to wound, 5+ to save: each die destroys a model with 2/3 × 2/3 × 2/3."""
    shown = table(BOLTERS_INTO_GUARD)
    for k in range(11):
        assert shown[k] == pytest.approx(binomial(10, k, (2 / 3) ** 3), abs=1e-12)


def test_stage_means_multiply() -> None:
    means = table(BOLTERS_INTO_GUARD, "stages")
    assert [means[stage] for stage in ("Attacks", "Hits", "Wounds", "Unsaved", "Damage", "Models")] == pytest.approx(
        [10, 10 * 2 / 3, 10 * 4 / 9, 10 * 8 / 27, 10 * 8 / 27, 10 * 8 / 27]
    )


def test_damage_left_over_on_a_dying_model_is_lost() -> None:
    """Two certain-as-can-be attacks of damage 3 into 2-wound models, enumerated over both dice."""
    query = "v=1&w1-count=2&w1-attacks=1&w1-skill=2&w1-strength=20&w1-ap=6&w1-damage=3&models=5&wounds=2"
    p = 5 / 6 * 5 / 6
    shown = table(query)
    expected = {0: 0.0, 1: 0.0, 2: 0.0}
    for dice in product((0, 1), repeat=2):
        weight = 1.0
        for die in dice:
            weight *= p if die else 1 - p
        expected[sum(dice)] += weight
    assert [shown[k] for k in range(3)] == pytest.approx(list(expected.values()), abs=1e-12)


def test_the_sentence_says_models_odds_worker_and_edition() -> None:
    said = answer(settings_of(PLASMA_AND_BOLTERS + "&w1-name=Plasma")).sentence
    assert said.replace("\xa0", " ") == (
        "6.70 models fall out of 10; most likely 7. 5 or more: 87.9 %. The whole unit: 7.7 %. "
        "Plasma does 80 % of the work. 10th edition."
    )


def test_a_single_model_is_asked_whether_it_dies() -> None:
    query = "v=1&w1-count=1&w1-attacks=1&w1-skill=2&w1-strength=22&w1-ap=6&w1-damage=13&models=1&toughness=11&wounds=13"
    given = answer(settings_of(query))
    assert (given.number, given.unit, given.claim) == (pytest.approx(100 * 25 / 36), "%", "to destroy it.")


def test_totals_sum_to_one_and_tails_meet() -> None:
    rows = answer(settings_of(PLASMA_AND_BOLTERS)).table("distribution").rows
    assert sum(row[1] for row in rows) == pytest.approx(1, abs=1e-12)
    for value, exactly, at_least, at_most in rows:
        assert at_least + at_most - exactly == pytest.approx(1, abs=1e-12), value


DEVASTATING = "v=1&w1-count=1&w1-attacks=1&w1-skill=2&w1-strength=20&w1-ap=0&w1-damage=3&w1-abilities=devastating"


def test_devastating_damage_spills_over_in_the_launch_wording_of_the_tenth() -> None:
    """One attack, 2+ to hit and to wound, save 2+: a six to wound takes three models of 1 wound, or just one."""
    query = f"{DEVASTATING}&models=5&save=2&wounds=1"
    critical, plain = 5 / 6 * 1 / 6, 5 / 6 * 4 / 6 * 1 / 6
    shown = table(query)
    assert [shown.get(k, 0) for k in (1, 3)] == pytest.approx([critical + plain, 0], abs=1e-12)
    spilling = table(f"{query}&wording=spill")
    assert [spilling.get(k, 0) for k in (1, 2, 3)] == pytest.approx([plain, 0, critical], abs=1e-12)
    later = f"{query}&edition=eleventh"
    assert table(f"{later}&wording=spill") == table(later)
    assert answer(settings_of(f"{later}&wording=spill")).facts["doubts"] == [
        "Devastating damage never spills in the 11th edition."
    ]


def test_devastating_against_monsters_and_vehicles_alone() -> None:
    choosy, plain = f"{DEVASTATING}&w1-abilities=devastating_large", DEVASTATING.replace("devastating", "heavy")
    assert table(choosy) == table(plain) != table(DEVASTATING)
    for keyword in ("monster", "vehicle"):
        assert table(f"{choosy}&keywords={keyword}") == table(DEVASTATING)


def test_criticals_may_have_to_hit() -> None:
    """Skill 6+, critical on 5+, one more hit each: fives and sixes hit twice, or sixes alone."""
    query = "v=1&w1-count=1&w1-attacks=6&w1-skill=6&w1-critical_hit=5&w1-sustained=1"
    assert table(query, "stages")["Hits"] == pytest.approx(6 * 2 / 6 * 2)
    assert table(f"{query}&w1-abilities=strict_criticals", "stages")["Hits"] == pytest.approx(6 * 1 / 6 * 2)


def test_both_situations_are_told_in_one_wording() -> None:
    form = AttackForm(QueryDict("v=1&compare=1&wording=spill&b-wording=no_spill"), "b")
    assert form.is_valid()
    assert form.settings()["wording"] == "spill"
    assert not [name for name, _ in form.canonical() if "wording" in name]


def test_eleventh_edition_cover_is_a_worse_skill() -> None:
    """10th: 3+ armour with cover against AP-1 is 3+ again. 11th: 4+ to hit instead of 3+, and the save stays 4+."""
    query = "v=1&edition=both&w1-count=1&w1-attacks=6&situation=cover&models=10&wounds=1"
    ten, eleven = answer(settings_of(query)).facts["runs"]
    assert ten["outcome"].unsaved.mean == pytest.approx(6 * 2 / 3 * 1 / 2 * 1 / 3)
    assert eleven["outcome"].unsaved.mean == pytest.approx(6 * 1 / 2 * 1 / 2 * 1 / 2)
    assert "10th edition; the 11th" in answer(settings_of(query)).rest


def test_anti_counts_only_against_its_keyword() -> None:
    base = "v=1&w1-count=1&w1-attacks=6&w1-strength=1&w1-anti=2&w1-against=infantry&models=10&toughness=4"
    without = answer(settings_of(base)).facts["first"]["outcome"].wounds.mean
    infantry = answer(settings_of(base + "&keywords=infantry")).facts["first"]["outcome"].wounds.mean
    assert (without, infantry) == (pytest.approx(6 * 2 / 3 / 6), pytest.approx(6 * 2 / 3 * 5 / 6))


def test_mortal_wounds_without_a_roll_come_on_top() -> None:
    query = "v=1&w1-count=2&w1-attacks=0&w1-mortals=D3&models=3&wounds=2"
    assert answer(settings_of(query)).facts["first"]["outcome"].damage.mean == pytest.approx(4.0)


def test_points_per_kill() -> None:
    points = answer(settings_of(BOLTERS_INTO_GUARD + "&points=100&unit_points=60")).facts["first"]["points"]
    killed = 10 * 8 / 27
    assert points["per_kill"] == pytest.approx(100 / killed)
    assert points["taken"] == pytest.approx(6 * killed)


def test_no_weapons_and_no_attacks_are_valid_and_empty() -> None:
    assert answer(settings_of("v=1&w=0")).number == 0
    assert answer(settings_of("v=1&w1-attacks=0")).number == 0


def test_the_engines_doubts_are_shown_with_the_weapon() -> None:
    query = PLASMA_AND_BOLTERS + "&w1-name=Plasma&invulnerable=2"
    doubts = answer(settings_of(query)).facts["first"]["doubts"]
    assert any(doubt.startswith("Plasma: AP changes nothing") for doubt in doubts)


def test_what_is_too_large_to_count_is_refused_beside_the_weapon() -> None:
    query = (
        "v=1&w=3&models=200&wounds=100"
        "&w1-count=100&w1-attacks=90&w1-abilities=devastating&w1-sustained=D3"
        "&w2-count=100&w2-attacks=99&w2-abilities=devastating&w2-damage=3"
        "&w3-count=100&w3-attacks=80&w3-abilities=devastating&w3-damage=5"
    )
    with pytest.raises(ValidationError) as refused:
        answer(settings_of(query))
    [(field, [message])] = refused.value.message_dict.items()
    assert field == "w2-attacks"
    assert "the limit is" in message
    assert "simulate it" in message


def test_the_arithmetic_uses_the_readers_numbers() -> None:
    parts = answer(settings_of(PLASMA_AND_BOLTERS)).facts["first"]["arithmetic"]
    said = {step.label: (step.value, step.why) for step in parts[0]["steps"]}
    assert said["Chance to hit"][0] == pytest.approx(28 / 36)
    assert "S8 against T4 is 2+" in said["Chance that a hit wounds"][1]
    assert parts[-1]["name"] == "The unit"


@pytest.mark.parametrize(("question", "kind"), [("exactly", "bar"), ("at_least", "scatter"), ("at_most", "scatter")])
def test_the_chart_follows_the_question(question: str, kind: str) -> None:
    figure = extras([answer(settings_of(PLASMA_AND_BOLTERS + f"&question={question}"))])["figure"]
    assert {trace["type"] for trace in figure["data"]} == {kind}

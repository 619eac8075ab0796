"""Every answer explains itself: reasons, warnings with a fix, a report, a check by rolling, the best line."""

from __future__ import annotations

import pytest
from django.http import QueryDict
from django.test import Client

from apps.killteam.calculators import fight, shoot

pytestmark = pytest.mark.django_db


def answered(calculator, query: str):
    (side,) = calculator.read(QueryDict(query))
    assert side.answer is not None, side.form.errors
    return side.answer


def test_the_page_says_how_many_dice_the_defender_rolls_and_why(client: Client) -> None:
    page = client.get("/killteam/shoot/?v=1&defence=4&piercing=1").content.decode()
    assert "4 − 1 Piercing" in page


def test_each_save_has_its_own_reasons() -> None:
    why = answered(shoot, "v=1&defence=4&piercing=1").facts["why_save"]
    assert list(why) == ["2+", "3+", "4+", "5+", "6+"]
    assert "Defence dice 3: 4 − 1 Piercing" in why["4+"]
    assert "33.3% normal" in why["4+"]
    assert "66.7% normal" in why["2+"]


@pytest.mark.parametrize(
    ("query", "part"),
    [
        ("lethal=2&hit=4", "Lethal 2+ is redundant"),
        ("piercing=5", "removes all 3 defence dice"),
        ("rules=saturate", "Saturate does nothing: the target has no cover."),
        ("normal=5&critical=3", "Check that the two are not swapped."),
        ("wounds=0", "With 0 wounds it is out of action"),
    ],
)
def test_a_likely_mistake_is_named_with_its_fix(client: Client, query: str, part: str) -> None:
    assert part in client.get(f"/killteam/shoot/?v=1&{query}").content.decode()


def test_a_plain_situation_draws_no_warning() -> None:
    assert answered(shoot, "v=1").warnings == ()
    assert answered(fight, "v=1").warnings == ()


def test_a_fight_warns_too() -> None:
    assert any("Injury" in warning for warning in answered(fight, "v=1&injury=1").warnings)


def test_the_report_holds_the_answer_and_the_link(client: Client) -> None:
    page = client.get("/killteam/shoot/?v=1&dice=6").content.decode()
    answer = answered(shoot, "v=1&dice=6")
    assert f"{answer.shown} % to kill" in answer.facts["report"]
    assert "http://testserver/killteam/shoot/?v=1&amp;dice=6</textarea>" in page


@pytest.mark.parametrize(("calculator", "query"), [(shoot, "v=1&check=1"), (fight, "v=1&check=1&rounds=2")])
def test_rolling_comes_as_close_as_it_should(calculator, query: str) -> None:
    answer = answered(calculator, query)
    check = answer.facts["check"]
    exact = answer.number / 100
    assert check["games"] == 20_000
    assert check["error"] == pytest.approx((exact * (1 - exact) / 20_000) ** 0.5, rel=0.2)
    assert check["errors_off"] < 4
    assert answered(calculator, query).facts["check"]["mean"] == check["mean"]  # seeded: a link shows the same


def test_no_check_is_made_unless_asked() -> None:
    assert "check" not in answered(shoot, "v=1").facts


def test_the_best_line_kills_when_it_can() -> None:
    line = answered(fight, "v=1&explore=1&one_crits=3&one_norms=0&two_crits=0&two_norms=1&two_wounds=10").facts["line"]
    assert line["steps"][0]["name"] == "Fighter one"
    assert dict(line["steps"][-1]["wounds"])["Fighter two"] == 0
    first = line["steps"][0]
    assert all(first["chosen"]["win"] >= other["win"] for other in first["others"])


def test_no_dice_no_line(client: Client) -> None:
    none = "one_crits=0&one_norms=0&two_crits=0&two_norms=0"
    assert "Nothing is left to do" in client.get(f"/killteam/fight/?v=1&explore=1&{none}").content.decode()

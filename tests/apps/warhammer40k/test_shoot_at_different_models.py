"""A target of different models in the builder: groups, leaders from the library, the order wounds go round."""

from __future__ import annotations

from urllib.parse import parse_qs, urlsplit

import pytest
from django.http import QueryDict
from django.test import Client

from apps.warhammer40k import library, sheets
from apps.warhammer40k.forms import AttackForm
from apps.warhammer40k.services.advice import advice, targets
from apps.warhammer40k.services.answers import answer, extras
from engine.contracts import call
from tests.apps.warhammer40k.conftest import settings_of

GUN = "v=1&w1-count=1&w1-attacks=8&w1-strength=4&w1-ap=1&w1-damage=2"
SQUAD = "target=Squad&models=4&toughness=4&save=4&wounds=1"
LED = f"{GUN}&{SQUAD}&g=1&g1-name=Captain&g1-toughness=5&g1-save=2&g1-invulnerable=4&g1-wounds=5&g1-role=leader"
MIXED = f"{GUN}&{SQUAD}&unit_points=40&g=1&g1-name=Sergeant&g1-save=3&g1-wounds=2&g1-points=25"


def test_the_answer_is_the_engines_group_by_group() -> None:
    groups = [
        {"name": "Squad", "models": 4, "toughness": 4, "save": 4, "wounds": 1, "points": 10},
        {"name": "Sergeant", "models": 1, "toughness": 4, "save": 3, "wounds": 2, "points": 25},
    ]
    gun = {"attacks": 8, "skill": 3, "strength": 4, "ap": 1, "damage": 2}
    for order in ("best", "adaptive", "listed"):
        document = {"weapons": [gun], "defender": {"groups": groups, "order": order}}
        expected = call("warhammer40k.mixed", document)["result"]
        given = answer(settings_of(f"{MIXED}&order={order}&points=100"))
        run = given.facts["first"]
        assert given.number == pytest.approx(expected["destroyed"]["mean"])
        assert [group["mean"] for group in run["groups"]] == pytest.approx(
            [group["destroyed"]["mean"] for group in expected["groups"]]
        )
        assert run["points"]["taken"] == pytest.approx(expected["pointsLost"])
        assert run["points"]["unit"] == 65
        assert [row[1] for row in given.table("distribution").rows] == pytest.approx(expected["destroyed"]["pmf"])


def test_bodyguards_shield_the_leader_unless_the_weapon_is_precise() -> None:
    plain = answer(settings_of(LED)).table("groups").rows
    precise = answer(settings_of(f"{LED}&w1-abilities=precision")).table("groups").rows
    assert plain[1][2] < precise[1][2]
    assert precise[0][2] < plain[0][2]


def test_groups_that_are_alike_answer_as_one_unit() -> None:
    whole = answer(settings_of(f"{GUN}&models=5&save=4&wounds=2&toughness=4"))
    cut = answer(settings_of(f"{GUN}&models=3&save=4&wounds=2&toughness=4&g=1&g1-models=2&g1-save=4&g1-wounds=2"))
    for (_, *one), (_, *other) in zip(whole.table("distribution").rows, cut.table("distribution").rows, strict=True):
        assert one == pytest.approx(other, abs=1e-12)


def test_unsaved_wounds_are_no_stage_where_saves_differ() -> None:
    given = answer(settings_of(f"{MIXED}&counted=unsaved&edition=both"))
    assert "Unsaved" not in [row[0] for row in given.table("stages").rows]
    assert extras([given])["chart_title"] == "Damage"
    assert [label for label, _ in given.facts["rows_of_editions"]] == ["Hits", "Wounds", "Damage", "Models"]


def test_the_link_keeps_the_groups_and_the_second_situation_shares_them() -> None:
    form = AttackForm(QueryDict(LED))
    assert form.is_valid()
    assert dict(form.canonical())["g1-role"] == "leader"
    other = AttackForm(QueryDict(f"{LED}&compare=1&b-w1-ap=3"), "b")
    assert other.is_valid()
    assert [group["name"] for group in other.settings()["groups"]] == ["Captain"]
    assert not [name for name, _ in other.canonical() if name.startswith("b-g")]


def test_advice_and_other_targets_know_the_groups() -> None:
    settings = settings_of(f"{LED}&order=adaptive")
    assert advice(settings)["lifts"]
    rows = targets(settings)
    assert rows[0]["profile"] == "4× T4 4+ 1W, 1× T5 2+/4++ 5W"
    assert rows[0]["unsaved"] is None
    assert rows[1]["models"] == 10


@pytest.mark.django_db
def test_a_mixed_unit_of_the_library_fills_every_group(client: Client) -> None:
    profile = library.by_title("unit", "Ghazghkull Thraka")
    assert profile is not None
    response = client.get("/warhammer40k/profiles/pick/", {"profile": profile.key, "back": f"{LED}"})
    query = parse_qs(urlsplit(response["Location"]).query)
    assert (query["g"], query["g1-name"], query["g1-wounds"]) == (["1"], ["Makari"], ["1"])
    assert "g1-role" not in query
    page = client.get(response["Location"]).content.decode()
    assert "Who falls" in page
    assert "Makari" in page


@pytest.mark.django_db
def test_a_leader_joins_with_one_tap(client: Client) -> None:
    page = client.get(f"/warhammer40k/?{GUN}&target=Intercessor Squad&models=5").content.decode()
    captain = next(p for p in library.leaders_of("Intercessor Squad") if p.name == "Captain")
    button = f"target-lead.{captain.key}"
    assert button in page
    response = client.get("/warhammer40k/", {"do": button, "v": "1", "target": "Intercessor Squad"})
    query = parse_qs(urlsplit(response["Location"]).query)
    assert (query["g1-name"], query["g1-role"]) == (["Captain"], ["leader"])
    assert int(query["g1-points"][0]) == captain.points
    led = client.get(response["Location"])
    assert led.status_code == 200
    assert "leads" in led.content.decode()


@pytest.mark.django_db
@pytest.mark.parametrize(("action", "count"), [("g-add", "2"), ("g1-remove", "0")])
def test_groups_are_added_and_removed_without_a_script(client: Client, action: str, count: str) -> None:
    response = client.get("/warhammer40k/?" + LED + f"&do={action}")
    assert parse_qs(urlsplit(response["Location"]).query).get("g", ["0"]) == [count]
    assert client.get(response["Location"]).status_code == 200


@pytest.mark.django_db
@pytest.mark.parametrize("query", [LED, MIXED, f"{LED}&edition=both", f"{MIXED}&compare=1&b-w1-ap=4"])
def test_every_page_of_such_a_sheet_opens(client: Client, query: str) -> None:
    for path in ("", "roll/", "targets/", "advice/", "groups.csv"):
        assert client.get(f"/warhammer40k/{path}?{query}").status_code == 200, path


def test_another_target_takes_the_place_of_all_groups() -> None:
    data = QueryDict(LED, mutable=True)
    sheets.fill(data, "target", {"target": "Boyz", "models": 10, "toughness": 5, "save": 5, "wounds": 1})
    assert "g=" not in sheets.tidy(data)


def test_too_many_groups_are_refused_beside_them(client: Client) -> None:
    form = AttackForm(QueryDict(f"{GUN}&g=9"))
    assert not form.is_valid()
    assert form.errors["g"] == ["Groups must be 0–4; you entered 9."]

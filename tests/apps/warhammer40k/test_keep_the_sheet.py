"""Tabs, library and points: what was built stays what is asked."""

from __future__ import annotations

import html
import re

import pytest
from django.http import QueryDict
from django.test import Client

from apps.warhammer40k import sheets
from apps.warhammer40k.forms import AttackForm
from apps.warhammer40k.services import advice, answers

pytestmark = pytest.mark.django_db
SHEET = "v=1&w1-name=Own+gun&w1-strength=9"


def tabs(page: str) -> dict[str, str]:
    nav = re.search(r'<nav class="segmented[^"]*" aria-label="Tools of this game">(.*?)</nav>', page, re.DOTALL)
    assert nav is not None
    found = re.findall(r'<a href="([^"]*)"[^>]*>\s*([^<]*?)\s*</a>', nav[1])
    return {label: html.unescape(href) for href, label in found}


@pytest.mark.parametrize("address", [f"/warhammer40k/?{SHEET}", f"/warhammer40k/roll/?{SHEET}"])
def test_the_tabs_keep_the_sheet(client: Client, address: str) -> None:
    links = tabs(client.get(address).content.decode())
    for label in {"Builder", "Roll it"} - {"Roll it" if "roll" in address else "Builder"}:
        assert "Own gun" in client.get(links[label]).content.decode()
    library = client.get(links["Library"]).content.decode()
    assert "w1-name%3DOwn" in library.replace("+", "%20") or "Own%2Bgun" in library
    back = tabs(library)
    assert "Own gun" in client.get(back["Builder"]).content.decode()
    assert "Own gun" in client.get(back["Roll it"]).content.decode()


def settings_of(query: str) -> dict:
    form = AttackForm(QueryDict(query))
    assert form.is_valid(), form.errors
    return form.settings()


def test_points_follow_the_number_of_models() -> None:
    squad = "v=1&points=165&unit_points=80&points_for=5&toughness=4&wounds=2&save=3"
    five, ten = (answers.run(settings_of(f"{squad}&models={n}"), "tenth") for n in (5, 10))
    assert five["points"]["each"] == ten["points"]["each"] == 16
    assert (five["points"]["unit"], ten["points"]["unit"]) == (80, 160)
    assert ten["points"]["taken"] == pytest.approx(16 * ten["outcome"].destroyed.mean)


def test_a_unit_of_the_library_brings_what_its_points_are_for() -> None:
    data = QueryDict("v=1", mutable=True)
    sheets.fill(data, "target", {"target": "Intercessor Squad", "models": 5, "unit_points": 80})
    assert data["points_for"] == "5"


def test_one_model_opens_on_its_damage() -> None:
    assert settings_of("v=1&models=1")["counted"] == "damage"
    assert settings_of("v=1&models=5")["counted"] == "destroyed"
    assert settings_of("v=1&models=1&counted=destroyed")["counted"] == "destroyed"


@pytest.mark.parametrize("entered", ["3", "-3", "−3"])
def test_armour_penetration_is_printed_with_its_minus(client: Client, entered: str) -> None:
    assert settings_of(f"v=1&w1-ap={entered}")["weapons"][0]["ap"] == 3
    page = client.get("/warhammer40k/", {"v": "1", "w1-ap": entered}).content.decode()
    assert re.search(r'name="w1-ap"[^>]*value="[-−]3"', page)


def test_dice_without_faces_are_refused_in_the_rooms_own_words(client: Client) -> None:
    page = client.get("/warhammer40k/?v=1&w1-attacks=D").content.decode()
    assert "Attacks must be a number or dice like 2D6+3; you entered D." in page


def test_what_hardly_happens_is_no_zero() -> None:
    answer = answers.answer(
        settings_of(
            "v=1&w1-count=1&w1-attacks=1&w1-strength=1&w1-ap=0&toughness=12&wounds=6&save=2&models=9&w1-damage=D6"
        )
    )
    assert answer.shown == "<0.01"


def test_ones_own_target_is_not_compared_with_itself() -> None:
    names = [row["name"] for row in advice.targets(settings_of("v=1&target=Marines"))]
    assert names.count("Marines") == 1


def test_the_library_is_searched_as_one_types(client: Client) -> None:
    live = client.get("/warhammer40k/profiles/?words=plasma", headers={"HX-Request": "true", "HX-Target": "library"})
    text = live.content.decode()
    assert "<html" not in text
    assert 'id="library"' in text
    assert 'hx-target="#library"' in client.get("/warhammer40k/profiles/").content.decode()

"""The address is the sheet: it round-trips, shares a target in comparisons, and says what is wrong beside the field."""

from __future__ import annotations

import csv
import io
import re
from urllib.parse import urlencode

import pytest
from django.http import QueryDict
from django.test import Client

from apps.warhammer40k.forms import AttackForm
from apps.warhammer40k.services.answers import answer
from tests.apps.warhammer40k.conftest import PLASMA_AND_BOLTERS, settings_of

EVERYTHING = urlencode(
    {
        "v": 1, "w": 1, "w1-name": "Everything", "w1-count": 3, "w1-attacks": "2D6+1", "w1-skill": 4, "w1-strength": 9,
        "w1-ap": 2, "w1-damage": "D3+1", "w1-abilities": ["lethal", "devastating", "twin_linked", "heavy", "lance"],
        "w1-sustained": "D3", "w1-rapid_fire": "2", "w1-melta": 2, "w1-blast": "1", "w1-anti": "4",
        "w1-against": "vehicle", "w1-reroll_hits": "ones", "w1-reroll_wounds": "failed", "w1-reroll_damage": "ones",
        "w1-hit_modifier": -1, "w1-wound_modifier": 1, "w1-critical_hit": "5", "w1-critical_wound": "5",
        "w1-extra_mortals": "1", "w1-mortals": "D3", "w1-cleave": "2", "w1-lethal_choice": "never",
        "target": "Tank", "models": 2, "toughness": 10, "save": 2, "wounds": 11, "invulnerable": "5", "fnp": "6",
        "traits": ["stealth", "halve_damage", "to_zero"], "keywords": ["vehicle", "fly"], "fnp_mortal": "5",
        "reduction": 1, "hit_penalty": -1, "wound_penalty": 1, "save_bonus": 1, "reroll_saves": "ones", "lost": 3,
        "unit_points": 300, "edition": "both", "situation": ["half_range", "stationary", "charged", "cover"],
        "points": 120, "counted": "damage", "question": "at_least", "level": 90, "name": "My sheet",
    },
    doseq=True,
)  # fmt: skip


@pytest.mark.parametrize("query", [PLASMA_AND_BOLTERS, EVERYTHING, "v=1", "v=1&w=0"])
def test_an_address_round_trips(query: str) -> None:
    form = AttackForm(QueryDict(query))
    assert form.is_valid(), form.errors
    again = AttackForm(QueryDict(urlencode(list(form.canonical()))))
    assert again.is_valid()
    assert again.settings() == form.settings()
    assert answer(again.settings()).sentence == answer(form.settings()).sentence


@pytest.mark.parametrize("query", [PLASMA_AND_BOLTERS, EVERYTHING])
def test_the_page_opens_with_the_same_number(client: Client, db: None, query: str) -> None:
    page = client.get(f"/warhammer40k/?{query}")
    assert page.status_code == 200
    given = answer(settings_of(query))
    assert f'<p class="headline__number num">{given.shown}' in page.content.decode()
    assert client.get(page.context["permalink"]).context["answers"][0].sentence == given.sentence


def test_a_bare_address_opens_with_a_worked_example(client: Client, db: None) -> None:
    assert "6.70" in client.get("/warhammer40k/").content.decode()


def test_live_answers_swap_only_the_answer(client: Client, db: None) -> None:
    response = client.get(f"/warhammer40k/?{PLASMA_AND_BOLTERS}", headers={"HX-Request": "true", "HX-Target": "answer"})
    text = response.content.decode()
    assert "<html" not in text
    assert 'id="results"' in text
    assert response["HX-Replace-Url"].startswith("/warhammer40k/?v=1&")


def test_two_attackers_share_the_target(client: Client, db: None) -> None:
    page = client.get("/warhammer40k/?v=1&models=5&toughness=9&compare=1&b-w1-strength=9&b-toughness=3")
    a, b = (side.form.settings() for side in page.context["sides"])
    assert (a["toughness"], b["toughness"], b["models"]) == (9, 9, 5)
    assert "b-toughness" not in page.context["permalink"]
    assert page.context["answers"][1].number > page.context["answers"][0].number


def test_the_second_attacker_may_have_a_target_of_its_own(client: Client, db: None) -> None:
    page = client.get("/warhammer40k/?v=1&toughness=9&compare=1&b-own_target=1&b-toughness=3")
    a, b = (side.form.settings() for side in page.context["sides"])
    assert (a["toughness"], b["toughness"]) == (9, 3)
    assert "b-toughness=3" in page.context["permalink"]


def test_buttons_lead_to_the_changed_sheet(client: Client, db: None) -> None:
    response = client.get(f"/warhammer40k/?{PLASMA_AND_BOLTERS}&do=w2-up")
    moved = settings_of(response["Location"].partition("?")[2])
    assert [weapon["strength"] for weapon in moved["weapons"]] == [5, 8]


def test_enter_does_not_press_a_weapons_button(client: Client, db: None) -> None:
    """A browser submits with the first button of a form: that one must only calculate."""
    text = client.get("/warhammer40k/").content.decode()
    form = text[text.index('<form id="calculator"') :]
    first = re.search(r"<button[^>]*>", form[form.index("edition-row") - 200 :])
    assert first is not None
    assert 'type="submit"' in first[0]
    assert "name=" not in first[0]


@pytest.mark.parametrize(
    ("query", "field", "message"),
    [
        ("w1-attacks=3X6", "w1-attacks", "Attacks must be a number or dice like 2D6+3; you entered 3X6."),
        ("w1-damage=D", "w1-damage", "a number or dice like 2D6+3; you entered D."),
        ("w1-count=101", "w1-count", "Models must be 0–100; you entered 101."),
        ("w1-skill=7%2B", "w1-skill", "Skill must be 2+–6+; you entered 7+."),
        ("w1-strength=0", "w1-strength", "Strength must be 1–40; you entered 0."),
        ("w1-ap=-9", "w1-ap", "AP must be 0 to −6; you entered -9."),
        ("w1-sustained=9", "w1-sustained", "Sustained Hits must be one of the choices listed; you entered 9."),
        ("w1-abilities=flying", "w1-abilities", "Abilities: choose from those listed."),
        ("models=201", "models", "Models must be 0–200; you entered 201."),
        ("wounds=2&lost=2", "lost", "Wounds already lost must be 0–1, or the model is gone; you entered 2."),
        ("w=9", "w", "Weapons must be 0–8; you entered 9."),
        ("edition=ninth", "edition", "Edition must be one of the choices listed; you entered ninth."),
    ],
)
def test_what_is_wrong_is_said_beside_its_field(client: Client, db: None, query: str, field: str, message: str) -> None:
    page = client.get(f"/warhammer40k/?v=1&{query}")
    assert page.status_code == 422
    [said] = page.context["sides"][0].form.errors[field]
    assert message in said
    assert client.get(f"/warhammer40k/?v=1&{query}", headers={"HX-Request": "true"}).status_code == 422


def test_csv_keeps_every_digit(client: Client, db: None) -> None:
    response = client.get(f"/warhammer40k/distribution.csv?{PLASMA_AND_BOLTERS}")
    rows = list(csv.reader(io.StringIO(response.content.decode())))
    exact = answer(settings_of(PLASMA_AND_BOLTERS)).table("distribution").rows
    assert rows[0] == ["Models destroyed", "Exactly", "At least", "At most"]
    assert [(int(v), float(p), float(q), float(r)) for v, p, q, r in rows[1:]] == [tuple(row) for row in exact]

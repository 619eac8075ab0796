"""From the library into a sheet: every profile opens in its form and computes."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

import pytest
from django.http import QueryDict
from django.test import Client

from apps.killteam.calculators import fight, shoot
from apps.killteam.library import library
from apps.killteam.models import Role
from apps.killteam.services.profiles import Place, address, operative_values, weapon_values

pytestmark = pytest.mark.django_db
PAGE = "/killteam/profiles/"


def opened(url: str, calculator):
    sides = calculator.read(QueryDict(urlsplit(url).query))
    assert all(side.answer is not None for side in sides), [side.form.errors for side in sides]
    return sides


COMPUTED: set[str] = set()


def is_new(place: Place, values: dict[str, object]) -> bool:
    """Whether nobody with the same figures was computed before: two hundred bolt pistols are one question."""
    question = f"{place} {sorted((name, str(value)) for name, value in values.items())}"
    known = question in COMPUTED
    COMPUTED.add(question)
    return not known


@pytest.mark.parametrize("team", library().teams)
def test_every_profile_of_a_team_opens_and_computes(team: str) -> None:
    shelf = library()
    for operative in (o for o in shelf.operatives if o.team == team):
        place = Place("shoot", "a", "defender")
        if not is_new(place, operative_values(operative)):
            continue
        url = address(place, operative_values(operative), operative.name)
        (side,) = opened(url, shoot)
        assert side.form.cleaned_data["wounds"] == operative.line.figures["wounds"]
    for weapon in (w for w in shelf.weapons if w.team == team):
        page, part, calculator = ("shoot", "attacker", shoot) if weapon.kind == "ranged" else ("fight", "one", fight)
        place = Place(page, "a", part)
        if not is_new(place, weapon_values(weapon, place.role)):
            continue
        (side,) = opened(address(place, weapon_values(weapon, place.role), weapon.name), calculator)
        prefix = "" if page == "shoot" else "one_"
        assert side.form.cleaned_data[f"{prefix}dice"] == weapon.line.figures["num_dice"]
        assert side.form.cleaned_data[f"{prefix}critical"] == weapon.line.figures["crit_dmg"]


def test_a_pick_replaces_its_part_and_leaves_the_rest() -> None:
    sheet = QueryDict("v=1&dice=9&rules=rending&wounds=20&b-dice=2&compare=1")
    url = address(Place("shoot", "a", "attacker"), {"num_dice": 4, "dice_stat": 2, "mwx": 3}, "Mortis", sheet)
    query = QueryDict(urlsplit(url).query)
    assert query["dice"] == "4"
    assert query["hit"] == "2"
    assert query["devastating"] == "3"
    assert query["wounds"] == "20"
    assert query["b-dice"] == "2"
    assert "rules" not in query


def test_a_pick_for_b_starts_the_comparison() -> None:
    url = address(Place("fight", "b", "two"), {"num_dice": 3, "dice_stat": 4, "abilities": ["brutal", "stun"]}, "Fist")
    query = QueryDict(urlsplit(url).query)
    assert query["compare"] == "1"
    assert query["b-two_rules"] == "brutal"
    assert query["b-two_more_rules"] == "stun"
    assert query["b-two_name"] == "Fist"


def test_searching_shows_what_matches(client: Client) -> None:
    page = client.get(f"{PAGE}?q=intercessor+warrior").content.decode()
    assert "Intercessor Warrior" in page
    assert "Kommando" not in re.sub(r"<option.*?</option>", "", page)
    assert "Nothing on the shelf" in client.get(f"{PAGE}?q=zzz").content.decode()


def test_live_search_brings_only_the_shelf(client: Client) -> None:
    body = client.get(f"{PAGE}?q=plasma", headers={"HX-Request": "true", "HX-Target": "library"}).content.decode()
    assert body.startswith('<section id="library"')


def test_the_button_of_a_sheet_leads_to_the_library_and_back(client: Client) -> None:
    reply = client.get("/killteam/shoot/?v=1&wounds=20&do=pick-b-attacker")
    assert reply.status_code == 302
    page = client.get(reply["Location"]).content.decode()
    assert "goes into your sheet" in page
    link = re.search(r'<li><a href="(/killteam/shoot/[^"]+)"', page)
    assert link is not None
    query = QueryDict(urlsplit(link[1].replace("&amp;", "&")).query)
    assert query["wounds"] == "20"
    assert query["b-dice"]


def test_only_what_fits_is_offered(client: Client) -> None:
    page = client.get(f"{PAGE}?pick=fight-a-one&team=Kasrkin").content.decode()
    assert ">melee<" in page
    assert ">ranged<" not in page


@pytest.mark.parametrize(
    "nonsense", ["pick=dance-a-one", "team=Nobody", "kind=flying", "page=999", "pick=shoot-c-attacker"]
)
def test_nonsense_in_the_address_is_ignored(client: Client, nonsense: str) -> None:
    assert client.get(f"{PAGE}?{nonsense}").status_code == 200


def test_a_place_says_its_role() -> None:
    assert Place("shoot", "a", "defender").role == Role.DEFENDER
    assert Place("fight", "b", "one").prefix == "b-one_"

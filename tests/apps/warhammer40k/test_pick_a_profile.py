"""The library: large enough, every profile opens in the sheet and computes, and one can be put into any place."""

from __future__ import annotations

from collections import Counter
from urllib.parse import parse_qs

import pytest
from django.http import QueryDict
from django.test import Client

from apps.warhammer40k import datasheets, library, sheets
from apps.warhammer40k.forms import AttackForm
from apps.warhammer40k.services.sheet import attack_of, exact
from tests.apps.warhammer40k.conftest import PLASMA_AND_BOLTERS, settings_of

EDITIONS = datasheets.EDITIONS
ARMIES = [(edition, faction) for edition in EDITIONS for faction in library.factions(edition)]


@pytest.mark.parametrize(
    ("edition", "units", "weapons", "armies"), [("tenth", 999, 4854, 28), ("eleventh", 1009, 4916, 29)]
)
def test_the_whole_library_is_there(edition: datasheets.Edition, units: int, weapons: int, armies: int) -> None:
    assert len(library.profiles("unit", edition)) == units
    assert len(library.profiles("weapon", edition)) == weapons
    assert len(library.factions(edition)) == armies


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("kind", ["weapon", "unit"])
def test_titles_and_keys_are_unique_and_lead_back(kind: library.Kind, edition: datasheets.Edition) -> None:
    shelf = library.profiles(kind, edition)
    for names in ([p.title.casefold() for p in shelf], [p.key for p in shelf]):
        assert [name for name, times in Counter(names).items() if times > 1] == []
    for profile in shelf[::37]:
        assert library.by_key(profile.key) == profile
        assert library.by_title(kind, profile.title.upper(), edition) == profile


COMPUTED: set[str] = set()


@pytest.mark.parametrize(("edition", "faction"), ARMIES)
def test_every_profile_opens_in_the_sheet_and_computes(edition: datasheets.Edition, faction: str) -> None:
    """Every one is filled in and checked; of those with the same figures, one is computed."""
    for kind, where in (("weapon", "w1"), ("unit", "target")):
        for profile in library.search(kind, faction=faction, edition=edition):  # type: ignore[arg-type]
            figures = str(sorted((name, str(value)) for name, value in profile.values.items() if name != "target"))
            if kind + figures in COMPUTED:
                continue
            COMPUTED.add(kind + figures)
            data = QueryDict("v=1", mutable=True)
            sheets.fill(data, where, profile.values)
            form = AttackForm(data)
            assert form.is_valid(), (profile, form.errors)
            settings = form.settings()
            filled = settings["weapons"][0] if kind == "weapon" else settings
            for name, value in profile.values.items():
                assert str(filled[name]) == str(value), (profile, name)
            outcome = exact(attack_of(settings, edition), settings)
            assert outcome.damage.p.sum() == pytest.approx(1), profile
            assert outcome.damage.mean > 0, profile


def test_a_weapon_that_needs_no_roll_is_torrent() -> None:
    for edition in EDITIONS:
        for profile in library.profiles("weapon", edition):
            assert ("skill" in profile.values) != ("torrent" in profile.values.get("abilities", ())), profile


def test_search_looks_at_name_bearer_faction_and_rules() -> None:
    assert {p.name for p in library.search("weapon", "gauss necron")} >= {"Gauss flayer", "Gauss reaper"}
    assert all("Torrent" in p.abilities for p in library.search("weapon", "torrent", "Space Marines"))
    assert library.search("unit", "no such thing") == []


def test_typing_a_name_fills_the_line(client: Client, db: None) -> None:
    query = f"{PLASMA_AND_BOLTERS}&w2-name=Railgun+(Hammerhead+Gunship)&do=w2-fill"
    filled = settings_of(client.get(f"/warhammer40k/?{query}")["Location"].partition("?")[2])
    assert [w["strength"] for w in filled["weapons"]] == [8, 20]
    assert (
        filled["weapons"][1]["abilities"] == ["heavy", "devastating"]
        or "devastating" in filled["weapons"][1]["abilities"]
    )


def test_an_unknown_name_changes_nothing(client: Client, db: None) -> None:
    location = client.get(f"/warhammer40k/?{PLASMA_AND_BOLTERS}&w2-name=Stick&do=w2-fill")["Location"]
    assert settings_of(location.partition("?")[2])["weapons"][1]["strength"] == 5


def test_browse_and_use(client: Client, db: None) -> None:
    browse = client.get(f"/warhammer40k/?{PLASMA_AND_BOLTERS}&do=b-target-browse")["Location"]
    asked = parse_qs(browse.partition("?")[2])
    assert (asked["kind"], asked["into"]) == (["unit"], ["b-target"])
    page = client.get(browse)
    key = page.context["page"].object_list[0].key
    used = client.get("/warhammer40k/profiles/pick/", {"profile": key, "into": "target", "back": PLASMA_AND_BOLTERS})
    sheet = settings_of(used["Location"].partition("?")[2])
    assert sheet["target"] == "Intercessor Squad"
    assert (sheet["models"], sheet["weapons"][0]["strength"]) == (5, 8)


def test_used_without_a_sheet_it_starts_one(client: Client, db: None) -> None:
    key = next(p.key for p in library.profiles("weapon") if p.name == "Gauss flayer")
    sheet = settings_of(client.get("/warhammer40k/profiles/pick/", {"profile": key})["Location"].partition("?")[2])
    assert sheet["weapons"][0]["name"] == "Gauss flayer (Necron Warriors)"


def test_what_is_not_in_the_library_is_not_found(client: Client, db: None) -> None:
    assert client.get("/warhammer40k/profiles/pick/?profile=nothing").status_code == 404


@pytest.mark.parametrize(
    "query", ["", "kind=unit", "words=plasma", "faction=Orks&page=2", "words=zzz", "page=nonsense"]
)
def test_the_library_page_opens(client: Client, db: None, query: str) -> None:
    assert client.get(f"/warhammer40k/profiles/?{query}").status_code == 200


def test_one_tap_loads_all_weapons_of_a_unit(client: Client, db: None) -> None:
    """By composition: five Intercessors carry five bolt rifles and five pistols; the points come along."""
    key = "11th-space-marines-intercessor-squad"
    location = client.get("/warhammer40k/profiles/shoot/", {"profile": key, "back": PLASMA_AND_BOLTERS})["Location"]
    sheet = settings_of(location.partition("?")[2])
    unit = library.card(key)
    assert unit is not None
    ranged = {base: n for base, n in unit.arms().items() if any(not mode.melee for mode in unit.modes(base))}
    assert {w["name"].partition(",")[0]: w["count"] for w in sheet["weapons"]} == ranged
    assert (sheet["edition"], sheet["points"]) == ("eleventh", unit.points(unit.size))
    fight = client.get("/warhammer40k/profiles/fight/", {"profile": key})["Location"]
    assert all("melee" in w["abilities"] for w in settings_of(fight.partition("?")[2])["weapons"])


@pytest.mark.parametrize("edition", EDITIONS)
def test_every_unit_with_weapons_can_attack(edition: datasheets.Edition) -> None:
    for unit in datasheets.units(edition):
        lines = library.armament(unit, melee=False) + library.armament(unit, melee=True)
        assert bool(lines) == bool(unit.weapons), unit.name
        data = QueryDict("v=1", mutable=True)
        sheets.arm(data, lines, 0)
        assert not lines or AttackForm(data).is_valid(), unit.name


def test_what_no_field_holds_is_said_to_be_yours_to_set(client: Client, db: None) -> None:
    page = client.get("/warhammer40k/profiles/", {"kind": "weapon", "words": "anti-chaos"})
    assert "yours to set" in page.content.decode()
    profile = next(p for p in library.search("weapon", "anti-chaos"))
    answer = client.get("/warhammer40k/profiles/pick/", {"profile": profile.key}, follow=True)
    assert profile.to_set[0] in "".join(str(message) for message in answer.context["messages"])


@pytest.mark.parametrize("edition", EDITIONS)
def test_the_page_shows_either_edition(client: Client, db: None, edition: str) -> None:
    page = client.get("/warhammer40k/profiles/", {"edition": edition, "words": "intercessor squad"})
    assert page.context["edition"] == edition
    assert all(profile.edition == edition for profile in page.context["page"].object_list)

"""A player's own profiles: Alice keeps them, Bob and a visitor see none of them."""

from __future__ import annotations

import json

import pytest
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.test import Client

from apps.accounts import services as accounts
from apps.accounts.models import Player
from apps.accounts.saved_profiles import MOST_SAVED
from apps.warhammer40k import saved
from apps.warhammer40k.models import SavedProfile
from tests.apps.warhammer40k.conftest import PLASMA_AND_BOLTERS, settings_of

Person = tuple[Client, Player]
GUN = {"attacks": "D6+1", "strength": "9", "abilities": ["lethal", "heavy"]}


def test_save_a_line_of_the_sheet(alice: Person) -> None:
    client, player = alice
    asked = client.get(f"/warhammer40k/?{PLASMA_AND_BOLTERS}&w1-abilities=lethal&w1-abilities=heavy&do=w1-save")
    page = client.get(asked["Location"])
    assert page.status_code == 200
    sent = {"kind": "weapon", "as": "Big gun", "back": PLASMA_AND_BOLTERS}
    for name, value in page.context["pairs"]:
        sent[name] = [*sent.get(name, []), value]  # type: ignore[misc]
    answered = client.post("/warhammer40k/profiles/save/", sent)
    assert answered["Location"] == f"/warhammer40k/?{PLASMA_AND_BOLTERS}"
    [kept] = saved.SAVED.visible_to(player)
    assert (kept.name, kept.values["strength"], kept.values["abilities"]) == ("Big gun", 8, ["lethal", "heavy"])


def test_a_saved_name_completes_and_fills(alice: Person) -> None:
    client, player = alice
    saved.SAVED.save(player, "weapon", "Big gun", GUN)
    assert "<option value='Big gun'>Yours</option>" in client.get("/warhammer40k/").content.decode()
    filled = client.get(f"/warhammer40k/?{PLASMA_AND_BOLTERS}&w1-name=big+gun&do=w1-fill")["Location"]
    assert settings_of(filled.partition("?")[2])["weapons"][0]["attacks"] == "D6+1"


def test_the_same_name_again_replaces(alice: Person) -> None:
    saved.SAVED.save(alice[1], "unit", "Mob", {"models": "20"})
    saved.SAVED.save(alice[1], "unit", "Mob", {"models": "30"})
    assert [p.values for p in saved.SAVED.visible_to(alice[1])] == [{"models": 30}]


def test_others_neither_see_nor_use_nor_delete_it(alice: Person, bob: Person, visitor: Client) -> None:
    kept = saved.SAVED.save(alice[1], "weapon", "Big gun", GUN)
    for client in (bob[0], visitor):
        assert "Big gun" not in client.get("/warhammer40k/profiles/").content.decode()
        assert client.get(f"/warhammer40k/profiles/pick/?profile=own-{kept.pk}").status_code == 404
        assert client.post(f"/warhammer40k/profiles/{kept.pk}/delete/").status_code == 404
    assert SavedProfile.objects.filter(pk=kept.pk).exists()


def test_the_owner_uses_and_deletes_it(alice: Person) -> None:
    client, player = alice
    kept = saved.SAVED.save(player, "weapon", "Big gun", GUN)
    used = client.get(f"/warhammer40k/profiles/pick/?profile=own-{kept.pk}")["Location"]
    assert settings_of(used.partition("?")[2])["weapons"][0]["strength"] == 9
    client.post(f"/warhammer40k/profiles/{kept.pk}/delete/")
    assert saved.SAVED.visible_to(player) == []


def test_a_visitor_who_only_looks_leaves_no_trace(visitor: Client) -> None:
    visitor.get("/warhammer40k/profiles/")
    visitor.get("/warhammer40k/")
    assert not Player.objects.exists()


@pytest.mark.parametrize(
    ("name", "values", "message"),
    [
        ("", GUN, "A name has 1–60 characters; you entered 0."),
        ("x" * 61, GUN, "A name has 1–60 characters; you entered 61."),
        ("Gun", {"strength": "99"}, "Strength must be 1–40; you entered 99."),
        ("Gun", {"colour": "red"}, "“colour” is no figure of a weapon."),
    ],
)
def test_what_cannot_be_kept_is_said(alice: Person, name: str, values: dict[str, object], message: str) -> None:
    with pytest.raises(ValidationError, match=message.replace("“", ".").replace("”", ".")):
        saved.SAVED.save(alice[1], "weapon", name, values)


def test_there_is_a_limit(alice: Person) -> None:
    SavedProfile.objects.bulk_create(
        SavedProfile(owner=alice[1], kind="unit", name=f"Unit {n}") for n in range(MOST_SAVED)
    )
    with pytest.raises(ValidationError, match="You can keep 200 profiles"):
        saved.SAVED.save(alice[1], "unit", "One more", {})
    saved.SAVED.save(alice[1], "unit", "Unit 7", {"models": "3"})


def test_export_and_import_round_trip(alice: Person, bob: Person) -> None:
    saved.SAVED.save(alice[1], "weapon", "Big gun", GUN)
    saved.SAVED.save(alice[1], "unit", "Mob", {"models": "20", "keywords": ["infantry"]})
    exported = alice[0].get("/warhammer40k/profiles/export/").content.decode()
    bob[0].post("/warhammer40k/profiles/import/", {"text": exported})
    assert saved.export(bob[1]) == json.loads(exported)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("not json", "That is not JSON."),
        ("[]", "That is not a profile file"),
        (
            '{"format": "oddsmith-warhammer40k", "version": 1, "weapons": [{"name": "A"}, {"name": "B", "ap": 9}]}',
            "Weapon 2: AP must be 0 to −6; you entered 9.",
        ),
        ('{"format": "oddsmith-warhammer40k", "version": 1, "units": [{"models": 3}]}', "Unit 1: it has no name."),
        ('{"format": "oddsmith-warhammer40k", "version": 1, "units": 3}', "“units” must be a list."),
    ],
)
def test_a_bad_file_is_refused_whole(alice: Person, text: str, message: str) -> None:
    page = alice[0].post("/warhammer40k/profiles/import/", {"text": text}, follow=True)
    assert message in " ".join(str(m) for m in page.context["messages"])
    assert saved.SAVED.visible_to(alice[1]) == []


def test_profiles_follow_a_guest_into_an_account(alice: Person) -> None:
    guest = alice[1]
    account = Player.objects.create(
        user=User.objects.create_user("anna", password="three of each face"), pseudonym="Anna"
    )
    saved.SAVED.save(guest, "unit", "Mob", {"models": "20"})
    saved.SAVED.save(guest, "unit", "Both", {"models": "1"})
    saved.SAVED.save(account, "unit", "Both", {"models": "2"})
    alice[0].post("/account/sign-in/", {"username": "anna", "password": "three of each face"})
    assert {p.name: p.values["models"] for p in saved.SAVED.visible_to(account)} == {"Mob": 20, "Both": 2}


def test_they_are_in_the_copy_of_my_data_and_leave_with_me(alice: Person) -> None:
    saved.SAVED.save(alice[1], "weapon", "Big gun", GUN)
    assert accounts.export(alice[1])["warhammer40k"]["weapons"][0]["name"] == "Big gun"
    accounts.delete(alice[1])
    assert not SavedProfile.objects.exists()

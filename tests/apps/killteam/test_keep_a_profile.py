"""A player's own profiles: keep, use, export, import, delete; and nobody else's."""

from __future__ import annotations

import json
import re

import pytest
from django.test import Client

from apps.accounts import player_data
from apps.accounts import services as accounts
from apps.accounts.models import Player
from apps.killteam.models import Role, SavedProfile
from apps.killteam.services import profiles

pytestmark = pytest.mark.django_db
PAGE = "/killteam/profiles/"
SHEET = "/killteam/shoot/?v=1&dice=6&rules=rending&more_rules=purity_seal&wounds=17&fnp=5"


def keep(client: Client, place: str = "shoot-a-attacker", name: str = "My gun", path: str = SHEET):
    return client.post(f"{PAGE}save/", {"place": place, "name": name, "path": path})


@pytest.fixture
def owner(client: Client) -> Client:
    assert keep(client).status_code == 302
    return client


def test_a_kept_profile_opens_as_it_was(owner: Client) -> None:
    saved = SavedProfile.objects.get()
    assert saved.profile == {
        "numDice": 6,
        "diceStat": 3,
        "normDmg": 3,
        "critDmg": 4,
        "abilities": ["purity_seal", "rending"],
    }
    page = owner.get(PAGE).content.decode()
    link = re.search(r'href="(/killteam/shoot/[^"]+)">Open', page)
    assert link is not None
    sheet = owner.get(link[1].replace("&amp;", "&")).content.decode()
    assert 'value="rending" checked' in sheet
    assert 'value="purity_seal" checked' in sheet


def test_each_part_of_a_sheet_can_be_kept(client: Client) -> None:
    keep(client, "shoot-a-defender", "Wall")
    keep(client, "fight-a-two", "Brute", "/killteam/fight/?v=1&two_dice=7&two_rules=brutal")
    assert SavedProfile.objects.get(name="Wall").profile["wounds"] == 17
    assert SavedProfile.objects.get(name="Brute").profile["abilities"] == ["brutal"]
    assert SavedProfile.objects.get(name="Brute").role == Role.FIGHTER


def test_all_of_ones_own_go_into_the_matrix(owner: Client) -> None:
    keep(owner, "shoot-a-defender", "Wall")
    link = re.search(r'href="(/killteam/matrix/[^"]+)">All against all', owner.get(PAGE).content.decode())
    assert link is not None
    grid = owner.get(link[1].replace("&amp;", "&")).context["matrix"]
    assert [name for _, name in grid["columns"]] == ["Wall"]
    [(_, name, [chance])] = grid["rows"]
    assert name == "My gun"
    assert 100 * chance == pytest.approx(owner.get(SHEET).context["answers"][0].number)


def test_the_same_name_replaces(owner: Client) -> None:
    keep(owner, path="/killteam/shoot/?v=1&dice=2")
    assert SavedProfile.objects.get().profile["numDice"] == 2


def test_another_player_sees_and_deletes_nothing(owner: Client) -> None:
    saved = SavedProfile.objects.get()
    other = Client()
    keep(other, name="Other gun")
    assert "My gun" not in other.get(PAGE).content.decode()
    assert other.post(f"{PAGE}{saved.id}/delete/").status_code == 404
    assert SavedProfile.objects.filter(pk=saved.pk).exists()


def test_a_visitor_has_nothing_and_leaves_no_trace() -> None:
    visitor = Client()
    assert "None yet" in visitor.get(PAGE).content.decode()
    assert visitor.get(f"{PAGE}export.json").json()["profiles"] == []
    assert not Player.objects.exists()


def test_the_owner_deletes(owner: Client) -> None:
    assert owner.post(f"{PAGE}{SavedProfile.objects.get().id}/delete/").status_code == 302
    assert not SavedProfile.objects.exists()


def test_export_imports_again(owner: Client) -> None:
    exported = owner.get(f"{PAGE}export.json")
    assert "attachment" in exported["Content-Disposition"]
    other = Client()
    other.post(f"{PAGE}import/", {"text": exported.content.decode()})
    copies = SavedProfile.objects.filter(name="My gun")
    assert copies.count() == 2
    assert copies[0].profile == copies[1].profile


def exported(*items: dict) -> str:
    return json.dumps({"format": profiles.FORMAT, "profiles": [{"role": "attacker", "name": "x", **i} for i in items]})


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("not json", "not a file of profiles"),
        ('{"format": "else", "profiles": []}', "not a file of profiles"),
        (exported({"profile": {"numDice": 99}}), "Profile 1 (x): That is not a ranged weapon"),
        (exported({"name": " ", "profile": {}}), "Name cannot be empty"),
        (exported({"role": "king", "profile": {}}), "not a file of profiles"),
        (exported(*[{"profile": {}}] * 201), "may hold 200"),
    ],
)
def test_a_bad_file_is_refused_whole_with_a_reason(client: Client, text: str, message: str) -> None:
    page = client.post(f"{PAGE}import/", {"text": text}, follow=True).content.decode()
    assert message in page
    assert not SavedProfile.objects.exists()


def test_a_sheet_in_error_is_not_kept(client: Client) -> None:
    reply = keep(client, path="/killteam/shoot/?v=1&dice=99")
    assert reply.status_code == 302
    assert not SavedProfile.objects.exists()
    assert keep(client, place="nowhere").status_code == 404


def test_saving_returns_to_a_page_of_ours_only(client: Client) -> None:
    assert keep(client)["Location"] == SHEET
    assert keep(client, path="https://example.org/killteam/?v=1")["Location"] == PAGE


def test_there_is_a_limit(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(profiles, "MOST_SAVED", 1)
    keep(client)
    keep(client, name="One too many")
    keep(client, path="/killteam/shoot/?v=1&dice=1")  # replacing is not adding
    assert SavedProfile.objects.get().profile["numDice"] == 1


def test_a_guest_who_signs_in_brings_profiles_along() -> None:
    guest, account = Player.objects.create(), Player.objects.create()
    for player, dice in ((guest, 1), (account, 2)):
        profiles.save(player, Role.ATTACKER, "Both have it", {"numDice": dice, "diceStat": 3})
    profiles.save(guest, Role.DEFENDER, "Only the guest", {"wounds": 9})
    player_data.hand_over(guest, account)
    mine = {p.name: p.profile for p in SavedProfile.objects.filter(owner=account)}
    assert mine["Both have it"]["numDice"] == 2
    assert mine["Only the guest"] == {"wounds": 9}


def test_profiles_are_part_of_ones_data_and_go_with_it(owner: Client) -> None:
    player = Player.objects.get()
    assert accounts.export(player)["killteamProfiles"][0]["name"] == "My gun"
    accounts.delete(player)
    assert not SavedProfile.objects.exists()

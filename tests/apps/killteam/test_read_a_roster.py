"""A roster: read from any form, read back line by line, mended by hand, kept by name; nothing typed that is known."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from apps.accounts import services as accounts
from apps.accounts.models import Player
from apps.killteam import rosters
from apps.killteam.library import library
from apps.killteam.models import Roster
from apps.killteam.name_list import read_names
from apps.rosters.roster import RosterError

SAMPLES = Path(__file__).resolve().parents[4] / "shared" / "facts" / "rosters"
NAMES = """My strike force
Angels of Death
Intercessor Sergeant: Bolt rifle, Power fist
2x Intercessor Warrior
  - Bolt rifle
  - Fists
Heavy Intercesor Gunner
nonsense of no kind
"""


def read(client: Client, **data: object) -> Roster:
    answer = client.post("/killteam/rosters/read/", data)
    assert answer.status_code == 302, answer.content.decode()
    found = rosters.find(answer["Location"].rstrip("/").rpartition("/")[2].partition("?")[0])
    assert found is not None
    return found


def carried(operative: dict) -> list[str]:
    return [weapon["name"] for weapon in operative["weapons"] if weapon["carried"]]


@pytest.mark.parametrize("name", ["battlescribe-kt24.ros", "newrecruit-kt24.json", "ktdash-roster.json"])
def test_samples_of_every_form_become_rosters(client: Client, db: None, name: str) -> None:
    upload = SimpleUploadedFile(name, (SAMPLES / name).read_bytes())
    document = read(client, file=upload).document
    expected = json.loads((SAMPLES / f"{name.rpartition('.')[0]}.expected.json").read_text(encoding="utf-8"))
    assert (document["name"], document["team"]) == (expected["name"], expected["faction"])
    assert [one["name"] for one in document["operatives"]] == [unit["name"] for unit in expected["units"]]
    for one, unit in zip(document["operatives"], expected["units"], strict=True):
        assert sorted(name.casefold() for name in carried(one)) == sorted(w.casefold() for w, _ in unit["weapons"])
        assert one["save"] == unit["figures"]["save"]
        assert one["wounds"] == unit.get("wounds_left", unit["figures"]["wounds"])
        weapons = {weapon["name"].casefold(): weapon for weapon in one["weapons"]}
        for profile in unit["profiles"]:
            figures = weapons[profile["name"].casefold()]["figures"]
            assert [*figures.values()] == [profile[key] for key in ("atk", "hit", "dmg_norm", "dmg_crit")]
    assert rosters.unread(document) == []


def test_names_one_a_line(client: Client, db: None) -> None:
    found = read(client, text=NAMES)
    document = found.document
    assert (document["name"], document["team"]) == ("My strike force", "Angels of Death")
    assert [one["name"] for one in document["operatives"]] == [
        "Intercessor Sergeant",
        "Intercessor Warrior",
        "Intercessor Warrior 2",
        "Heavy Intercessor Gunner",
    ]
    assert [carried(one) for one in document["operatives"][:3]] == [
        ["Power fist", "Bolt rifle"],
        ["Bolt rifle", "Fists"],
        ["Bolt rifle", "Fists"],
    ]
    assert "taken for Heavy Intercessor Gunner" in document["operatives"][3]["notes"][0]
    page = client.get(f"/killteam/rosters/{found.key}/").content.decode()
    assert "1 of 8 lines were not read" in page
    assert "nonsense of no kind" in page


def test_a_team_is_known_by_its_operatives_alone() -> None:
    found = read_names("Legionary Butcher\nLegionary Gunner")
    assert found is not None
    assert found.faction == "Legionaries"


def test_every_operative_of_the_library_is_read_by_its_name() -> None:
    for team in library().teams:
        cards = rosters.cards_of(team)
        document = rosters.read_list("\n".join([team, *(card.name for card in cards[: rosters.MOST_OPERATIVES])]))
        assert document["team"] == team
        assert [one["card"] for one in document["operatives"]] == [
            card.key for card in cards[: rosters.MOST_OPERATIVES]
        ], team


@pytest.mark.parametrize("text", ["", "hello there", "{}", "<x/>"])
def test_what_is_no_roster_gets_a_sentence_and_stays_in_the_field(client: Client, db: None, text: str) -> None:
    answer = client.post("/killteam/rosters/read/", {"text": text})
    assert answer.status_code == 422
    assert answer.context["error"].endswith(".")
    assert answer.context["text"] == text


def test_another_games_list_is_sent_to_its_room() -> None:
    with pytest.raises(RosterError, match="open it in that game's room"):
        rosters.read_list((SAMPLES / "gw-app.txt").read_bytes())


def test_an_operative_the_library_does_not_know_keeps_its_own_figures() -> None:
    weapon = {"name": "Rail lance", "type": "upgrade", "number": 1, "profiles": [
        {"name": "⌖ Rail lance", "typeName": "Weapons", "characteristics": [
            {"name": "ATK", "$text": "5"}, {"name": "HIT", "$text": "2+"}, {"name": "DMG", "$text": "4/6"},
            {"name": "WR", "$text": "Piercing 1"}]}]}  # fmt: skip
    stats = [{"name": "APL", "$text": "3"}, {"name": "Save", "$text": "2+"}, {"name": "Wounds", "$text": "19"}]
    model = {"name": "Homemade Hero", "type": "model", "number": 1, "selections": [weapon],
             "profiles": [{"name": "Homemade Hero", "typeName": "Operative", "characteristics": stats}]}  # fmt: skip
    force = {"catalogueName": "Angels of Death", "selections": [model]}
    source = json.dumps({"roster": {"gameSystemId": "c521-ad27-44df-f959", "forces": [force]}})
    (hero,) = rosters.read_list(source)["operatives"]
    assert (hero["card"], hero["save"], hero["wounds"], hero["apl"]) == ("", 2, 19, 3)
    assert hero["weapons"][0]["figures"] == {"num_dice": 5, "dice_stat": 2, "norm_dmg": 4, "crit_dmg": 6}
    assert "no operative of this name" in hero["notes"][0]


def test_a_team_from_its_cards(client: Client, db: None) -> None:
    answer = client.post("/killteam/rosters/team/", {"team": "Plague Marines"})
    page = client.get(answer["Location"])
    document = page.context["document"]
    assert len(document["operatives"]) == len(rosters.cards_of("Plague Marines"))
    assert all(one["rules"] for one in document["operatives"])  # Disgustingly Resilient comes with the card
    assert client.post("/killteam/rosters/team/", {"team": "Nobody"}).status_code == 404


def test_mending_by_hand(client: Client, db: None) -> None:
    found = read(client, text=NAMES)
    other_card = next(card for card in rosters.cards_of("Angels of Death") if card.name == "Eliminator Sniper")
    changes = {
        "name": "Mended",
        "o1-w1": "on",
        "o1-wounds": "7",
        "o2-drop": "on",
        "o3-wounds": "x",
        "o4-card": other_card.key,
        "add": other_card.key,
    }
    answer = client.post(f"/killteam/rosters/{found.key}/mend/", changes)
    document = client.get(answer["Location"]).context["document"]
    assert document["name"] == "Mended"
    assert [one["name"] for one in document["operatives"]] == [
        "Intercessor Sergeant",
        "Intercessor Warrior 2",
        "Eliminator Sniper",
        "Eliminator Sniper 2",
    ]
    first = document["operatives"][0]
    assert (first["wounds"], carried(first)) == (7, [first["weapons"][0]["name"]])
    assert carried(document["operatives"][1]) == []
    assert found.document["name"] == "My strike force"  # the first one stays as it was: its link does


def test_kept_by_name_exported_and_gone_with_its_owner(client: Client, db: None) -> None:
    found = read(client, text=NAMES)
    client.post("/killteam/rosters/save/", {"kind": "army", "query": f"a={found.key}", "name": "Friday"})
    page = client.get("/killteam/rosters/").content.decode()
    assert f"/killteam/rosters/{found.key}/" in page
    player = Player.objects.get()
    (row,) = accounts.export(player)["killteamRosters"]
    assert (row["name"], row["rosters"][0]["team"]) == ("Friday", "Angels of Death")
    assert "Friday" not in Client().get("/killteam/rosters/").content.decode()
    pk = player.killteam_rosters.get().pk
    assert Client().post(f"/killteam/rosters/saved/{pk}/delete/").status_code == 404
    client.post(f"/killteam/rosters/saved/{pk}/delete/")
    assert not player.killteam_rosters.exists()


def test_a_roster_that_is_gone_cannot_be_saved(client: Client, db: None) -> None:
    answer = client.post("/killteam/rosters/save/", {"query": "a=nothing", "name": "Ghost"}, follow=True)
    assert "not there any more" in answer.content.decode()
    assert client.get("/killteam/rosters/0000/").status_code == 404


def test_rules_no_field_holds_are_named_as_the_players() -> None:
    (card,) = [one for one in rosters.from_team("Angels of Death")["operatives"] if one["name"] == "Eliminator Sniper"]
    assert isinstance(rosters.to_set(card), list)
    every = [note for team in library().teams for one in rosters.from_team(team)["operatives"]
             for note in rosters.to_set(one)]  # fmt: skip
    assert any("Bipod, Ceaseless if the bearer has not moved" in note for note in every)
    assert not any(": Hot," in note for note in every)  # Hot is counted on the page of a match-up

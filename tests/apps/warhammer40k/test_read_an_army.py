"""Read an army: every form of list, what was read and what not, mended by hand; what is no list gets a sentence."""

from __future__ import annotations

import io
import zipfile

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from apps.warhammer40k import armies
from apps.warhammer40k.models import Army

LIST = """Demo (250 points)

Space Marines
Gladius Task Force

CHARACTERS

Captain (80 points)
  • 1x Bolt pistol
  • 1x Master-crafted power weapon

BATTLELINE

Intercessor Squad (80 points)
  • 1x Intercessor Sergeant
     ◦ 1x Bolt rifle
  • 4x Intercessor
     ◦ 4x Bolt rifle
     ◦ 1x Gun of nobody

Intercesor Sqad (80 points)
  • 5x Somebody
     ◦ 5x Bolt rifle

Exported with App Version: v1.0
what is this line
"""


def read(client: Client, **data: object) -> Army:
    answer = client.post("/warhammer40k/armies/read/", data)
    assert answer.status_code == 302, answer.content.decode()
    key = answer["Location"].rstrip("/").rpartition("/")[2].partition("?")[0]
    found = armies.find(key)
    assert found is not None
    return found


def test_a_pasted_list(client: Client, db: None) -> None:
    document = read(client, text=LIST).document
    assert [unit["name"] for unit in document["units"]][:2] == ["Captain", "Intercessor Squad"]
    squad = document["units"][1]
    assert (armies.models(squad), squad["points"]) == (5, 80)
    assert {weapon["name"]: weapon["count"] for weapon in squad["weapons"]}["Bolt rifle"] == 5
    assert armies.points(document) == 240


def test_every_line_is_accounted_for(client: Client, db: None) -> None:
    found = read(client, text=LIST)
    page = client.get(f"/warhammer40k/armies/{found.key}/").content.decode()
    texts = [line[1] for line in found.document["lines"]]
    assert any("what is this line" in text for text in texts)
    assert [line[1].strip() for line in armies.unread(found.document)] == ["what is this line"]
    assert "were not read" in page
    assert "not in the library" in page  # the misspelt squad
    assert "did you mean Intercessor Squad" in page


def test_a_rosz_file_is_read_as_its_text_is(client: Client, db: None) -> None:
    xml = (
        '<roster name="Zip" gameSystemId="sys-352e-adc2-7639-d6a9" gameSystemName="Warhammer 40,000 10th Edition" '
        'xmlns="http://www.battlescribe.net/schema/rosterSchema"><forces><force name="F" '
        'catalogueName="Xenos - Orks"><selections><selection name="Boyz" number="1" type="unit">'
        '<selections><selection name="Boy" number="9" type="model"><selections>'
        '<selection name="Shoota" number="9" type="upgrade"/></selections></selection></selections>'
        "</selection></selections></force></forces></roster>"
    )
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("roster.ros", xml)
    file = SimpleUploadedFile("roster.rosz", packed.getvalue())
    document = read(client, file=file).document
    assert (document["edition"], document["units"][0]["name"], armies.models(document["units"][0])) == (
        "tenth",
        "Boyz",
        9,
    )
    again = read(client, file=SimpleUploadedFile("roster.ros", xml.encode())).document
    assert again["units"] == document["units"]


def zip_bomb() -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("roster.ros", b"<" + b" " * 30_000_000)
    return packed.getvalue()


XML_BOMB = b'<?xml version="1.0"?><!DOCTYPE r [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]><roster>&b;</roster>'
KILL_TEAM = b'{"roster": {"gameSystemId": "c521-ad27-44df-f959", "name": "K", "forces": [{"selections": [{"name": "A", "type": "model", "number": 1}]}]}}'  # noqa: E501


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"x" * 10_000_000, "A roster may have 4 MB; this file has 10.0 MB"),
        (zip_bomb(), "A roster may have 8 MB"),
        (XML_BOMB, "declares no document type or entities"),
        (KILL_TEAM, "Kill Team"),
        (b"", "There is nothing to read"),
        (b"\x89PNG\r\n\x1a\n\0\0", "neither text nor a roster file"),
        (b"{", "not whole JSON"),
    ],
)
def test_what_is_no_list_of_this_game_is_refused_in_a_sentence(
    client: Client, db: None, data: bytes, words: str
) -> None:
    answer = client.post("/warhammer40k/armies/read/", {"file": SimpleUploadedFile("list.rosz", data)})
    assert answer.status_code == 422
    assert words in answer.content.decode()
    assert not Army.objects.exists()


def test_mend_by_hand(client: Client, db: None) -> None:
    found = read(client, text=LIST)
    answer = client.post(
        f"/warhammer40k/armies/{found.key}/mend/",
        {"u1-leads": "1", "u2-w1": "3", "u2-points": "90", "u3-card": "Hellblaster Squad", "name": "Mine"},
    )
    changed = armies.find(answer["Location"].rstrip("/").rpartition("/")[2])
    assert changed is not None
    document = changed.document
    assert (document["name"], document["units"][1]["points"]) == ("Mine", 90)
    assert document["units"][1]["weapons"][0]["count"] == 3
    assert document["units"][2]["name"] == "Hellblaster Squad"
    assert armies.fielded(document) == [1, 2]
    dropped = client.post(f"/warhammer40k/armies/{changed.key}/mend/", {"u2-drop": "on", "add": "Terminator Squad"})
    last = armies.find(dropped["Location"].rstrip("/").rpartition("/")[2])
    assert last is not None
    assert [unit["name"] for unit in last.document["units"]] == ["Captain", "Hellblaster Squad", "Terminator Squad"]
    assert last.document["units"][0]["leads"] is None  # whom he led is gone
    assert client.get(f"/warhammer40k/armies/{last.key}/").status_code == 200


def test_a_unit_nobody_knows_is_said_to_be_missing(client: Client, db: None) -> None:
    found = read(client, text=LIST)
    answer = client.post(f"/warhammer40k/armies/{found.key}/mend/", {"add": "Nobody"}, follow=True)
    assert "There is no unit “Nobody”" in answer.content.decode()


def test_saved_by_name_found_again_and_deleted(client: Client, db: None) -> None:
    found = read(client, text=LIST)
    client.post("/warhammer40k/armies/save/", {"kind": "army", "query": f"a={found.key}", "name": "Sunday list"})
    page = client.get("/warhammer40k/armies/").content.decode()
    assert "Sunday list" in page
    assert f"/warhammer40k/armies/{found.key}/" in page
    stranger = Client()
    assert "Sunday list" not in stranger.get("/warhammer40k/armies/").content.decode()
    pk = found_pk(page)
    assert stranger.post(f"/warhammer40k/armies/saved/{pk}/delete/").status_code == 404
    client.post(f"/warhammer40k/armies/saved/{pk}/delete/")
    assert "Sunday list" not in client.get("/warhammer40k/armies/").content.decode()


def found_pk(page: str) -> int:
    return int(page.partition("/armies/saved/")[2].partition("/")[0])


def test_an_army_that_is_not_there(client: Client, db: None) -> None:
    assert client.get("/warhammer40k/armies/0000000000000000/").status_code == 404

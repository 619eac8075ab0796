"""The analysis board: any position at an address that never changes, by hand, by text, and move by move."""

from __future__ import annotations

import re
from urllib.parse import parse_qs, urlsplit

import pytest
from django.test import Client

from apps.dicee.services import analyse
from engine.dicee import notation
from engine.dicee.analysis import Horizon, analyze
from engine.dicee.boxes import BOXES, Variant
from engine.dicee.tables import load

HOME = "/dicee/analyse/"
EMPTY = "-.-.-.-.-.-.-.-.-.-.-.-.-"
FIVES = f"{HOME}v1/standard/{EMPTY}/55526/1/"
BOARD = re.compile(r'id="analysis-board".*</main>', re.S)
pytestmark = pytest.mark.django_db


def get(address: str, **query: str) -> str:
    response = Client().get(address, query)
    assert response.status_code == 200, response.content.decode()[:500]
    return re.sub(r'(name="csrfmiddlewaretoken" value=)"[^"]*"', r"\1", response.content.decode())


def board(address: str) -> analyse.Board:
    parts = urlsplit(address)
    text = "/".join(parts.path.removeprefix(f"{HOME}v1/").strip("/").split("/"))
    return analyse.board(analyse.read(text, {name: values[0] for name, values in parse_qs(parts.query).items()}))


@pytest.mark.parametrize("variant", Variant)
def test_every_keep_and_box_has_its_exact_value(variant: Variant) -> None:
    table = load(variant)
    found = board(f"{HOME}v1/{variant.value}/-.6.9.-.15.-.-.-.25.-.-.50.-+1/33351/2/")
    exact = analyze(found.position, Horizon.GAME, table)
    wanted = sorted(option.ev for option in (*exact.keeps, *exact.boxes))
    assert sorted(row.final - found.card.grand_total for row in found.rows) == pytest.approx(wanted)
    assert found.rows[0].lost == 0
    assert len(found.rows) == len(exact.keeps) + len(exact.boxes)
    assert [row.lost for row in found.rows] == sorted(row.lost for row in found.rows)


def test_the_address_is_all_there_is() -> None:
    page = get(FIVES, show="555", note="Why not two fives?")
    assert "Keep 5-5-5, roll two" in page
    assert "Why not two fives?" in page
    link = re.search(r'id="permalink"[^>]*value="([^"]+)"', page.replace("\n", " "))
    assert link
    again = get(link[1].replace("&amp;", "&").removeprefix("http://testserver"))
    assert BOARD.findall(again) == BOARD.findall(page) != []


def test_a_position_is_set_by_hand_or_by_text() -> None:
    fields = dict.fromkeys(BOXES, "") | {"sixes": "18", "dicee": "50", "bonuses": "1"}
    answer = Client().get(HOME, fields | {"dice": "1 2 3 4 6", "rolls": "2", "variant": "joker_rules"})
    assert answer.status_code == 302
    assert answer["Location"] == f"{HOME}v1/joker_rules/-.-.-.-.-.18.-.-.-.-.-.50.-+1/12346/2/"
    assert Client().get(HOME, {"position": f"standard/{EMPTY}/55526/1"})["Location"] == FIVES
    assert Client().get(HOME, {"position": f"https://example.org{FIVES}?show=555"})["Location"] == FIVES
    assert Client().get(HOME, {"dice": ""})["Location"] == f"{HOME}v1/standard/{EMPTY}/-/3/"


@pytest.mark.parametrize(
    ("address", "words"),
    [
        (f"{HOME}v1/standard/{EMPTY}/5552/1/", "There are five dice"),
        (f"{HOME}v1/house/{EMPTY}/55526/1/", "There are no rules"),
        (f"{FIVES}?line=444.44412", "not on the table"),
        (f"{FIVES}?show=dicer", "is no choice"),
        (f"{FIVES}?show=555&fell=7", "five faces"),
        (f"{HOME}v1/standard/1.2.3.4.5.6.10.10.25.30.40.50.10/55526/1/", "Every box is filled"),
        (f"{HOME}?position=nonsense", "four parts"),
    ],
)
def test_what_cannot_be_says_why_and_keeps_what_was_typed(address: str, words: str) -> None:
    response = Client().get(address)
    assert response.status_code == 422
    assert words in response.content.decode()


def test_another_version_is_no_page_of_ours() -> None:
    assert Client().get(FIVES.replace("v1", "v2")).status_code == 404


def test_a_line_is_walked_branched_and_taken_back() -> None:
    on = Client().get(FIVES, {"show": "555", "fell": "33"})["Location"]
    assert on == f"{FIVES}?line=555.55533"
    there = board(on)
    assert there.position.dice == (5, 5, 5, 3, 3)
    written = there.at(show="full_house")
    after = board(board(written).write_link)
    assert after.line.text == "555.55533.full_house"
    assert (after.position.dice, after.card.grand_total, after.to_roll) == ((), 25, 5)
    rolled = board(Client().get(after.here, {"line": after.line.text, "fell": "12346"})["Location"])
    assert (rolled.position.dice, rolled.position.rolls_left) == ((1, 2, 3, 4, 6), 2)
    assert board(rolled.take_back).line.text == after.line.text
    assert [step.words for step in rolled.steps][:2] == ["Keep 5-5-5, roll two: 55533", "Score Full House for 25"]
    branch = board(rolled.steps[0].back)
    assert (branch.line.text, branch.shown_choice) == ("", "555")


def test_dice_can_be_rolled_for_the_reader() -> None:
    on = board(Client().get(FIVES, {"show": "-", "roll": "1"})["Location"])
    assert len(on.line.steps) == 1
    assert on.position.rolls_left == 0


def test_tapping_a_die_shows_its_next_face() -> None:
    links = [die.link for die in board(FIVES).dice_links]
    assert [board(link).dice_text for link in links] == ["65526", "56526", "55626", "55536", "55521"]


def test_the_last_box_ends_the_line() -> None:
    page = get(f"{HOME}v1/standard/1.2.3.4.5.6.10.10.25.30.40.50.-/12345/0/", line="chance")
    assert "The card is full: 201 points." in page


def test_other_sites_may_frame_it_and_only_then() -> None:
    whole, framed = Client().get(FIVES), Client().get(FIVES, {"embed": "1"})
    assert whole["X-Frame-Options"] == "DENY"
    assert "X-Frame-Options" not in framed
    assert "frame-ancestors *" in framed["Content-Security-Policy"]
    assert 'target="_blank"' in framed.content.decode()


def test_a_link_to_it_shows_a_picture() -> None:
    page = get(FIVES)
    card = re.search(r'property="og:image" content="([^"]+)"', page)
    assert card
    picture = Client().get(card[1].replace("&amp;", "&").removeprefix("http://testserver"))
    assert (picture.status_code, picture["Content-Type"]) == (200, "image/png")


def test_the_text_of_a_position_round_trips_through_the_address() -> None:
    for text in (f"standard/{EMPTY}/-/3", "forced_dicee/0.-.-.-.-.30.-.-.0.-.-.50.-+3/66666/2"):
        assert board(analyse.address(notation.read(text))).text == text

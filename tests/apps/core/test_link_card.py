"""The picture that a chat shows under a link to a calculator."""

from __future__ import annotations

import html
import re
from io import BytesIO

import pytest
from django.test import Client, override_settings
from PIL import Image

from apps.core import cards
from apps.core.cards import Card, Figure

pytestmark = pytest.mark.django_db

ONE = "/dice/?v=1&roll=2D6&target=7"
TWO = "/dice/?v=1&roll=2D6&target=7&b-roll=2D8&b-target=7&compare=1"
NAMED = "/killteam/shoot/?v=1&name=In+the+open&b-name=In+cover&b-cover=1&compare=1"


def meta(client: Client, address: str) -> dict[str, str]:
    text = client.get(address).content.decode()
    pairs = re.findall(r'<meta (?:property|name)="((?:og|twitter):[\w:]+)"\s+content="([^"]*)"', text)
    return {name: html.unescape(value).replace("\xa0", " ") for name, value in pairs}


def card_of(client: Client, address: str) -> str:
    return meta(client, address)["og:image"].removeprefix("http://testserver")


SHEETS = ["/warhammer40k/", "/killteam/fight/", "/killteam/matrix/", "/dice/", "/battletech/"]


@pytest.mark.parametrize("address", [ONE, TWO, NAMED, *SHEETS])
def test_every_calculator_has_a_card_of_the_right_size(client: Client, address: str) -> None:
    reply = client.get(card_of(client, address))
    assert reply["Content-Type"] == "image/png"
    image = Image.open(BytesIO(reply.content))
    assert image.size == (1200, 630)
    assert len(reply.content) < 60_000


def test_the_page_says_what_the_picture_shows(client: Client) -> None:
    found = meta(client, ONE)
    assert found["twitter:card"] == "summary_large_image"
    assert found["og:image"].startswith("http://testserver/dice/card.png?")
    assert found["og:image:width"] == "1200"
    assert found["og:image:alt"] == "58.3 % to roll 7 or more."
    assert found["og:title"] == "58.3 % to roll 7 or more."


def test_a_comparison_names_both_sides(client: Client) -> None:
    found = meta(client, NAMED)
    assert re.fullmatch(r"In the open: [\d.]+ % to kill\. In cover: [\d.]+ % to kill\.", found["og:title"])
    assert "In the open" in found["og:description"]
    assert "In cover" in found["og:description"]
    unnamed = meta(client, TWO)
    assert re.fullmatch(r"A: [\d.]+ % to roll 7 or more\. B: [\d.]+ % to roll 7 or more\.", unnamed["og:title"])


def test_another_answer_is_another_picture(client: Client) -> None:
    pictures = {client.get(card_of(client, address)).content for address in (ONE, TWO, ONE.replace("=7", "=8"))}
    assert len(pictures) == 3


def test_a_card_that_is_known_is_not_sent_again(client: Client) -> None:
    address = card_of(client, ONE)
    first = client.get(address)
    assert "public" in first["Cache-Control"]
    again = client.get(address, headers={"If-None-Match": first["ETag"]})
    assert again.status_code == 304
    assert not again.content


def test_the_order_of_an_address_changes_neither_picture_nor_tag(client: Client) -> None:
    one = client.get("/dice/card.png?v=1&roll=2D6&target=7")
    other = client.get("/dice/card.png?target=7&roll=2D6&v=1&utm_source=chat")
    assert one["ETag"] == other["ETag"]
    assert one.content == other.content


def test_a_sheet_without_an_answer_shows_the_tool(client: Client) -> None:
    reply = client.get("/dice/card.png?v=1&roll=3Z6")
    assert reply.status_code == 200
    assert Image.open(BytesIO(reply.content)).size == (1200, 630)


def test_a_card_is_the_same_for_everybody_and_makes_nobody_a_player(client: Client) -> None:
    reply = client.get(card_of(client, ONE))
    assert "Cookie" not in reply.get("Vary", "")
    assert not reply.cookies


@override_settings(RATE_LIMIT_SCALE=1 / 60)
def test_cards_are_rate_limited(client: Client) -> None:
    assert [client.get("/dice/card.png").status_code for _ in range(2)] == [200, 429]


def test_the_same_card_is_drawn_once() -> None:
    cards.png.cache_clear()
    card = Card("Dice", "", (Figure("58.3", "%", "to roll 7 or more."),))
    assert cards.png(card) is cards.png(card)
    assert cards.png.cache_info().misses == 1
    assert cards.png.cache_info().maxsize == cards.MOST_KEPT


@pytest.mark.parametrize("text", ["x" * 5000, "", "Болтер", "🎲", "a\nb", "≥ 7 − 3", "word " * 500])
def test_no_text_breaks_the_drawing(text: str) -> None:
    figure = Figure(text[:40], "%", text, text, text)
    for card in (Card(text, text), Card(text, "", (figure,)), Card(text, "", (figure, figure))):
        assert Image.open(BytesIO(cards.png(card))).size == (1200, 630)

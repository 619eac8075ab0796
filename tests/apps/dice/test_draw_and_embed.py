"""The chart as a file, on other people's pages and without a script; the list of everything that can be written."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest
from django.test import Client
from django.urls import reverse

from apps.dice.language import sections

pytestmark = pytest.mark.django_db
SVG = "{http://www.w3.org/2000/svg}"


def drawing_of(client: Client, program: str, **more: str) -> ElementTree.Element:
    reply = client.get("/dice/chart.svg", {"v": "1", "roll": program, "target": "", **more})
    assert reply["Content-Type"] == "image/svg+xml"
    return ElementTree.fromstring(reply.content)


def test_every_total_has_its_bar_as_high_as_its_chance(client: Client) -> None:
    bars = [bar for bar in drawing_of(client, "2D6").iter(f"{SVG}rect") if bar.get("stroke")]
    heights = [float(bar.get("height", 0)) for bar in bars]
    assert [round(height / heights[0]) for height in heights] == [1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1]


def test_two_rolls_have_two_sorts_of_bars_and_a_key(client: Client) -> None:
    root = drawing_of(client, "2D6", compare="1", **{"b-roll": "D12", "b-target": ""})
    texts = {text.text for text in root.iter(f"{SVG}text")}
    assert {"2D6", "D12"} <= texts
    assert len({bar.get("fill") for bar in root.iter(f"{SVG}rect") if bar.get("stroke")}) == 2


def test_a_family_is_drawn_as_curves(client: Client) -> None:
    root = drawing_of(client, "for n in 1..6: nD6kh1")
    curves = list(root.iter(f"{SVG}polyline"))
    assert len(curves) == 6
    assert len({(curve.get("stroke"), curve.get("stroke-dasharray")) for curve in curves}) == 6


def test_what_people_name_cannot_become_markup(client: Client) -> None:
    reply = client.get("/dice/embed/", {"v": "1", "roll": '2D6 named "<b>&x</b>"\nD12', "target": ""})
    assert "<b>&x" not in reply.content.decode()
    drawing_of(client, '2D6 named "<b>&x</b>"\nD12')


def test_what_has_no_numbers_has_no_drawing(client: Client) -> None:
    assert client.get("/dice/chart.svg", {"v": "1", "roll": "D6 vs D6"}).status_code == 404
    assert client.get("/dice/chart.svg", {"v": "1", "roll": "nonsense"}).status_code == 404


def test_another_page_may_show_the_answer_and_nothing_else_of_ours(client: Client) -> None:
    framed = client.get("/dice/embed/", {"v": "1", "roll": "3D6", "target": "12"})
    assert "37.5" in framed.content.decode()
    assert "/dice/?v=1&amp;roll=3D6&amp;target=12" in framed.content.decode()
    assert "X-Frame-Options" not in framed
    assert "frame-ancestors *" in framed["Content-Security-Policy"]
    assert "<form" not in framed.content.decode()
    page = client.get("/dice/", {"v": "1", "roll": "3D6"})
    assert page["X-Frame-Options"] == "DENY"
    assert "frame-ancestors 'none'" in page["Content-Security-Policy"]


def test_an_embedded_slip_is_said_there(client: Client) -> None:
    reply = client.get("/dice/embed/", {"v": "1", "roll": "3Z6"})
    assert reply.status_code == 422
    assert "is not dice notation" in reply.content.decode()


def test_the_page_offers_files_and_the_code_to_embed_it(client: Client) -> None:
    page = client.get("/dice/", {"v": "1", "roll": "3D6", "target": ""}).content.decode()
    assert 'download="dice.svg"' in page
    assert "&lt;iframe src=" in page
    assert re.search(r"<noscript>\s*<img[^>]+chart.svg", page)


def test_everything_one_can_write_is_listed_with_a_link_that_answers(client: Client) -> None:
    examples = [example for section in sections() for example in section.examples]
    assert len(examples) > 60
    page = client.get(reverse("dice:language")).content.decode()
    for example in examples[::9]:
        assert client.get(example.href).status_code == 200, example.text
    assert "How long it takes" in page
    assert client.get("/dice/").content.decode().count(reverse("dice:language")) == 1

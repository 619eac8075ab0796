"""Help that cannot go out of date: its scores, answers and API replies are asked of the product."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.conf import settings
from django.test import Client
from django.urls import resolve

from apps.help import glossary, pages
from apps.help.markdown import Block, DiceRow, render
from engine.dicee.boxes import BOX_NUMBER, natural_score

pytestmark = pytest.mark.django_db


def blocks(kind: str) -> list[Any]:
    found = [(page.slug, block) for page in pages.pages() for block in page.document.blocks if block.kind == kind]
    assert found
    return [pytest.param(block, id=f"{slug}-{at}") for at, (slug, block) in enumerate(found)]


def calls() -> Iterator[tuple[str, Block, Block]]:
    """Each request of the cookbook with the reply printed under it."""
    for page in pages.pages():
        asked = [block for block in page.document.blocks if block.kind in ("request", "answer")]
        for request, reply in zip(asked[::2], asked[1::2], strict=True):
            yield page.slug, request, reply


@pytest.mark.parametrize("slug", pages.SLUGS)
def test_every_page_opens_with_its_title_and_every_other_page_beside_it(client: Client, slug: str) -> None:
    text = client.get(f"/help/{slug}/").content.decode()
    page = pages.page(slug)
    assert page is not None
    assert text.count("<h1") == 1
    assert html.escape(page.title) in text
    assert page.summary
    assert all(f'href="/help/{other}/"' in text for other in pages.SLUGS)


def test_every_file_is_in_the_contents(client: Client) -> None:
    assert {path.stem for path in pages.FOLDER.glob("*.md")} == set(pages.SLUGS)
    text = client.get("/help/").content.decode()
    assert all(f'href="{page.url}"' in text for page in pages.pages())


def test_a_page_that_is_not_there_is_not_found(client: Client) -> None:
    assert client.get("/help/no-such-page/").status_code == 404


def test_links_lead_to_pages_and_anchors_that_are_there() -> None:
    anchors = {page.url: {section.anchor for section in page.document.sections} for page in pages.pages()}
    links = [link for page in pages.pages() for link in re.findall(r'<a [^>]*href="([^"]+)"', page.document.html)]
    assert len(links) > 20
    for link in map(html.unescape, links):
        address, _, anchor = link.partition("#")
        if address in anchors:
            assert not anchor or anchor in anchors[address], link
        else:
            assert resolve(address.partition("?")[0]), link


def test_no_heading_of_a_page_has_the_anchor_of_another() -> None:
    for page in pages.pages():
        anchors = [section.anchor for section in page.document.sections]
        assert len(anchors) == len(set(anchors)), page.slug


@pytest.mark.parametrize("block", blocks("dice"))
def test_pictured_dice_pay_what_is_printed(block: Block) -> None:
    names = {"three of a kind": "three_of_kind", "four of a kind": "four_of_kind"}
    for row in map(DiceRow.read, block.lines):
        name = names.get(row.label.lower(), row.label.lower().replace(" ", "_"))
        assert natural_score(BOX_NUMBER[name], row.faces) == int(row.value), row.label


def test_every_box_is_pictured() -> None:
    page = pages.page("dicee")
    assert page is not None
    rows = [line for block in page.document.blocks if block.kind == "dice" for line in block.lines]
    assert len(rows) == len(BOX_NUMBER)


@pytest.mark.parametrize("block", blocks("example"))
def test_a_worked_example_is_what_its_calculator_answers(client: Client, block: Block) -> None:
    address, answer = block.lines
    title = re.search(r"<title>(.*?)</title>", client.get(address).content.decode(), re.DOTALL)
    assert title is not None
    assert html.unescape(title[1]).replace("\xa0", " ").strip().startswith(answer)


@pytest.mark.parametrize(("slug", "request_block", "reply"), list(calls()))
def test_the_cookbook_gets_the_replies_it_prints(client: Client, slug: str, request_block: Block, reply: Block) -> None:
    method, address = request_block.lines[0].split()
    body = "\n".join(request_block.lines[1:])
    response = client.generic(method, address, body, content_type="application/json")
    agrees(json.loads("\n".join(reply.lines)), response.json())


def agrees(printed: Any, got: Any) -> None:
    """What is printed is part of what came: a reply has more fields than a page wants to show."""
    if isinstance(printed, dict):
        for key, value in printed.items():
            agrees(value, got[key])
    elif isinstance(printed, list):
        for one, other in zip(printed, got, strict=True):
            agrees(one, other)
    else:
        assert got == (pytest.approx(printed) if isinstance(printed, float) else printed)


def test_a_difference_from_the_printed_reply_is_noticed() -> None:
    with pytest.raises(AssertionError):
        agrees({"mean": 7.0}, {"mean": 7.5})


def test_what_is_written_is_text_and_never_markup() -> None:
    assert "<script>" not in render("# T\n\n<script>alert(1)</script> [x](javascript:alert(1))").html
    assert "javascript:" not in re.findall(r'href="([^"]*)"', render("# T\n\n[x](javascript:alert(1))").html)


def test_every_page_leads_to_help_and_says_whose_the_names_are(client: Client) -> None:
    foot = client.get("/").content.decode().partition("<footer")[2]
    assert 'href="/help/"' in foot
    assert 'href="/help/names/"' in foot
    assert "not endorsed" in foot
    names = client.get("/help/names/").content.decode()
    assert all(owner in names for owner in ("Games Workshop", "Catalyst", "Topps", "Hasbro"))


def test_every_method_leads_to_its_worked_example() -> None:
    wanted = {
        "killteam/shoot_method.html": "kill-team",
        "killteam/fight_method.html": "kill-team",
        "killteam/matrix_results.html": "kill-team",
        "warhammer40k/results.html": "warhammer-40k",
        "battletech/components/method.html": "battletech",
        "dice/components/method.html": "dice",
        "dicee/rules.html": "dicee-numbers",
    }
    for template, slug in wanted.items():
        text = (settings.ROOT / "templates" / template).read_text()
        assert f"{{% url 'help:page' '{slug}' %}}" in text, template


def test_a_word_on_a_page_says_what_it_means(client: Client) -> None:
    text = client.get("/").content.decode()
    told = re.search(r'aria-describedby="term-distribution">distributions<span role="tooltip"[^>]*>([^<]+)', text)
    assert told is not None
    assert told[1] == html.escape(glossary.find("distribution").meaning)


def test_every_word_that_a_template_explains_is_in_the_glossary() -> None:
    templates = "".join(path.read_text() for path in (settings.ROOT / "templates").rglob("*.html"))
    used = re.findall(r'{% term "([^"]+)"', templates)
    assert len(used) >= 4
    assert all(glossary.find(name) for name in used)


def test_a_word_of_the_glossary_explains_itself() -> None:
    term = glossary.find("Expected value")
    assert term.meaning.startswith("What you would get on average")
    assert term.url == "/help/glossary/#expected-value"
    assert all(len(term.meaning) > 20 for term in glossary.terms().values())

"""Two lists in hand: one is pasted and mended, set against another, read cell by cell, printed and found again."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import DESKTOP, PHONE, Watch, look_at

Opener = Callable[..., Page]
MINE = """Demo (240 points)

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

what is this line
"""
THEIRS = """Waaagh (85 points)

Orks

BATTLELINE

Boyz (85 points)
  • 9x Boy
     ◦ 9x Choppa
     ◦ 9x Slugga
"""


@pytest.mark.parametrize("screen", ["phone-light", "desktop-dark"])
def test_from_two_pasted_lists_to_every_duel(screen: str, open_browser: Opener, watch: Watch) -> None:
    page = open_browser(screen)
    page.goto("/warhammer40k/armies/", wait_until="networkidle")
    page.get_by_label("Paste it").fill(MINE)
    page.get_by_role("button", name="Read it").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Demo")
    expect(page.get_by_role("heading", name=re.compile("1 of [0-9]+ lines were not read"))).to_be_visible()
    page.get_by_label("Add a unit").fill("Terminator Squad")
    page.get_by_label("Name", exact=True).fill("My marines")
    page.get_by_role("button", name="Apply changes").click()
    expect(page.get_by_role("region", name="Terminator Squad", exact=True)).to_be_visible()
    expect(page.get_by_role("heading", level=1)).to_have_text("My marines")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_text("My marines is saved among your armies.")).to_be_visible()
    page.get_by_role("link", name="This one is mine").click()

    page.get_by_label("Paste it").fill(THEIRS)
    page.get_by_role("button", name="Read it").click()
    page.get_by_role("button", name="Set it against the other army").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("My marines against Waaagh")
    cells = page.locator(".duel-table").first.locator("tbody td a")
    expect(cells).to_have_count(3)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")

    before = cells.all_inner_texts()
    page.locator("summary", has_text="Waaagh").first.click()
    theirs = page.locator("details.panel", has_text="Waaagh").first
    theirs.locator('input[value="b.cover"]').check()
    theirs.get_by_role("button", name="Apply").click()
    expect(page).to_have_url(re.compile(r"on=b\.cover"))
    assert cells.all_inner_texts() != before
    cells.nth(1).click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Boyz")
    page.go_back()
    page.get_by_role("link", name="Swap sides").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Waaagh against My marines")


def test_a_duel_is_printed_saved_downloaded_and_found(page: Page, watch: Watch) -> None:
    page.goto("/warhammer40k/armies/", wait_until="networkidle")
    page.get_by_label("Paste it").fill(MINE)
    page.get_by_role("button", name="Read it").click()
    page.get_by_label("Save it as").fill("Zanzibar marines")
    page.get_by_role("button", name="Save", exact=True).click()
    page.get_by_role("link", name="This one is mine").click()
    page.get_by_label("Paste it").fill(THEIRS)
    page.get_by_role("button", name="Read it").click()
    page.get_by_role("button", name="Set it against the other army").click()
    page.wait_for_load_state("networkidle")
    page.evaluate("window.print = () => (window.printed = true)")
    page.get_by_role("button", name="Print").click()
    assert page.evaluate("window.printed") is True
    with page.expect_download() as download:
        page.get_by_role("link", name="CSV").click()
    text = download.value.path().read_text()
    assert "Intercessor Squad" in text
    assert "Boyz" in text
    page.goto("/search/?q=zanzibar", wait_until="networkidle")
    expect(page.get_by_role("link", name=re.compile("Zanzibar marines"))).to_be_visible()


def test_every_page_of_armies_is_accessible_and_fits(page: Page, watch: Watch) -> None:
    page.goto("/warhammer40k/armies/", wait_until="networkidle")
    page.get_by_label("Paste it").fill(MINE)
    page.get_by_role("button", name="Read it").click()
    page.wait_for_load_state("networkidle")
    look_at(page, DESKTOP, PHONE)
    page.get_by_role("link", name="This one is mine").click()
    page.get_by_label("Paste it").fill(THEIRS)
    page.get_by_role("button", name="Read it").click()
    page.get_by_role("button", name="Set it against the other army").click()
    page.wait_for_load_state("networkidle")
    look_at(page, DESKTOP, PHONE)
    page.locator(".duel-table").first.locator("tbody td a").first.click()
    page.wait_for_load_state("networkidle")
    look_at(page, DESKTOP, PHONE)

"""A game tonight: the own roster read, theirs taken from its cards, who should attack whom, and the sheet to print."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import DESKTOP, PHONE, Watch, look_at

Opener = Callable[..., Page]
MINE = """Angels of Death
Intercessor Sergeant: Bolt rifle, Power fist
Assault Intercessor Grenadier: Frag grenade, Chainsword
what is this"""


@pytest.mark.parametrize("screen", ["phone-light", "desktop-dark"])
def test_from_a_pasted_list_to_the_sheet(screen: str, open_browser: Opener, watch: Watch) -> None:
    page = open_browser(screen)
    page.goto("/killteam/rosters/")
    page.get_by_label("Paste it").fill(MINE)
    page.get_by_role("button", name="Read it").click()
    expect(page.get_by_role("heading", name="1 of 4 lines were not read")).to_be_visible()
    mine = page.get_by_role("region", name="Intercessor Sergeant", exact=True)
    mine.get_by_label("Chainsword").check()
    page.get_by_role("button", name="Against another").click()

    page.get_by_label("Team", exact=True).select_option("Legionaries")
    page.get_by_role("button", name="Take its cards").click()
    for name in ("Legionary Chosen", "Legionary Anointed"):
        page.get_by_role("region", name=name, exact=True).get_by_label(f"Leave out {name}").check()
    page.get_by_role("button", name="Set it against the other roster").click()

    number = page.locator(".answer__number")
    expect(number).to_contain_text("%")
    box = number.bounding_box()
    assert box is not None
    assert box["y"] + box["height"] < (812 if screen.startswith("phone") else 900), "the answer is in sight at once"
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")

    before = number.inner_text()
    page.locator("summary", has_text="Legionaries: equipment, ploys, cover").click()
    theirs = page.locator("details", has_text="Legionaries: equipment")
    theirs.get_by_label("In cover").first.check()
    theirs.get_by_role("button", name="Apply").click()
    expect(number).not_to_have_text(before)

    page.get_by_role("link", name="Sheet to print").first.click()
    expect(page.locator(".sheet-card")).to_have_count(2)
    expect(page.get_by_text("With B: In cover.")).to_be_visible()
    page.wait_for_load_state("networkidle")
    page.evaluate("window.print = () => (window.printed = true)")
    page.get_by_role("button", name="Print").click()
    assert page.evaluate("window.printed") is True


def test_one_match_up_with_advice_and_several_targets(page: Page, watch: Watch) -> None:
    page.goto("/killteam/rosters/")
    page.get_by_role("button", name="Show two sample rosters").click()
    page.get_by_role("region", name="Best target for each, Angels of Death").get_by_role("link").nth(5).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Eliminator Sniper against Legionary Aspiring Champion")
    expect(page.get_by_role("region", name="One activation", exact=True)).to_contain_text("Shoot, then charge")
    expect(page.locator("#duel-advice .bars").first).to_be_visible()
    page.get_by_label("Legionary Butcher").check()
    page.get_by_role("button", name="Count them all").click()
    expect(page.locator("#several")).to_contain_text("fall on average with Bolt sniper rifle (hyperfrag)")


def test_a_roster_is_kept_by_name_without_a_script(open_browser: Opener, watch: Watch) -> None:
    page = open_browser("desktop-light", java_script_enabled=False)
    page.goto("/killteam/rosters/")
    page.get_by_label("Team", exact=True).select_option("Kasrkin")
    page.get_by_role("button", name="Take its cards").click()
    page.get_by_label("Save it as").fill("Friday night")
    page.get_by_role("button", name="Save", exact=True).click()
    page.goto("/killteam/rosters/")
    page.get_by_role("link", name="Friday night").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Kasrkin")


def test_every_page_of_rosters_is_accessible_and_fits(page: Page, watch: Watch) -> None:
    page.goto("/killteam/rosters/")
    page.get_by_role("button", name="Show two sample rosters").click()
    duel = page.url
    query = duel.partition("?")[2]
    roster = query.partition("a=")[2].partition("&")[0]
    for path in (
        f"{duel}&on=b.in-cover&operative=a1",
        f"/killteam/rosters/{roster}/",
        f"/killteam/duel/cell/?{query}&side=a&from=5&to=0&with=1",
        f"/killteam/duel/sheet/?{query}",
    ):
        page.goto(path)
        page.wait_for_load_state("networkidle")
        look_at(page, DESKTOP, PHONE)

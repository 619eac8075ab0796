"""The analysis board as a person uses it: tapped, set, walked and taken back, with and without a script."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import Watch

pytestmark = pytest.mark.browser
FIVES = "/dicee/analyse/v1/standard/-.-.-.-.-.-.-.-.-.-.-.-.-/55526/1/"


def test_a_line_is_walked_and_taken_back_and_the_address_follows(page: Page, base_url: str) -> None:
    page.goto(f"{base_url}{FIVES}")
    expect(page.get_by_role("heading", name="Keep 5-5-5, roll two.")).to_be_visible()
    page.get_by_role("link", name="Keep 5-5-5, roll two").first.click()
    expect(page).to_have_url(f"{base_url}{FIVES}?show=555")
    page.get_by_label("What falls: 2 faces").fill("33")
    page.get_by_role("button", name="Go on").click()
    expect(page.get_by_role("heading", name="Score Full House for 25.")).to_be_visible()
    expect(page).to_have_url(f"{base_url}{FIVES}?line=555.55533")
    page.get_by_role("link", name="Write it").click()
    expect(page.get_by_role("heading", name="The first roll")).to_be_visible()
    page.get_by_role("button", name="Roll for me").click()
    expect(page.get_by_role("link", name="Next face")).to_have_count(5)
    page.get_by_role("link", name="Take back").click()
    expect(page.get_by_role("heading", name="The first roll")).to_be_visible()
    page.go_back()
    expect(page.get_by_role("link", name="Next face")).to_have_count(5)


def test_dice_are_tapped_and_boxes_set(page: Page, base_url: str, watch: Watch) -> None:
    watch.allow("422")
    page.goto(f"{base_url}{FIVES}")
    page.get_by_role("link", name="Die 4: 2. Next face").click()
    expect(page.get_by_role("link", name="Die 4: 3. Next face")).to_be_visible()
    page.get_by_label("Sixes").select_option("18")
    expect(page).to_have_url(f"{base_url}/dicee/analyse/v1/standard/-.-.-.-.-.18.-.-.-.-.-.-.-/55536/1/")
    page.get_by_label("Or its text").fill("nonsense")
    page.get_by_role("button", name="Read").click()
    expect(page.get_by_role("alert")).to_contain_text("four parts")
    expect(page.get_by_label("Or its text")).to_have_value("nonsense")


def test_it_works_without_a_script(browser: Browser, base_url: str) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{base_url}{FIVES}?show=555")
    page.get_by_label("What falls: 2 faces").fill("5 5")
    page.get_by_role("button", name="Go on").click()
    expect(page.get_by_role("heading", name="Score Dicee for 50.")).to_be_visible()
    page.get_by_label("Dicee", exact=True).select_option("0")
    page.get_by_role("button", name="Set", exact=True).click()
    expect(page.get_by_role("heading", name="Score Dicee for 50.")).to_have_count(0)
    context.close()

"""Build an attack, share it, roll it, verify it, simulate it: in a real browser, on a desk and on a phone."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

PLASMA = "/warhammer40k/?v=1&w1-name=Plasma&w1-strength=8&w1-ap=3&w1-damage=2"


def answer(page: Page) -> str:
    return page.locator(".headline__number").first.inner_text()


@pytest.mark.parametrize("screen", ["desktop-light", "phone-dark"])
def test_build_an_attack(screen: str, open_browser: Callable[..., Page]) -> None:
    page = open_browser(screen)
    page.goto("/warhammer40k/?v=1", wait_until="networkidle")
    before = answer(page)
    page.get_by_label("Increase Strength").click()
    expect(page.locator(".headline__number")).not_to_have_text(before)
    expect(page).to_have_url(re.compile(r"w1-strength=5"))
    page.get_by_label("Lethal Hits", exact=True).check()
    expect(page).to_have_url(re.compile(r"w1-abilities=lethal"))
    page.get_by_role("button", name="+ Add a weapon").click()
    expect(page.get_by_role("region", name="Weapon 2")).to_be_visible()
    expect(page.locator(".funnel li").first).to_contain_text("20")


def test_weapons_are_copied_moved_and_removed(page: Page) -> None:
    page.goto(PLASMA, wait_until="networkidle")
    more = page.get_by_role("region", name="Weapon 1").get_by_label("More for weapon 1")
    more.click()
    page.get_by_role("button", name="Duplicate").click()
    second = page.get_by_role("region", name="Weapon 2")
    expect(second.get_by_label("Name of weapon 2")).to_have_value("Plasma")
    second.get_by_label("Name of weapon 2").fill("Copy")
    page.keyboard.press("Tab")
    expect(page).to_have_url(re.compile("w2-name=Copy"))
    second.get_by_label("More for weapon 2").click()
    second.get_by_role("button", name="Move up").click()
    expect(page.get_by_label("Name of weapon 1")).to_have_value("Copy")
    page.get_by_label("More for weapon 1").click()
    page.get_by_role("region", name="Weapon 1").get_by_role("button", name="Remove").click()
    expect(page.get_by_label("Name of weapon 1")).to_have_value("Plasma")
    expect(page.get_by_role("region", name="Weapon 2")).to_have_count(0)


def test_a_picked_name_fills_the_line(page: Page) -> None:
    page.goto("/warhammer40k/?v=1", wait_until="networkidle")
    page.get_by_label("Name of weapon 1").fill("Railgun (Hammerhead Gunship)")
    page.keyboard.press("Tab")
    expect(page.get_by_label("Strength", exact=True)).to_have_value("20")
    expect(page).to_have_url(re.compile("w1-strength=20"))


def test_a_share_link_gives_the_same_numbers_to_someone_else(open_browser: Callable[..., Page]) -> None:
    mine = open_browser()
    mine.goto("/warhammer40k/?v=1", wait_until="networkidle")
    before = answer(mine)
    mine.get_by_label("Increase Strength").click()
    expect(mine.locator(".headline__number")).not_to_have_text(before)
    mine.get_by_role("button", name="Copy link").click()
    link = mine.evaluate("navigator.clipboard.readText()")
    theirs = open_browser("phone-light")
    theirs.goto(link, wait_until="networkidle")
    assert answer(theirs) == answer(mine)
    assert theirs.locator(".funnel b").all_inner_texts() == mine.locator(".funnel b").all_inner_texts()


def test_an_error_is_said_beside_its_field_while_the_answer_stays(page: Page, watch: object) -> None:
    watch.allow("422")  # type: ignore[attr-defined]
    page.goto("/warhammer40k/?v=1", wait_until="networkidle")
    before = answer(page)
    page.get_by_label("Attacks", exact=True).fill("3X6")
    said = "Attacks must be a number or dice like 2D6+3; you entered 3X6."
    expect(page.locator("[data-error-for]", has_text=said)).to_be_visible()
    expect(page.locator(".stale-note")).to_contain_text(said)
    assert answer(page) == before
    page.get_by_label("Attacks", exact=True).fill("3D6")
    expect(page.locator("[data-error-for]", has_text=said)).to_have_count(0)
    expect(page.locator(".stale-note")).to_be_hidden()


def test_targets_and_advice_arrive_after_the_answer(page: Page) -> None:
    page.goto(PLASMA, wait_until="networkidle")
    expect(page.get_by_role("row", name=re.compile("^Terminators"))).to_be_visible()
    expect(page.get_by_role("heading", name="One change to every weapon")).to_be_visible()
    page.get_by_label("Wanted chance to wipe", exact=True).fill("95")
    expect(page.get_by_text("To lift it past 95 %")).to_be_visible()


def test_compare_two_attackers(page: Page) -> None:
    page.goto(PLASMA, wait_until="networkidle")
    page.get_by_role("link", name="Compare").click()
    side = page.get_by_role("region", name="Situation B")
    side.get_by_label("Increase Strength").click()
    expect(page).to_have_url(re.compile("b-w1-strength=9"))
    expect(page.locator(".headline__difference")).to_be_visible()


def test_it_works_without_javascript(open_browser: Callable[..., Page]) -> None:
    page = open_browser(java_script_enabled=False)
    page.goto(PLASMA, wait_until="networkidle")
    page.get_by_label("Strength", exact=True).fill("4")
    page.get_by_role("button", name="+ Add a weapon").click()
    expect(page.get_by_role("region", name="Weapon 2")).to_be_visible()
    expect(page.get_by_label("Strength", exact=True).first).to_have_value("4")


@pytest.mark.parametrize("screen", ["desktop-dark", "phone-light"])
def test_roll_it_and_verify(screen: str, open_browser: Callable[..., Page], axe: Callable[[Page], list[str]]) -> None:
    page = open_browser(screen)
    page.goto(PLASMA, wait_until="networkidle")
    page.get_by_role("link", name="Roll these dice").click()
    page.get_by_role("button", name="Roll the dice").click()
    expect(page.get_by_role("heading", name="Log and proofs")).to_be_visible()
    assert page.locator(".dice-row__die").count() >= 10
    page.get_by_role("button", name="Verify every die").click()
    expect(page.get_by_text(re.compile("All [0-9]+ dice verified"))).to_be_visible()
    assert axe(page) == []
    log = page.get_by_label("Log of every die")
    log.fill(log.input_value().replace("proof ", "proof 0", 1).replace("proof 0", "proof f", 1))
    page.get_by_role("button", name="Verify every die").click()
    expect(page.get_by_text("do not follow from their entropy")).to_be_visible()


def test_simulate_it_over_the_exact_curve(page: Page) -> None:
    page.goto("/warhammer40k/roll/?v=1", wait_until="networkidle")
    page.locator("label", has_text="10,000").first.click()
    page.get_by_role("button", name="Simulate").click()
    expect(page.get_by_text("10,000 sequences")).to_be_visible(timeout=60_000)
    expect(page.locator("[data-chart][data-drawn]")).to_be_visible()
    expect(page.locator(".legendtext", has_text="exact")).to_be_visible()


def test_save_a_profile_and_use_it(page: Page) -> None:
    page.goto(PLASMA, wait_until="networkidle")
    page.get_by_label("More for weapon 1").click()
    page.get_by_role("button", name="Save as my profile").first.click()
    page.get_by_label("Name", exact=True).fill("My plasma")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_text("My plasma is saved among your profiles.")).to_be_visible()
    page.goto("/warhammer40k/profiles/", wait_until="networkidle")
    page.get_by_role("link", name="Use My plasma").click()
    expect(page.get_by_label("Name of weapon 1")).to_have_value("My plasma")
    expect(page.get_by_label("Strength", exact=True)).to_have_value("8")


def test_what_is_too_large_offers_a_simulation_at_once(page: Page, watch: object) -> None:
    watch.allow("422")  # type: ignore[attr-defined]
    many = "w=2&models=200&wounds=100&w1-count=100&w1-abilities=devastating&w2-count=100&w2-attacks=90&w2-damage=3"
    page.goto(f"/warhammer40k/?v=1&{many}", wait_until="networkidle")
    page.get_by_label("Attacks", exact=True).first.fill("80")
    second = page.get_by_role("region", name="Weapon 2")
    with page.expect_response(lambda answer: "w2-abilities=devastating" in (answer.request.post_data or answer.url)):
        second.get_by_label("Devastating Wounds").check()
    error = second.get_by_text("too large to count exactly")
    expect(page.locator("#answer .problems")).to_have_text(error.inner_text().strip())
    page.get_by_role("link", name="Simulate this attack instead").click()
    expect(page.get_by_role("heading", name="40K: roll it")).to_be_visible()
    for weapon in ("100× A 80", "100× A 90"):
        expect(page.get_by_text(weapon).first).to_be_visible()

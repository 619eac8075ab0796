"""The record sheet in a real browser, on a desk and on a phone."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Watch

BOTH = pytest.mark.parametrize("screen", ["desktop-light", "phone-dark"])


@BOTH
def test_pick_a_mech_heat_it_hit_it_take_it_back_and_share_it(screen: str, open_browser: Callable[..., Page]) -> None:
    page = open_browser(screen)
    page.goto("/battletech/")
    page.get_by_label("Stock ’Mech").select_option("highlander-hgn-732")
    expect(page.get_by_role("heading", name="Highlander HGN-732")).to_be_visible()

    page.locator("#heat").focus()
    for _ in range(5):
        page.keyboard.press("ArrowRight")
    expect(page.locator("h2 [data-now=heat]")).to_have_text("28")
    expect(page).to_have_url(re.compile("heat=28"))
    expect(page.locator("#heat")).to_be_focused()

    page.get_by_role("link", name="Crit Gauss rifle, RA").click()
    log = page.locator(".log-panel")
    expect(log.get_by_role("heading")).to_have_text("Critical hit on Gauss rifle")
    expect(log).to_contain_text("20 damage: explodes")
    expect(log).to_contain_text("RA structure15 − 15 = 0")
    expect(page.locator("[data-loc=RA]")).to_contain_text("gone")
    expect(page.locator("#announcement")).to_contain_text("Critical hit on Gauss rifle")

    shared = page.url
    page.get_by_role("link", name="Undo").click()
    expect(page.locator("[data-loc=RA]")).not_to_contain_text("gone")
    page.get_by_role("link", name="Redo").click()
    expect(page.locator("[data-loc=RA]")).to_contain_text("gone")

    other = open_browser(screen)
    other.goto(shared)
    expect(other.locator(".log-panel").get_by_role("heading")).to_have_text("Critical hit on Gauss rifle")
    expect(other.locator("[data-loc=RA]")).to_contain_text("gone")


@BOTH
def test_the_slider_answers_before_it_is_let_go(screen: str, open_browser: Callable[..., Page]) -> None:
    page = open_browser(screen)
    page.goto("/battletech/")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url) if "/battletech/" in request.url else None)
    page.locator("#heat").evaluate("s => { s.value = 28; s.dispatchEvent(new Event('input', { bubbles: true })); }")
    expect(page.locator("[data-now=big]")).to_have_text("98.7%")  # 1 − (15/36)⁵
    expect(page.locator("[data-loc=LT] [data-lp]")).to_have_text(re.compile(r"^[\d.]+\s%$"))
    expect(page.locator("#heat")).to_have_attribute("aria-valuetext", "28: 98.7\xa0%")
    assert asked == []
    page.locator("#heat").evaluate("s => s.dispatchEvent(new Event('change', { bubbles: true }))")
    expect(page).to_have_url(re.compile("heat=28"))
    expect(page.locator("[data-now=big]")).to_have_text("98.7%")


def test_the_keyboard_reaches_every_bin_and_the_shortcuts_work(page: Page) -> None:
    page.goto("/battletech/?v=1&mech=atlas-as7-k&heat=23")
    page.locator("#doll-e1").focus()
    page.keyboard.press("Enter")
    expect(page.locator(".log-panel h2")).to_have_text("Critical hit on Gauss rifle")
    expect(page.locator("#doll-e1")).to_be_focused()
    page.locator("h1").click()
    page.keyboard.press("u")
    expect(page.locator(".log-panel h2")).to_have_text("Heat phase")
    page.keyboard.press("]")
    expect(page).to_have_url(re.compile("heat=24"))
    page.keyboard.press("Space")
    expect(page.locator(".log-panel h2")).to_have_text("Heat phase at 24")
    expect(page).to_have_url(re.compile(r"did=h24-[1-6]+"))


@BOTH
def test_rounds_left_change_the_risk(screen: str, open_browser: Callable[..., Page]) -> None:
    page = open_browser(screen)
    page.goto("/battletech/?v=1&mech=hunchback-hbk-4g&heat=23")
    expect(page.locator("[data-now=big]")).to_have_text("47.8%")
    page.get_by_label("AC/20 #1: rounds left").focus()
    page.keyboard.press("Home")
    expect(page.locator("[data-now=big]")).to_have_text("27.8%")
    expect(page).to_have_url(re.compile("did=r1-0"))
    page.get_by_role("link", name="Dump AC/20 #2").click()
    expect(page.locator("[data-now=big]")).to_have_text("0%")
    page.go_back()
    expect(page.locator("[data-now=big]")).to_have_text("27.8%")


def test_dice_typed_wrong_are_named_and_dice_typed_right_roll(page: Page, watch: Watch) -> None:
    watch.allow("422")
    page.goto("/battletech/?v=1&mech=hunchback-hbk-4g&heat=23")
    page.locator(".phase-form label", has_text="My dice").click()
    page.get_by_label("Dice in the order they fall").fill("1 6 6")
    page.get_by_role("button", name="Roll the phase").click()
    expect(page.locator("#dice-error")).to_contain_text("This phase takes at least 5")
    expect(page.locator("#dice")).to_be_focused()
    expect(page.locator("#dice")).to_have_value("1 6 6")
    page.locator("#dice").fill("1 6 6 2 1")
    page.keyboard.press("Enter")
    expect(page.locator(".log-panel")).to_contain_text("2 + 1 = 3, needs 6: explodes")


def test_everything_works_without_a_script(open_browser: Callable[..., Page]) -> None:
    page = open_browser("phone-light", java_script_enabled=False)
    page.goto("/battletech/?v=1&mech=atlas-as7-k&heat=23")
    page.get_by_role("link", name="Crit Gauss rifle, RT").click()
    expect(page.locator(".log-panel h2")).to_have_text("Critical hit on Gauss rifle")
    page.get_by_role("link", name="Undo").click()
    expect(page.locator(".log-panel h2")).to_have_text("Heat phase")
    page.get_by_role("link", name="One heat more").click()
    expect(page.locator("h2 [data-now=heat]")).to_have_text("24")
    page.get_by_role("button", name="Roll the phase").click()
    expect(page.locator(".log-panel h2")).to_have_text("Heat phase at 24")
    page.get_by_role("link", name="Edit").click()
    page.get_by_label("Name").fill("Mine")
    page.get_by_role("button", name="Use this sheet").last.click()
    expect(page.get_by_role("heading", name="Mine")).to_be_visible()


def test_other_ammunition_and_another_tonnage_fill_their_figures_in_the_editor(page: Page) -> None:
    page.goto("/battletech/edit/?from=v%3D1%26mech%3Datlas-as7-d%26heat%3D28%26rules%3Dtotal_warfare")
    rounds, damage = page.locator("[name='b1-rounds']"), page.locator("[name='b1-damage']")
    expect(rounds).to_have_value("6")
    page.locator("[name='b1-ammo']").select_option("mg")
    expect(rounds).to_have_value("200")
    expect(damage).to_have_value("2")
    page.locator("[name='tonnage']").select_option("50")
    expect(page.locator("[name='structure_CT']")).to_have_attribute("placeholder", "16")
    expect(page.locator(".field-note").first).to_contain_text("a ’Mech of 50 t carries at most")
    page.get_by_role("button", name="Use this sheet").last.click()
    expect(page.locator("h2 [data-now=heat]")).to_have_text("28")
    expect(page.locator("#rules-2")).to_have_attribute("aria-current", "true")
    expect(page.locator(".bin-row").first).to_contain_text("400")


def test_the_other_rules_follow_the_slider_beside_the_headline(page: Page) -> None:
    page.goto("/battletech/")
    other = page.locator("[data-now=other]")
    expect(other).to_have_text("27.8\xa0%")
    page.locator("#heat").evaluate("s => { s.value = 28; s.dispatchEvent(new Event('input', { bubbles: true })); }")
    expect(other).to_have_text("58.3\xa0%")
    page.locator("#other-rules").click()
    expect(page.locator("#rules-2")).to_have_attribute("aria-current", "true")


def test_on_a_phone_the_editor_shows_every_column(open_browser: Callable[..., Page]) -> None:
    page = open_browser("phone-light")
    page.goto("/battletech/edit/")
    for name in ("full_CT", "armor_CT", "rear_CT", "structure_CT", "case_CT"):
        box = page.locator(f"[name='{name}']").bounding_box()
        assert box is not None
        assert box["x"] >= 0, name
        assert box["x"] + box["width"] <= 375, name


@BOTH
def test_the_heat_panel_prints_dark_on_white(screen: str, open_browser: Callable[..., Page]) -> None:
    page = open_browser(screen)
    page.goto("/battletech/")
    page.emulate_media(media="print")
    shown = ".heat-answer__number, .heat-answer h2, .heat-answer p, .heat-slider__ticks, .heat-slider__legend"
    colours = page.evaluate("s => [...document.querySelectorAll(s)].map(e => getComputedStyle(e).color)", shown)
    assert set(colours) == {"rgb(0, 0, 0)"}
    background = page.locator(".heat-panel").evaluate("e => getComputedStyle(e).backgroundColor")
    assert background in ("rgba(0, 0, 0, 0)", "rgb(255, 255, 255)")

"""The frame in a real browser: preferences, keys, the tray, steppers, charts; and no script at all."""

from __future__ import annotations

import random
import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from apps.core import formats


def test_numbers_read_the_same_in_the_browser_and_on_the_server(page: Page) -> None:
    rng = random.Random(20)
    chances = [0.0, 1.0, 0.5625, 0.8125, 79 / 81, 11 / 36, 1 - 1e-13, 5e-20, 0.9996]
    chances += [rng.random() for _ in range(200)] + [10 ** -rng.uniform(0, 20) for _ in range(100)]
    chances += [1 - 10 ** -rng.uniform(0, 10) for _ in range(100)] + [rng.randint(1, 7775) / 7776 for _ in range(100)]
    page.goto("/")
    theirs = page.evaluate(
        """async ps => {
            const odds = await import(document.querySelector('link[href*="/lib/odds"]').href);
            return ps.map(p => [odds.percent(p), odds.oneIn(p), odds.fraction(p), odds.heat(p)]);
        }""",
        chances,
    )
    ours = [[formats.percent(p), formats.one_in(p), formats.fraction(p), formats.heat(p)] for p in chances]
    assert theirs == ours


def test_the_theme_is_kept_and_painted_by_the_server(page: Page) -> None:
    page.goto("/")
    for theme in ("light", "dark"):
        page.get_by_role("button", name="Theme:").click()
        expect(page.locator("html")).to_have_attribute("data-theme", theme)
    page.reload()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    assert 'data-theme="dark"' in page.request.get("/").text()


def test_odds_change_their_form_in_place(page: Page) -> None:
    page.goto("/")
    four = page.locator("[data-pattern=four] .heat")
    expect(four).to_have_text("30.6\xa0%")
    page.get_by_role("link", name="Settings").first.click()
    page.locator("#settings label", has_text="5/8").click()
    expect(four).to_have_text("11/36")
    page.locator("#settings label", has_text="1 in 1.6").click()
    expect(four).to_have_text("1 in 3.3")
    page.keyboard.press("Escape")
    expect(page.locator("#settings")).not_to_be_visible()


def test_keys_work_rest_in_fields_and_can_be_switched_off(page: Page) -> None:
    page.goto("/dice/")
    dialog = page.locator("#keyboard")
    page.keyboard.press("?")
    expect(dialog).to_be_visible()
    page.keyboard.press("Escape")
    page.keyboard.press("f")
    page.keyboard.press("End")
    page.keyboard.type("?")
    expect(dialog).not_to_be_visible()
    page.locator("h1").click()
    page.keyboard.press("?")
    dialog.get_by_label("Single-key shortcuts").uncheck(force=True)
    page.keyboard.press("Escape")
    page.keyboard.press("?")
    expect(dialog).not_to_be_visible()
    page.get_by_role("link", name="Keyboard").click()
    expect(dialog).to_be_visible()


def test_the_tray_counts_what_is_held(page: Page) -> None:
    page.goto("/")
    dice = page.locator("[data-tray] .die")
    dice.nth(0).click()
    dice.nth(1).click()
    dice.nth(2).click()
    expect(page.locator("[data-count]")).to_have_text("7,776 outcomes counted")
    expect(page.locator("[data-pattern=five] .heat")).to_have_text("<0.1\xa0%")
    expect(page.locator("[data-pattern=large] .heat")).to_have_text("3.1\xa0%")  # 240 of 7,776
    page.locator("[data-roll]").click()
    for i in range(5):
        dice.nth(i).click()
    expect(page.locator("[data-count]")).to_have_text("All held: nothing left to chance")


def test_a_stepper_moves_within_its_limits_and_says_so(page: Page) -> None:
    page.goto("/styleguide/")
    field = page.locator("#sg-skill")
    page.evaluate(
        "window.heard = 0; document.querySelector('#sg-skill').addEventListener('change', () => window.heard++)"
    )
    more = page.get_by_role("button", name="Increase Skill")
    for _ in range(5):
        more.click()
    expect(field).to_have_value("6")
    assert page.evaluate("window.heard") == 5
    page.get_by_role("button", name="Decrease Skill").click()
    expect(field).to_have_value("5")


def test_charts_are_drawn_when_near_and_again_in_the_other_theme(page: Page) -> None:
    page.goto("/styleguide/")
    chart = page.locator("[data-chart]").first
    chart.scroll_into_view_if_needed()
    bar = chart.locator(".bars .point path").first
    expect(bar).to_be_visible()
    light = bar.evaluate("e => getComputedStyle(e).fill")
    page.evaluate(
        """async () => {
            const {prefer} = await import(document.querySelector('link[href*="/lib/prefs"]').href);
            prefer('theme', 'dark');
        }"""
    )
    page.wait_for_function("([e, was]) => getComputedStyle(e).fill !== was", arg=[bar.element_handle(), light])
    assert chart.locator(".chart__plot").get_attribute("aria-label")


def test_a_toast_is_said_and_can_be_dismissed(page: Page) -> None:
    page.goto("/styleguide/")
    page.evaluate("document.dispatchEvent(new CustomEvent('toast', {detail: {text: 'Out of dice', kind: 'error'}}))")
    toast = page.locator("#toasts .toast--error")
    expect(toast).to_have_text("Out of dice")
    toast.get_by_role("button", name="Dismiss").click()
    expect(toast).to_have_count(0)


def test_the_menu_holds_every_page_on_a_phone(open_browser: Callable[..., Page]) -> None:
    page = open_browser("phone-dark")
    page.goto("/")
    menu = page.get_by_role("navigation", name="All pages")
    expect(menu).not_to_be_visible()
    page.locator(".menu summary").click()
    expect(menu.get_by_role("link", name="Any dice")).to_be_visible()
    page.keyboard.press("Escape")
    expect(menu).not_to_be_visible()


@pytest.mark.parametrize("address", ["/", "/styleguide/"])
def test_targets_are_large_enough_for_a_thumb(open_browser: Callable[..., Page], address: str) -> None:
    page = open_browser("phone-light")
    page.goto(address)
    targets = ".btn, .segmented label, .chip, .stepper button, button.die, .head-btn, .menu > summary"
    small = page.evaluate(
        """targets => [...document.querySelectorAll(targets)]
          .filter(e => e.checkVisibility()).map(e => [e.className, e.getBoundingClientRect()])
          .filter(([, r]) => r.height < 43.9 || r.width < 42).map(([name, r]) => `${name} ${r.width}x${r.height}`)""",
        targets,
    )
    assert small == []


def test_reduced_motion_stops_the_dice(open_browser: Callable[..., Page]) -> None:
    page = open_browser("desktop-light", reduced_motion="reduce")
    page.goto("/")
    page.locator("[data-roll]").click()
    expect(page.locator(".is-rolling")).to_have_count(0)


def test_with_reduced_motion_a_new_theme_is_there_at_once(open_browser: Callable[..., Page]) -> None:
    """Transitions of no length are still one for each property of each element: half a second on a large page."""
    page = open_browser("desktop-light", reduced_motion="reduce")
    page.goto("/styleguide/")
    under_way = "theme => { document.documentElement.dataset.theme = theme; return document.getAnimations().length }"
    assert page.evaluate(under_way, "dark") == 0
    assert page.evaluate(under_way, "light") == 0


def test_without_scripts_the_page_says_the_same_and_settings_are_kept(open_browser: Callable[..., Page]) -> None:
    page = open_browser("desktop-light", java_script_enabled=False)
    page.goto("/")
    expect(page.locator("[data-pattern=full] .heat")).to_have_text("13.9\xa0%")
    expect(page.locator("[data-roll]")).not_to_be_visible()
    page.get_by_role("link", name="Settings").first.click()
    page.locator("label", has_text="Dark").click()
    page.get_by_role("button", name="Save").click()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    page.goto("/styleguide/")
    expect(page.locator("#sg-skill")).to_be_visible()
    expect(page.get_by_role("button", name="Increase Skill")).not_to_be_visible()


@pytest.mark.parametrize("address", ["/dice/", "/dice/?v=1&roll=3D6&b-roll=2D10&compare=1"])
def test_a_calculation_prints_on_one_sheet(page: Page, address: str) -> None:
    page.goto(address)
    page.wait_for_selector("[data-drawn]")
    sheet = page.pdf(prefer_css_page_size=True)
    assert len(re.findall(rb"/Type\s*/Page\b(?!s)", sheet)) == 1


def test_paper_is_white_and_shows_the_address_even_in_the_dark(open_browser: Callable[..., Page]) -> None:
    page = open_browser("desktop-dark")
    page.goto("/dice/")
    page.emulate_media(media="print")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    expect(page.locator(".site-head")).not_to_be_visible()
    expect(page.locator(".print-only")).to_contain_text("/dice/?v=2")

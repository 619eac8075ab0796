"""The table for everyone's eyes and hands: large text, strong magnification, forced colours, no scripts; and what the
accessibility tree holds on a phone and on a desktop."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import violations
from tests.browser.test_dicee import open_table, roll, write

TREES = Path(__file__).parent / "trees"
#: Two boxes that a person needs at once lie on each other.
OVERLAP = """([one, other]) => {
  const [a, b] = [one, other].map(selector => document.querySelector(selector).getBoundingClientRect());
  return a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;
}"""


@pytest.mark.parametrize("size", [(375, 812), (1280, 1024)])
def test_text_of_twice_the_size(open_browser: Callable[..., Page], size: tuple[int, int]) -> None:
    width, height = size
    page = open_browser("desktop-light", viewport={"width": width, "height": height})
    open_table(page)
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    roll(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    for row in page.locator(".score-row[data-box]").all()[:3]:
        name, figures = row.locator(".score-row__title").bounding_box(), row.locator(".heat").bounding_box()
        assert name
        assert figures
        apart = name["x"] + name["width"] <= figures["x"] + 1 or name["y"] + name["height"] <= figures["y"] + 1
        assert apart, row.inner_text()


def test_magnified_four_times(open_browser: Callable[..., Page]) -> None:
    """A window of 1280 × 1024 at 400 %: 320 × 256 of it are seen, and nothing lies over the button."""
    page = open_browser("desktop-light", viewport={"width": 320, "height": 256})
    open_table(page)
    page.locator("#roll").scroll_into_view_if_needed()
    roll(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    page.locator("#roll").scroll_into_view_if_needed()
    roll(page)
    write(page, page.locator("#box-chance"))


@pytest.mark.parametrize("screen", ["phone-light", "desktop-light"])
def test_forced_colours_keep_what_colour_says(open_browser: Callable[..., Page], screen: str) -> None:
    page = open_browser(screen, forced_colors="active")
    open_table(page)
    roll(page)
    page.locator("#die-1").click(force=True)
    held, free = (page.locator("label.die").nth(n) for n in (0, 1))
    label = "die => getComputedStyle(die, '::after').content"
    assert (held.evaluate(label), free.evaluate(label)) == ('"HELD"', "none")
    expect(page.locator(".mark:visible")).to_have_count(1)
    assert violations(page) == []


def test_without_scripts_every_step_is_a_page(open_browser: Callable[..., Page]) -> None:
    page = open_browser("phone-light", java_script_enabled=False)
    page.goto("/dicee/")
    page.locator(".lobby__new input[value=greedy]").check(force=True)
    page.get_by_role("button", name="Open the table").click()
    for turn in range(2):
        page.locator("#roll").click()
        page.locator("label.die").first.click()
        page.locator("#roll").click()
        page.get_by_role("button", name="Give me a hint").click()
        expect(page.locator(".hint__text")).to_be_visible()
        page.locator(".score-row__write").nth(turn).click()
        expect(page.locator(".roll-tray__recent").first).to_contain_text("Greedy Gus")
        assert page.locator("#game").evaluate("game => getComputedStyle(game).display") == "flex"
    page.get_by_role("button", name="Take back").click()
    expect(page.locator("#game")).to_have_attribute("data-left", re.compile("[12]"))


@pytest.mark.parametrize("screen", ["phone-light", "desktop-light"])
@pytest.mark.parametrize("part", ["#roll-form", "#score-form"])
def test_the_accessibility_tree(open_browser: Callable[..., Page], screen: str, part: str) -> None:
    """What a screen reader is given, number for number left out: the same names and roles on every screen."""
    page = open_browser(screen)
    open_table(page)
    roll(page)
    page.evaluate("document.querySelector('[data-none]').click()")
    tree = re.sub(r"\d+(\.\d+)?", "#", page.locator(part).aria_snapshot())
    tree = re.sub(r"\n\s+- text: (aim|write|#).*", "", re.sub(r"≈?1 in #|#/#", "#", tree))
    kept = TREES / f"{part[1:]}.txt"
    assert tree + "\n" == kept.read_text()

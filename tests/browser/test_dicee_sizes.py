"""The table for everyone's eyes and hands: large text, strong magnification, forced colours, no scripts; and what the
accessibility tree holds on a phone and on a desktop."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import combinations
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.test_dicee import finish, open_table, roll, write

TREES = Path(__file__).parent / "trees"
#: What changes with the dice: numbers, the mark of the best box, what is said of the hold, how the next roll can land.
CHANGING = (
    (r"\d[\d,.]*", "#"),
    (r"- text: (aim |write |# )?odds", "- text: odds"),
    (r"- text: [−–]?#? ?(Which|You hold|Stop|points behind).*", "- text: the worth of the hold"),
    (r"- list:\n( +- listitem: .*\n?)+", "- list: outcomes"),
    (r"[±+−]# par", "# par"),
)


@pytest.mark.parametrize("size", [(375, 812), (1280, 1024)])
def test_letters_of_twice_the_size(large_letters: Browser, base_url: str, size: tuple[int, int]) -> None:
    width, height = size
    page = large_letters.new_page(base_url=base_url, viewport={"width": width, "height": height})
    open_table(page)
    page.locator("#roll").scroll_into_view_if_needed()
    roll(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert apart(page.locator(".site-head__inner").locator("a, button, summary"))
    for row in page.locator(".score-row[data-box]").all()[:3]:
        name, figures = row.locator(".score-row__title").bounding_box(), row.locator(".heat").bounding_box()
        assert name
        assert figures
        is_beside = name["x"] + name["width"] <= figures["x"] + 1 or name["y"] + name["height"] <= figures["y"] + 1
        assert is_beside, row.inner_text()
    assert apart(page.locator(".score-row--best").locator(".score-row__title, .heat, [data-expected], .rank, button"))
    assert apart(page.locator("#look .segmented span"))
    write(page, page.locator("#box-chance"))


def apart(parts: Locator) -> bool:
    """No two of the parts that are seen lie on each other."""
    boxes = [box for part in parts.all() if part.is_visible() and (box := part.bounding_box())]
    assert len(boxes) > 1
    return not any(
        one["x"] < other["x"] + other["width"] - 1
        and other["x"] < one["x"] + one["width"] - 1
        and one["y"] < other["y"] + other["height"] - 1
        and other["y"] < one["y"] + one["height"] - 1
        for one, other in combinations(boxes, 2)
    )


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
    best = page.locator(".score-row--best").evaluate("row => getComputedStyle(row).outlineStyle")
    assert best == "solid"


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
    page.goto("/dicee/")
    page.locator("#play").click()
    page.locator("#roll").click()
    expect(page.locator("#figures-ones .heat")).to_be_visible()
    page.locator("#box-chance").click()
    page.get_by_role("button", name="Take back").click()
    expect(page.locator("#box-chance")).to_be_visible()


@pytest.mark.parametrize("screen", ["phone-light", "desktop-light"])
@pytest.mark.parametrize("part", ["#roll-form", "#score-form"])
def test_the_accessibility_tree(open_browser: Callable[..., Page], screen: str, part: str) -> None:
    """What a screen reader is given, but for what changes with the dice."""
    page = open_browser(screen)
    open_table(page)
    roll(page)
    page.evaluate("document.querySelector('[data-none]').click()")
    wanted = (TREES / f"{part[1:]}-{screen.split('-')[0]}.txt").read_text()
    if "next roll can land" in wanted:
        expect(page.locator(part)).to_contain_text("next roll can land")  # counted by the server
    tree = page.locator(part).aria_snapshot()
    for pattern, same in CHANGING:
        tree = re.sub(pattern, same, tree)
    assert tree + "\n" == wanted


def test_the_turns_of_a_report_fit_a_phone(open_browser: Callable[..., Page]) -> None:
    page = open_browser("phone-light")
    open_table(page)
    finish(page)
    page.goto(page.url + "report/")
    cut = page.locator(".report__turns + .tablewrap").evaluate("wrap => wrap.scrollWidth - wrap.clientWidth")
    assert cut == 0

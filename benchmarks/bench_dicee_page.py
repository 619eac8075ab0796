"""The Dicee table in a real browser: from a click to what it changed on the screen (RFC-002 §13.2).

All times are taken in the page, by its own clock, up to the second frame after the change: then it has been painted.
"""

from __future__ import annotations

from contextlib import ExitStack
from functools import cache

from playwright.sync_api import Page, sync_playwright

from benchmarks.harness import Benchmark
from tests.browser import server
from tests.browser.chromium import FLAGS, find_chromium

#: Click, wait until the page has changed as ``changed`` says, then for two frames; answers with seconds.
TIMED = """([click, changed]) => new Promise(done => {
  const was = document.querySelector("#game").dataset.seq;
  const tests = {
    clicked: () => true,
    tumbling: () => document.querySelector(".is-tumbling") !== null,
    answered: () => document.querySelector("#game").dataset.seq !== was,
  };
  const seconds = () => (performance.now() - start) / 1000;
  const painted = () => requestAnimationFrame(() => requestAnimationFrame(() => done(seconds())));
  const look = () => tests[changed]() ? painted() : setTimeout(look, 1);
  const start = performance.now();
  document.querySelector(click).click();
  look();
})"""
TWO_FRAMES = "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"
#: Numbers in sight, no questions asked: what costs most to paint.
LOOK = """() => {
  const headers = JSON.parse(document.body.getAttribute("hx-headers"));
  const body = new URLSearchParams([["offered", "decide"], ["offered", "ask_zero"]]);
  return fetch("/dicee/look/", {method: "POST", headers, body}).then(reply => reply.ok);
}"""
AT_REST = "() => Promise.all(document.getAnimations().map(animation => animation.finished.catch(() => {})))"

STARTED = ExitStack()
tidy_up = STARTED.close


@cache
def table() -> Page:
    """A browser at the lobby, made at the first measurement."""
    address = STARTED.enter_context(server.running())
    browser = STARTED.enter_context(sync_playwright()).chromium.launch(executable_path=find_chromium(), args=FLAGS)
    STARTED.callback(browser.close)
    page = browser.new_page(viewport={"width": 1440, "height": 900}, base_url=address)
    _sit_down(page)
    page.evaluate(LOOK)
    page.reload()
    return page


def _sit_down(page: Page) -> None:
    page.goto("/dicee/")
    page.locator("#play").click()
    page.locator("#game").wait_for()


def timed(click: str, changed: str) -> float:
    seconds: float = table().evaluate(TIMED, [click, changed])
    return seconds


def dice_to_roll() -> None:
    """A turn with a roll left and nothing in motion."""
    page = table()
    page.wait_for_selector(":not(.is-tumbling)[data-dice], .roll-tray__final")
    page.evaluate(AT_REST)
    if page.locator(".roll-tray__final").count():
        _sit_down(page)
    elif not page.locator("button#roll").count():
        timed(".score-row__write", "answered")
    if page.locator(".roll-tray__final").count():
        _sit_down(page)
    page.evaluate(AT_REST)


def dice_to_write() -> None:
    """Dice on the table."""
    dice_to_roll()
    if not table().locator(".score-row__write").count():
        timed("#roll", "answered")
        table().evaluate(AT_REST)


def frames() -> object:
    return table().evaluate(TWO_FRAMES)


BENCHMARKS = (
    Benchmark(
        "Roll: click to dice in motion, in the browser",
        lambda: timed("#roll", "tumbling"),
        frames,
        "two empty frames",
        budget=0.100,
        prepare=dice_to_roll,
        reports=True,
    ),
    Benchmark(
        "Roll: click to the answer painted, in the browser (p95)",
        lambda: timed("#roll", "answered"),
        frames,
        "two empty frames",
        budget=0.200,
        budget_at="p95",
        prepare=dice_to_roll,
        reports=True,
    ),
    Benchmark(
        "Score: click to the answer painted, in the browser (p95)",
        lambda: timed(".score-row__write", "answered"),
        frames,
        "two empty frames",
        budget=0.200,
        budget_at="p95",
        prepare=dice_to_write,
        reports=True,
    ),
    Benchmark(
        "a held die to the repainted card, in the browser",
        lambda: timed("#die-1", "clicked"),
        frames,
        "two empty frames",
        budget=0.050,
        baseline_repeats=30,
        prepare=dice_to_write,
        reports=True,
    ),
)

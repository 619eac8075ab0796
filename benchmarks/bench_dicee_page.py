"""The Dicee table in a real browser: from touching a die to the repainted heat map (RFC-002 §13.2)."""

from __future__ import annotations

from contextlib import ExitStack
from functools import cache

from playwright.sync_api import Page, sync_playwright

from benchmarks.harness import Benchmark
from tests.browser import server
from tests.browser.chromium import FLAGS, find_chromium

#: Two frames after the click everything the click changed has been painted.
HOLD = """() => new Promise(done => {
  document.querySelector("#die-1").click();
  requestAnimationFrame(() => requestAnimationFrame(done));
})"""
TWO_FRAMES = "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"

STARTED = ExitStack()
tidy_up = STARTED.close


@cache
def table() -> Page:
    """A game with dice on the table, made at the first measurement."""
    address = STARTED.enter_context(server.running())
    browser = STARTED.enter_context(sync_playwright()).chromium.launch(executable_path=find_chromium(), args=FLAGS)
    STARTED.callback(browser.close)
    page = browser.new_page(viewport={"width": 1440, "height": 900})
    page.goto(f"{address}/dicee/")
    page.locator("#play").click()
    page.locator("#roll").click()
    page.locator("#die-1").wait_for()
    return page


BENCHMARKS = (
    Benchmark(
        "a held die to the repainted heat map, in the browser",
        lambda: table().evaluate(HOLD),
        lambda: table().evaluate(TWO_FRAMES),
        "two empty frames",
        budget=0.100,
        baseline_repeats=30,
    ),
)

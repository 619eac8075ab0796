"""Browser tests: a real server, a real Chromium, and no tolerance for a console error or a failed request."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, BrowserType, Page, Request, ViewportSize, expect

from tests.browser import server as real_server
from tests.browser.chromium import FLAGS, find_chromium

#: Milliseconds to wait for what will come. A busy machine is no defect, and the benchmarks know what is slow.
PATIENCE = 30_000
expect.set_options(timeout=PATIENCE)
AXE = Path(__file__).parent / "vendor" / "axe.min.js"
DESKTOP: ViewportSize = {"width": 1440, "height": 900}
PHONE: ViewportSize = {"width": 375, "height": 812}
SCREENS: dict[str, dict[str, Any]] = {
    f"{size}-{theme}": {"viewport": viewport, "color_scheme": theme, "has_touch": size == "phone"}
    for size, viewport in (("desktop", DESKTOP), ("phone", PHONE))
    for theme in ("light", "dark")
}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    executable = find_chromium()
    if executable is None:
        pytest.skip("no Chromium on this machine")
    return {**browser_type_launch_args, "executable_path": executable, "args": FLAGS}


@pytest.fixture(scope="session")
def base_url() -> Iterator[str]:
    """The server that was started for the whole run (``python -m tests.browser.server pytest …``), else our own."""
    if started := os.environ.get(real_server.STARTED):
        yield started
    else:
        with real_server.running() as url:
            yield url


#: A request that ends because the person went to another page has not failed; that tests go without the service worker
#: is our own doing.
LEFT = re.compile(
    r"net::ERR_ABORTED|htmx:sendAbort|^console error: htmx:afterRequest|Service Worker registration blocked"
)


class Watch:
    """What went wrong in a page. A test that expects a failure says so with :meth:`allow`."""

    def __init__(self) -> None:
        self.problems: list[str] = []
        self._allowed: list[re.Pattern[str]] = [LEFT]

    def allow(self, pattern: str) -> None:
        self._allowed.append(re.compile(pattern))

    def note(self, problem: str) -> None:
        self.problems.append(problem)

    def attach(self, page: Page) -> None:
        page.on(
            "console", lambda m: self.note(f"console {m.type}: {m.text}") if m.type in ("error", "warning") else None
        )
        page.on("pageerror", lambda e: self.note(f"exception: {e}"))
        page.on("requestfailed", self._failed)
        page.on("response", lambda r: self.note(f"{r.status}: {r.url}") if r.status >= 400 else None)

    def _failed(self, request: Request) -> None:
        # With scripts switched off, Chromium refuses modules that are asked for ahead, and calls it "csp".
        if not (request.failure == "csp" and request.url.endswith(".js")):
            self.note(f"failed: {request.method} {request.url} {request.failure}")

    def unexpected(self) -> list[str]:
        return [p for p in self.problems if not any(a.search(p) for a in self._allowed)]


@pytest.fixture
def watch() -> Iterator[Watch]:
    watching = Watch()
    yield watching
    assert not watching.unexpected()


@pytest.fixture
def open_browser(browser: Browser, base_url: str, watch: Watch) -> Iterator[Callable[..., Page]]:
    """A fresh person: their own cookies, their own screen. ``open_browser("phone-dark")``."""
    contexts: list[BrowserContext] = []

    def open_page(screen: str = "desktop-light", **options: Any) -> Page:
        # A service worker would ask for pages behind the back of a test that watches or breaks the network.
        usual = {"base_url": base_url, "service_workers": "block"}
        context = browser.new_context(**(usual | SCREENS[screen] | options))
        context.grant_permissions(["clipboard-read", "clipboard-write"])
        contexts.append(context)
        page = context.new_page()
        watch.attach(page)
        page.set_default_timeout(PATIENCE)
        return page

    yield open_page
    for context in contexts:
        context.close()


@pytest.fixture
def page(open_browser: Callable[..., Page]) -> Page:
    """One person at a desktop in daylight."""
    return open_browser()


#: A change of theme or profile may still be fading in, and a colour halfway to another has no contrast of its own.
SETTLE = """() => new Promise(done => requestAnimationFrame(() => {
  for (const animation of document.getAnimations()) {
    try { animation.finish() } catch { animation.cancel() }  // what never ends cannot be finished
  }
  requestAnimationFrame(done);
}))"""


#: Read are what is wrong and the element as written; a selector for every element takes a quarter of the time.
LEAN = {"resultTypes": ["violations"], "preload": False, "selectors": False}


def violations(page: Page, rules: dict[str, Any] | None = None) -> list[str]:
    page.evaluate(SETTLE)
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE.read_text())
    found = page.evaluate("options => axe.run(document, options)", LEAN | (rules or {}))
    return [
        f"{v['id']}: {v['help']}: {node['html'][:160]}"
        for v in found["violations"]
        if v["impact"] in ("serious", "critical")
        for node in v["nodes"]
    ]


@pytest.fixture
def axe() -> Callable[[Page], list[str]]:
    """Serious and critical accessibility violations of a page as it stands."""
    return violations


#: The new colours have been drawn, and none is on its way to another.
SETTLED = """async () => {
  const drawn = () => new Promise(requestAnimationFrame);
  for (let frame = 0; frame < 3; frame++) await drawn();
  await Promise.allSettled(document.getAnimations().map(animation => animation.finished));
  await drawn();
}"""
#: What axe knows of colours, besides the stricter contrast that nobody asked for.
COLOURS = {"runOnly": ["color-contrast", "link-in-text-block"]}


def change_theme(page: Page) -> None:
    """Night for day or day for night."""
    dark = page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches")
    page.emulate_media(color_scheme="light" if dark else "dark", reduced_motion="reduce")
    page.evaluate(SETTLED)


def look_at(page: Page, *sizes: ViewportSize) -> None:
    """A page fits its width and is accessible, as it stands or in each of the sizes; the two themes differ in colours
    only. Each size is left in the theme it was not met in, so looking again starts there."""
    for size in sizes or (page.viewport_size,):
        if size != page.viewport_size:
            page.set_viewport_size(size)
            page.evaluate(SETTLED)  # charts take the new width
        assert violations(page) == []
        overflow = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert overflow <= 0, f"{page.url} scrolls sideways"
        change_theme(page)
        assert violations(page, COLOURS) == [], "in the other theme"


@pytest.fixture
def large_letters(browser_type: BrowserType, browser_type_launch_args: dict[str, Any]) -> Iterator[Browser]:
    """A browser whose reader has set letters to twice the usual size."""
    options = browser_type_launch_args | {"args": [*FLAGS, "--blink-settings=defaultFontSize=32"]}
    browser = browser_type.launch(**options)
    yield browser
    browser.close()

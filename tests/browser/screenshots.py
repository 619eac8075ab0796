"""``make screenshots``: a PNG of every page on every screen, in var/screenshots/; ``make picture``: one for README."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from tests.browser import server
from tests.browser.chromium import FLAGS, ensure_chromium
from tests.browser.conftest import SCREENS
from tests.browser.pages import PAGES

OUT = Path("var/screenshots")
PICTURE = Path("docs/images/home.png")
ONLY_PICTURE = "--picture"


@contextlib.contextmanager
def chromium() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=ensure_chromium(install=True), args=FLAGS)
        yield browser
        browser.close()


def photograph(browser: Browser, base: str, screen: str, shots: dict[str, Path]) -> None:
    """Take the pages of these addresses on one screen, from top to bottom."""
    context = browser.new_context(base_url=base, reduced_motion="reduce", **SCREENS[screen])
    for path, file in shots.items():
        page = context.new_page()
        page.goto(path)
        page.wait_for_load_state("networkidle")
        page.screenshot(path=file, full_page=True)
        page.close()
    context.close()


def take_all(wanted: list[str]) -> None:
    """Every page, or those named, on every screen."""
    OUT.mkdir(parents=True, exist_ok=True)
    with server.running() as base, chromium() as browser:
        for screen in SCREENS:
            shots = {path: OUT / f"{name}-{screen}.png" for name, path in PAGES.items() if not wanted or name in wanted}
            photograph(browser, base, screen, shots)
    print(f"{len(list(OUT.glob('*.png')))} screenshots in {OUT}/")  # noqa: T201


def take_picture(url: str = "") -> None:
    """The home page for README, of the site at ``url``, or of one started for it; nothing on it needs a warm-up."""
    started = contextlib.nullcontext(url) if url else server.running(WARM_UP="0")
    with started as base, chromium() as browser:
        photograph(browser, base, "desktop-light", {"/": PICTURE})
    print(f"{PICTURE}, {PICTURE.stat().st_size // 1000} kB")  # noqa: T201


if __name__ == "__main__":
    if sys.argv[1:2] == [ONLY_PICTURE]:
        take_picture(*sys.argv[2:])
    else:
        take_all(sys.argv[1:])

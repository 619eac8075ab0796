"""``make screenshots``: a PNG of every page on every screen, in var/screenshots/."""

from __future__ import annotations

import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

from tests.browser import server
from tests.browser.chromium import FLAGS, ensure_chromium
from tests.browser.conftest import SCREENS
from tests.browser.pages import PAGES

OUT = Path("var/screenshots")


def main(wanted: list[str]) -> int:
    OUT.mkdir(parents=True, exist_ok=True)
    executable = ensure_chromium(install=True)
    with server.running() as base, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable, args=FLAGS)
        for screen, options in SCREENS.items():
            context = browser.new_context(base_url=base, reduced_motion="reduce", **options)
            for name, path in PAGES.items():
                if wanted and name not in wanted:
                    continue
                page = context.new_page()
                page.goto(path)
                page.wait_for_load_state("networkidle")
                page.screenshot(path=OUT / f"{name}-{screen}.png", full_page=True)
                page.close()
            context.close()
        browser.close()
    print(f"{len(list(OUT.glob('*.png')))} screenshots in {OUT}/")  # noqa: T201
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

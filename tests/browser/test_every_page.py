"""Every page, on every screen: opens without an error, fits its width, and is accessible."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from tests.browser.conftest import Watch
from tests.browser.pages import PAGES


@pytest.mark.parametrize("name", PAGES)
def test_page_is_accessible_and_fits(
    name: str, screen: str, open_browser: Callable[..., Page], axe: Callable[[Page], list[str]], watch: Watch
) -> None:
    if name.endswith("-error"):
        watch.allow("422")  # the page says what is wrong, and so does its status
    page = open_browser(screen)
    page.goto(PAGES[name])
    page.wait_for_load_state("networkidle")
    assert axe(page) == []
    overflow = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    assert overflow <= 0, "the page scrolls sideways"

"""Every page, large and small, by day and by night: opens without an error, fits its width, and is accessible."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from tests.browser.conftest import DESKTOP, PHONE, Watch, look_at
from tests.browser.pages import PAGES


@pytest.mark.parametrize("name", PAGES)
def test_page_is_accessible_and_fits(name: str, open_browser: Callable[..., Page], watch: Watch) -> None:
    if name.endswith("-error"):
        watch.allow("422")  # the page says what is wrong, and so does its status
    page = open_browser("desktop-light")
    page.goto(PAGES[name])
    page.wait_for_load_state("networkidle")
    look_at(page, DESKTOP, PHONE)

"""Readers who have set letters to twice the usual size: nothing leaves the page at its side, narrow or wide."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser

from tests.browser.pages import PAGES


@pytest.mark.parametrize("width", [375, 1280])
@pytest.mark.parametrize("half", [0, 1])
def test_every_page_is_as_wide_as_the_window(large_letters: Browser, base_url: str, width: int, half: int) -> None:
    page = large_letters.new_page(base_url=base_url, viewport={"width": width, "height": 812})
    wider = {}
    for name, address in list(PAGES.items())[half::2]:
        page.goto(address)
        if (found := page.evaluate("document.documentElement.scrollWidth")) > width:
            wider[name] = found
    assert not wider

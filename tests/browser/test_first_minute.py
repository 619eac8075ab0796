"""The first minute of a fresh clone, as the person sees it who has just started the site."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser import server

WARM = 600_000  # milliseconds; compiling takes a minute, on a busy machine several


@pytest.mark.slow
def test_the_home_page_says_quietly_when_warming_up_is_done(open_browser: Callable[..., Page], tmp_path: Path) -> None:
    with server.running(NUMBA_CACHE_DIR=str(tmp_path)) as cold:
        page = open_browser("phone-light", base_url=cold)
        page.goto("/")
        note = page.get_by_role("status").filter(has_text="Warm")
        expect(note).to_contain_text("Warming up. Ordinary questions are answered at once")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        page.get_by_role("button", name="Die 1").focus()
        expect(note).to_have_text("Warmed up: every question is answered at full speed now.", timeout=WARM)
        expect(page.get_by_role("button", name="Die 1")).to_be_focused()  # nobody is torn from what they do
        page.reload()
        expect(note).to_have_count(0)

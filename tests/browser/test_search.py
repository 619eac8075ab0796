"""Searching and looking words up, as a person does it."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser


def test_a_slash_opens_the_search_and_results_come_while_one_types(page: Page) -> None:
    page.goto("/")
    page.keyboard.press("/")
    expect(page).to_have_url("/search/")
    field = page.get_by_role("searchbox", name="Search for")
    expect(field).to_be_focused()
    page.keyboard.type("small straight")
    expect(page.locator("#found").get_by_role("link", name="The lower boxes")).to_be_visible()
    expect(page).to_have_url("/search/?q=small+straight")
    page.locator("h1").click()
    page.keyboard.press("/")
    expect(field).to_be_focused()


def test_a_word_of_the_glossary_explains_itself_on_hover_and_focus(page: Page) -> None:
    page.goto("/")
    word = page.get_by_role("button", name="distributions")
    meaning = page.locator("#term-distribution")
    expect(meaning).to_be_hidden()
    word.hover()
    expect(meaning).to_be_visible()
    page.mouse.move(0, 0)
    expect(meaning).to_be_hidden()
    word.focus()
    expect(meaning).to_be_visible()

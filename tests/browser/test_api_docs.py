"""The API's documentation opens under our own content policy and lists every operation, with no other host asked."""

from __future__ import annotations

from playwright.sync_api import Page, expect


def test_the_documentation_draws_itself_offline(page: Page) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto("/api/docs/")
    expect(page.locator(".opblock-summary-path", has_text="dice.distribution")).to_be_visible()
    here = page.url.split("/api/")[0]
    assert all(url.startswith((here, "data:", "blob:")) for url in asked)

"""In a hall with no network: what was opened is there, what was typed stays, and nobody sees another's page."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.browser.conftest import Watch

LINE = "No network. This page is as you last saw it."
WORKING = "() => navigator.serviceWorker.controller !== null"


def prepared(page: Page, *paths: str) -> None:
    """A person who has opened these pages, the worker having been there from the second on."""
    page.goto("/")
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    page.wait_for_function(WORKING)
    for path in paths:
        page.goto(path)
        page.wait_for_load_state("networkidle")


def test_what_was_opened_is_there_without_a_network(open_browser: Callable[..., Page], watch: Watch) -> None:
    watch.allow(r"ERR_INTERNET_DISCONNECTED|htmx:sendError|failed|500|503")
    page = open_browser("phone-light", service_workers="allow")
    roll = "/dice/?v=1&roll=3D6%2B2&target=12"
    prepared(page, roll, "/help/dicee/", "/classroom/lessons/")
    expect(page.locator("[data-offline]")).to_be_hidden()
    page.context.set_offline(True)
    page.goto(roll)
    expect(page.get_by_text(LINE)).to_be_visible()
    expect(page.locator(".headline__number")).to_have_text("62.5%")
    page.locator("#a-roll").fill("5D6")
    expect(page.get_by_text("The server cannot be reached. What you entered is still here.")).to_be_visible()
    expect(page.locator("#a-roll")).to_have_value("5D6")
    page.goto("/help/dicee/")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    page.goto("/killteam/shoot/")
    expect(page.get_by_role("heading", name="No network")).to_be_visible()
    page.get_by_role("link", name="62.5 % to roll 12 or more.").click()
    expect(page.locator("#a-roll")).to_have_value("3D6+2")
    page.context.set_offline(False)
    page.locator("#a-roll").fill("2D6+5")
    expect(page.locator(".headline__number")).to_have_text("58.3%")
    expect(page.get_by_text(LINE)).to_be_hidden()
    page.goto("/killteam/shoot/")
    expect(page.get_by_role("heading", name="Kill Team: shoot")).to_be_visible()


def test_a_form_is_not_sent_into_the_void(open_browser: Callable[..., Page], watch: Watch) -> None:
    watch.allow(r"ERR_INTERNET_DISCONNECTED|failed")
    page = open_browser(service_workers="allow")
    prepared(page, "/classroom/join/")
    page.get_by_label("Code of the class").fill("ABCDEF")
    page.context.set_offline(True)
    page.get_by_role("button", name="Find the class").click()
    expect(page.get_by_text("No network. What you entered is still here")).to_be_visible()
    expect(page.get_by_label("Code of the class")).to_have_value("ABCDEF")


def test_the_next_person_on_a_device_sees_nothing_of_the_one_before(
    open_browser: Callable[..., Page], watch: Watch, base_url: str
) -> None:
    watch.allow(r"ERR_INTERNET_DISCONNECTED|failed")
    page = open_browser(service_workers="allow")
    prepared(page, "/help/dicee/")
    page.context.add_cookies([{"name": "sessionid", "value": "another", "url": base_url}])
    page.goto("/help/battletech/")
    page.context.set_offline(True)
    page.goto("/help/dicee/")
    expect(page.get_by_role("heading", name="No network")).to_be_visible()
    expect(page.locator("[data-kept-pages] a")).to_have_count(1)

"""Practice in a real browser: by thumb, by keyboard, without scripts; the daily challenge; the progress page."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.browser.test_dicee import finish, open_table

QUESTIONS = 10


def begin(page: Page, subject: str) -> None:
    page.goto("/classroom/practice/")
    page.locator(f"input[name=subject][value={subject}]").check(force=True)
    page.get_by_role("button", name="Start").click()
    expect(page.locator("#question")).to_be_visible()


def test_a_session_by_thumb(open_browser: Callable[..., Page], axe: Callable[[Page], list[str]]) -> None:
    page = open_browser("phone-light")
    begin(page, "reading_odds")
    page.get_by_role("button", name="Increase").tap()
    expect(page.locator("#guess")).to_have_value("55")
    page.get_by_role("button", name="That is my guess").tap()
    expect(page.get_by_text("You said")).to_be_visible()
    assert axe(page) == []
    begin(page, "straights")
    for number in range(1, QUESTIONS + 1):
        expect(page.locator("#question")).to_contain_text(f"{number} of {QUESTIONS}")
        choice = page.locator(".choices__button").first
        box = choice.bounding_box()
        assert box is not None
        assert box["height"] >= 44, "a thumb must hit it"
        choice.tap()
        if number == 1:
            assert axe(page) == []
        page.locator("[data-key=next]").tap()
    expect(page.get_by_role("heading", level=1)).to_contain_text(f"of {QUESTIONS} right")
    overflow = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    assert overflow <= 0
    page.goto("/classroom/practice/")
    expect(page.get_by_text(f"{QUESTIONS + 1} answers")).to_be_visible()


def test_a_session_by_keyboard_alone(page: Page) -> None:
    begin(page, "of_a_kind")
    for number in range(1, QUESTIONS + 1):
        expect(page.locator("#question")).to_contain_text(f"{number} of {QUESTIONS}")
        page.wait_for_load_state("domcontentloaded")  # keys are heard once the scripts are there
        page.keyboard.press(str(number % 4 + 1))
        expect(page.locator("[data-key=next]")).to_be_focused()
        page.keyboard.press("Enter" if number % 2 else "n")
    expect(page.get_by_role("heading", level=1)).to_contain_text(f"of {QUESTIONS} right")


def test_a_session_without_scripts(open_browser: Callable[..., Page]) -> None:
    page = open_browser(java_script_enabled=False)
    begin(page, "chance")
    page.locator(".choices__button").first.click()
    page.get_by_role("link", name="Next question").click()
    expect(page.locator("#question")).to_contain_text(f"2 of {QUESTIONS}")


def test_the_day_is_the_same_for_two_people_and_ends_with_a_text_to_share(open_browser: Callable[..., Page]) -> None:
    first, second = open_browser(), open_browser("phone-dark")
    for number in range(1, 6):
        shown = []
        for page in (first, second):
            page.goto("/classroom/daily/")
            expect(page.locator("#question")).to_contain_text(f"{number} of 5")
            shown.append(page.locator("#question input[name=position]").get_attribute("value"))
            page.locator(".choices__button").first.click()
            expect(page.locator("[data-key=next]")).to_be_visible()
        assert shown[0] == shown[1]
    first.locator("[data-key=next]").click()
    first.get_by_role("button", name="Copy").click()
    expect(first.get_by_text("Copied")).to_be_visible()
    text = first.evaluate("navigator.clipboard.readText()")
    assert text.startswith("Dicee daily ")
    assert len(text.splitlines()[1]) == 5


def test_a_game_shows_on_the_progress_page(page: Page, axe: Callable[[Page], list[str]]) -> None:
    page.goto("/classroom/progress/")
    expect(page.get_by_role("heading", name="No finished game yet")).to_be_visible()
    open_table(page)
    finish(page)
    page.get_by_role("link", name="See the report").click()
    page.get_by_role("link", name="Your progress").click()
    rated = page.locator(".profile__rating")
    for _ in range(20):  # a worker takes the game in, a moment later
        if rated.count():
            break
        page.wait_for_timeout(500)
        page.reload()
    expect(rated).to_be_visible()
    for chart in ("#rating-curve", "#loss-curve"):
        page.locator(chart).scroll_into_view_if_needed()
        expect(page.locator(f"{chart}[data-drawn] .main-svg").first).to_be_visible()
    assert axe(page) == []
    page.get_by_role("button", name="Practise it").click()
    expect(page.locator("#question")).to_be_visible()

"""What all tabletop rooms promise: readers stay where they are, old answers are marked, a thumb reaches everything."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import Watch

Opener = Callable[..., Page]
BOTH = pytest.mark.parametrize("screen", ["phone-light", "desktop-dark"])
ROOMS = ("/warhammer40k/", "/battletech/", "/dice/")
PLASMA = "/warhammer40k/?v=1&w=2&w1-name=Plasma&w2-name=Bolters"


def stays(page: Page, press: Callable[[], None], until: Callable[[], None]) -> None:
    """The reader presses something further down the page and finds it where it was."""
    place = page.evaluate("scrollY")
    assert place > 0, "at the top of a page nothing can jump"
    press()
    until()
    page.wait_for_load_state("networkidle")
    most = page.evaluate("document.documentElement.scrollHeight - innerHeight")
    assert abs(page.evaluate("scrollY") - min(place, most)) <= 1


def scrolled_to(page: Page, button: Locator) -> Locator:
    """Bring it to the middle of the screen, so that pressing it scrolls nothing."""
    button.evaluate("e => scrollTo({top: e.getBoundingClientRect().top + scrollY - 300, behavior: 'instant'})")
    page.wait_for_function("scrollY > 0")
    return button


@BOTH
def test_editing_the_weapons_keeps_the_reader_where_they_are(screen: str, open_browser: Opener) -> None:
    page = open_browser(screen)
    page.goto(PLASMA, wait_until="networkidle")
    weapon = page.get_by_role("region", name=re.compile(r"^Weapon \d$"))
    expect(weapon).to_have_count(2)
    add = scrolled_to(page, page.get_by_role("button", name="+ Add a weapon"))
    stays(page, add.click, lambda: expect(weapon).to_have_count(3))
    for word, number, left in (("Duplicate", 2, 4), ("Remove", 3, 3)):
        scrolled_to(page, page.get_by_label(f"More for weapon {number}")).click()
        button = page.get_by_role("region", name=f"Weapon {number}").get_by_role("button", name=word)
        stays(page, button.click, partial(expect(weapon).to_have_count, left))


@BOTH
def test_playing_a_sheet_keeps_the_reader_where_they_are(screen: str, open_browser: Opener) -> None:
    page = open_browser(screen)
    page.goto("/battletech/?v=1&mech=atlas-as7-d&heat=14", wait_until="networkidle")
    plan = page.locator(".heat-plan tbody tr")
    turns = plan.count()
    more = scrolled_to(page, page.get_by_role("button", name="+ Turn"))
    stays(page, more.click, lambda: expect(plan).to_have_count(turns + 1))
    fewer = scrolled_to(page, page.get_by_role("button", name="− Turn"))
    stays(page, fewer.click, lambda: expect(plan).to_have_count(turns))
    crit = scrolled_to(page, page.locator(".bin-row").last.get_by_text("Crit"))
    stays(page, crit.click, lambda: expect(page).to_have_url(re.compile("did=")))
    undo = scrolled_to(page, page.get_by_text("Undo", exact=True))
    stays(page, undo.click, lambda: expect(page).to_have_url(re.compile("at=0")))


@BOTH
@pytest.mark.parametrize(("address", "field", "wrong"), [(PLASMA, "Attacks", "3X6")])
def test_an_error_marks_the_old_answer_as_old(
    screen: str, address: str, field: str, wrong: str, open_browser: Opener, watch: Watch
) -> None:
    watch.allow("422")
    page = open_browser(screen)
    page.goto(address, wait_until="networkidle")
    note = page.locator(".stale-note")
    expect(note).not_to_be_visible()
    page.get_by_label(field, exact=True).first.fill(wrong)
    page.keyboard.press("Tab")
    expect(note).to_be_visible()
    for part in (".headline__number", ".dock"):
        shown = page.locator(part).first
        if shown.is_visible():
            assert shown.evaluate("e => getComputedStyle(e).opacity < 1 || getComputedStyle(e).textDecoration !== ''")


@pytest.mark.parametrize("address", ROOMS)
def test_on_a_phone_the_answer_and_its_first_chart_are_within_two_screens(address: str, open_browser: Opener) -> None:
    page = open_browser("phone-light")
    page.goto(address, wait_until="networkidle")
    ends = page.evaluate(
        """() => [...document.querySelectorAll("#answer, main figure, .heat-slider")].slice(0, 2)
          .map(e => e.getBoundingClientRect().top + scrollY)"""
    )
    assert ends
    assert max(ends) < 2 * 812


@pytest.mark.parametrize("address", [PLASMA, "/dice/?v=1&roll=3D6&target=12"])
def test_the_dock_leads_back_to_the_answer(address: str, open_browser: Opener) -> None:
    page = open_browser("phone-light")
    page.goto(address, wait_until="networkidle")
    page.evaluate("scrollTo({top: document.documentElement.scrollHeight / 2, behavior: 'instant'})")
    page.locator(".dock").tap()
    expect(page.locator("#answer")).to_be_in_viewport()
    page.wait_for_function("document.querySelector('.headline__number').getBoundingClientRect().top >= 0")


def test_the_text_of_a_rule_opens_on_a_tap_without_ticking_it(open_browser: Opener) -> None:
    page = open_browser("phone-light")
    page.goto("/warhammer40k/?v=1", wait_until="networkidle")
    text = page.get_by_text("A critical hit wounds without a roll").first
    expect(text).not_to_be_visible()
    page.get_by_text("What these do").first.tap()
    expect(text).to_be_visible()
    expect(page.get_by_label("Lethal Hits", exact=True)).not_to_be_checked()


#: What a thumb presses. Words in a sentence are links like any other; figures in a table open what they mean.
PRESSED = "main :is(button, a.btn, summary, select, .chip, .segmented label, .stepper button, input.side__name)"
WITHIN_TEXT = ".tip, .term, .visually-hidden"


@pytest.mark.parametrize("address", ROOMS)
def test_everything_one_presses_is_as_large_as_a_thumb(address: str, open_browser: Opener) -> None:
    page = open_browser("phone-light")
    page.goto(address, wait_until="networkidle")
    small = page.evaluate(
        """([pressed, within]) => [...document.querySelectorAll(pressed)]
          .filter(e => e.checkVisibility() && !e.matches(within)).map(e => [e, e.getBoundingClientRect()])
          .filter(([, r]) => r.width && r.height < 43.5).map(([e, r]) => `${e.outerHTML.slice(0, 80)} ${r.height}`)""",
        [PRESSED, WITHIN_TEXT],
    )
    assert small == []


def test_fractions_and_one_in_n_reach_the_headline(open_browser: Opener) -> None:
    page = open_browser("desktop-light")
    for odds, sign in (("percent", "%"), ("fraction", "/"), ("one_in", "1 in")):
        page.goto("/settings/")
        page.context.add_cookies([{"name": "prefs", "value": f"odds={odds}", "url": page.evaluate("location.origin")}])
        page.goto("/dice/?v=1&roll=3D6&target=12", wait_until="networkidle")
        expect(page.locator(".headline__number").first).to_contain_text(sign)
        page.goto("/battletech/", wait_until="networkidle")
        large = page.locator("[data-now=big]")
        expect(large).to_contain_text(sign)
        page.get_by_role("slider", name="Heat").press("ArrowRight")
        expect(large).to_contain_text(sign)


def test_on_a_phone_the_library_answers_where_one_types(open_browser: Opener) -> None:
    page = open_browser("phone-light")
    page.goto("/warhammer40k/profiles/", wait_until="networkidle")
    page.get_by_placeholder("Name, bearer or rule").fill("ghazghkull")
    first = page.locator("#library .library-row").first
    expect(first).to_contain_text("Ghazghkull")
    expect(first).to_be_in_viewport()

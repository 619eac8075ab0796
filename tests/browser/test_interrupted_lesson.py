"""A lesson as lessons go: a rude name, a tablet two students share, a phone that loses its network, one that moves."""

from __future__ import annotations

import os
import uuid
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Locator, Page, ViewportSize, expect

from tests.browser.conftest import Watch
from tests.browser.test_classes import looks_right
from tests.browser.test_classroom import SOON, create_class, join, sign_up
from tests.browser.test_dicee import roll, write

TABLET = {"viewport": {"width": 820, "height": 1180}, "has_touch": True}
PROJECTOR: ViewportSize = {"width": 1920, "height": 1080}


def keep_picture(page: Page, name: str) -> None:
    """For a person who wants to see the lesson: ``LESSON_PICTURES=folder``."""
    if folder := os.environ.get("LESSON_PICTURES"):
        page.screenshot(path=Path(folder, f"{name}.png"), full_page=True)


def key_of(page: Page) -> str:
    return page.locator(".return-key").inner_text()


def come_back(page: Page, code: str, key: str) -> None:
    page.goto("/classroom/return/")
    page.get_by_label("Code of the class").fill(code)
    page.get_by_label("Your return key").fill(key)
    page.get_by_role("button", name="Come back").click()


def arrived(projector: Page, nickname: str) -> Locator:
    return projector.locator(".projector__who li").filter(has_text=nickname)


def find_table(page: Page, title: str) -> None:
    page.get_by_role("link", name=title).click()
    page.get_by_role("button", name="Find my table").click()


def test_a_lesson_with_a_rude_name_a_shared_tablet_an_interruption_and_a_moved_device(
    open_browser: Callable[..., Page], watch: Watch, axe: Callable[[Page], list[str]]
) -> None:
    watch.allow("422|410|ERR_INTERNET_DISCONNECTED|WebSocket")  # a name refused, a device left behind, no network
    theme = os.environ.get("LESSON_THEME", "light")
    teacher = open_browser(f"desktop-{theme}")
    teacher.goto("/")
    teacher.get_by_role("link", name="Classroom").first.click()
    expect(teacher.get_by_role("link", name="Sign up to teach")).to_be_visible()
    sign_up(teacher, f"ms-walk-{uuid.uuid4().hex[:8]}")
    address, code = create_class(teacher, "Period 3")
    keep_picture(teacher, "01-class-new")
    projector = teacher.context.new_page()
    watch.attach(projector)
    projector.set_viewport_size(PROJECTOR)
    projector.goto(address + "code/")
    expect(projector.get_by_label(f"Code: {code}")).to_be_visible()

    # -- a rude name is refused with a word and three friendly ones; one that slips through is gone with one tap
    ada = open_browser(f"phone-{theme}")
    ada.goto("/")
    keep_picture(ada, "02-home-phone")
    ada.goto(f"/classroom/join/{code}/")
    ada.get_by_label("Nickname").fill("Fuck You Ms Walk")
    ada.get_by_role("button", name="Join the class").click()
    expect(ada.get_by_text("That name is not for a classroom.")).to_be_visible()
    expect(ada.get_by_role("group", name="Friendly names").get_by_role("button")).to_have_count(3)
    looks_right(ada, axe)
    keep_picture(ada, "03-rude-name-refused")
    ada.get_by_label("Nickname").fill("Smelly Teacher")
    ada.get_by_role("button", name="Join the class").click()
    expect(ada.get_by_role("heading", name="Smelly Teacher")).to_be_visible()
    ada_key = key_of(ada)
    expect(arrived(projector, "Smelly Teacher")).to_be_visible(timeout=SOON)
    keep_picture(projector, "04-projector")
    looks_right(projector, axe)
    projector.get_by_role("button", name="Rename Smelly Teacher to a friendly name").click()
    expect(arrived(projector, "Smelly Teacher")).to_have_count(0)
    friendly = projector.locator(".projector__who .student-name").first.inner_text()
    ada.reload()
    expect(ada.get_by_role("heading", name=friendly)).to_be_visible()
    keep_picture(ada, "05-student-renamed")

    # -- two students, one tablet, one after the other
    tablet = open_browser(f"phone-{theme}", **TABLET)
    join(tablet, code, "Dev")
    dev_key = key_of(tablet)
    keep_picture(tablet, "06-tablet-dev")
    tablet.goto(f"/classroom/join/{code}/")
    expect(tablet.get_by_role("heading", name="Are you Dev?")).to_be_visible()
    looks_right(tablet, axe)
    keep_picture(tablet, "07-tablet-who")
    tablet.get_by_role("button", name="I am somebody else").click()
    tablet.get_by_label("Nickname").fill("Finn")
    tablet.get_by_role("button", name="Join the class").click()
    expect(tablet.get_by_role("heading", name="Finn")).to_be_visible()
    tablet.get_by_role("link", name="Not you? Sign out").click()
    keep_picture(tablet, "08-tablet-sign-out")
    tablet.get_by_role("button", name="Sign out and show me a new key").click()
    expect(tablet.locator(".return-key")).to_be_visible()
    keep_picture(tablet, "09-tablet-signed-out")
    come_back(tablet, code, dev_key)
    expect(tablet.get_by_role("heading", name="Dev")).to_be_visible()

    # -- a match of two classmates, without a clock
    teacher.goto(address)
    teacher.get_by_role("link", name="Set a match").click()
    teacher.locator("[name=title]").fill("Beat a classmate")
    looks_right(teacher, axe)
    keep_picture(teacher, "10-set-a-match")
    teacher.get_by_role("button", name="Set it").click()
    ada.goto(address)
    find_table(ada, "Beat a classmate")
    expect(ada.get_by_text("Only your class can sit here.")).to_be_visible()
    looks_right(ada, axe)
    keep_picture(ada, "11-waiting-for-a-classmate")
    tablet.goto(address)
    find_table(tablet, "Beat a classmate")
    table = tablet.url
    first, second = on_turn_first(ada, tablet)
    roll(first)
    keep_picture(first, "12-match")

    # -- interrupted: one device loses its network, a question is asked meanwhile, nothing is lost
    second.context.set_offline(True)
    write(first, first.locator(".score-row__write").last)
    teacher.goto(address + "round/new/")
    typed = teacher.locator("form").filter(has=teacher.locator("#position"))
    typed.locator("#position").fill("55526/1")
    typed.get_by_role("button", name="Ask the class").click()
    expect(first.locator("#class-sheet")).to_be_visible(timeout=SOON)
    keep_picture(first, "13-question-over-the-game")
    second.wait_for_timeout(3_000)
    second.context.set_offline(False)
    expect(second.locator("#class-sheet")).to_be_visible(timeout=SOON)
    looks_right(second, axe)
    for page in (first, second):
        page.locator("#class-sheet").get_by_role("link").first.click()
        for die in "123":
            page.locator(f"#round [name=keep][value='{die}']").check(force=True)
        keep_picture(page, f"14-vote-{'phone' if page is ada else 'tablet'}")
        page.get_by_role("button", name="Vote").click()
        expect(page.get_by_text("Your vote is in.")).to_be_visible()
    projector.goto(address + "round/")
    expect(projector.locator("main")).to_contain_text("2")
    keep_picture(projector, "15-projector-vote")
    projector.get_by_role("button", name="Reveal the answer").click()
    expect(projector.get_by_text("Talk about")).to_be_visible()
    looks_right(projector, axe)
    keep_picture(projector, "16-projector-reveal")
    expect(second.get_by_text("Best choice.")).to_be_visible(timeout=SOON)
    keep_picture(second, "17-reveal-student")

    # -- the match is still there; it goes on, one student on another device
    phone = open_browser(f"phone-{'dark' if theme == 'light' else 'light'}")
    come_back(phone, code, ada_key)
    expect(phone.get_by_text(f"You are {friendly} in Period 3")).to_be_visible()
    ada.goto(address + "round/")
    expect(ada.get_by_role("heading", name="You moved to another device")).to_be_visible()
    looks_right(ada, axe)
    keep_picture(ada, "18-moved")
    for page in (phone, tablet):
        page.goto(address + "round/")
        page.get_by_role("link", name="Back to your game").click()
        expect(page).to_have_url(table)
        expect(page.locator("#game")).to_be_visible()
    roll(phone if second is ada else tablet)
    keep_picture(phone, "19-match-on-the-new-phone")

    # -- the board shows who plays; names can be hidden
    teacher.goto(address + "board/")
    expect(teacher.locator(".board-tile")).to_have_count(3)
    looks_right(teacher, axe)
    keep_picture(teacher, "20-board")


def on_turn_first(one: Page, other: Page) -> tuple[Page, Page]:
    """The one whose dice are to be rolled, and the one who waits; the table has just begun on both."""
    for page in (one, other):
        expect(page.locator("#game")).to_have_attribute("data-status", "active", timeout=SOON)
    return (one, other) if one.locator("#roll").count() else (other, one)

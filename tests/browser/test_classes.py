"""A class in real browsers: approval, the return key, an assignment, on a desk and on a phone, checked with axe."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.browser.conftest import Watch
from tests.browser.test_classroom import create_class, sign_up

SOON = 20_000


def looks_right(page: Page, axe: Callable[[Page], list[str]]) -> None:
    page.wait_for_load_state("load")
    assert axe(page) == []
    overflow = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    assert overflow <= 0, f"{page.url} scrolls sideways"


def test_approval_the_return_key_and_a_set_of_positions(
    open_browser: Callable[..., Page], axe: Callable[[Page], list[str]], watch: Watch
) -> None:
    watch.allow("410")  # the old device is told that the student moved
    teacher, student = open_browser("desktop-light"), open_browser("phone-dark")
    sign_up(teacher, "ms-approval")
    looks_right(teacher, axe)
    teacher.get_by_label("Who may join").select_option("approval")
    address, code = create_class(teacher, "Period 5")
    looks_right(teacher, axe)

    student.goto(f"/classroom/join/{code}/")
    looks_right(student, axe)
    student.get_by_label("Nickname").fill("Ada")
    student.get_by_role("button", name="Join the class").click()
    expect(student.get_by_role("heading", name="Almost in, Ada.")).to_be_visible()
    looks_right(student, axe)

    # Neither page is reloaded by hand: the teacher's sees who waits, the student's that the wait is over.
    teacher.get_by_role("button", name="Let in").click(timeout=SOON)
    expect(student.get_by_role("button", name="Play in class")).to_be_visible(timeout=SOON)
    key = student.locator(".return-key").inner_text()
    looks_right(student, axe)
    student.reload()
    expect(student.locator(".return-key")).to_have_count(0)

    teacher.goto(address)
    teacher.get_by_role("link", name="Set positions").click()
    teacher.get_by_label("Positions to draw").fill("1")
    teacher.get_by_label("Your own positions").fill("55526/1")
    looks_right(teacher, axe)
    teacher.get_by_role("button", name="Set it").click()
    expect(teacher.get_by_role("heading", name="A set of positions")).to_be_visible()
    looks_right(teacher, axe)

    # Another device, the same student; the first one is out.
    tablet = open_browser("phone-light")
    tablet.goto("/classroom/return/")
    tablet.get_by_label("Code of the class").fill(code)
    tablet.get_by_label("Your return key").fill(key)
    looks_right(tablet, axe)
    tablet.get_by_role("button", name="Come back").click()
    tablet.get_by_role("link", name="A set of positions").click()
    for number in (1, 2):
        expect(tablet.get_by_role("heading", name=f"Question {number} of 2")).to_be_visible()
        looks_right(tablet, axe)
        tablet.locator("#question .choices button").first.click()
    expect(tablet.get_by_role("heading", name="Every answer")).to_be_visible()
    looks_right(tablet, axe)
    teacher.reload()
    expect(teacher.get_by_role("cell", name="handed in")).to_be_visible()

    teacher.goto(f"{address}code/")
    expect(teacher.get_by_label(f"Code: {code}")).to_be_visible()
    looks_right(teacher, axe)
    tablet.goto(f"{address}leave/")
    looks_right(tablet, axe)
    tablet.get_by_label("Keep my answers").check()
    tablet.get_by_role("button", name="Leave the class").click()
    expect(tablet.get_by_text("You have left Period 5.")).to_be_visible()
    teacher.goto(address)
    expect(teacher.get_by_text("Nobody is here yet")).to_be_visible()

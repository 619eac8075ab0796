"""A pupil takes a lesson: by thumb on a phone, by keys at a desk, on paper, and without a script."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager

from playwright.sync_api import Page, Response, expect

from tests.browser.conftest import Watch

Opener = Callable[..., Page]


def answered(page: Page) -> AbstractContextManager[Response]:
    """The server's answer to what is done inside."""
    return page.expect_response(lambda r: "/lessons/" in r.url and r.request.headers.get("hx-request") == "true")


def test_a_whole_unit_on_a_phone(open_browser: Opener, axe: Callable[[Page], list[str]], watch: Watch) -> None:
    watch.allow("422")  # on the way a die is asked for a ten
    phone = open_browser("phone-light")
    phone.goto("/classroom/lessons/")
    phone.get_by_role("link", name="Every way two dice can land").click()

    bet = phone.locator("#bet")
    bet.get_by_role("radio", name="Neither: every total").tap()
    bet.get_by_role("button", name="Keep my guess").tap()
    expect(bet.get_by_role("status")).to_contain_text("Kept: Neither")
    expect(phone.locator("#mark-recall")).to_contain_text("You said: Neither")

    mark = phone.locator("#mark")
    for square in ("16", "25", "34"):
        mark.locator(f"#mark-{square}").tap()
    mark.get_by_role("button", name="Check my squares").tap()
    expect(mark).to_contain_text("Gold 1 with white 6 is marked, gold 6 with white 1 is not.")
    for square in ("43", "52", "61"):
        mark.locator(f"#mark-{square}").tap()
    mark.get_by_role("button", name="Check my squares").tap()
    expect(mark).to_contain_text("Every one of them, and nothing else: 6 of 36 squares.")

    events = phone.locator("#events")
    events.get_by_label("Event", exact=True).select_option("face")
    expect(events.locator("#a-number-error")).to_contain_text("A die shows 1–6; you entered 10.")
    with answered(phone):
        events.locator("#a-number").fill("6")
    expect(events.locator(".verdict__number")).to_have_text("11/36")
    expect(events.locator("#a-number-error")).to_be_hidden()
    expect(events.locator(".square--in")).to_have_count(11)

    check = phone.locator("#check")
    check.get_by_role("radio", name="1/11").tap()
    check.get_by_role("button", name="Check").tap()
    expect(check.get_by_role("status")).to_contain_text("Not quite. Treating every total as equally likely.")
    check.get_by_role("radio", name="2/36").tap()
    check.get_by_role("button", name="Check").tap()
    expect(check.get_by_role("status")).to_contain_text("Right.")
    assert axe(phone) == []

    # The address is all there is: somebody else opens the same lesson in the same state.
    friend = open_browser("desktop-dark")
    friend.goto(phone.url)
    expect(friend.locator("#mark")).to_contain_text("Every one of them")
    expect(friend.locator("#events .verdict__number")).to_have_text("11/36")
    expect(friend.locator("#check").get_by_role("status")).to_contain_text("Right.")
    expect(friend.get_by_role("link", name="Play Dicee")).to_be_visible()


def test_steps_and_answers_by_keyboard(page: Page) -> None:
    page.goto("/classroom/lessons/stopping/")
    for title in ("The first roll", "Play it"):
        page.keyboard.press("j")
        expect(page.locator(":focus")).to_contain_text(title)
    page.keyboard.press("k")
    expect(page.locator(":focus")).to_contain_text("The first roll")

    page.keyboard.press("Tab")
    page.keyboard.press("Space")
    page.keyboard.press("ArrowDown")
    expect(page.locator("#guess-roll")).to_be_checked()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.locator("#first").get_by_role("status")).to_contain_text("Kept: Roll again.")

    # Enter in a field presses no button of another step.
    field = page.locator("#a-first")
    field.focus()
    with answered(page):
        page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    expect(field).to_have_value("5")
    expect(page.locator("#rules .verdict__number")).to_have_text("4.667")
    expect(page.locator("#backwards-recall")).to_contain_text("You said: Roll again.")
    assert "guess=roll" in page.url
    assert "first=5" in page.url


def test_a_game_of_stop_or_roll_again(page: Page) -> None:
    page.goto("/classroom/lessons/stopping/")
    game = page.locator("#play-shown")
    game.get_by_role("button", name="Roll again").press("Enter")
    expect(game.locator(".die--blank")).to_have_count(1)
    expect(game.get_by_role("button", name="Roll again")).to_be_focused()
    expect(page.locator(".htmx-added")).to_have_count(0)  # until then, 20 ms, its buttons work as without a script
    game.get_by_role("button", name="Stop").press("Enter")
    expect(game).to_contain_text("The best rule would have stopped on roll")
    expect(game.get_by_role("button", name="Next game")).to_be_focused()
    game.get_by_role("button", name="Next game").press("Enter")
    expect(page.locator("#a-game")).to_have_value("2")
    expect(game.locator(".die--blank")).to_have_count(2)


def test_another_run_redraws_the_steps_that_use_it(page: Page) -> None:
    page.goto("/classroom/lessons/large-numbers/")
    before = page.locator("#law-shown").inner_text()
    with answered(page):
        page.locator("#a-run").fill("42")
    expect(page.locator("#law-shown")).not_to_have_text(before)
    with answered(page):
        page.get_by_role("radio", name="10,000").check()
    expect(page.locator("#run-shown")).to_contain_text("After 10,000 rolls the mean is 3.478")
    page.locator("#chart-means").scroll_into_view_if_needed()
    expect(page.locator("#chart-means .main-svg").first).to_be_visible()


def test_dice_are_held_and_the_choice_valued(open_browser: Opener) -> None:
    phone = open_browser("phone-dark")
    phone.goto("/classroom/lessons/expected-value/")
    later = phone.locator("#later")
    for place in (1, 2, 3, 5):
        with answered(phone):
            later.locator(f"#hold-{place}").tap()
    expect(later.locator(".headline__number")).to_have_text(["23", "24.50"])
    expect(later.locator(".headline .delta")).to_have_text("+1.50")


def test_the_note_opens_from_the_list_of_steps_and_prints(page: Page) -> None:
    page.goto("/classroom/lessons/conditional/")
    expect(page.get_by_role("heading", name="For the board")).to_be_hidden()
    page.get_by_role("navigation", name="Steps").get_by_role("link", name="Teacher’s note").click()
    expect(page.get_by_role("heading", name="For the board")).to_be_visible()
    page.emulate_media(media="print")
    expect(page.get_by_role("heading", name="Answers")).to_be_visible()
    expect(page.locator(".site-head")).to_be_hidden()
    for option in page.locator("#check .answer-option").all():
        expect(option).to_be_visible()  # a sheet to fill in shows every answer, not only the chosen one


def test_without_a_script(open_browser: Opener, watch: Watch) -> None:
    plain = open_browser(java_script_enabled=False)
    plain.goto("/classroom/lessons/complement/")
    plain.get_by_label("Dice", exact=True).fill("4")
    plain.locator("#road").get_by_role("button", name="Show").click()
    expect(plain.locator("#road .verdict__number")).to_have_text("51.8\N{NO-BREAK SPACE}%")
    assert plain.url.endswith("#road")
    plain.locator("#opposite-one").check()
    plain.locator("#check").get_by_role("button", name="Check").click()
    expect(plain.locator("#check .answer-feedback")).to_contain_text(
        "Not quite. Negating the number instead of the sentence."
    )
    expect(plain.locator("#road .verdict__number")).to_have_text("51.8\N{NO-BREAK SPACE}%")

    plain.goto("/classroom/lessons/stopping/")
    plain.get_by_role("button", name="Roll again").click()
    plain.get_by_role("button", name="Roll again").click()
    expect(plain.locator("#play")).to_contain_text("Paid")
    plain.get_by_role("button", name="Next game").click()
    expect(plain.get_by_label("Game", exact=True)).to_have_value("2")
    expect(plain.locator("#play .die--blank")).to_have_count(2)

    watch.allow("422")
    plain.goto("/classroom/lessons/complement/?dice=11")
    expect(plain.locator("#a-dice-error")).to_have_text("Dice must be 1–10; you entered 11.")
    expect(plain.get_by_label("Dice", exact=True)).to_have_value("11")

"""Three browsers at one table: names, bots, reactions, a spectator, the end and a rematch."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import look_at
from tests.browser.test_dicee import finish, open_table, roll, seq, set_look, write
from tests.browser.test_dicee_live import in_step, on_turn

LONG = "Bartholomew-Maximilian-the-3rd"
LONGER = "Wolfeschlegelsteinhausenberger"


def call_me(page: Page, name: str) -> None:
    page.locator("#table-name").fill(name)
    page.get_by_role("button", name="Change").click()


def full_table(open_browser: Callable[..., Page]) -> tuple[Page, Page, Page]:
    """A host at a desktop and a guest at a phone, both with long names, four bots, and somebody who watches."""
    host, guest, watcher = open_browser(), open_browser("phone-dark"), open_browser("phone-light")
    open_table(host, "friends")
    code = host.locator(".waiting-room__number").inner_text()
    guest.goto(f"/dicee/join/{code}/")
    guest.get_by_label("Your name at the table").fill(LONG)
    guest.get_by_role("button", name="Take a seat").click()
    set_look(guest, decide=False, ask_zero=False, tutored=True)
    expect(host.locator(".seats li")).to_have_count(2)
    for number in range(4):
        host.get_by_role("button", name="Greedy Gus").click()
        expect(guest.locator(".seats li")).to_have_count(3 + number)
    expect(host.get_by_role("button", name="Greedy Gus")).to_have_count(0)
    call_me(host, LONGER)
    expect(guest.locator(".seats")).to_contain_text(LONGER)
    host.locator("#start").click()
    expect(guest.locator("#game")).to_have_attribute("data-status", "active")
    in_step(host, guest)
    watcher.goto(host.url)
    return host, guest, watcher


def fits(page: Page) -> bool:
    return bool(page.evaluate("document.documentElement.scrollWidth <= innerWidth"))


def test_six_seats_three_browsers(open_browser: Callable[..., Page]) -> None:
    host, guest, watcher = full_table(open_browser)
    for page in (host, guest, watcher):
        assert fits(page)
        expect(page.locator(".context-bar .player")).to_have_count(6)
    for points in guest.locator(".context-bar .player b").all():
        box = points.bounding_box()
        assert box
        assert 0 <= box["x"] <= 375 - box["width"]
    expect(host.locator(".game-bar .table-options").locator("xpath=..").locator("summary")).to_be_in_viewport()
    playing = on_turn(host, guest)
    roll(playing)
    in_step(playing, watcher)
    expect(watcher.locator(".roll-tray__watching")).to_have_text("You are watching.")
    expect(watcher.locator("#figures-chance")).to_be_visible()
    expect(watcher.locator(".score-row__write")).to_have_count(0)
    look_at(watcher)
    call_me_at_the_table(guest, "Bo")
    expect(host.locator(".game-bar .player-list")).to_contain_text("Bo")


def call_me_at_the_table(page: Page, name: str) -> None:
    page.locator(".game-bar .pop summary").click()
    call_me(page, name)
    expect(page.locator("#game")).to_be_visible()


def test_a_reaction_is_seen_by_all_who_want_to(open_browser: Callable[..., Page]) -> None:
    host, guest, watcher = full_table(open_browser)
    set_look(host, reactions=False)
    guest.get_by_role("button", name="Well played").click()
    words = re.compile(f"{LONG}: .*Well played")
    expect(watcher.locator(".toast")).to_contain_text(words)
    expect(guest.locator(".toast")).to_contain_text(words)
    expect(host.locator(".toast")).to_have_count(0)


def test_the_end_says_who_won_and_a_rematch_seats_the_same_people(open_browser: Callable[..., Page]) -> None:
    host, guest = open_browser(), open_browser("phone-light")
    open_table(host, "friends")
    guest.goto(f"/dicee/join/{host.locator('.waiting-room__number').inner_text()}/")
    guest.get_by_role("button", name="Take a seat").click()
    set_look(guest, decide=False, ask_zero=False, tutored=True)
    expect(host.locator(".seats li")).to_have_count(2)
    host.locator("#start").click()
    expect(guest.locator("#game")).to_have_attribute("data-status", "active")
    in_step(host, guest)
    for _ in range(26):
        mine, theirs = (host, guest) if on_turn(host, guest) is host else (guest, host)
        roll(mine)
        write(mine, mine.locator(".score-row__write").first)
        in_step(mine, theirs)
    for page in (host, guest):
        expect(page.locator("#game")).to_have_attribute("data-status", "completed")
        result = page.locator(".roll-tray__result")
        expect(result).to_be_in_viewport()
        expect(result).to_have_text(re.compile(r" wins? with \d+, \d+ ahead\.|share the win"))
        look_at(page)
    guest.locator("#again").click()
    expect(guest.locator(".waiting-room__number")).to_be_visible()
    expect(host.locator("#again")).to_have_text("Rematch: 1 waiting")
    host.locator("#again").click()
    expect(guest.locator(".seats li")).to_have_count(2)
    assert guest.url == host.url


def test_a_record_and_the_rating_show_without_a_reload(page: Page) -> None:
    open_table(page)
    finish(page)
    page.locator("#again").click()
    expect(page.locator("#game")).to_have_attribute("data-status", "active")
    for _ in range(13):
        roll(page)
        page.locator("[data-hold-best]").click()
        if page.locator("button#roll").is_enabled():
            roll(page)
        write(page, page.locator(".score-row--best .score-row__write"))
    expect(page.locator("#game")).to_have_attribute("data-status", "completed")
    expect(page.locator(".game-over__record")).to_contain_text("Your best game yet")
    expect(page.locator(".game-over__figures")).to_contain_text("Rating", timeout=20_000)
    page.get_by_role("link", name="Practise this decision").click()
    expect(page.get_by_role("heading", name="Learn from your mistakes")).to_be_visible()


@pytest.mark.parametrize("screen", ["phone-light", "desktop-light"])
def test_the_game_of_the_day(open_browser: Callable[..., Page], screen: str) -> None:
    page = open_browser(screen)
    page.goto("/dicee/")
    page.get_by_role("button", name="Play today’s game").click()
    roll(page)
    expect(page.locator(".hold-best:visible, .score-row__chance:visible").locator(".heat")).to_have_count(0)
    finish(page)
    page.get_by_role("link", name="Standing and sharing").click()
    expect(page.get_by_role("heading", name=re.compile(r"Place \d+ of \d+"))).to_be_visible()
    expect(page.locator("#share-text")).to_have_value(re.compile(r"^Dicee \d+ \w+: \d+ · place \d+ of \d+\n"))
    assert page.locator(".daily-picture").evaluate("picture => picture.decode().then(() => picture.naturalWidth)") > 0
    look_at(page)
    page.goto("/dicee/")
    expect(page.locator(".daily-card")).to_contain_text(re.compile(r"\d+ points. Place"))
    look_at(page)


def test_two_browsers_roll_the_same_dice_of_the_day(open_browser: Callable[..., Page]) -> None:
    faces = []
    for _ in range(2):
        page = open_browser()
        page.goto("/dicee/")
        page.get_by_role("button", name="Play today’s game").click()
        roll(page)
        page.locator("#die-1").click(force=True)
        roll(page)
        faces.append(page.locator("[data-dice] label.die").evaluate_all("dice => dice.map(die => die.dataset.n)"))
        assert seq(page)
    assert faces[0] == faces[1]

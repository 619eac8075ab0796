"""Two people at one live table, one of them with a bad connection; a shared game opened by a stranger."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.browser.conftest import DESKTOP, PHONE, Watch, look_at
from tests.browser.test_dicee import finish, moved, open_table, roll, seq, set_look, write


def on_turn(*people: Page) -> Page:
    """Whose turn it is, once both pages say the same."""
    return next(page for page in people if page.locator("#roll").count())


def in_step(one: Page, other: Page) -> None:
    """Both pages show the same moment of the game."""
    expect(other.locator("#game")).to_have_attribute("data-seq", seq(one), timeout=20_000)


def sit_down(open_browser: Callable[..., Page]) -> tuple[Page, Page]:
    host, guest = open_browser(), open_browser("phone-light")
    open_table(host, "friends")
    code = host.locator(".waiting-room__number").inner_text()
    guest.goto(f"/dicee/join/{code}/")
    guest.get_by_role("button", name="Take a seat").click()
    set_look(guest, decide=False, ask_zero=False, tutored=True)
    expect(host.locator(".seats li")).to_have_count(2)
    host.get_by_role("button", name="Start the game").click()
    expect(guest.locator("#game")).to_have_attribute("data-status", "active")
    in_step(host, guest)
    return host, guest


def test_the_waiting_room_is_accessible(open_browser: Callable[..., Page]) -> None:
    host = open_browser("desktop-dark")
    open_table(host, "friends")
    expect(host.locator(".waiting-room__number")).to_be_visible()
    look_at(host, DESKTOP, PHONE)


def turn(one: Page, other: Page) -> None:
    """One turn of whoever is on, seen by both."""
    mine, theirs = (one, other) if on_turn(one, other) is one else (other, one)
    roll(mine)
    in_step(mine, theirs)
    write(mine, mine.locator(".score-row__write").first)
    in_step(mine, theirs)


def test_two_browsers_one_table_and_ten_seconds_without_a_line(open_browser: Callable[..., Page], watch: Watch) -> None:
    watch.allow("ERR_INTERNET_DISCONNECTED|WebSocket|failed: |net::|htmx:sendError")
    host, guest = sit_down(open_browser)
    for _ in range(2):
        turn(host, guest)
    if on_turn(host, guest) is guest:
        turn(host, guest)
    guest.context.set_offline(True)
    expect(guest.locator("[data-line]")).to_have_attribute("role", "status")
    roll(host)
    write(host, host.locator(".score-row__write").first)
    guest.wait_for_timeout(10_000)
    assert seq(guest) != seq(host), "a browser without a line cannot know"
    guest.context.set_offline(False)
    in_step(host, guest)
    assert on_turn(host, guest) is guest
    for _ in range(2):
        turn(host, guest)
    totals = [page.locator(".context-bar .player-list b").all_text_contents() for page in (host, guest)]
    assert totals[0] == totals[1]


def test_a_spectator_follows_and_a_resumed_seat_goes_on(open_browser: Callable[..., Page]) -> None:
    host, guest = sit_down(open_browser)
    stranger = open_browser("desktop-dark")
    stranger.goto(host.url)
    expect(stranger.locator("#roll")).to_have_count(0)
    playing = on_turn(host, guest)
    roll(playing)
    in_step(playing, stranger)
    expect(stranger.locator("label.die")).to_have_count(5)
    playing.goto("/dicee/")
    playing.locator(".games a").first.click()
    expect(playing.locator("#die-1")).to_be_visible()
    moved(playing, lambda: playing.locator(".score-row__write").first.click())


def test_a_stranger_opens_a_shared_replay(open_browser: Callable[..., Page], axe: Callable[[Page], list[str]]) -> None:
    player = open_browser()
    player.goto("/dicee/")
    player.get_by_text("Rules, clock, what is shown").click()
    player.locator(".lobby__new input[name=spectators]").uncheck(force=True)
    player.get_by_role("button", name="Open the table").click()
    table = player.url
    finish(player)
    player.goto(table + "report/")
    player.locator("#share").click()
    expect(player.get_by_text("open to everyone with the link")).to_be_visible()
    stranger = open_browser("phone-dark")
    stranger.goto(table + "replay/?at=5")
    expect(stranger.locator(".decision__head")).to_contain_text("Decision 5 of 13")
    assert axe(stranger) == []

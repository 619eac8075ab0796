"""``python -m tests.browser.dicee_album [screen …]``: whole games of Dicee alone, against bots and with friends, and a
picture of every state they pass through, in var/screenshots/dicee/. For people to look at; tests look at the rest."""

from __future__ import annotations

import contextlib
import os
import sys
from pathlib import Path

from playwright.sync_api import Browser, Page, expect

from tests.browser import server
from tests.browser.conftest import PATIENCE, SCREENS
from tests.browser.screenshots import OUT, chromium
from tests.browser.test_dicee import choose, moved, open_table, play_elsewhere, roll, set_look, write
from tests.browser.test_dicee_seen import at_rest

ALBUM = OUT / "dicee"
PROFILES = ("beginner", "intermediate", "expert")


class Photographer:
    """Opens pages on one screen and takes pictures of them."""

    def __init__(self, browser: Browser, base: str, screen: str) -> None:
        self.browser, self.base, self.screen = browser, base, screen
        self.folder = ALBUM / screen
        self.folder.mkdir(parents=True, exist_ok=True)

    def somebody(self) -> Page:
        """A person who has never been here."""
        page = self.browser.new_context(base_url=self.base, **SCREENS[self.screen]).new_page()
        page.set_default_timeout(PATIENCE)
        return page

    def take(self, page: Page, name: str, *, whole: bool = False) -> None:
        """A picture of what is seen, or of the whole page."""
        at_rest(page)
        page.screenshot(path=self.folder / f"{name}.png", full_page=whole)
        print(name)  # noqa: T201


def alone(camera: Photographer) -> None:
    """The lobby, the tutorial, a turn in every profile, every dialog, and what comes after the last turn."""
    page = camera.somebody()
    page.goto("/dicee/")
    camera.take(page, "solo-00-lobby", whole=True)
    page.get_by_role("button", name="New here? Three steps").click()
    camera.take(page, "solo-01-step-one")
    roll(page)
    camera.take(page, "solo-02-step-two")
    open_table(page, coached=False)
    set_look(page, tutored=True)
    roll(page)
    camera.take(page, "solo-03-decide-first")
    page.locator("#die-1").click(force=True)
    roll(page)
    camera.take(page, "solo-04-verdict", whole=True)
    set_look(page, decide=False, predict=True, ask_zero=False)
    camera.take(page, "solo-05-guess-first")
    set_look(page, predict=False)
    for profile in PROFILES:
        choose(page, profile)
        camera.take(page, f"solo-06-{profile}", whole=True)
    page.get_by_role("link", name="Full house explained").click()
    camera.take(page, "solo-07-box-explained")
    page.keyboard.press("Escape")
    roll(page)
    camera.take(page, "solo-08-no-rolls-left")
    write(page, page.locator("#box-chance"))
    camera.take(page, "solo-09-written", whole=True)
    page.locator(".game-bar .pop summary").click()
    camera.take(page, "solo-10-options")
    page.keyboard.press("Escape")
    play_elsewhere(page, leave=1)
    page.reload()
    roll(page)
    moved(page, page.locator(".score-row__write").click)
    camera.take(page, "solo-11-end", whole=True)
    table = page.url
    page.goto(table + "report/")
    camera.take(page, "solo-12-report", whole=True)
    page.goto(table + "replay/?at=3")
    camera.take(page, "solo-13-replay", whole=True)
    page.goto(table + "quiz/")
    camera.take(page, "solo-14-quiz", whole=True)
    page.goto("/dicee/")
    page.get_by_role("button", name="Play today’s game").click()
    roll(page)
    camera.take(page, "solo-15-daily")
    play_elsewhere(page)
    page.reload()
    camera.take(page, "solo-16-daily-end", whole=True)
    page.goto("/dicee/daily/")
    camera.take(page, "solo-17-daily-standing", whole=True)


def with_bots(camera: Photographer) -> None:
    """Two bots: their moves one after the other, the bar of who will win, the end."""
    page = camera.somebody()
    page.goto("/dicee/")
    for bot in ("greedy", "perfect"):
        page.locator(f"input[value={bot}]").check(force=True)
    page.get_by_role("button", name="Open the table").click()
    set_look(page, decide=False, ask_zero=False, tutored=True)
    roll(page)
    write(page, page.locator("#box-chance"))
    expect(page.locator("[data-opponent-stage]")).to_be_visible()
    page.screenshot(path=camera.folder / "bots-01-bot-moves.png")
    expect(page.locator("[data-opponent-stage]")).to_be_hidden()
    camera.take(page, "bots-02-my-turn", whole=True)
    play_elsewhere(page, leave=1)
    page.reload()
    roll(page)
    moved(page, page.locator(".score-row__write").click)
    camera.take(page, "bots-03-end", whole=True)


def with_friends(camera: Photographer) -> None:
    """The invitation, the waiting room, everybody's turn, a spectator, the end for each, the rematch."""
    people = {"Ada": camera.somebody(), "Bartholomew-Maximilian-the-3rd": camera.somebody(), "Cy": camera.somebody()}
    host, guest, third = people.values()
    open_table(host, "friends")
    host.locator("#table-name").fill("Ada")
    with host.expect_navigation():
        host.get_by_role("button", name="Change").click()
    link = host.locator(".waiting-room__link").inner_text()
    for name, page in list(people.items())[1:]:
        page.goto(link)
        camera.take(page, "friends-01-invitation")
        page.get_by_label("Your name at the table").fill(name)
        page.get_by_role("button", name="Take a seat").click()
        expect(page.locator("#game")).to_have_attribute("data-status", "waiting")
        set_look(page, decide=False, ask_zero=False, tutored=True)
    expect(host.locator(".seats li")).to_have_count(3)
    camera.take(host, "friends-02-waiting-host", whole=True)
    camera.take(guest, "friends-03-waiting-guest", whole=True)
    host.get_by_role("button", name="Start the game").click()
    for page in people.values():
        expect(page.locator("#game")).to_have_attribute("data-status", "active")
    playing = next(page for page in people.values() if page.locator("#roll").count())
    other = next(page for page in people.values() if page is not playing)
    roll(playing)
    expect(other.locator("[data-dice] label.die")).to_have_count(5)
    camera.take(playing, "friends-04-my-turn", whole=True)
    camera.take(other, "friends-05-their-turn", whole=True)
    stranger = camera.somebody()
    stranger.goto(host.url)
    camera.take(stranger, "friends-06-spectator", whole=True)
    play_elsewhere(host, people, leave=1)
    for page in people.values():
        page.reload()
    for _ in people:
        expect(host.locator("#game")).to_have_attribute("data-status", "active")
        playing = next(page for page in people.values() if page.locator("#roll").count())
        roll(playing)
        write(playing, playing.locator(".score-row__write"))
        seq = playing.locator("#game").get_attribute("data-seq") or ""
        for page in people.values():
            expect(page.locator("#game")).to_have_attribute("data-seq", seq)
    for page, name in zip(people.values(), ("host", "guest", "third"), strict=True):
        camera.take(page, f"friends-07-end-{name}")
        camera.take(page, f"friends-08-end-{name}-whole", whole=True)
    stranger.reload()
    camera.take(stranger, "friends-09-end-spectator", whole=True)
    guest.locator("#again").click()
    expect(guest.locator(".waiting-room__number")).to_be_visible()
    expect(third.locator("#again")).to_contain_text("1 waiting")
    camera.take(third, "friends-10-rematch-asked")
    third.locator("#again").click()
    expect(guest.locator(".seats li")).to_have_count(2)
    camera.take(guest, "friends-11-rematch", whole=True)
    host.goto(host.url + "report/")
    camera.take(host, "friends-12-report", whole=True)


def main(screens: list[str]) -> None:
    started = os.environ.get(server.STARTED)
    running = contextlib.nullcontext(started) if started else server.running()
    with running as base, chromium() as browser:
        for screen in screens or SCREENS:
            camera = Photographer(browser, base, screen)
            for mode in (alone, with_bots, with_friends):
                mode(camera)
            for context in browser.contexts:
                context.close()
    print(f"{len(list(Path(ALBUM).rglob('*.png')))} pictures in {ALBUM}/")  # noqa: T201


if __name__ == "__main__":
    main(sys.argv[1:])

"""Three people at one table, each with a browser of their own: the invitation, names, the game, the clock, the end and
the rematch; and somebody who only watches."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Watch, look_at
from tests.browser.test_dicee import call_api, open_table, play_elsewhere, roll, seq, set_look, write
from tests.browser.test_dicee_seen import DRAWN, HEARD, at_rest, tumbled

LONG = "Bartholomew-Maximilian-the-3rd"  # as long as a name can be
SCREENS = {"Ada": "desktop-light", LONG: "phone-light", "Cy": "phone-dark"}
SHORTEST_CLOCK = 15


@dataclass(frozen=True)
class Party:
    """Who sits at a table, by name, the host first."""

    people: dict[str, Page]

    @property
    def host(self) -> Page:
        return next(iter(self.people.values()))

    @property
    def guests(self) -> list[Page]:
        return list(self.people.values())[1:]

    @property
    def pages(self) -> list[Page]:
        return list(self.people.values())

    def in_step(self, with_page: Page) -> None:
        """Every page shows the same moment of the game."""
        for page in self.pages:
            expect(page.locator("#game")).to_have_attribute("data-seq", seq(with_page))

    def on_turn(self) -> tuple[str, Page]:
        name, page = next((name, page) for name, page in self.people.items() if page.locator("#roll").count())
        return name, page

    def waiting(self) -> list[Page]:
        return [page for page in self.pages if not page.locator("#roll").count()]


def invite(open_browser: Callable[..., Page], **settings: object) -> Party:
    """Three people in the waiting room: two came by the link and said who they are."""
    people = {name: open_browser(screen) for name, screen in SCREENS.items()}
    host, *guests = people.values()
    if settings:
        host.goto("/dicee/")
        call_api(host, "games", mode="multiplayer", settings={"spectators": True} | settings)
        host.goto("/dicee/")
        host.locator(".games a").first.click()
        set_look(host, decide=False, ask_zero=False, tutored=True)
    else:
        open_table(host, "friends")
    link = host.locator(".waiting-room__link").inner_text()
    rename(host, "Ada")
    for name, guest in zip(list(people)[1:], guests, strict=True):
        guest.goto(link)
        guest.get_by_label("Your name at the table").fill(name)
        guest.get_by_role("button", name="Take a seat").click()
        expect(guest.locator("#game")).to_have_attribute("data-status", "waiting")
        set_look(guest, decide=False, ask_zero=False, tutored=True)
    return Party(people)


def sit_down(open_browser: Callable[..., Page], **settings: object) -> Party:
    """A game of three that has begun."""
    party = invite(open_browser, **settings)
    expect(party.host.locator(".seats li")).to_have_count(3)
    party.host.get_by_role("button", name="Start the game").click()
    for page in party.pages:
        expect(page.locator("#game")).to_have_attribute("data-status", "active")
    party.in_step(party.host)
    return party


def rename(page: Page, name: str) -> None:
    page.locator("#table-name").fill(name)
    with page.expect_navigation():
        page.get_by_role("button", name="Change").click()


def fits(page: Page) -> bool:
    return bool(page.evaluate("document.documentElement.scrollWidth <= innerWidth"))


def test_an_invitation_seats_people_by_the_names_they_give(open_browser: Callable[..., Page]) -> None:
    party = invite(open_browser)
    for page in party.pages:
        expect(page.locator(".seats b")).to_have_text(list(SCREENS))
        assert fits(page)
    rename(party.guests[1], "Cyril")
    for page in party.pages:
        expect(page.locator(".seats b").nth(2)).to_have_text("Cyril")
    expect(party.guests[0].get_by_role("button", name="Start the game")).to_have_count(0)
    party.host.get_by_role("button", name="Greedy Gus").click()
    for page in party.pages:
        expect(page.locator(".seats li")).to_have_count(4)
    for page in party.pages:
        look_at(page)


def test_a_round_is_seen_and_heard_by_all_three(open_browser: Callable[..., Page]) -> None:
    party = sit_down(open_browser)
    for _ in range(3):
        name, page = party.on_turn()
        expect(page).to_have_title(re.compile("Your turn"))
        others = party.waiting()
        for other in others:
            expect(other).to_have_title(re.compile(f"{re.escape(name)} plays"))
            other.evaluate(HEARD)
            other.evaluate(DRAWN)
        roll(page)
        party.in_step(page)
        dice = [die.get_attribute("data-n") for die in page.locator("[data-dice] label.die").all()]
        for other in others:
            at_rest(other)
            drawn = other.locator("[data-dice] use").evaluate_all("uses => uses.map(use => use.getAttribute('href'))")
            assert drawn == [f"#d{face}" for face in dice]
            assert tumbled(other), "an opponent's dice tumble, too"
            assert other.evaluate("window.heard")[-1] == f"{name} rolled {', '.join(map(str, dice))}. 2 rolls left."
        write(page, page.locator("#box-chance"))
        party.in_step(page)
        points = sum(int(face or 0) for face in dice)
        for other in others:
            expect(other.locator(".roll-tray__recent").last).to_contain_text(f"{name}: {points} in Chance.")
    totals = {tuple(page.locator(".context-bar .player-list b").all_text_contents()) for page in party.pages}
    assert len(totals) == 1


def test_what_others_do_closes_moves_and_drops_nothing(open_browser: Callable[..., Page]) -> None:
    """The one on turn holds dice while another renames; those who wait read, scrolled down, while dice are rolled."""
    party = sit_down(open_browser)
    _, page = party.on_turn()
    reader, other = party.waiting()
    reader.locator(".boards summary").click()
    shown = reader.locator(".boards").evaluate("cards => cards.open")
    reader.locator(".game-bar .pop summary").click()
    reader.locator("#table-name").fill("half a na")
    reader.evaluate("scrollTo(0, 160)")
    place = reader.evaluate("scrollY")
    roll(page)
    party.in_step(page)
    at_rest(reader)
    assert reader.locator(".boards").evaluate("cards => cards.open") is shown
    expect(reader.locator(".game-bar .pop")).to_have_attribute("open", "")
    expect(reader.locator("#table-name")).to_have_value("half a na")
    expect(reader.locator("#table-name")).to_be_focused()
    assert reader.evaluate("scrollY") == place
    for die in (2, 5):
        page.locator(f"#die-{die}").click(force=True)
    page.evaluate("scrollTo(0, 120)")
    place = page.evaluate("scrollY")
    other.locator(".game-bar .pop summary").click()
    rename(other, "Zoe")
    expect(page.locator(".context-bar .player-list")).to_contain_text("Zoe")
    assert page.locator("[name=keep]:checked").evaluate_all("dice => dice.map(die => die.id)") == ["die-2", "die-5"]
    assert page.evaluate("scrollY") == place
    expect(page.locator("[data-free]")).to_have_text("3 dice")


def test_a_lapse_writes_the_best_box_and_says_so(open_browser: Callable[..., Page]) -> None:
    party = sit_down(open_browser, timeLimit=SHORTEST_CLOCK)
    name, late = party.on_turn()
    for page in party.pages:
        expect(page.locator("[data-clock]")).to_be_in_viewport()
        expect(page.locator("[data-clock]")).to_have_text(re.compile(r"0:1\d"))
    roll(late)
    left = late.evaluate("(Number(document.querySelector('#game').dataset.deadline) - Date.now()) / 1000")
    assert SHORTEST_CLOCK - 5 < left <= SHORTEST_CLOCK, "a move sets the clock anew"
    expect(late.locator(".toast")).to_contain_text("Your time is almost up.")
    before = seq(late)
    expect(late.locator("#game")).not_to_have_attribute("data-seq", before, timeout=60_000)
    party.in_step(late)
    words = re.compile(r"ran out of time: \d+ in ")
    for page in party.pages:
        expect(page.locator(".roll-tray__recent").filter(has_text=words)).to_have_count(1)
        expect(page.locator(".context-bar .player.is-gone")).to_have_count(0)
    expect(late.locator(".roll-tray__recent").filter(has_text=words)).to_contain_text("You ran out of time")
    assert party.on_turn()[0] != name


def test_the_end_and_a_rematch_with_the_same_people(open_browser: Callable[..., Page]) -> None:
    party = sit_down(open_browser)
    play_elsewhere(party.host, party.people, leave=1)
    for page in party.pages:
        page.reload()
    party.in_step(party.host)
    for _ in range(3):
        _, page = party.on_turn()
        roll(page)
        write(page, page.locator(".score-row__write"))
        party.in_step(page)
    results = []
    for page in party.pages:
        expect(page.locator("#game")).to_have_attribute("data-status", "completed")
        result = page.locator(".roll-tray__result")
        expect(result).to_be_in_viewport()
        expect(result).to_have_text(re.compile(r" wins? with \d+, \d+ ahead\.| share the win with \d+ each\."))
        results.append(re.search(r"\bwith .*", result.inner_text()).group())  # without whom: “You win”, “Ada wins”
        expect(page.get_by_role("link", name="Practise this decision")).to_be_visible()
        assert fits(page)
        look_at(page)
    assert len(set(results)) == 1
    first, second, third = party.pages
    second.locator("#again").click()
    expect(second.locator(".waiting-room__number")).to_be_visible()
    for page in (first, third):
        expect(page.locator("#again")).to_have_text("Rematch: 1 waiting")
    third.locator("#again").click()
    expect(first.locator("#again")).to_have_text("Rematch: 2 waiting")
    first.locator("#again").click()
    for page in party.pages:
        expect(page.locator(".seats li")).to_have_count(3)
        assert page.url == second.url
    second.get_by_role("button", name="Start the game").click()
    for page in party.pages:
        expect(page.locator("#game")).to_have_attribute("data-status", "active")
    party.in_step(second)
    roll(party.on_turn()[1])


def test_a_spectator_is_told_so_and_sees_the_odds(open_browser: Callable[..., Page]) -> None:
    party = sit_down(open_browser)
    stranger = open_browser("phone-dark")
    stranger.goto(party.host.url)
    set_look(stranger, decide=False, tutored=True)
    _, page = party.on_turn()
    roll(page)
    expect(stranger.locator("#game")).to_have_attribute("data-seq", seq(page))
    expect(stranger.locator(".roll-tray__watching")).to_have_text("You are watching.")
    expect(stranger.locator("#figures-chance")).to_be_visible()
    expect(stranger.locator(".score-row__write, #roll, .reactions")).to_have_count(0)
    look_at(stranger)


def test_a_table_that_shows_nothing_shows_a_spectator_nothing(open_browser: Callable[..., Page]) -> None:
    party = sit_down(open_browser, statistics=False)
    stranger = open_browser()
    stranger.goto(party.host.url)
    roll(party.on_turn()[1])
    expect(stranger.locator("#game")).to_have_attribute("data-seq", seq(party.on_turn()[1]))
    expect(stranger.locator(".roll-tray__watching")).to_be_visible()
    expect(stranger.locator(".heat, #holds")).to_have_count(0)


def test_a_reaction_is_read_by_everyone_who_wants_to(open_browser: Callable[..., Page]) -> None:
    party = sit_down(open_browser)
    stranger = open_browser()
    stranger.goto(party.host.url)
    deaf, sender = party.guests
    set_look(deaf, reactions=False)
    for page in (party.host, deaf, sender, stranger):
        expect(page.locator("#game")).to_be_visible()
        expect(page.locator("[data-line]")).to_be_hidden()
    sender.get_by_role("button", name="Well played").click()
    for page in (party.host, sender, stranger):
        expect(page.locator(".toast")).to_contain_text("Cy: 👏 Well played")
    expect(deaf.locator(".toast")).to_have_count(0)


def test_leaving_ends_the_line_and_the_others_play_on(open_browser: Callable[..., Page], watch: Watch) -> None:
    """Who has left hears nothing more of the table, and no message finds a page without one."""
    party = sit_down(open_browser)
    name, page = party.on_turn()
    page.on("dialog", lambda dialog: dialog.accept())
    page.locator(".game-bar .pop summary").click()
    page.get_by_role("button", name="Leave the game").click()
    expect(page).to_have_url(re.compile("/dicee/$"))
    others = [other for other in party.pages if other is not page]
    for other in others:
        expect(other.locator(".context-bar .player.is-gone")).to_have_count(1)
        expect(other.locator(".roll-tray__recent").filter(has_text=f"{name} left.")).to_have_count(1)
    playing = next(other for other in others if other.locator("#roll").count())
    roll(playing)
    page.wait_for_timeout(1_000)
    assert watch.unexpected() == []


@pytest.mark.parametrize("size", [(1440, 900), (375, 812)])
def test_six_seats_and_the_longest_names_fit(open_browser: Callable[..., Page], size: tuple[int, int]) -> None:
    party = invite(open_browser)
    for number in range(3):
        party.host.get_by_role("button", name="Careful Cleo").or_(
            party.host.get_by_role("button", name="Perfect Pat")
        ).first.click()
        expect(party.guests[0].locator(".seats li")).to_have_count(4 + number)
    rename(party.guests[1], "Wolfeschlegelsteinhausenberger")
    party.host.get_by_role("button", name="Start the game").click()
    page = party.guests[0]
    page.set_viewport_size({"width": size[0], "height": size[1]})
    expect(page.locator("#game")).to_have_attribute("data-status", "active")
    assert fits(page)
    bar = page.locator(".game-bar" if size[0] > 1000 else ".context-bar")
    expect(bar.locator(".player b")).to_have_count(6)
    for points in bar.locator(".player b").all():
        box = points.bounding_box()
        assert box
        assert 0 <= box["x"] <= size[0] - box["width"]

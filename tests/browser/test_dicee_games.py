"""Your games as a person uses them: found, searched, starred, practised, saved and read back as text."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser
#: A whole game by the API of the page's own player: one roll a turn, box after box.
PLAY = """async () => {
  const headers = { "Content-Type": "application/json", ...JSON.parse(document.body.getAttribute("hx-headers")) };
  const post = (path, body) =>
    fetch(`/api/v1/${path}`, { method: "POST", headers, body: JSON.stringify(body) }).then((reply) => reply.json());
  const { gameId } = await post("games", { mode: "solo" });
  const boxes = ["ones", "twos", "threes", "fours", "fives", "sixes", "three_of_kind", "four_of_kind", "full_house",
    "small_straight", "large_straight", "dicee", "chance"];
  for (const category of boxes) {
    await post(`games/${gameId}/roll`, {});
    await post(`games/${gameId}/score`, { category });
  }
  return gameId;
}"""


def test_a_game_is_found_searched_starred_and_read_back(open_browser: Callable[..., Page]) -> None:
    page = open_browser("desktop-light")
    page.goto("/dicee/")
    game = page.evaluate(PLAY)
    for _ in range(60):  # a worker sums the game up
        page.goto("/dicee/games/decisions/")
        if page.get_by_role("button", name="Star", exact=True).count():
            break
        page.wait_for_timeout(500)
    page.get_by_role("button", name="Star", exact=True).first.click()
    expect(page.get_by_role("button", name="Take the star away")).to_have_count(1)
    page.get_by_role("link", name="On the board").first.click()
    expect(page.get_by_role("heading", name="Analysis board")).to_be_visible()
    page.goto("/dicee/games/decisions/")
    page.get_by_label("Lost at least").fill("299")
    page.get_by_role("button", name="Find").click()
    expect(page.get_by_role("heading", name="Nothing fits")).to_be_visible()

    page.goto("/dicee/games/starred/")
    page.get_by_role("link", name="Practise them").click()
    expect(page.get_by_role("radio", name=re.compile("My starred positions"))).to_be_checked()

    page.goto("/dicee/games/")
    expect(page.locator(f'a[href="/dicee/{game}/report/"]')).to_be_visible()
    text = page.request.get(f"/dicee/{game}/game.txt").text()
    page.get_by_text("Read a game from its text").click()
    page.get_by_label(re.compile("One line a turn")).fill(text)
    page.get_by_role("button", name="Read it").click()
    expect(page.get_by_role("heading", name=re.compile(r"The card is full: \d+ points\."))).to_be_visible()

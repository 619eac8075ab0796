"""The picture a chat shows under a link to a game: what strangers may see, and nobody's name."""

from __future__ import annotations

import re
from io import BytesIO

import pytest
from django.test import Client
from django.urls import reverse
from PIL import Image

from apps.accounts.models import Player
from apps.dicee import link_cards, services
from apps.dicee.models import Game
from apps.dicee.services import daily, review
from tests.apps.dicee.conftest import play_out
from tests.apps.dicee.test_page_table import browser, url


@pytest.fixture
def played(alice: Player) -> Game:
    """Thirteen thoughtless turns, closed to strangers."""
    game = services.create(alice, "solo", {"spectators": False})
    play_out(game, alice)
    return game


def picture_of(client: Client, address: str) -> str:
    """The path of the picture that a page names."""
    page = client.get(address).content.decode()
    found = re.search(r'property="og:image" content="([^"]+)"', page)
    return found[1].replace("&amp;", "&").removeprefix("http://testserver") if found else ""


def draws(address: str) -> bytes:
    reply = browser(None).get(address)
    assert reply.status_code == 200
    assert reply.headers["Content-Type"] == "image/png"
    assert Image.open(BytesIO(reply.content)).size == (1200, 630)
    return reply.content


def test_report_replay_and_table_of_an_open_game_have_their_own(played: Game, alice: Player) -> None:
    services.share(played, alice)
    pages = [url(played, "report"), url(played, "replay") + "?at=3", url(played)]
    pictures = [picture_of(browser(None), page) for page in pages]
    report, replay, table = (draws(picture) for picture in pictures)
    assert f"player={alice.pk}" in pictures[0]
    assert pictures[1].endswith("&at=3")
    assert report == table
    assert report != replay


def test_a_game_that_strangers_may_not_see_has_none_even_for_its_player(played: Game, alice: Player) -> None:
    for page in (url(played, "report"), url(played, "replay"), url(played)):
        assert picture_of(browser(alice), page) == ""
    assert browser(alice).get(url(played, "card")).status_code == 404
    assert browser(alice).get(url(played)).content.decode().count('content="summary"') == 1


def test_a_card_tells_the_result_and_no_name(played: Game, alice: Player) -> None:
    found = review.report(played, alice)
    card = link_cards.of_report(found)
    (figure,) = card.figures
    assert figure.number == str(found.score)
    assert f"luck {'+' if (found.luck or 0) > 0 else '−'}" in figure.rest
    assert figure.rest.endswith(f"decisions −{found.points_lost:.1f}")
    assert alice.pseudonym not in repr(card)


def test_a_card_of_a_decision_says_what_was_best(played: Game, alice: Player) -> None:
    found = review.report(played, alice)
    slip = found.worst_slip
    assert slip
    (figure,) = link_cards.of_decision(review.explain(played, alice.pk, slip.number)).figures
    assert (figure.number, figure.unit) == (f"−{slip.lost:.1f}", "points")
    assert slip.best_words in figure.claim
    assert slip.chosen_words in figure.rest


def test_an_invitation_has_one_until_the_game_has_begun(alice: Player, bob: Player) -> None:
    game = services.create(alice, "multiplayer", {"spectators": False})
    invitation = reverse("dicee:invite", args=[game.code])
    waiting = picture_of(browser(None), invitation)
    assert draws(waiting)
    services.join(game.code, bob)
    services.start(game, alice)
    assert browser(None).get(waiting).status_code == 404
    assert picture_of(browser(None), invitation) == ""


def test_the_game_of_a_day_shows_the_day_and_no_dice(alice: Player) -> None:
    game = daily.play_today(alice)
    play_out(game, alice)
    services.share(game, alice)
    assert draws(picture_of(browser(None), reverse("dicee:daily-today")))
    assert browser(None).get(url(game, "card")).status_code == 404, "the dice of today are still to be played"


def test_a_day_to_come_has_none() -> None:
    assert browser(None).get("/dicee/daily/2999-01-01/card.png").status_code == 404

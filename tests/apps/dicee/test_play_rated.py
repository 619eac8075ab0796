"""Rated games: the coach is off by every door, nothing is taken back, and the profile quotes them alone."""

from __future__ import annotations

from typing import Any

import pytest

from apps.accounts.models import Player
from apps.dicee import services
from apps.dicee.models import Game
from apps.dicee.services import page as pages
from apps.dicee.services import rated, review
from apps.dicee.services.api import messages as socket
from apps.dicee.services.api.documents import ProfileResponse
from apps.dicee.services.record import fairness
from apps.dicee.services.review.profile import summarise
from apps.practice.services import progress
from tests.apps.dicee.clients import Program
from tests.apps.dicee.conftest import play_out
from tests.apps.dicee.test_page_table import browser, url


@pytest.fixture
def game(alice: Player) -> Game:
    return services.create(alice, "solo", {"rated": True})


def test_a_rated_table_is_without_the_coach(game: Game) -> None:
    chosen = services.settings_of(game)
    assert (chosen.rated, chosen.statistics, chosen.hints, chosen.allow_undo) == (True, False, False, False)


@pytest.mark.parametrize("name", ["statistics", "hints", "allowUndo"])
def test_a_rated_table_with_the_coach_is_refused_by_name(alice: Player, name: str) -> None:
    with pytest.raises(services.Refused) as refused:
        services.create(alice, "solo", {"rated": True, name: True})
    assert refused.value.details["field"] == name
    reply = Program(alice).post("games", {"settings": {"rated": True, name: True}})
    assert (reply.status_code, reply.json()["error"]["details"]["field"]) == (422, name)


def test_no_door_of_a_rated_game_shows_an_answer(game: Game, alice: Player) -> None:
    pages.keep_look(alice, {"tutored": True, "decide": False, "always": True})
    client = browser(alice)
    client.post(url(game, "roll"))
    page = client.get(url(game)).content.decode()
    assert 'id="holds"' not in page
    assert pages.table_page(game, alice).numbers is None
    assert client.post(url(game, "hint"), {"level": "3"}).status_code == 403
    assert client.post(url(game, "simulate"), {"games": "10000"}).status_code == 403
    assert client.get(url(game, "csv")).content.decode().count("\n") == 1, "the header alone"
    with pytest.raises(services.Refused):
        socket.handle(game, alice, {"type": "request_hint"})
    told = socket.handle(game, alice, {"type": "roll", "keptMask": [True] * 4 + [False], "requestProbabilities": True})
    assert told.probabilities is None
    services.score(game, alice, "chance")
    with pytest.raises(services.Refused):
        services.undo(game, alice)
    assert [decision.assisted for decision in review.story(game, alice.pk).decisions] == [False, False]


def test_the_profile_quotes_rated_games_alone(game: Game, alice: Player) -> None:
    other = services.create(alice)
    play_out(other, alice)
    summarise(other)
    program = Program(alice)

    def profile() -> ProfileResponse:
        return ProfileResponse.model_validate(program.get(f"players/{alice.pk}/profile").json())

    assert profile().rating is None
    assert progress.rating_of(alice) is not None
    play_out(game, alice)
    summarise(game)
    found = profile()
    assert found.rating is not None
    assert (found.rating.rated_games, found.rating.settled) == (1, False)
    low, high = found.rating.interval90
    assert low < found.rating.rating < high
    assert found.games_completed == 2
    checked = fairness.verify(game)
    assert checked is not None
    assert checked.fair
    assert "Rated games" in browser(alice).get("/classroom/progress/").content.decode()


def test_rated_games_are_offered_after_the_third_until_answered(alice: Player) -> None:
    client = browser(alice)

    def offered() -> bool:
        return "Play for a rating?" in client.get("/dicee/").content.decode()

    for _ in range(rated.OFFERED_AFTER):
        assert not offered()
        play_out(services.create(alice), alice)
    assert offered()
    client.post("/dicee/no-rated/")
    assert not offered()


def test_the_offer_begins_a_rated_game(alice: Player) -> None:
    form: dict[str, Any] = {"against": "solo", "rated": "on", "statistics": "on", "hints": "on", "undo": "on"}
    browser(alice).post("/dicee/new/", form)
    made = Game.objects.get()
    assert services.settings_of(made).rated
    assert not services.settings_of(made).statistics
    assert not rated.is_offered(alice)

"""Only a decision taken with no answer in sight shows skill (ruling D20)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from apps.accounts.models import Player
from apps.dicee import services
from apps.dicee.models import Game
from apps.dicee.services import page as pages
from apps.dicee.services import review
from apps.dicee.services.api import messages as socket
from apps.practice.services.progress import observations
from tests.apps.dicee.clients import Program
from tests.apps.dicee.test_page_table import browser, url


def play_turn(game: Game, player: Player, shown: Mapping[int, str]) -> None:
    """Three rolls and a score, with what the page says of the answers at each decision (after roll 1, 2 and 3)."""
    client = browser(player)
    client.post(url(game, "roll"))
    for roll in (1, 2):
        client.post(url(game, "roll"), {"keep": ["1"], "answers": shown.get(roll, "")})
    client.post(url(game, "score"), {"box": "chance", "answers": shown.get(3, "")})


def assisted(game: Game, player: Player) -> list[bool]:
    return [decision.assisted for decision in review.story(game, player.pk).decisions]


@pytest.mark.parametrize("shown", [{}, {1: "1"}, {2: "1", 3: "1"}])
def test_each_decision_keeps_whether_an_answer_was_in_sight(
    solo: Game, alice: Player, shown: Mapping[int, str]
) -> None:
    play_turn(solo, alice, shown)
    assert assisted(solo, alice) == [roll in shown for roll in (1, 2, 3)]
    seen = observations(review.story(solo, alice.pk))
    assert [each.assisted for each in seen] == [roll in shown for roll in (1, 2, 3)]


def test_a_hint_counts_for_the_decision_it_was_given_for(solo: Game, alice: Player) -> None:
    client = browser(alice)
    client.post(url(solo, "roll"))
    client.post(url(solo, "hint"), {"level": "3"})
    client.post(url(solo, "roll"), {"keep": ["1"]})
    client.post(url(solo, "roll"), {"keep": ["1"]})
    assert assisted(solo, alice) == [True, False]


PAGE_DOORS = {"hint": {"level": "1"}, "reveal": {}, "holds.csv": None, "breakdown": None}


@pytest.mark.parametrize("door", PAGE_DOORS)
def test_an_answer_that_went_out_is_remembered_whatever_the_form_says(solo: Game, alice: Player, door: str) -> None:
    client = browser(alice)
    client.post(url(solo, "roll"))
    address, form = (url(solo, "csv") if door == "holds.csv" else url(solo, door)), PAGE_DOORS[door]
    response = client.get(address) if form is None else client.post(address, form)
    assert response.status_code in (200, 204)
    client.post(url(solo, "roll"), {"keep": ["1"], "answers": ""})
    client.post(url(solo, "score"), {"box": "chance", "answers": ""})
    assert assisted(solo, alice) == [True, False]


def test_a_page_with_its_values_open_is_remembered_whatever_the_form_says(solo: Game, alice: Player) -> None:
    pages.keep_look(alice, {"tutored": True, "decide": False})
    client = browser(alice)
    client.post(url(solo, "roll"))
    client.get(url(solo))
    pages.keep_look(alice, {"stats": False})
    client.post(url(solo, "roll"), {"keep": ["1"], "answers": ""})
    client.get(url(solo))
    client.post(url(solo, "score"), {"box": "chance", "answers": ""})
    assert assisted(solo, alice) == [True, False]


def test_switching_the_numbers_on_for_a_moment_is_remembered(solo: Game, alice: Player) -> None:
    pages.keep_look(alice, {"tutored": True, "stats": False, "decide": False})
    client = browser(alice)
    client.post(url(solo, "roll"))
    client.post("/dicee/look/", {"offered": "stats", "stats": "on"})
    client.post("/dicee/look/", {"offered": "stats"})
    client.post(url(solo, "roll"), {"keep": ["1"]})
    assert assisted(solo, alice) == [True]


def test_a_guess_uncovers_the_numbers_of_its_roll(solo: Game, alice: Player) -> None:
    pages.keep_look(alice, {"tutored": True, "predict": True, "decide": False})
    client = browser(alice)
    client.post(url(solo, "roll"))
    client.get(url(solo))
    target = pages.table_page(solo, alice).target
    assert target is not None
    client.post(url(solo, "predict"), {"box": target.name, "percent": "30"})
    client.post(url(solo, "roll"), {"keep": ["1"]})
    client.post(url(solo, "roll"), {"keep": ["1"]})
    assert assisted(solo, alice) == [True, False]
    assert review.story(solo, alice.pk).decisions[0].screen.guessed


def test_best_dice_held_by_a_button_show_no_skill(solo: Game, alice: Player) -> None:
    client = browser(alice)
    client.post(url(solo, "roll"))
    client.post(url(solo, "roll"), {"keep": ["1"], "held_best": "1"})
    assert assisted(solo, alice) == [True]


def test_a_score_taken_back_had_its_verdict(alice: Player) -> None:
    game = services.create(alice, "solo", {"allowUndo": True})
    services.roll(game, alice)
    services.score(game, alice, "chance")
    services.undo(game, alice)
    services.score(game, alice, "ones")
    services.roll(game, alice)
    services.score(game, alice, "chance")
    assert assisted(game, alice) == [True, False]


@pytest.mark.parametrize("fact", ["hintRequested", "answersInSight"])
def test_a_program_says_it_of_keeps_and_scores(solo: Game, alice: Player, fact: str) -> None:
    program = Program(alice)
    for path, body in (
        ("roll", {}),
        ("roll", {"keptMask": [True] * 4 + [False], fact: True}),
        ("roll", {"keptMask": [True] * 4 + [False]}),
        ("score", {"category": "chance", fact: True}),
    ):
        assert program.post(f"games/{solo.pk}/{path}", body).status_code == 200
    assert assisted(solo, alice) == [True, False, True]
    assert {screen.door for screen in solo.decision_screens.all()} == {"api"}


SOCKET_DOORS: dict[str, list[dict[str, Any]]] = {
    "a hint asked for": [{"type": "roll"}, {"type": "request_hint"}],
    "the odds asked for with the roll": [{"type": "roll", "requestProbabilities": True}],
}


@pytest.mark.parametrize("door", SOCKET_DOORS)
def test_what_the_socket_told_is_remembered(solo: Game, alice: Player, door: str) -> None:
    keep = [True, False, False, False, False]
    for message in (*SOCKET_DOORS[door], {"type": "roll", "keptMask": keep}, {"type": "score", "category": "chance"}):
        socket.handle(solo, alice, message)
    assert assisted(solo, alice) == [True, False]


@pytest.mark.parametrize("fact", ["hintRequested", "answersInSight"])
def test_a_socket_says_it_of_keeps_and_scores(solo: Game, alice: Player, fact: str) -> None:
    socket.handle(solo, alice, {"type": "roll"})
    socket.handle(solo, alice, {"type": "roll", "keptMask": [True] * 4 + [False], fact: True})
    socket.handle(solo, alice, {"type": "score", "category": "chance", fact: True})
    assert assisted(solo, alice) == [True, True]


def test_the_screen_is_remembered_with_every_decision(solo: Game, alice: Player) -> None:
    pages.keep_look(alice, {"tutored": True, "profile": "beginner"})
    play_turn(solo, alice, {})
    seen = [decision.screen for decision in review.story(solo, alice.pk).decisions]
    assert [(screen.profile, screen.statistics, screen.door, screen.values) for screen in seen if screen] == [
        ("beginner", True, "page", False)
    ] * 3


def test_the_page_says_whether_its_numbers_are_in_sight(solo: Game, alice: Player) -> None:
    pages.keep_look(alice, {"tutored": True})
    services.roll(solo, alice)
    assert not pages.table_page(solo, alice).shows_answers  # decide first is the default
    for look, in_sight in (({"decide": False}, True), ({"stats": False}, False), ({"always": True}, True)):
        pages.keep_look(alice, look)
        alice.refresh_from_db()
        assert pages.table_page(solo, alice).shows_answers is in_sight


def test_the_report_says_how_many_were_taken_with_the_coach(solo: Game, alice: Player) -> None:
    play_turn(solo, alice, {1: "1", 3: "1"})
    services.abandon(solo, alice)
    solo.refresh_from_db()
    assert review.report(solo, alice).coached == 2
    assert "2 with the coach, not rated" in browser(alice).get(url(solo, "report")).content.decode()

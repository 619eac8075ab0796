"""Only a decision taken with no answer in sight shows skill (ruling D20)."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from apps.accounts.models import Player
from apps.dicee import services
from apps.dicee.models import Game
from apps.dicee.services import page as pages
from apps.dicee.services import review
from apps.practice.services.progress import observations
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

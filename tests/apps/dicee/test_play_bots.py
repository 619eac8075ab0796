"""Against bots: they roll the same dice, play at once, and each plays as its name says."""

from __future__ import annotations

import pytest

from apps.accounts.models import Player
from apps.dicee import services
from apps.dicee.services import store
from engine.dicee.game.events import Scored
from tests.apps.dicee.conftest import play_out


def test_bots_have_moved_when_the_request_is_answered(alice: Player) -> None:
    game = services.create(alice, "bots", bots=["random", "greedy", "turn_optimal", "perfect"])
    for _ in range(3):
        assert services.table(game, alice).my_turn
        services.roll(game, alice)
        outcome = services.score(game, alice, store.current(game).seat.card.open_boxes[0])
        scores = [event for event in outcome.events if isinstance(event, Scored)]
        assert len({event.trace_id for event in outcome.events}) == 1  # one request, one trace
        assert scores[0].player_id == alice.pk
        assert len({event.player_id for event in scores}) == len(scores)


def test_a_game_with_bots_is_played_to_its_end(alice: Player) -> None:
    game = services.create(alice, "bots", bots=["greedy", "perfect"])
    play_out(game, alice)
    assert game.status == "completed"
    assert all(seat.final_score is not None for seat in game.seats.all())
    turns = [
        len([e for e in store.stream(game) if isinstance(e, Scored) and e.player_id == s.player_ref])
        for s in game.seats.all()
    ]
    assert turns == [13, 13, 13]


def test_a_perfect_bot_plays_as_well_as_it_can_until_the_game_is_solved(
    alice: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ODDSMITH_TABLES_DIR", "/nonexistent")
    game = services.create(alice, "bots", bots=["perfect"])
    services.roll(game, alice)
    outcome = services.score(game, alice, "chance")
    assert {event.player_id for event in outcome.events if isinstance(event, Scored)} > {alice.pk}
    assert all(event.horizon == "turn" for event in outcome.events if isinstance(event, Scored))


def test_the_game_ends_when_the_last_person_leaves(alice: Player) -> None:
    game = services.create(alice, "bots", bots=["greedy", "random"])
    services.abandon(game, alice)
    game.refresh_from_db()
    assert game.status == "abandoned"


@pytest.mark.parametrize(
    ("mode", "bots"), [("bots", []), ("bots", ["greedy"] * 6), ("solo", ["greedy"]), ("bots", ["x"])]
)
def test_a_party_that_cannot_sit_down(alice: Player, mode: str, bots: list[str]) -> None:
    with pytest.raises(services.Refused) as refused:
        services.create(alice, mode, bots=bots)
    assert refused.value.details["field"] == "bots"

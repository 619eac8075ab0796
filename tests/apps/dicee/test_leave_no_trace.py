"""A player signs in, asks for everything, or leaves: games stay whole, the name and the id go (ruling D17)."""

from __future__ import annotations

import json
import uuid

import pytest
from django.db import IntegrityError, connection, transaction

from apps.accounts import services as accounts
from apps.accounts.models import Player
from apps.dicee import player_data, services
from apps.dicee.models import Game, GameEvent
from apps.dicee.services import review, store
from engine.dicee.game.state import replay
from tests.apps.dicee.conftest import play_out

pytestmark = pytest.mark.service


def everything(game: Game) -> str:
    rows = list(game.events.values_list("payload", flat=True)) + list(game.seats.values_list("player_ref", "name"))
    return json.dumps(rows, default=str)


def test_events_keep_order_and_content_under_another_id(duel: Game, alice: Player, bob: Player) -> None:
    services.abandon(duel, alice)
    before = [(e.seq, e.type, e.pk) for e in duel.events.all()]
    old, number = str(alice.pk), store.current(duel).sequence
    assert old in everything(duel)
    accounts.delete(alice)
    assert old not in everything(duel)
    assert "Alice" not in everything(duel)
    assert [(e.seq, e.type, e.pk) for e in duel.events.all()] == before
    duel.refresh_from_db()
    assert replay(store.stream(duel)).sequence == number
    names = {place.name for place in services.table(duel, bob).places}
    assert names == {"Bob", player_data.DEPARTED}
    services.roll(duel, bob)  # and the others play on


def test_one_player_is_one_tombstone_across_games(alice: Player) -> None:
    games = [services.create(alice), services.create(alice)]
    accounts.delete(alice)
    assert len({game.seats.get().player_ref for game in games}) == 1


def test_a_report_of_the_departed_can_still_be_read(solo: Game, alice: Player) -> None:
    play_out(solo, alice)
    score = review.report(solo, alice).score
    accounts.delete(alice)
    solo.refresh_from_db()
    assert review.report(solo, None).score == score


def test_a_guests_games_go_on_under_the_account(solo: Game, alice: Player, bob: Player) -> None:
    player_data.hand_over(alice, bob)
    services.roll(solo, bob)
    with pytest.raises(services.Refused):
        services.roll(solo, alice)
    assert solo.seats.get().player_ref == alice.pk  # what was written stays written


def test_everything_of_a_player_can_be_taken_along(duel: Game, alice: Player) -> None:
    copy = accounts.export(alice)["diceeGames"]
    assert [game["id"] for game in copy] == [str(duel.pk)]
    assert len(copy[0]["events"]) == duel.events.count()


def test_an_event_is_written_once(solo: Game) -> None:
    event = solo.events.first()
    assert event is not None
    event.type = "other"
    with pytest.raises(TypeError):
        event.save()
    with pytest.raises(TypeError):
        event.delete()


if connection.vendor == "postgresql":  # the trigger is PostgreSQL's; elsewhere there is nothing to skip

    class TestTheDatabaseItself:
        """Not even a query past the model changes a domain event."""

        def test_no_update(self, solo: Game) -> None:
            with pytest.raises(IntegrityError, match="append-only"), transaction.atomic():
                solo.events.update(type="other")

        def test_no_delete(self, solo: Game) -> None:
            with pytest.raises(IntegrityError, match="append-only"), transaction.atomic():
                GameEvent.objects.filter(game=solo).delete()

        def test_the_tombstone_lets_nothing_else_through(self, solo: Game, alice: Player) -> None:
            player_data._tell_the_trigger(f"{alice.pk}>{uuid.uuid4()}")
            with pytest.raises(IntegrityError, match="append-only"), transaction.atomic():
                solo.events.filter(type="game_started").update(payload={"firstPlayerId": "someone"})

        def test_it_closes_again(self, solo: Game, alice: Player) -> None:
            accounts.delete(alice)
            with pytest.raises(IntegrityError, match="append-only"), transaction.atomic():
                solo.events.update(seq=1000)

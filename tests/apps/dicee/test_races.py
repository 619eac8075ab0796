"""Two at once: exactly one event, a clean named error, nothing lost. Real threads on a real database."""

from __future__ import annotations

import secrets
import time
import uuid
from functools import partial
from typing import Any

import pytest
from django.db import transaction

from apps.accounts.models import Player
from apps.dicee import services, tokens
from apps.dicee.models import Game, Stream
from apps.dicee.services import store
from engine.dicee.game.state import replay
from tests.apps.support import at_once

pytestmark = [pytest.mark.service, pytest.mark.django_db(transaction=True)]


def split(results: list[Any]) -> tuple[list[services.MoveOutcome], list[str]]:
    done = [result for result in results if isinstance(result, services.MoveOutcome)]
    codes = [result.code for result in results if isinstance(result, services.Refused)]
    assert len(done) + len(codes) == len(results), results
    return done, codes


def whole(game: Game) -> None:
    """No gaps, and a stream that obeys every rule."""
    numbers = list(game.events.filter(stream=Stream.DOMAIN).values_list("seq", flat=True))
    assert numbers == list(range(1, len(numbers) + 1))
    assert replay(store.stream(game)).sequence == len(numbers)


def fresh() -> tuple[Player, Game]:
    player = Player.objects.create(pseudonym="Alice")
    return player, services.create(player)


def test_two_tabs_scoring_at_once() -> None:
    alice, game = fresh()
    seen = services.roll(game, alice).state.sequence
    done, codes = split(
        at_once(
            lambda: services.score(game, alice, "chance", seen=seen),
            lambda: services.score(game, alice, "ones", seen=seen),
        )
    )
    assert len(done) == 1
    assert codes == ["ERR_CONFLICT"]
    assert game.events.filter(type="score").count() == 1
    whole(game)


def test_even_a_client_that_does_not_say_what_it_saw_scores_once() -> None:
    alice, game = fresh()
    services.roll(game, alice)
    done, codes = split(at_once(*[lambda: services.score(game, alice, "chance")] * 4))
    assert len(done) == 1
    assert codes == ["ERR_INVALID_TURN"] * 3
    assert store.current(game).seats[0].card.turns_completed == 1
    whole(game)


def test_a_request_sent_again_happens_once_and_is_answered_the_same() -> None:
    alice, game = fresh()
    key = uuid.uuid4()
    first = services.roll(game, alice, key=key)
    services.roll(game, alice, [True] * 4 + [False])
    again = services.roll(game, alice, key=key)
    assert again.events == first.events
    assert again.state == first.state
    assert game.events.filter(type="roll").count() == 2


def test_a_request_sent_several_times_at_once() -> None:
    alice = Player.objects.create(pseudonym="Alice")
    for _ in range(10):  # what goes wrong between two looks goes wrong once in a while
        game, key = services.create(alice), uuid.uuid4()
        ask = partial(services.roll, game, alice, key=key)
        done, codes = split(at_once(*[ask] * 4))
        assert codes == []
        assert len({outcome.events for outcome in done}) == 1
        assert game.events.filter(type="roll").count() == 1
        whole(game)


def test_many_rolls_at_once_are_three_at_most() -> None:
    alice, game = fresh()
    services.roll(game, alice)
    done, codes = split(at_once(*[lambda: services.roll(game, alice, [False] * 5)] * 5))
    assert len(done) == 2
    assert codes == ["ERR_INVALID_TURN"] * 3
    whole(game)


def test_the_last_seat_is_taken_once() -> None:
    alice = Player.objects.create(pseudonym="Alice")
    game = services.create(alice, "multiplayer", bots=["random"] * 4)
    late = [Player.objects.create(pseudonym=f"P{n}") for n in range(3)]
    results = at_once(*[lambda p=p: services.join(game.code, p) for p in late])
    assert sum(isinstance(result, Game) for result in results) == 1
    assert sum(isinstance(r, services.Refused) and r.code == "ERR_FORBIDDEN" for r in results) == 2
    assert game.seats.count() == 6
    whole(game)


def test_a_table_asked_for_several_times_at_once_is_one_table() -> None:
    alice, key = Player.objects.create(pseudonym="Alice"), uuid.uuid4()
    results = at_once(*[lambda: services.create(alice, key=key)] * 4)
    assert {result.pk for result in results} == {key}
    assert Game.objects.count() == 1
    whole(results[0])


def test_two_tables_do_not_share_a_code(monkeypatch: pytest.MonkeyPatch) -> None:
    alice, game = fresh()
    drawn = iter([game.code, game.code, "FRESH"])
    monkeypatch.setattr(Game._meta.get_field("code"), "default", lambda: next(drawn))
    monkeypatch.setattr(Game._meta.get_field("code"), "_get_default", lambda: next(drawn))
    assert services.create(alice).code == "FRESH"


def test_a_stranger_in_between_changes_nothing() -> None:
    alice, game = fresh()
    carol = Player.objects.create(pseudonym="Carol")
    done, codes = split(at_once(lambda: services.roll(game, alice), lambda: services.roll(game, carol)))
    assert len(done) == 1
    assert codes == ["ERR_FORBIDDEN"]
    assert game.events.filter(type="roll").count() == 1


def test_a_state_that_was_rolled_back_is_not_remembered() -> None:
    alice, game = fresh()
    with transaction.atomic():
        services.roll(game, alice)
        transaction.set_rollback(True)
    assert store.current(game).dice == ()
    assert services.roll(game, alice).state.roll_number == 1


def test_a_refused_move_is_logged_under_its_trace_and_writes_nothing(caplog: pytest.LogCaptureFixture) -> None:
    alice, game = fresh()
    key = uuid.uuid4()
    with caplog.at_level("INFO"), pytest.raises(services.Refused):
        services.score(game, alice, "chance", key=key)
    assert f"trace {key}: ERR_" in caplog.text
    assert not game.events.filter(trace_id=key).exists()


def test_the_last_token_is_made_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Between counting and adding passes time enough for everybody to have counted."""

    def slow_secret(size: int) -> str:
        time.sleep(0.1)
        return secrets.token_hex(size)

    monkeypatch.setattr(secrets, "token_urlsafe", slow_secret)
    alice = Player.objects.create(pseudonym="Alice")
    for number in range(tokens.MOST - 1):
        tokens.issue(alice, f"bot {number}")
    results = at_once(*[lambda: tokens.issue(alice, "one more")] * 4)
    assert sum(isinstance(result, tokens.TooManyTokensError) for result in results) == 3, results
    assert alice.api_tokens.count() == tokens.MOST

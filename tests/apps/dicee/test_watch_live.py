"""The socket of RFC-003 §7 over a real stack and a real Valkey: play, watch, lose the connection, come back."""

from __future__ import annotations

import uuid
from collections.abc import AsyncIterator
from typing import Any

import pytest
from channels.db import database_sync_to_async
from channels.testing import WebsocketCommunicator
from django.db import connections

from apps.accounts.models import Player
from apps.accounts.services import rename
from apps.dicee import consumers, services, tokens
from apps.dicee.models import Game
from apps.dicee.services import chances, horizon, store
from apps.dicee.services.api.messages import FROM_SERVER
from apps.dicee.services.record import telemetry
from config.asgi import application
from tests.apps.dicee.conftest import on_turn
from tests.apps.support import PATIENCE, Socket, person, session_of

pytestmark = [pytest.mark.service, pytest.mark.django_db(transaction=True)]

sync = database_sync_to_async
BY_TYPE = {model.model_fields["type"].default: model for model in FROM_SERVER}


@pytest.fixture(autouse=True)
async def _leave_no_connection() -> AsyncIterator[None]:
    """The thread that sockets read the database in keeps its connection; PostgreSQL cannot drop a database in use."""
    yield
    await sync(connections.close_all)()


class Tab(Socket):
    """A client at a table. Everything it hears is checked against the exported schema."""

    def __init__(self, player: Player | None, game_id: object, query: str = "", by: str = "token") -> None:
        secret = tokens.issue(player, "test")[1] if player is not None and by != "session" else None
        if by == "address" and secret:
            query += f"&token={secret}"
        super().__init__(
            f"/ws/v1/game/{game_id}?{query}",
            cookie=session_of(player) if player is not None and by == "session" else None,
            bearer=secret if by == "token" else None,
        )

    def check(self, message: dict[str, Any]) -> None:
        BY_TYPE[message["type"]].model_validate(message)


def solo() -> tuple[Player, Game]:
    alice = person("Alice")
    return alice, services.create(alice)


def duel() -> tuple[Player, Player, Game]:
    alice, bob = person("Alice"), person("Bob")
    game = services.create(alice, "multiplayer")
    services.join(game.code, bob)
    services.start(game, alice)
    return (alice, bob, game) if on_turn(game) == alice else (bob, alice, game)


@pytest.mark.parametrize("by", ["token", "session", "address"])
async def test_first_the_present_then_the_moves(by: str) -> None:
    alice, game = await sync(solo)()
    async with await sync(Tab)(alice, game.pk, by=by) as tab:
        assert (await tab.hear())["status"] == "connected"
        state = await tab.hear()
        assert state["gameState"]["sequenceNumber"] == 2
        assert len(state["gameState"]["events"]) == 2
        await tab.say(type="roll", requestProbabilities=True)
        rolled = await tab.hear()
        assert rolled["type"] == "roll_result"
        assert rolled["probabilities"]["categories"]["chance"]["probability"] == 1
        dice = (await tab.hear("state_update"))["gameState"]["currentTurn"]["currentDice"]
        assert dice == rolled["event"]["diceResult"]
        await tab.say(type="score", category="chance")
        assert (await tab.hear("state_update"))["gameState"]["players"][0]["scorecard"]["chance"] == sum(dice)
        assert (await tab.hear("turn_changed"))["turnNumber"] == 2


async def test_the_other_player_sees_it_live_and_is_told_whose_turn_it_is() -> None:
    first, second, game = await sync(duel)()
    async with await sync(Tab)(first, game.pk) as one, await sync(Tab)(second, game.pk) as two:
        await two.hear("state_update")
        await one.say(type="roll")
        rolled = await two.hear("roll_result")
        assert rolled["event"]["playerId"] == str(first.pk)
        await one.say(type="score", category="chance")
        turn = await two.hear("turn_changed")
        assert turn["newPlayerId"] == str(second.pk)
        await two.say(type="roll")
        assert (await one.hear("turn_changed"))["newPlayerId"] == str(second.pk)
        assert (await one.hear("roll_result"))["event"]["playerId"] == str(second.pk)


async def test_nothing_is_told_twice() -> None:
    alice, game = await sync(solo)()
    async with await sync(Tab)(alice, game.pk) as tab:
        await tab.hear("state_update")
        await tab.say(type="roll")
        await tab.hear("roll_result")
        await tab.hear("state_update")
        assert await tab.socket.receive_nothing(timeout=0.3)


async def test_a_page_hears_only_that_something_changed() -> None:
    alice, game = await sync(solo)()
    async with await sync(Tab)(alice, game.pk, "page", by="session") as page:
        assert (await page.hear("changed"))["seq"] == 2
        await sync(services.roll)(game, alice)
        assert await page.hear() == {"type": "changed", "seq": 3}
        await sync(services.score)(game, alice, "chance")
        assert await page.hear() == {"type": "changed", "seq": 4}


async def test_who_was_away_is_told_how_it_stands() -> None:
    first, second, game = await sync(duel)()
    async with await sync(Tab)(second, game.pk) as before:
        await before.hear("state_update")
    await sync(services.roll)(game, first)
    await sync(services.score)(game, first, "chance")
    async with await sync(Tab)(second, game.pk) as again:
        await again.say(type="join", playerId=str(second.pk), clientVersion="1.0.0", reconnect=True)
        state = (await again.hear("state_update"))["gameState"]
        assert state["currentTurn"]["playerId"] == str(second.pk)
        assert state["sequenceNumber"] == await sync(lambda: store.current(game).sequence)()


async def test_a_word_that_was_lost_is_made_good(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(consumers, "LOOK_AGAIN_EVERY", 0.05)
    alice, game = await sync(solo)()
    async with await sync(Tab)(alice, game.pk) as tab:
        await tab.hear("state_update")
        monkeypatch.setattr(store, "broadcast", lambda *_: None)
        await sync(services.roll)(game, alice)
        assert (await tab.hear("state_update"))["gameState"]["sequenceNumber"] == 3


@pytest.mark.parametrize(
    ("message", "code"),
    [
        ({"type": "score", "category": "chance"}, "ERR_INVALID_TURN"),
        ({"type": "roll", "keptMask": [True] * 5}, "ERR_INVALID_DICE"),
        ({"type": "roll", "seen": 1}, "ERR_CONFLICT"),
        ({"type": "roll", "seen": "lately"}, "ERR_INVALID_INPUT"),
        ({"type": "roll", "seen": -1}, "ERR_INVALID_INPUT"),
        ({"type": "roll", "key": "mine"}, "ERR_INVALID_INPUT"),
        ({"type": "dance"}, "ERR_INVALID_INPUT"),
        ({"type": "score", "category": "nines"}, "ERR_INVALID_CATEGORY"),
    ],
)
async def test_a_refusal_has_a_code_and_the_connection_stays(message: dict[str, Any], code: str) -> None:
    alice, game = await sync(solo)()
    async with await sync(Tab)(alice, game.pk) as tab:
        await tab.hear("state_update")
        await tab.say(**message)
        assert (await tab.hear("error"))["errorCode"] == code
        await tab.socket.send_to(text_data="{")
        assert (await tab.hear("error"))["errorCode"] == "ERR_INVALID_JSON"
        await tab.say(type="roll")
        await tab.hear("roll_result")


async def test_a_hint_on_ones_own_turn_only() -> None:
    first, second, game = await sync(duel)()
    await sync(services.roll)(game, first)
    async with await sync(Tab)(first, game.pk) as one, await sync(Tab)(second, game.pk) as two:
        await one.say(type="request_hint", explanationDepth="minimal")
        hint = (await one.hear("hint"))["recommendation"]
        assert hint["action"] in ("reroll", "score")
        assert len(hint["reasoning"]) <= 200
        await two.say(type="request_hint")
        assert (await two.hear("error"))["errorCode"] == "ERR_NOT_YOUR_TURN"


async def test_a_look_at_a_box_is_noted_with_what_it_was_worth(monkeypatch: pytest.MonkeyPatch) -> None:
    handed: list[tuple[Any, ...]] = []
    monkeypatch.setattr(telemetry.current_app, "send_task", lambda name, arguments: handed.append((name, *arguments)))
    alice, game = await sync(solo)()
    dice = (await sync(services.roll)(game, alice)).state.dice
    async with await sync(Tab)(alice, game.pk) as tab:
        await tab.hear("state_update")
        await tab.say(type="hover", category="chance", hoverStartTime=0)
        await tab.say(type="roll", keptMask=[True] * 4 + [False])
        await tab.hear("roll_result")
    note = next(notes[0] for name, _, *notes in handed if name == "dicee.keep_telemetry")[0]
    assert (note["eventType"], note["categoryHovered"], note["wouldScore"]) == ("hover", "chance", sum(dice))
    assert note["hoverDuration"] > 0


async def test_a_table_without_hints_gives_none() -> None:
    alice = await sync(person)("Alice")
    game = await sync(services.create)(alice, "solo", {"hints": False})
    async with await sync(Tab)(alice, game.pk) as tab:
        await tab.say(type="request_hint")
        assert (await tab.hear("error"))["errorCode"] == "ERR_FORBIDDEN"


async def test_joining_takes_a_seat_at_a_waiting_table_but_only_ones_own() -> None:
    alice, bob = await sync(person)("Alice"), await sync(person)("Bob")
    game = await sync(services.create)(alice, "multiplayer")
    async with await sync(Tab)(bob, game.pk) as tab:
        await tab.hear("state_update")
        await tab.say(type="join", playerId=str(alice.pk), clientVersion="1.0.0")
        assert (await tab.hear("error"))["errorCode"] == "ERR_FORBIDDEN"
        await tab.say(type="join", playerId=str(bob.pk), clientVersion="1.0.0")
        assert len((await tab.hear("state_update"))["gameState"]["players"]) == 2


@pytest.mark.parametrize("who", ["stranger", "visitor"])
async def test_a_private_game_is_not_watched(who: str) -> None:
    _, game = await sync(solo)()
    carol = await sync(person)("Carol") if who == "stranger" else None
    async with await sync(Tab)(carol, game.pk) as tab:
        assert (await tab.hear())["status"] == "disconnected"
        assert await tab.closed() == consumers.FORBIDDEN


async def test_spectators_watch_and_cannot_move() -> None:
    alice = await sync(person)("Alice")
    game = await sync(services.create)(alice, "solo", {"spectators": True})
    async with await sync(Tab)(None, game.pk) as tab:
        await tab.hear("state_update")
        await tab.say(type="roll")
        assert (await tab.hear("error"))["errorCode"] == "ERR_UNAUTHORIZED"
        await sync(services.roll)(game, alice)
        await tab.hear("roll_result")


async def test_a_game_that_does_not_exist() -> None:
    async with await sync(Tab)(None, uuid.uuid4()) as tab:
        assert await tab.closed() == consumers.NOT_FOUND


async def test_another_site_cannot_use_the_players_cookie() -> None:
    alice, game = await sync(solo)()
    tab = await sync(Tab)(alice, game.pk, by="session")
    tab.socket.scope["headers"] = [
        (k, b"https://evil.example" if k == b"origin" else v) for k, v in tab.socket.scope["headers"]
    ]
    assert not (await tab.socket.connect())[0]


async def test_a_program_needs_no_origin_and_a_browser_does() -> None:
    alice, game = await sync(solo)()
    secret = (await sync(tokens.issue)(alice, "test"))[1]
    cookie = f"sessionid={await sync(session_of)(alice)}".encode()
    bearer = (b"authorization", f"Bearer {secret}".encode())
    path, host, elsewhere = f"/ws/v1/game/{game.pk}", (b"host", b"localhost"), (b"origin", b"http://evil.example")
    for address, headers, allowed in (
        (path, [host, bearer], True),
        (f"{path}?token={secret}", [host], True),
        (path, [host, (b"cookie", cookie)], False),
        (path, [host, bearer, elsewhere], False),
    ):
        socket = WebsocketCommunicator(application, address, headers=headers)
        connected, _ = await socket.connect(timeout=PATIENCE)
        assert connected is allowed
        await socket.disconnect()


async def test_a_move_repeated_with_its_key_gets_the_same_answer() -> None:
    alice, game = await sync(solo)()
    key = str(uuid.uuid4())
    async with await sync(Tab)(alice, game.pk) as tab:
        await tab.hear("state_update")
        heard = []
        for _ in range(2):
            await tab.say(type="roll", key=key)
            rolled, update = await tab.hear("roll_result"), await tab.hear("state_update")
            heard.append((rolled, update["gameState"]["sequenceNumber"]))
        assert heard[0] == heard[1]
        assert await tab.socket.receive_nothing(timeout=0.3)


async def test_a_reaction_and_a_new_name_reach_pages_only() -> None:
    first, second, game = await sync(duel)()
    async with (
        await sync(Tab)(second, game.pk, "page", by="session") as page,
        await sync(Tab)(second, game.pk) as program,
    ):
        await page.hear("changed")
        await program.hear("state_update")
        await sync(services.react)(game, first, "wow")
        heard = await page.hear("reaction")
        assert heard == {"type": "reaction", "playerId": str(first.pk), "text": f"{first.pseudonym}: 😮 Wow"}
        await sync(rename)(first, "Ada")
        assert await page.hear() == {"type": "look_again"}
        assert await program.socket.receive_nothing(timeout=0.3)
        with pytest.raises(services.Refused):
            await sync(services.react)(game, first, "rude")


async def test_the_win_bar_and_the_solved_game_are_announced() -> None:
    first, _, game = await sync(duel)()
    async with await sync(Tab)(first, game.pk) as tab:
        await tab.hear("state_update")
        await sync(chances.refresh)(game, await sync(store.current)(game))
        bar = (await tab.hear("chances"))["chances"]
        assert sum(seat["probability"] for seat in bar) == pytest.approx(1)
        await sync(horizon.broadcast_ready)()
        await tab.hear("horizon_ready")

"""What tests of several rooms need: people, moves at the same moment, a live page's socket."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any, Self

from channels.testing import WebsocketCommunicator
from django.db import connection, connections
from django.test import Client

from apps.accounts.models import Player
from apps.accounts.services import SESSION_KEY
from config.asgi import application

PATIENCE = 30  # seconds a message may take on a busy machine: a ceiling, never a pause


def guest(name: str) -> tuple[Client, Player]:
    """Somebody who has done one thing, and therefore has a row and a cookie."""
    client = Client()
    client.post("/account/rename/", {"pseudonym": name})
    return client, Player.objects.get(pseudonym=name)


def person(name: str) -> Player:
    """Somebody who is known, without a browser."""
    return Player.objects.create(pseudonym=name)


def session_of(player: Player) -> str:
    """The cookie of a new browser in which this player is known."""
    session = Client().session
    session[SESSION_KEY] = str(player.pk)
    session.save()
    return str(session.session_key)


def at_once(*actions: Callable[[], Any]) -> list[Any]:
    """Run actions in threads that start together; what each answered or raised, in order."""
    results: list[Any] = [None] * len(actions)
    line = threading.Barrier(len(actions))

    def run(number: int, action: Callable[[], Any]) -> None:
        try:
            line.wait()
            results[number] = action()
        except Exception as error:
            results[number] = error
        finally:
            connections.close_all()

    threads = [threading.Thread(target=run, args=item) for item in enumerate(actions)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return results


def everywhere(word: str) -> list[str]:
    """The tables of the whole database in which a word stands."""
    found = []
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names(cursor):
            cursor.execute(f'SELECT * FROM "{table}"')
            if any(word in str(value) for row in cursor.fetchall() for value in row):
                found.append(table)
    return found


class Socket:
    """One page's or one program's live line, from the same origin; ``async with`` connects it."""

    def __init__(self, path: str, *, cookie: str | None = None, bearer: str | None = None) -> None:
        headers = [(b"host", b"localhost"), (b"origin", b"http://localhost")]
        if cookie:
            headers.append((b"cookie", f"sessionid={cookie}".encode()))
        if bearer:
            headers.append((b"authorization", f"Bearer {bearer}".encode()))
        self.socket = WebsocketCommunicator(application, path, headers=headers)

    async def __aenter__(self) -> Self:
        connected, _ = await self.socket.connect(timeout=PATIENCE)
        assert connected
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.socket.disconnect()

    async def hear(self, kind: str | None = None) -> dict[str, Any]:
        """The next message, or the next of a kind."""
        while True:
            message: dict[str, Any] = await self.socket.receive_json_from(timeout=PATIENCE)
            self.check(message)
            if kind in (None, message["type"]):
                return message

    def check(self, message: dict[str, Any]) -> None:
        """What every message must fulfil; a room says more."""
        assert "type" in message

    async def say(self, **message: Any) -> None:
        await self.socket.send_json_to(message)

    async def closed(self) -> int:
        """The code the server closes with; what it says before that is passed over."""
        while True:
            output = await self.socket.receive_output(timeout=PATIENCE)
            if output["type"] == "websocket.close":
                return int(output.get("code", 1000))

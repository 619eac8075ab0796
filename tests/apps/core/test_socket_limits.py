"""Open sockets are counted by address and by browser; what is over the limit is asked to come back later."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from pytest_django.fixtures import Settings

from apps.core import socket_limits
from apps.core.socket_limits import TRY_AGAIN_LATER, SocketLimits, address


class Sockets:
    """Sockets that stay open until they are told to end."""

    def __init__(self) -> None:
        self.limits = SocketLimits(self.inner)
        self.ends: list[asyncio.Event] = []
        self.tasks: list[asyncio.Task[None]] = []
        self.sent: list[dict[str, Any]] = []

    async def inner(self, scope: Any, receive: Any, send: Any) -> None:
        end = asyncio.Event()
        self.ends.append(end)
        await end.wait()

    async def open(self, client: str, cookie: str = "") -> None:
        async def receive() -> dict[str, str]:
            return {"type": "websocket.connect"}

        async def send(message: dict[str, Any]) -> None:
            self.sent.append(message)

        headers = [(b"cookie", cookie.encode())] if cookie else []
        scope = {"type": "websocket", "client": (client, 1), "headers": headers}
        self.tasks.append(asyncio.create_task(self.limits(scope, receive, send)))
        await asyncio.sleep(0)

    async def close(self) -> None:
        for end in self.ends:
            end.set()
        await asyncio.gather(*self.tasks)


async def test_an_address_over_its_limit_is_asked_to_come_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket_limits, "MOST_OF_AN_ADDRESS", 3)
    sockets = Sockets()
    for _ in range(4):
        await sockets.open("192.0.2.1")
    await sockets.open("192.0.2.2")
    assert len(sockets.ends) == 4
    assert [message["type"] for message in sockets.sent] == ["websocket.accept", "websocket.close"]
    assert sockets.sent[-1]["code"] == TRY_AGAIN_LATER
    await sockets.close()
    assert not sockets.limits.open


async def test_a_browser_has_a_limit_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket_limits, "MOST_OF_A_BROWSER", 2)
    sockets = Sockets()
    for number in range(3):
        await sockets.open(f"192.0.2.{number}", "sessionid=one")
    await sockets.open("192.0.2.9", "sessionid=two")
    await sockets.open("192.0.2.9", "sessionid=;;=broken")
    assert len(sockets.ends) == 4
    await sockets.close()


def test_a_proxy_is_believed_only_where_there_is_one(settings: Settings) -> None:
    scope = {"client": ("10.0.0.1", 1), "headers": [(b"x-forwarded-for", b"198.51.100.1, 203.0.113.5")]}
    settings.BEHIND_PROXY = False
    assert address(scope) == "10.0.0.1"
    settings.BEHIND_PROXY = True
    assert address(scope) == "203.0.113.5"

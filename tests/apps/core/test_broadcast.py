"""Announcements to open pages: sent in the background, in order, and never in the way of what they are about."""

from __future__ import annotations

import logging
import threading

import pytest

from apps.core import broadcast
from apps.core.broadcast import announce

PATIENCE = 30.0


def until_sent() -> None:
    broadcast._announcer.submit(int).result(PATIENCE)


def test_whoever_announces_does_not_wait_and_the_order_is_kept() -> None:
    busy, sent = threading.Event(), []
    announce(busy.wait, PATIENCE)
    announce(sent.append, "first")
    announce(sent.append, "second")
    assert sent == []
    busy.set()
    until_sent()
    assert sent == ["first", "second"]


def test_an_announcement_that_fails_is_logged_and_the_next_is_sent(caplog: pytest.LogCaptureFixture) -> None:
    def fails() -> None:
        raise ConnectionError("no broker")

    sent: list[int] = []
    with caplog.at_level(logging.ERROR, "apps.core.broadcast"):
        announce(fails)
        announce(sent.append, 1)
        until_sent()
    assert sent == [1]
    assert "no broker" in caplog.text


def test_a_broadcast_without_a_broker_costs_a_warning_and_nothing_else(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    class Unreachable:
        async def group_send(self, group: str, message: dict[str, str]) -> None:
            raise ConnectionError("no broker")

    monkeypatch.setattr(broadcast, "get_channel_layer", Unreachable)
    with caplog.at_level(logging.WARNING, "apps.core.broadcast"):
        broadcast.broadcast("game.1", {"type": "game.changed"})
    assert "game.changed was not sent to game.1" in caplog.text

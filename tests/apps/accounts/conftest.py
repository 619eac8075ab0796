"""Here Bob is a member: he has signed up."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from apps.accounts import player_data
from apps.accounts.models import Player
from tests.apps.support import guest

PASSWORD = "correct horse battery"


def member(name: str) -> tuple[Client, Player]:
    client, player = guest(name)
    entered = {"username": name, "password": PASSWORD, "again": PASSWORD}
    assert client.post("/account/sign-up/", entered).status_code == 302
    player.refresh_from_db()
    return client, player


@pytest.fixture
def bob(db: None) -> tuple[Client, Player]:
    return member("Bob")


@pytest.fixture
def section(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Register a section of player data for one test; what it does not name does nothing."""

    def register(name: str, **named: Any) -> None:
        does_nothing = {part: lambda *players: None for part in ("hand_over", "export", "remove")}
        monkeypatch.setitem(player_data._sections, name, player_data.Section(name, **does_nothing | named))

    return register

"""Three personas: Alice, who owns things; Bob, another player; and a visitor who has done nothing."""

from __future__ import annotations

import pytest
from django.test import Client

from apps.accounts.models import Player

PASSWORD = "correct horse battery"


def guest(name: str) -> tuple[Client, Player]:
    """Somebody who has done one thing, and therefore has a row and a cookie."""
    client = Client()
    client.post("/account/rename/", {"pseudonym": name})
    return client, Player.objects.get(pseudonym=name)


def member(name: str) -> tuple[Client, Player]:
    client, player = guest(name)
    assert client.post("/account/sign-up/", {"username": name, "password": PASSWORD}).status_code == 302
    player.refresh_from_db()
    return client, player


@pytest.fixture
def alice(db: None) -> tuple[Client, Player]:
    return guest("Alice")


@pytest.fixture
def bob(db: None) -> tuple[Client, Player]:
    return member("Bob")


@pytest.fixture
def visitor(db: None) -> Client:
    return Client()

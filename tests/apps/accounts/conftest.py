"""Here Bob is a member: he has signed up."""

from __future__ import annotations

import pytest
from django.test import Client

from apps.accounts.models import Player
from tests.apps.conftest import guest

PASSWORD = "correct horse battery"


def member(name: str) -> tuple[Client, Player]:
    client, player = guest(name)
    assert client.post("/account/sign-up/", {"username": name, "password": PASSWORD}).status_code == 302
    player.refresh_from_db()
    return client, player


@pytest.fixture
def bob(db: None) -> tuple[Client, Player]:
    return member("Bob")

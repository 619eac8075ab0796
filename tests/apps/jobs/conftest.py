"""Three personas: Alice, who owns the jobs; Bob, another player; and a visitor who has done nothing."""

from __future__ import annotations

import pytest
from django.test import Client

from apps.accounts.models import Player
from apps.jobs import services
from apps.jobs.models import Job
from tests.apps.jobs import kinds  # noqa: F401  declares the kinds


def guest(name: str) -> tuple[Client, Player]:
    client = Client()
    client.post("/account/rename/", {"pseudonym": name})
    return client, Player.objects.get(pseudonym=name)


@pytest.fixture
def alice(db: None) -> tuple[Client, Player]:
    return guest("Alice")


@pytest.fixture
def bob(db: None) -> tuple[Client, Player]:
    return guest("Bob")


@pytest.fixture
def visitor(db: None) -> Client:
    return Client()


@pytest.fixture
def owner(db: None) -> Player:
    return Player.objects.create(pseudonym="Alice")


@pytest.fixture
def job(alice: tuple[Client, Player]) -> Job:
    """Alice's, waiting."""
    return services.start(alice[1], "test.add", {"numbers": [1, 2, 3]})

"""Jobs of Alice's."""

from __future__ import annotations

import pytest
from django.test import Client

from apps.accounts.models import Player
from apps.jobs import services
from apps.jobs.models import Job
from tests.apps.jobs import kinds  # noqa: F401  declares the kinds


@pytest.fixture
def owner(db: None) -> Player:
    return Player.objects.create(pseudonym="Alice")


@pytest.fixture
def job(alice: tuple[Client, Player]) -> Job:
    """Alice's, waiting."""
    return services.start(alice[1], "test.add", {"numbers": [1, 2, 3]})

"""Application tests run against a real Valkey: the cache, sessions, limits, channels and jobs all live there.

Three personas ask of every action who may: Alice, who owns things; Bob, another player; a visitor who has done nothing.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.conf import settings
from django.core.cache import cache
from django.test import Client
from django.test.signals import template_rendered

from apps.accounts.models import Player
from apps.core.processes import Family, valkey_command, wait_for_socket
from tests.apps.support import guest
from tests.figures import check_rendered_figure


@pytest.fixture(scope="session", autouse=True)
def valkey() -> Iterator[None]:
    family = Family()
    child = family.start("valkey", valkey_command(settings.VALKEY_SOCKET), log=settings.VAR / "valkey.log")
    assert wait_for_socket(settings.VALKEY_SOCKET, child), "Valkey did not start"
    yield
    family.stop()


@pytest.fixture(autouse=True)
def _empty_cache(valkey: None) -> None:
    cache.clear()


@pytest.fixture
def alice(db: None) -> tuple[Client, Player]:
    return guest("Alice")


@pytest.fixture
def bob(db: None) -> tuple[Client, Player]:
    return guest("Bob")


@pytest.fixture
def visitor(db: None) -> Client:
    return Client()


@pytest.fixture(autouse=True)
def _every_chart_is_one_plotly_can_draw() -> Iterator[None]:
    template_rendered.connect(check_rendered_figure)
    yield
    template_rendered.disconnect(check_rendered_figure)

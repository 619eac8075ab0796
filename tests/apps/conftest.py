"""Application tests run against a real Valkey: the cache, sessions, limits, channels and jobs all live there."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.conf import settings
from django.core.cache import cache

from apps.core.processes import Family, valkey_command, wait_for_socket


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

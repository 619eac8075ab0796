"""Without Valkey the site is less, not gone; without a database it says so in a sentence."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import pytest
from django.core.cache import cache
from django.db import OperationalError, connection
from django.test import Client
from pytest_django.fixtures import Settings

from apps.accounts.models import Player
from apps.core import cache as shared
from apps.core import limits
from apps.core.broadcast import broadcast
from apps.core.limits import Limit, spend

NOBODY = "0190c2a4-0000-7000-8000-000000000000"


def forget_outage() -> None:
    shared._Outage.until = 0.0
    shared._Outage.changed.clear()
    shared._own().clear()
    shared.client.cache_clear()


@pytest.fixture
def no_valkey(settings: Settings) -> Iterator[None]:
    """Valkey's address leads nowhere."""
    forget_outage()
    settings.REDIS_URL = f"unix://{settings.VAR}/run/nobody.sock"
    shared.client.cache_clear()
    yield
    forget_outage()


@pytest.mark.usefixtures("no_valkey")
def test_a_process_remembers_by_itself_while_valkey_is_away() -> None:
    assert cache.get("colour", "none") == "none"
    cache.set("colour", "gold", 60)
    assert cache.get("colour") == "gold"
    assert cache.has_key("colour")
    assert not cache.add("colour", "black")
    cache.set_many({"one": 1, "two": 2})
    assert cache.get_many(["one", "two", "three"]) == {"one": 1, "two": 2}
    assert cache.incr("one") == 2
    assert cache.touch("one", 5)
    assert cache.delete("one")
    cache.delete_many(["two"])
    assert cache.get_many(["one", "two"]) == {}


def test_what_changed_while_valkey_was_away_does_not_come_back_with_it(settings: Settings) -> None:
    """A session that was ended during an outage stays ended."""
    forget_outage()
    cache.set("session", "signed in", 60)
    cache.set("untouched", "still here", 60)
    address = settings.REDIS_URL
    settings.REDIS_URL = f"unix://{settings.VAR}/run/nobody.sock"
    shared.client.cache_clear()
    assert not cache.delete("session")  # it was in Valkey, which is away
    assert cache.get("session") is None
    settings.REDIS_URL = address
    shared.client.cache_clear()
    time.sleep(shared.PAUSE + 0.1)
    assert cache.get("session") is None
    assert cache.get("untouched") == "still here"
    forget_outage()


@pytest.mark.usefixtures("no_valkey")
def test_limits_are_counted_in_the_process(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.RATE_LIMIT_SCALE = 1.0
    monkeypatch.setitem(limits.LIMITS, "page", Limit(3, 60))
    limits._alone.clear()
    assert [spend("page", "a:9") for _ in range(3)] == [0, 0, 0]
    assert spend("page", "a:9") >= 1
    assert spend("page", "a:8") == 0


@pytest.mark.django_db
@pytest.mark.usefixtures("no_valkey")
@pytest.mark.parametrize("address", ["/", "/dice/", "/killteam/shoot/", "/warhammer40k/", "/battletech/", "/dicee/"])
def test_pages_answer_without_valkey(client: Client, address: str) -> None:
    assert client.get(address).status_code == 200


@pytest.mark.django_db
@pytest.mark.usefixtures("no_valkey")
def test_health_says_degraded_and_a_broadcast_waits_for_nobody(client: Client) -> None:
    reply = client.get("/health/ready")
    assert reply.status_code == 200
    assert reply.json()["status"] == "degraded"
    assert reply.json()["parts"]["broker"] == "down: ConnectionError"
    cache.get("anything")  # notices
    start = time.perf_counter()
    broadcast("nobody", {"type": "nothing"})
    assert time.perf_counter() - start < 0.5 * shared.TIME_LIMIT


@pytest.mark.usefixtures("no_valkey")
def test_play_goes_on_without_valkey(alice: tuple[Client, Player]) -> None:
    browser, _ = alice
    opened = browser.post("/api/v1/games", {"mode": "solo"}, content_type="application/json")
    assert opened.status_code == 201, opened.content
    game = opened.json()["gameId"]
    rolled = browser.post(f"/api/v1/games/{game}/roll", {}, content_type="application/json")
    assert rolled.status_code == 200, rolled.content


@pytest.fixture
def no_database(monkeypatch: pytest.MonkeyPatch) -> None:
    def gone(*args: Any, **options: Any) -> None:
        raise OperationalError("the connection is closed")

    monkeypatch.setattr(connection, "ensure_connection", gone)
    monkeypatch.setattr(connection, "cursor", gone)


@pytest.mark.usefixtures("no_database")
@pytest.mark.parametrize(
    "address", ["/", "/dice/", "/killteam/shoot/", "/warhammer40k/", "/battletech/", "/dicee/rules/"]
)
def test_pages_that_keep_nothing_answer_without_a_database(client: Client, address: str) -> None:
    assert client.get(address).status_code == 200


@pytest.mark.usefixtures("no_database")
@pytest.mark.parametrize("address", [f"/dicee/{NOBODY}/", f"/jobs/{NOBODY}/", f"/api/v1/games/{NOBODY}"])
def test_what_needs_the_database_says_so_in_a_sentence(client: Client, address: str) -> None:
    client.raise_request_exception = False
    reply = client.get(address)
    assert reply.status_code == 503
    assert reply["Retry-After"] == "5"
    assert "does not answer" in reply.content.decode()

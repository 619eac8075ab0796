"""The memory all processes share: Valkey, with one client a process, and this process's own while Valkey is away.

Django keeps a cache per context, and a web request has a context of its own: each would open a connection, shake hands
and throw it away, which costs more than what it asks for.

What is in here can be worked out again, so a Valkey that is gone or hangs must stop nobody. After a failure it is left
alone for a moment, and meanwhile this process answers from its own memory. What was changed in that time is taken out
of Valkey when it is back: a session that somebody ended must not return with it.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterable
from functools import cache
from typing import Any, TypeVar

from django.conf import settings
from django.core.cache.backends.locmem import LocMemCache
from django.core.cache.backends.redis import RedisCache, RedisCacheClient
from redis import Redis
from redis.exceptions import RedisError

log = logging.getLogger(__name__)

T = TypeVar("T")

#: Seconds: what we give Valkey to answer, and how long it is left alone when it did not.
TIME_LIMIT, PAUSE = 1.0, 1.0


class _Outage:
    """What this process knows of Valkey's absence."""

    until = 0.0  # left alone until then
    changed: set[str] = set()  # keys that Valkey has an old value of


@cache
def client() -> Redis:
    """Safe for every thread, and after a fork."""
    return Redis.from_url(settings.REDIS_URL, socket_timeout=TIME_LIMIT, socket_connect_timeout=TIME_LIMIT)


def is_away() -> bool:
    return time.monotonic() < _Outage.until


def note_outage(error: Exception) -> None:
    if not is_away():
        log.warning("Valkey does not answer (%s): this process goes on alone for now", type(error).__name__)
    _Outage.until = time.monotonic() + PAUSE


def ask(question: Callable[[], T], otherwise: Callable[[], T]) -> T:
    """What Valkey answers; while it is away, what this process answers by itself."""
    if is_away():
        return otherwise()
    try:
        if _Outage.changed:
            _catch_up()
        return question()
    except RedisError as error:
        note_outage(error)
        return otherwise()


def _catch_up() -> None:
    client().delete(*_Outage.changed)
    _Outage.changed.clear()
    _own().clear()


@cache
def _own() -> LocMemCache:
    return LocMemCache("while-valkey-is-away", {"OPTIONS": {"MAX_ENTRIES": 10_000}})


class OneClient(RedisCacheClient):
    def get_client(self, key: object = None, *, write: bool = False) -> Redis:
        return client()


class ProcessCache(RedisCache):
    def __init__(self, server: str, params: dict[str, Any]) -> None:
        super().__init__(server, params)
        self._class = OneClient

    def _either(self, method: str, *args: Any, changes: Iterable[Any] = (), **options: Any) -> Any:
        def alone() -> Any:
            _Outage.changed.update(self.make_key(key, options.get("version")) for key in changes)
            return getattr(_own(), method)(*args, **options)

        return ask(lambda: getattr(super(ProcessCache, self), method)(*args, **options), alone)

    def add(self, key: Any, *args: Any, **options: Any) -> bool:
        return bool(self._either("add", key, *args, changes=[key], **options))

    def get(self, key: Any, *args: Any, **options: Any) -> Any:
        return self._either("get", key, *args, **options)

    def set(self, key: Any, *args: Any, **options: Any) -> None:
        self._either("set", key, *args, changes=[key], **options)

    def touch(self, key: Any, *args: Any, **options: Any) -> bool:
        return bool(self._either("touch", key, *args, **options))

    def delete(self, key: Any, *args: Any, **options: Any) -> bool:
        return bool(self._either("delete", key, *args, changes=[key], **options))

    def get_many(self, keys: Iterable[Any], *args: Any, **options: Any) -> dict[Any, Any]:
        return dict(self._either("get_many", list(keys), *args, **options))

    def has_key(self, key: Any, *args: Any, **options: Any) -> bool:
        return bool(self._either("has_key", key, *args, **options))

    def incr(self, key: Any, *args: Any, **options: Any) -> int:
        return int(self._either("incr", key, *args, changes=[key], **options))

    def set_many(self, data: dict[Any, Any], *args: Any, **options: Any) -> list[Any]:
        return list(self._either("set_many", data, *args, changes=data, **options))

    def delete_many(self, keys: Iterable[Any], *args: Any, **options: Any) -> None:
        keys = list(keys)
        self._either("delete_many", keys, *args, changes=keys, **options)

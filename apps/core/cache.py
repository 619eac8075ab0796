"""The shared cache, with one client a process.

Django keeps a cache per context, and a web request has a context of its own: each would open a connection, shake hands
and throw it away, which costs more than what it asks for.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from django.conf import settings
from django.core.cache.backends.redis import RedisCache, RedisCacheClient
from redis import Redis


@cache
def client() -> Redis:
    """Safe for every thread, and after a fork."""
    return Redis.from_url(settings.REDIS_URL)


class OneClient(RedisCacheClient):
    def get_client(self, key: object = None, *, write: bool = False) -> Redis:
        return client()


class ProcessCache(RedisCache):
    def __init__(self, server: str, params: dict[str, Any]) -> None:
        super().__init__(server, params)
        self._class = OneClient

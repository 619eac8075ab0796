"""Signs of life. A student's open page pings while it is looked at; a move or a vote counts as well.

Only the last moment is kept, in the shared cache, and only for as long as a lesson can last: it is no activity log.
"""

from __future__ import annotations

import time
import uuid
from collections.abc import Iterable

from django.core.cache import cache

KEPT_SECONDS = 2 * 3600
#: A page pings this often (``static/js/classroom.js``).
PING_EVERY = 20.0


def seen(member_id: uuid.UUID, at: float | None = None) -> None:
    """This student is here."""
    cache.set(_key(member_id), at or time.time(), KEPT_SECONDS)


def last_seen(member_ids: Iterable[uuid.UUID]) -> dict[uuid.UUID, float]:
    """When each was last here, in seconds of the epoch; who was not is missing."""
    keys = {_key(member_id): member_id for member_id in member_ids}
    return {keys[key]: at for key, at in cache.get_many(keys).items()}


def nudged(member_id: uuid.UUID, mark: str) -> None:
    """A hint went out for what ``mark`` names, so that the board offers none twice."""
    cache.set(_nudge_key(member_id), mark, KEPT_SECONDS)


def nudges(member_ids: Iterable[uuid.UUID]) -> dict[uuid.UUID, str]:
    """What each student was last sent a hint for."""
    keys = {_nudge_key(member_id): member_id for member_id in member_ids}
    return {keys[key]: mark for key, mark in cache.get_many(keys).items()}


def _nudge_key(member_id: uuid.UUID) -> str:
    return f"classroom:nudged:{member_id}"


def _key(member_id: uuid.UUID) -> str:
    return f"classroom:seen:{member_id}"

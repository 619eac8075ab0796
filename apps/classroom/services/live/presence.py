"""Signs of life. A student's open page pings while it is looked at; a move or a vote counts as well.

Only the last moment is kept, in the shared cache, and only for as long as a lesson can last: it is no activity log.
"""

from __future__ import annotations

import time
import uuid
from collections.abc import Collection

from django.core.cache import cache

KEPT_SECONDS = 2 * 3600
#: A page pings this often (``static/js/classroom/live.js``).
PING_EVERY = 20.0


def seen(member_id: uuid.UUID, at: float | None = None) -> None:
    """This student is here."""
    cache.set(_key(member_id), at or time.time(), KEPT_SECONDS)


def last_seen(member_id: uuid.UUID) -> float:
    """When this student was last here, in seconds of the epoch; 0 for who was not."""
    at: float = cache.get(_key(member_id), 0.0)
    return at


def nudged(member_id: uuid.UUID, mark: str) -> None:
    """A hint went out for what ``mark`` names, so that the board offers none twice."""
    cache.set(_nudge_key(member_id), mark, KEPT_SECONDS)


def leave_hint(member_id: uuid.UUID, text: str) -> None:
    """A hint that stays on the student's pages until it is read."""
    cache.set(_hint_key(member_id), text, KEPT_SECONDS)


def hint_left(member_id: uuid.UUID) -> str:
    """The hint a student has not closed yet; empty for none."""
    text: str = cache.get(_hint_key(member_id), "")
    return text


def hint_read(member_id: uuid.UUID) -> None:
    cache.delete(_hint_key(member_id))


def signs(member_ids: Collection[uuid.UUID]) -> dict[uuid.UUID, tuple[float, str]]:
    """When each student was last here, and what the last hint was for; one look at the cache for all."""
    known = cache.get_many([key(member) for member in member_ids for key in (_key, _nudge_key)])
    return {member: (known.get(_key(member), 0.0), known.get(_nudge_key(member), "")) for member in member_ids}


def _hint_key(member_id: uuid.UUID) -> str:
    return f"classroom:hint:{member_id}"


def _nudge_key(member_id: uuid.UUID) -> str:
    return f"classroom:nudged:{member_id}"


def _key(member_id: uuid.UUID) -> str:
    return f"classroom:seen:{member_id}"

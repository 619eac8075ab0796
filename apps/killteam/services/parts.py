"""A long computation in parts that free workers take one by one.

Whoever runs the job takes parts too and asks others to help, so it ends even if nobody comes. Which part is next is a
number in the shared cache; what came of a part is left there until the job collects it.
"""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable
from typing import Any

from celery import current_app
from django.conf import settings
from django.core.cache import cache

from apps.jobs.registry import Progress

HOUR = 3600
PATIENCE = 20.0  # seconds to wait for a part that a helper has taken, before doing it once more

Work = Callable[[dict[str, Any], int], Any]


def shared_out(task: str, document: dict[str, Any], count: int, work: Work, progress: Progress) -> list[Any]:
    """``work(document, part)`` for every part, in order. ``task`` is the Celery task that calls :func:`help_out`."""
    key = f"parts:{uuid.uuid4().hex}"
    cache.set_many({f"{key}:document": document, f"{key}:next": 0, f"{key}:count": count}, HOUR)
    try:
        for _ in range(min(settings.WORKER_CONCURRENCY, count) - 1):
            current_app.send_task(task, (key,), expires=HOUR)
        while (part := _take(key, count)) is not None:
            progress(part, count, "rows")
            cache.set(f"{key}:{part}", [work(document, part)], HOUR)
        return [_collected(key, part, document, work) for part in range(count)]
    finally:
        cache.set(f"{key}:next", count, HOUR)  # whoever still comes finds nothing to do
        cache.delete_many([f"{key}:document", *(f"{key}:{part}" for part in range(count))])


def help_out(key: str, work: Work) -> None:
    """Take parts of somebody's job while there are any."""
    document, count = cache.get(f"{key}:document"), cache.get(f"{key}:count", 0)
    while document is not None and (part := _take(key, count)) is not None:
        cache.set(f"{key}:{part}", [work(document, part)], HOUR)


def _take(key: str, count: int) -> int | None:
    """The number of a part that nobody has taken yet."""
    try:
        part = int(cache.incr(f"{key}:next")) - 1
    except ValueError:  # long over
        return None
    return part if part < count else None


def _collected(key: str, part: int, document: dict[str, Any], work: Work) -> Any:
    """What came of a part; a helper that died leaves it to us."""
    end = time.monotonic() + PATIENCE
    while (found := cache.get(f"{key}:{part}")) is None and time.monotonic() < end:
        time.sleep(0.02)
    return found[0] if found is not None else work(document, part)

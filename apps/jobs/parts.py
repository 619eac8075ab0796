"""A long computation in parts that free workers take one by one.

Whoever runs the job takes parts too and asks others to help, so it ends even if nobody comes: one worker is enough, two
take half the time. Which part is next is a number in the shared cache; what came of a part is left there until the job
collects it. A room declares what a part is with :func:`part_of_a_job`, where its ``tasks.py`` is sure to import it.
"""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable
from typing import Any

from celery import current_app
from django.conf import settings
from django.core.cache import cache
from django.utils.module_loading import autodiscover_modules

from apps.jobs.registry import Progress

TASK = "jobs.help_out"
HOUR = 3600
PATIENCE = 20.0  # seconds to wait for a part that a helper has taken, before doing it once more
GLANCE = 0.02  # seconds between two looks at what a helper has done

#: The work of one part: everything the job knows, and the number of the part.
Work = Callable[[dict[str, Any], int], Any]
WORKS: dict[str, Work] = {}


def part_of_a_job(name: str) -> Callable[[Work], Work]:
    """Declare a function as the work of a part, by a name that every worker finds it under."""

    def register(work: Work) -> Work:
        WORKS[name] = work
        return work

    return register


def shared_out(name: str, document: dict[str, Any], count: int, progress: Progress) -> list[Any]:
    """What comes of every part, in order. ``progress`` hears how many of the parts have been begun."""
    work = _work(name)
    key = f"parts:{uuid.uuid4().hex}"
    first = {"name": name, "document": document, "next": 0, "count": count}
    cache.set_many({f"{key}:{what}": value for what, value in first.items()}, HOUR)
    try:
        for _ in range(min(settings.WORKER_CONCURRENCY, count) - 1):
            current_app.send_task(TASK, (key,), expires=HOUR)
        while (part := _take(key, count)) is not None:
            progress(part, count)
            cache.set(f"{key}:{part}", [work(document, part)], HOUR)
        progress(count, count)
        return [_collected(key, part, document, work, lambda: progress(count, count)) for part in range(count)]
    finally:
        cache.set(f"{key}:next", count, HOUR)  # whoever still comes finds nothing to do
        cache.delete_many([f"{key}:document", *(f"{key}:{part}" for part in range(count))])


def help_out(key: str) -> None:
    """Take parts of somebody's job while there are any."""
    found = cache.get_many([f"{key}:{what}" for what in ("name", "document", "count")])
    if len(found) < 3:  # long over
        return
    name, document, count = (found[f"{key}:{what}"] for what in ("name", "document", "count"))
    work = _work(name)
    while (part := _take(key, count)) is not None:
        cache.set(f"{key}:{part}", [work(document, part)], HOUR)


def _work(name: str) -> Work:
    if name not in WORKS:
        autodiscover_modules("tasks")
    return WORKS[name]


def _take(key: str, count: int) -> int | None:
    """The number of a part that nobody has taken yet."""
    try:
        part = int(cache.incr(f"{key}:next")) - 1
    except ValueError:  # long over
        return None
    return part if part < count else None


def _collected(key: str, part: int, document: dict[str, Any], work: Work, waiting: Callable[[], None]) -> Any:
    """What came of a part; a helper that died leaves it to us."""
    end = time.monotonic() + PATIENCE
    while (found := cache.get(f"{key}:{part}")) is None and time.monotonic() < end:
        waiting()
        time.sleep(GLANCE)
    return found[0] if found is not None else work(document, part)

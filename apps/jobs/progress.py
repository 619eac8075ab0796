"""How a running job reports: seldom enough not to slow the work, often enough to look alive."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from types import TracebackType
from typing import Any

from django.db import connection
from django.utils import timezone

from apps.jobs.models import Job
from apps.jobs.registry import Cancelled

REPORT_EVERY = 0.25  # seconds between two writes; the eye does not ask for more
BEAT_EVERY = 5.0  # seconds between two signs of life, well inside the 30 after which a worker counts as dead

Change = Callable[..., Job | None]


class Reporter:
    """The ``progress`` of one attempt at one job, and its heartbeat.

    The heart beats in a thread of its own: a step without a word, such as a compilation, is not a death. It stops
    with the process, which is what the sweep looks for.
    """

    def __init__(self, job: Job, change: Change) -> None:
        self._job, self._change = job, change
        self._next = 0.0
        self._over = threading.Event()
        self._heart = threading.Thread(target=self._beat, name=f"heart of {job.pk}", daemon=True)

    def __enter__(self) -> Reporter:
        self._heart.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._over.set()
        self._heart.join()

    def __call__(self, done: int, total: int, note: str = "") -> None:
        now = time.monotonic()
        if now < self._next:
            return
        self._next = now + REPORT_EVERY
        fields: dict[str, Any] = {"done": done, "total": total, "note": note[:200], "heartbeat": timezone.now()}
        if self._change(self._job.pk, self._job.held, **fields) is None:
            raise Cancelled

    def _beat(self) -> None:
        try:
            while not self._over.wait(BEAT_EVERY):
                Job.objects.filter(self._job.held, pk=self._job.pk).update(heartbeat=timezone.now())
        finally:
            connection.close()

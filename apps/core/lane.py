"""The lane for questions that are computed: it can be full, and the rest of the site does not notice.

Every request takes one of the process's threads. If questions could take them all, sixteen strangers with long ones
would stop everybody's game. So only some of the threads may be in the lane, as many as there are cores compute at a
time and the others wait their turn. One address cannot fill it; a class of thirty behind one router finds room.
"""

from __future__ import annotations

import os
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from apps.core import metrics
from apps.core.errors import problem
from apps.core.limits import address

Handler = Callable[[HttpRequest], HttpResponse]

#: Where answers are computed. Play, classes and accounts look things up.
COMPUTED = ("/api/v1/compute/", "/api/v1/simulate", "/dice/", "/killteam/", "/warhammer40k/", "/battletech/")
#: Seconds a question waits for its turn.
PATIENCE = 10.0
RETRY_SECONDS = 5


class LaneFullError(Exception):
    """There is no place; the argument says why, for the person who asked."""


class Lane:
    def __init__(self, *, places: int, at_once: int, each: int) -> None:
        self.places, self.each = places, each
        self._turns = threading.BoundedSemaphore(at_once)
        self._lock = threading.Lock()
        self._inside: Counter[str] = Counter()

    @contextmanager
    def place(self, who: str, patience: float = PATIENCE) -> Iterator[None]:
        """A turn to compute, when there is one; raises ``LaneFullError`` otherwise."""
        self._enter(who)
        try:
            if not self._turns.acquire(timeout=patience):
                raise LaneFullError("Many long questions are being worked out just now. Try again in a moment.")
            try:
                yield
            finally:
                self._turns.release()
        finally:
            with self._lock:
                self._inside[who] -= 1
                if not self._inside[who]:
                    del self._inside[who]

    def _enter(self, who: str) -> None:
        with self._lock:
            if self._inside[who] >= self.each:
                raise LaneFullError(f"{self.each} of your questions are still being worked out. Wait for one of them.")
            if self._inside.total() >= self.places:
                raise LaneFullError("Many long questions are being worked out just now. Try again in a moment.")
            self._inside[who] += 1


LANE = Lane(
    places=max(2, settings.WEB_THREADS * 5 // 8),
    at_once=max(2, os.cpu_count() or 2),
    each=max(1, settings.WEB_THREADS // 2),
)


def computed(get_response: Handler) -> Handler:
    """Middleware: what is computed goes through the lane."""

    def middleware(request: HttpRequest) -> HttpResponse:
        if not request.path_info.startswith(COMPUTED):
            return get_response(request)
        try:
            with LANE.place(address(request)):
                return get_response(request)
        except LaneFullError as full:
            metrics.LIMITED.labels("lane").inc()
            response = problem(request, 429, "ERR_RATE_LIMITED", str(full), retryAfter=RETRY_SECONDS)
            response["Retry-After"] = str(RETRY_SECONDS)
            return response

    return middleware

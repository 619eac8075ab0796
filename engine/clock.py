"""The engine's only clock: how long something took, and when it has taken long enough. No figure depends on it."""

from __future__ import annotations

import time


class Stopwatch:
    """Seconds since it was started.

    >>> Stopwatch().seconds >= 0
    True
    """

    __slots__ = ("_began",)

    def __init__(self) -> None:
        self._began = time.perf_counter()

    @property
    def seconds(self) -> float:
        return time.perf_counter() - self._began


class TimeLimit(Stopwatch):
    """A stopwatch with an end: whoever asks for long work hands one in, and the work stops when it is reached.

    >>> TimeLimit(3600).reached, TimeLimit(0).reached
    (False, True)
    """

    __slots__ = ("limit",)

    def __init__(self, limit: float) -> None:
        super().__init__()
        self.limit = limit

    @property
    def reached(self) -> bool:
        return self.seconds > self.limit

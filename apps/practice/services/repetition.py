"""When a position comes again: soon after a slip, later and later while it is answered right."""

from __future__ import annotations

import datetime
from dataclasses import dataclass

#: How long to wait after so many right answers in a row. Gaps that about double are what memory research agrees on;
#: the first one is long enough to have thought of something else.
STEPS = (
    datetime.timedelta(minutes=10),
    datetime.timedelta(days=1),
    datetime.timedelta(days=3),
    datetime.timedelta(days=7),
    datetime.timedelta(days=16),
    datetime.timedelta(days=35),
)
DAY = datetime.timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Schedule:
    """Right answers in a row, and the moment the position is due."""

    streak: int
    due_at: datetime.datetime

    @property
    def wait(self) -> datetime.timedelta:
        return STEPS[min(self.streak, len(STEPS) - 1)]

    @property
    def interval_days(self) -> float:
        return self.wait / DAY

    def after(self, right: bool, now: datetime.datetime) -> Schedule:
        """What an answer makes of it. Right too early proves nothing and changes nothing; wrong starts again.

        >>> now = datetime.datetime(2026, 11, 16, tzinfo=datetime.UTC)
        >>> Schedule(1, now).after(True, now).due_at - now, Schedule(4, now).after(False, now).due_at - now
        (datetime.timedelta(days=3), datetime.timedelta(seconds=600))
        """
        if right and now < self.due_at:
            return self
        streak = self.streak + 1 if right else 0
        return Schedule(streak, now + STEPS[min(streak, len(STEPS) - 1)])

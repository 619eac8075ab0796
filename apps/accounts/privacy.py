"""What the privacy page says: who runs this server, and how long things are kept. Done by the clock, not by promise."""

from __future__ import annotations

import datetime
from dataclasses import dataclass

from django.conf import settings
from django.contrib.sessions.models import Session
from django.utils import timezone

from apps.accounts import services
from apps.accounts.models import Player

#: A guest who has not been back for so long is forgotten; the browser's own memory ends before that.
GUEST_DAYS = 400
#: What other apps let go after a time, a sentence each.
periods: list[str] = []


@dataclass(frozen=True)
class Operator:
    """Who answers for this server, from its configuration."""

    name: str
    contact: str


def state_period(sentence: str) -> None:
    """Have the privacy page say how long another app keeps something. Whoever says it has a periodic task doing it."""
    periods.append(sentence)


def operator() -> Operator:
    return Operator(settings.OPERATOR_NAME, settings.OPERATOR_CONTACT)


def forget_old_guests(today: datetime.date | None = None) -> int:
    """Delete guests nobody has been for :data:`GUEST_DAYS`, with what is theirs, and sessions that are over."""
    before = (today or timezone.now().date()) - datetime.timedelta(days=GUEST_DAYS)
    old = Player.objects.filter(user__isnull=True, last_seen__lt=before)
    guests = list(old)
    for guest in guests:
        services.delete(guest)
    Session.objects.filter(expire_date__lt=timezone.now()).delete()
    return len(guests)

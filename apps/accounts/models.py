"""Everyone who does something here is a player; an account is a way to be the same player on another device."""

from __future__ import annotations

import datetime
import uuid

from django.conf import settings
from django.db import models
from django.utils import timezone

from apps.accounts.names import random_pseudonym


def today() -> datetime.date:
    return timezone.now().date()


class Player(models.Model):
    """A pseudonym and nothing personal. ``last_seen`` is a day on purpose: it is no activity log."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    pseudonym = models.CharField(max_length=30, default=random_pseudonym)
    # SET_NULL: removing a login elsewhere must not take the games of other people with it (ruling D17).
    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="player"
    )
    settings = models.JSONField(default=dict, blank=True)
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    last_seen = models.DateField(default=today, editable=False)

    def __str__(self) -> str:
        return self.pseudonym

    @property
    def is_guest(self) -> bool:
        return self.user_id is None


class RecoveryCode(models.Model):
    """A way back to an account whose password is lost: the SHA-256 of a printed code that works once."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="recovery_codes")
    digest = models.CharField(max_length=64, db_index=True)
    made_at = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return f"code of {self.user_id}"

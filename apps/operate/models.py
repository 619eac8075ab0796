"""What the product's own figures need and no other room keeps."""

from __future__ import annotations

from django.db import models
from django.utils import timezone

from apps.dicee.models import Seat


class OpenedReport(models.Model):
    """A player of a finished game has looked at its analysis. Goes with the game."""

    seat = models.OneToOneField(Seat, on_delete=models.CASCADE, related_name="opened_report")
    opened_at = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return str(self.seat)

"""What a player keeps: profiles of their own."""

from __future__ import annotations

import uuid

from django.db import models
from django.utils import timezone

from apps.accounts.models import Player


class Role(models.TextChoices):
    ATTACKER = "attacker", "Ranged weapon"
    DEFENDER = "defender", "Target"
    FIGHTER = "fighter", "Fighter"


class SavedProfile(models.Model):
    """An engine document under a name. Checked by the engine before it is kept, so it opens in a form."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    owner = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="killteam_profiles")
    role = models.CharField(max_length=10, choices=Role)
    name = models.CharField(max_length=60)
    profile = models.JSONField()
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["role", "name"]
        constraints = [models.UniqueConstraint(fields=["owner", "role", "name"], name="one_profile_a_name")]

    def __str__(self) -> str:
        return f"{self.name} ({self.get_role_display()})"

"""What a player keeps: profiles of their own, rosters, and pairs of rosters."""

from __future__ import annotations

import uuid

from django.db import models
from django.utils import timezone

from apps.accounts.models import Player
from apps.rosters.keeping import ONE, TWO, KeptList, SavedList


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


class Roster(KeptList):
    """A team with the weapons its operatives carry."""

    def __str__(self) -> str:
        return f"{self.document.get('name') or 'Roster'} ({self.key})"


class SavedRoster(SavedList):
    """A roster or a pair of rosters under a player's own name."""

    KINDS = [(ONE, "Roster"), (TWO, "Two rosters")]

    kind = models.CharField(max_length=6, choices=KINDS)
    owner = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="killteam_rosters")

    class Meta(SavedList.Meta):
        constraints = [models.UniqueConstraint(fields=["owner", "kind", "name"], name="one_roster_a_name")]

"""What players keep: profiles, armies, and pairs of armies."""

from __future__ import annotations

from django.db import models
from django.utils import timezone

from apps.accounts.models import Player
from apps.rosters.keeping import KeptList, SavedList


class SavedProfile(models.Model):
    """A weapon or a unit of a player's own, in the sheet's field names; only what differs from the defaults."""

    KINDS = [("weapon", "Weapon"), ("unit", "Unit")]

    owner = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="warhammer40k_profiles")
    kind = models.CharField(max_length=6, choices=KINDS)
    name = models.CharField(max_length=60)
    values = models.JSONField(default=dict)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["kind", "name"]
        constraints = [models.UniqueConstraint(fields=["owner", "kind", "name"], name="one_profile_per_name")]

    def __str__(self) -> str:
        return f"{self.name} ({self.kind})"


class Army(KeptList):
    """An army list."""

    class Meta:
        verbose_name_plural = "armies"

    def __str__(self) -> str:
        return f"{self.document.get('name') or 'Army'} ({self.key})"


class SavedArmy(SavedList):
    """An army or a pair of armies under a player's own name."""

    owner = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="warhammer40k_armies")

    class Meta(SavedList.Meta):
        verbose_name_plural = "saved armies"
        constraints = [models.UniqueConstraint(fields=["owner", "kind", "name"], name="one_army_per_name")]

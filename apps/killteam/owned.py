"""A player's profiles when the player signs in elsewhere, asks for a copy of everything, or leaves."""

from __future__ import annotations

import uuid
from typing import Any

from apps.accounts.models import Player
from apps.accounts.services import on_delete, on_export, on_merge
from apps.killteam.models import SavedProfile
from apps.killteam.services import profiles


def hand_over(guest: Player, account: Player) -> None:
    """The account's own profile wins where both have one of the same name."""
    taken = set(SavedProfile.objects.filter(owner=account).values_list("role", "name"))
    for profile in SavedProfile.objects.filter(owner=guest):
        if (profile.role, profile.name) not in taken:
            SavedProfile.objects.filter(pk=profile.pk).update(owner=account)


def export(player: Player) -> list[dict[str, Any]]:
    return list(profiles.export(player)["profiles"])


def remove(player: Player, tombstone: uuid.UUID) -> None:
    SavedProfile.objects.filter(owner=player).delete()


on_merge(hand_over)
on_export("killteamProfiles", export)
on_delete(remove)

"""A player's profiles when the player signs in elsewhere, asks for a copy of everything, or leaves."""

from __future__ import annotations

import uuid

from apps.accounts.models import Player
from apps.accounts.services import on_delete, on_export, on_merge
from apps.warhammer40k import saved
from apps.warhammer40k.models import SavedProfile


def hand_over(guest: Player, account: Player) -> None:
    """The account's own profile of the same name stands."""
    taken = set(SavedProfile.objects.filter(owner=account).values_list("kind", "name"))
    for profile in SavedProfile.objects.filter(owner=guest):
        if (profile.kind, profile.name) not in taken:
            profile.owner = account
            profile.save(update_fields=["owner"])


def remove(player: Player, tombstone: uuid.UUID) -> None:
    SavedProfile.objects.filter(owner=player).delete()


on_merge(hand_over)
on_export("warhammer40k", saved.export)
on_delete(remove)

"""A player's profiles and rosters when the player signs in elsewhere, asks for a copy of everything, or leaves."""

from __future__ import annotations

from typing import Any

from apps.accounts.models import Player
from apps.accounts.player_data import owned_rows, register
from apps.killteam import saved_rosters
from apps.killteam.models import SavedProfile, SavedRoster
from apps.killteam.services import profiles


def export(player: Player) -> list[dict[str, Any]]:
    return list(profiles.export(player)["profiles"])


register(owned_rows("killteamProfiles", SavedProfile, "role", "name", export=export))
register(owned_rows("killteamRosters", SavedRoster, "kind", "name", export=saved_rosters.export))

"""A player's profiles when the player signs in elsewhere, asks for a copy of everything, or leaves."""

from apps.accounts.player_data import owned_rows, register
from apps.warhammer40k import saved
from apps.warhammer40k.models import SavedProfile

register(owned_rows("warhammer40k", SavedProfile, "kind", "name", export=saved.export))

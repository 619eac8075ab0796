"""A player's profiles and armies when the player signs in elsewhere, asks for a copy of everything, or leaves."""

from apps.accounts.player_data import owned_rows, register
from apps.warhammer40k import saved, saved_armies
from apps.warhammer40k.models import SavedArmy, SavedProfile

register(owned_rows("warhammer40k", SavedProfile, "kind", "name", export=saved.export))
register(owned_rows("warhammer40k armies", SavedArmy, "kind", "name", export=saved_armies.export))

"""A player's profiles when the player signs in elsewhere, asks for a copy of everything, or leaves."""

from apps.accounts.services import own
from apps.warhammer40k import saved
from apps.warhammer40k.models import SavedProfile

own("warhammer40k", SavedProfile, "kind", "name", export=saved.export)

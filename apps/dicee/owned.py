"""Tells the accounts room what to do with a player's games."""

from apps.accounts.services import on_delete, on_export, on_merge
from apps.dicee.services.record import forget

on_merge(forget.hand_over)
on_export("diceeGames", forget.export)
on_delete(forget.anonymise)

"""Rated games: without the coach, nothing taken back, dice that can be verified. Offered once, after some games."""

from __future__ import annotations

from apps.accounts.models import Player
from apps.dicee.models import Seat
from apps.dicee.services.seats import finished

OFFERED_AFTER = 3  # finished games
DECLINED_KEY = "dicee_no_rated"  # of a player's settings


def is_offered(player: Player | None) -> bool:
    """Whether the lobby offers rated games: after three finished ones, until one is played or the offer is declined."""
    if player is None or player.settings.get(DECLINED_KEY):
        return False
    if Seat.objects.filter(player=player, game__settings__rated=True).exists():
        return False
    return finished(player).count() >= OFFERED_AFTER


def decline(player: Player) -> None:
    """Offer it no more."""
    player.settings = player.settings | {DECLINED_KEY: True}
    player.save(update_fields=["settings"])

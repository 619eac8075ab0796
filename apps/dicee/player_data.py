"""A player's games when the player signs in elsewhere, asks for a copy of everything, or leaves (ruling D17)."""

from __future__ import annotations

import uuid
from typing import Any

from django.db import connection
from django.db.models import F, JSONField, TextField, Value
from django.db.models.functions import Cast, Replace

from apps.accounts.models import Player
from apps.accounts.player_data import Section, register
from apps.accounts.privacy import state_period
from apps.dicee.models import ApiToken, DecisionScreen, Game, GameEvent, Seat, Stream
from apps.dicee.services.record.telemetry import KEPT

DEPARTED = "Someone who left"


def hand_over(guest: Player, account: Player) -> None:
    """Seats and tables of a guest become the account's. Events keep the id they were written with."""
    Seat.objects.filter(player=guest).update(player=account)
    played = list(Game.objects.filter(host=account, daily__isnull=False).values_list("daily", flat=True))
    Game.objects.filter(host=guest, daily__in=played).update(host=None)  # one attempt a day: the account's own counts
    Game.objects.filter(host=guest).update(host=account)
    ApiToken.objects.filter(player=guest).update(player=account)


def export(player: Player) -> list[dict[str, Any]]:
    """Every game with its events, of all streams that are still there."""
    games = Game.objects.filter(seats__player=player).distinct().order_by("created_at")
    return [
        {
            "id": str(game.pk),
            "mode": game.mode,
            "status": game.status,
            "settings": game.settings,
            "createdAt": game.created_at.isoformat(),
            "seats": [{"playerId": str(seat.player_ref), "name": seat.name} for seat in game.seats.all()],
            "events": list(game.events.values_list("payload", flat=True)),
            "daily": game.daily_id.isoformat() if game.daily_id else None,
            "decisionScreens": [_screen(screen) for screen in game.decision_screens.all()],
        }
        for game in games
    ]


def _screen(screen: DecisionScreen) -> dict[str, Any]:
    return {
        "playerId": str(screen.player_ref),
        "turn": screen.turn_number,
        "roll": screen.roll_number,
        "values": screen.values,
        "hint": screen.hint,
        "heldBest": screen.held_best,
        "guessed": screen.guessed,
        "statistics": screen.statistics,
        "profile": screen.profile,
        "door": screen.door,
    }


def anonymise(player: Player, tombstone: uuid.UUID) -> None:
    """Put ids that lead nowhere in place of the player's. Order and content of the events stay."""
    refs = {player.pk, *Seat.objects.filter(player=player).values_list("player_ref", flat=True)}
    for ref in refs:
        _replace(ref, tombstone if ref == player.pk else uuid.uuid4())


def _replace(old: uuid.UUID, new: uuid.UUID) -> None:
    games = list(Seat.objects.filter(player_ref=old).values_list("game_id", flat=True))
    list(Game.objects.select_for_update().filter(pk__in=games).order_by("pk"))  # no move is written in the meantime
    _tell_the_trigger(f"{old}>{new}")
    text = Replace(Cast("payload", TextField()), Value(str(old)), Value(str(new)))
    GameEvent.objects.filter(game_id__in=games).update(payload=Cast(text, JSONField()))
    _tell_the_trigger("")
    DecisionScreen.objects.filter(player_ref=old).update(player_ref=new)
    Seat.objects.filter(player_ref=old).update(player_ref=new, name=DEPARTED, player=None)
    Game.objects.filter(pk__in=games).update(edition=F("edition") + 1)


def _tell_the_trigger(change: str) -> None:
    """PostgreSQL's trigger lets this one replacement through, in this transaction, and checks that it is no other."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT set_config('oddsmith.tombstone', %s, true)", [change])


register(Section("diceeGames", hand_over, export, anonymise))
state_period(
    f"Of a game, what its page noted while you thought goes after {KEPT[Stream.TELEMETRY].days} days, "
    f"the stored analyses of single rolls after {KEPT[Stream.ANALYSIS].days}."
)

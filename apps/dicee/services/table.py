"""A table on the wire: what RFC-003 §6 calls the game state."""

from __future__ import annotations

from typing import Any

from apps.dicee.models import Game
from apps.dicee.services import store
from engine.dicee.game.state import GameState, Status
from engine.dicee.game.state import Seat as SeatState


def state_document(game: Game, *, with_events: bool = True) -> dict[str, Any]:
    """RFC-003 §6, ``GameStateResponse``; the seed's commitment beside it."""
    state = store.current(game)
    names = dict(game.seats.values_list("player_ref", "name"))
    document: dict[str, Any] = {
        "success": True,
        "gameId": str(game.pk),
        "code": game.code,
        "status": state.status.value,
        "mode": state.mode.value,
        "settings": game.settings,
        "commitment": game.commitment,
        "sequenceNumber": state.sequence,
        "players": [_player(state, seat, names[seat.player_id]) for seat in state.seats],
        "currentTurn": _turn(state) if state.status is Status.ACTIVE else None,
        "createdAt": game.created_at.isoformat(),
        "startedAt": game.started_at.isoformat() if game.started_at else None,
        "completedAt": game.finished_at.isoformat() if game.finished_at else None,
    }
    if with_events:
        document["events"] = [event.to_wire() for event in store.stream(game)]
    return document


def _player(state: GameState, seat: SeatState, name: str) -> dict[str, Any]:
    return {
        "playerId": str(seat.player_id),
        "displayName": name,
        "scorecard": seat.card.to_wire(),
        "isCurrentPlayer": state.status is Status.ACTIVE and seat is state.seat,
        "left": seat.left,
    }


def _turn(state: GameState) -> dict[str, Any]:
    return {
        "playerId": str(state.seat.player_id),
        "turnNumber": state.turn_number,
        "rollNumber": state.roll_number,
        "currentDice": list(state.dice) or None,
        "keptMask": list(state.kept_mask) if state.dice else None,
        "rollsRemaining": state.rolls_left,
        "phase": state.phase.value,
    }

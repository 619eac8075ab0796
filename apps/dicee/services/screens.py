"""What was on the screen when a decision was taken, whichever way the move came in (ruling D20).

The server writes down that an answer went out when it goes out: a page with the values open, a hint, the odds over the
socket. So no form can hide it. What only the client knows (the best dice were held by a button) comes with the move
and can add a fact, never take one away.
"""

from __future__ import annotations

import uuid
from dataclasses import asdict, dataclass
from typing import Any

from django.db import IntegrityError, transaction

from apps.dicee.models import DecisionScreen, Game
from engine.dicee.game.state import GameState, GameStatus


@dataclass(frozen=True, slots=True)
class Screen:
    """What is known of the screen in front of a player; False means nothing is known of it."""

    values: bool = False
    hint: bool = False
    held_best: bool = False
    guessed: bool = False
    statistics: bool = False
    profile: str = ""
    door: str = ""


def note(game: Game, state: GameState, player_ref: uuid.UUID, screen: Screen) -> None:
    """Add to what is known about the decision that this player has before them; nobody else has one."""
    if state.status is not GameStatus.ACTIVE or not state.dice or state.seat.player_id != player_ref:
        return
    facts: dict[str, Any] = {name: value for name, value in asdict(screen).items() if value}
    at = {"turn_number": state.turn_number, "roll_number": state.roll_number}
    row = DecisionScreen.objects.filter(game=game, player_ref=player_ref, **at)
    if not facts or row.update(**facts):
        return
    try:
        with transaction.atomic():
            DecisionScreen.objects.create(game=game, player_ref=player_ref, **at, **facts)
    except IntegrityError:  # noted twice at the same moment
        row.update(**facts)


def was_hinted(game: Game, state: GameState, player_ref: uuid.UUID) -> bool:
    """Whether a hint was given for the dice on the table."""
    at = {"turn_number": state.turn_number, "roll_number": state.roll_number}
    return DecisionScreen.objects.filter(game=game, player_ref=player_ref, hint=True, **at).exists()


def of_game(game: Game, player_ref: uuid.UUID) -> dict[tuple[int, int], DecisionScreen]:
    """What is known about a player's decisions, by turn and roll."""
    rows = DecisionScreen.objects.filter(game=game, player_ref=player_ref)
    return {(row.turn_number, row.roll_number): row for row in rows}

"""Proof that the dice were settled before the first move: what ``tools/verify_dice.py`` and the verify page read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.utils import timezone

from apps.dicee.models import Game, GameEvent, Stream
from apps.dicee.services import store
from engine.dice import fair
from engine.dicee.game.events import Rolled, read_event


def verification(game: Game) -> dict[str, Any]:
    """The commitment and every roll with its proof; the seed only once nobody can play with it any more."""
    rows = GameEvent.objects.filter(game=game, stream=Stream.DOMAIN, type="roll").order_by("seq")
    rolls = []
    for payload, proof in rows.values_list("payload", "proof"):
        event = read_event(payload)
        assert isinstance(event, Rolled)
        fresh = [face for face, kept in zip(event.dice_result, event.kept_mask, strict=True) if not kept]
        rolls.append(
            {
                "sequence": event.sequence_number,
                "playerId": str(event.player_id),
                "turnNumber": event.turn_number,
                "rollNumber": event.roll_number,
                "rolled": fresh,
                "proof": proof,
            }
        )
    return {
        "gameId": str(game.pk),
        "commitment": game.commitment,
        "seed": None if is_secret(game) else game.seed,
        "rolls": rolls,
    } | ({"daily": game.daily_id.isoformat()} if game.daily_id else {})


def is_secret(game: Game) -> bool:
    """While a game goes on its dice are secret; those of a day's game until the day is over for everyone."""
    return not game.is_over or (game.daily_id is not None and game.daily_id >= timezone.now().date())


@dataclass(frozen=True, slots=True)
class Checked:
    """What the verify page says. ``rolls`` are those whose faces and proof follow from the seed."""

    keeps_promise: bool
    rolls: int
    right: int

    @property
    def fair(self) -> bool:
        return self.keeps_promise and self.rolls == self.right


def verify(game: Game) -> Checked | None:
    """Roll every die again; None while the game goes on and the seed is secret."""
    proof = verification(game)
    if proof["seed"] is None:
        return None
    right = 0
    for roll in proof["rolls"]:
        name, number = store.drawn_for(game, roll["sequence"], roll["turnNumber"], roll["rollNumber"])
        right += fair.verify(game.seed, name, number, roll["rolled"], roll["proof"])
    store.current(game)  # the whole stream obeys the rules, too
    return Checked(fair.commitment(game.seed) == game.commitment, len(proof["rolls"]), right)

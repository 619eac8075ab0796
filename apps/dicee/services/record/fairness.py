"""Proof that the dice were settled before the first move: what ``tools/verify_dice.py`` and the verify page read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from apps.dicee.models import Game, GameEvent, Stream
from apps.dicee.services import store
from engine.dice import fair
from engine.dicee.game.events import Rolled, read_event


def verification(game: Game) -> dict[str, Any]:
    """The commitment and every roll with its proof; the seed only once the game is over."""
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
        "seed": game.seed if game.is_over else None,
        "rolls": rolls,
    }


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
    right = sum(
        fair.verify(game.seed, str(game.pk), roll["sequence"], roll["rolled"], roll["proof"]) for roll in proof["rolls"]
    )
    store.current(game)  # the whole stream obeys the rules, too
    return Checked(fair.commitment(game.seed) == game.commitment, len(proof["rolls"]), right)

"""Hints in three steps, and guesses compared with the exact chance. Both are noted in the telemetry without waiting."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from dataclasses import dataclass

from django.core.cache import cache

from apps.accounts.models import Player
from apps.dicee.models import CoachedDecision, Game
from apps.dicee.services import store
from apps.dicee.services.page import coach
from apps.dicee.services.page.board import Row, TablePage, roll_name
from apps.dicee.services.record import telemetry
from engine.dicee.boxes import BOXES
from engine.dicee.game.state import GameStatus

#: What each step of a hint is in RFC-003's words.
HINT_TYPES = {"goal": "optimal_category", "dice": "reroll_strategy", "move": "probability_explanation"}
#: Points for a guess that is off by no more than this (calibration, RFC-003 §5.7 ``predictionScore``).
GUESS_POINTS = ((0.02, 10), (0.05, 5), (0.10, 2))


HINT_SECONDS = 24 * 3600  # a hint is remembered until its turn is written
TALLY_KEY = "dicee_guesses"  # of a player's settings: points earned so far
CONFIDENCE = ("low", "medium", "high")


def give_hint(page: TablePage, player: Player, level: str) -> coach.Hint:
    """The hint of a level, 1–3; anything else is the first."""
    assert page.position is not None
    given = coach.hint(
        page.position,
        int(level) if level in ("1", "2", "3") else 1,
        page.solved,
        plain=page.look.profile == "beginner",
    )
    cache.set(_hint_key(page.table.game, player), page.roll_id, HINT_SECONDS)
    if page.table.dice:
        telemetry.queue_notes(
            page.table.game,
            player,
            [
                {
                    "eventType": "hint_requested",
                    "currentDice": page.table.dice,
                    "hintType": HINT_TYPES[given.kind],
                    "availableCategories": page.position.card.open_boxes,
                    "hintContent": given.text,
                    "playerSkillLevel": page.look.profile,
                }
            ],
        )
    return given


def was_hinted(game: Game, player: Player) -> bool:
    """Whether a hint was asked for since the last score; asking for it again starts anew."""
    return bool(cache.delete(_hint_key(game, player)))


def note_answers_in_sight(game: Game, player: Player, shown: str) -> None:
    """Keep that the decision now taken was taken with an answer in sight: the page says so, or a hint was given."""
    state = store.current(game)
    if state.status is not GameStatus.ACTIVE or not state.dice or state.seat.player_id not in _refs(game, player):
        return
    roll = roll_name(state.seat.player_id, state.turn_number, state.roll_number)
    if shown or cache.get(_hint_key(game, player)) == roll:
        place = {"turn_number": state.turn_number, "roll_number": state.roll_number}
        row = CoachedDecision(game=game, player_ref=state.seat.player_id, **place)
        CoachedDecision.objects.bulk_create([row], ignore_conflicts=True)


def _refs(game: Game, player: Player) -> list[uuid.UUID]:
    return [seat.player_ref for seat in game.seats.all() if seat.player_id == player.pk]


def _hint_key(game: Game, player: Player) -> str:
    return f"dicee:hint:{game.pk}:{player.pk}"


@dataclass(frozen=True)
class Guess:
    """A prediction beside the truth, and the points all of a player's guesses have earned."""

    row: Row
    predicted: float
    actual: float
    confidence: str
    points: int
    total: int

    @property
    def delta(self) -> float:
        return abs(self.predicted - self.actual)


def judge_guess(page: TablePage, player: Player, form: Mapping[str, str]) -> Guess | None:
    """How near a guess came; None where nothing can be guessed or the form makes no sense."""
    percent, box, confidence = form.get("percent", ""), form.get("box", ""), form.get("confidence", "")
    asked = page.target
    if asked is None or page.position is None or asked.name != box or not percent.isdecimal():
        return None
    predicted = min(100, int(percent)) / 100
    actual = coach.best_chance(page.position, BOXES.index(box))
    points = next((points for within, points in GUESS_POINTS if abs(predicted - actual) <= within), 0)
    sure = confidence if confidence in CONFIDENCE else "medium"
    guess = Guess(asked, predicted, actual, sure, points, _add(player, points))
    telemetry.queue_notes(
        page.table.game,
        player,
        [
            {
                "eventType": "prediction",
                "predictedCategory": box,
                "predictedProbability": predicted,
                "confidenceLevel": sure,
                "actualProbability": actual,
                "accuracyDelta": guess.delta,
                "predictionScore": points,
            }
        ],
    )
    return guess


def _add(player: Player, points: int) -> int:
    total = int(player.settings.get(TALLY_KEY, 0)) + points
    player.settings = player.settings | {TALLY_KEY: total}
    player.save(update_fields=["settings"])
    return total

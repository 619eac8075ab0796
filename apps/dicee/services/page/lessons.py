"""Hints in three steps, and guesses compared with the exact chance. Both are noted in the telemetry without waiting."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from apps.accounts.models import Player
from apps.dicee.models import Door, Game
from apps.dicee.services import screens, store
from apps.dicee.services.page import coach
from apps.dicee.services.page.board import Row, TablePage, table_page
from apps.dicee.services.page.look import Look
from apps.dicee.services.record import telemetry
from apps.dicee.services.screens import Screen
from apps.dicee.services.seats import resumable, seat_if_any
from engine.dicee.boxes import BOXES

#: What each step of a hint is in RFC-003's words.
HINT_TYPES = {"goal": "optimal_category", "dice": "reroll_strategy", "move": "probability_explanation"}
#: Points for a guess that is off by no more than this (calibration, RFC-003 §5.7 ``predictionScore``).
GUESS_POINTS = ((0.02, 10), (0.05, 5), (0.10, 2))


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
    note_sight(page.table.game, player, Screen(hint=True))
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


# -- What was in sight ---------------------------------------------------------------------------------------------


def note_sight(game: Game, player: Player | None, screen: Screen) -> None:
    """Keep that something was shown to a player about the dice before them."""
    seat = seat_if_any(game, player)
    if seat is not None:
        screens.note(game, store.current(game), seat.player_ref, screen)


def note_page(page: TablePage) -> None:
    """Keep that a page went out with its values open."""
    if page.shows_answers:
        note_sight(page.table.game, page.viewer, Screen(values=True))


def note_look(player: Player) -> None:
    """Keep what a change of look has uncovered at the tables where this player is to decide."""
    for game in resumable(player).prefetch_related("seats"):
        note_page(table_page(game, player))


def screen_of(game: Game, player: Player, form: Mapping[str, str]) -> Screen:
    """The screen a page's move came from: the player's look, and what the form adds to it."""
    look = Look.of(player)
    return Screen(
        values=bool(form.get("answers")),
        held_best=bool(form.get("held_best")),
        statistics=look.visible and bool(game.settings.get("statistics", True)),
        profile=look.profile,
        door=Door.PAGE,
    )


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
    uncovers = page.look.visible and not page.decides_first
    note_sight(page.table.game, player, Screen(guessed=True, values=uncovers))
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

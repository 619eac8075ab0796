"""A player over many games: how well, which level of detail suits them, and whether it looks human.

Each finished game leaves a summary with its seat, so that a profile reads a few rows and folds no game again.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from statistics import fmean
from typing import Any, Literal

from apps.accounts.models import Player
from apps.dicee.models import Game, GameEvent, Seat, Status, Stream
from apps.dicee.services import store
from apps.dicee.services.review.decisions import Story, story
from engine.dicee.game.events import Skill

Level = Literal["beginner", "intermediate", "expert"]

#: More than this share of best choices over the last so many games (RFC-002 §5.1), the highest first.
LEVELS: tuple[tuple[float, int, Level, Skill], ...] = (
    (0.85, 50, "expert", Skill.EXPERT),
    (0.75, 20, "expert", Skill.ADVANCED),
    (0.60, 10, "intermediate", Skill.INTERMEDIATE),
)
#: RFC-001 §10.4; two of the three make a flag.
ALWAYS_OPTIMAL = 0.98
INSTANT_MS = 100
EXACT = 0.0005  # a prediction this near is a calculator's
FEWEST_PREDICTIONS = 3
FEWEST_DECISIONS = 13


@dataclass(frozen=True, slots=True)
class PlayerStatistics:
    """How a player has done over all games, and which level of detail suits them."""

    games: int
    average_score: float | None
    best_score: int | None
    optimal_rate: float | None
    points_lost: float | None  # per game
    skill: Skill
    suggested: Level


finished_hooks: list[Callable[[Game], None]] = []


def on_finished(hook: Callable[[Game], None]) -> Callable[[Game], None]:
    """Register ``hook(game)``: what another room does, in a worker, with a game that is over and summed up."""
    finished_hooks.append(hook)
    return hook


rating_hooks: list[Callable[[Player], float | None]] = []


def on_rating(hook: Callable[[Player], float | None]) -> Callable[[Player], float | None]:
    """Register ``hook(player)``: the rating another room has worked out from a player's games."""
    rating_hooks.append(hook)
    return hook


def rating_of(player: Player) -> float | None:
    """A player's rating, once there is one."""
    return next((rating for hook in rating_hooks if (rating := hook(player)) is not None), None)


@dataclass(frozen=True, slots=True)
class RatedStanding:
    """What rated games alone say, and the habits all games show."""

    rating: float
    low: float
    high: float
    points_lost: float  # per game
    games: int
    settled: bool


@dataclass(frozen=True, slots=True)
class Learnt:
    """What another room has learnt of a player: the rating of rated games, if there are any, and named habits."""

    rated: RatedStanding | None
    habits: tuple[str, ...]


learnt_hooks: list[Callable[[Player], Learnt]] = []


def on_learnt(hook: Callable[[Player], Learnt]) -> Callable[[Player], Learnt]:
    """Register ``hook(player)``: what has been learnt of a player over many games."""
    learnt_hooks.append(hook)
    return hook


def learnt_of(player: Player) -> Learnt:
    return next((hook(player) for hook in learnt_hooks), Learnt(None, ()))


def summarise(game: Game) -> None:
    """Sum up a game that is over, and tell who else learns from it."""
    sum_up(game)
    for hook in finished_hooks:
        hook(game)
    store.broadcast_look_again(game)  # whoever is still at the table sees the new rating


def sum_up(game: Game) -> None:
    """Leave a summary with every seat."""
    for seat in game.seats.filter(summary__isnull=True):
        played = story(game, seat.player_ref)
        counted = [decision for decision in played.decisions if not (decision.obvious or decision.assisted)]
        took = [decision.time_to_decision for decision in played.decisions]
        summary: dict[str, Any] = {
            "decisions": len(played.decisions),
            "best": sum(decision.was_best for decision in played.decisions),
            "counted": len(counted),
            "right": sum(decision.was_best for decision in counted),
            "pointsLost": sum(decision.lost for decision in played.decisions),
            "luck": sum(throw.luck for throw in played.throws),
            "horizon": played.horizon.value,
            "averageMs": fmean(took) if took else None,
        }
        summary["flags"] = [] if seat.bot else red_flags(played, _predictions(game, seat.player_ref))
        Seat.objects.filter(pk=seat.pk).update(summary=summary)


def catch_up(most: int = 100) -> int:
    """Sum up games whose turn was missed, as when the queue was away. Returns how many."""
    missed = Game.objects.filter(status=Status.COMPLETED, seats__summary__isnull=True).distinct()[:most]
    for game in missed:
        summarise(game)
    return len(missed)


def red_flags(played: Story, predictions: Iterable[float]) -> list[str]:
    """What RFC-001 §10.4 looks for in one game. ``predictions`` are distances from the truth."""
    decisions, off = played.decisions, list(predictions)
    if len(decisions) < FEWEST_DECISIONS:
        return []
    rate = sum(decision.was_best for decision in decisions) / len(decisions)
    found = {
        "always_optimal": rate > ALWAYS_OPTIMAL,
        "instant_decisions": fmean(decision.time_to_decision for decision in decisions) < INSTANT_MS,
        "perfect_predictions": len(off) >= FEWEST_PREDICTIONS and max(off) <= EXACT,
    }
    return [name for name, holds in found.items() if holds]


def is_suspicious(flags: Iterable[str]) -> bool:
    return len(list(flags)) >= 2


def _predictions(game: Game, player_ref: uuid.UUID) -> list[float]:
    rows = GameEvent.objects.filter(game=game, stream=Stream.TELEMETRY, type="prediction")
    return [
        row["accuracyDelta"] for row in rows.values_list("payload", flat=True) if row["playerId"] == str(player_ref)
    ]


def profile(player: Player) -> PlayerStatistics:
    """What a player's finished games say."""
    seats = Seat.objects.filter(player=player, game__status=Status.COMPLETED).order_by("-game__finished_at")
    scores = [score for score in seats.values_list("final_score", flat=True) if score is not None]
    summaries = [summary for summary in seats.values_list("summary", flat=True)[: LEVELS[0][1]] if summary]
    suggested, skill = level(summaries)
    return PlayerStatistics(
        games=len(scores),
        average_score=fmean(scores) if scores else None,
        best_score=max(scores, default=None),
        optimal_rate=rate_of(summaries) if summaries else None,
        points_lost=fmean(summary["pointsLost"] for summary in summaries) if summaries else None,
        skill=skill,
        suggested=suggested,
    )


def rate_of(summaries: list[dict[str, Any]]) -> float:
    """The share of best choices over some games, of those that are not obvious and were taken without the coach.

    Games summed up before that was told apart count all their decisions.
    """
    decisions = sum(summary.get("counted", summary["decisions"]) for summary in summaries)
    right = sum(summary.get("right", summary["best"]) for summary in summaries)
    return right / decisions if decisions else 0.0


def level(summaries: list[dict[str, Any]]) -> tuple[Level, Skill]:
    """The level of detail that fits, from the newest summaries first."""
    for above, games, name, skill in LEVELS:
        if len(summaries) >= games and rate_of(summaries[:games]) > above:
            return name, skill
    return "beginner", Skill.BEGINNER


def document(player: Player) -> dict[str, Any]:
    """The profile on the wire."""
    found, learnt = profile(player), learnt_of(player)
    rated = learnt.rated
    return {
        "success": True,
        "playerId": str(player.pk),
        "displayName": player.pseudonym,
        "gamesCompleted": found.games,
        "averageScore": found.average_score,
        "bestScore": found.best_score,
        "optimalDecisionRate": found.optimal_rate,
        "averagePointsLost": found.points_lost,
        "skillLevel": found.skill.value,
        "suggestedProfile": found.suggested,
        "rating": {
            "rating": rated.rating,
            "interval90": [rated.low, rated.high],
            "pointsLostPerGame": rated.points_lost,
            "ratedGames": rated.games,
            "settled": rated.settled,
        }
        if rated
        else None,
        "habits": list(learnt.habits),
    }

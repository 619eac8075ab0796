"""What finished work amounts to: the figures kept with it, and how they are printed."""

from __future__ import annotations

import datetime
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any

from django.db.models import F

from apps.classroom.models import ClassGame, Task, Work
from apps.core.formats import number, percent, signed
from apps.dicee.decisions import GUESS_POINTS
from apps.dicee.models import Status
from apps.dicee.services.review.profile import rate_of
from apps.practice.models import Answer

Figures = dict[str, Any]


@dataclass(frozen=True)
class Finished:
    """A game of a work that is over."""

    finished_at: datetime.datetime
    score: int
    summary: Mapping[str, Any] | None
    won: bool


def games_of(work: Work) -> list[Finished]:
    """The completed games of a work, oldest first."""
    rows = (
        ClassGame.objects.filter(work=work, game__status=Status.COMPLETED, game__seats__player=F("member__player"))
        .order_by("game__finished_at")
        .values_list("game_id", "game__finished_at", "game__seats__final_score", "game__seats__summary")
    )
    best = _best_scores([row[0] for row in rows])
    return [
        Finished(at, score, summary, score == best[game])
        for game, at, score, summary in rows
        if at and score is not None
    ]


def _best_scores(games: Sequence[Any]) -> dict[Any, int]:
    scores: dict[Any, int] = {}
    for game, score in ClassGame.objects.filter(game__in=games).values_list("game_id", "game__seats__final_score"):
        scores[game] = max(scores.get(game, 0), score or 0)
    return scores


def of_games(played: Sequence[Finished]) -> Figures:
    summaries = [dict(game.summary or {}) for game in played]
    return {
        "games": len(played),
        "score": fmean(game.score for game in played),
        "accuracy": rate_of(summaries),
        "lost": fmean(summary["pointsLost"] for summary in summaries),
        "won": sum(game.won for game in played),
    }


def of_answers(answers: Sequence[Answer]) -> Figures:
    right = sum(not answer.lost for answer in answers)
    return {
        "questions": len(answers),
        "right": right,
        "accuracy": right / len(answers),
        "lost": sum(answer.lost or 0.0 for answer in answers),
    }


def of_guesses(answers: Sequence[Answer]) -> Figures:
    """Calibration: how far off on average, to which side, and the points Dicee gives for near guesses."""
    off = [(answer.predicted or 0.0) - (answer.truth or 0.0) for answer in answers]
    return {
        "questions": len(answers),
        "off": fmean(map(abs, off)),
        "bias": fmean(off),
        "points": sum(next((points for within, points in GUESS_POINTS if abs(o) <= within), 0) for o in off),
    }


#: Column by column: the key of the figure, its heading, how it is printed.
_SCORE = ("score", "Score", lambda x: number(x, 0))
_ACCURACY = ("accuracy", "Best choices", lambda x: percent(x, 0))
_LOST = ("lost", "Points lost", lambda x: number(x, 1))
COLUMNS: dict[str, tuple[tuple[str, str, Any], ...]] = {
    Task.GAMES: (_SCORE, _ACCURACY, _LOST),
    Task.MATCH: (("won", "Won", lambda x: "yes" if x else "no"), _SCORE, _ACCURACY, _LOST),
    Task.POSITIONS: (("right", "Right", str), _ACCURACY, _LOST),
    Task.PREDICTIONS: (
        ("off", "Off by", lambda x: f"{number(100 * x, 1)} pp"),
        ("bias", "Tends to say", lambda x: f"{signed(100 * x, 1)} pp"),
        ("points", "Points", str),
    ),
}


def headings(task: str) -> list[str]:
    return [heading for _, heading, _ in COLUMNS[task]]


def shown(task: str, result: Mapping[str, Any]) -> list[tuple[str, str]]:
    """The figures as headings and words."""
    return [(heading, show(result[key])) for key, heading, show in COLUMNS[task]]


def plain(task: str, result: Mapping[str, Any] | None) -> list[Any]:
    """The same figures with every digit, for a file."""
    return [result[key] if result else "" for key, _, _ in COLUMNS[task]]

"""A class over the weeks: how much was played, how well, and what it cost."""

from __future__ import annotations

import datetime
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.utils import timezone

from apps.classroom.models import Classroom
from apps.classroom.services import classes
from apps.classroom.services.classes import Played
from apps.classroom.services.live import board
from apps.core import charts
from apps.core.charts import Figure
from apps.dicee.models import Status

MOST_WEEKS = 26


@dataclass(frozen=True)
class Week:
    """Monday to Sunday."""

    monday: datetime.date
    students: int
    games: int
    decisions: int
    right: int
    lost: float
    score: float
    so_far: bool = False  # the week is not over: fewer students and games than it will have

    @property
    def label(self) -> str:
        return f"{self.monday:%-d %b}{' (so far)' if self.so_far else ''}"

    @property
    def accuracy(self) -> float:
        return self.right / self.decisions if self.decisions else 0.0

    @property
    def lost_each(self) -> float:
        """Points lost per decision."""
        return self.lost / self.decisions if self.decisions else 0.0


def weeks(classroom: Classroom) -> list[Week]:
    """Oldest first; a week in which nobody played has no line."""
    played = classes.games_of(board.students(classroom))
    by_week: dict[datetime.date, list[Played]] = defaultdict(list)
    for game in (game for games in played.values() for game in games):
        if game.status == Status.COMPLETED and game.finished_at and game.summary:
            day = game.finished_at.date()
            by_week[day - datetime.timedelta(days=day.weekday())].append(game)
    return [_week(monday, games) for monday, games in sorted(by_week.items())][-MOST_WEEKS:]


def _week(monday: datetime.date, games: Sequence[Played]) -> Week:
    summaries: list[dict[str, Any]] = [game.summary or {} for game in games]
    return Week(
        monday=monday,
        students=len({game.member_id for game in games}),
        games=len(games),
        decisions=sum(summary["decisions"] for summary in summaries),
        right=sum(summary["best"] for summary in summaries),
        lost=sum(summary["pointsLost"] for summary in summaries),
        score=sum(game.score or 0 for game in games) / len(games),
        so_far=monday + datetime.timedelta(weeks=1) > timezone.localdate(),
    )


def accuracy_figure(found: Sequence[Week]) -> Figure:
    """The share of best choices, week by week."""
    return _over_weeks(found, "Best choices", [week.accuracy for week in found], percent=True)


def lost_figure(found: Sequence[Week]) -> Figure:
    return _over_weeks(found, "Points lost per decision", [week.lost_each for week in found])


def _over_weeks(found: Sequence[Week], name: str, values: list[float], *, percent: bool = False) -> Figure:
    figure = charts.lines([(name, list(range(len(found))), values)], x="Week of", y=name)
    figure["data"][0] |= {"x": [week.label for week in found], "mode": "lines+markers"}
    figure["layout"]["xaxis"]["type"] = "category"
    figure["layout"]["yaxis"]["rangemode"] = "tozero"
    if percent:
        figure["layout"]["yaxis"] |= {"tickformat": ".0%", "range": [0, 1]}
    return figure

"""The game of the day: the same dice for everyone, one attempt, no coach, and a place among all who played it.

Dice are drawn for the day, the turn and the roll (``store.drawn_for``), so whoever holds the same dice rolls the same.
Until the day is over its seed is secret and its games are shown only to those who have played it themselves.
"""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from typing import Any

from django.db import IntegrityError, transaction
from django.utils import timezone

from apps.accounts.models import Player
from apps.dicee.models import DailyDice, Game, Seat, Status
from apps.dicee.services import play
from apps.dicee.services.review.report import SQUARES, Report
from engine.dice import fair

#: Everyone plays on equal terms: nothing to look at, nothing to take back.
SETTINGS: dict[str, Any] = {"statistics": False, "hints": False, "allowUndo": False, "spectators": False}
BEST_SHOWN = 10
A_DAY = datetime.timedelta(days=1)


def today() -> datetime.date:
    return timezone.now().date()


def dice_of(day: datetime.date) -> DailyDice:
    """The dice of a day, drawn when the first player asks for them."""
    seed = fair.new_seed()
    try:
        with transaction.atomic():
            return DailyDice.objects.get_or_create(
                day=day, defaults={"seed": seed, "commitment": fair.commitment(seed)}
            )[0]
    except IntegrityError:  # two first players at the same moment
        return DailyDice.objects.get(day=day)


def play_today(player: Player) -> Game:
    """Begin today's game, or come back to it."""
    dice = dice_of(today())
    begun = dice.games.filter(host=player).first()
    return begun or play.create(player, "solo", SETTINGS, daily=dice)


@dataclass(frozen=True, slots=True)
class Entry:
    """One finished game of the day in the list of the best; equal scores share a place."""

    place: int
    name: str
    score: int
    is_me: bool

    @property
    def shown_name(self) -> str:
        return "You" if self.is_me else self.name


@dataclass(frozen=True, slots=True)
class DailyView:
    """The game of a day as one player sees it."""

    day: datetime.date
    game: Game | None  # the player's own, begun or finished
    score: int | None
    place: int | None
    players: int  # who have finished
    streak: int
    best: tuple[Entry, ...]

    @property
    def is_finished(self) -> bool:
        return self.score is not None

    @property
    def standing(self) -> str:
        """The place in words."""
        return f"Place {self.place} of {self.players}" if self.place else ""

    @property
    def streak_words(self) -> str:
        return f"{self.streak} days in a row" if self.streak > 1 else ""


def daily_view(player: Player | None, day: datetime.date | None = None) -> DailyView:
    """How a day's game stands, for somebody who may have played it."""
    day = day or today()
    seats = list(_finished(day).select_related("game"))
    mine = Game.objects.filter(daily=day, host=player).first() if player else None
    score = next((seat.final_score for seat in seats if mine is not None and seat.game_id == mine.pk), None)
    place = None if score is None else 1 + sum(_points(seat) > score for seat in seats)
    best = tuple(
        Entry(1 + sum(_points(other) > _points(seat) for other in seats), seat.name, _points(seat), seat.game == mine)
        for seat in seats[:BEST_SHOWN]
    )
    return DailyView(day, mine, score, place, len(seats), streak(player, day), best)


def _finished(day: datetime.date) -> Any:
    over = Seat.objects.filter(game__daily=day, game__status=Status.COMPLETED, final_score__isnull=False)
    return over.order_by("-final_score", "game__finished_at")


def _points(seat: Seat) -> int:
    return seat.final_score or 0


def streak(player: Player | None, day: datetime.date) -> int:
    """Days in a row, up to a day or the one before it, on which the day's game was finished."""
    if player is None:
        return 0
    games = Game.objects.filter(host=player, daily__isnull=False, status=Status.COMPLETED, daily__lte=day)
    days = set(games.values_list("daily", flat=True))
    last = day if day in days else day - A_DAY
    count = 0
    while last - count * A_DAY in days:
        count += 1
    return count


def share_text(view: DailyView, report: Report, link: str) -> str:
    """The result of a day to send around; it gives no die away."""
    squares = "".join(SQUARES[line.worst] for line in report.turns)
    standing = [f"{view.standing.lower()}", view.streak_words]
    return f"Dicee {view.day:%-d %B}: {report.score} · {' · '.join(filter(None, standing))}\n{squares}\n{link}"

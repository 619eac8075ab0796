"""What chats and forums show under a link to a table, a report, a decision or the game of a day.

A card is drawn for strangers: it names nobody, and a game that strangers may not see has none.
"""

from __future__ import annotations

import datetime

from django.urls import reverse

from apps.accounts.http import Request
from apps.core import formats
from apps.core.cards import Card, Figure
from apps.core.formats import PRINTS_AS_ZERO
from apps.dicee import services
from apps.dicee.models import Game, Status
from apps.dicee.services.analyse import Board
from apps.dicee.services.review import Explained, Report

TITLE = "Dicee"
LEADS: dict[str, str] = {
    Status.WAITING: "A seat is free. Take it and roll.",
    Status.ACTIVE: "A game of Dicee is being played. Come and watch.",
    Status.ABANDONED: "A game of Dicee that was left unfinished.",
}


def link(request: Request, game: Game, query: str = "") -> str:
    """The address of a game's card; nothing for a game that is not open to strangers."""
    is_open = services.may_see(game, None) or services.takes_players(game)
    address = reverse("dicee:card", args=[game.pk])
    return request.build_absolute_uri(f"{address}{query}") if is_open else ""


def of_table(game: Game) -> Card:
    """A table that is not at its end."""
    return Card(TITLE, LEADS[game.status])


def of_report(found: Report) -> Card:
    """One player's result: the score, how many choices were the best, what luck gave and decisions cost."""
    parts = [f"{formats.percent(found.accuracy, 0)} best choices"]
    if found.luck is not None:
        parts.append(f"luck {formats.signed(found.luck, 1)}")
    parts.append(f"decisions {_cost(found.points_lost)}")
    return Card(TITLE, "", (Figure(str(found.score), "", "points at Dicee.", " · ".join(parts)),))


def of_decision(opened: Explained) -> Card:
    """One decision of a game: what it cost, and what was best."""
    decision = opened.decision
    best = f"Turn {decision.turn}, roll {decision.roll}: {decision.best_words}."
    if decision.was_best:
        return Card(TITLE, "", (Figure("Best", "", best),))
    return Card(TITLE, "", (Figure(_cost(decision.lost), "points", best, f"Chosen: {decision.chosen_words}."),))


def of_position(board: Board) -> Card:
    """A position of the analysis board: the best choice and the score it averages."""
    dice = "-".join(str(face) for face, _ in board.dice)
    rest = f"{dice}, {board.rolls_words}." if dice else ""
    figure = Figure(formats.number(board.expected, 1), "points", board.headline, rest)
    return Card("Dicee: analysis", "", (figure,))


def of_day(day: datetime.date) -> Card:
    """The game of a day, without a word on its dice."""
    return Card(TITLE, f"Game of {day:%-d %B}: the same dice for everyone, one attempt.")


def _cost(points: float) -> str:
    return f"−{formats.number(points, 1)}" if points >= PRINTS_AS_ZERO else "0.0"

"""How the product does (RFC-001 §1.4, RFC-002 §13): counted over everybody, nobody by name."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from statistics import fmean
from typing import Any

from apps.dicee.models import Game, Seat, Status
from apps.operate.models import OpenedReport

#: Fewer people than this are not shown: they could be recognised.
FEWEST = 5
#: Games of a player, first to last of a stage.
STAGES = ((1, 5), (6, 10), (11, 20))
MOST_PLAYERS = 20_000


@dataclass(frozen=True)
class Stage:
    """Players over some of their first games. ``None`` where there are too few to show."""

    first: int
    last: int
    players: int
    best: float | None
    points_lost: float | None


@dataclass(frozen=True)
class Measure:
    """One criterion of the documents: what it asks for and what is."""

    title: str
    wanted: str
    value: float | None
    of: int


def stages() -> list[Stage]:
    """Decision quality over the first twenty games."""
    played = _games_by_player()
    found = []
    for first, last in STAGES:
        some = [games[first - 1 : last] for games in played if len(games) >= first]
        best = [sum(one["best"] for one in games) / decisions for games in some if (decisions := _decisions(games))]
        lost = [fmean(one["pointsLost"] for one in games) for games in some]
        shown = len(best) >= FEWEST
        found.append(Stage(first, last, len(some), fmean(best) if shown else None, fmean(lost) if shown else None))
    return found


def measures() -> list[Measure]:
    """The criteria that our records can answer."""
    played = _games_by_player()
    gains = [_share(games[15:20]) / early - 1 for games in played if len(games) >= 20 and (early := _share(games[:5]))]
    tenth = [_share(games[5:10]) for games in played if len(games) >= 10]
    people = Seat.objects.filter(game__status=Status.COMPLETED, bot="").count()
    opened = OpenedReport.objects.filter(seat__game__status=Status.COMPLETED, seat__bot="").count()
    with_numbers = Game.objects.filter(status=Status.COMPLETED)
    shown = with_numbers.exclude(settings__statistics=False).count()
    return [
        Measure("Better choices in games 16–20 than in 1–5", "more than 15 %", _shown(gains), len(gains)),
        Measure(
            "Beginners who make 3 of 5 best choices by their tenth game",
            "more than 60 %",
            _shown([share > 0.6 for share in tenth]),
            len(tenth),
        ),
        Measure("Players who open the analysis of a finished game", "more than 70 %", _part(opened, people), people),
        Measure("Games with odds and advice shown", "more than 60 %", _part(shown, with_numbers.count()), shown),
    ]


def _games_by_player() -> list[list[dict[str, Any]]]:
    """Summaries of every player's finished games, first to last."""
    seats = Seat.objects.filter(bot="", game__status=Status.COMPLETED, summary__isnull=False)
    played: dict[object, list[dict[str, Any]]] = defaultdict(list)
    for ref, summary in seats.order_by("game__finished_at").values_list("player_ref", "summary").iterator():
        if summary and len(played[ref]) < STAGES[-1][1]:
            played[ref].append(summary)
        if len(played) >= MOST_PLAYERS:
            break
    return list(played.values())


def _decisions(games: list[dict[str, Any]]) -> int:
    return sum(one["decisions"] for one in games)


def _share(games: list[dict[str, Any]]) -> float:
    return sum(one["best"] for one in games) / decisions if (decisions := _decisions(games)) else 0.0


def _shown(values: list[float] | list[bool]) -> float | None:
    return fmean(values) if len(values) >= FEWEST else None


def _part(some: int, of: int) -> float | None:
    return some / of if of >= FEWEST else None

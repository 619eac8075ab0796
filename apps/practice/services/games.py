"""A player's own games and the decisions in them, found again: by rules, opponent, result, loss and idea."""

from __future__ import annotations

import datetime
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from apps.accounts.models import Player
from apps.core.formats import number
from apps.dicee.models import Mode, Seat, Status
from apps.practice.models import PlayedGame
from apps.practice.services.progress.learning import Slip
from engine.dicee.boxes import Variant
from engine.dicee.learning import CONCEPTS, Concept
from engine.wire import refuse

#: Choices of the filter: value and words; the first means no filter.
VARIANTS = (
    ("", "All rules"),
    ("standard", "Standard"),
    ("joker_rules", "Joker rules, free choice"),
    ("forced_dicee", "Forced joker"),
)
OPPONENTS = (("", "Anybody"), ("nobody", "Nobody"), ("bots", "Bots"), ("people", "People"))
RESULTS = (("", "Any result"), ("won", "Won"), ("lost", "Not won"))
IDEAS = (("", "All ideas"), *((concept.value, text.title) for concept, text in CONCEPTS.items()))
MOST_LOST = 300.0


@dataclass(frozen=True)
class Filter:
    """What is looked for. ``lost`` is the least points lost: by a game, or by one decision."""

    variant: str = ""
    opponent: str = ""
    result: str = ""
    concept: str = ""
    lost: float = 0.0

    @property
    def query(self) -> str:
        """The filter as part of an address."""
        fields = {name: value for name, value in vars(self).items() if value}
        return urlencode(fields)

    @property
    def is_on(self) -> bool:
        return bool(self.query)


def read_filter(asked: Mapping[str, str]) -> Filter:
    """The filter of an address, or a refusal that names the field."""
    allowed = {"variant": VARIANTS, "opponent": OPPONENTS, "result": RESULTS, "concept": IDEAS}
    chosen: dict[str, str] = {}
    for name, choices in allowed.items():
        value = asked.get(name, "")
        known = [each for each, _ in choices]
        if value not in known:
            refuse(f"There is no such {name}.", field=name, constraint="one of", expected=known[1:], actual=value[:40])
        chosen[name] = value
    return Filter(**chosen, lost=_points(asked.get("lost", "")))


def _points(text: str) -> float:
    try:
        points = float(text or 0)
    except ValueError:
        points = -1.0
    if not 0 <= points <= MOST_LOST:
        refuse(
            f"Points lost are 0–{MOST_LOST:.0f}; you entered {text[:20]}.",
            field="lost",
            constraint="range",
            expected=f"0–{MOST_LOST:.0f}",
            actual=text[:20],
        )
    return points


# -- Games ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class GameRow:
    """One finished game of a player's."""

    game_id: uuid.UUID
    finished_at: datetime.datetime | None
    variant: str
    score: int
    others: tuple[tuple[str, int], ...]
    won: bool | None  # None where there was nobody to beat
    lost: float | None
    luck: float | None
    accuracy: float | None

    @property
    def result(self) -> str:
        """How it ended against the others, in a word."""
        return "" if self.won is None else "won" if self.won else "not won"

    @property
    def adjusted(self) -> float | None:
        """The score without the luck of its dice."""
        return None if self.luck is None else self.score - self.luck


def games(player: Player | None, wanted: Filter) -> list[GameRow]:
    """A player's finished games that fit, newest first."""
    if player is None:
        return []
    seats = Seat.objects.filter(player=player, game__status=Status.COMPLETED, final_score__isnull=False)
    if wanted.variant == Variant.STANDARD:  # tables older than the variants have no such entry
        seats = seats.exclude(game__settings__rulesVariant__in=[v for v, _ in VARIANTS[2:]])
    elif wanted.variant:
        seats = seats.filter(game__settings__rulesVariant=wanted.variant)
    if wanted.concept:
        seats = seats.filter(pk__in=_about(player, wanted.concept))
    newest = seats.select_related("game").prefetch_related("game__seats").order_by("-game__finished_at", "-pk")
    return [row for seat, row in ((seat, _row(seat)) for seat in newest) if _fits(row, seat, wanted)]


def _row(seat: Seat) -> GameRow:
    others = [(other.name, other.final_score or 0) for other in seat.game.seats.all() if other.pk != seat.pk]
    score = seat.final_score or 0
    summary: dict[str, Any] = seat.summary or {}
    counted = summary.get("counted")
    return GameRow(
        game_id=seat.game_id,
        finished_at=seat.game.finished_at,
        variant=dict(VARIANTS)[seat.game.settings.get("rulesVariant", Variant.STANDARD.value)],
        score=score,
        others=tuple(others),
        won=score >= max(points for _, points in others) if others else None,
        lost=summary.get("pointsLost"),
        luck=summary.get("luck") if summary.get("horizon") == "game" else None,
        accuracy=summary["right"] / counted if counted else None,
    )


def _fits(row: GameRow, seat: Seat, wanted: Filter) -> bool:
    people = any(not other.bot for other in seat.game.seats.all() if other.pk != seat.pk)
    kind = "nobody" if not row.others else "people" if people or seat.game.mode == Mode.MULTIPLAYER else "bots"
    if wanted.opponent and kind != wanted.opponent:
        return False
    if wanted.result and (row.won is None or row.won != (wanted.result == "won")):
        return False
    return not wanted.lost or (row.lost or 0.0) >= wanted.lost


def _about(player: Player, concept: str) -> list[int]:
    """Seats of games in which a decision about an idea cost something."""
    rows = PlayedGame.objects.filter(seat__player=player).values_list("seat_id", "slips")
    return [seat for seat, slips in rows if any(concept in slip["concepts"] for slip in slips)]


@dataclass(frozen=True)
class Average:
    """Many games in one line: the mean score, and the mean without the luck of the dice."""

    games: int
    score: float
    adjusted: float | None
    lost: float | None


def average(rows: list[GameRow]) -> Average | None:
    """What some games average; None without one."""
    if not rows:
        return None
    adjusted = [row.adjusted for row in rows if row.adjusted is not None]
    lost = [row.lost for row in rows if row.lost is not None]
    return Average(len(rows), sum(row.score for row in rows) / len(rows), _mean(adjusted), _mean(lost))


def summary(rows: list[GameRow]) -> str:
    """Some games in a sentence."""
    found = average(rows)
    if found is None:
        return "Every game you finish is listed here."
    parts = [f"{found.games} game{'' if found.games == 1 else 's'}, {number(found.score, 1)} points on average"]
    if found.adjusted is not None:
        parts.append(f"{number(found.adjusted, 1)} without the luck of the dice")
    if found.lost is not None:
        parts.append(f"{number(found.lost, 1)} lost by choices")
    return f"{', '.join(parts)}."


def _mean(values: list[float]) -> float | None:
    return sum(values) / len(values) if values else None


# -- Decisions ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class DecisionRow:
    """A decision that cost something, with the way to it."""

    game_id: uuid.UUID
    player_ref: uuid.UUID
    finished_at: datetime.datetime
    slip: Slip

    @property
    def ideas(self) -> str:
        return ", ".join(CONCEPTS[concept].title for concept in self.slip.concepts)


def decisions(player: Player | None, wanted: Filter) -> list[DecisionRow]:
    """Decisions of a player's games that cost something and fit, the costliest first. Kept from a point lost on."""
    if player is None:
        return []
    fitting = {row.game_id for row in games(player, Filter(wanted.variant, wanted.opponent, wanted.result))}
    played = PlayedGame.objects.filter(seat__player=player, seat__game_id__in=fitting)
    rows = played.values_list("seat__game_id", "seat__player_ref", "finished_at", "slips")
    found = [
        DecisionRow(game, ref, finished, Slip.model_validate(slip))
        for game, ref, finished, slips in rows
        for slip in slips
        if slip["lost"] >= wanted.lost and (not wanted.concept or Concept(wanted.concept).value in slip["concepts"])
    ]
    return sorted(found, key=lambda row: (-row.slip.lost, -row.finished_at.timestamp(), row.slip.at))

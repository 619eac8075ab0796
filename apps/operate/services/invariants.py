"""What must hold of every game (RFC-003 §10), checked while people play. Reports; never repairs.

The engine's ``replay`` refuses a stream that breaks a rule of the game: gaps, ids used twice, time that runs back,
cards that do not add up, turns and rolls out of bounds, an end before the last box. Here is what lies around it: that
the rows of a game say what its events add up to, that its dice follow from its seed, that analyses are possible.
"""

from __future__ import annotations

import datetime
import logging
import uuid
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field

from django.core.cache import cache
from django.db.models import Max
from django.utils import timezone

from apps.core import metrics
from apps.dicee.models import Game, GameEvent, Status, Stream
from apps.dicee.services import store
from apps.dicee.services.record import fairness
from engine.dicee.boxes import BOXES
from engine.dicee.game.state import GameState, replay
from engine.wire import EngineError

log = logging.getLogger(__name__)

#: Games looked at in one run: those that moved since the last one, and some of the others.
MOST_RECENT, SOME_OLD = 500, 50
KEY = "operate:invariants"
KEPT = 100  # violations that are remembered
TOLERANCE = 1e-6  # points: an analysis is written with a few digits less than it was computed with


@dataclass(frozen=True)
class Violation:
    """One rule that one game breaks."""

    game: str
    rule: str
    found: str


@dataclass(frozen=True)
class Check:
    """One run over some games."""

    at: str
    games: int
    violations: list[Violation] = field(default_factory=list)


def check_some(now: datetime.datetime | None = None) -> Check:
    """Check the games of the last two hours and a few older ones, and remember what was found."""
    moment = now or timezone.now()
    since = moment - datetime.timedelta(hours=2)
    moved = GameEvent.objects.filter(stream=Stream.DOMAIN, created_at__gte=since).order_by()
    recent = moved.values_list("game", flat=True).distinct()[:MOST_RECENT]
    old = Game.objects.filter(created_at__lt=since).order_by("?").values_list("pk", flat=True)[:SOME_OLD]
    games = Game.objects.filter(pk__in={*recent, *old})
    violations = [found for game in games for found in check(game)]
    for one in violations:
        metrics.INVARIANT_VIOLATIONS.labels(one.rule).inc()
        log.error("invariant broken in game %s: %s (%s)", one.game, one.rule, one.found)
    done = Check(moment.isoformat(timespec="seconds"), games.count(), violations)
    cache.set(KEY, asdict(done) | {"violations": [asdict(one) for one in violations[:KEPT]]}, timeout=None)
    return done


def last_check() -> Check | None:
    """What the last run found, if there was one since the cache began."""
    kept = cache.get(KEY)
    return Check(kept["at"], kept["games"], [Violation(**one) for one in kept["violations"]]) if kept else None


def check(game: Game) -> Iterator[Violation]:
    """Every rule that a game breaks."""

    def broken(rule: str, found: object) -> Violation:
        return Violation(str(game.pk), rule, str(found))

    try:
        state = replay(store.stream(game), _ids_elsewhere(game))
    except (EngineError, ValueError) as error:
        yield broken("the events obey the rules of the game (§10.3, §10.4, §10.5)", error)
        return
    if replay(store.stream(game), _ids_elsewhere(game)) != state:
        yield broken("the same events add up to the same game (§10.5.3)", "another state the second time")
    for rule, found in (*_rows(game, state), *_analyses(game), *_dice(game)):
        yield broken(rule, found)


def _ids_elsewhere(game: Game) -> list[uuid.UUID]:
    return list(game.events.exclude(stream=Stream.DOMAIN).values_list("pk", flat=True))


def _rows(game: Game, state: GameState) -> Iterator[tuple[str, object]]:
    """The rows beside the events say the same."""
    if game.status != state.status.value:
        yield "the status is that of the events", f"{game.status}, not {state.status.value}"
    if game.status == Status.COMPLETED:
        for seat in game.seats.all():
            played = next((one for one in state.seats if one.player_id == seat.player_ref), None)
            if played is None or seat.final_score not in (None, played.card.grand_total):
                yield "a final score is the total of its card (§10.3.4)", f"{seat.name}: {seat.final_score}"
            if played is not None and not played.left and played.card.turns_completed != len(BOXES):
                yield "a finished game has thirteen turns (§10.4.4)", f"{seat.name}: {played.card.turns_completed}"
    rows = game.events.filter(stream=Stream.DOMAIN)
    if rows.count() != (last := rows.aggregate(last=Max("seq"))["last"]):
        yield "numbers run without gaps (§10.5.2)", f"{rows.count()} events up to number {last}"


def _analyses(game: Game) -> Iterator[tuple[str, object]]:
    """No choice is better than the best (§10.6.1), no expectation below nothing (§10.2.1)."""
    for row in game.events.filter(stream=Stream.DOMAIN, type="score").values_list("payload", flat=True):
        if row.get("evDifference", 0.0) < -TOLERANCE:
            yield "no choice is better than the best (§10.6.1)", row["evDifference"]
        if row.get("optimalEV", 0.0) < -TOLERANCE:
            yield "an expected value is not negative (§10.2.1)", row["optimalEV"]


def _dice(game: Game) -> Iterator[tuple[str, object]]:
    """Every die follows from the seed that was promised."""
    checked = fairness.verify(game)
    if checked is not None and not checked.fair:
        yield "the dice follow from the promised seed", f"{checked.right} of {checked.rolls} rolls"

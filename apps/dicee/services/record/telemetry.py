"""The two streams beside the game: what players looked at, and what was computed. Neither ever holds up a move.

Both are written by workers. Numbers run without gaps per stream (ruling D11): a writer takes the next free places and,
should another have taken them at the same moment, takes the following ones.
"""

from __future__ import annotations

import datetime
import logging
import time
import uuid
from collections.abc import Mapping, Sequence
from typing import Any

from celery import current_app
from django.db import IntegrityError, transaction
from django.db.models import Max
from django.utils import timezone

from apps.accounts.models import Player
from apps.dicee.models import Game, GameEvent, Stream
from apps.dicee.services import store
from apps.dicee.services.seats import seat_of
from engine.dicee.game.events import BY_TYPE, Event, EventStream, read_event
from engine.dicee.game.state import GameState
from engine.wire import named_fields, refuse

log = logging.getLogger(__name__)

MOST_AT_ONCE = 100
TRIES = 5
#: How long each stream is kept (RFC-003 §3.1). Domain events are not in the table: they stay.
KEPT = {Stream.ANALYSIS: datetime.timedelta(days=90), Stream.TELEMETRY: datetime.timedelta(days=30)}
CLIENT_TYPES = tuple(
    kind for kind, model in BY_TYPE.items() if model.model_fields["stream_type"].default is EventStream.TELEMETRY
)


def queue_notes(game: Game, player: Player, batch: Sequence[Mapping[str, Any]]) -> int:
    """Take a batch of what a client noticed and hand it to a worker. Answers how many were taken.

    A note needs only ``eventType`` and the fields of its kind: who, where and when are filled in here.
    """
    if len(batch) > MOST_AT_ONCE:
        refuse(
            f"At most {MOST_AT_ONCE} notes at once; you sent {len(batch)}.",
            field="events",
            constraint="length",
            expected=MOST_AT_ONCE,
            actual=len(batch),
        )
    seat = seat_of(game, player)
    state = store.current(game)
    notes = [event_of(game, state, seat.player_ref, raw).to_wire() for raw in batch]
    if notes:
        _queue("dicee.keep_telemetry", str(game.pk), notes)
    return len(notes)


def event_of(game: Game, state: GameState, player_ref: uuid.UUID, raw: Mapping[str, Any]) -> Event:
    """A client's note as an event, or a refusal that names what is wrong with it."""
    kind = raw.get("eventType")
    if kind not in CLIENT_TYPES:
        refuse(
            "A client may report only what its player looked at.",
            field="eventType",
            constraint="one of",
            expected=list(CLIENT_TYPES),
            actual=kind,
        )
    envelope = envelope_of(game, state, player_ref) | {"sequenceNumber": 1}
    with named_fields():
        return read_event({**envelope, **{k: v for k, v in raw.items() if k not in envelope}, "eventType": kind})


def envelope_of(game: Game, state: GameState, player_ref: uuid.UUID) -> dict[str, Any]:
    """What the server says of a note; a client's own word for these is not taken."""
    return {
        "id": str(uuid.uuid4()),
        "traceId": str(uuid.uuid4()),
        "causalChain": [str(state.last_event)] if state.last_event else [],
        "timestamp": int(time.time() * 1000),
        "gameId": str(game.pk),
        "playerId": str(player_ref),
        "turnNumber": state.turn_number if state.seats else 0,
        "rollNumber": state.roll_number,
    }


def _queue(task: str, *arguments: Any) -> None:
    """A queue that is away costs these notes, never the game."""
    try:
        current_app.send_task(task, arguments)
    except Exception:
        log.warning("%s was not queued", task, exc_info=True)


# -- In the worker -----------------------------------------------------------------------------------------------


def write_notes(game_id: uuid.UUID, notes: Sequence[Mapping[str, Any]]) -> int:
    """Write the notes of a queued batch to the telemetry stream."""
    return append(game_id, Stream.TELEMETRY, [read_event(note) for note in notes])


def append(game_id: uuid.UUID, stream: Stream, noted: Sequence[Event]) -> int:
    """Append to a stream that is not the game's own. A note that is already there is not written again."""
    for _ in range(TRIES):
        known = set(GameEvent.objects.filter(pk__in=[event.id for event in noted]).values_list("pk", flat=True))
        fresh = [event for event in noted if event.id not in known]
        if not fresh:
            return 0
        last = GameEvent.objects.filter(game_id=game_id, stream=stream).aggregate(last=Max("seq"))["last"] or 0
        rows = [_row(game_id, stream, last + place, event) for place, event in enumerate(fresh, 1)]
        try:
            with transaction.atomic():
                GameEvent.objects.bulk_create(rows)
        except IntegrityError:
            continue
        return len(rows)
    raise RuntimeError(f"{stream} of {game_id} was too busy to write to")


def _row(game_id: uuid.UUID, stream: Stream, seq: int, event: Event) -> GameEvent:
    placed = event.model_copy(update={"sequence_number": seq})
    return GameEvent(
        id=event.id,
        game_id=game_id,
        stream=stream,
        seq=seq,
        type=event.event_type,
        payload=placed.to_wire(),
        trace_id=event.trace_id,
    )


def prune() -> dict[str, int]:
    """Let expired streams go, oldest first, so that what is left still has no gaps."""
    now = timezone.now()
    gone = {}
    for stream, kept in KEPT.items():
        gone[stream.value] = GameEvent.objects.filter(stream=stream, created_at__lt=now - kept).delete()[0]
    return gone

"""The event store: one game, one writer at a time, events that never change.

A command is decided on the state as it was read, without holding anybody up; its events take the places that follow
in the stream, and if somebody was faster those places are taken, nothing is written, and it is decided anew. Two
requests for the same thing are told apart in two ways: ``key`` (the same request sent twice gets the same answer and
happens once) and ``seen`` (a decision taken on an older state than the present one is refused, ``ERR_CONFLICT``).
"""

from __future__ import annotations

import datetime
import logging
import time
import uuid
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from celery import current_app
from django.db import IntegrityError, transaction
from django.utils import timezone

from apps.core.broadcast import announce, broadcast
from apps.dicee.models import Game, GameEvent, Seat, Stream
from apps.dicee.services import bots, horizon
from engine.dice import fair
from engine.dice.roller import Roller, SystemRoller
from engine.dicee.game import events
from engine.dicee.game.commands import Command, Roll, Stamp, decide
from engine.dicee.game.events import Event, read_event
from engine.dicee.game.state import ROLLS_PER_TURN, GameState, GameStatus, apply, replay
from engine.dicee.lattice import DICE
from engine.wire import EngineError, refuse

log = logging.getLogger(__name__)

REMEMBERED = 500  # games a process keeps the state of, so that a move costs one event and not the whole stream

TRIES = 10  # times a command is decided anew because somebody was faster


@dataclass(frozen=True, slots=True)
class MoveOutcome:
    """What a request led to: its events, the bots' among them, and the game after them."""

    game: Game
    state: GameState
    events: tuple[Event, ...]


class FairRoller:
    """The dice that belong to one place in the stream, settled since the seed was drawn."""

    def __init__(self, seed: str, game: str, sequence: int) -> None:
        drawn = fair.roll(seed, game, sequence, DICE)
        self.proof = drawn.proof
        self._faces = iter(drawn.faces)

    def roll(self, sides: int) -> int:
        return next(self._faces)


# -- Reading -----------------------------------------------------------------------------------------------------

_states: OrderedDict[tuple[uuid.UUID, int], GameState] = OrderedDict()


def stream(game: Game, after: int = 0) -> tuple[Event, ...]:
    """The domain events of a game, in order."""
    rows = GameEvent.objects.filter(game=game, stream=Stream.DOMAIN, seq__gt=after).order_by("seq")
    return tuple(read_event(payload) for payload in rows.values_list("payload", flat=True))


def current(game: Game) -> GameState:
    """The game as it stands. Events never change, so a state once folded only needs the newer ones."""
    known = _states.get((game.pk, game.edition))
    newer = stream(game, known.sequence if known else 0)
    state = replay(newer) if known is None else known
    if known is not None:
        for event in newer:
            state = apply(state, event)
    return _remember(game, state)


def steps(game: Game, first: int) -> Iterator[tuple[Event, GameState]]:
    """Each event from a number on, with the game as it stood after it. Read through, it is remembered to the end."""
    known = _states.get((game.pk, game.edition))
    if known is not None and known.sequence >= first:
        known = None  # further on than that: from the beginning
    for event in stream(game, known.sequence if known else 0):
        known = apply(known, event) if known else replay((event,))
        if event.sequence_number >= first:
            yield event, known
    if known is not None:
        _remember(game, known)


def at(game: Game, sequence: int) -> GameState:
    """The game as it stood after an event."""
    return replay(event for event in stream(game) if event.sequence_number <= sequence)


def _remember(game: Game, state: GameState) -> GameState:
    if not transaction.get_connection().in_atomic_block:  # what a rollback takes back was never there
        _states.pop((game.pk, game.edition), None)
        _states[game.pk, game.edition] = state
        while len(_states) > REMEMBERED:
            _states.popitem(last=False)
    return state


# -- Writing -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Decided:
    """What a command and the bots after it lead to, before it is written."""

    state: GameState
    events: tuple[Event, ...]
    rows: tuple[GameEvent, ...]


def create(game: Game, *first: Command) -> MoveOutcome:
    """Write the first events of a game whose row has just been made, and what follows from them."""
    return _write(game, _decided(game, None, first, uuid.uuid4()))


def act(game: Game, command: Command, *, key: uuid.UUID | None = None, seen: int | None = None) -> MoveOutcome:
    """Do one thing in a game, exactly once, and what the bots do after it."""
    trace = key or uuid.uuid4()
    for _ in range(TRIES):
        state = current(game)
        # After the state was read: the same request, done by now, is found here, and done later takes our places.
        if key is not None and (before := _done_before(game, key)) is not None:
            return before
        if seen is not None and seen != state.sequence:
            refuse(
                "The game has moved on since you decided. Look again.",
                code="ERR_CONFLICT",
                field="seen",
                constraint="the last event",
                expected=state.sequence,
                actual=seen,
            )
        try:
            decided = _decided(game, state, (command,), trace)
        except EngineError as refused:
            log.info("Refused %s in game %s, trace %s: %s", type(command).__name__, game.pk, trace, refused.code)
            raise
        try:
            with transaction.atomic():
                edition, game = game.edition, Game.objects.select_for_update().get(pk=game.pk)
                if game.edition == edition:
                    outcome = _write(game, decided)
                    break
        except IntegrityError:  # somebody was faster: decide again on what they left
            continue
    else:
        refuse(
            "Too many moves at once. Try again.",
            code="ERR_CONFLICT",
            field="seen",
            constraint="one move at a time",
            actual=seen,
        )
    if not transaction.get_connection().in_atomic_block:
        _remember(game, outcome.state)
    return outcome


def _done_before(game: Game, key: uuid.UUID) -> MoveOutcome | None:
    """A request whose answer got lost on the way is answered again."""
    rows = GameEvent.objects.filter(game=game, stream=Stream.DOMAIN, trace_id=key).order_by("seq")
    done = tuple(read_event(payload) for payload in rows.values_list("payload", flat=True))
    return MoveOutcome(game, at(game, done[-1].sequence_number), done) if done else None


def _decided(game: Game, state: GameState | None, given: Sequence[Command], trace: uuid.UUID) -> _Decided:
    """Decide the commands given, then those of the bots, each on the state that the one before it left."""
    stamp, playing = Stamp(int(time.time() * 1000), trace), bots.bots_of(game)
    happened: list[Event] = []
    rows: list[GameEvent] = []
    for command in given:
        state = _step(game, state, command, stamp, happened, rows)
    assert state is not None
    while (command_of_a_bot := bots.next_command(state, playing)) is not None:
        state = _step(game, state, command_of_a_bot, stamp, happened, rows)
    return _Decided(state, tuple(happened), tuple(rows))


def _step(
    game: Game,
    state: GameState | None,
    command: Command,
    stamp: Stamp,
    happened: list[Event],
    rows: list[GameEvent],
) -> GameState:
    """Decide one command, add its events and their rows, and return the state after them."""
    roller = _roller(game, state, command)
    table = horizon.ready(state.variant) if state is not None else None
    for decided in decide(state, command, stamp, roller, table):
        event = _with_analysis_id(decided)
        state = replay((event,)) if state is None else apply(state, event)
        happened.append(event)
        rows.append(_row(game, event, roller.proof if isinstance(roller, FairRoller) else ""))
    assert state is not None
    return state


def _write(game: Game, decided: _Decided) -> MoveOutcome:
    GameEvent.objects.bulk_create(decided.rows)  # refused by the database if one of the places is taken
    _project(game, decided.state, decided.events)
    transaction.on_commit(lambda: announce(_announce, game, decided.rows), robust=True)
    return MoveOutcome(game, decided.state, decided.events)


def _roller(game: Game, state: GameState | None, command: Command) -> Roller:
    """Dice are provable; who begins is drawn by the system."""
    if isinstance(command, Roll) and state is not None:
        name, number = drawn_for(game, state.sequence + 1, state.turn_number, state.roll_number + 1)
        return FairRoller(game.seed, name, number)
    return SystemRoller()


def drawn_for(game: Game, sequence: int, turn: int, roll: int) -> tuple[str, int]:
    """What the dice of a roll are drawn for: its place in the game; in a day's game, the same for all, in the day."""
    if game.daily_id is None:
        return str(game.pk), sequence
    return f"daily {game.daily_id.isoformat()}", ROLLS_PER_TURN * (turn - 1) + roll


def _with_analysis_id(event: Event) -> Event:
    """A roll names the analysis that a worker will file under it (RFC-003 §5.4)."""
    return event.model_copy(update={"analysis_id": uuid.uuid4()}) if isinstance(event, events.Rolled) else event


def _row(game: Game, event: Event, proof: str = "") -> GameEvent:
    return GameEvent(
        id=event.id,
        game=game,
        stream=event.stream_type,
        seq=event.sequence_number,
        type=event.event_type,
        payload=event.to_wire(),
        trace_id=event.trace_id,
        proof=proof,
    )


def _project(game: Game, state: GameState, happened: Iterable[Event]) -> None:
    """Keep the columns that lists and look-ups read in step with the events."""
    now = timezone.now()
    before = game.status, game.started_at, game.finished_at, game.deadline
    game.status = state.status.value
    if state.started_at and game.started_at is None:
        game.started_at = now
    if game.is_over and game.finished_at is None:
        game.finished_at = now
    limit = state.settings.time_limit
    ticking = limit is not None and state.status is GameStatus.ACTIVE
    game.deadline = _moment(state.timestamp) + datetime.timedelta(seconds=limit or 0) if ticking else None
    if before != (game.status, game.started_at, game.finished_at, game.deadline):
        game.save(update_fields=["status", "started_at", "finished_at", "deadline"])
    for event in happened:
        if isinstance(event, events.GameStarted):
            for position, player in enumerate(event.turn_order):
                Seat.objects.filter(game=game, player_ref=player).update(position=position)
        if isinstance(event, events.GameCompleted):
            for player, score in event.final_scores.items():
                Seat.objects.filter(game=game, player_ref=player).update(final_score=score)


def _moment(milliseconds: int) -> datetime.datetime:
    return datetime.datetime.fromtimestamp(milliseconds / 1000, datetime.UTC)


# -- Announcing --------------------------------------------------------------------------------------------------


def _announce(game: Game, written: Sequence[GameEvent]) -> None:
    """Once it is committed: send the events to who watches, and have a worker do what need not be waited for."""
    first, last = written[0].seq, written[-1].seq
    broadcast(game.group, {"type": "game.changed", "seq": last, "events": [row.payload for row in written]})
    current_app.send_task("dicee.follow_up", [str(game.pk), first, last])


def broadcast_look_again(game: Game) -> None:
    """Once it is committed: pages that show this table fetch it again, though no event has happened."""
    transaction.on_commit(lambda: announce(broadcast, game.group, {"type": "game.look_again"}), robust=True)

"""What players may do: a command is decided into events, or refused with a named error. Nothing changes here.

No clock, no randomness: time and ids come with the :class:`Stamp`, dice from the roller.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import reduce
from typing import Any, Literal
from uuid import UUID, uuid4

from engine.dice.roller import Roller
from engine.dicee import advice
from engine.dicee.analysis import Horizon, analyze
from engine.dicee.boxes import BOXES, Scorecard
from engine.dicee.game import events
from engine.dicee.game.events import Event, GameMode, GameSettings, Intent, Source
from engine.dicee.game.state import (
    KEEP_NONE,
    GameState,
    GameStatus,
    SeatState,
    apply,
    check_can_join,
    check_mask,
)
from engine.dicee.lattice import SIDES
from engine.dicee.learning.concepts import touched
from engine.dicee.tables import Table
from engine.wire import refuse

STANDARD_SETTINGS = GameSettings()


@dataclass(frozen=True, slots=True)
class Stamp:
    """When, under which trace, and where new ids come from."""

    at: int
    trace_id: UUID
    new_id: Callable[[], UUID] = uuid4


@dataclass(frozen=True, slots=True)
class Create:
    game_id: UUID
    host: UUID
    players: tuple[UUID, ...] = ()
    mode: GameMode = GameMode.SOLO
    settings: GameSettings = STANDARD_SETTINGS


@dataclass(frozen=True, slots=True)
class Join:
    player_id: UUID


@dataclass(frozen=True, slots=True)
class Start:
    player_id: UUID


@dataclass(frozen=True, slots=True)
class Roll:
    player_id: UUID
    kept_mask: tuple[bool, ...] | None = None
    intent: Intent | None = None
    source: Source = Source.SERVER  # SYSTEM: the clock rolls for a player whose time is up


@dataclass(frozen=True, slots=True)
class Score:
    player_id: UUID
    category: str
    considered: tuple[str, ...] = ()
    backtracks: int = 0
    hinted: bool = False
    source: Source = Source.SERVER  # SYSTEM: the clock writes for a player whose time is up


@dataclass(frozen=True, slots=True)
class Undo:
    player_id: UUID


@dataclass(frozen=True, slots=True)
class Abandon:
    player_id: UUID


@dataclass(frozen=True, slots=True)
class TimeOut:
    """The clock of the current turn has run out; the server says so, never a player."""


Command = Create | Join | Start | Roll | Score | Undo | Abandon | TimeOut


def decide(
    state: GameState | None, command: Command, stamp: Stamp, roller: Roller, table: Table | None = None
) -> tuple[Event, ...]:
    """What a command leads to, or an error that says why it may not be. With a table, scores are judged by the game."""
    if isinstance(command, Create):
        return (_create(command, stamp),)
    if state is None:
        refuse("This game does not exist.", code="ERR_GAME_NOT_FOUND", field="gameId", constraint="existing game")
    if state.status in (GameStatus.COMPLETED, GameStatus.ABANDONED):
        refuse(
            "This game is over.",
            code="ERR_GAME_COMPLETED",
            field="status",
            constraint="active",
            expected="active",
            actual=state.status.value,
        )
    match command:
        case Join():
            return (_join(state, command, stamp),)
        case Start():
            return (_start(state, command, stamp, roller),)
        case Abandon():
            return _leave(state, state.seat_of(command.player_id), "left", stamp)
    if state.status is GameStatus.WAITING:
        refuse(
            "This game has not started.",
            code="ERR_GAME_NOT_STARTED",
            field="status",
            constraint="active",
            expected="active",
            actual="waiting",
        )
    match command:
        case TimeOut():
            return _time_out(state, stamp)
        case Undo():
            return (_undo(state, command, stamp),)
        case Roll():
            return (_roll(_on_turn(state, command.player_id), command, stamp, roller),)
        case Score():
            return _score(_on_turn(state, command.player_id), command, stamp, table)


def _on_turn(state: GameState, player_id: UUID) -> GameState:
    state.seat_of(player_id)
    if state.seat.player_id != player_id:
        refuse(
            "It is not your turn.",
            code="ERR_NOT_YOUR_TURN",
            field="playerId",
            constraint="current player",
            expected=str(state.seat.player_id),
            actual=str(player_id),
        )
    return state


def _envelope(state: GameState, stamp: Stamp, player_id: UUID, *, in_turn: bool = False) -> dict[str, Any]:
    return {
        "id": stamp.new_id(),
        "sequence_number": state.sequence + 1,
        "trace_id": stamp.trace_id,
        "causal_chain": (state.last_event,) if state.last_event else (),
        "timestamp": max(stamp.at, state.timestamp),
        "game_id": state.game_id,
        "player_id": player_id,
        "turn_number": state.turn_number if in_turn else 0,
        "roll_number": state.roll_number if in_turn else 0,
    }


def _create(command: Create, stamp: Stamp) -> Event:
    players = command.players or (command.host,)
    alone = command.mode is not GameMode.MULTIPLAYER
    most = 1 if alone else events.MOST_SEATS
    if len(set(players)) != len(players) or not 1 <= len(players) <= most or command.host not in players:
        refuse(
            f"A {command.mode.value} game has 1 to {most} different players, the host among them.",
            field="playerIds",
            constraint="players of the mode",
            expected=f"1–{most}",
            actual=len(players),
        )
    fresh = GameState(command.game_id, command.mode, command.settings, command.host, ())
    return events.GameCreated(
        **_envelope(fresh, stamp, command.host),
        game_mode=command.mode,
        player_ids=players,
        settings=command.settings,
        host_player_id=command.host,
    )


def _join(state: GameState, command: Join, stamp: Stamp) -> Event:
    check_can_join(state, command.player_id)
    return events.PlayerJoined(**_envelope(state, stamp, command.player_id))


def _start(state: GameState, command: Start, stamp: Stamp, roller: Roller) -> Event:
    if state.status is not GameStatus.WAITING:
        refuse(
            "This game has already started.",
            code="ERR_INVALID_TURN",
            field="status",
            constraint="waiting",
            expected="waiting",
            actual=state.status.value,
        )
    if command.player_id != state.host:
        refuse(
            "Only the host starts the game.",
            code="ERR_FORBIDDEN",
            field="playerId",
            constraint="host",
            expected=str(state.host),
            actual=str(command.player_id),
        )
    order = [seat.player_id for seat in state.seats if not seat.left]
    for last in range(len(order) - 1, 0, -1):  # a fair shuffle: every order equally likely
        other = roller.roll(last + 1) - 1
        order[last], order[other] = order[other], order[last]
    return events.GameStarted(
        **_envelope(state, stamp, command.player_id),
        turn_order=tuple(order),
        first_player_id=order[0],
        initial_scorecards={player: Scorecard().to_wire() for player in order},
    )


def _roll(state: GameState, command: Roll, stamp: Stamp, roller: Roller) -> Event:
    mask = tuple(command.kept_mask or KEEP_NONE)
    if not state.rolls_left:
        refuse(
            "Three rolls are all a turn has: score a box.",
            code="ERR_INVALID_TURN",
            field="rollNumber",
            constraint="at most 3",
            expected=3,
            actual=4,
        )
    check_mask(state, mask)
    faces = tuple(state.dice[die] if keep else roller.roll(SIDES) for die, keep in enumerate(mask))
    envelope = _envelope(state, stamp, command.player_id, in_turn=True)
    return events.Rolled(
        **envelope | {"roll_number": state.roll_number + 1},
        roll_type="reroll" if state.dice else "initial",
        dice_result=faces,
        kept_mask=mask,
        pre_roll_dice=state.dice or None,
        intent_signal=command.intent,
        event_source=command.source,
        time_from_previous_action=max(0, stamp.at - state.timestamp),
    )


def _score(state: GameState, command: Score, stamp: Stamp, table: Table | None) -> tuple[Event, ...]:
    if not state.dice:
        refuse(
            "Roll before you score.",
            code="ERR_INVALID_TURN",
            field="rollNumber",
            constraint="at least 1",
            expected=1,
            actual=0,
        )
    before = state.seat.card
    after = before.after(command.category, state.dice, state.variant)
    horizon = Horizon.GAME if table else Horizon.TURN
    found = analyze(state.position, horizon, table)
    graded = advice.grade(state.position, box=command.category, horizon=horizon, table=table)
    scored = events.Scored(
        **_envelope(state, stamp, command.player_id, in_turn=True),
        chosen_category=command.category,
        points_earned=after.points[BOXES.index(command.category)],
        expected_value=graded.chosen.ev,
        optimal_category=found.boxes[0].box,
        optimal_ev=found.ev,
        ev_difference=graded.points_lost,
        decision_quality=graded.quality,
        horizon=horizon,
        previous_scorecard=before.to_wire(),
        updated_scorecard=after.to_wire(),
        time_to_decision=max(0, stamp.at - state.timestamp),
        categories_considered=command.considered,
        backtrack_count=command.backtracks,
        hint_requested=command.hinted,
        event_source=command.source,
        learning_tip=graded.tip,
        concepts_applied=tuple(concept.value for concept in touched(state.position, found)),
    )
    return _then_maybe_complete(state, (scored,), "normal", stamp)


def _undo(state: GameState, command: Undo, stamp: Stamp) -> Event:
    last = state.last_score
    if not state.settings.allow_undo or last is None:
        why = "no score to take back since the last roll" if state.settings.allow_undo else "this game has no undo"
        refuse(
            f"Nothing can be undone: {why}.",
            code="ERR_INVALID_TURN",
            field="allowUndo",
            constraint="a score before the next roll",
            expected=True,
            actual=state.settings.allow_undo,
        )
    if state.seats[last.seat].player_id != command.player_id:
        refuse(
            "Only the player who scored can take it back.",
            code="ERR_NOT_YOUR_TURN",
            field="playerId",
            constraint="player who scored",
            expected=str(state.seats[last.seat].player_id),
            actual=str(command.player_id),
        )
    envelope = _envelope(state, stamp, command.player_id) | {
        "turn_number": last.card.turns_completed + 1,
        "roll_number": last.roll_number,
    }
    return events.ScoreUndone(
        **envelope, undone_event_id=last.event_id, category=last.category, restored_scorecard=last.card.to_wire()
    )


def _leave(state: GameState, seat: SeatState, why: Literal["left", "timeout"], stamp: Stamp) -> tuple[Event, ...]:
    if seat.left:
        refuse(
            "You have already left this game.",
            code="ERR_FORBIDDEN",
            field="playerId",
            constraint="playing",
            expected="playing",
            actual="left",
        )
    left = events.PlayerLeft(
        **_envelope(state, stamp, seat.player_id),
        reason=why,
        event_source=Source.SERVER if why == "left" else Source.SYSTEM,
    )
    return _then_maybe_complete(state, (left,), "timeout" if why == "timeout" else "abandoned", stamp)


def check_time_is_up(state: GameState, at: int) -> None:
    """Refuse to act for a player who may still think, at a moment in epoch milliseconds."""
    limit = state.settings.time_limit
    used = (at - state.turn_started_at) / 1000
    if limit is None or used < limit:
        refuse(
            "The turn still has time.",
            code="ERR_INVALID_TURN",
            field="timeLimit",
            constraint="time used up",
            expected=limit,
            actual=used,
        )


def _time_out(state: GameState, stamp: Stamp) -> tuple[Event, ...]:
    check_time_is_up(state, stamp.at)
    return _leave(state, state.seat, "timeout", stamp)


def _then_maybe_complete(
    state: GameState, happened: tuple[Event, ...], reason: events.Ending, stamp: Stamp
) -> tuple[Event, ...]:
    """Add the end of the game if nobody has a turn left to play."""
    if any(seat.still_plays for seat in state.seats if seat.player_id != happened[-1].player_id):
        return happened  # as nearly always, and known without looking further
    after = reduce(apply, happened, state)
    if any(seat.still_plays for seat in after.seats):
        return happened
    if any(seat.card.is_complete for seat in after.seats):
        reason = "normal"
    best = max((seat.card.grand_total for seat in after.seats if not seat.left), default=None)
    turns = sum(seat.card.turns_completed for seat in after.seats)
    completed = events.GameCompleted(
        **_envelope(after, stamp, happened[-1].player_id),
        final_scores={seat.player_id: seat.card.grand_total for seat in after.seats},
        winner_ids=tuple(s.player_id for s in after.seats if not s.left and s.card.grand_total == best),
        total_turns=turns,
        game_duration_ms=max(0, stamp.at - after.started_at) if after.started_at else 0,
        average_decision_time_ms=after.decision_ms / after.decisions if after.decisions else 0.0,
        reason=reason,
    )
    return (*happened, completed)

"""A game rebuilt from its events.

``apply`` believes nothing: it checks every integrity rule of RFC-003 §9 again, so ``replay`` of a stored stream either
rebuilds the game or says which event cannot have happened.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import reduce, singledispatch
from itertools import chain
from typing import Any, NoReturn
from uuid import UUID

from engine.dicee.analysis import Position
from engine.dicee.boxes import BOXES, Scorecard, Variant
from engine.dicee.game import events
from engine.dicee.game.events import Event, GameMode, GameSettings
from engine.dicee.lattice import DICE
from engine.wire import refuse

ROLLS_PER_TURN = 3
KEEP_NONE = (False,) * DICE
EMPTY_CARD = Scorecard()


class GameStatus(StrEnum):
    WAITING = "waiting"
    ACTIVE = "active"
    COMPLETED = "completed"
    ABANDONED = "abandoned"


class Phase(StrEnum):
    INITIAL_ROLL = "initial_roll"
    MID_TURN = "mid_turn"
    SCORING = "scoring"


@dataclass(frozen=True, slots=True)
class SeatState:
    player_id: UUID
    card: Scorecard = EMPTY_CARD
    left: bool = False

    @property
    def still_plays(self) -> bool:
        return not self.left and not self.card.is_complete


@dataclass(frozen=True, slots=True)
class LastScore:
    """What an undo needs to put back."""

    event_id: UUID
    seat: int
    category: str
    card: Scorecard
    dice: tuple[int, ...]
    roll_number: int


@dataclass(frozen=True, slots=True)
class GameState:
    """A game after some events. Seats are in turn order once it has started."""

    game_id: UUID
    mode: GameMode
    settings: GameSettings
    host: UUID
    seats: tuple[SeatState, ...]
    status: GameStatus = GameStatus.WAITING
    current: int = 0
    roll_number: int = 0
    dice: tuple[int, ...] = ()
    kept_mask: tuple[bool, ...] = KEEP_NONE
    last_score: LastScore | None = None
    winners: tuple[UUID, ...] = ()
    sequence: int = 0
    timestamp: int = 0
    started_at: int = 0
    turn_started_at: int = 0
    decisions: int = 0
    decision_ms: int = 0
    event_ids: frozenset[UUID] = frozenset()
    ids_elsewhere: frozenset[UUID] = frozenset()  # events of the other streams, which may be causes too
    last_event: UUID | None = None

    @property
    def seat(self) -> SeatState:
        return self.seats[self.current]

    @property
    def variant(self) -> Variant:
        return self.settings.rules_variant

    @property
    def turn_number(self) -> int:
        """The turn the current player is in, 1–13."""
        return min(len(BOXES), self.seat.card.turns_completed + 1)

    @property
    def rolls_left(self) -> int:
        return ROLLS_PER_TURN - self.roll_number

    @property
    def phase(self) -> Phase:
        if not self.dice:
            return Phase.INITIAL_ROLL
        return Phase.MID_TURN if self.rolls_left else Phase.SCORING

    @property
    def position(self) -> Position:
        """What the current player looks at."""
        return Position(self.seat.card, self.variant, self.dice, self.rolls_left)

    def seat_of(self, player_id: UUID) -> SeatState:
        found = [seat for seat in self.seats if seat.player_id == player_id]
        if not found:
            refuse(
                "You have no seat in this game.",
                code="ERR_FORBIDDEN",
                field="playerId",
                constraint="seated",
                actual=str(player_id),
            )
        return found[0]


def replay(stream: Iterable[Event], elsewhere: Collection[UUID] = ()) -> GameState:
    """Rebuild a game from its domain events, checking every one.

    ``elsewhere`` are ids of analysis and telemetry events: causes may cross streams (ruling D11).
    """
    remaining = iter(stream)
    first = next(remaining, None)
    if first is None:
        refuse(
            "This game does not exist.",
            code="ERR_GAME_NOT_FOUND",
            field="events",
            constraint="at least one event",
            expected=1,
            actual=0,
        )
    return reduce(apply, chain([first], remaining), replace(_unborn(first), ids_elsewhere=frozenset(elsewhere)))


def _unborn(first: Event) -> GameState:
    if not isinstance(first, events.GameCreated):
        _broken(first, "a game begins with game_created", "game_created", first.event_type)
    return GameState(first.game_id, first.game_mode, first.settings, first.host_player_id, ())


def _broken(event: Event, rule: str, expected: Any, actual: Any) -> NoReturn:
    refuse(
        f"Event {event.sequence_number} ({event.event_type}) cannot have happened: {rule}.",
        code="ERR_INVALID_TURN",
        field="sequenceNumber",
        constraint=rule,
        expected=expected,
        actual=actual,
    )


def apply(state: GameState, event: Event) -> GameState:
    """The state after one more event, or an error naming the rule of RFC-003 §9 it breaks."""
    _check_order(state, event)
    after = _fold(event, state)
    return replace(
        after,
        sequence=event.sequence_number,
        timestamp=event.timestamp,
        event_ids=after.event_ids | {event.id},
        last_event=event.id,
    )


def _check_order(state: GameState, event: Event) -> None:
    """Numbers without gaps, time that does not run back, causes that came before (RFC-003 §9.5, §9.6, §10.5)."""
    checks = (
        (event.stream_type is events.EventStream.DOMAIN, "the game is rebuilt from domain events", "domain"),
        (event.game_id == state.game_id, "all events belong to one game", str(state.game_id)),
        (event.sequence_number == state.sequence + 1, "numbers run without gaps", state.sequence + 1),
        (event.id not in state.event_ids, "event ids are unique", "a new id"),
        (event.timestamp >= state.timestamp, "time does not run back", state.timestamp),
        (
            set(event.causal_chain) <= state.event_ids | state.ids_elsewhere,
            "causes come before effects",
            "earlier event ids",
        ),
        (state.status in (GameStatus.WAITING, GameStatus.ACTIVE), "nothing happens after the end", "active"),
    )
    for holds, rule, expected in checks:
        if not holds:
            _broken(event, rule, expected, event.event_type)


@singledispatch
def _fold(event: Event, state: GameState) -> GameState:
    _broken(event, "it is no event of the domain stream", "domain event", event.event_type)


@_fold.register
def _(event: events.GameCreated, state: GameState) -> GameState:
    if state.seats:
        _broken(event, "a game is created once", 1, event.sequence_number)
    return replace(state, seats=tuple(SeatState(player) for player in event.player_ids))


@_fold.register
def _(event: events.PlayerJoined, state: GameState) -> GameState:
    check_can_join(state, event.player_id)
    return replace(state, seats=(*state.seats, SeatState(event.player_id)))


@_fold.register
def _(event: events.GameStarted, state: GameState) -> GameState:
    present = {seat.player_id for seat in state.seats if not seat.left}
    if state.status is not GameStatus.WAITING or set(event.turn_order) != present:
        _broken(event, "a waiting game starts once, with everyone present", len(present), len(event.turn_order))
    seats = tuple(SeatState(player) for player in event.turn_order)
    return replace(
        state,
        seats=seats,
        status=GameStatus.ACTIVE,
        current=0,
        started_at=event.timestamp,
        turn_started_at=event.timestamp,
    )


@_fold.register
def _(event: events.Rolled, state: GameState) -> GameState:
    if not state.rolls_left:
        _broken(event, "a turn has at most three rolls", ROLLS_PER_TURN, event.roll_number)
    _check_turn(state, event, state.roll_number + 1)
    if (event.roll_type == "initial") != (not state.dice) or (event.pre_roll_dice or ()) != state.dice:
        _broken(event, "a reroll starts from the dice on the table", list(state.dice), event.roll_type)
    check_mask(state, event.kept_mask)
    for before, keep, now in zip(state.dice, event.kept_mask, event.dice_result, strict=False):
        if keep and before != now:
            _broken(event, "kept dice do not change", before, now)
    return replace(
        state, dice=event.dice_result, kept_mask=event.kept_mask, roll_number=event.roll_number, last_score=None
    )


@_fold.register
def _(event: events.Scored, state: GameState) -> GameState:
    _check_turn(state, event, state.roll_number)
    if not state.dice:
        _broken(event, "dice are rolled before they are scored", 1, 0)
    before = state.seat.card
    after = before.after(event.chosen_category, state.dice, state.variant)
    points = after.points[BOXES.index(event.chosen_category)]
    if event.points_earned != points:
        _broken(event, "points are those of the dice and the box", points, event.points_earned)
    if Scorecard.from_wire(event.previous_scorecard) != before or Scorecard.from_wire(event.updated_scorecard) != after:
        _broken(event, "the cards are those before and after the score", after.grand_total, event.points_earned)
    last = LastScore(event.id, state.current, event.chosen_category, before, state.dice, state.roll_number)
    scored = _with_seat(state, state.current, replace(state.seat, card=after))
    return replace(
        _next_turn(scored, event.timestamp),
        last_score=last,
        decisions=state.decisions + 1,
        decision_ms=state.decision_ms + event.time_to_decision,
    )


@_fold.register
def _(event: events.ScoreUndone, state: GameState) -> GameState:
    last = state.last_score
    if not state.settings.allow_undo or last is None or event.undone_event_id != last.event_id:
        _broken(event, "only the last score, before the next roll, can be undone", "last score", event.category)
    if Scorecard.from_wire(event.restored_scorecard) != last.card:
        _broken(event, "the card goes back to what it was", last.card.grand_total, event.category)
    seat = replace(state.seats[last.seat], card=last.card)
    return replace(
        _with_seat(state, last.seat, seat),
        current=last.seat,
        dice=last.dice,
        roll_number=last.roll_number,
        last_score=None,
    )


@_fold.register
def _(event: events.PlayerLeft, state: GameState) -> GameState:
    number = state.seats.index(state.seat_of(event.player_id))
    gone = _with_seat(state, number, replace(state.seats[number], left=True))
    return _next_turn(gone, event.timestamp) if number == state.current and state.status is GameStatus.ACTIVE else gone


@_fold.register
def _(event: events.GameCompleted, state: GameState) -> GameState:
    scores = {seat.player_id: seat.card.grand_total for seat in state.seats}
    if any(seat.still_plays for seat in state.seats) or event.final_scores != scores:
        _broken(event, "a game ends when nobody has a turn left, with the scores on the cards", "final scores", None)
    status = GameStatus.COMPLETED if event.reason == "normal" else GameStatus.ABANDONED
    return replace(state, status=status, winners=event.winner_ids, last_score=None)


@_fold.register
def _(event: events.ErrorRecorded, state: GameState) -> GameState:
    return state


def check_can_join(state: GameState, player_id: UUID) -> None:
    if state.status is not GameStatus.WAITING or state.mode is not GameMode.MULTIPLAYER:
        refuse(
            "This game takes no more players.",
            code="ERR_FORBIDDEN",
            field="status",
            constraint="waiting multiplayer game",
            expected="waiting",
            actual=state.status.value,
        )
    if len(state.seats) >= events.MOST_SEATS or player_id in {seat.player_id for seat in state.seats}:
        refuse(
            f"There are {events.MOST_SEATS} seats, one for each player.",
            code="ERR_FORBIDDEN",
            field="playerId",
            constraint="free seat",
            expected=events.MOST_SEATS,
            actual=len(state.seats),
        )


def check_mask(state: GameState, mask: tuple[bool, ...]) -> None:
    """RFC-003 §9.3.1: nothing is kept at first, and not everything later."""
    if len(mask) != DICE or (any(mask) if not state.dice else all(mask)):
        refuse(
            "Keep up to four of the dice on the table and roll the others."
            if state.dice
            else "The first roll of a turn keeps nothing.",
            code="ERR_INVALID_DICE",
            field="keptMask",
            constraint="dice to roll",
            expected="5 entries, not all kept",
            actual=list(mask),
        )


def _check_turn(state: GameState, event: Event, roll_number: int) -> None:
    """The right player, the right turn, the right roll (RFC-003 §9.1)."""
    if state.status is not GameStatus.ACTIVE or event.player_id != state.seat.player_id:
        _broken(event, "players take turns", str(state.seat.player_id), str(event.player_id))
    if event.turn_number != state.turn_number or event.roll_number != roll_number:
        _broken(
            event,
            "turns and rolls follow each other",
            [state.turn_number, roll_number],
            [event.turn_number, event.roll_number],
        )


def _with_seat(state: GameState, number: int, seat: SeatState) -> GameState:
    return replace(state, seats=(*state.seats[:number], seat, *state.seats[number + 1 :]))


def _next_turn(state: GameState, now: int) -> GameState:
    """Clear the table and pass it to the next seat that still plays; to itself if it is the only one."""
    around = [(state.current + step) % len(state.seats) for step in range(1, len(state.seats) + 1)]
    following = next((number for number in around if state.seats[number].still_plays), state.current)
    cleared = replace(state, dice=(), roll_number=0, kept_mask=KEEP_NONE, last_score=None)
    return replace(cleared, current=following, turn_started_at=now)

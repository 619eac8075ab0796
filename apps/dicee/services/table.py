"""A table as somebody sees it: what the page draws, and what RFC-003 §6 calls the game state."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from typing import Any

from apps.accounts.models import Player
from apps.dicee.models import Game, Mode, Seat
from apps.dicee.services import settings, store
from apps.dicee.services.seats import is_closed
from apps.dicee.services.settings import TableSettings
from engine.dicee.advice import PAR_COUNT, TITLES, Pace, pace
from engine.dicee.boxes import BOXES, UPPER, UPPER_PAR, Scorecard
from engine.dicee.game.events import MOST_SEATS
from engine.dicee.game.state import GameState, GameStatus, SeatState


@dataclass(frozen=True, slots=True)
class Box:
    """One line of a card. ``points`` is None while it is open; ``would_score`` is set where it may be filled now."""

    name: str
    title: str
    upper: bool
    points: int | None
    would_score: int | None


@dataclass(frozen=True, slots=True)
class BonusPace:
    """How the upper bonus stands: ``pace`` in a word, ``ahead`` in points of three of each face so far."""

    pace: Pace
    ahead: int
    missing: int


@dataclass(frozen=True, slots=True)
class Card:
    boxes: tuple[Box, ...]
    upper_subtotal: int
    upper_bonus: int
    upper_total: int
    dicee_bonus: int
    lower_total: int
    total: int
    turns_completed: int
    bonus: BonusPace

    @property
    def upper(self) -> tuple[Box, ...]:
        return self.boxes[: len(UPPER)]

    @property
    def lower(self) -> tuple[Box, ...]:
        return self.boxes[len(UPPER) :]


@dataclass(frozen=True, slots=True)
class Place:
    """A seat: who sits there, how far they are, and whether it is their turn."""

    ref: uuid.UUID
    name: str
    bot: str
    card: Card
    is_me: bool
    is_host: bool
    on_turn: bool
    left: bool
    won: bool

    @property
    def shown_name(self) -> str:
        return "You" if self.is_me else self.name


@dataclass(frozen=True, slots=True)
class Can:
    """What the viewer may do now. Pages show exactly these."""

    roll: bool = False
    score: bool = False
    undo: bool = False
    start: bool = False
    invite: bool = False
    add_bot: bool = False
    join: bool = False
    abandon: bool = False


@dataclass(frozen=True, slots=True)
class TableView:
    """Everything a page shows of a table to one viewer."""

    game: Game
    settings: TableSettings
    seq: int
    status: str
    places: tuple[Place, ...]
    me: Place | None
    can: Can
    dice: tuple[int, ...]
    kept_mask: tuple[bool, ...]
    turn_number: int
    roll_number: int
    rolls_left: int
    phase: str
    deadline: int | None  # epoch milliseconds
    bonus_roll: bool  # the dice earn +100 whatever box is used

    @property
    def on_turn(self) -> Place | None:
        return next((place for place in self.places if place.on_turn), None)

    @property
    def my_turn(self) -> bool:
        return self.me is not None and self.me.on_turn

    @property
    def is_over(self) -> bool:
        return self.status in ("completed", "abandoned")

    @property
    def others(self) -> tuple[Place, ...]:
        return tuple(place for place in self.places if not place.is_me)

    @property
    def is_live(self) -> bool:
        """Can anything happen here that this browser did not do?"""
        return sum(not place.bot for place in self.places) > 1 or self.me is None or self.status == "waiting"


def table(game: Game, viewer: Player | None) -> TableView:
    """A table as one viewer sees it. The viewer's right to look is checked by ``find``."""
    return table_view(game, store.current(game), viewer)


def table_view(game: Game, state: GameState, viewer: Player | None) -> TableView:
    """The same of a state that has been read already."""
    seats = {seat.player_ref: seat for seat in game.seats.all()}
    places = tuple(_place(game, state, seat, seats[seat.player_id], viewer) for seat in state.seats)
    me = next((place for place in places if place.is_me), None)
    return TableView(
        game=game,
        settings=settings.read(game.settings),
        seq=state.sequence,
        status=state.status.value,
        places=places,
        me=me,
        can=_can(game, state, me),
        dice=state.dice,
        kept_mask=state.kept_mask,
        turn_number=state.turn_number,
        roll_number=state.roll_number,
        rolls_left=state.rolls_left,
        phase=state.phase.value,
        deadline=int(game.deadline.timestamp() * 1000) if game.deadline else None,
        bonus_roll=bool(state.dice and state.seat.card.bonus_for(state.dice)),
    )


def _place(game: Game, state: GameState, seat: SeatState, row: Seat, viewer: Player | None) -> Place:
    on_turn = state.status is GameStatus.ACTIVE and seat is state.seat
    return Place(
        ref=seat.player_id,
        name=row.name,
        bot=row.bot,
        card=card_view(seat.card, state if on_turn else None),
        is_me=viewer is not None and row.player_id == viewer.pk,
        is_host=row.player_id is not None and row.player_id == game.host_id,
        on_turn=on_turn,
        left=seat.left,
        won=seat.player_id in state.winners,
    )


def card_view(card: Scorecard, state: GameState | None = None) -> Card:
    """A card to draw; with a state, also what the dice on the table would score."""
    legal = card.legal_scores(state.dice, state.variant) if state is not None and state.dice else {}
    boxes = tuple(
        Box(name, TITLES[name], number in UPPER, card.points[number], legal.get(name))
        for number, name in enumerate(BOXES)
    )
    open_par = PAR_COUNT * sum(box + 1 for box in UPPER if card.points[box] is None)
    return Card(
        boxes,
        card.upper_subtotal,
        card.upper_bonus,
        card.upper_total,
        card.dicee_bonus,
        card.lower_total,
        card.grand_total,
        card.turns_completed,
        BonusPace(pace(card), card.upper_subtotal - (UPPER_PAR - open_par), max(0, UPPER_PAR - card.upper_subtotal)),
    )


def _can(game: Game, state: GameState, me: Place | None) -> Can:
    waiting, active = state.status is GameStatus.WAITING, state.status is GameStatus.ACTIVE
    closed = waiting and is_closed(game)
    if me is None or me.left:
        room = game.mode == Mode.MULTIPLAYER and len(state.seats) < MOST_SEATS and not closed
        return Can(join=me is None and waiting and room)
    last = state.last_score
    return Can(
        roll=me.on_turn and state.rolls_left > 0,
        score=me.on_turn and bool(state.dice),
        undo=active and state.settings.allow_undo and last is not None and state.seats[last.seat].player_id == me.ref,
        start=waiting and me.is_host and len(state.seats) > 1 and not closed,
        invite=waiting and not closed,
        add_bot=waiting and me.is_host and len(state.seats) < MOST_SEATS and not closed,
        abandon=waiting or active,
    )


# -- On the wire -------------------------------------------------------------------------------------------------


def state_document(game: Game, *, with_events: bool = True) -> dict[str, Any]:
    """RFC-003 §6, ``GameStateResponse``; the seed's commitment beside it."""
    state = store.current(game)
    names = dict(game.seats.values_list("player_ref", "name"))
    document: dict[str, Any] = {
        "success": True,
        "gameId": str(game.pk),
        "code": game.code,
        "status": state.status.value,
        "mode": state.mode.value,
        "settings": game.settings,
        "commitment": game.commitment,
        "sequenceNumber": state.sequence,
        "players": [_player(state, seat, names[seat.player_id]) for seat in state.seats],
        "currentTurn": _turn(state) if state.status is GameStatus.ACTIVE else None,
        "createdAt": game.created_at.isoformat(),
        "startedAt": game.started_at.isoformat() if game.started_at else None,
        "completedAt": game.finished_at.isoformat() if game.finished_at else None,
    }
    if with_events:
        document["events"] = [event.to_wire() for event in store.stream(game)]
    return document


def _player(state: GameState, seat: SeatState, name: str) -> dict[str, Any]:
    return {
        "playerId": str(seat.player_id),
        "displayName": name,
        "scorecard": seat.card.to_wire(),
        "isCurrentPlayer": state.status is GameStatus.ACTIVE and seat is state.seat,
        "left": seat.left,
    }


def _turn(state: GameState) -> dict[str, Any]:
    return {
        "playerId": str(state.seat.player_id),
        "turnNumber": state.turn_number,
        "rollNumber": state.roll_number,
        "currentDice": list(state.dice) or None,
        "keptMask": list(state.kept_mask) if state.dice else None,
        "rollsRemaining": state.rolls_left,
        "phase": state.phase.value,
    }

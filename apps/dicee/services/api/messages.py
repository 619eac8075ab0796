"""The socket's language (RFC-003 §7): what a client may say, what it hears, and how one message is answered.

Five message types go beyond the RFC: ``changed`` and ``look_again`` (all a web page needs: something happened, or the
table looks different), ``reaction`` (somebody at the table claps), ``chances`` (the win bar) and ``horizon_ready``
(advice now sees the whole game).
"""

from __future__ import annotations

import time
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import Field, StrictBool, TypeAdapter

from apps.accounts.models import Player
from apps.dicee.models import Door, Game
from apps.dicee.services import horizon, play, screens, seats, settings, store
from apps.dicee.services.api.documents import HINTED, IN_SIGHT, Depth, GameStateResponse, Seen
from apps.dicee.services.api.statistics import DEPTHS, recommend, vector
from apps.dicee.services.record import telemetry
from apps.dicee.services.review import profile
from apps.dicee.services.screens import Screen
from apps.dicee.services.store import MoveOutcome
from apps.dicee.services.table import state_document
from engine.dicee.analysis import Horizon, Position, analyze
from engine.dicee.game.events import Category, DecisionRecommendation, Intent, KeptMask, ProbabilityVector
from engine.dicee.game.state import GameState, GameStatus
from engine.wire import Document, named_fields, refuse

Message = Document

# -- From the client ------------------------------------------------------------------------------------------


class JoinMessage(Document):
    type: Literal["join"]
    player_id: uuid.UUID
    client_version: str
    reconnect: StrictBool = False


class RollMessage(Document):
    type: Literal["roll"]
    kept_mask: KeptMask | None = None
    request_probabilities: StrictBool = False
    intent_signal: Intent | None = None
    hint_requested: StrictBool = Field(default=False, description=HINTED)
    answers_in_sight: StrictBool = Field(default=False, description=IN_SIGHT)
    seen: Seen | None = None
    key: uuid.UUID | None = None


class ScoreMessage(Document):
    type: Literal["score"]
    category: Category
    categories_considered: tuple[Category, ...] = ()
    backtrack_count: Annotated[int, Field(ge=0)] = 0
    hint_requested: StrictBool = Field(default=False, description=HINTED)
    answers_in_sight: StrictBool = Field(default=False, description=IN_SIGHT)
    seen: Seen | None = None
    key: uuid.UUID | None = None


class HintRequestMessage(Document):
    type: Literal["request_hint"]
    explanation_depth: Depth = "standard"


class HoverMessage(Document):
    type: Literal["hover"]
    category: Category
    hover_start_time: Annotated[int, Field(ge=0)]


ClientMessage = JoinMessage | RollMessage | ScoreMessage | HintRequestMessage | HoverMessage
CLIENT: TypeAdapter[ClientMessage] = TypeAdapter(Annotated[ClientMessage, Field(discriminator="type")])


# -- To the client  -----------------------------------------------------------------------------------------


class StateUpdateMessage(Document):
    type: Literal["state_update"] = "state_update"
    game_state: GameStateResponse
    timestamp: int


class RollResultMessage(Document):
    type: Literal["roll_result"] = "roll_result"
    event: dict[str, Any] = Field(description="docs/schemas/events/roll.json")
    probabilities: ProbabilityVector | None = None


class TurnChangedMessage(Document):
    type: Literal["turn_changed"] = "turn_changed"
    new_player_id: uuid.UUID
    player_name: str
    turn_number: int


class HintMessage(Document):
    type: Literal["hint"] = "hint"
    recommendation: DecisionRecommendation


class ErrorMessage(Document):
    type: Literal["error"] = "error"
    error_code: str
    message: str
    severity: Literal["warning", "error", "fatal"]
    recoverable: bool


class ConnectionStatusMessage(Document):
    type: Literal["connection_status"] = "connection_status"
    status: Literal["connected", "reconnecting", "disconnected"]
    reason: str | None = None


class ChangedMessage(Document):
    type: Literal["changed"] = "changed"
    seq: int


class SeatChance(Document):
    player_id: uuid.UUID
    probability: float
    margin: float


class ChancesMessage(Document):
    type: Literal["chances"] = "chances"
    seq: int
    chances: tuple[SeatChance, ...]


class HorizonReadyMessage(Document):
    type: Literal["horizon_ready"] = "horizon_ready"


class ReactionMessage(Document):
    type: Literal["reaction"] = "reaction"
    player_id: uuid.UUID
    text: str


class LookAgainMessage(Document):
    type: Literal["look_again"] = "look_again"


FROM_CLIENT: tuple[type[Document], ...] = (JoinMessage, RollMessage, ScoreMessage, HintRequestMessage, HoverMessage)
FROM_SERVER: tuple[type[Document], ...] = (
    StateUpdateMessage, RollResultMessage, TurnChangedMessage, HintMessage, ErrorMessage, ConnectionStatusMessage,
    ChangedMessage, ChancesMessage, HorizonReadyMessage, ReactionMessage, LookAgainMessage,
)  # fmt: skip


# -- One message answered ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Reply:
    """The messages to the sender alone, and the outcome that is sent to everyone."""

    messages: tuple[Document, ...] = ()
    outcome: MoveOutcome | None = None
    probabilities: ProbabilityVector | None = None


def handle(game: Game, player: Player | None, raw: Mapping[str, Any]) -> Reply:
    """Do what a client asks. Refusals are raised, in the one shape."""
    with named_fields():
        message = CLIENT.validate_python(dict(raw), by_alias=True, by_name=False)
    if player is None:
        refuse("Watching is all a visitor can do.", code="ERR_UNAUTHORIZED", field="playerId", constraint="a player")
    match message:
        case JoinMessage():
            return _join(game, player, message)
        case RollMessage():
            return _roll(game, player, message)
        case ScoreMessage():
            done = play.score(
                game,
                player,
                message.category,
                key=message.key,
                seen=message.seen,
                considered=message.categories_considered,
                backtracks=message.backtrack_count,
                screen=_screen(message),
            )
            return Reply(outcome=done)
        case HintRequestMessage():
            return _hint(game, player, message)
        case HoverMessage():
            return _hover(game, player, message)


def _roll(game: Game, player: Player, message: RollMessage) -> Reply:
    """Roll; with the odds of the new dice for whoever wants them and may have them."""
    done = play.roll(
        game,
        player,
        message.kept_mask,
        key=message.key,
        seen=message.seen,
        screen=_screen(message),
        intent=message.intent_signal,
    )
    if not (message.request_probabilities and settings.read(game.settings).statistics and done.state.dice):
        return Reply(outcome=done)
    screens.note(game, done.state, seats.seat_of(game, player).player_ref, Screen(values=True))
    return Reply(outcome=done, probabilities=vector(done.state.position))


def _screen(message: RollMessage | ScoreMessage) -> Screen:
    return Screen(values=message.answers_in_sight, hint=message.hint_requested, door=Door.SOCKET)


def _join(game: Game, player: Player, message: JoinMessage) -> Reply:
    """Come back to one's seat, or take one at a table that waits."""
    seat = seats.seat_if_any(game, player)
    if message.player_id not in {player.pk, seat.player_ref if seat else player.pk}:
        refuse(
            "You are someone else.",
            code="ERR_FORBIDDEN",
            field="playerId",
            constraint="your id",
            expected=str(player.pk),
            actual=str(message.player_id),
        )
    if seat is None and not game.is_over and not message.reconnect:
        play.join(game.code, player)
    return Reply((ConnectionStatusMessage(status="connected"), state_update(game)))


def _hint(game: Game, player: Player, message: HintRequestMessage) -> Reply:
    state = _thinking(game, player)
    if not settings.read(game.settings).hints:
        refuse(
            "This table has no hints.",
            code="ERR_FORBIDDEN",
            field="hints",
            constraint="allowed",
            expected=True,
            actual=False,
        )
    seen = horizon.sight(state.variant, Horizon.GAME)
    advised = recommend(state.position, DEPTHS[message.explanation_depth], seen.horizon, seen.table)
    screens.note(game, state, state.seat.player_id, Screen(hint=True))
    if state.dice:
        note = {
            "eventType": "hint_requested",
            "currentDice": list(state.dice),
            "availableCategories": list(state.seat.card.open_boxes),
            "hintContent": advised.reasoning,
            "hintType": "optimal_category" if advised.action == "score" else "reroll_strategy",
            "playerSkillLevel": profile.profile(player).skill.value,
        }
        telemetry.queue_notes(game, player, [note])
    return Reply((HintMessage(recommendation=advised),))


def _hover(game: Game, player: Player, message: HoverMessage) -> Reply:
    state = _thinking(game, player)
    now = int(time.time() * 1000)
    if state.dice and message.category in state.seat.card.open_boxes:
        note = hover_note(state.position, message.category, max(0, now - message.hover_start_time))
        telemetry.queue_notes(game, player, [note])
    return Reply()


def hover_note(position: Position, category: str, duration: int) -> dict[str, Any]:
    """A look at a box, with what it was worth."""
    found = analyze(position)
    legal = position.card.legal_scores(position.dice, position.variant)
    values = {option.box: option.ev for option in found.boxes}
    return {
        "eventType": "hover",
        "categoryHovered": category,
        "hoverDuration": duration,
        "wouldScore": legal.get(category, 0),
        "currentEV": values.get(category, 0.0),
        "isOptimal": found.boxes[0].box == category,
        "hoverSequence": 1,
    }


def _thinking(game: Game, player: Player) -> GameState:
    """The state, if it is this player's to think about."""
    me, state = seats.seat_of(game, player), store.current(game)
    if state.status is not GameStatus.ACTIVE:
        refuse(
            "This game is not being played.",
            code="ERR_GAME_NOT_STARTED",
            field="status",
            constraint="active",
            expected="active",
            actual=state.status,
        )
    if state.seat.player_id != me.player_ref:
        refuse(
            "It is not your turn.",
            code="ERR_NOT_YOUR_TURN",
            field="playerId",
            constraint="current player",
            actual=str(me.player_ref),
        )
    return state


# -- What everyone hears -----------------------------------------------------------------------------------------


def state_update(game: Game, *, with_events: bool = True) -> StateUpdateMessage:
    state = GameStateResponse.model_validate(state_document(game, with_events=with_events))
    return StateUpdateMessage(game_state=state, timestamp=int(time.time() * 1000))


def messages_of(
    game: Game, events: list[dict[str, Any]], probabilities: ProbabilityVector | None = None
) -> list[Document]:
    """Events as messages: each roll, the state after them, and whose turn it now is if that changed."""
    rolls = [event for event in events if event["eventType"] == "roll"]
    messages: list[Document] = [RollResultMessage(event=event, probabilities=probabilities) for event in rolls]
    update = state_update(game, with_events=False)
    messages.append(update)
    turn = update.game_state.current_turn
    if turn is not None and any(event["eventType"] in ("score", "game_started", "score_undone") for event in events):
        name = next(p.display_name for p in update.game_state.players if p.player_id == turn.player_id)
        messages.append(
            TurnChangedMessage(new_player_id=turn.player_id, player_name=name, turn_number=turn.turn_number)
        )
    return messages

"""Requests and answers of the REST API (RFC-003 §6), with examples for its documentation.

Beyond the RFC there are two optional fields wherever a decision is judged: ``rulesVariant`` and ``horizon``
(rulings D6 and D10); both default to what the RFC assumes.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal
from uuid import UUID

from pydantic import ConfigDict, Field, StrictBool, StrictInt

from apps.dicee.services.settings import TableSettings
from engine.dicee.analysis import Horizon, Position
from engine.dicee.boxes import Scorecard, Variant
from engine.dicee.game.events import (
    CardWire,
    Category,
    DecisionRecommendation,
    Dice,
    KeptMask,
    ProbabilityVector,
    Quality,
    Skill,
)
from engine.dicee.simulate import Bot
from engine.wire import Document as Document
from engine.wire import EngineError

Seen = Annotated[StrictInt, Field(ge=0)]  # the sequence number a player decided on
Depth = Literal["minimal", "standard", "detailed"]


def _example(**fields: Any) -> ConfigDict:
    return ConfigDict(json_schema_extra={"examples": [fields]})


class ProbabilityRequest(Document):
    model_config = _example(
        diceResult=[5, 5, 5, 2, 6], keptMask=[True, True, True, False, False], rollsRemaining=1, currentScorecard={}
    )

    dice_result: Dice
    kept_mask: KeptMask | None = None
    rolls_remaining: Annotated[StrictInt, Field(ge=0, le=2)]
    available_categories: tuple[Category, ...] | None = Field(default=None, description="must be the open boxes")
    current_scorecard: CardWire = Field(default_factory=dict)
    opponent_scores: tuple[int, ...] | None = None
    skill_level: Skill = Skill.BEGINNER
    computation_method: Literal["exact", "monte_carlo", "auto"] = Field(
        default="auto", description="every answer is exact, whatever is asked for"
    )
    max_computation_time_ms: float | None = None
    rules_variant: Variant = Variant.STANDARD
    horizon: Horizon = Horizon.TURN

    @property
    def position(self) -> Position:
        card = Scorecard.from_wire(self.current_scorecard)
        _check_open(card, self.available_categories)
        return Position(card, self.rules_variant, self.dice_result, self.rolls_remaining)

    @property
    def kept(self) -> tuple[int, ...] | None:
        if self.kept_mask is None or not self.rolls_remaining:
            return None
        return tuple(face for face, keep in zip(self.dice_result, self.kept_mask, strict=True) if keep)


class RecommendationRequest(ProbabilityRequest):
    show_alternatives: StrictBool = True
    explanation_depth: Depth = "standard"
    recent_decisions: tuple[dict[str, Any], ...] | None = None


class EvaluatedState(Document):
    dice_result: Dice
    roll_number: Annotated[StrictInt, Field(ge=1, le=3)]
    available_categories: tuple[Category, ...] | None = None
    scorecard: CardWire = Field(default_factory=dict)

    def position(self, variant: Variant) -> Position:
        card = Scorecard.from_wire(self.scorecard)
        _check_open(card, self.available_categories)
        return Position(card, variant, self.dice_result, 3 - self.roll_number)


class EvaluationRequest(Document):
    model_config = _example(gameState={"diceResult": [5, 5, 5, 2, 6], "rollNumber": 3}, chosenCategory="fives")

    game_state: EvaluatedState
    chosen_category: Category
    time_to_decision: Annotated[int, Field(ge=0)] = 0
    skill_level: Skill = Skill.BEGINNER
    rules_variant: Variant = Variant.STANDARD
    horizon: Horizon = Horizon.TURN


def _check_open(card: Scorecard, stated: tuple[str, ...] | None) -> None:
    """Said twice, it must be the same twice (RFC-003 §9.2.2)."""
    if stated is not None and set(stated) != set(card.open_boxes):
        raise EngineError(
            "availableCategories are not the boxes that are open on the card.",
            field="availableCategories",
            constraint="open boxes",
            expected=list(card.open_boxes),
            actual=list(stated),
        )


class Answer(Document):
    """What every answer of the statistics carries."""

    success: Literal[True] = True
    request_id: str
    computation_time_ms: float


class ProbabilityResponse(Answer):
    probabilities: ProbabilityVector
    cache_hit: bool = False


class RecommendationResponse(Answer):
    recommendation: DecisionRecommendation
    probabilities: ProbabilityVector
    horizon_used: Horizon
    notice: str = Field(default="", description="why the horizon is not the one asked for")


class Feedback(Document):
    summary: str
    reasoning: str
    learning_tip: str | None = None
    mistake_category: Literal["probability", "expected_value", "strategy"] | None = None


class EvaluationResponse(Answer):
    decision_quality: Quality
    points_earned: int
    expected_value: float
    optimal_category: Category
    optimal_ev: float = Field(alias="optimalEV")
    ev_difference: float
    ev_percentage_loss: float
    feedback: Feedback
    horizon_used: Horizon
    notice: str = ""


# -- Games -------------------------------------------------------------------------------------------------------


class CreateRequest(Document):
    model_config = _example(mode="bots", bots=["perfect"], settings={"rulesVariant": "joker_rules", "allowUndo": True})

    mode: Literal["solo", "bots", "multiplayer", "tutorial"] = "solo"
    settings: TableSettings = TableSettings()
    bots: tuple[Bot, ...] = ()


class JoinRequest(Document):
    model_config = _example(code="K7QPA")

    code: str


class MoveRequest(Document):
    """``seen`` is the sequence number the player decided on; an older one than the game's is refused, not guessed."""

    seen: Seen | None = None


class RollRequest(MoveRequest):
    model_config = _example(keptMask=[True, True, True, False, False], seen=7)

    kept_mask: KeptMask | None = Field(default=None, description="leave out for the first roll of a turn")


class ScoreRequest(MoveRequest):
    model_config = _example(category="full_house", seen=8)

    category: Category
    categories_considered: tuple[Category, ...] = ()
    backtrack_count: Annotated[int, Field(ge=0)] = 0
    hint_requested: StrictBool = False


class TelemetryRequest(Document):
    model_config = _example(
        events=[
            {
                "eventType": "hover",
                "categoryHovered": "chance",
                "hoverDuration": 640,
                "wouldScore": 23,
                "currentEV": 23.0,
                "isOptimal": False,
                "hoverSequence": 1,
            },
        ]
    )

    events: tuple[dict[str, Any], ...]


class TelemetryAnswer(Document):
    success: Literal[True] = True
    accepted: int


class PlayerState(Document):
    player_id: UUID
    display_name: str
    scorecard: CardWire
    is_current_player: bool
    left: bool


class TurnState(Document):
    player_id: UUID
    turn_number: int
    roll_number: int
    current_dice: Dice | None = None
    kept_mask: KeptMask | None = None
    rolls_remaining: int
    phase: Literal["initial_roll", "mid_turn", "scoring"]


class GameStateResponse(Document):
    success: Literal[True] = True
    game_id: UUID
    code: str
    status: Literal["waiting", "active", "completed", "abandoned"]
    mode: Literal["solo", "multiplayer", "tutorial"]
    settings: TableSettings
    commitment: str = Field(description="SHA-256 of the seed every die follows from")
    sequence_number: int
    players: tuple[PlayerState, ...]
    current_turn: TurnState | None = None
    events: tuple[dict[str, Any], ...] | None = Field(default=None, description="docs/schemas/events")
    created_at: str
    started_at: str | None = None
    completed_at: str | None = None


class MoveResponse(Document):
    """What a request led to, bots' moves included. The same request sent again is answered the same."""

    success: Literal[True] = True
    game_id: UUID
    sequence_number: int
    status: Literal["waiting", "active", "completed", "abandoned"]
    events: tuple[dict[str, Any], ...]


class EventsResponse(Document):
    success: Literal[True] = True
    events: tuple[dict[str, Any], ...]


class VerifiableRoll(Document):
    sequence: int
    player_id: UUID
    turn_number: int
    roll_number: int
    rolled: tuple[int, ...]
    proof: str


class VerificationResponse(Document):
    game_id: UUID
    commitment: str
    seed: str | None = Field(description="null until the game is over")
    rolls: tuple[VerifiableRoll, ...]


class ReportedDecision(Document):
    number: int
    sequence_number: int
    turn_number: int
    roll_number: int
    dice: Dice
    chosen: str
    best: str
    points_lost: float
    decision_quality: Quality
    luck: float


class ReportedTurn(Document):
    turn: int
    category: Category
    points: int
    total: int
    expected_final: float | None
    luck: float
    points_lost: float


class ReportedBox(Document):
    source: str
    points: int
    perfect: float | None


class ReportResponse(Document):
    success: Literal[True] = True
    game_id: UUID
    player_id: UUID
    display_name: str
    score: int
    par: float | None
    percentile: float | None
    percentile_ci95: tuple[float, float] | None
    horizon: Horizon
    notice: str
    accuracy: float
    qualities: dict[str, int]
    luck: float | None
    points_lost: float
    decisions: tuple[ReportedDecision, ...]
    best_find: int | None
    worst_slip: int | None
    turns: tuple[ReportedTurn, ...]
    boxes: tuple[ReportedBox, ...]


class TokenRequest(Document):
    model_config = _example(name="my bot")

    name: Annotated[str, Field(min_length=1, max_length=60)]


class TokenResponse(Document):
    id: int
    name: str
    hint: str
    token: str | None = Field(default=None, description="shown once, when it is made")


class TokensResponse(Document):
    success: Literal[True] = True
    tokens: tuple[TokenResponse, ...]


class ProfileResponse(Document):
    success: Literal[True] = True
    player_id: UUID
    display_name: str
    games_completed: int
    average_score: float | None
    best_score: int | None
    optimal_decision_rate: float | None
    average_points_lost: float | None = Field(description="per game")
    skill_level: Skill
    suggested_profile: Literal["beginner", "intermediate", "expert"]


class ErrorDetails(Document):
    code: str
    message: str
    severity: Literal["warning", "error", "fatal"]
    timestamp: int
    request_id: str
    details: dict[str, Any]
    recoverable: bool
    retry_after: int | None = None
    suggested_action: str | None = None


class ErrorResponse(Document):
    success: Literal[False] = False
    error: ErrorDetails

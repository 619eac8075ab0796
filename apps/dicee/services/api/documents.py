"""Requests and answers of the REST API (RFC-003 §6), with examples for its documentation.

Beyond the RFC there are two optional fields wherever a decision is judged: ``rulesVariant`` and ``horizon``
(rulings D6 and D10); both default to what the RFC assumes.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal
from uuid import UUID

from pydantic import ConfigDict, Field, StrictBool, StrictInt, model_validator

from apps.dicee.services.settings import TableSettings
from engine.dicee.analysis import Horizon, Position
from engine.dicee.boxes import BOXES, Scorecard, Variant
from engine.dicee.game.events import (
    CardWire,
    Category,
    DecisionRecommendation,
    Dice,
    Intent,
    KeptMask,
    ProbabilityVector,
    Quality,
    Skill,
)
from engine.dicee.simulate import Bot
from engine.wire import Document as Document
from engine.wire import EngineError

Seen = Annotated[StrictInt, Field(ge=0)]  # the sequence number a player decided on
HINTED = "the player was given a hint for these dice; the decision then counts for no rating"
IN_SIGHT = "the player saw values or ranks of the options; the decision then counts for no rating"
Available = Annotated[tuple[Category, ...], Field(min_length=1)] | None
AVAILABLE = "the open boxes; without a card, all others count as struck"
#: Inputs that RFC-003 allows and no answer depends on.
NOT_USED = {
    "opponentScores": "every answer is about your own points.",
    "recentDecisions": "every answer is about this position alone.",
    "maxComputationTimeMs": "every answer is exact and takes milliseconds.",
}
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
    available_categories: Available = Field(default=None, description=AVAILABLE)
    current_scorecard: CardWire | None = None
    skill_level: Skill = Skill.BEGINNER
    computation_method: Literal["exact", "monte_carlo", "auto"] = Field(
        default="auto", description="every answer is exact, whatever is asked for"
    )
    rules_variant: Variant = Variant.STANDARD
    horizon: Horizon = Horizon.TURN

    @model_validator(mode="before")
    @classmethod
    def _read(cls, raw: Any) -> Any:
        """RFC-001 calls the dice ``dice``. What would have no effect is refused rather than ignored."""
        if not isinstance(raw, dict):
            return raw
        for name, why in NOT_USED.items():
            if raw.get(name) is not None:
                raise EngineError(f"{name} is not used: {why}", field=name, constraint="absent", actual=raw[name])
        named = {"diceResult" if name == "dice" else name: value for name, value in raw.items()}
        return {name: value for name, value in named.items() if name not in NOT_USED}

    @property
    def position(self) -> Position:
        card = _card(self.current_scorecard, self.available_categories)
        return Position(card, self.rules_variant, self.dice_result, self.rolls_remaining)

    @property
    def kept(self) -> tuple[int, ...] | None:
        if self.kept_mask is None or not self.rolls_remaining:
            return None
        return tuple(face for face, keep in zip(self.dice_result, self.kept_mask, strict=True) if keep)


class RecommendationRequest(ProbabilityRequest):
    show_alternatives: StrictBool = True
    explanation_depth: Depth = "standard"


class EvaluatedState(Document):
    dice_result: Dice
    roll_number: Annotated[StrictInt, Field(ge=1, le=3)]
    available_categories: Available = Field(default=None, description=AVAILABLE)
    scorecard: CardWire | None = None

    def position(self, variant: Variant) -> Position:
        card = _card(self.scorecard, self.available_categories)
        return Position(card, variant, self.dice_result, 3 - self.roll_number)


class EvaluationRequest(Document):
    model_config = _example(gameState={"diceResult": [5, 5, 5, 2, 6], "rollNumber": 3}, chosenCategory="fives")

    game_state: EvaluatedState
    chosen_category: Category
    time_to_decision: Annotated[int, Field(ge=0)] = 0
    skill_level: Skill = Skill.BEGINNER
    rules_variant: Variant = Variant.STANDARD
    horizon: Horizon = Horizon.TURN


def _card(written: CardWire | None, stated: tuple[str, ...] | None) -> Scorecard:
    """The card; of open boxes alone, one on which all others are struck. Said twice, it must be the same twice."""
    if written is None and stated is not None:
        return Scorecard(tuple(None if box in stated else 0 for box in BOXES))
    card = Scorecard.from_wire(written or {})
    if stated is not None and set(stated) != set(card.open_boxes):
        raise EngineError(
            "availableCategories are not the boxes that are open on the card.",
            field="availableCategories",
            constraint="open boxes",
            expected=list(card.open_boxes),
            actual=list(stated),
        )
    return card


class Answer(Document):
    """What every answer of the statistics carries."""

    success: Literal[True] = True
    request_id: str
    computation_time_ms: float


class ProbabilityResponse(Answer):
    probabilities: ProbabilityVector


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
    intent_signal: Intent | None = None
    hint_requested: StrictBool = Field(default=False, description=HINTED)
    answers_in_sight: StrictBool = Field(default=False, description=IN_SIGHT)


class ScoreRequest(MoveRequest):
    model_config = _example(category="full_house", seen=8)

    category: Category
    categories_considered: tuple[Category, ...] = ()
    backtrack_count: Annotated[int, Field(ge=0)] = 0
    hint_requested: StrictBool = Field(default=False, description=HINTED)
    answers_in_sight: StrictBool = Field(default=False, description=IN_SIGHT)


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
    obvious: bool = Field(description="a beginner would not miss it: no part of the accuracy")
    with_coach: bool = Field(description="taken with an answer in sight: no part of the rating")
    position: str = Field(description="the text of the position, as /dicee/analyse/ takes it")


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


class ReportedPhase(Document):
    phase: Literal["first_keep", "second_keep", "box", "early", "middle", "late"]
    decisions: int
    counted_decisions: int
    accuracy: float | None
    points_lost: float


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
    accuracy: float = Field(description="best choices among the decisions that are not obvious")
    counted_decisions: int
    coached_decisions: int
    phases: tuple[ReportedPhase, ...]
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


class RatingDocument(Document):
    rating: float = Field(description="share of perfect play's score, in percent, that rated games speak for")
    interval90: tuple[float, float]
    points_lost_per_game: float
    rated_games: int
    settled: bool = Field(description="whether the interval is narrow enough to rely on")


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
    rating: RatingDocument | None = Field(description="of rated games alone; null before the first")
    habits: tuple[str, ...] = Field(description="mistakes that repeat, by name")


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

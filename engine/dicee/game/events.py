"""What happened in a game: the events of RFC-003 §5 as they are stored and sent, in three streams.

* ``domain``: what a game is rebuilt from; never pruned.
* ``analysis``: what was computed about it; can be computed again.
* ``telemetry``: what the player looked at; for learning statistics only.

Numbers run without gaps per game and stream (ruling D11). Every event names its own schema version; :func:`read_event`
also reads older minor versions, newer minor versions (their new fields are dropped) and version 1 ``roll`` and
``reroll`` events.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Annotated, Any, ClassVar, Literal

from pydantic import UUID4, AfterValidator, Field, StrictBool, StrictInt, field_validator

from engine.dicee.analysis import Horizon
from engine.dicee.boxes import BOXES, Scorecard, Variant, box_number
from engine.dicee.lattice import check_dice
from engine.wire import Document, EngineError

MOST_SEATS = 6
Milliseconds = Annotated[int, Field(ge=0)]
Probability = Annotated[float, Field(ge=0, le=1)]
Points = Annotated[float, Field(ge=0)]


def _card(wire: dict[str, Any]) -> dict[str, Any]:
    Scorecard.from_wire(wire)
    return wire


def _box(name: str) -> str:
    return BOXES[box_number(name)]


Dice = Annotated[tuple[StrictInt, ...], AfterValidator(check_dice)]
KeptMask = tuple[StrictBool, StrictBool, StrictBool, StrictBool, StrictBool]
Category = Annotated[str, AfterValidator(_box)]
CardWire = Annotated[dict[str, Any], AfterValidator(_card)]


class EventStream(StrEnum):
    DOMAIN = "domain"
    ANALYSIS = "analysis"
    TELEMETRY = "telemetry"


class Source(StrEnum):
    CLIENT = "client"
    SERVER = "server"
    ENGINE = "engine"
    SYSTEM = "system"


class GameMode(StrEnum):
    SOLO = "solo"
    MULTIPLAYER = "multiplayer"
    TUTORIAL = "tutorial"


class Skill(StrEnum):
    BEGINNER = "beginner"
    INTERMEDIATE = "intermediate"
    ADVANCED = "advanced"
    EXPERT = "expert"


Quality = Literal["optimal", "excellent", "good", "acceptable", "suboptimal", "poor"]
Intent = Literal["exploring", "targeting_category", "conservative"]
Ending = Literal["normal", "abandoned", "timeout"]
Method = Literal["exact", "monte_carlo", "heuristic"]


class Event(Document):
    """What every event carries. Lifecycle events have turn 0 and roll 0 (ruling D13)."""

    VERSION: ClassVar[str] = "1.0.0"

    id: UUID4
    event_type: str
    event_version: str = Field(default="", validate_default=True, pattern=r"^(\d+\.\d+\.\d+)?$")
    sequence_number: int = Field(ge=1)
    stream_type: EventStream = EventStream.DOMAIN
    event_source: Source = Source.SERVER
    trace_id: UUID4
    causal_chain: tuple[UUID4, ...] = ()
    timestamp: Milliseconds
    game_id: UUID4
    player_id: UUID4
    turn_number: int = Field(default=0, ge=0, le=len(BOXES))
    roll_number: int = Field(default=0, ge=0, le=3)
    computation_time_ms: float | None = None
    service_name: str | None = None

    @field_validator("event_version")
    @classmethod
    def _same_major(cls, version: str) -> str:
        version = version or cls.VERSION
        if version.split(".")[0] != cls.VERSION.split(".")[0]:
            raise EngineError(
                f"This reads version {cls.VERSION.split('.')[0]} of the event; it says {version}.",
                field="eventVersion",
                constraint="major version",
                expected=cls.VERSION,
                actual=version,
            )
        return version

    def to_wire(self) -> dict[str, Any]:
        """The stored and sent form: camelCase, no empty optional fields."""
        return self.model_dump(mode="json", by_alias=True, exclude_none=True) | {"eventVersion": self.VERSION}


class GameSettings(Document):
    rules_variant: Variant = Variant.STANDARD
    time_limit: Annotated[int, Field(ge=1)] | None = Field(default=None, description="seconds per turn")
    allow_undo: bool = False


class GameCreated(Event):
    event_type: Literal["game_created"] = "game_created"
    game_mode: GameMode
    player_ids: tuple[UUID4, ...]
    settings: GameSettings = GameSettings()
    host_player_id: UUID4


class PlayerJoined(Event):
    event_type: Literal["player_joined"] = "player_joined"


class GameStarted(Event):
    event_type: Literal["game_started"] = "game_started"
    turn_order: tuple[UUID4, ...]
    first_player_id: UUID4
    initial_scorecards: dict[UUID4, CardWire]


class Rolled(Event):
    """The server rolls (ruling D12); a client only ever says which dice to keep."""

    VERSION: ClassVar[str] = "2.0.0"

    event_type: Literal["roll"] = "roll"
    roll_type: Literal["initial", "reroll"]
    dice_result: Dice
    kept_mask: KeptMask
    pre_roll_dice: Dice | None = None
    intent_signal: Intent | None = Field(default=None, description="what the player says the roll is for")
    analysis_id: UUID4 | None = None
    time_from_previous_action: Milliseconds = 0


class Scored(Event):
    """``horizon`` says what the decision was judged by (ruling D6): the one addition to RFC-003's 1.1.0."""

    VERSION: ClassVar[str] = "1.2.0"

    event_type: Literal["score"] = "score"
    chosen_category: Category
    points_earned: int = Field(ge=0)
    expected_value: float
    optimal_category: Category
    optimal_ev: float = Field(alias="optimalEV")
    ev_difference: Points
    decision_quality: Quality
    horizon: Horizon = Horizon.TURN
    previous_scorecard: CardWire
    updated_scorecard: CardWire
    time_to_decision: Milliseconds = 0
    categories_considered: tuple[Category, ...] = ()
    backtrack_count: int = Field(default=0, ge=0)
    hint_requested: bool = False
    learning_tip: str | None = None
    concepts_applied: tuple[str, ...] = ()


class ScoreUndone(Event):
    """A score taken back before the next roll. Nothing is deleted: the dice are on the table again."""

    event_type: Literal["score_undone"] = "score_undone"
    undone_event_id: UUID4
    category: Category
    restored_scorecard: CardWire


class PlayerLeft(Event):
    event_type: Literal["game_abandoned"] = "game_abandoned"
    reason: Literal["left", "timeout"] = "left"


class GameCompleted(Event):
    event_type: Literal["game_completed"] = "game_completed"
    final_scores: dict[UUID4, int]
    winner_ids: tuple[UUID4, ...]
    total_turns: int = Field(ge=0)
    game_duration_ms: Milliseconds
    average_decision_time_ms: float = Field(ge=0)
    reason: Ending


class ErrorRecorded(Event):
    """A refused action, kept for the audit trail. It changes nothing."""

    event_type: Literal["error"] = "error"
    error_code: str
    error_message: str
    severity: Literal["warning", "error", "fatal"] = "warning"
    failed_action: str
    failed_payload: Any = None
    recovered: bool = True
    recovery_action: str | None = None


class RerollRecommendation(Document):
    should_reroll: bool
    kept_mask: KeptMask
    ev_gain: float


class CategoryStatistics(Document):
    probability: Probability
    expected_value: Points
    current_score: int
    legal: bool = Field(default=True, description="false where the forced joker forbids the box for these dice")
    future_ev: float | None = Field(default=None, alias="futureEV")
    reroll_recommendation: RerollRecommendation | None = None


class ProbabilityVector(Document):
    categories: dict[Category, CategoryStatistics]
    optimal_category: Category
    optimal_ev: float = Field(alias="optimalEV")
    computation_method: Method = "exact"
    confidence: Probability = 1.0
    rolls_remaining: int = Field(ge=0, le=3)
    computation_time_ms: float = 0.0


class Alternative(Document):
    category: Category | None = None
    kept_mask: KeptMask | None = None
    ev: float
    ev_difference: Points
    reasoning: str


class DecisionRecommendation(Document):
    action: Literal["roll", "reroll", "score"]
    kept_mask: KeptMask | None = None
    reroll_reason: str | None = None
    expected_improvement: float | None = None
    recommended_category: Category | None = None
    expected_value: float | None = None
    alternatives: tuple[Alternative, ...] = ()
    confidence: Probability = 1.0
    reasoning: str
    pedagogy_level: Skill = Skill.BEGINNER
    learning_tip: str | None = None


class AnalysisComputed(Event):
    event_type: Literal["analysis_computed"] = "analysis_computed"
    stream_type: EventStream = EventStream.ANALYSIS
    event_source: Source = Source.ENGINE
    analysis_id: UUID4
    source_event_id: UUID4
    probabilities: ProbabilityVector
    recommendations: tuple[DecisionRecommendation, ...]
    computation_method: Method = "exact"
    confidence: Probability = 1.0

    @field_validator("confidence")
    @classmethod
    def _exact_is_certain(cls, confidence: float, info: Any) -> float:
        least = {"exact": 1.0, "monte_carlo": 0.95}.get(info.data.get("computation_method", ""), 0.0)
        if confidence < least:
            raise EngineError(
                f"{info.data['computation_method']} means a confidence of at least {least}; it says {confidence}.",
                field="confidence",
                constraint="confidence of the method",
                expected=least,
                actual=confidence,
            )
        return confidence


class Snapshot(Document):
    dice_result: Dice
    scorecard: CardWire
    rolls_remaining: int = Field(ge=0, le=2)


class Recommended(Event):
    event_type: Literal["recommendation"] = "recommendation"
    stream_type: EventStream = EventStream.ANALYSIS
    game_state_snapshot: Snapshot
    recommendation: DecisionRecommendation
    player_skill_level: Skill
    pedagogy_strategy: str


class Hovered(Event):
    event_type: Literal["hover"] = "hover"
    stream_type: EventStream = EventStream.TELEMETRY
    event_source: Source = Source.CLIENT
    category_hovered: Category
    hover_duration: Milliseconds
    would_score: int
    current_ev: float = Field(alias="currentEV")
    is_optimal: bool
    hover_sequence: int = Field(ge=1)


class Predicted(Event):
    event_type: Literal["prediction"] = "prediction"
    stream_type: EventStream = EventStream.TELEMETRY
    event_source: Source = Source.CLIENT
    predicted_category: Category
    predicted_probability: Probability
    confidence_level: Literal["low", "medium", "high"]
    actual_probability: Probability
    accuracy_delta: Probability
    prediction_score: int


class HintRequested(Event):
    event_type: Literal["hint_requested"] = "hint_requested"
    stream_type: EventStream = EventStream.TELEMETRY
    event_source: Source = Source.CLIENT
    current_dice: Dice
    available_categories: tuple[Category, ...]
    hint_type: Literal["optimal_category", "reroll_strategy", "probability_explanation"]
    hint_content: str
    player_skill_level: Skill
    concepts_introduced: tuple[str, ...] = ()


MODELS: tuple[type[Event], ...] = (
    GameCreated, PlayerJoined, GameStarted, Rolled, Scored, ScoreUndone, PlayerLeft, GameCompleted, ErrorRecorded,
    AnalysisComputed, Recommended, Hovered, Predicted, HintRequested,
)  # fmt: skip
BY_TYPE: dict[str, type[Event]] = {str(model.model_fields["event_type"].default): model for model in MODELS}


def read_event(wire: Mapping[str, Any]) -> Event:
    """An event from its stored form, whatever version wrote it."""
    raw = dict(wire)
    if raw.get("eventType") in ("roll", "reroll") and str(raw.get("eventVersion", "")).startswith("1."):
        raw = _from_version_1(raw)
    kind = str(raw.get("eventType"))
    if kind not in BY_TYPE:
        raise EngineError(
            f"There is no event type {kind!r}.",
            field="eventType",
            constraint="one of",
            expected=sorted(BY_TYPE),
            actual=kind,
        )
    model = BY_TYPE[kind]
    if _version(raw.get("eventVersion")) > _version(model.VERSION):
        known = {field.alias for field in model.model_fields.values()}
        raw = {key: value for key, value in raw.items() if key in known}
    return model.model_validate(raw, by_alias=True, by_name=False)


def _version(text: Any) -> tuple[int, ...]:
    return tuple(int(part) for part in str(text or "0").split(".") if part.isdigit())


def _from_version_1(old: dict[str, Any]) -> dict[str, Any]:
    """Version 1 had two roll events and kept the analysis inside (RFC-003 §5.3, migration)."""
    renamed = {"newDice": "diceResult", "previousDice": "preRollDice", "timeToDecision": "timeFromPreviousAction"}
    fields = {field.alias for field in Rolled.model_fields.values()}
    new = {renamed.get(key, key): value for key, value in old.items()}
    again = old["eventType"] == "reroll" or old.get("rollNumber", 1) > 1
    new |= {"eventType": "roll", "eventVersion": Rolled.VERSION, "rollType": "reroll" if again else "initial"}
    return {key: value for key, value in new.items() if key in fields}


def schemas() -> dict[str, dict[str, Any]]:
    """The JSON Schema of every event, by event type.

    >>> schemas()["roll"]["properties"]["keptMask"]["minItems"]
    5
    """
    return {kind: model.model_json_schema(by_alias=True) for kind, model in BY_TYPE.items()}

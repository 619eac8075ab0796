"""Front-door operations of Dicee: analyse a decision, solve a variant, simulate games."""

from __future__ import annotations

from typing import Annotated, Any, Literal, Self

from pydantic import Field, StrictBool, StrictInt, field_validator, model_validator

from engine.clock import TimeLimit
from engine.dicee import analysis, simulate, tables
from engine.dicee.analysis import Horizon, Position
from engine.dicee.boxes import CHANCE, Scorecard, Variant
from engine.dicee.lattice import DICE
from engine.dicee.simulate import LEAST, MOST, Interval, Policy, Simulation
from engine.dicee.solver import state_count
from engine.wire import Document, EngineError, Op

Faces = tuple[int, ...]
DEADLINE_SECONDS = 60.0  # of one simulation; past it the games played so far are the answer


class PositionInput(Document):
    """A card, the dice on the table and the rolls left; no dice before the first roll."""

    dice: tuple[StrictInt, ...] = ()
    rolls_remaining: Annotated[StrictInt, Field(ge=0, le=3)] = 3
    scorecard: dict[str, Any] = Field(default_factory=dict, description="filled boxes by name, and diceeBonus")
    rules_variant: Variant = Variant.STANDARD

    @field_validator("scorecard")
    @classmethod
    def _possible(cls, card: dict[str, Any]) -> dict[str, Any]:
        Scorecard.from_wire(card)
        return card

    @property
    def card(self) -> Scorecard:
        return Scorecard.from_wire(self.scorecard)

    @property
    def position(self) -> Position:
        return Position(self.card, self.rules_variant, self.dice, self.rolls_remaining)

    @property
    def doubts(self) -> tuple[str, ...]:
        if self.card.points[CHANCE] == 0:
            return ("Chance holds 0, which five dice cannot score; it is read as a box that was struck.",)
        return ()


class AnalyzeInput(PositionInput):
    kept_mask: tuple[StrictBool, ...] | None = None
    horizon: Horizon = Horizon.TURN

    @field_validator("kept_mask")
    @classmethod
    def _five(cls, mask: tuple[bool, ...] | None) -> tuple[bool, ...] | None:
        if mask is not None and len(mask) != DICE:
            raise EngineError(
                f"keptMask has one entry per die, {DICE}; you gave {len(mask)}.",
                code="ERR_INVALID_DICE",
                field="keptMask",
                constraint="length",
                expected=DICE,
                actual=len(mask),
            )
        return mask

    @property
    def kept(self) -> Faces | None:
        if self.kept_mask is None or not self.dice:
            return None
        return tuple(face for face, keep in zip(self.dice, self.kept_mask, strict=True) if keep)


class CategoryOdds(Document):
    probability: float
    expected_value: float
    current_score: int
    keep: Faces


class AnalyzeResult(Document):
    ev: float
    action: Literal["roll", "reroll", "score"]
    keep: Faces | None
    category: str | None
    runner_up_ev: float | None
    score_options: dict[str, float]
    keep_options: tuple[tuple[Faces, float], ...]
    categories: dict[str, CategoryOdds]
    computation_method: Literal["exact"] = "exact"
    confidence: float = 1.0
    warnings: tuple[str, ...] = ()


def analyze(request: AnalyzeInput) -> AnalyzeResult:
    """Every option of one decision with its value.

    >>> analyze(AnalyzeInput(dice=(2, 3, 4, 5, 6), rolls_remaining=0)).category
    'large_straight'
    """
    position = request.position
    table = tables.load(request.rules_variant) if request.horizon is Horizon.GAME else None
    found = analysis.analyze(position, request.horizon, table)
    odds = analysis.position_odds(position, request.kept)
    return AnalyzeResult(
        ev=found.ev,
        action=found.best.action,
        keep=found.best.keep,
        category=found.best.box,
        runner_up_ev=found.runner_up_ev,
        score_options={option.box: option.ev for option in found.boxes if option.box},
        keep_options=tuple((option.keep, option.ev) for option in found.keeps if option.keep is not None),
        categories={name: _category(box) for name, box in odds.items()},
        warnings=request.doubts,
    )


def _category(box: analysis.BoxOdds) -> CategoryOdds:
    return CategoryOdds(
        probability=float(box.probability),
        expected_value=float(box.expected),
        current_score=box.current_score,
        keep=box.keep,
    )


class SolveInput(Document):
    rules_variant: Variant = Variant.STANDARD
    rebuild: StrictBool = Field(default=False, description="solve now; do not read the saved table")


class SolveResult(Document):
    expected_score: float
    states: int
    seconds: float
    from_table: bool


def solve(request: SolveInput) -> SolveResult:
    """What a perfect player averages, and how many states were solved to know it."""
    table = tables.build(request.rules_variant) if request.rebuild else tables.load(request.rules_variant)
    return SolveResult(
        expected_score=table.expected_score,
        states=state_count(),
        seconds=table.seconds,
        from_table=table.from_file,
    )


class SimulateInput(PositionInput):
    iterations: Annotated[StrictInt, Field(ge=LEAST, le=MOST)] = 100_000
    seed: Annotated[StrictInt, Field(ge=0)] = 0
    policy: Literal[Policy.OPTIMAL, Policy.TURN, Policy.RANDOM] = Policy.OPTIMAL
    target: StrictInt | None = Field(default=None, description="a final score to reach")
    target_category: str | None = Field(default=None, description="an open box to make before the game is over")
    confidence_level: Annotated[float, Field(ge=0.5, le=0.9999)] = 0.95

    @model_validator(mode="after")
    def _open(self) -> Self:
        open_boxes = self.card.open_boxes
        if self.target_category is not None and self.target_category not in open_boxes:
            raise EngineError(
                "targetCategory is a box that is still open.",
                field="targetCategory",
                constraint="open box",
                expected=list(open_boxes),
                actual=self.target_category,
            )
        return self


class SimulateResult(Document):
    mean: float
    sd: float
    ci95: tuple[float, float]
    pmf: tuple[float, ...] = Field(description="pmf[i] = share of games that ended with i points")
    target_probability: float | None = None
    target_ci95: tuple[float, float] | None = None
    confidence_level: float = 0.95
    interval: tuple[float, float] = Field(description="of the mean, at the level of confidence asked for")
    target_interval: tuple[float, float] | None = None
    category_probability: float | None = Field(
        default=None, description="share of games that made the box; an upper one with three of its face"
    )
    category_interval: tuple[float, float] | None = None
    actual_iterations: int
    warnings: tuple[str, ...] = ()

    @classmethod
    def of(cls, request: SimulateInput, played: Simulation) -> SimulateResult:
        """What was played, as it was asked for."""
        z = simulate.z_of(request.confidence_level)
        score, box = request.target, request.target_category
        reached, around_score = played.at_least(score, z) if score is not None else (None, None)
        made, around_box = played.share_made(box, z) if box is not None else (None, None)
        return cls(
            mean=played.mean,
            sd=played.sd,
            ci95=_ends(played.ci95),
            pmf=tuple(played.pmf.tolist()),
            target_probability=reached,
            target_ci95=_ends(played.at_least(score)[1]) if score is not None else None,
            confidence_level=request.confidence_level,
            interval=_ends(played.interval(z)),
            target_interval=_ends(around_score) if around_score else None,
            category_probability=made,
            category_interval=_ends(around_box) if around_box else None,
            actual_iterations=played.actual_iterations,
            warnings=request.doubts + played.warnings,
        )


def _ends(interval: Interval) -> tuple[float, float]:
    return interval.low, interval.high


def run_simulation(request: SimulateInput) -> SimulateResult:
    """Play a position to the end many times under a policy."""
    table = tables.load(request.rules_variant) if request.policy is Policy.OPTIMAL else None
    played = simulate.simulate(
        request.position, request.iterations, request.seed, request.policy, table, limit=TimeLimit(DEADLINE_SECONDS)
    )
    return SimulateResult.of(request, played)


OPS = (
    Op("dicee.analyze", "Value every option of one Dicee decision", AnalyzeInput, AnalyzeResult, analyze),
    Op("dicee.solve", "The best average score under a rule variant", SolveInput, SolveResult, solve),
    Op("dicee.simulate", "Play a Dicee position to the end many times", SimulateInput, SimulateResult, run_simulation),
)

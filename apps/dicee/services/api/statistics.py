"""One decision for a program: its odds, a recommendation, a verdict (RFC-003 §6)."""

from __future__ import annotations

import time

from apps.dicee.services import horizon
from apps.dicee.services.api.documents import (
    EvaluationRequest,
    EvaluationResponse,
    Feedback,
    ProbabilityRequest,
    ProbabilityResponse,
    RecommendationRequest,
    RecommendationResponse,
)
from apps.dicee.services.review.decisions import say
from engine.clock import TimeLimit
from engine.dicee import advice, ops
from engine.dicee.advice import Depth
from engine.dicee.analysis import Analysis, BoxOdds, Horizon, Option, Position, analyze, position_odds
from engine.dicee.game.events import (
    Alternative,
    CategoryStatistics,
    DecisionRecommendation,
    ProbabilityVector,
    RerollRecommendation,
    Skill,
)
from engine.dicee.lattice import kept_mask
from engine.dicee.ops import SimulateInput as SimulateInput
from engine.dicee.ops import SimulateResult as SimulateResult
from engine.dicee.simulate import Policy, simulate
from engine.dicee.tables import Table

DEPTHS = {"minimal": Depth.SIMPLE, "standard": Depth.DETAILED, "detailed": Depth.EXPERT}
ALTERNATIVES = 3
SIMULATION_SECONDS = 5.0  # RFC-001 §3.3: past it, what was played is the answer


def probabilities(request: ProbabilityRequest, request_id: str) -> ProbabilityResponse:
    """The odds of every open box for a keep, or for the best keep of each."""
    began = time.perf_counter()
    found = vector(request.position, request.kept)
    return ProbabilityResponse(probabilities=found, request_id=request_id, computation_time_ms=_since(began))


def recommendation(request: RecommendationRequest, request_id: str) -> RecommendationResponse:
    """The best action with its reasons, and what else could be done."""
    began = time.perf_counter()
    seen = horizon.sight(request.rules_variant, request.horizon)
    advised = recommend(
        request.position, DEPTHS[request.explanation_depth], seen.horizon, seen.table, request.skill_level
    )
    if not request.show_alternatives:
        advised = advised.model_copy(update={"alternatives": ()})
    return RecommendationResponse(
        recommendation=advised,
        probabilities=vector(request.position, request.kept),
        request_id=request_id,
        computation_time_ms=_since(began),
        horizon_used=seen.horizon,
        notice=seen.notice,
    )


def evaluate(request: EvaluationRequest, request_id: str) -> EvaluationResponse:
    """A score judged against the best that could have been done with the same dice."""
    began = time.perf_counter()
    seen = horizon.sight(request.rules_variant, request.horizon)
    position = request.game_state.position(request.rules_variant)
    graded = advice.grade(position, box=request.chosen_category, horizon=seen.horizon, table=seen.table)
    found = analyze(position, seen.horizon, seen.table)
    return EvaluationResponse(
        decision_quality=graded.quality,
        points_earned=position.card.legal_scores(position.dice, position.variant)[request.chosen_category],
        expected_value=graded.chosen.ev,
        optimal_category=str(found.boxes[0].box),
        optimal_ev=found.ev,
        ev_difference=graded.points_lost,
        ev_percentage_loss=graded.share_lost,
        feedback=Feedback(
            summary=graded.summary,
            reasoning=graded.reasoning,
            learning_tip=graded.tip,
            mistake_category=graded.mistake,
        ),
        horizon_used=seen.horizon,
        notice=seen.notice,
        request_id=request_id,
        computation_time_ms=_since(began),
    )


def run_simulation(request: SimulateInput) -> SimulateResult:
    """Play a position to the end many times, for as long as a request may take."""
    table = horizon.ready(request.rules_variant) if request.policy is Policy.OPTIMAL else None
    if table is None:
        return ops.run_simulation(request)  # solves the game first, once
    played = simulate(
        request.position, request.iterations, request.seed, request.policy, table, limit=TimeLimit(SIMULATION_SECONDS)
    )
    return SimulateResult.of(request, played)


def _since(began: float) -> float:
    return round((time.perf_counter() - began) * 1000, 3)


# -- Parts, also of the analysis stream and the socket -----------------------------------------------------------


def vector(position: Position, kept: tuple[int, ...] | None = None) -> ProbabilityVector:
    """Every open box played for alone. ``optimalCategory`` is the one that pays most so (RFC-003 §8, 7.4)."""
    began = time.perf_counter()
    alone = position_odds(position, kept)
    free = position_odds(position) if kept is not None else alone
    boxes = position.card.open_boxes
    best = max(boxes, key=lambda box: (alone[box].expected, alone[box].legal))
    return ProbabilityVector(
        categories={box: _statistics(position, alone[box], free[box]) for box in boxes},
        optimal_category=best,
        optimal_ev=float(alone[best].expected),
        rolls_remaining=position.rolls_left,
        computation_time_ms=_since(began),
    )


def _statistics(position: Position, odds: BoxOdds, free: BoxOdds) -> CategoryStatistics:
    gain = float(free.expected) - odds.current_score
    future = bool(position.rolls_left)
    return CategoryStatistics(
        probability=float(odds.probability),
        expected_value=float(odds.expected),
        current_score=odds.current_score,
        legal=odds.legal,
        future_ev=float(free.expected) if future else None,
        reroll_recommendation=RerollRecommendation(
            should_reroll=gain > 0, kept_mask=kept_mask(position.dice, free.expected_keep), ev_gain=gain
        )
        if future
        else None,
    )


def recommend(
    position: Position,
    depth: Depth,
    wanted: Horizon,
    table: Table | None,
    skill: Skill = Skill.BEGINNER,
) -> DecisionRecommendation:
    """The best action in RFC-003's words."""
    advised = advice.advise(position, depth, wanted, table)
    found = analyze(position, wanted, table)
    best = advised.option
    rerolls = best.action == "reroll"
    stopping = found.boxes[0].ev if found.boxes else 0.0
    return DecisionRecommendation(
        action=best.action,
        kept_mask=kept_mask(position.dice, best.keep or ()) if rerolls else None,
        reroll_reason=advised.reasons[1].text if rerolls and len(advised.reasons) > 1 else None,
        expected_improvement=best.ev - stopping if rerolls else None,
        recommended_category=best.box,
        expected_value=best.ev,
        alternatives=tuple(_alternative(position, found, option) for option in _others(found)),
        confidence=advised.confidence,
        reasoning=advised.text,
        pedagogy_level=skill,
        learning_tip=advised.tip,
    )


def _others(found: Analysis) -> tuple[Option, ...]:
    return found.options[1 : 1 + ALTERNATIVES]


def _alternative(position: Position, found: Analysis, option: Option) -> Alternative:
    lost = max(0.0, found.ev - option.ev)
    return Alternative(
        category=option.box,
        kept_mask=None if option.box else kept_mask(position.dice, option.keep or ()),
        ev=option.ev,
        ev_difference=lost,
        reasoning=f"{say(position, option)}: {lost:.2f} points less.",
    )

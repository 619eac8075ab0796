"""Analysis and advice as the documents of RFC-003 §4.3 and §4.4, for the analysis stream and the REST API."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Literal, cast

from engine.dicee import advice
from engine.dicee.advice import Depth
from engine.dicee.analysis import Horizon, Option, Position, analyze, box_odds
from engine.dicee.game.events import (
    Alternative,
    CategoryStatistics,
    DecisionRecommendation,
    KeptMask,
    ProbabilityVector,
    RerollRecommendation,
    Skill,
)
from engine.dicee.tables import Table


def kept_mask(dice: Sequence[int], keep: Sequence[int]) -> KeptMask:
    """Which dice on the table a keep means; of equal dice the first ones.

    >>> kept_mask([5, 2, 5, 6, 5], [5, 5])
    (True, False, True, False, False)
    """
    wanted = Counter(keep)
    mask = []
    for face in dice:
        mask.append(wanted[face] > 0)
        wanted[face] -= 1
    return cast(KeptMask, tuple(mask))


def probability_vector(
    position: Position,
    horizon: Horizon = Horizon.TURN,
    table: Table | None = None,
    kept: Sequence[int] | None = None,
) -> ProbabilityVector:
    """The odds of every box from dice on the table, and the best box to aim for."""
    found = analyze(position, horizon, table)
    categories = {}
    for box, chance in box_odds(position.dice, position.rolls_left, kept).items():
        points = float(chance.expected)
        reroll = RerollRecommendation(
            should_reroll=len(chance.expected_keep) < len(position.dice),
            kept_mask=kept_mask(position.dice, chance.expected_keep),
            ev_gain=points - chance.current_score,
        )
        categories[box] = CategoryStatistics(
            probability=float(chance.probability),
            expected_value=points,
            current_score=chance.current_score,
            future_ev=points if position.rolls_left else None,
            reroll_recommendation=reroll if position.rolls_left else None,
        )
    return ProbabilityVector(
        categories=categories,
        optimal_category=str(found.boxes[0].box),
        optimal_ev=found.ev,
        rolls_remaining=position.rolls_left,
    )


def recommendation(
    position: Position,
    depth: Depth = Depth.SIMPLE,
    horizon: Horizon = Horizon.GAME,
    table: Table | None = None,
    skill: Skill = Skill.BEGINNER,
) -> DecisionRecommendation:
    """What to do and why, with the next best options."""
    advised = advice.advise(position, depth, horizon, table)
    best = advised.option
    stop = analyze(position, horizon, table).boxes[:1]
    return DecisionRecommendation(
        action=cast(Literal["roll", "reroll", "score"], best.action),
        kept_mask=None if best.keep is None else kept_mask(position.dice, best.keep),
        reroll_reason=None if best.keep is None else advised.reasons[1].text,
        expected_improvement=best.ev - stop[0].ev if best.keep is not None else None,
        recommended_category=best.box,
        expected_value=best.ev,
        alternatives=tuple(_alternative(position, option) for option in advised.alternatives),
        reasoning=advised.text,
        pedagogy_level=skill,
        learning_tip=advised.tip,
    )


def _alternative(position: Position, option: Option) -> Alternative:
    return Alternative(
        category=option.box,
        kept_mask=None if option.keep is None else kept_mask(position.dice, option.keep),
        ev=option.ev,
        ev_difference=option.points_lost,
        reasoning=f"{option.points_lost:.2f} points less.",
    )

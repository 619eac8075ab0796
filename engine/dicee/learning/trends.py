"""Is a player getting better? Points lost lately against points lost before, and a word only beyond the margin.

The last games are compared with those before them, by the logarithm of a game's loss, because losses are skewed. The
margin is ``ERRORS`` standard errors, strict because it is looked at after every game.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from statistics import fmean, variance

import numpy as np

from engine.wire import Document

EWMA_DECISIONS = 100  # the moving average forgets two thirds in so many decisions
LATELY = 10  # games, or a third of them if there are fewer
FEWEST_GAMES = 10
EARLIER = 20  # games before those
ERRORS = 4.0
USUAL_SPREAD, USUAL_GAMES = 0.45, 3.0  # of the logarithm from game to game, and how many games that is worth
SKEW = 2.0  # points


class Direction(StrEnum):
    UNKNOWN = "unknown"  # too few games
    STEADY = "steady"
    BETTER = "better"
    WORSE = "worse"


class Trend(Document):
    """Points lost per decision: newest decisions weighing most, the last games, and all. ``direction`` is a verdict."""

    ewma: float
    rolling: float
    overall: float
    direction: Direction


def trend(games: Sequence[Sequence[float]]) -> Trend | None:
    """The trend of some games' losses per decision, oldest first.

    >>> trend([[1.0, 0.0]] * 4).direction.value
    'unknown'
    """
    losses = [loss for game in games for loss in game]
    if not losses:
        return None
    weights = np.exp(-np.arange(len(losses))[::-1] / EWMA_DECISIONS)
    recent = [loss for game in games[-LATELY:] for loss in game]
    return Trend(
        ewma=float(np.average(losses, weights=weights)),
        rolling=fmean(recent),
        overall=fmean(losses),
        direction=direction([sum(game) for game in games]),
    )


def direction(lost: Sequence[float]) -> Direction:
    """Where points lost per game, oldest first, are going."""
    if len(lost) < FEWEST_GAMES:
        return Direction.UNKNOWN
    size = min(LATELY, len(lost) // 3)
    scale = np.log(np.array(lost) + SKEW).tolist()
    after, before = scale[-size:], scale[-size - EARLIER : -size]
    error = (_spread(before) / len(before) + _spread(after) / len(after)) ** 0.5
    change = (fmean(after) - fmean(before)) / error
    if abs(change) <= ERRORS:
        return Direction.STEADY
    return Direction.BETTER if change < 0 else Direction.WORSE


def _spread(values: Sequence[float]) -> float:
    """The variance of some games, drawn towards what players usually show."""
    seen = len(values) - 1
    return (USUAL_GAMES * USUAL_SPREAD**2 + seen * variance(values)) / (USUAL_GAMES + seen)

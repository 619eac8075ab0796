"""How well a player plays, with an honest margin.

*Skill* is the points a player's way of playing loses per game, on average, against perfect play; luck has no part in
it, because every decision is judged by its expected value. Perfect play averages about 254, so

    rating = 100 × (254 − points lost per game) / 254

is the share of perfect play's score that the player will average in the long run.

Decisions of one game hang together, so the unit is the game. Points lost per game are skewed, and a few games say
little about their spread. So the spread is shrunk towards what players of that level usually show, the mean towards
the usual player as far as that spread asks for, and the interval is Student's, on a logarithmic scale because losses
are never negative and sometimes large.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import NormalDist, fmean

from engine.wire import Document

PAR = 254.0  # perfect play: 253.97 in the standard rules, 254.59 with free jokers
LEVEL = 0.90
RECENT = 40  # games: older ones say what a player was
USUAL_LOSS, USUAL_SPREAD = 25.0, 25.0  # points per game: players, and how they differ
PRIOR_GAMES = 4.0  # what is known beforehand about the spread of one player's games
SPREAD_FLOOR, SPREAD_SLOPE = 1.5, 0.35  # that spread, over a player's mean
FEWEST_GAMES, SETTLED_GAMES = 5, 20  # a rating settles between them, once its interval is no wider than
SETTLED_WIDTH = 6.0  # rating points
SKEW = 2.0  # points: below a mean of this size the interval is symmetric, far above it a ratio


class Rating(Document):
    """A rating, its 90 % interval, and the same in points lost per game."""

    rating: float
    low: float
    high: float
    lost_per_game: float
    lost_low: float
    lost_high: float
    expected_score: float
    settled: bool


def rate(losses: Sequence[float]) -> Rating:
    """The rating that some finished games' points lost, oldest first, support.

    >>> rate([12.0, 30.0, 18.0, 21.0]).low < rate([12.0, 30.0, 18.0, 21.0]).rating < 100
    True
    """
    recent = list(losses)[-RECENT:]
    games, level = len(recent), fmean(recent) if recent else USUAL_LOSS
    freedom = PRIOR_GAMES + max(0, games - 1)
    variance = (PRIOR_GAMES * _usual(level) + sum((loss - level) ** 2 for loss in recent)) / freedom
    prior = _usual(min(level, USUAL_LOSS)) / USUAL_SPREAD**2  # by the level alone: losing less is never rated lower
    weight = games + prior
    mean = (games * level + prior * USUAL_LOSS) / weight
    ratio = math.exp(student(0.5 + LEVEL / 2, freedom) * (variance / weight) ** 0.5 / (mean + SKEW))
    low, high = max(0.0, (mean + SKEW) / ratio - SKEW), (mean + SKEW) * ratio - SKEW
    return Rating(
        rating=scale(mean),
        low=scale(high),
        high=scale(low),
        lost_per_game=mean,
        lost_low=low,
        lost_high=high,
        expected_score=PAR - mean,
        settled=games >= SETTLED_GAMES or (games >= FEWEST_GAMES and scale(low) - scale(high) <= SETTLED_WIDTH),
    )


def _usual(level: float) -> float:
    """The variance from game to game of a player who loses so much on average."""
    return (SPREAD_FLOOR + SPREAD_SLOPE * level) ** 2


def scale(lost_per_game: float) -> float:
    """Points lost per game as a rating.

    >>> scale(0.0), scale(25.4)
    (100.0, 90.0)
    """
    return max(0.0, round(100 * (PAR - lost_per_game) / PAR, 6))


def student(share: float, freedom: float) -> float:
    """A quantile of Student's t by the Cornish-Fisher series: right to 0.5 % from four degrees of freedom on.

    >>> round(student(0.95, 20), 2)
    1.72
    """
    z = NormalDist().inv_cdf(share)
    first = (z**3 + z) / 4
    second = (5 * z**5 + 16 * z**3 + 3 * z) / 96
    third = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384
    return z + first / freedom + second / freedom**2 + third / freedom**3

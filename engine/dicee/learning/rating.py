"""How well a player plays, with an honest margin.

*Skill* is the points a player's way of playing loses per game, on average, against perfect play; luck has no part in
it, because every decision is judged by its expected value. Perfect play averages about 254, so

    rating = 100 × (254 − points lost per game) / 254

is the share of perfect play's score that the player will average in the long run.

Decisions of one game hang together, so the unit is the game. Points lost per game are skewed, and a few games say
little about their spread; so the spread is shrunk towards what players of that level usually show, the mean slightly
towards the usual level, and the interval is Student's.
"""

from __future__ import annotations

from collections.abc import Sequence
from statistics import NormalDist, fmean

from engine.wire import Document

PAR = 254.0  # perfect play: 253.97 in the standard rules, 254.59 with free jokers
LEVEL = 0.90
RECENT = 40  # games: older ones say what a player was
USUAL_LOSS = 25.0  # points per game of a usual player
PRIOR_GAMES = 0.5  # what that is worth
PRIOR_SPREAD_GAMES = 4.0
SPREAD_FLOOR = 2.0
SPREAD_SLOPE = 0.45  # spread of a game's loss over its mean
SETTLED_GAMES = 20


class Rating(Document):
    """A rating, its 90 % interval, and the same in points lost per game."""

    rating: float
    low: float
    high: float
    lost_per_game: float
    lost_low: float
    lost_high: float
    expected_score: float


def rate(losses: Sequence[float]) -> Rating:
    """The rating that some finished games' points lost, oldest first, support.

    >>> rate([12.0, 30.0, 18.0, 21.0]).low < rate([12.0, 30.0, 18.0, 21.0]).rating < 100
    True
    """
    recent = list(losses)[-RECENT:]
    games = len(recent)
    mean = (PRIOR_GAMES * USUAL_LOSS + sum(recent)) / (PRIOR_GAMES + games)
    usual = (SPREAD_FLOOR + SPREAD_SLOPE * mean) ** 2
    centre = fmean(recent) if recent else mean
    squares = sum((loss - centre) ** 2 for loss in recent)
    variance = (PRIOR_SPREAD_GAMES * usual + squares) / (PRIOR_SPREAD_GAMES + max(0, games - 1))
    half = student(0.5 + LEVEL / 2, PRIOR_SPREAD_GAMES + max(0, games - 1))
    half *= (variance / (PRIOR_GAMES + games)) ** 0.5
    low, high = max(0.0, mean - half), mean + half
    return Rating(
        rating=scale(mean), low=scale(high), high=scale(low),
        lost_per_game=mean, lost_low=low, lost_high=high, expected_score=PAR - mean,
    )  # fmt: skip


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

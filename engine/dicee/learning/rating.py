"""How well a player plays now, with an honest margin, also while the player learns.

*Skill* is the points a player's way of playing loses per game, on average, against perfect play; luck has no part in
it, because every decision is judged by its expected value. Perfect play averages about 254, so

    rating = 100 × (254 − points lost per game) / 254

is the share of perfect play's score that the player will average in the long run.

**The model.** Skill θ may change between games. It follows one of eight courses: steady, wandering, getting better or
worse by so many points or by a share of what is left; now and then the course changes. A game loses points that
are gamma distributed around θ, with a spread that players of that level usually show, (1.5 + 0.35 θ), times a factor of
the player's own. All of it lives on a grid, level × course × factor, and every game is one step of the exact filter:
move the levels along their courses, then weigh them by the game's loss. So a rating never rewrites the past, follows
a player who learns within a few games, and is as sure as the games allow of one who does not change. The 90 % interval
runs from the 5 % to the 95 % point of what is believed about θ after the last game.

Assumptions: decisions of one game hang together, games do not; a loss is at most a few times θ. One game costs
O(levels² × courses × factors), about a tenth of a millisecond.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from engine.wire import Document

Floats = NDArray[np.float64]

PAR = 254.0  # perfect play: 253.97 in the standard rules, 254.59 with free jokers
LEVEL = 0.90
FEWEST_GAMES, SETTLED_GAMES = 5, 20  # a rating settles between them, once its interval is no wider than
SETTLED_WIDTH = 6.0  # rating points
SKEW = 2.0  # points: below a mean of this size changes are counted in points, far above it as a ratio
MOST_LOST = 160.0  # points per game: nobody loses more for long
LEVELS = 80
USUAL_LOSS, USUAL_RATIO = 22.0, 0.9  # points per game: the usual player, and how players differ (of the logarithm)
FLAWLESS = 0.02  # of players lose nothing at all
SPREAD_FLOOR, SPREAD_SLOPE = 1.5, 0.35  # of one player's games, over the mean
OFFSET = 0.5  # points: so that a flawless game has a likelihood
#: The player's own share of the usual spread, and how common it is.
FACTORS: Floats = np.array([0.3, 0.5, 0.75, 1.0, 1.4, 2.0, 2.8])
FACTOR_PRIOR: Floats = np.array([1, 2, 4, 4, 2, 1, 0.5]) / 14.5
#: Courses of skill per game: points added, share added, wandering of log(θ + 2), and how common each is.
COURSES: Floats = np.array(
    [
        (0.0, 0.0, 0.0, 0.58),  # steady
        (0.0, 0.0, 0.12, 0.08),  # wandering
        (0.0, -0.09, 0.05, 0.08),  # better by a share of what is left
        (-0.8, 0.0, 0.03, 0.06),  # better by so many points a game
        (-1.7, 0.0, 0.03, 0.06),
        (-2.8, 0.0, 0.05, 0.04),
        (0.0, 0.05, 0.05, 0.05),  # worse
        (1.3, 0.0, 0.05, 0.05),
    ]
)  # fmt: skip
CHANGES = 0.03  # how often a course changes, per game


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
    return ratings(losses)[-1]


def ratings(losses: Iterable[float]) -> list[Rating]:
    """The rating before the first game and after every one of them, oldest first."""
    beliefs = accumulate(losses, _after_game, initial=_newcomer())
    return [_rated(belief, games) for games, belief in enumerate(beliefs)]


def _after_game(belief: Floats, loss: float) -> Floats:
    """One step of the filter, ``belief[course, factor, level]``."""
    moved = np.einsum("cfl,clm->cfm", belief, _moves())
    mixed = (1 - CHANGES) * moved + CHANGES * COURSES[:, -1, None, None] * moved.sum(axis=0)
    weighed: Floats = mixed * _likelihood(loss)
    weighed /= weighed.sum()
    return weighed


@cache
def _levels() -> Floats:
    """Points lost per game, evenly spaced on the scale on which skill moves."""
    scale = np.linspace(np.log(SKEW), np.log(MOST_LOST + SKEW), LEVELS)
    points: Floats = np.exp(scale) - SKEW
    points[0] = 0.0
    return points


@cache
def _newcomer() -> Floats:
    away = (np.log(_levels() + SKEW) - np.log(USUAL_LOSS + SKEW)) / USUAL_RATIO
    usual = np.exp(-(away**2) / 2)
    usual *= (1 - FLAWLESS) / usual.sum()
    usual[0] += FLAWLESS
    belief: Floats = COURSES[:, -1, None, None] * FACTOR_PRIOR[:, None] * usual
    return belief


@cache
def _moves() -> Floats:
    """The chance of every level after one game of a course, ``[course, from, to]``. Ends of the scale hold."""
    scale = np.log(_levels() + SKEW)
    step = scale[1] - scale[0]
    moves = np.zeros((len(COURSES), LEVELS, LEVELS))
    for course, (points, share, wander, _) in enumerate(COURSES):
        if not wander:
            moves[course] = np.eye(LEVELS)
            continue
        to = np.log(np.maximum(_levels() + points, 0.0) + SKEW) + share
        away = (scale[None, :] - np.clip(to, scale[0], scale[-1])[:, None]) / max(wander, step)
        moves[course] = np.exp(-(away**2) / 2)
        moves[course] /= moves[course].sum(axis=1, keepdims=True)
    return moves


@cache
def _shapes() -> tuple[Floats, Floats, Floats]:
    """Of the gamma of a loss, ``[factor, level]``: shape, scale, and the logarithm of the normaliser."""
    mean = _levels() + OFFSET
    spread = FACTORS[:, None] * (SPREAD_FLOOR + SPREAD_SLOPE * _levels())
    shape, scale = (mean / spread) ** 2, spread**2 / mean
    return shape, scale, np.vectorize(math.lgamma)(shape) + shape * np.log(scale)


def _likelihood(loss: float) -> Floats:
    shape, scale, normaliser = _shapes()
    seen = max(0.0, min(loss, MOST_LOST)) + OFFSET
    logs = (shape - 1) * np.log(seen) - seen / scale - normaliser
    likely: Floats = np.exp(logs - logs.max())
    return likely


def _rated(belief: Floats, games: int) -> Rating:
    over = np.cumsum(belief.sum(axis=(0, 1)))
    low, middle, high = (_quantile(over, share) for share in (0.5 - LEVEL / 2, 0.5, 0.5 + LEVEL / 2))
    return Rating(
        rating=scale(middle),
        low=scale(high),
        high=scale(low),
        lost_per_game=middle,
        lost_low=low,
        lost_high=high,
        expected_score=PAR - middle,
        settled=games >= SETTLED_GAMES or (games >= FEWEST_GAMES and scale(low) - scale(high) <= SETTLED_WIDTH),
    )


def _quantile(over: Floats, share: float) -> float:
    """Where the summed belief reaches a share; losing nothing at all has a weight of its own."""
    return float(np.interp(share * over[-1], over, _levels()))


def scale(lost_per_game: float) -> float:
    """Points lost per game as a rating.

    >>> scale(0.0), scale(25.4)
    (100.0, 90.0)
    """
    return max(0.0, round(100 * (PAR - lost_per_game) / PAR, 6))

"""Ideas adjusted for difficulty: what a player lost about each idea, against a player of the same carelessness.

Some ideas are harder than others: close rivals make "reading odds" costly for everybody. So what is shown is the
difference between the points lost and what the player's own mixture of ways of erring (``carelessness``) would have
lost on the same positions, with a margin. The margin has two parts: the chance of the draw (``ERRORS`` standard errors,
strict because six ideas are looked at after every game), and ``UNKNOWN`` of the expected loss, for carelessness that
the ways describe imperfectly. Standings add up, so a class is the sum of its students.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from engine.dicee.learning.carelessness import HALVES, STAGES, fitted
from engine.dicee.learning.concepts import Concept
from engine.dicee.learning.evidence import Choice
from engine.wire import Document

ERRORS = 3.0
UNKNOWN = 0.15
FEWEST = 10  # decisions: fewer say nothing about an idea
LEAST_LEVEL, TINY = 0.02, 1e-9
WORTH_TEACHING = 0.05  # points per decision: a smaller difference is not worth a lesson


class Standing(Document):
    """Decisions about an idea: points lost, and what the same carelessness would have lost, with its variance."""

    n: int = 0
    lost: float = 0.0
    expected: float = 0.0
    variance: float = 0.0

    def __add__(self, other: Standing) -> Standing:
        return Standing(
            n=self.n + other.n,
            lost=self.lost + other.lost,
            expected=self.expected + other.expected,
            variance=self.variance + other.variance,
        )

    @property
    def difference(self) -> float:
        """Points lost per decision beyond what was to be expected; below 0 is better than expected."""
        return (self.lost - self.expected) / self.n if self.n else 0.0

    @property
    def margin(self) -> float:
        """Points per decision that say nothing."""
        return (ERRORS * self.variance**0.5 + UNKNOWN * self.expected) / self.n if self.n else 0.0

    @property
    def is_weak(self) -> bool:
        return self.n >= FEWEST and self.difference > max(self.margin, WORTH_TEACHING)

    @property
    def is_strong(self) -> bool:
        return self.n >= FEWEST and -self.difference > max(self.margin, WORTH_TEACHING)


def standings(games: Sequence[Sequence[Choice]]) -> dict[Concept, Standing]:
    """Every idea over some games. The carelessness is that of all their decisions, and its level that of each stage
    of a turn: who is careless only when writing is weak in nothing."""
    choices = [choice for game in games for choice in game]
    if not choices:
        return {}
    cells = np.array([choice.cell for choice in choices])
    weights = fitted(np.array([choice.likelihood for choice in choices]), cells)[cells]
    mean = (weights * np.array([choice.mean_lost for choice in choices])).sum(axis=1)
    variance = (weights * np.array([choice.mean_square for choice in choices])).sum(axis=1) - mean**2
    lost = np.array([choice.lost for choice in choices])
    for stage in range(STAGES):
        here = cells // HALVES == stage
        level = lost[here].sum() / max(mean[here].sum(), TINY)
        mean[here] *= level
        variance[here] *= max(level, LEAST_LEVEL)
    found = {}
    for concept in Concept:
        about = np.array([concept in choice.concepts for choice in choices])
        if about.any():
            found[concept] = Standing(
                n=int(about.sum()),
                lost=float(lost[about].sum()),
                expected=float(mean[about].sum()),
                variance=float(max(0.0, variance[about].sum())),
            )
    return found


def weakest(found: Mapping[Concept, Standing]) -> Concept | None:
    """The idea that costs most beyond its margin, if any does."""
    weak = [concept for concept, standing in found.items() if standing.is_weak]
    return max(weak, key=lambda concept: found[concept].difference, default=None)


def strongest(found: Mapping[Concept, Standing], most: int = 3) -> tuple[Concept, ...]:
    """Ideas that cost less than expected beyond their margin, best first."""
    strong = [concept for concept, standing in found.items() if standing.is_strong]
    return tuple(sorted(strong, key=lambda concept: found[concept].difference)[:most])

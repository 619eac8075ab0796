"""Habit or accident? Each pattern weighed against what carelessness alone would do.

Under *carelessness* a player takes an opportunity as often as any equally costly wrong choice; how careless the
player is comes from all other decisions. Under *habit* the pattern decides a share of the opportunities, and the rest
is carelessness. The Bayes factor between the two says which the games support.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.dicee.learning.concepts import Concept
from engine.dicee.learning.observations import Signal
from engine.dicee.learning.patterns import PATTERNS
from engine.wire import Document

SHARES = np.linspace(0.05, 0.95, 19)  # of opportunities that a habit may decide, equally likely beforehand
CONVINCING = 6.0  # natural log of the Bayes factor: 400 to 1, because ten patterns are tried
LEAST_SHARE = 0.2  # less is no habit worth a sentence
MOST_SURE = 0.99  # no test is surer than its assumptions
TINY = 1e-6
FEWEST = 5  # opportunities


class Lapse(Document):
    """A decision with opportunities: how likely the choice was for a careless player, and what it says."""

    likelihood: tuple[float, ...]
    signals: tuple[Signal, ...]


class FoundPattern(Document):
    """A pattern the games support."""

    key: str
    title: str
    words: str
    advice: str
    concept: Concept
    confidence: float  # that it is a habit, not carelessness, even odds beforehand
    evidence: str
    opportunities: int
    taken: int
    expected: float  # taken by carelessness alone


@dataclass(frozen=True, slots=True)
class Weight:
    """What the games say about one pattern."""

    key: str
    log_factor: float  # of habit against carelessness
    opportunities: int
    taken: int
    expected: float  # taken by carelessness alone

    @property
    def share(self) -> float:
        """The share of opportunities that the habit decides."""
        return max(0.0, self.taken - self.expected) / max(self.opportunities - self.expected, TINY)

    @property
    def convinces(self) -> bool:
        return self.log_factor >= CONVINCING and self.share >= LEAST_SHARE and self.opportunities >= FEWEST


def find(likelihood: Sequence[float], lapses: Sequence[Lapse]) -> tuple[FoundPattern, ...]:
    """The patterns that games support, strongest first. ``likelihood`` sums over all decisions, by temperature.

    A second pattern must stand on decisions that the first does not explain already.
    """
    found: list[Weight] = []
    left = list(lapses)
    while True:
        known = {weight.key for weight in found}
        weighed = [weigh(key, likelihood, left) for key in PATTERNS if key not in known]
        convincing = [weight for weight in weighed if weight.convinces]
        if not convincing:
            return tuple(_described(weight) for weight in found)
        found.append(max(convincing, key=lambda weight: weight.log_factor))
        left = [lapse for lapse in left if all(signal.pattern != found[-1].key for signal in lapse.signals)]


def weigh(key: str, likelihood: Sequence[float], lapses: Sequence[Lapse]) -> Weight:
    """Weigh one pattern. How careless the player is comes from the decisions that were no opportunity for it."""
    mine = [(lapse, signal) for lapse in lapses for signal in lapse.signals if signal.pattern == key]
    if not mine:
        return Weight(key, 0.0, 0, 0, 0.0)
    chance = np.clip([signal.noise for _, signal in mine], TINY, 1 - TINY)  # [opportunity, temperature]
    fell = np.array([signal.fell for _, signal in mine])
    elsewhere = np.array(likelihood) - np.sum([lapse.likelihood for lapse, _ in mine], axis=0)
    careful = np.exp(elsewhere - elsewhere.max())
    careful /= careful.sum()
    accident = _log_chance(chance, fell)[None, :]
    habit = np.array([_log_chance(share + (1 - share) * chance, fell) for share in SHARES])
    log_factor = _log_mean(habit, careful) - _log_mean(accident, careful)
    return Weight(key, log_factor, len(mine), int(fell.sum()), float(chance.sum(axis=0) @ careful))


def _log_chance(chance: NDArray[np.float64], fell: NDArray[np.bool_]) -> NDArray[np.float64]:
    total: NDArray[np.float64] = np.where(fell[:, None], np.log(chance), np.log1p(-chance)).sum(axis=0)
    return total


def _log_mean(logs: NDArray[np.float64], weights: NDArray[np.float64]) -> float:
    """The log of a mean over rows, weighted over columns."""
    top = logs.max()
    return float(top + np.log((np.exp(logs - top) @ weights).mean()))


def _described(weight: Weight) -> FoundPattern:
    pattern = PATTERNS[weight.key]
    return FoundPattern(
        key=pattern.key,
        title=pattern.title,
        words=pattern.words,
        advice=pattern.advice,
        concept=pattern.concept,
        confidence=min(MOST_SURE, 1 / (1 + math.exp(-weight.log_factor))),
        evidence=f"{weight.taken} of {weight.opportunities} times; slips alone would make about {weight.expected:.0f}.",
        opportunities=weight.opportunities,
        taken=weight.taken,
        expected=weight.expected,
    )

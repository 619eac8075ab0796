"""Habit or accident? Each pattern weighed against what carelessness alone would do.

Under *carelessness* a player takes an opportunity as often as any equally costly wrong choice; how careless the
player is comes from all other decisions. Under *habit* the pattern decides a share of the opportunities, and the rest
is carelessness. The Bayes factor between the two says which the games support.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from engine.dicee.learning.observations import Signal
from engine.dicee.learning.patterns import PATTERNS
from engine.wire import Document

HABITS = np.linspace(0.05, 0.95, 19)  # shares of opportunities a habit may decide, equally likely beforehand
CONVINCING = 4.0  # natural log of the Bayes factor: 55 to 1
LEAST_HABIT = 0.25
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
    confidence: float  # that it is a habit, not carelessness, even odds beforehand
    evidence: str
    opportunities: int
    taken: int
    expected: float  # taken by carelessness alone


def find(likelihood: Sequence[float], lapses: Sequence[Lapse]) -> tuple[FoundPattern, ...]:
    """The patterns that games support, strongest first. ``likelihood`` sums over all decisions, by temperature."""
    weighed = [(*weigh(key, likelihood, lapses), key) for key in PATTERNS]
    named = [(log_factor, n, taken, expected, key) for log_factor, n, taken, expected, habit, key in weighed
             if log_factor >= CONVINCING and habit >= LEAST_HABIT and n >= FEWEST]  # fmt: skip
    return tuple(_found(*case) for case in sorted(named, key=lambda case: -case[0]))


def weigh(key: str, likelihood: Sequence[float], lapses: Sequence[Lapse]) -> tuple[float, int, int, float, float]:
    """Log Bayes factor, opportunities, how many were taken, how many carelessness would, and the habit's share."""
    mine = [(lapse, signal) for lapse in lapses for signal in lapse.signals if signal.pattern == key]
    if not mine:
        return 0.0, 0, 0, 0.0, 0.0
    chance = np.array([signal.noise for _, signal in mine])  # [opportunity, temperature]
    fell = np.array([signal.fell for _, signal in mine])
    elsewhere = np.array(likelihood) - np.sum([lapse.likelihood for lapse, _ in mine], axis=0)
    careful = np.exp(elsewhere - elsewhere.max())
    careful /= careful.sum()
    noise = _log_chance(chance, fell)
    habits = np.array([_log_chance(habit + (1 - habit) * chance, fell) for habit in HABITS])
    log_noise = _log_mean(noise[None, :], careful)
    log_habit = _log_mean(habits, careful)
    expected = float(chance.sum(axis=0) @ careful)
    taken, n = int(fell.sum()), len(mine)
    share = max(0.0, (taken - expected) / max(n - expected, 1e-9))
    return log_habit - log_noise, n, taken, expected, share


def _log_chance(chance: NDArray[np.float64], fell: NDArray[np.bool_]) -> NDArray[np.float64]:
    total: NDArray[np.float64] = np.where(fell[:, None], np.log(chance), np.log1p(-chance)).sum(axis=0)
    return total


def _log_mean(logs: NDArray[np.float64], weights: NDArray[np.float64]) -> float:
    """The log of a mean over rows, weighted over columns."""
    top = logs.max()
    return float(top + np.log((np.exp(logs - top) @ weights).mean()))


def _found(log_factor: float, n: int, taken: int, expected: float, key: str) -> FoundPattern:
    pattern = PATTERNS[key]
    return FoundPattern(
        key=key, title=pattern.title, words=pattern.words, advice=pattern.advice,
        confidence=float(1 / (1 + np.exp(-min(log_factor, 700.0)))),
        evidence=f"{taken} of {n} times, where slips alone would make about {expected:.0f}.",
        opportunities=n, taken=taken, expected=expected,
    )  # fmt: skip

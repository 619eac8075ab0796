"""What perfect play scores: the yardstick of every report.

Its mean and its points per box are exact, from the table. Its spread is not: it comes from simulated perfect games,
seeded, so that every process tells the same percentile.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from django.core.cache import cache as shared

from apps.dicee.services import horizon
from engine.dicee.analysis import Position
from engine.dicee.boxes import Scorecard, Variant
from engine.dicee.simulate import Interval, Policy, simulate, wilson
from engine.dicee.solver import SOURCES

GAMES = 100_000
SEED = 253


@dataclass(frozen=True, slots=True)
class Par:
    """``counts[i]``: simulated perfect games that ended with i points."""

    expected: float
    counts: tuple[int, ...]

    @property
    def games(self) -> int:
        return sum(self.counts)

    def percentile(self, score: int) -> tuple[float, Interval]:
        """The share of perfect games a score beats or equals, with its 95 % interval."""
        hits = sum(self.counts[: score + 1])
        return hits / self.games, wilson(hits, self.games)


def par(variant: Variant) -> Par | None:
    """The yardstick, once the warm-up has made it."""
    table = horizon.ready(variant)
    counts = shared.get(_key(variant)) if table else None
    return Par(table.expected_score, tuple(counts)) if table and counts else None


def make(variant: Variant, games: int = GAMES) -> None:
    """Simulate perfect games, unless that has been done."""
    table = horizon.ready(variant)
    if table is not None and shared.get(_key(variant)) is None:
        played = simulate(Position(Scorecard(), variant), games, SEED, Policy.OPTIMAL, table)
        shared.set(_key(variant), played.counts.tolist(), timeout=None)


def make_all() -> None:
    """Warm-up."""
    for variant in Variant:
        make(variant)


def _key(variant: Variant) -> str:
    return f"dicee:par:1:{variant.value}"


@cache
def per_box(variant: Variant) -> dict[str, float]:
    """What perfect play averages in each box and bonus; empty until that has been worked out."""
    shares = horizon.shares_ready(variant)
    if shares is None:
        raise LookupError(variant)
    return dict(zip(SOURCES, shares.values[0, 0].tolist(), strict=True))


def per_box_if_ready(variant: Variant) -> dict[str, float]:
    try:
        return per_box(variant)
    except LookupError:  # not cached: asked again next time
        return {}

"""The exact answer against dice that were rolled: how close so many rolls come, and how close they should."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from apps.core import charts
from engine.killteam.simulate import estimate

GAMES, SEED = 20_000, 2024  # the same rolls every time, so that a link shows the same check


def dice() -> np.random.Generator:
    return np.random.default_rng(SEED)


def against(exact: float, killed: NDArray[np.bool_]) -> dict[str, Any]:
    """A sample of kills beside the exact chance, with its error bar and the way it got there."""
    rolled = estimate(killed.astype(np.float64))
    off = abs(rolled.mean - exact)
    means = [100 * mean for _, mean, _ in rolled.series]
    return {
        "games": killed.size,
        "mean": rolled.mean,
        "error": rolled.standard_error,
        "off": off,
        "errors_off": off / rolled.standard_error if rolled.standard_error else 0.0,
        "figure": charts.lines(
            [("Rolled so far", [n for n, *_ in rolled.series], means)],
            x="Rolls",
            y="Kill, %",
            target=100 * exact,
            log_x=True,
            band=_band(rolled.series),
        ),
    }


def _band(series: Sequence[tuple[int, float, float]]) -> tuple[list[float], list[float], list[float]]:
    """Twice the standard error either side: where nineteen of twenty such series stay."""
    return (
        [float(n) for n, *_ in series],
        [100 * max(0.0, mean - 2 * error) for _, mean, error in series],
        [100 * min(1.0, mean + 2 * error) for _, mean, error in series],
    )

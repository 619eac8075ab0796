"""Measure things against a baseline in the same run, so that a slow or busy machine slows both.

A module ``benchmarks/bench_<room>.py`` lists its measurements in ``BENCHMARKS``; its ``tidy_up`` ends what
they started. ``python -m benchmarks [room …]`` runs them, prints one table and writes ``var/bench/latest.json``.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

Quantile = Literal["median", "p95"]


@dataclass(frozen=True, slots=True)
class Benchmark:
    """``run`` is timed ``repeats`` times after one untimed warm-up call; ``prepare`` runs before each, untimed.
    With ``reports``, ``run`` returns the seconds to count, as a server measured them; ``baseline_reports`` likewise.

    ``baseline`` is timed the same way right after it: a naive implementation, another library, or the default
    yardstick (a fixed piece of interpreter work). ``budget`` is the design budget in seconds on the reference machine
    (two cores) for the median or the p95, shown beside the figure; ``at_least`` is the wanted
    ratio baseline/run. Neither is ever asserted.
    """

    name: str
    run: Callable[[], object]
    baseline: Callable[[], object] | None = None
    baseline_name: str = "yardstick"
    budget: float | None = None
    budget_at: Quantile = "median"
    at_least: float | None = None
    repeats: int = 30
    baseline_repeats: int = 5
    warm_up: bool = True
    prepare: Callable[[], object] | None = None
    reports: bool = False
    baseline_reports: bool = False


@dataclass(frozen=True, slots=True)
class Measurement:
    name: str
    median: float
    p95: float
    baseline_name: str
    baseline: float
    ratio: float
    budget: float | None
    budget_at: Quantile
    at_least: float | None
    samples: list[float] = field(repr=False)

    @property
    def verdict(self) -> str:
        """ "ok", "OVER" a budget, "UNDER" a wanted ratio, or nothing to say."""
        if self.budget is not None and (self.median if self.budget_at == "median" else self.p95) > self.budget:
            return "OVER"
        if self.at_least is not None and self.ratio < self.at_least:
            return "UNDER"
        return "ok" if self.budget is not None or self.at_least is not None else ""


def yardstick() -> int:
    """A millisecond or so of plain interpreter work: what every machine can be measured by."""
    total = 0
    for n in range(20_000):
        total = (total * 31 + n) & 0xFFFF
    return total


def _times(
    run: Callable[[], object],
    repeats: int,
    warm_up: bool,
    prepare: Callable[[], object] | None = None,
    reports: bool = False,
) -> list[float]:
    samples = []
    for _ in range(repeats + warm_up):
        if prepare is not None:
            prepare()
        start = time.perf_counter()
        told = run()
        took = time.perf_counter() - start
        if reports:
            assert isinstance(told, float), "what reports its own seconds returns them"
            took = told
        samples.append(took)
    return samples[warm_up:]


def measure(benchmark: Benchmark) -> Measurement:
    samples = _times(benchmark.run, benchmark.repeats, benchmark.warm_up, benchmark.prepare, reports=benchmark.reports)
    baseline = _times(
        benchmark.baseline or yardstick,
        benchmark.baseline_repeats,
        benchmark.warm_up,
        reports=benchmark.baseline_reports,
    )
    median, base = statistics.median(samples), statistics.median(baseline)
    p95 = sorted(samples)[max(0, round(0.95 * len(samples)) - 1)]
    return Measurement(
        benchmark.name,
        median,
        p95,
        benchmark.baseline_name,
        base,
        base / median,
        benchmark.budget,
        benchmark.budget_at,
        benchmark.at_least,
        samples,
    )

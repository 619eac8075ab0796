"""The benchmark scenario worked out with icepool and dyce gives the same distributions."""

from __future__ import annotations

import pytest

from benchmarks.bench_warhammer40k import SQUAD, request, with_dyce, with_icepool
from engine.warhammer40k.attack import resolve

OURS = resolve(request(SQUAD))
STAGES = ("hits", "wounds", "unsaved", "damage", "destroyed")


def test_icepool_agrees() -> None:
    for stage, die in zip(STAGES, with_icepool(), strict=True):
        pmf = getattr(OURS, stage)
        for value in range(pmf.high + 1):
            assert pmf.exactly(value) == pytest.approx(float(die.probability(value)), abs=1e-12), stage


def test_dyce_agrees() -> None:
    for stage, histogram in zip(STAGES, with_dyce(), strict=True):
        pmf, total = getattr(OURS, stage), histogram.total
        for value in range(pmf.high + 1):
            assert pmf.exactly(value) == pytest.approx(histogram.get(value, 0) / total, abs=1e-12), stage

"""The room's jobs: a sheet simulated many times, and every duel of two armies."""

from __future__ import annotations

from typing import Any

from apps.jobs.registry import Progress, job
from apps.warhammer40k.services import counting, dice


@job("warhammer40k.simulate", title="Simulate an attack", template="warhammer40k/simulated.html")
def simulate(document: dict[str, Any], progress: Progress) -> dict[str, Any]:
    return dice.simulate(document, progress)


@job("warhammer40k.duel", title="Army against army", template="warhammer40k/duel_counted.html")
def duel(document: dict[str, Any], progress: Progress) -> dict[str, Any]:
    return counting.count(document, progress)

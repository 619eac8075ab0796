"""The room's jobs: a sheet simulated many times, and every duel of two armies."""

from __future__ import annotations

from typing import Any

from celery import shared_task

from apps.jobs.registry import Progress, job
from apps.warhammer40k.services import counting, dice


@job("warhammer40k.simulate", title="Simulate an attack", template="warhammer40k/simulated.html")
def simulate(document: dict[str, Any], progress: Progress) -> dict[str, Any]:
    return dice.simulate(document, progress)


@job("warhammer40k.duel", title="Army against army", template="warhammer40k/duel_counted.html")
def duel(document: dict[str, Any], progress: Progress) -> dict[str, Any]:
    return counting.count(document, progress)


@shared_task(name=counting.TASK, soft_time_limit=600)
def help_count(document: dict[str, Any], pairs: list[list[Any]], run: str) -> None:
    counting.help_count(document, pairs, run)

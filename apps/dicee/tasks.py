"""Background work of Dicee: clocks, what follows a move, telemetry, retention."""

from __future__ import annotations

import uuid
from typing import Any

from celery import shared_task

from apps.dicee import services
from apps.dicee.services import horizon
from apps.dicee.services.page import simulation
from apps.dicee.services.record import follow_up as following
from apps.dicee.services.record import telemetry
from apps.dicee.services.review import profile
from apps.jobs.registry import Progress, job
from engine.dicee.boxes import Variant


@shared_task(name="dicee.follow_up")
def follow_up(game_id: str, first: int, last: int) -> None:
    following.follow_up(uuid.UUID(game_id), first, last)


@shared_task(name="dicee.keep_telemetry")
def keep_telemetry(game_id: str, notes: list[dict[str, Any]]) -> None:
    telemetry.write_notes(uuid.UUID(game_id), notes)


@shared_task(name="dicee.run_the_clocks")
def run_the_clocks() -> None:
    services.run_the_clocks()


@shared_task(name="dicee.solve_shares")
def solve_shares(variant: str) -> None:
    horizon.solve_shares(Variant(variant))


@shared_task(name="dicee.catch_up")
def catch_up() -> None:
    profile.catch_up()


@shared_task(name="dicee.prune")
def prune() -> None:
    telemetry.prune()


@job(simulation.KIND, title="Monte Carlo check", template="dicee/simulated.html")
def simulate(document: dict[str, Any], progress: Progress) -> dict[str, Any]:
    return simulation.run(document, progress)

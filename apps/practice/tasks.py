"""Background work of practice: what games and answers say of a player."""

from __future__ import annotations

import uuid

from celery import shared_task

from apps.practice.services import progress


@shared_task(name="practice.catch_up")
def catch_up() -> None:
    progress.catch_up()


@shared_task(name="practice.refresh")
def refresh(player_id: str) -> None:
    progress.refresh_between_games(uuid.UUID(player_id))

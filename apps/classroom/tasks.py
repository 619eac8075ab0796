"""Background work of the classroom."""

from __future__ import annotations

import uuid

from celery import shared_task

from apps.classroom.services import classes, progress


@shared_task(name="classroom.expire")
def expire() -> None:
    classes.expire()


@shared_task(name="classroom.catch_up")
def catch_up() -> None:
    progress.catch_up()


@shared_task(name="classroom.refresh")
def refresh(player_id: str) -> None:
    progress.refresh_between_games(uuid.UUID(player_id))

"""Background work of the classroom."""

from __future__ import annotations

from celery import shared_task

from apps.classroom.services import classes


@shared_task(name="classroom.expire")
def expire() -> None:
    classes.expire()


@shared_task(name="classroom.purge")
def purge() -> None:
    classes.purge()

"""Core's background work."""

from __future__ import annotations

from typing import Any

from celery import shared_task
from celery.signals import worker_ready
from django.conf import settings

from apps.core import warm_up as warming


@shared_task(name="core.warm_up")
def warm_up() -> None:
    warming.run_apart()


@worker_ready.connect
def _warm_when_ready(**_: Any) -> None:
    if settings.WARM_UP:
        warm_up.delay()

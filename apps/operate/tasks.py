"""The clock of those who run the site."""

from __future__ import annotations

from celery import shared_task

from apps.operate.services import invariants


@shared_task(name="operate.check_invariants")
def check_invariants() -> None:
    invariants.check_some()

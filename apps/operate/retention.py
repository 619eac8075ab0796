"""What has outlived its time, and the same without letting anything go."""

from __future__ import annotations

from collections.abc import Callable

from django.apps import apps
from django.db import transaction

from apps.accounts import privacy
from apps.classroom.services import classes
from apps.dicee.services.record import telemetry
from apps.jobs import services as jobs

#: What beat does once a day (jobs: every minute), as the privacy page states it.
STEPS: dict[str, Callable[[], object]] = {
    "guests nobody has been for a long time, sessions that are over": privacy.forget_old_guests,
    "analysis and telemetry of games": telemetry.prune,
    "results of jobs": jobs.forget_old_results,
    "classes past their day": classes.expire,
    "what a teacher deleted": classes.purge,
}


def expire(*, dry_run: bool) -> dict[str, dict[str, int]]:
    """Rows that went, by step and table; with ``dry_run`` the steps are done and taken back."""
    gone = {}
    with transaction.atomic():
        for name, step in STEPS.items():
            before = _rows()
            step()
            after = _rows()
            gone[name] = {table: before[table] - after[table] for table in before if before[table] > after[table]}
        transaction.set_rollback(dry_run)
    return gone


def _rows() -> dict[str, int]:
    return {model._meta.label: model._base_manager.count() for model in apps.get_models()}

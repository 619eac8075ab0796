"""Background work of accounts."""

from __future__ import annotations

from celery import shared_task

from apps.accounts import privacy


@shared_task(name="accounts.forget_old_guests")
def forget_old_guests() -> None:
    privacy.forget_old_guests()

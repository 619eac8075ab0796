"""The tasks of the queue: do one job, help with a part of another, and tidy up behind dead workers."""

from __future__ import annotations

import uuid

from celery import shared_task

from apps.jobs import parts, services

HOUR = 3600


# Below the broker's visibility timeout, so that a message is not handed out again while its job still runs.
@shared_task(name="jobs.run", soft_time_limit=HOUR // 2)
def run(job_id: str) -> None:
    services.run(uuid.UUID(job_id))


@shared_task(name=parts.TASK, soft_time_limit=HOUR // 2)
def help_out(key: str) -> None:
    parts.help_out(key)


@shared_task(name="jobs.sweep")
def sweep() -> None:
    services.sweep()

"""The life of a job. Each step is one compare-and-set, so that exactly one worker has it and no step happens twice.

    queued ──claim──▶ running ──▶ done | failed
       ▲                │ silent for 30 s
       └── first time ──┴── second time ──▶ failed          queued | running ──▶ cancelled

Who loses a compare-and-set stops: a cancelled job's worker, and a worker that was thought dead, find out alike.
"""

from __future__ import annotations

import datetime
import json
import logging
import uuid
from typing import Any

from celery import current_app
from celery.exceptions import SoftTimeLimitExceeded
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.http import Http404
from django.utils import timezone

from apps.accounts.models import Player
from apps.core import metrics
from apps.core.broadcast import broadcast
from apps.jobs import registry
from apps.jobs.models import LIVE, Job, State
from apps.jobs.progress import Reporter
from engine.wire import EngineError

log = logging.getLogger(__name__)

SILENT = datetime.timedelta(seconds=30)  # a worker that says nothing for so long is dead
FORGOTTEN = datetime.timedelta(seconds=60)  # a queue that lost its memory is told again
KEPT = datetime.timedelta(days=30)
ATTEMPTS = 2

LOST = {
    "code": "ERR_WORKER_LOST",
    "message": "The worker stopped without a word, twice. The job may need more memory than there is; "
    "try it with smaller inputs.",
}
TOO_LONG = {"code": "ERR_TIMEOUT", "message": "This took longer than a job may take. Try it with smaller inputs."}
BROKEN = {"code": "ERR_INTERNAL", "message": "That was our mistake. It has been written down under the job's id."}
AGAIN = "The worker was lost; starting again."
UNKNOWN = {"code": "ERR_UNKNOWN_JOB", "message": "This kind of job no longer exists."}


# -- For the owner -----------------------------------------------------------------------------------------------


def start(owner: Player, kind: str, document: dict[str, Any]) -> Job:
    """Queue a job. It starts once the current transaction is committed."""
    if registry.find(kind) is None:
        raise ValueError(f"There is no kind of job called {kind}.")
    job = Job.objects.create(owner=owner, kind=kind, document=document)
    _enqueue(job)
    return job


def visible_to(player: Player | None) -> QuerySet[Job]:
    """A job is seen by its owner alone."""
    return Job.objects.filter(owner=player) if player else Job.objects.none()


def find(job_id: uuid.UUID, player: Player | None) -> Job:
    """The job, if there is one and it is this player's."""
    job = Job.objects.filter(pk=job_id).first()
    if job is None:
        raise Http404
    if player is None or job.owner_id != player.pk:
        raise PermissionDenied("This job belongs to another player.")
    return job


def cancel(job: Job, by: Player | None) -> Job:
    """Stop a job that has not ended. One that has stays as it is."""
    if by is None or job.owner_id != by.pk:
        raise PermissionDenied("This job belongs to another player.")
    changed = change(job.pk, Q(state__in=LIVE), state=State.CANCELLED, finished_at=timezone.now())
    return changed or Job.objects.get(pk=job.pk)


# -- For the worker ----------------------------------------------------------------------------------------------


def run(job_id: uuid.UUID) -> None:
    """Do the work, if it is still to be done and nobody else is at it."""
    job = _claim(job_id)
    if job is None:
        return
    kind = registry.find(job.kind)
    if kind is None:
        _finish(job, state=State.FAILED, error=UNKNOWN)
        return
    try:
        with Reporter(job, change) as progress:
            result = kind.run(job.document, progress)
        json.dumps(result, allow_nan=False)  # a database may take NaN; a browser does not
    except registry.Cancelled:
        return
    except SoftTimeLimitExceeded:
        _finish(job, state=State.FAILED, error=TOO_LONG)
    except EngineError as error:
        _finish(job, state=State.FAILED, error={"code": error.code, "message": error.message})
    except Exception:
        log.exception("Job %s (%s) failed", job.pk, job.kind)
        _finish(job, state=State.FAILED, error=BROKEN)
    else:
        _finish(job, state=State.DONE, result=result, done=F("total"))


def _claim(job_id: uuid.UUID) -> Job | None:
    now = timezone.now()
    return change(
        job_id,
        Q(state=State.QUEUED),
        state=State.RUNNING,
        attempts=F("attempts") + 1,
        heartbeat=now,
        started_at=now,
        done=0,
        total=0,
        note="",
    )


def _finish(job: Job, **fields: Any) -> None:
    change(job.pk, job.held, finished_at=timezone.now(), **fields)


# -- For the clock -----------------------------------------------------------------------------------------------


def sweep() -> None:
    """Find what dead workers and a restarted queue left behind; forget old results."""
    now = timezone.now()
    for job in Job.objects.filter(state=State.RUNNING, heartbeat__lt=now - SILENT):
        silent = job.held & Q(heartbeat=job.heartbeat)
        if job.attempts >= ATTEMPTS:
            change(job.pk, silent, state=State.FAILED, error=LOST, finished_at=now)
        elif again := change(job.pk, silent, state=State.QUEUED, heartbeat=now, note=AGAIN):
            _enqueue(again)
    for job in Job.objects.filter(state=State.QUEUED, heartbeat__lt=now - FORGOTTEN):
        if Job.objects.filter(pk=job.pk, state=State.QUEUED, heartbeat=job.heartbeat).update(heartbeat=now):
            _enqueue(job)
    forget_old_results()


def forget_old_results() -> None:
    Job.objects.filter(finished_at__lt=timezone.now() - KEPT).delete()


# -- One change --------------------------------------------------------------------------------------------------


def change(job_id: uuid.UUID, expected: Q, **fields: Any) -> Job | None:
    """Change a job that is as expected, and tell who watches; None when it is not so any more."""
    with transaction.atomic():
        if not Job.objects.filter(expected, pk=job_id).update(seq=F("seq") + 1, **fields):
            return None
        job = Job.objects.get(pk=job_id)
        if not job.is_live:
            metrics.JOBS.labels(job.kind, job.state).inc()
        transaction.on_commit(lambda: _announce(job), robust=True)
    return job


def _announce(job: Job) -> None:
    """Tell the watchers. The result stays behind: each watcher's consumer reads it once, at the end."""
    message = {key: value for key, value in job.message().items() if key != "result"}
    broadcast(job.group, {"type": "job.changed", "job": message})


def _enqueue(job: Job) -> None:
    """After the commit, so that a worker never looks for a row that is not there yet. If the queue is away, the job
    stays queued and the next sweep tells it again."""
    transaction.on_commit(lambda: current_app.send_task("jobs.run", [str(job.pk)]), robust=True)

"""What the sweep does. That it is called, and that real processes really die, is in test_real_workers.py."""

import datetime

import pytest
from celery import current_app
from django.utils import timezone

from apps.jobs import services, tasks
from apps.jobs.models import Job, State


def silence(job: Job, **ago: float) -> None:
    Job.objects.filter(pk=job.pk).update(heartbeat=timezone.now() - datetime.timedelta(**ago))


def state(job: Job) -> tuple[str, int]:
    job.refresh_from_db()
    return job.state, job.attempts


def test_it_is_tried_once_more_and_then_given_up_with_a_reason(job: Job) -> None:
    services._claim(job.pk)
    silence(job, seconds=31)
    tasks.sweep()
    assert state(job) == (State.QUEUED, 1)
    assert job.note == services.AGAIN
    services._claim(job.pk)
    silence(job, seconds=31)
    tasks.sweep()
    assert state(job) == (State.FAILED, 2)
    assert job.error == services.LOST
    assert job.finished_at is not None


def test_a_worker_that_speaks_is_left_alone(job: Job) -> None:
    services._claim(job.pk)
    silence(job, seconds=20)
    services.sweep()
    assert state(job) == (State.RUNNING, 1)


def test_the_second_try_may_succeed(job: Job) -> None:
    services._claim(job.pk)
    silence(job, seconds=31)
    services.sweep()
    services.run(job.pk)
    assert state(job) == (State.DONE, 2)


def test_two_sweeps_at_once_count_as_one(job: Job) -> None:
    services._claim(job.pk)
    silence(job, seconds=31)
    services.sweep()
    services.sweep()
    assert state(job) == (State.QUEUED, 1)


@pytest.mark.parametrize(("seconds", "times"), [(30, 0), (61, 1)])
def test_a_queue_that_forgot_is_told_again(
    job: Job, seconds: int, times: int, django_capture_on_commit_callbacks
) -> None:
    """The embedded Valkey keeps nothing across a restart; the database does."""
    silence(job, seconds=seconds)
    with django_capture_on_commit_callbacks() as told:
        services.sweep()
        services.sweep()
    assert len(told) == times
    assert state(job) == (State.QUEUED, 0)


@pytest.mark.parametrize(("days", "left"), [(29, 1), (31, 0)])
def test_results_are_kept_for_thirty_days(job: Job, days: int, left: int) -> None:
    services.run(job.pk)
    Job.objects.update(finished_at=timezone.now() - datetime.timedelta(days=days))
    services.sweep()
    assert Job.objects.count() == left


def test_the_clock_calls_it_every_fifteen_seconds() -> None:
    current_app.finalize()
    entry = current_app.conf.beat_schedule["jobs.sweep"]
    assert entry["task"] == "jobs.sweep"
    assert entry["schedule"] == 15.0
    assert entry["options"]["expires"] == 15.0

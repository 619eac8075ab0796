"""The life of a job in a worker, step by step."""

import datetime
import logging

import pytest
from celery.exceptions import SoftTimeLimitExceeded
from django.utils import timezone
from prometheus_client import REGISTRY

from apps.jobs import progress, registry, services, tasks
from apps.jobs.models import Job, State


def run(owner, kind: str, document: dict) -> Job:
    job = services.start(owner, kind, document)
    tasks.run(str(job.pk))
    job.refresh_from_db()
    return job


def test_the_result_is_kept(owner) -> None:
    job = run(owner, "test.add", {"numbers": [1, 2, 3]})
    assert (job.state, job.result, job.error) == (State.DONE, {"sum": 6}, None)
    assert job.attempts == 1
    assert job.created_at <= job.started_at <= job.finished_at


def test_every_change_counts(owner) -> None:
    """Claimed, first report (the others come too soon after it), done."""
    assert run(owner, "test.add", {"numbers": [1, 2, 3]}).seq == 3


def test_reports_are_written_when_time_has_passed(owner, monkeypatch) -> None:
    monkeypatch.setattr(progress, "REPORT_EVERY", 0.0)
    job = run(owner, "test.add", {"numbers": [5, 6]})
    assert job.seq == 4
    assert (job.done, job.total, job.note) == (2, 2, "added 6")


def test_a_done_job_is_wholly_done(owner) -> None:
    """The last report may have come too soon to be written; the end says it all the same."""
    job = run(owner, "test.add", {"numbers": [1, 2, 3]})
    assert (job.done, job.total) == (3, 3)


def test_a_broken_rule_is_the_owners_error(owner) -> None:
    job = run(owner, "test.illegal", {})
    assert job.state == State.FAILED
    assert job.error == {"code": "ERR_INVALID_INPUT", "message": "Attacks must be 1–60; you entered 0."}


def test_a_crash_is_ours_and_keeps_its_details_in_the_log(owner, caplog) -> None:
    with caplog.at_level(logging.ERROR):
        job = run(owner, "test.crash", {})
    assert job.state == State.FAILED
    assert job.error == services.BROKEN
    assert "a secret detail" in caplog.text
    assert str(job.pk) in caplog.text


def test_a_result_must_be_json(owner) -> None:
    job = run(owner, "test.not_a_number", {})
    assert (job.state, job.error, job.result) == (State.FAILED, services.BROKEN, None)


def test_a_job_that_takes_too_long_says_so(owner) -> None:
    @registry.job("test.endless", title="Endless")
    def endless(document, progress) -> dict:
        raise SoftTimeLimitExceeded

    assert run(owner, "test.endless", {}).error == services.TOO_LONG


def test_a_kind_that_was_removed_fails_cleanly(owner) -> None:
    job = Job.objects.create(owner=owner, kind="test.removed", document={})
    services.run(job.pk)
    job.refresh_from_db()
    assert (job.state, job.error) == (State.FAILED, services.UNKNOWN)


def test_a_second_message_for_the_same_job_does_nothing(owner) -> None:
    job = run(owner, "test.add", {"numbers": [1]})
    seq = job.seq
    services.run(job.pk)
    job.refresh_from_db()
    assert (job.seq, job.attempts) == (seq, 1)


def test_a_message_for_a_deleted_job_does_nothing(owner) -> None:
    job = services.start(owner, "test.add", {"numbers": [1]})
    job_id = job.pk
    job.delete()
    services.run(job_id)
    assert Job.objects.count() == 0


def test_only_one_of_two_claims_succeeds(owner) -> None:
    job = services.start(owner, "test.add", {"numbers": [1]})
    assert services._claim(job.pk) is not None
    assert services._claim(job.pk) is None


def test_a_worker_thought_dead_cannot_overwrite_its_successor(owner) -> None:
    """The first worker was only slow: the sweep gave the job away, and both come back with an answer."""
    job = services.start(owner, "test.add", {"numbers": [1]})
    first = services._claim(job.pk)
    Job.objects.filter(pk=job.pk).update(heartbeat=timezone.now() - datetime.timedelta(minutes=1))
    services.sweep()
    second = services._claim(job.pk)
    assert (first.attempts, second.attempts) == (1, 2)
    services._finish(first, state=State.DONE, result={"from": "first"})
    with pytest.raises(registry.Cancelled):
        progress.Reporter(first, services.change)(1, 2)
    services._finish(second, state=State.DONE, result={"from": "second"})
    job.refresh_from_db()
    assert job.result == {"from": "second"}


def test_how_jobs_end_is_counted(owner) -> None:
    labels = {"kind": "test.add", "state": "done"}
    before = REGISTRY.get_sample_value("oddsmith_jobs_total", labels) or 0
    run(owner, "test.add", {"numbers": [1]})
    assert REGISTRY.get_sample_value("oddsmith_jobs_total", labels) == before + 1


@pytest.mark.django_db(transaction=True)
def test_the_heart_beats_through_a_step_without_a_word(owner, monkeypatch) -> None:
    monkeypatch.setattr(progress, "BEAT_EVERY", 0.05)
    job = services.start(owner, "test.silent", {"seconds": 0.5})
    tasks.run(str(job.pk))
    job.refresh_from_db()
    assert job.state == State.DONE
    assert job.heartbeat - job.started_at > datetime.timedelta(seconds=0.2)

import uuid

import pytest
from django.test import Client

from apps.jobs import services
from apps.jobs.models import Job, State


def test_the_owner_sees_a_waiting_job(alice, job: Job) -> None:
    page = alice[0].get(f"/jobs/{job.id}/").content.decode()
    assert f'data-job="{job.id}"' in page
    assert 'data-state="queued"' in page
    assert f'action="/jobs/{job.id}/cancel/"' in page
    assert '<noscript><meta http-equiv="refresh" content="3"></noscript>' in page


def test_progress_survives_a_reload(alice, job: Job) -> None:
    Job.objects.filter(pk=job.pk).update(state=State.RUNNING, done=40, total=160, note="row 40")
    page = alice[0].get(f"/jobs/{job.id}/").content.decode()
    assert 'value="40" max="160"' in page
    assert "40 of 160" in page
    assert "row 40" in page


def test_a_done_job_shows_its_result_and_rests(alice, job: Job) -> None:
    services.run(job.pk)
    page = alice[0].get(f"/jobs/{job.id}/").content.decode()
    assert "<dt>sum</dt>" in page
    assert 'http-equiv="refresh"' not in page
    assert "data-job-cancel" not in page


def test_a_failed_job_says_why(alice) -> None:
    job = services.start(alice[1], "test.illegal", {})
    services.run(job.pk)
    page = alice[0].get(f"/jobs/{job.id}/").content.decode()
    assert "Attacks must be 1–60; you entered 0." in page
    assert "ERR_INVALID_INPUT" in page


def test_a_job_of_a_kind_that_is_gone_can_still_be_read(alice) -> None:
    job = Job.objects.create(owner=alice[1], kind="test.gone", document={}, state=State.DONE, result={"answer": 42})
    page = alice[0].get(f"/jobs/{job.id}/").content.decode()
    assert "test.gone" in page
    assert "42" in page


def test_the_result_slot_alone_is_a_fragment(alice, job: Job) -> None:
    services.run(job.pk)
    page = alice[0].get(f"/jobs/{job.id}/result/").content.decode()
    assert "<html" not in page
    assert f'id="job-{job.id}-result"' in page
    assert "<dt>sum</dt>" in page


def test_the_api_has_the_same_in_camel_case(alice, job: Job) -> None:
    services.run(job.pk)
    body = alice[0].get(f"/api/v1/jobs/{job.id}").json()
    assert {key: body[key] for key in ("id", "kind", "state", "done", "total", "result", "error")} == {
        "id": str(job.id),
        "kind": "test.add",
        "state": "done",
        "done": 3,
        "total": 3,
        "result": {"sum": 6},
        "error": None,
    }
    assert set(body) >= {"note", "seq", "createdAt", "startedAt", "finishedAt"}


@pytest.mark.parametrize("address", ["/jobs/{}/", "/jobs/{}/result/", "/api/v1/jobs/{}"])
def test_nobody_else_sees_it(alice, bob, visitor: Client, job: Job, address: str) -> None:
    assert alice[0].get(address.format(job.id)).status_code == 200
    for stranger in (bob[0], visitor):
        assert stranger.get(address.format(job.id)).status_code == 403
    assert alice[0].get(address.format(uuid.uuid4())).status_code == 404


def test_a_job_page_is_not_kept_by_any_cache(alice, job: Job) -> None:
    assert "no-store" in alice[0].get(f"/jobs/{job.id}/")["Cache-Control"]


def test_the_error_shape_is_the_common_one(bob, job: Job) -> None:
    error = bob[0].get(f"/api/v1/jobs/{job.id}").json()["error"]
    assert error["code"] == "ERR_FORBIDDEN"
    assert set(error) == {"code", "message", "details", "requestId"}


def test_it_is_named_in_the_admin(job: Job) -> None:
    assert str(job) == f"test.add {job.id}"

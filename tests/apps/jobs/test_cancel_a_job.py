import pytest
from django.core.exceptions import PermissionDenied
from django.test import Client

from apps.jobs import registry, services
from apps.jobs.models import Job, State


def test_the_owner_cancels_a_waiting_job(alice, job: Job) -> None:
    response = alice[0].post(f"/jobs/{job.id}/cancel/")
    assert response["Location"] == f"/jobs/{job.id}/"
    job.refresh_from_db()
    assert (job.state, job.seq) == (State.CANCELLED, 1)
    assert job.finished_at is not None
    services.run(job.pk)
    job.refresh_from_db()
    assert (job.state, job.attempts) == (State.CANCELLED, 0)


def test_with_htmx_the_panel_comes_back(alice, job: Job) -> None:
    response = alice[0].post(f"/jobs/{job.id}/cancel/", headers={"HX-Request": "true"})
    page = response.content.decode()
    assert response.status_code == 200
    assert 'data-state="cancelled"' in page
    assert "data-job-cancel" not in page
    assert "<html" not in page


def test_a_running_job_hears_of_it_at_its_next_report(alice) -> None:
    """The function is stopped in the middle, and its worker writes nothing more."""
    steps = []

    @registry.job("test.cancelled_in_the_middle", title="Cancelled in the middle")
    def run(document, progress) -> dict:
        steps.append(1)
        services.cancel(Job.objects.get(), by=alice[1])
        progress(1, 2)
        steps.append(2)
        return {}

    job = services.start(alice[1], "test.cancelled_in_the_middle", {})
    services.run(job.pk)
    job.refresh_from_db()
    assert steps == [1]
    assert (job.state, job.result, job.error) == (State.CANCELLED, None, None)


def test_an_answer_that_comes_too_late_is_dropped(alice) -> None:
    @registry.job("test.cancelled_at_the_end", title="Cancelled at the end")
    def run(document, progress) -> dict:
        services.cancel(Job.objects.get(), by=alice[1])
        return {"late": True}

    job = services.start(alice[1], "test.cancelled_at_the_end", {})
    services.run(job.pk)
    job.refresh_from_db()
    assert (job.state, job.result) == (State.CANCELLED, None)


def test_a_job_that_has_ended_stays_as_it_is(alice, job: Job) -> None:
    services.run(job.pk)
    alice[0].post(f"/jobs/{job.id}/cancel/")
    job.refresh_from_db()
    assert (job.state, job.result) == (State.DONE, {"sum": 6})


def test_nobody_else_can(alice, bob, visitor: Client, job: Job) -> None:
    for stranger in (bob[0], visitor):
        assert stranger.post(f"/jobs/{job.id}/cancel/").status_code == 403
        assert stranger.delete(f"/api/v1/jobs/{job.id}").status_code == 403
    for player in (bob[1], None):
        with pytest.raises(PermissionDenied):
            services.cancel(job, by=player)
    job.refresh_from_db()
    assert job.state == State.QUEUED


def test_a_program_cancels_with_delete(alice, job: Job) -> None:
    response = alice[0].delete(f"/api/v1/jobs/{job.id}")
    assert (response.status_code, response.json()["state"]) == (200, "cancelled")


def test_another_site_cannot_cancel_with_a_guests_cookie(alice, job: Job) -> None:
    strict = Client(enforce_csrf_checks=True)
    strict.cookies = alice[0].cookies
    assert strict.delete(f"/api/v1/jobs/{job.id}").status_code == 403
    assert strict.post(f"/jobs/{job.id}/cancel/").status_code == 403
    job.refresh_from_db()
    assert job.state == State.QUEUED
    strict.get(f"/jobs/{job.id}/")
    token = {"X-CSRFToken": strict.cookies["csrftoken"].value}
    assert strict.delete(f"/api/v1/jobs/{job.id}", headers=token).status_code == 200


def test_it_takes_a_post(alice, job: Job) -> None:
    assert alice[0].get(f"/jobs/{job.id}/cancel/").status_code == 405


def test_deleting_my_data_stops_my_jobs(alice, job: Job) -> None:
    claimed = services._claim(job.pk)
    alice[0].post("/account/delete/", {"confirm": "yes"})
    assert not Job.objects.filter(pk=job.pk).exists()
    services._finish(claimed, state=State.DONE, result={})
    assert not Job.objects.filter(pk=job.pk).exists()

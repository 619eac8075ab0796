import base64
import json

import pytest
import redis
from django.conf import settings
from django.db import transaction
from django.test import Client

from apps.accounts.models import Player
from apps.jobs import registry, services
from apps.jobs.models import Job, State
from tests.apps.jobs import kinds


def queued() -> list[str]:
    """The job ids in the real broker's queue, oldest first."""
    client = redis.Redis(unix_socket_path=str(settings.VALKEY_SOCKET))
    bodies = [base64.b64decode(json.loads(raw)["body"]) for raw in client.lrange("celery", 0, -1)]
    return [json.loads(body)[0][0] for body in reversed(bodies)]


@pytest.fixture(autouse=True)
def _empty_queue() -> None:
    redis.Redis(unix_socket_path=str(settings.VALKEY_SOCKET)).delete("celery")


@pytest.mark.django_db(transaction=True)
def test_it_is_queued_when_the_transaction_is_committed() -> None:
    with transaction.atomic():
        job = services.start(Player.objects.create(), "test.add", {"numbers": [1]})
        assert queued() == []
    assert queued() == [str(job.id)]
    assert (job.state, job.attempts, job.seq) == (State.QUEUED, 0, 0)


@pytest.mark.django_db(transaction=True)
def test_a_rollback_queues_nothing() -> None:
    with transaction.atomic():
        services.start(Player.objects.create(), "test.add", {"numbers": [1]})
        transaction.set_rollback(True)
    assert queued() == []
    assert Job.objects.count() == 0


def test_an_unknown_kind_is_refused(owner) -> None:
    with pytest.raises(ValueError, match=r"no kind of job called test\.nothing"):
        services.start(owner, "test.nothing", {})


def test_two_kinds_cannot_share_a_name() -> None:
    with pytest.raises(ValueError, match=r"called test\.add"):
        registry.job("test.add", title="Another")(kinds.crash)
    assert registry.find("test.add").run is kinds.add


def test_the_same_function_may_be_declared_again() -> None:
    registry.job("test.add", title="Add up")(kinds.add)
    assert registry.find("test.add").title == "Add up"


def test_the_owner_sees_it_in_the_list(alice, bob, visitor: Client, job: Job) -> None:
    assert "Add up" in alice[0].get("/jobs/").content.decode()
    for stranger in (bob[0], visitor):
        page = stranger.get("/jobs/").content.decode()
        assert "Add up" not in page
        assert "No jobs yet" in page

"""Celery workers as real processes, killed for real."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from apps.core.processes import Child
from apps.jobs import services
from tests.apps.jobs.cluster import Cluster

pytestmark = [pytest.mark.service, pytest.mark.own_database, pytest.mark.slow]


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    with Cluster() as running:
        yield running


@pytest.fixture(scope="module")
def worker(cluster: Cluster) -> Child:
    """The first of the cluster's workers; the last test but one kills it."""
    return cluster.worker("first")


class Diary:
    """A job that notes the process of each run, and goes on until it is told to end."""

    def __init__(self, folder: Path) -> None:
        self.document = {name: str(folder / name) for name in ("file", "until", "ended")}

    def runs(self) -> list[int]:
        path = Path(self.document["file"])
        return [int(line) for line in path.read_text().splitlines()] if path.exists() else []

    def enough(self) -> None:
        Path(self.document["until"]).touch()

    def ended(self) -> bool:
        return Path(self.document["ended"]).exists()


@pytest.fixture
def diary(tmp_path: Path) -> Diary:
    return Diary(tmp_path)


@pytest.mark.usefixtures("worker")
def test_a_job_runs_once_however_often_it_is_asked_for(cluster: Cluster, diary: Diary) -> None:
    job = cluster.start("test.diary", diary.document)
    for _ in range(30):
        cluster.run_again(job)
    cluster.wait_for(lambda: cluster.row(job)["done"] > 2, "progress")
    for _ in range(30):
        cluster.run_again(job)
    diary.enough()
    cluster.wait_for(lambda: cluster.state(job) == "done", "the end")
    probe = cluster.start("test.add", {"numbers": [1, 2]})  # first in, first out: all sixty have been looked at
    cluster.wait_for(lambda: cluster.state(probe) == "done", "the probe")
    assert len(diary.runs()) == 1
    assert cluster.row(job)["attempts"] == 1


@pytest.mark.usefixtures("worker")
def test_cancelling_reaches_into_the_worker(cluster: Cluster, diary: Diary) -> None:
    job = cluster.start("test.diary", diary.document)
    cluster.wait_for(lambda: cluster.row(job)["done"] > 2, "progress")
    cluster.cancel(job)
    cluster.wait_for(diary.ended, "the function's end")
    row = cluster.row(job)
    assert (row["state"], row["result"], len(diary.runs())) == ("cancelled", None, 1)


@pytest.mark.usefixtures("worker")
def test_a_killed_child_costs_one_try_and_the_second_is_the_last(cluster: Cluster, diary: Diary) -> None:
    job = cluster.start("test.diary", diary.document)
    for attempt in (1, 2):
        cluster.sweep_until(lambda n=attempt: len(diary.runs()) == n, f"run {attempt}")
        os.kill(diary.runs()[-1], signal.SIGKILL)
        assert cluster.state(job) == "running"
        cluster.let_time_pass(job)
    cluster.sweep_until(lambda: cluster.state(job) == "failed", "the failure")
    row = cluster.row(job)
    assert json.loads(row["error"]) == services.LOST
    assert (row["attempts"], len(diary.runs())) == (2, 2)
    probe = cluster.start("test.add", {"numbers": [1, 2]})
    cluster.wait_for(lambda: cluster.state(probe) == "done", "the worker's next job")


def test_another_worker_takes_over_from_one_that_was_killed(cluster: Cluster, worker: Child, diary: Diary) -> None:
    job = cluster.start("test.diary", diary.document)
    cluster.wait_for(lambda: len(diary.runs()) == 1, "the first run")
    os.killpg(worker.pid, signal.SIGKILL)
    worker.wait(20)
    cluster.let_time_pass(job)
    cluster.worker("heir")
    cluster.sweep_until(lambda: len(diary.runs()) == 2, "the second run")
    diary.enough()
    cluster.wait_for(lambda: cluster.state(job) == "done", "the end")
    assert cluster.row(job)["attempts"] == 2


def test_a_queue_that_was_away_is_told_when_it_is_back(cluster: Cluster) -> None:
    valkey = cluster.family.children["valkey"]
    os.kill(valkey.pid, signal.SIGKILL)
    valkey.wait(20)
    job = cluster.start("test.add", {"numbers": [1, 2]})
    assert cluster.state(job) == "queued"
    cluster.start_valkey()
    cluster.worker("last")  # a worker that loses its broker may end; whoever supervises it starts another
    cluster.let_time_pass(job)
    cluster.sweep_until(lambda: cluster.state(job) == "done", "the job nobody was told of")

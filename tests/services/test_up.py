"""``manage.py up``: one process family, started together, stopped together, clear when it cannot start."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.browser.server import ROOT, free_port
from tests.services.running import PATIENCE, Running, descendants, gone

pytestmark = [pytest.mark.service, pytest.mark.own_database]


def test_it_starts_everything_once_and_ctrl_c_stops_it(start: Callable[..., Running]) -> None:
    up = start()
    parts = up.wait()["parts"]
    assert isinstance(parts, dict)
    assert parts["database"] == parts["broker"] == "ok"
    assert len(up.family()) >= 5  # up, guard, valkey, worker, web
    second = start()
    refused, _ = second.process.communicate(timeout=PATIENCE)
    assert second.process.returncode == 1
    assert "already running" in refused
    output = up.stop(signal.SIGINT)
    assert f"http://localhost:{up.port}/" in output
    assert "Stopped." in output


def test_a_worker_that_dies_is_started_again_and_no_child_outlives_its_parent(start: Callable[..., Running]) -> None:
    up = start()
    up.wait()
    before = up.workers()
    for pid in before:
        with contextlib.suppress(ProcessLookupError):  # a child may go with its parent
            os.kill(pid, signal.SIGKILL)
    end = time.monotonic() + PATIENCE
    while not (now := up.workers()) or now & before:
        assert time.monotonic() < end, "no new worker"
        time.sleep(0.2)
    assert up.process.poll() is None
    up.known |= descendants(up.process.pid)
    up.process.kill()
    up.process.communicate()
    assert gone(up)


@pytest.mark.parametrize("part", ["valkey", "web"])
def test_what_dies_is_started_again(start: Callable[..., Running], part: str) -> None:
    """Pages answer again, the log and /health/ready say what happened, and Ctrl-C still stops everything."""
    up = start()
    up.wait()
    before = up.running(part)
    for pid in before:
        os.kill(pid, signal.SIGKILL)
    end = time.monotonic() + PATIENCE
    while not (now := up.running(part)) or now & before:
        assert time.monotonic() < end, f"no new {part}"
        time.sleep(0.2)
    while up.wait()["parts"] != {"database": "ok", "broker": "ok", "solverTables": up.wait()["parts"]["solverTables"]}:
        assert time.monotonic() < end, "not whole again"
        time.sleep(0.2)
    assert up.wait()["restarts"] == {part: 1}
    assert f"The {part} process ended (signal 9)" in (up.var / "log" / "up.log").read_text()
    assert f"The {part} process ended (signal 9)" in up.stop(signal.SIGINT)


def test_what_dies_again_and_again_ends_everything_with_a_sentence(start: Callable[..., Running]) -> None:
    up = start()
    up.wait()
    end = time.monotonic() + PATIENCE
    while up.process.poll() is None:
        assert time.monotonic() < end
        for pid in up.running("valkey"):
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        time.sleep(0.05)
    output, _ = up.process.communicate()
    assert up.process.returncode == 1
    assert "the valkey process ended again and again" in output
    assert gone(up)


def test_a_taken_port_is_one_sentence(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        done = subprocess.run(
            [sys.executable, "manage.py", "up", "--port", str(port)],
            cwd=ROOT,
            capture_output=True,
            text=True,
            env=os.environ | {"VAR_DIR": str(tmp_path), "DJANGO_SETTINGS_MODULE": "config.settings"},
        )
    assert done.returncode == 1
    assert done.stderr.strip() == (
        f"Oddsmith cannot start: port {port} on 127.0.0.1 is taken or not ours; "
        f"choose another, e.g. make run PORT={port + 1}."
    )


def test_a_folder_that_cannot_be_written_is_one_sentence(tmp_path: Path) -> None:
    in_the_way = tmp_path / "file"
    in_the_way.write_text("not a folder")
    done = subprocess.run(
        [sys.executable, "manage.py", "up"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        env=os.environ | {"VAR_DIR": str(in_the_way / "var"), "DJANGO_SETTINGS_MODULE": "config.settings"},
    )
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert "cannot be written" in done.stderr


def test_a_missing_package_is_one_sentence(tmp_path: Path) -> None:
    """A fresh interpreter without our packages, as when the virtualenv was never filled."""
    bare = subprocess.run(
        [sys.executable, "-S", "-E", "manage.py", "up"], cwd=ROOT, capture_output=True, text=True, env={"PATH": ""}
    )
    assert bare.returncode == 1
    assert bare.stderr.strip() == "Oddsmith cannot start: django is not installed. Run: make run"


def test_a_database_that_does_not_answer_is_one_sentence(tmp_path: Path) -> None:
    env = os.environ | {"VAR_DIR": str(tmp_path), "DJANGO_SETTINGS_MODULE": "config.settings"}
    done = subprocess.run(
        [sys.executable, "manage.py", "up", "--port", str(free_port())],
        cwd=ROOT,
        capture_output=True,
        text=True,
        env=env | {"DATABASE_URL": f"postgres://nobody@127.0.0.1:{free_port()}/none"},
    )
    assert done.returncode == 1
    assert "the database does not answer" in done.stderr

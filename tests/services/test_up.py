"""``manage.py up``: one process family, started together, stopped together, clear when it cannot start."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.browser.server import ROOT, free_port

pytestmark = pytest.mark.service


class Running:
    def __init__(self, var: Path, *arguments: str, **environment: str) -> None:
        self.port = free_port()
        self.var = var
        self.known: set[int] = set()
        env = os.environ | {"VAR_DIR": str(var), "DJANGO_SETTINGS_MODULE": "config.settings"} | environment
        env.pop("DATABASE_URL", None)
        self.process = subprocess.Popen(
            [sys.executable, "manage.py", "up", "--port", str(self.port), *arguments], cwd=ROOT, env=env,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        )  # fmt: skip

    def wait(self) -> dict[str, object]:
        end = time.monotonic() + 60
        while time.monotonic() < end and self.process.poll() is None:
            try:
                with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/health/ready", timeout=2) as reply:
                    self.known = descendants(self.process.pid)
                    return dict(json.load(reply))
            except OSError:
                time.sleep(0.1)
        raise AssertionError(f"not ready: {self.process.communicate()[0]}")

    def family(self) -> set[int]:
        """Every process that was started with it, or has its state folder in environment or command line."""
        mark = str(self.var).encode()
        found = set()
        for entry in Path("/proc").iterdir():
            if entry.name.isdigit():
                try:
                    told = (entry / "environ").read_bytes() + (entry / "cmdline").read_bytes()
                    ours = mark in told or int(entry.name) in self.known
                    if ours and _state(entry) != "Z":
                        found.add(int(entry.name))
                except OSError:
                    continue
        return found


def _state(entry: Path) -> str:
    return (entry / "stat").read_text().rpartition(")")[2].split()[0]


def descendants(pid: int) -> set[int]:
    parents = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                parents[int(entry.name)] = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
            except OSError:
                continue
    found: set[int] = {pid}
    while more := {child for child, parent in parents.items() if parent in found and child not in found}:
        found |= more
    return found


def gone(running: Running, patience: float = 15.0) -> bool:
    end = time.monotonic() + patience
    while time.monotonic() < end:
        if not running.family():
            return True
        time.sleep(0.1)
    return False


@pytest.fixture
def running(tmp_path: Path) -> Iterator[Running]:
    up = Running(tmp_path / "var")
    yield up
    if up.process.poll() is None:
        up.process.kill()
        up.process.communicate()
    assert gone(up)


def test_it_starts_everything_and_ctrl_c_stops_it(running: Running) -> None:
    parts = running.wait()["parts"]
    assert isinstance(parts, dict)
    assert parts["database"] == parts["broker"] == "ok"
    assert len(running.family()) >= 5  # up, guard, valkey, worker, web
    running.process.send_signal(signal.SIGINT)
    output, _ = running.process.communicate(timeout=30)
    assert running.process.returncode == 0
    assert f"http://localhost:{running.port}/" in output
    assert "Stopped." in output
    assert gone(running)


def test_killing_the_parent_leaves_no_child_behind(running: Running) -> None:
    running.wait()
    running.process.kill()
    running.process.communicate()
    assert gone(running)


def test_a_worker_that_dies_is_started_again(running: Running) -> None:
    running.wait()
    before = {pid for pid in running.family() if b"celery" in Path(f"/proc/{pid}/cmdline").read_bytes()}
    for pid in before:
        os.kill(pid, signal.SIGKILL)
    end = time.monotonic() + 30
    while time.monotonic() < end:
        now = {pid for pid in running.family() if b"celery" in Path(f"/proc/{pid}/cmdline").read_bytes()}
        if now and not now & before:
            break
        time.sleep(0.2)
    assert now
    assert not now & before
    assert running.process.poll() is None


def test_a_second_one_on_the_same_state_is_refused(running: Running) -> None:
    running.wait()
    second = Running(running.var)
    output, _ = second.process.communicate(timeout=30)
    assert second.process.returncode == 1
    assert "already running" in output


def test_a_taken_port_is_one_sentence(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        done = subprocess.run(
            [sys.executable, "manage.py", "up", "--port", str(port)], cwd=ROOT, capture_output=True, text=True,
            env=os.environ | {"VAR_DIR": str(tmp_path), "DJANGO_SETTINGS_MODULE": "config.settings"},
        )  # fmt: skip
    assert done.returncode == 1
    assert done.stderr.strip() == (
        f"Oddsmith cannot start: port {port} on 127.0.0.1 is taken or not ours; "
        f"choose another, e.g. make run PORT={port + 1}."
    )


def test_a_folder_that_cannot_be_written_is_one_sentence(tmp_path: Path) -> None:
    in_the_way = tmp_path / "file"
    in_the_way.write_text("not a folder")
    done = subprocess.run(
        [sys.executable, "manage.py", "up"], cwd=ROOT, capture_output=True, text=True,
        env=os.environ | {"VAR_DIR": str(in_the_way / "var"), "DJANGO_SETTINGS_MODULE": "config.settings"},
    )  # fmt: skip
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
        [sys.executable, "manage.py", "up", "--port", str(free_port())], cwd=ROOT, capture_output=True, text=True,
        env=env | {"DATABASE_URL": f"postgres://nobody@127.0.0.1:{free_port()}/none"},
    )  # fmt: skip
    assert done.returncode == 1
    assert "the database does not answer" in done.stderr


def test_several_web_workers_share_state_and_metrics(tmp_path: Path) -> None:
    up = Running(tmp_path / "var", WEB_CONCURRENCY="2")
    try:
        up.wait()
        for _ in range(20):
            urllib.request.urlopen(f"http://127.0.0.1:{up.port}/health/live").close()
        text = urllib.request.urlopen(f"http://127.0.0.1:{up.port}/metrics").read().decode()
        counted = [line for line in text.splitlines() if 'route="health/live"' in line and "requests_total" in line]
        assert counted[0].endswith(" 20.0")
    finally:
        up.process.send_signal(signal.SIGTERM)
        up.process.communicate(timeout=30)
    assert gone(up)


def test_it_runs_on_another_redis_without_starting_its_own(tmp_path: Path) -> None:
    from apps.core.processes import Family, valkey_command, wait_for_socket

    other = tmp_path / "other" / "valkey.sock"
    family = Family()
    child = family.start("valkey", valkey_command(other), log=tmp_path / "valkey.log")
    assert wait_for_socket(other, child)
    up = Running(tmp_path / "var", REDIS_URL=f"unix://{other}")
    try:
        up.wait()
        assert not (tmp_path / "var" / "run" / "valkey.sock").exists()
    finally:
        up.process.send_signal(signal.SIGINT)
        output, _ = up.process.communicate(timeout=30)
        family.stop()
    assert "the Redis of REDIS_URL" in output

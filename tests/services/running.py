"""``manage.py up`` as a process family under observation."""

from __future__ import annotations

import contextlib
import json
import os
import re
import signal
import subprocess
import sys
import time
import urllib.request
from pathlib import Path
from typing import Any

from tests.browser.server import ROOT, free_port

PATIENCE = 120  # seconds, on a crowded machine


class Running:
    def __init__(self, var: Path, *arguments: str, **environment: str) -> None:
        self.port = free_port()
        self.var = var
        self.known: set[int] = set()
        env = {name: value for name, value in os.environ.items() if name != "DATABASE_URL"}
        env |= {"VAR_DIR": str(var), "DJANGO_SETTINGS_MODULE": "config.settings"} | environment
        self.process = subprocess.Popen(
            [sys.executable, "manage.py", "up", "--port", str(self.port), *arguments],
            cwd=ROOT,
            env=env,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    def wait(self) -> dict[str, Any]:
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end and self.process.poll() is None:
            try:
                with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/health/ready", timeout=2) as reply:
                    self.known = descendants(self.process.pid)
                    return dict(json.load(reply))
            except OSError:
                time.sleep(0.1)
        self.process.kill()  # or its output would never end
        raise AssertionError(f"not ready: {self.process.communicate()[0]}")

    def stop(self, how: signal.Signals) -> str:
        self.process.send_signal(how)
        output, _ = self.process.communicate(timeout=PATIENCE)
        assert self.process.returncode == 0
        assert gone(self)
        return output

    def workers(self) -> set[int]:
        return self.running("celery")

    def running(self, program: str) -> set[int]:
        """Its processes of a program. By their first words: a server may write its own command line and environment."""
        found = set()
        for pid in descendants(self.process.pid):
            with contextlib.suppress(OSError):  # it ended while we looked
                words = re.split(rb"[\0 ]", Path(f"/proc/{pid}/cmdline").read_bytes())[:3]
                if any(word.rpartition(b"/")[2].lstrip(b"[").startswith(program.encode()) for word in words):
                    found.add(pid)
        return found

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


def gone(running: Running, patience: float = PATIENCE) -> bool:
    end = time.monotonic() + patience
    while time.monotonic() < end:
        if not running.family():
            return True
        time.sleep(0.1)
    return False

"""What runs in production, in a folder: a database file, a Valkey, and Celery workers as processes of their own."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from celery import Celery

from apps.core.processes import Child, Family, valkey_command, wait_for_socket

ROOT = Path(__file__).resolve().parents[3]

#: A web process, as far as jobs are concerned: starts and cancels what it reads line by line.
CONSOLE = """
import json, sys, django
django.setup()
from django.contrib.sessions.backends.cached_db import SessionStore
from apps.accounts.models import Player
from apps.accounts.services import SESSION_KEY
from apps.jobs import services
from apps.jobs.models import Job
from tests.apps.jobs import kinds
owner = Player.objects.create()
for line in sys.stdin:
    action, *arguments = json.loads(line)
    if action == "start":
        answer = services.start(owner, *arguments).pk
    elif action == "cancel":
        answer = services.cancel(Job.objects.get(pk=arguments[0]), by=owner).pk
    else:
        session = SessionStore()
        session[SESSION_KEY] = str(owner.pk)
        session.save()
        answer = session.session_key
    print(answer, flush=True)
"""


class Cluster:
    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="oddsmith-cluster-"))  # short: a socket's path is limited
        self.socket = self.folder / "run" / "valkey.sock"
        self.database = self.folder / "oddsmith.sqlite3"
        kept = {k: v for k, v in os.environ.items() if k not in ("REDIS_URL", "DATABASE_URL", "ODDSMITH_TABLES_DIR")}
        self.environment = {
            **kept,
            "VAR_DIR": str(self.folder),
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "PYTHONPATH": str(ROOT),
        }
        self.family = Family()
        self.queue = Celery(broker=f"redis+socket://{self.socket}", set_as_current=False)

    def __enter__(self) -> Cluster:
        self.start_valkey()
        migrate = [sys.executable, "manage.py", "migrate", "--verbosity", "0"]
        subprocess.run(migrate, cwd=ROOT, env=self.environment, check=True)
        self.console = subprocess.Popen(
            [sys.executable, "-c", CONSOLE],
            cwd=ROOT,
            env=self.environment,
            text=True,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        return self

    def __exit__(self, *_: object) -> None:
        self.console.communicate()
        self.queue.close()
        self.family.stop()
        shutil.rmtree(self.folder)

    def start_valkey(self) -> Child:
        valkey = self.family.start("valkey", valkey_command(self.socket), log=self.folder / "valkey.log")
        assert wait_for_socket(self.socket, valkey)
        return valkey

    def worker(self, name: str) -> Child:
        command = [sys.executable, "-m", "celery", "-A", "config", "--workdir", str(ROOT), "worker"]
        command += ["--concurrency", "3", "--include", "tests.apps.jobs.kinds", "--hostname", f"{name}@here"]
        return self.family.start(name, command, env=self.environment, log=self.folder / f"{name}.log")

    def start(self, kind: str, document: Mapping[str, Any]) -> str:
        return self._ask("start", kind, document)

    def cancel(self, job_id: str) -> None:
        self._ask("cancel", job_id)

    def session(self) -> str:
        """A session key of the player who owns every job here."""
        return self._ask("session")

    def run_again(self, job_id: str) -> None:
        self.queue.send_task("jobs.run", [job_id])

    def row(self, job_id: str) -> dict[str, Any]:
        return self._sql("SELECT * FROM jobs_job WHERE id = ?", job_id)[0]

    def state(self, job_id: str) -> str:
        return str(self.row(job_id)["state"])

    def let_time_pass(self, job_id: str) -> None:
        """As if nobody had had the job in hand for ten minutes."""
        self._sql("UPDATE jobs_job SET heartbeat = datetime(heartbeat, '-600 seconds') WHERE id = ?", job_id)

    def sweep_until(self, condition: Callable[[], bool], what: str) -> None:
        """Wait as under a clock that calls the sweep again and again: a message can be popped by a worker that dies
        before it reads it, so one call alone proves nothing."""
        self.wait_for(condition, what, meanwhile=lambda: self.queue.send_task("jobs.sweep", expires=30))

    def wait_for(
        self, condition: Callable[[], bool], what: str, meanwhile: Callable[[], object] = lambda: None
    ) -> None:
        end, step = time.monotonic() + 90, 0
        while not condition():
            if step % 40 == 0:
                meanwhile()
            step += 1
            if time.monotonic() > end:
                logs = "\n".join(f"== {log.name}\n{log.read_text()[-4000:]}" for log in self.folder.glob("*.log"))
                raise AssertionError(f"waited in vain: {what}\n{logs}")
            time.sleep(0.05)

    def _ask(self, *request: Any) -> str:
        assert self.console.stdin is not None
        assert self.console.stdout is not None
        self.console.stdin.write(json.dumps(request) + "\n")
        self.console.stdin.flush()
        return self.console.stdout.readline().strip()

    def _sql(self, statement: str, job_id: str) -> list[dict[str, Any]]:
        connection = sqlite3.connect(self.database, timeout=20)
        connection.row_factory = sqlite3.Row
        try:
            with connection:
                return [dict(row) for row in connection.execute(statement, [uuid.UUID(job_id).hex])]
        finally:
            connection.close()

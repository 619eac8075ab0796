"""What is wrong with this installation, and what to do about it: ``manage.py doctor``."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from apps.core import cache, health
from apps.core.processes import restarts

#: Bytes. Below this the database may soon have no room to write.
LITTLE_SPACE = 500 * 1024 * 1024
#: Seconds a worker has to answer.
WORKER_PATIENCE = 3.0
AT_HOME = {"localhost", "127.0.0.1", "[::1]"}


@dataclass(frozen=True)
class Finding:
    """One thing that was looked at. Without a ``remedy`` it is in order."""

    subject: str
    state: str
    remedy: str = ""


def examine() -> Iterator[Finding]:
    """Look at everything; a look that fails is a finding, too."""
    for look in LOOKS:
        try:
            yield look()
        except Exception as error:  # whatever is broken, the other looks go on
            subject = (look.__doc__ or look.__name__).rstrip(".")
            yield Finding(subject, f"could not be looked at: {error}", "See the logs in VAR_DIR/log.")


def _folder() -> Finding:
    """State folder."""
    folder = Path(settings.VAR)
    try:
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        return Finding(
            "State folder", f"{folder} cannot be written ({error.strerror})", "Give us the right to write there."
        )
    free = shutil.disk_usage(folder).free
    state = f"{folder}, {free / 1e9:.1f} GB free"
    return Finding("State folder", state, "Make room: the database must grow." if free < LITTLE_SPACE else "")


def _database() -> Finding:
    """Database."""
    found = health._database()
    name = connection.vendor
    if found != "ok":
        return Finding("Database", f"{name} does not answer ({found})", "Start it, or check DATABASE_URL.")
    executor = MigrationExecutor(connection)
    if missing := executor.migration_plan(executor.loader.graph.leaf_nodes()):
        return Finding("Database", f"{len(missing)} changes behind this version", "Run: manage.py migrate")
    if name == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA quick_check")
            if (said := cursor.fetchone()[0]) != "ok":
                return Finding(
                    "Database", f"damaged: {said}", "Stop the site and restore a backup: manage.py restore FILE"
                )
    return Finding("Database", f"{name} answers, up to date")


def _valkey() -> Finding:
    """Valkey or Redis."""
    try:
        version = cache.client().info("server").get("redis_version", "?")
    except Exception as error:
        remedy = "Start the site (manage.py up), or check REDIS_URL. Pages go on; live updates and jobs wait."
        return Finding("Valkey or Redis", f"does not answer ({type(error).__name__})", remedy)
    return Finding("Valkey or Redis", f"answers, {version}")


def _worker() -> Finding:
    """Worker."""
    from celery import current_app

    answers = current_app.control.inspect(timeout=WORKER_PATIENCE).ping() or {}
    if not answers:
        return Finding("Worker", "none answers", "Start one: manage.py up does, or celery -A config worker --beat")
    return Finding("Worker", f"{len(answers)} answer")


def _tables() -> Finding:
    """Solver tables."""
    found = health._tables()
    remedy = (
        "" if found == "ok" else "They are built after the start; coaching is less until then. Or: manage.py warm_up"
    )
    return Finding("Solver tables", "built" if found == "ok" else found, remedy)


def _static() -> Finding:
    """Static files."""
    there = settings.DEBUG or (Path(settings.STATIC_ROOT) / "staticfiles.json").exists()
    remedy = "" if there else "Run: manage.py collectstatic (manage.py up does)"
    return Finding("Static files", "collected" if there else "not collected", remedy)


def _in_public() -> Finding:
    """Seen from outside."""
    names = [name for name in settings.ALLOWED_HOSTS if name not in AT_HOME]
    if settings.DEBUG:
        return Finding("Seen from outside", "DEBUG is on: errors show our code to everybody", "Unset DEBUG.")
    if "*" in names:
        return Finding("Seen from outside", "answers to any name", "Set ALLOWED_HOSTS to the names people use.")
    if names and not settings.SESSION_COOKIE_SECURE:
        return Finding(
            "Seen from outside",
            f"{names[0]} without HTTPS: passwords can be read on the way",
            "Put a proxy with a certificate before it and set HTTPS=1 (fine in a closed school network).",
        )
    return Finding("Seen from outside", ", ".join(names) if names else "this machine only")


def _restarts() -> Finding:
    """Restarts."""
    counted = {name: times for name, times in restarts().items() if times}
    if not counted:
        return Finding("Restarts", "none since the start")
    listed = ", ".join(f"{name} {times}×" for name, times in counted.items())
    return Finding("Restarts", listed, "Read VAR_DIR/log: something ends these processes.")


def _memory() -> Finding:
    """Memory."""
    pages, size = os.sysconf("SC_AVPHYS_PAGES"), os.sysconf("SC_PAGE_SIZE")
    free = pages * size
    remedy = "Each web process and worker wants about 250 MB." if free < LITTLE_SPACE else ""
    return Finding("Memory", f"{free / 1e9:.1f} GB free", remedy)


LOOKS: tuple[Callable[[], Finding], ...] = (
    _folder,
    _memory,
    _database,
    _valkey,
    _worker,
    _tables,
    _static,
    _in_public,
    _restarts,
)


def report(findings: list[Finding]) -> str:
    """The findings as lines; what needs doing is marked and stands under its finding.

    >>> print(report([Finding("Database", "answers"), Finding("Worker", "none answers", "Start one.")]))
      ok  Database: answers
      !!  Worker: none answers
          → Start one.
    """
    lines: list[Any] = []
    for one in findings:
        lines.append(f"  {'!!' if one.remedy else 'ok'}  {one.subject}: {one.state}")
        if one.remedy:
            lines.append(f"      → {one.remedy}")
    return "\n".join(lines)

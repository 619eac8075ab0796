"""A private PostgreSQL for the length of one command: ``python -m tests.services.postgres pytest …``.

Uses the installed server binaries, a data folder of its own and a unix socket; nothing else on the machine is touched.
"""

from __future__ import annotations

import contextlib
import glob
import os
import pwd
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

REASON = "no PostgreSQL server binaries are installed (Debian: apt-get install postgresql)"


def binaries() -> Path | None:
    """The folder with initdb and postgres, newest version first."""
    candidates = sorted(glob.glob("/usr/lib/postgresql/*/bin"), key=lambda p: float(Path(p).parts[-2]), reverse=True)
    candidates += [os.path.dirname(found) for name in ("initdb",) if (found := shutil.which(name))]
    return next((Path(c) for c in candidates if Path(c, "initdb").exists() and Path(c, "postgres").exists()), None)


def ensure_postgres(*, install: bool) -> bool:
    if binaries() is None and install and os.geteuid() == 0 and shutil.which("apt-get"):
        subprocess.run(["apt-get", "-qq", "update"], check=False)
        subprocess.run(
            ["apt-get", "-qq", "-y", "install", "postgresql"],
            check=False,
            stdout=subprocess.DEVNULL,
            env={**os.environ, "DEBIAN_FRONTEND": "noninteractive"},
        )
    return binaries() is not None


def _unprivileged() -> tuple[Callable[[], None] | None, int]:
    """PostgreSQL refuses to run as root; step down to an account made for it."""
    if os.geteuid() != 0:
        return None, os.geteuid()
    names = {entry.pw_name: entry for entry in pwd.getpwall()}
    account = names.get("postgres") or names["nobody"]

    def step_down() -> None:
        os.setgid(account.pw_gid)
        os.setuid(account.pw_uid)

    return step_down, account.pw_uid


@contextlib.contextmanager
def running() -> Iterator[str]:
    """Start a server; yields its DATABASE_URL."""
    folder = binaries()
    if folder is None:
        raise RuntimeError(REASON)
    step_down, uid = _unprivileged()
    with tempfile.TemporaryDirectory(prefix="oddsmith-pg-") as home:
        os.chmod(home, 0o755)
        data, sockets = Path(home, "data"), Path(home, "run")
        for path in (data, sockets):
            path.mkdir(mode=0o700)
            os.chown(path, uid, -1)
        initdb = [str(folder / "initdb"), "-D", str(data), "-U", "oddsmith", "-A", "trust", "--no-sync", "-E", "UTF8"]
        subprocess.run(initdb, check=True, preexec_fn=step_down, cwd=home, stdout=subprocess.DEVNULL)
        flags = f"-c listen_addresses= -c unix_socket_directories={sockets} -c fsync=off -c max_connections=200"
        control = [str(folder / "pg_ctl"), "-D", str(data), "-w", "-l", str(sockets / "log")]
        subprocess.run(
            [*control, "-o", flags, "start"], check=True, preexec_fn=step_down, cwd=home, stdout=subprocess.DEVNULL
        )
        try:
            yield f"postgres://oddsmith@/postgres?host={sockets}"
        finally:
            stop = [*control, "-m", "immediate", "stop"]
            subprocess.run(stop, check=False, preexec_fn=step_down, cwd=home, stdout=subprocess.DEVNULL)


def main(command: list[str]) -> int:
    if binaries() is None:
        print(f"skipped: {REASON}")  # noqa: T201
        return 1 if os.environ.get("CI_STRICT") == "1" else 0
    with running() as url:
        return subprocess.run(command, env={**os.environ, "DATABASE_URL": url}).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""``make test``: every check, then every test. Exit code 0 only when all pass."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

from tests.browser.chromium import ensure_chromium
from tests.services.postgres import ensure_postgres

PY = sys.executable
BIN = os.path.dirname(PY)
STRICT = os.environ.get("CI_STRICT") == "1"

#: Each is a name and a command. None needs another, so they run side by side, the longest first.
CHECKS: list[tuple[str, list[str]]] = [
    ("warm-up", [PY, "manage.py", "warm_up"]),  # compiled once here, not by every test process
    ("browser and database", [PY, "-m", "tests.everything", "install"]),
    ("types", [f"{BIN}/mypy"]),
    ("OpenAPI schema", [PY, "manage.py", "spectacular", "--validate", "--fail-on-warn", "--file", os.devnull]),
    ("migrations in sync", [PY, "manage.py", "makemigrations", "--check", "--dry-run"]),
    ("import directions", [f"{BIN}/lint-imports", "--no-cache"]),
    ("style", [f"{BIN}/ruff", "check", "."]),
    ("format", [f"{BIN}/ruff", "format", "--check", "."]),
]
#: Three processes on two cores: some tests wait for servers to start.
PYTEST = [PY, "-m", "pytest", "-q", "-n", "3", "--dist", "worksteal"]
TESTS: list[tuple[str, list[str]]] = [
    ("tests", [*PYTEST, "-m", "not browser", "engine", "tests"]),
    (
        "service tests on PostgreSQL",
        [PY, "-m", "tests.services.postgres", *PYTEST, "-m", "service and not own_database", "tests/apps",
         "tests/services"],
    ),
    ("browser tests", [PY, "-m", "tests.browser.server", *PYTEST, "-m", "browser", "tests"]),
]  # fmt: skip


def check(step: tuple[str, list[str]]) -> bool:
    """Run a command whose output is worth reading when it fails."""
    name, command = step
    start = time.monotonic()
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    ok = done.returncode == 0
    said = "" if ok else f"\n{done.stdout.rstrip()}"
    print(f"== {name}: {'ok' if ok else 'FAILED'} in {time.monotonic() - start:.0f} s{said}", flush=True)  # noqa: T201
    return ok


def run(name: str, command: Sequence[str]) -> bool:
    print(f"\n== {name}", flush=True)  # noqa: T201
    start = time.monotonic()
    ok = subprocess.run(command).returncode == 0
    print(f"== {name}: {'ok' if ok else 'FAILED'} in {time.monotonic() - start:.0f} s", flush=True)  # noqa: T201
    return ok


def tests(name: str, command: Sequence[str]) -> bool:
    """What fails among thousands on a crowded machine is tried once more by itself; failing twice is a failure."""
    return run(name, command) or run(f"{name}, the failed ones alone", [*without_workers(command), "--last-failed"])


def without_workers(command: Sequence[str]) -> list[str]:
    return ["0" if before == "-n" else word for before, word in zip(["", *command], command, strict=False)]


def install() -> int:
    """What the tests need besides Python: a browser and a database server."""
    ensure_chromium(install=True, quickest=STRICT)
    ensure_postgres(install=STRICT)
    return 0


def main() -> int:
    os.environ.setdefault("VAR_DIR", os.path.abspath("var/test"))
    # The servers of the browser tests share these tables; built once, none of them has to build while people wait.
    os.environ["ODDSMITH_TABLES_DIR"] = os.path.abspath("var/test/solver")
    with ThreadPoolExecutor(2) as side_by_side:
        failed = [name for (name, _), ok in zip(CHECKS, side_by_side.map(check, CHECKS), strict=True) if not ok]
    failed += [name for name, command in TESTS if not tests(name, command)]
    print(f"\n{'FAILED: ' + ', '.join(failed) if failed else 'Everything passed.'}", flush=True)  # noqa: T201
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(install() if sys.argv[1:] == ["install"] else main())

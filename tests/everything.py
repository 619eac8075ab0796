"""``make test``: every check and every test, in the order that fails soonest. Exit code 0 only when all pass."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Sequence

from tests.browser.chromium import ensure_chromium
from tests.services.postgres import ensure_postgres

PY = sys.executable
BIN = os.path.dirname(PY)
STRICT = os.environ.get("CI_STRICT") == "1"

#: Quick checks first. Each is a name and a command.
CHECKS: list[tuple[str, list[str]]] = [
    ("style", [f"{BIN}/ruff", "check", "."]),
    ("format", [f"{BIN}/ruff", "format", "--check", "."]),
    ("import directions", [f"{BIN}/lint-imports", "--no-cache"]),
    ("types", [f"{BIN}/mypy"]),
    ("migrations in sync", [PY, "manage.py", "makemigrations", "--check", "--dry-run"]),
    ("OpenAPI schema", [PY, "manage.py", "spectacular", "--validate", "--fail-on-warn", "--file", os.devnull]),
    ("warm-up", [PY, "manage.py", "warm_up"]),  # compiled once here, not by every test process
]
TESTS: list[tuple[str, list[str]]] = [
    ("tests", [PY, "-m", "pytest", "-q", "-n", "2", "-m", "not browser", "engine", "tests"]),
    (
        "service tests on PostgreSQL",
        [PY, "-m", "tests.services.postgres", PY, "-m", "pytest", "-q", "-m", "service and not own_database",
         "tests/apps", "tests/services"],
    ),
    (
        "browser tests",
        [PY, "-m", "tests.browser.server", PY, "-m", "pytest", "-q", "-n", "3", "-m", "browser", "tests"],
    ),
]  # fmt: skip


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


def main() -> int:
    os.environ.setdefault("VAR_DIR", os.path.abspath("var/test"))
    # The servers of the browser tests share these tables; built once, none of them has to build while people wait.
    os.environ["ODDSMITH_TABLES_DIR"] = os.path.abspath("var/test/solver")
    ensure_chromium(install=True, quickest=STRICT)
    ensure_postgres(install=STRICT)
    failed = [name for name, command in CHECKS if not run(name, command)]
    failed += [name for name, command in TESTS if not tests(name, command)]
    print(f"\n{'FAILED: ' + ', '.join(failed) if failed else 'Everything passed.'}", flush=True)  # noqa: T201
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

"""``make test``: every check, then every test. Exit code 0 only when all pass."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor

from tests.browser.chromium import ensure_chromium
from tests.browser.engines.launch import ensure_engines
from tests.services.postgres import ensure_postgres

PY = sys.executable
BIN = os.path.dirname(PY)
STRICT = os.environ.get("CI_STRICT") == "1"

#: Each is a name and a command. None needs another, so they run side by side, the longest first.
CHECKS: list[tuple[str, list[str]]] = [
    # Compiled once here, not by every test process.
    ("warm-up of Kill Team", [PY, "manage.py", "warm_up", "killteam"]),
    ("warm-up of the others", [PY, "manage.py", "warm_up", "dicee", "warhammer40k", "battletech"]),
    ("browser and database", [PY, "-m", "tests.everything", "install"]),
    ("types", [f"{BIN}/mypy"]),
    ("OpenAPI schema", [PY, "manage.py", "spectacular", "--validate", "--fail-on-warn", "--file", os.devnull]),
    ("migrations in sync", [PY, "manage.py", "makemigrations", "--check", "--dry-run"]),
    ("import directions", [f"{BIN}/lint-imports", "--no-cache"]),
    ("style", [f"{BIN}/ruff", "check", "."]),
    ("format", [f"{BIN}/ruff", "format", "--check", "."]),
    ("layout of templates", [f"{BIN}/djlint", "templates", "--check", "--quiet"]),
    ("layout of styles and scripts", [f"{BIN}/oxfmt", "--check", "static/css", "static/js"]),
    ("style of scripts", [f"{BIN}/oxlint", "static/js"]),
    ("lines that need a ruler", [PY, "tools/long_lines.py"]),
]
#: What is tested: a name, which tests, and the command that starts the server they share.
Stage = tuple[str, list[str], list[str]]
TESTS: Stage = ("tests", ["-m", "not browser", "engine", "apps", "tests"], [])
#: The same under a tracer, which takes three times as long: `make coverage`.
TRACED: Stage = ("tests, traced", ["-m", "not browser", "--cov", "--cov-report=", "engine", "apps", "tests"], [])
#: Per cent of lines and branches that the tests without a browser must run through.
COVERAGE: Mapping[str, int] = {"engine": 95, "apps": 90}
ON_POSTGRES: Stage = (
    "service tests on PostgreSQL",
    ["-m", "service and not own_database", "tests/apps", "tests/services"],
    [PY, "-m", "tests.services.postgres"],
)
IN_A_BROWSER: Stage = ("browser tests", ["-m", "browser", "tests"], [PY, "-m", "tests.browser.server"])


def run(name: str, command: Sequence[str], *, quietly: bool = False) -> bool:
    """Run a command; ``quietly`` what it says is only shown if it fails."""
    start = time.monotonic()
    told = subprocess.PIPE if quietly else None
    if not quietly:
        print(f"\n== {name}", flush=True)  # noqa: T201
    done = subprocess.run(command, stdout=told, stderr=subprocess.STDOUT if quietly else None, text=True)
    ok = done.returncode == 0
    said = "" if ok or not quietly else f"\n{done.stdout.rstrip()}"
    print(f"== {name}: {'ok' if ok else 'FAILED'} in {time.monotonic() - start:.0f} s{said}", flush=True)  # noqa: T201
    return ok


def check(step: tuple[str, list[str]]) -> bool:
    return run(*step, quietly=True)


def prove(stage: Stage, *, workers: int = 3, quietly: bool = False) -> bool:
    """Run a stage once. What fails has failed: a test that needs a quiet machine is a defect of the test or of ours."""
    name, which, server = stage
    many = ["-n", str(workers), "--dist", "worksteal"]  # more processes than cores: some tests wait for servers
    return run(name, [*server, PY, "-m", "pytest", "-q", "-p", "no:cacheprovider", *which, *many], quietly=quietly)


def measure(package: str) -> bool:
    """Hold a package to its level of coverage. What is missed is listed only where it is too much."""
    least = f"--fail-under={COVERAGE[package]}"
    return run(f"coverage of {package}", [f"{BIN}/coverage", "report", f"--include={package}/*", least], quietly=True)


def stages() -> Iterator[tuple[str, bool]]:
    """The name of each stage and whether it passed. PostgreSQL runs beside the browser: each waits now and then."""
    yield TESTS[0], prove(TESTS)
    with ThreadPoolExecutor(1) as beside:
        on_postgres = beside.submit(prove, ON_POSTGRES, workers=2, quietly=True)
        yield IN_A_BROWSER[0], prove(IN_A_BROWSER)
        yield ON_POSTGRES[0], on_postgres.result()


def coverage() -> int:
    """Hold every package to its level."""
    prepare()
    reached = [prove(TRACED), *(measure(package) for package in COVERAGE)]
    return 0 if all(reached) else 1


def install() -> int:
    """What the tests need besides Python: browsers and a database server."""
    ensure_chromium(install=True, quickest=STRICT)
    ensure_engines(install=STRICT)
    ensure_postgres(install=STRICT)
    return 0


def prepare() -> None:
    os.environ.setdefault("VAR_DIR", os.path.abspath("var/test"))
    # The servers of the browser tests share these tables; built once, none of them has to build while people wait.
    os.environ["ODDSMITH_TABLES_DIR"] = os.path.abspath("var/test/solver")


def main() -> int:
    prepare()
    with ThreadPoolExecutor(2) as side_by_side:
        failed = [name for (name, _), ok in zip(CHECKS, side_by_side.map(check, CHECKS), strict=True) if not ok]
    failed += [name for name, ok in stages() if not ok]
    print(f"\n{'FAILED: ' + ', '.join(failed) if failed else 'Everything passed.'}", flush=True)  # noqa: T201
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit({"install": install, "coverage": coverage}.get("".join(sys.argv[1:]), main)())

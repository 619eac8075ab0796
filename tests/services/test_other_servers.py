"""``DATABASE_URL``, ``REDIS_URL`` and ``WEB_CONCURRENCY`` alone move it to other servers. Run again on PostgreSQL."""

from __future__ import annotations

import os
import signal
import urllib.request
from collections.abc import Callable
from pathlib import Path

import pytest

from apps.core.processes import Family, valkey_command, wait_for_socket
from tests.services.running import PATIENCE, Running

pytestmark = pytest.mark.service


def test_the_environment_moves_it_to_other_servers_and_several_web_workers(
    tmp_path: Path, start: Callable[..., Running]
) -> None:
    other = tmp_path / "other" / "valkey.sock"
    family = Family()
    child = family.start("valkey", valkey_command(other), log=tmp_path / "valkey.log")
    assert wait_for_socket(other, child)
    given = {name: value for name, value in os.environ.items() if name == "DATABASE_URL"}
    up = start(REDIS_URL=f"unix://{other}", WEB_CONCURRENCY="2", **given)
    up.wait()
    assert not (tmp_path / "var" / "run" / "valkey.sock").exists()
    for _ in range(20):
        urllib.request.urlopen(f"http://127.0.0.1:{up.port}/health/live", timeout=PATIENCE).close()
    text = urllib.request.urlopen(f"http://127.0.0.1:{up.port}/metrics", timeout=PATIENCE).read().decode()
    counted = [line for line in text.splitlines() if 'requests_total{method="GET",route="health/live"' in line]
    assert counted[0].endswith(" 20.0")  # whichever of the two answered
    output = up.stop(signal.SIGTERM)
    family.stop()
    assert "the Redis of REDIS_URL" in output
    assert f"database: {'postgresql' if given else 'sqlite3'}" in output

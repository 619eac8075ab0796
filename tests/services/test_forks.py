"""Children that are copies of this process: they run a function, say what went wrong, and end with their family."""

from __future__ import annotations

import os
import signal
import sys
import time
from pathlib import Path

from apps.core.processes import Family


def _leave(code: int) -> None:
    os.write(1, b"leaving")
    sys.exit(code)


def test_a_fork_ends_with_the_code_of_its_function(tmp_path: Path) -> None:
    family, log = Family(), tmp_path / "log"
    try:
        assert family.fork("done", lambda: None, title="done").wait(10) == 0
        assert family.fork("left", lambda: _leave(3), title="left", log=log).wait(10) == 3
        assert family.fork("fell", lambda: 1 // 0, title="fell", log=log).wait(10) == 1
        assert family.ended() == {"done": 0, "left": 3, "fell": 1}
    finally:
        family.stop()
    assert "leaving" in log.read_text()
    assert "ZeroDivisionError" in log.read_text()


def test_a_fork_has_a_name_a_group_of_its_own_and_ends_with_its_family() -> None:
    family = Family()
    child = family.fork("sleeper", lambda: time.sleep(600), title="oddsmith sleeper")
    end = time.monotonic() + 30
    while b"oddsmith sleeper" not in Path(f"/proc/{child.pid}/cmdline").read_bytes():
        assert time.monotonic() < end
        time.sleep(0.01)
    assert os.getpgid(child.pid) == child.pid != os.getpgid(0)
    assert child.poll() is None
    family.stop()
    assert child.poll() == -signal.SIGTERM

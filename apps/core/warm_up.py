"""Work worth doing before anyone asks: compile loops, build tables.

A room registers its steps in ``AppConfig.ready``; a step is ``shared`` when what it makes lives in the shared cache or
goes to other processes, and so needs the broker. ``manage.py warm_up`` runs the others alone. The Celery worker has
them all run when it comes up, in a process of its own whose memory goes with it, and that leaves a mark in the shared
cache. A web process does not wait for that, nor does it compile: until the mark is there its loops run as plain Python,
which ordinary questions do not notice. Then it runs the steps too, quickly, because compiled code and tables are on
disk by then.
"""

from __future__ import annotations

import gc
import logging
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Collection
from enum import StrEnum

from django.conf import settings
from django.core.cache import cache

from apps.core.services import loops

log = logging.getLogger(__name__)

DONE_KEY = "warm-up:done"
PATIENCE = 600.0  # seconds a web process gives the worker before it does the work itself


class State(StrEnum):
    """How far the site is: what it may be asked is the same, large questions take longer while it warms up."""

    WARMING = "warming"
    READY = "ready"


_steps: dict[str, Callable[[], object]] = {}
_shared: set[str] = set()


def register(name: str, step: Callable[[], object], *, shared: bool = False) -> None:
    _steps[name] = step
    if shared:
        _shared.add(name)


def run(*, shared: bool = True, rooms: Collection[str] = ()) -> list[str]:
    """Run every step, or those of some rooms (a step's name begins with its room's); one that fails is logged and does
    not stop the others. Returns the names that worked."""
    worked = []
    for name, step in _steps.items():
        if (name in _shared and not shared) or (rooms and name.split()[0] not in rooms):
            continue
        start = time.perf_counter()
        try:
            step()
        except Exception:
            log.exception("warm-up step %s failed", name)
        else:
            worked.append(name)
            log.info("warm-up step %s took %.2f s", name, time.perf_counter() - start)
    return worked


def run_and_announce() -> None:
    run()
    cache.set(DONE_KEY, "1", timeout=None)


def run_apart() -> None:
    """Run every step in a process of its own: a compiler takes 300 MB, which a worker would keep for good."""
    subprocess.run([sys.executable, "manage.py", "warm_up", "--announce"], cwd=settings.ROOT, check=True)


def state() -> State:
    """Whether the worker has left its mark."""
    return State.READY if _announced() else State.WARMING


def follow(patience: float = PATIENCE) -> threading.Thread:
    """In a web process: answer without machine code until the worker's mark is there, then load what it made."""
    loops.interpret()

    def wait_and_run() -> None:
        end = time.monotonic() + patience
        while time.monotonic() < end and not _announced():
            time.sleep(0.25)
        if not _announced():
            loops.interpret(False)
        with loops.compiling():
            run()
        loops.interpret(False)
        loops.all_loaded()
        settle()

    thread = threading.Thread(target=wait_and_run, name="warm-up", daemon=True)
    thread.start()
    return thread


def settle() -> None:
    """What is loaded by now stays loaded, so the garbage collector need not look through it again: that
    would stop every request for a tenth of a second."""
    gc.collect()
    gc.freeze()


def _announced() -> bool:
    try:
        return cache.get(DONE_KEY) is not None
    except Exception:
        return False

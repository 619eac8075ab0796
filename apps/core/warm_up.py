"""Work worth doing before anyone asks: compile loops, build tables.

A room registers its steps in ``AppConfig.ready``; a step is ``shared`` when what it makes lives in the shared cache or
goes to other processes, and so needs the broker. ``manage.py warm_up`` runs the others alone. The Celery worker runs
them all when it comes up and leaves a mark in the shared cache; each web process then runs them too, quickly, because
compiled code and tables are on disk by then.
"""

from __future__ import annotations

import gc
import logging
import threading
import time
from collections.abc import Callable, Collection

from django.core.cache import cache

log = logging.getLogger(__name__)

DONE_KEY = "warm-up:done"
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


def follow(patience: float = 120.0) -> threading.Thread:
    """In a web process: wait for the worker's mark, then load what it made."""

    def wait_and_run() -> None:
        end = time.monotonic() + patience
        while time.monotonic() < end and not _announced():
            time.sleep(0.25)
        run()
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

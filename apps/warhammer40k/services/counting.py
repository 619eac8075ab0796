"""The cells of a duel as a job, its work shared with every worker that is free.

The job's own worker and any helpers take *batches* of cells from one list; a batch belongs to whoever marks it first in
the shared cache. A helper that comes too late finds nothing left; if one is lost, the job's worker counts its cells. So
one worker is enough, and two take half the time.
"""

from __future__ import annotations

import time
import uuid
from collections.abc import Iterator, Sequence
from typing import Any

from celery import current_app
from django.core.cache import cache

from apps.jobs.registry import Progress
from apps.warhammer40k.services.duel import Duel, Pair, duel_of
from engine.wire import refuse

HELPERS = 3
BATCH = 6
CLAIMED_FOR = 300
#: Seconds without a new cell after which a helper counts as lost.
PATIENCE = 20.0
TASK = "warhammer40k.help_count"


def count(document: dict[str, Any], progress: Progress) -> dict[str, Any]:
    """Count every cell that is not there yet; the cells go to the cache, the job keeps how many there were."""
    duel = duel_of(document)
    if duel is None:
        refuse("One of these armies is not there any more; read it again.", field="a", constraint="exists")
    known = duel.counted()
    missing = [pair for pair in duel.pairs() if pair not in known]
    total = len(missing)
    run = uuid.uuid4().hex
    if total > BATCH:
        for _ in range(HELPERS):
            current_app.send_task(TASK, [document, [list(pair) for pair in missing], run])
    for _ in work(duel, missing, run):
        progress(_done(run), total, "")
    _wait(duel, missing, run, progress)
    return {"cells": len(duel.pairs()), "counted": total, **{name: document[name] for name in ("a", "b")}}


def help_count(document: dict[str, Any], pairs: Sequence[Sequence[Any]], run: str) -> None:
    """Take batches of somebody else's job for as long as there are any."""
    duel = duel_of(document)
    if duel is not None:
        for _ in work(duel, [Pair(*pair) for pair in pairs], run):
            pass


def work(duel: Duel, pairs: Sequence[Pair], run: str) -> Iterator[Pair]:
    """Count the batches nobody else has taken."""
    for start in range(0, len(pairs), BATCH):
        if not cache.add(f"w40k-claim:{run}:{start}", 1, CLAIMED_FOR):
            continue
        for pair, _ in duel.count(pairs[start : start + BATCH]):
            _one_more(run)
            yield pair


def _one_more(run: str) -> None:
    cache.add(f"w40k-done:{run}", 0, CLAIMED_FOR)
    cache.incr(f"w40k-done:{run}")


def _done(run: str) -> int:
    return int(cache.get(f"w40k-done:{run}") or 0)


def _wait(duel: Duel, pairs: Sequence[Pair], run: str, progress: Progress) -> None:
    """Until the helpers' cells are there; those of a lost one are counted here."""
    seen, since = _done(run), time.monotonic()
    while seen < len(pairs):
        if time.monotonic() - since > PATIENCE:
            known = duel.counted()
            for _ in duel.count(pair for pair in pairs if pair not in known):
                progress(_done(run), len(pairs), "")
            return
        time.sleep(0.02)
        now = _done(run)
        if now > seen:
            seen, since = now, time.monotonic()
        progress(seen, len(pairs), "")

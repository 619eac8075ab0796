"""The cells of a duel as a job, its work shared with every worker that is free (:mod:`apps.jobs.parts`)."""

from __future__ import annotations

from typing import Any

from apps.jobs import parts
from apps.jobs.registry import Progress
from apps.warhammer40k.services.duel import Pair, duel_of
from engine.wire import refuse

BATCH = 6  # cells of one part
PART = "warhammer40k.duel_cells"


def count(document: dict[str, Any], progress: Progress) -> dict[str, Any]:
    """Count every cell that is not there yet; the cells go to the cache, the job keeps how many there were."""
    duel = duel_of(document)
    if duel is None:
        refuse("One of these armies is not there any more; read it again.", field="a", constraint="exists")
    known = duel.counted()
    missing = [list(pair) for pair in duel.pairs() if pair not in known]

    def cells(done: int, total: int, note: str = "") -> None:
        progress(min(done * BATCH, len(missing)), len(missing), note)

    parts.shared_out(PART, {"duel": document, "pairs": missing}, -(-len(missing) // BATCH), cells)
    return {"cells": len(duel.pairs()), "counted": len(missing), **{name: document[name] for name in ("a", "b")}}


@parts.part_of_a_job(PART)
def count_batch(wanted: dict[str, Any], part: int) -> int:
    """Count the cells of one part and keep them; how many they were."""
    duel = duel_of(wanted["duel"])
    batch = [Pair(*pair) for pair in wanted["pairs"][part * BATCH : (part + 1) * BATCH]]
    return sum(1 for _ in duel.count(batch)) if duel is not None else 0

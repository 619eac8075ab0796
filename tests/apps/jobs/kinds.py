"""Kinds of job that exist for the tests only. A real worker is told to load this module as well."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Any

from apps.jobs.registry import Progress, job
from engine.wire import EngineError


@job("test.add", title="Add up")
def add(document: dict[str, Any], progress: Progress) -> dict[str, Any]:
    total = 0
    for done, number in enumerate(document["numbers"], 1):
        total += number
        progress(done, len(document["numbers"]), f"added {number}")
    return {"sum": total}


@job("test.illegal", title="Break a rule")
def illegal(document: dict[str, Any], progress: Progress) -> dict[str, Any]:
    raise EngineError("Attacks must be 1–60; you entered 0.", code="ERR_INVALID_INPUT", field="attacks")


@job("test.crash", title="Crash")
def crash(document: dict[str, Any], progress: Progress) -> dict[str, Any]:
    raise ZeroDivisionError("a secret detail")


@job("test.not_a_number", title="Answer with something that is not JSON")
def not_a_number(document: dict[str, Any], progress: Progress) -> dict[str, Any]:
    return {"mean": float("nan")}


@job("test.diary", title="Write down each run")
def diary(document: dict[str, Any], progress: Progress) -> dict[str, Any]:
    """Appends its process id to a file, waits for as long as a second file is missing, then ends."""
    with Path(document["file"]).open("a") as file:
        file.write(f"{os.getpid()}\n")
    step = 0
    try:
        while not Path(document["until"]).exists():
            step += 1
            progress(step, 1000, "waiting")
            time.sleep(0.02)
    finally:
        Path(document["ended"]).touch()
    return {"steps": step}


@job("test.silent", title="Say nothing for a while")
def silent(document: dict[str, Any], progress: Progress) -> dict[str, Any]:
    time.sleep(document["seconds"])
    return {}

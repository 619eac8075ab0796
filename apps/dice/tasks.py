"""The room's job: a program that takes longer than a page may."""

from __future__ import annotations

from typing import Any

from apps.dice import services
from apps.jobs.registry import Progress, job


@job("dice.answer", title="Answer a dice program", template="dice/job.html")
def answer(document: dict[str, Any], progress: Progress) -> dict[str, Any]:
    return services.run_job(document, progress)

"""Work too long for a request."""

from __future__ import annotations

from typing import Any

from celery import shared_task

from apps.jobs.registry import Progress, job
from apps.killteam.services import fight_matrix, matrix, parts, solving


@job("killteam.matrix", title="Kill Team matrix", template="killteam/matrix_result.html")
def compute_matrix(document: dict[str, Any], progress: Progress) -> dict[str, Any]:
    compute = fight_matrix.compute if document.get("kind") == "fight" else matrix.compute
    return compute(document, progress)


@job(solving.KIND, title="Kill Team fight", template="killteam/fight_result.html")
def compute_fight(document: dict[str, Any], progress: Progress) -> dict[str, Any]:
    return solving.compute(document, progress)


@shared_task(name="killteam.fight_matrix_row")
def help_with_a_fight_matrix(key: str) -> None:
    """Take rows of a fight matrix that another worker has begun."""
    parts.help_out(key, fight_matrix.row)

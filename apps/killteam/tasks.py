"""Work too long for a request."""

from __future__ import annotations

from typing import Any

from apps.jobs.registry import Progress, job
from apps.killteam.services import duel, fight_matrix, matrix, solving


@job("killteam.matrix", title="Kill Team matrix", template="killteam/matrix_result.html")
def compute_matrix(document: dict[str, Any], progress: Progress) -> dict[str, Any]:
    compute = fight_matrix.compute if document.get("kind") == "fight" else matrix.compute
    return compute(document, progress)


@job(solving.KIND, title="Kill Team fight", template="killteam/fight_result.html")
def compute_fight(document: dict[str, Any], progress: Progress) -> dict[str, Any]:
    return solving.compute(document, progress)


@job("killteam.duel", title="Roster against roster", template="killteam/duel_counted.html")
def count_duel(document: dict[str, Any], progress: Progress) -> dict[str, Any]:
    return duel.count(document, progress)

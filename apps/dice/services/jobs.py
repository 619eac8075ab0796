"""Programs that take longer than a page may, answered in the background."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from apps.core.services import beside_the_field
from apps.dice.services.answers import FIELDS
from apps.dice.services.figures import figures
from apps.dice.services.lines import LineView, Row, view
from apps.dice.services.sentences import headline
from apps.jobs.registry import Progress
from engine.dice.language.program import Line, Plan, read


def job_document(program: str, notation: str) -> dict[str, Any]:
    """What a job needs, if the program can be one."""
    with beside_the_field(FIELDS):
        plan = Plan(read(program, notation))  # type: ignore[arg-type]
        if plan.verdict == "refuse":
            raise plan.refusal()
    return {"program": program, "notation": notation}


def run_job(document: dict[str, Any], progress: Progress) -> dict[str, Any]:
    """Answer a long program; every percent of it is reported once."""
    plan = Plan(read(document["program"], document["notation"]))
    told = -1

    def done(share: float) -> None:
        nonlocal told
        percent = int(100 * min(share, 1.0) + 1e-9)
        if percent > told:
            told = percent
            progress(percent, 100, "percent answered")

    done(0.0)
    lines = plan.answer(done)
    return {
        "program": document["program"],
        "sentence": headline(lines, {"target": ""}).sentence,
        "lines": [_plain(view(line, at)) for at, line in enumerate(lines)],
        **_figures(lines),
    }


def _plain(shown: LineView) -> dict[str, Any]:
    plain = {name: getattr(shown, name) for name in LineView.__slots__}
    rows = [{name: getattr(row, name) for name in Row.__slots__} for row in shown.rows]
    return plain | {"rows": rows}


def _figures(lines: Sequence[Line]) -> dict[str, Any]:
    return figures([line for line in lines if line.kind == "number"])

"""The room's job: a sheet simulated many times."""

from __future__ import annotations

from typing import Any

from apps.jobs.registry import Progress, job
from apps.warhammer40k.services import dice


@job("warhammer40k.simulate", title="Simulate an attack", template="warhammer40k/simulated.html")
def simulate(document: dict[str, Any], progress: Progress) -> dict[str, Any]:
    return dice.simulate(document, progress)

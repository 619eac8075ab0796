"""What a fight may cost, and how its tables are cut to fit."""

from __future__ import annotations

import math
import os
from dataclasses import dataclass, field

from engine.wire import EngineError


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@dataclass(frozen=True, slots=True)
class Budget:
    """Limits, and where tables are divided. Every answer is the same under every budget that allows it."""

    #: Predicted seconds a fight may take. Who serves many people at a time sets it lower.
    seconds: float = math.inf
    #: Predicted seconds with Feel No Pain, where every wound counts and the largest fights would take hours.
    chance_seconds: float = 25 * 60.0
    #: Bytes of tables held at once: orders count cells in 32 bits.
    memory: int = 2_000_000_000
    #: Ranges along either fighter's wounds that a round may be divided into; each further one gains less.
    most_parts: int = 16
    #: Cells up to which a table is filled in one go, with all its layers in memory.
    whole_cells: int = 500_000
    #: Cells of a layer that are worth a second thread.
    thread_cells: int = 300_000
    #: Pairs of wounds up to which a round is kept as a matrix of transitions: ten megabytes.
    matrix_cells: int = 1_100
    #: Cells of a board whose orders are remembered from round to round.
    remembered_cells: int = 20_000_000
    #: Bytes up to which the choices of all rounds are kept rather than made again.
    choice_bytes: int = 250_000_000
    cores: int = field(default_factory=_cores)

    def refuse_longer(self, seconds: float, field: str = "fighter1.numDice") -> None:
        """Raise if a fight is predicted to take longer than a request may."""
        if seconds > self.seconds:
            raise EngineError(
                f"This takes about {seconds:,.0f} seconds, more than {self.seconds:.0f} for one request. "
                "Open the fight page with it, where it runs as a job, or use fewer dice, wounds or rounds.",
                field=field,
                constraint="seconds",
                expected=self.seconds,
                actual=round(seconds, 1),
            )

    def refuse_larger(self, memory: float, seconds: float) -> None:
        """Raise if a fight with Feel No Pain would not fit, before anything is computed."""
        for figure, most, unit in (
            (memory / 1e9, self.memory / 1e9, "GB"),
            (seconds / 60, self.chance_seconds / 60, "minutes"),
        ):
            if figure > most:
                raise EngineError(
                    f"Counting wound by wound, this needs {figure:.1f} {unit}, more than {most:.0f}. "
                    "Use fewer dice, wounds or rounds.",
                    field="fighter1.numDice",
                    constraint=unit,
                    expected=most,
                    actual=figure,
                )

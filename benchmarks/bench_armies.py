"""Two armies of twelve units each, everything on: every duel both ways in one process, and the plan over them."""

from __future__ import annotations

import benchmarks.site  # noqa: F401 - first: it decides the settings
from benchmarks.harness import Benchmark

# isort: split
from apps.warhammer40k import armies, datasheets
from apps.warhammer40k.services.duel import Duel, best_plan, cell_of, resolved

UNITS = 12
EVERYTHING_ON = (
    "a.half_range", "a.stationary", "a.oath", "a.wounds_ones", "a.to_wound", "a.lethal", "a.sustained", "a.criticals",
    "b.oath", "b.lethal", "b.sustained", "b.cover", "b.pain_5", "b.less_damage", "a.pain_6", "a.hard_to_hit",
)  # fmt: skip


def army(faction: str, edition: datasheets.Edition) -> armies.Document:
    """Twelve units in their largest size, those met most first; a leader has joined the first of them."""
    units = [unit for unit in datasheets.army(edition, faction) if unit.weapons and unit.wargear][:UNITS]
    made = [armies.from_card(unit, unit.sizes[-1][0]) for unit in units]
    return {"name": faction, "edition": edition, "faction": faction, "units": made, "lines": []}


def duel(edition: datasheets.Edition) -> Duel:
    return Duel(army("Space Marines", edition), army("Orks", edition), on=EVERYTHING_ON)


def every_cell(edition: datasheets.Edition) -> int:
    """All cells worked out, none taken from the cache."""
    found = duel(edition)
    for pair in found.pairs():
        target = found.target(pair)
        cell_of(resolved([found.attacker(pair)], target, found.phase, found.edition), target)
    return len(found.pairs())


BENCHMARKS = [
    Benchmark("12 × 12 army matrix both ways, everything on, 10th edition", lambda: every_cell("tenth"), budget=5.0,
              repeats=2),
    Benchmark("the same in the 11th: saves lowest first", lambda: every_cell("eleventh"), budget=5.0, repeats=2),
    Benchmark("the best use of twelve units", lambda: best_plan(duel("eleventh")), budget=5.0, repeats=2),
]  # fmt: skip

"""Two kill teams of ten operatives with every weapon of their cards: all shots and all fights, in one process."""

from __future__ import annotations

import benchmarks.site  # noqa: F401 - first: it decides the settings
from benchmarks.harness import Benchmark

# isort: split
from apps.killteam import rosters
from apps.killteam.services.duel import Duel

SWITCHED = ("a.in-cover", "b.in-cover", "b.injured")


def duel() -> Duel:
    return Duel(rosters.from_team("Angels of Death"), rosters.from_team("Legionaries"), SWITCHED)


def every_shot() -> int:
    """Both ways, none taken from the cache."""
    found = duel()
    return sum(len(found.shots(one, two)) for one in found.sides["a"] for two in found.sides["b"]) + sum(
        len(found.shots(two, one)) for one in found.sides["a"] for two in found.sides["b"]
    )


def every_fight() -> int:
    """Either striking first, with every pair of blades."""
    found = duel()
    return sum(len(found.row(at)) for at in range(len(found.sides["a"])))


BENCHMARKS = [
    Benchmark("roster against roster, every shot both ways", every_shot, budget=0.1, repeats=5),
    Benchmark("roster against roster, every fight both ways", every_fight, budget=2.0, repeats=3),
]

"""BattleTech: odds while a heat slider moves, and one resolved phase."""

from __future__ import annotations

from benchmarks.harness import Benchmark
from engine.battletech.explosion import resolve
from engine.battletech.mech import Bin, HeatPhase, Mech, Rules
from engine.battletech.odds import fitted_with, odds
from engine.battletech.presets import preset
from engine.battletech.tables import PROTECTIONS, Location
from engine.contracts import call
from engine.dice.roller import SeededRoller

ARMOR: dict[Location, int] = {"HD": 9, "CT": 47, "LT": 32, "RT": 32, "LA": 34, "RA": 34, "LL": 41, "RL": 41}
ALL_OVER: tuple[Location, ...] = ("LT", "RT", "LA", "RA", "CT", "LL", "RL", "HD", "LT", "RT", "LA", "RA")
ONE_SIDE: tuple[Location, ...] = ("LT", "LA", "LL") * 4


def twelve(places: tuple[Location, ...], smallest: int) -> Mech:
    """Twelve bins, no two alike: nothing to merge."""
    bins = tuple(
        Bin(bin_id=str(n), location=place, rounds=n + 1, damage_per_round=smallest) for n, place in enumerate(places)
    )
    return Mech(tonnage=100, armor=ARMOR, bins=bins)


STANDARD, TOTAL_WARFARE = Rules(), Rules(profile="total_warfare")
SPREAD, SIDE, PLACE = twelve(ALL_OVER, 5), twelve(ONE_SIDE, 5), twelve(("LT",) * 12, 5)
SQUIBS = twelve(ONE_SIDE, 2).model_copy(update={"case": {"LT": "case"}})
WIRE = {"mech": SPREAD.model_dump(mode="json", by_alias=True), "heat": 25}
ATLAS = preset("atlas-as7-d")
BAND_STARTS = [0, *(band.heat for band in STANDARD.book.heat_bands)]

BENCHMARKS = [
    Benchmark("odds, 12 bins all over, no two alike", lambda: odds(SPREAD, STANDARD, [25]), budget=0.050),
    Benchmark("the same at the front door", lambda: call("battletech.odds", WIRE), budget=0.050),
    Benchmark("odds, 12 bins, Total Warfare", lambda: odds(SPREAD, TOTAL_WARFARE, [25]), budget=0.050),
    Benchmark("odds, 12 different bins in one place", lambda: odds(PLACE, STANDARD, [25]), budget=0.050),
    Benchmark("odds, 12 different bins on one side", lambda: odds(SIDE, STANDARD, [25]), budget=0.050),
    Benchmark("the same, small bins behind CASE (worst case)", lambda: odds(SQUIBS, STANDARD, [25]), budget=0.050),
    Benchmark("odds, Archer ARC-9R, 5 turns", lambda: odds(preset("archer-arc-9r"), STANDARD, [19, 23, 25, 28, 28])),
    Benchmark("odds, 12 bins, 3 turns", lambda: odds(SPREAD, STANDARD, [19, 23, 28])),
    Benchmark("risk curve 0-30, Atlas", lambda: [odds(ATLAS, STANDARD, [heat]) for heat in BAND_STARTS]),
    Benchmark(
        "none / CASE / CASE II, Atlas", lambda: [odds(fitted_with(ATLAS, kind), STANDARD, [25]) for kind in PROTECTIONS]
    ),
    Benchmark(
        "resolve one heat phase, Atlas",
        lambda: resolve(ATLAS, STANDARD, HeatPhase(kind="heat", heat=25), SeededRoller(1)),
    ),
]

"""Dicee against its budgets, and against ``yatzy-solver`` (a Rust solver from PyPI) where that is installed."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import TypeVar

from benchmarks.harness import Benchmark
from engine.dicee import advice, solver, tables
from engine.dicee.analysis import Horizon, Position, analyze, box_odds
from engine.dicee.boxes import Scorecard, Variant, rules
from engine.dicee.ops import AnalyzeInput
from engine.dicee.ops import analyze as analyze_document
from engine.dicee.simulate import simulate

F = TypeVar("F", bound=Callable[..., object])

VARIANT = Variant.JOKER_RULES
CARD = Scorecard.from_wire({"sixes": 18, "fives": 15, "chance": 22, "dicee": 50, "diceeBonus": 100})
HERE = Position(CARD, VARIANT, (3, 3, 5, 5, 2), 2)
START = Position(Scorecard(), VARIANT)
FRESH = """
from engine.dicee import tables
from engine.dicee.boxes import Variant
table = tables.build(Variant.JOKER_RULES)
assert abs(table.expected_score - 254.589609) < 1e-6
"""
PEAK = """
import resource
from engine.dicee import tables
from engine.dicee.analysis import Position
from engine.dicee.boxes import Scorecard, Variant
from engine.dicee.simulate import simulate
table = tables.build(Variant.JOKER_RULES)
simulate(Position(Scorecard(), Variant.JOKER_RULES), 100_000, 1, table=table)
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)
"""


def in_fresh_process(code: str) -> str:
    """Run with empty caches: nothing compiled, nothing solved."""
    with tempfile.TemporaryDirectory() as empty:
        environment = os.environ | {"NUMBA_CACHE_DIR": empty, tables.DIRECTORY_VARIABLE: empty}
        done = subprocess.run([sys.executable, "-c", code], env=environment, check=True, capture_output=True, text=True)
    return done.stdout


@cache
def table() -> tables.Table:
    return tables.load(VARIANT)


@cache
def table_file() -> Path:
    path = Path(tempfile.mkdtemp()) / "dicee.values"
    tables.write(table(), path)
    return path


def second_library() -> Callable[[], object] | None:
    if importlib.util.find_spec("yatzy_solver") is None:
        print("yatzy-solver is not installed: the solve is measured without it (pip install yatzy-solver)")
        return None
    import yatzy_solver

    return lambda: yatzy_solver.Solver.build(yatzy_solver.Variant("american"))


def peak_memory() -> None:
    print(f"  peak memory, solve and 100 000 games: {in_fresh_process(PEAK).strip()} MB (budget 400 MB)")


RUST = second_library()


def unremembered(function: F) -> F:
    """The same function, which has to work everything out this time."""
    analyze.cache_clear()
    return function


BENCHMARKS = (
    Benchmark(
        "solve one variant, warm", lambda: solver.solve(rules(VARIANT)), RUST, "yatzy-solver" if RUST else "yardstick",
        budget=1.0, at_least=10.0 if RUST else None, repeats=7, baseline_repeats=3,
    ),
    Benchmark(
        "solve one variant, fresh process, nothing compiled", lambda: in_fresh_process(FRESH), budget=8.0, repeats=3,
        warm_up=False,
    ),
    Benchmark("load a saved table, checksum included", lambda: tables.read(table_file(), VARIANT), budget=0.020),
    Benchmark(
        "analyse one decision, game horizon", lambda: unremembered(analyze)(HERE, Horizon.GAME, table()), budget=0.001
    ),
    Benchmark("odds of all thirteen boxes", lambda: box_odds(HERE.dice, HERE.rolls_left), budget=0.001),
    Benchmark(
        "dicee.analyze, document in, document out",
        lambda: unremembered(analyze_document)(
            AnalyzeInput(
                dice=HERE.dice, rolls_remaining=2, scorecard=CARD.to_wire(), rules_variant=VARIANT,
                horizon=Horizon.GAME,
            )
        ),
        budget=0.002,
    ),
    Benchmark(
        "advice in words", lambda: unremembered(advice.advise)(HERE, advice.Depth.EXPERT, table=table()), budget=0.010
    ),
    Benchmark(
        "simulate 100 000 optimal games", lambda: simulate(START, 100_000, 1, table=table()), budget=5.0, repeats=3
    ),
    Benchmark("peak memory in a fresh process", peak_memory, repeats=1, warm_up=False),
)  # fmt: skip

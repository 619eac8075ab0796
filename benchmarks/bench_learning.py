"""The learning model against its budgets: a decision observed, a game summed up, a player profiled, a drill made."""

from __future__ import annotations

from functools import cache
from itertools import count

from benchmarks.harness import Benchmark
from engine.dicee import tables
from engine.dicee.analysis import Analysis, Horizon, Position, analyze
from engine.dicee.boxes import Scorecard, Variant
from engine.dicee.learning import Concept, GameDigest, digest, make_drill, observe, profile
from engine.dicee.learning.students import STUDENTS, observations, play
from engine.dicee.tables import Table

KINDS = {student.name: student for student in STUDENTS}
HERE = Position(Scorecard.from_wire({"sixes": 18, "fives": 15, "chance": 22}), Variant.STANDARD, (3, 3, 5, 5, 2), 2)
GAMES = 60
seeds = count(1)


@cache
def table() -> Table:
    return tables.load(Variant.STANDARD)


@cache
def found() -> Analysis:
    return analyze(HERE, Horizon.GAME, table())


@cache
def term() -> list[GameDigest]:
    """The games a profile looks back on."""
    played = [play(KINDS["very careless"], seed, table()) for seed in range(GAMES)]
    return [digest(observations(game, table()), game.score) for game in played]


def drill() -> object:
    """Concepts and difficulties in turn, every time another seed."""
    seed = next(seeds)
    return make_drill(list(Concept)[seed % len(Concept)], seed // len(Concept) % 3 + 1, seed, table())


BENCHMARKS = (
    Benchmark("observe one decision", lambda: observe(HERE, found().best, found()), budget=0.002),
    Benchmark(
        "play and observe 20 games",
        lambda: [observations(play(KINDS["stops early"], next(seeds), table()), table()) for _ in range(20)],
        budget=2.0,
        repeats=5,
    ),
    Benchmark("profile of 60 games", lambda: profile(term()), budget=0.4, repeats=10),
    Benchmark("make a drill", drill, budget=0.05, repeats=36),
)

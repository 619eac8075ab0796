"""Plain dice: distributions against two libraries that do the same."""

from __future__ import annotations

import dyce
import icepool

from benchmarks.harness import Benchmark
from engine.dice.notation import _kept, parse
from engine.dice.pmf import Pmf
from engine.dice.rolls import DiceTray


def keep_three_of_four() -> Pmf:
    """Without the cache that would make a second call free."""
    return _kept.__wrapped__(4, 6, 3, True)


BENCHMARKS = [
    Benchmark("100D6", lambda: parse("100D6").distribution, lambda: 100 @ icepool.d6, "icepool", budget=0.005),
    Benchmark("100D6 against dyce", lambda: Pmf.die(6).repeat(100), lambda: 100 @ dyce.H(6), "dyce", budget=0.005),
    Benchmark("4D6 keep highest 3", keep_three_of_four, lambda: icepool.d6.highest(4, 3), "icepool", budget=0.005),
    Benchmark("20D20+2D8+3", lambda: parse("20D20+2D8+3").distribution, budget=0.005),
    Benchmark("a thousand proven dice", lambda: DiceTray(seed=1).roll_batch(1000), budget=0.050),
]

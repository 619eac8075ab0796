"""Dice: twelve named problems beside two libraries that do the same, in the same run; the language itself.

Others list every roll or keep every multiset: what makes them slow or give up is here.
"""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Callable

import dyce
import icepool

from benchmarks.harness import Benchmark
from engine.dice.language.pools import dice, sets
from engine.dice.language.program import Plan, read
from engine.dice.language.table import longest_run
from engine.dice.rolls import DiceTray

PAGE = 0.5  # what a page may take for any of them


def ours(text: str) -> Callable[[], object]:
    """The exact answer from a program that has been read, as the libraries are asked with ready expressions."""
    plan = Plan(read(text))

    def run() -> object:
        for remembered in (dice.exploded_total, sets.asked_once):  # what helps only a second time is forgotten first
            remembered.cache_clear()
        return plan.answer()

    return run


def from_text(text: str) -> Callable[[], object]:
    """Reading, planning and answering."""
    return lambda: Plan(read(text)).answer()


def d(sides: int) -> icepool.Die[int]:
    return icepool.d(sides)


#: icepool's own evaluators keep every answer they have given.
EVALUATORS = [
    evaluator for evaluator in vars(icepool.evaluator).values() if isinstance(evaluator, icepool.MultisetEvaluator)
]


def fresh(ask: Callable[[], object]) -> Callable[[], object]:
    """icepool keeps what it has computed; a fair comparison forgets it."""

    def run() -> object:
        icepool.Pool.clear_cache()
        for evaluator in EVALUATORS:
            vars(evaluator).pop("_cache", None)
        return ask()

    return run


def dyce_listed(count: int, sides: int, result: Callable[[tuple[int, ...]], int]) -> Callable[[], object]:
    """Every set of faces in turn, which is dyce's way to questions about single dice."""

    def run() -> object:
        weights: dict[int, int] = {}
        for faces, ways in dyce.P(*[dyce.H(sides)] * count).rolls_with_counts():
            value = result(faces)
            weights[value] = weights.get(value, 0) + ways
        return weights

    return run


def dyce_kept(count: int, sides: int, keep: int) -> Callable[[], object]:
    return dyce_listed(count, sides, lambda faces: sum(faces[-keep:]))


def dyce_highest(count: int, sides: int) -> Callable[[], object]:
    def run() -> object:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the library calls this way experimental
            return dyce.H(sides).order_stat_for_n_at_pos(count, count - 1)

    return run


def dyce_against(count: int, sides: int) -> Callable[[], object]:
    return lambda: (count @ dyce.H(sides)).gt(count @ dyce.H(sides))


def won(a: tuple[int, ...], b: tuple[int, ...]) -> int:
    return sum(x > y for x, y in zip(a[::-1], b[::-1], strict=False))


def dyce_risk(left: int, right: int) -> Callable[[], object]:
    def run() -> object:
        weights: dict[int, int] = {}
        for a, ways in dyce.P(*[dyce.H(6)] * left).rolls_with_counts():
            for b, more in dyce.P(*[dyce.H(6)] * right).rolls_with_counts():
                weights[won(a, b)] = weights.get(won(a, b), 0) + ways * more
        return weights

    return run


def risk(left: int, right: int) -> Callable[[], object]:
    def run() -> object:
        attack, defence = d(6).pool(left).expand(), d(6).pool(right).expand()
        return icepool.map(won, attack, defence)

    return run


def dyce_explode(count: int, sides: int) -> Callable[[], object]:
    def run() -> object:
        die = total = dyce.H(sides)
        for _ in range(10):
            weights: dict[int, int] = {}
            for face, ways in die.items():
                more = {0: 1} if face < sides else dict(total.items())
                scale = total.total if face < sides else 1
                for extra, number in more.items():
                    weights[face + extra] = weights.get(face + extra, 0) + ways * number * scale
            total = dyce.H(weights)
        return count @ total

    return run


#: The problem, its text, and how icepool and dyce are asked for it. dyce takes a minute for 100d100.
PROBLEMS: tuple[tuple[str, str, Callable[[], object] | None, Callable[[], object] | None], ...] = (
    ("highest 1 of 9d20", "9D20kh1", fresh(lambda: d(20).highest(9, 1)), dyce_highest(9, 20)),
    ("highest 3 of 4d6", "4D6kh3", fresh(lambda: d(6).highest(4, 3)), dyce_kept(4, 6, 3)),
    ("highest 5 of 10d10", "10D10kh5", fresh(lambda: d(10).highest(10, 5)), dyce_kept(10, 10, 5)),
    ("4d6 against 4d6", "4D6 vs 4D6", fresh(lambda: (4 @ d(6)) > (4 @ d(6))), dyce_against(4, 6)),
    ("100d6", "100D6", fresh(lambda: 100 @ d(6)), lambda: 100 @ dyce.H(6)),
    ("100d100", "100D100", fresh(lambda: 100 @ d(100)), None),
    ("8d10 exploding ten times", "8D10!", fresh(lambda: 8 @ d(10).explode(depth=10)), dyce_explode(8, 10)),
    ("20d6 count 5 or more", "20D6 count >=5", fresh(lambda: 20 @ (d(6) >= 5)), lambda: 20 @ dyce.H(6).ge(5)),
    ("largest set of 10d10", "largest_set(10D10)", fresh(lambda: d(10).pool(10).largest_count()),
     dyce_listed(10, 10, lambda faces: max(map(faces.count, faces)))),
    ("longest run of 10d10", "longest_run(10D10)", fresh(lambda: d(10).pool(10).largest_straight()),
     dyce_listed(10, 10, lambda faces: longest_run(Counter(faces)))),
    ("pairs in 10d10", "pairs(10D10)", fresh(lambda: d(10).pool(10).keep_counts(">=", 2).unique().size()),
     dyce_listed(10, 10, lambda faces: sum(faces.count(face) > 1 for face in set(faces)))),
    ("RISK, 3 against 2", "pair_off(3D6, 2D6)", fresh(risk(3, 2)), dyce_risk(3, 2)),
)  # fmt: skip


#: What takes a library a second is asked of it twice, not six times.
SLOW = {
    "100d100", "8d10 exploding ten times", "highest 5 of 10d10", "largest set of 10d10", "longest run of 10d10",
    "pairs in 10d10",
}  # fmt: skip


def _benchmarks() -> list[Benchmark]:
    made = []
    for name, text, with_icepool, with_dyce in PROBLEMS:
        for library, ask in (("icepool", with_icepool), ("dyce", with_dyce)):
            if ask is not None:
                times = 1 if name in SLOW else 9
                made.append(Benchmark(name, ours(text), ask, library, PAGE, at_least=1, baseline_repeats=times))
    return made


BENCHMARKS = [
    *_benchmarks(),
    *(Benchmark(f"{name}, text included", from_text(text), budget=PAGE) for name, text, _, _ in PROBLEMS),
    Benchmark("ten thousand worlds: two D100 compared", ours("a = D100; b = D100; a - b given a > b"), budget=0.05),
    Benchmark("a thousand proven dice", lambda: DiceTray(seed=1).roll_batch(1000), budget=0.050),
]

"""Dice by counting: every combination of faces, with exact fractions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable
from fractions import Fraction
from itertools import product


def combinations(sides: list[int]) -> list[tuple[int, ...]]:
    return list(product(*(range(1, n + 1) for n in sides)))


def kept_sum(count: int, sides: int, keep: int, high: bool) -> dict[int, Fraction]:
    """The sum of the best or worst ``keep`` dice, over every roll."""
    sums = Counter(sum(sorted(faces, reverse=high)[:keep]) for faces in combinations([sides] * count))
    return {total: Fraction(n, sides**count) for total, n in sums.items()}


def exploding(sides: int, on: int, most: int) -> dict[int, Fraction]:
    """An exploding die by following every branch."""
    out: Counter[int] = Counter()

    def follow(total: int, left: int, chance: Fraction) -> None:
        for face in range(1, sides + 1):
            here = chance / sides
            if face >= on and left:
                follow(total + face, left - 1, here)
            else:
                out[total + face] += here  # type: ignore[assignment]

    follow(0, most, Fraction(1))
    return dict(out)  # type: ignore[arg-type]


def every_roll(run: Callable[[Callable[[int], int]], Hashable]) -> dict[Hashable, Fraction]:
    """The distribution of anything that asks for dice, by playing through every roll it can ask for.

    ``run`` gets a function that rolls a die of so many sides. It is run once for every path: the first with ones only,
    then each time with the last die that can still go up one higher.
    """
    results: dict[Hashable, Fraction] = {}
    path: list[int] = []
    while True:
        sides: list[int] = []

        def die(n: int, path: list[int] = path, sides: list[int] = sides) -> int:
            if len(sides) == len(path):
                path.append(1)
            sides.append(n)
            return path[len(sides) - 1]

        value = run(die)
        chance = Fraction(1)
        for n in sides:
            chance /= n
        results[value] = results.get(value, Fraction(0)) + chance
        while path and path[-1] == sides[len(path) - 1]:
            path.pop()
        if not path:
            return results
        path[-1] += 1

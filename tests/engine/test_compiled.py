"""Compiled loops: what works in place gives what Python gives, and cannot make an array."""

from __future__ import annotations

from collections.abc import Callable

import numba
import numpy as np
import pytest
from numpy.typing import NDArray

from engine.compiled import compiled_in_place

Floats = NDArray[np.float64]


def add_up(numbers: Floats, sums: Floats) -> float:
    total = 0.0
    for at in range(len(numbers)):
        total += numbers[at]
        sums[at] = total
    return total


def doubled(numbers: Floats) -> float:
    twice = np.empty(len(numbers))
    for at in range(len(numbers)):
        twice[at] = 2 * numbers[at]
    return float(twice[-1])


def kept_copy(numbers: Floats) -> float:
    copy = numbers.copy()
    return float(copy[-1])


def test_a_loop_in_place_gives_what_its_python_gives() -> None:
    numbers = np.random.default_rng(7).random(50)
    expected, found = np.empty(50), np.empty(50)
    assert compiled_in_place(add_up)(numbers, found) == add_up(numbers, expected)
    assert (found == expected).all()


@pytest.mark.parametrize("loop", [doubled, kept_copy])
def test_a_loop_in_place_that_makes_an_array_is_refused(loop: Callable[[Floats], float]) -> None:
    with pytest.raises(numba.core.errors.NumbaError):
        compiled_in_place(loop)(np.ones(3))

"""The window of a joint distribution: nothing that could be seen is left outside it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from engine.warhammer40k.allocation import power


def by_transform(step: NDArray[np.float64], times: int) -> NDArray[np.float64]:
    """The same sum by Fourier transform: it knows no window."""
    shape = tuple(times * (length - 1) + 1 for length in step.shape)
    return np.fft.irfft2(np.fft.rfft2(step, shape) ** times, shape)


def assert_same(step: NDArray[np.float64], times: int) -> NDArray[np.float64]:
    got, expected = power(step, times), by_transform(step, times)
    padded = np.zeros_like(expected)
    padded[: got.shape[0], : got.shape[1]] = got
    assert np.abs(padded - expected).max() < 1e-14
    assert got.sum() == pytest.approx(1.0, abs=1e-13)
    return got


@settings(max_examples=30, deadline=None)
@given(
    weights=st.lists(st.integers(0, 9), min_size=9, max_size=9).filter(any),
    times=st.integers(1, 60),
)
def test_every_table_and_number(weights: list[int], times: int) -> None:
    assert_same(np.array(weights, dtype=float).reshape(3, 3) / sum(weights), times)


def test_a_hundred_attacks_fill_a_small_part_of_the_square() -> None:
    step = np.zeros((5, 4))
    step[0, 0], step[1, 0], step[0, 1], step[2, 1], step[4, 3] = 0.5, 0.2, 0.15, 0.1, 0.05
    assert assert_same(step, 100).size < 0.4 * 401 * 301

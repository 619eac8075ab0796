"""Faces one after the other, with how many dice show each: the two ways every question about a pool uses."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from functools import lru_cache
from itertools import combinations_with_replacement, product
from math import comb, factorial, lgamma
from typing import TypeVar

import numpy as np

from engine.dice.language.pools.dice import Groups
from engine.dice.pmf import Array, Pmf
from engine.dice.progress import reported

S = TypeVar("S", bound=Hashable)


def face_numbers(p: Array, count: int) -> Array:
    """For each face, the chance that a Poisson variable of mean count × p is 0 … count."""
    mean = np.maximum(count * p, 1e-300)[:, None]
    numbers = np.arange(count + 1)
    weights = np.exp(numbers * np.log(mean) - mean - _log_factorials(count))
    weights[p <= 0] = 0.0
    weights[p <= 0, 0] = 1.0
    return np.asarray(weights)


@lru_cache(maxsize=256)
def _log_factorials(count: int) -> Array:
    return np.array([lgamma(n + 1) for n in range(count + 1)])


def toeplitz(weights: Array) -> Array:
    """The matrix that multiplies a polynomial (a row) by another and drops what is beyond the last dice."""
    size = len(weights)
    padded = np.concatenate((np.zeros(size - 1), weights))
    index = np.arange(size)[None, :] - np.arange(size)[:, None] + size - 1
    return np.asarray(padded[index])


def visit(groups: Groups, start: S, step: Callable[[S, int, int], S]) -> dict[S, float]:
    """Visit faces from the highest down; ``step`` says what a face shown by so many dice makes of a state."""
    states: dict[tuple[tuple[int, ...], S], float] = {(tuple(n for _, n in groups), start): 1.0}
    faces = list(faces_of_kinds([die.pmf for die, _ in groups]))
    for face, chances in reported((1 / len(faces), each) for each in faces):
        after: dict[tuple[tuple[int, ...], S], float] = {}
        for (left, state), p in states.items():
            for numbers, weight in shares(left, chances):
                key = (tuple(a - b for a, b in zip(left, numbers, strict=True)), step(state, face, sum(numbers)))
                after[key] = after.get(key, 0.0) + p * weight
        states = after
    return {state: p for (_, state), p in states.items()}


def faces_of_kinds(dice: list[Pmf]) -> Iterator[tuple[int, tuple[float, ...]]]:
    """Faces from the highest down, with each die's chance to show it if it shows nothing higher."""
    for face in sorted({face for die in dice for face, _ in die.items()}, reverse=True):
        yield face, tuple(_conditional(die, face) for die in dice)


def _conditional(die: Pmf, face: int) -> float:
    p = die.exactly(face)
    if not p:
        return 0.0
    return 1.0 if face == die.low else min(1.0, p / float(die.p[: face - die.low + 1].sum()))


def shares(left: tuple[int, ...], chances: tuple[float, ...]) -> Iterator[tuple[tuple[int, ...], float]]:
    """How many dice of each kind show a face, with the chance of it."""
    options = [_binomial(n, p) for n, p in zip(left, chances, strict=True)]
    for choice in product(*options):
        weight = 1.0
        for _, p in choice:
            weight *= p
        yield tuple(number for number, _ in choice), weight


@lru_cache(maxsize=4096)
def _binomial(n: int, p: float) -> tuple[tuple[int, float], ...]:
    if p <= 0:
        return ((0, 1.0),)
    if p >= 1:
        return ((n, 1.0),)
    return tuple((m, comb(n, m) * p**m * (1 - p) ** (n - m)) for m in range(n + 1))


def multisets(pmf: Pmf, count: int) -> Iterator[tuple[float, tuple[int, ...]]]:
    chances = dict(pmf.items())
    for faces in combinations_with_replacement(sorted(chances), count):
        ways, weight = factorial(count), 1.0
        for face in set(faces):
            number = faces.count(face)
            ways //= factorial(number)
            weight *= chances[face] ** number
        yield ways * weight, faces

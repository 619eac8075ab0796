"""Immutable distributions over whole numbers.

A :class:`Pmf` is a dense NumPy array of probabilities from ``low`` upwards. Dice totals are short and contiguous, so
a dense array beats a mapping: a sum of independent variables is one convolution, a tail is one cumulative sum.
Precision is that of doubles; totals are compared at ``TOLERANCE``.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from engine.dice.lazy import lazy
from engine.dice.progress import reported

TOLERANCE = 1e-9

Array = NDArray[np.float64]

#: A convolution is taken in blocks that stay in the processor's cache: from 10,000 values on that is ten times as fast.
BLOCK = 2048
#: So many results take long enough to say how far one is.
LONG = 50_000


def convolved(a: Array, b: Array) -> Array:
    """The distribution of a sum, from the probabilities of its two parts.

    >>> convolved(np.array([0.5, 0.5]), np.array([0.5, 0.5]))
    array([0.25, 0.5 , 0.25])
    """
    if min(a.size, b.size) <= BLOCK:
        return np.convolve(a, b)
    product = np.zeros(a.size + b.size - 1)
    for _ in _blocks(a, b, product):
        pass
    return product


def _blocks(a: Array, b: Array, product: Array) -> Iterator[int]:
    """Add a × b to ``product``, block by block; tells how many products were just added."""
    for start in range(0, a.size, BLOCK):
        part = np.convolve(a[start : start + BLOCK], b)
        product[start : start + part.size] += part
        yield min(BLOCK, a.size - start) * b.size


def _doublings(times: int) -> Iterator[bool]:
    """How a power is reached: doubled (True) or one more added (False), as the binary digits of ``times`` say."""
    for digit in bin(times)[3:]:
        yield True
        if digit == "1":
            yield False


def _power(p: Array, times: int) -> Array:
    """The probabilities of a sum of equal parts."""
    total = p
    for doubled in _doublings(times):
        total = convolved(total, total if doubled else p)
    return total


def _long_power(p: Array, times: int) -> Array:
    """The same, reported block by block: the last doubling is most of the work."""
    total, span, whole = p, p.size, 0
    for doubled in _doublings(times):
        other = span if doubled else p.size
        whole += span * other
        span += other - 1

    def steps() -> Iterator[tuple[float, None]]:
        nonlocal total
        for doubled in _doublings(times):
            other = total if doubled else p
            product = np.zeros(total.size + other.size - 1)
            for products in _blocks(total, other, product):
                yield products / whole, None
            total = product

    for _ in reported(steps()):
        pass
    return total


class Pmf:
    """P(X = low + i) = p[i]. Values are never changed once made.

    >>> two_dice = Pmf.die(6).repeat(2)
    >>> round(two_dice.at_least(10), 4), two_dice.mean
    (0.1667, 7.0)
    """

    __slots__ = ("__dict__", "low", "p")

    low: int
    p: Array

    def __init__(self, p: ArrayLike, low: int = 0) -> None:
        array = np.array(p, dtype=np.float64)
        if array.ndim != 1 or array.size == 0:
            raise ValueError("a distribution needs at least one probability")
        if not np.isfinite(array).all() or array.min() < -TOLERANCE:
            raise ValueError("probabilities must be finite and not negative")
        if abs(array.sum() - 1.0) > TOLERANCE:
            raise ValueError(f"probabilities must sum to 1, not {array.sum()!r}")
        self._keep(np.maximum(array, 0.0), low)

    def _keep(self, array: Array, low: int) -> None:
        """Store probabilities without the impossible values at either end."""
        if not (array[0] > 0 and array[-1] > 0):
            filled = np.flatnonzero(array > 0)
            first, last = int(filled[0]), int(filled[-1])
            array, low = array[first : last + 1], low + first
        array.flags.writeable = False
        object.__setattr__(self, "low", low)
        object.__setattr__(self, "p", array)

    @classmethod
    def trusted(cls, array: Array, low: int = 0) -> Pmf:
        """Made from distributions, so it adds up already: not checked, and the array is taken over, not copied."""
        made = cls.__new__(cls)
        made._keep(array, low)
        return made

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError("a distribution cannot be changed")

    # -- makers ---------------------------------------------------------------------------------------------------

    @classmethod
    def point(cls, value: int) -> Pmf:
        """The certain outcome."""
        return cls.trusted(np.ones(1), value)

    @classmethod
    def die(cls, sides: int) -> Pmf:
        """A fair die: 1 to ``sides``, all alike."""
        if sides < 1:
            raise ValueError(f"a die has at least one side, not {sides}")
        return cls(np.full(sides, 1.0 / sides), 1)

    @classmethod
    def from_weights(cls, weights: Mapping[int, float]) -> Pmf:
        """From a mapping of value to weight; weights are scaled to sum to 1.

        >>> Pmf.from_weights({0: 3, 2: 1}).at_least(1)
        0.25
        """
        total = float(sum(weights.values()))
        if total <= 0:
            raise ValueError("weights must have a positive sum")
        low = min(weights)
        array = np.zeros(max(weights) - low + 1)
        for value, weight in weights.items():
            array[value - low] += weight / total
        return cls(array, low)

    @classmethod
    def binomial(cls, trials: int, chance: float) -> Pmf:
        """How many of ``trials`` independent tries succeed."""
        return cls.from_weights({0: 1.0 - chance, 1: chance}).repeat(trials)

    @classmethod
    def mix(cls, parts: Iterable[tuple[float, Pmf]]) -> Pmf:
        """One of several distributions, each with its own chance.

        >>> Pmf.mix([(0.5, Pmf.point(0)), (0.5, Pmf.die(2))]).at_least(1)
        0.5
        """
        used = [(weight, part) for weight, part in parts if weight > 0]
        low = min(part.low for _, part in used)
        array = np.zeros(max(part.high for _, part in used) - low + 1)
        for weight, part in used:
            array[part.low - low : part.high - low + 1] += weight * part.p
        return cls(array, low)  # checked: the weights are the caller's

    # -- algebra --------------------------------------------------------------------------------------------------

    def convolve(self, other: Pmf) -> Pmf:
        """The sum of two independent variables."""
        return Pmf.trusted(convolved(self.p, other.p), self.low + other.low)

    def repeat(self, times: int) -> Pmf:
        """The sum of ``times`` independent copies, in log(times) convolutions."""
        if times < 0:
            raise ValueError(f"cannot repeat {times} times")
        if times == 0:
            return Pmf.point(0)
        if times == 1:
            return self
        power = _long_power if self.p.size * times > LONG else _power
        return Pmf.trusted(power(self.p, times), self.low * times)

    def copies_of(self, each: Pmf) -> Pmf:
        """The sum of a random number of copies, this being the number (Horner's scheme over the number).

        >>> round(Pmf.die(2).copies_of(Pmf.die(6)).mean, 6)
        5.25
        """
        if self.low < 0 or each.low < 0:
            raise ValueError("a number of copies, and what is added up, cannot be negative")
        if len(self.p) == 1:
            return each.repeat(self.low)
        step = np.concatenate((np.zeros(each.low), each.p))
        total = self.p[-1:]
        for chance in self.p[-2::-1]:
            total = convolved(total, step)
            total[0] += chance
        return Pmf.trusted(total, 0).convolve(each.repeat(self.low))

    def map(self, f: Callable[[int], int]) -> Pmf:
        """The distribution of f(X)."""
        weights: dict[int, float] = {}
        for value, p in self.items():
            weights[f(value)] = weights.get(f(value), 0.0) + p
        return Pmf.from_weights(weights)

    def shift(self, by: int) -> Pmf:
        return Pmf.trusted(self.p, self.low + by) if by else self

    def capped(self, most: int) -> Pmf:
        """Everything above ``most`` counts as ``most``: damage on a model with so many wounds."""
        return self if self.high <= most else self.map(lambda value: min(value, most))

    # -- questions ------------------------------------------------------------------------------------------------

    @property
    def high(self) -> int:
        return self.low + len(self.p) - 1

    @lazy
    def values(self) -> NDArray[np.int64]:
        return np.arange(self.low, self.high + 1)

    def items(self) -> Iterable[tuple[int, float]]:
        """Value and probability, lowest first, impossible values left out."""
        return ((self.low + i, float(p)) for i, p in enumerate(self.p) if p > 0)

    def exactly(self, value: int) -> float:
        return float(self.p[value - self.low]) if self.low <= value <= self.high else 0.0

    def at_least(self, value: int) -> float:
        """P(X ≥ value), summed from the small end so that rare tails keep their digits."""
        return float(self.p[max(0, value - self.low) :].sum()) if value > self.low else 1.0

    def at_most(self, value: int) -> float:
        return float(self.p[: max(0, value - self.low + 1)].sum()) if value < self.high else 1.0

    @lazy
    def mean(self) -> float:
        # Correctly rounded, so two dice average 7.0 whatever order this machine's BLAS would add in.
        return math.fsum((self.p * self.values).tolist())

    @lazy
    def variance(self) -> float:
        return float(self.p @ (self.values - self.mean) ** 2)

    @property
    def sd(self) -> float:
        return float(np.sqrt(self.variance))

    @property
    def mode(self) -> int:
        """The most likely value; the lowest of several."""
        return self.low + int(np.argmax(self.p))

    def quantile(self, q: float) -> int:
        """The smallest value whose P(X ≤ value) reaches ``q``.

        >>> Pmf.die(6).quantile(0.5)
        3
        """
        if not 0 <= q <= 1:
            raise ValueError(f"a quantile is asked between 0 and 1, not {q}")
        reached = np.flatnonzero(np.cumsum(self.p) >= q - TOLERANCE)
        return self.low + int(reached[0]) if reached.size else self.high

    def to_wire(self) -> list[float]:
        """The wire form: index is the value, trailing zeros dropped. Only for variables that cannot be negative."""
        if self.low < 0:
            raise ValueError("the wire form starts at 0; this distribution has negative values")
        return [0.0] * self.low + list(self.p.tolist())

    # -- plumbing -------------------------------------------------------------------------------------------------

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Pmf) and self.low == other.low and np.array_equal(self.p, other.p)

    def __hash__(self) -> int:
        return hash((self.low, self.p.tobytes()))

    def close_to(self, other: Pmf, tolerance: float = TOLERANCE) -> bool:
        """Equal up to rounding, value by value."""
        span = range(min(self.low, other.low), max(self.high, other.high) + 1)
        return all(abs(self.exactly(v) - other.exactly(v)) <= tolerance for v in span)

    def __repr__(self) -> str:
        return f"Pmf({self.low}…{self.high}, mean {self.mean:.6g})"

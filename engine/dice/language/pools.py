"""Dice side by side, counted exactly.

How many dice show each face is all that a pool's questions depend on, so faces are visited one after the other and
only what the question needs is carried along: never the single dice, never every roll.

* Given their sum, the numbers of dice per face are independent Poisson variables. Each face is therefore one
  polynomial in the number of dice, and a question multiplies them, picking the coefficient of all dice at the end
  (``_face_numbers``). Every term is positive: nothing cancels, precision is that of doubles.
* The sum of the highest ``k`` of ``n`` needs no state at all: it is a sum over the face of the k-th die and the number
  of dice above it (``_highest_sum``).
* Pools of different dice visit faces with the numbers left of each kind as the state (``_visit``).

Dice that add new dice are a mixture: with ``a`` dice on exploding faces and ``b`` on others (``Pool.expanded``).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations_with_replacement, pairwise, product
from math import comb, factorial, lgamma, log
from typing import TypeVar

import numpy as np

from engine.compiled import compiled
from engine.dice.language import syntax, table
from engine.dice.pmf import Array, Pmf

S = TypeVar("S", bound=Hashable)

#: Alternatives less likely than this cannot change a double any more.
NEGLIGIBLE = 1e-20


@dataclass(frozen=True, slots=True)
class Die:
    """One kind of die. With ``explodes``, each of those faces adds another such die, up to ``limit`` times."""

    pmf: Pmf
    explodes: frozenset[int] = frozenset()
    limit: int = 0

    @property
    def total(self) -> Pmf:
        """The die with all that it adds, as one number."""
        return exploded_total(self.pmf, self.explodes, self.limit) if self.explodes else self.pmf


Groups = tuple[tuple[Die, int], ...]


@dataclass(frozen=True, slots=True)
class Pool:
    """Dice side by side: alternatives with their chances, each so many of several kinds of dice."""

    parts: tuple[tuple[float, Groups], ...]

    @classmethod
    def of(cls, pmf: Pmf, count: int) -> Pool:
        return cls(((1.0, ((Die(pmf), count),)),))

    @classmethod
    def fixed(cls, faces: Iterable[int]) -> Pool:
        """Dice that have been rolled already."""
        return cls(((1.0, tuple((Die(Pmf.point(face)), 1) for face in faces)),))

    @classmethod
    def mixture(cls, pools: Iterable[tuple[float, Pool]]) -> Pool:
        return cls(tuple((weight * p, groups) for weight, pool in pools for p, groups in pool.parts if weight * p > 0))

    @classmethod
    def joined(cls, pools: Iterable[Pool]) -> Pool:
        """All dice of several pools."""
        parts: list[tuple[float, Groups]] = [(1.0, ())]
        for pool in pools:
            parts = [(w * p, (*groups, *more)) for w, groups in parts for p, more in pool.parts]
        return cls(tuple(parts))

    def each(self, change: Callable[[Pmf], Pmf]) -> Pool:
        """The same change to every die."""
        pool = self.expanded()
        return Pool(tuple((p, tuple((Die(change(die.pmf)), n) for die, n in groups)) for p, groups in pool.parts))

    def exploding(self, faces: syntax.Faces, limit: int) -> Pool:
        """Every die adds a new one on those faces of its own."""
        if not limit:
            return self
        pool = self.expanded()
        return Pool(
            tuple(
                (p, tuple((Die(die.pmf, chosen(die.pmf, faces), limit), n) for die, n in groups))
                for p, groups in pool.parts
            )
        )

    def expanded(self) -> Pool:
        """The same pool with all added dice in it, as a mixture over how many there are."""
        if not any(die.explodes for _, groups in self.parts for die, _ in groups):
            return self
        whole: list[tuple[float, Groups]] = []
        for weight, groups in self.parts:
            alternatives = [_alternatives(die, n) if die.explodes else [(1.0, ((die, n),))] for die, n in groups]
            for choice in product(*alternatives):
                p = weight
                for chance, _ in choice:
                    p *= chance
                if p > NEGLIGIBLE:
                    whole.append((p, tuple(group for _, more in choice for group in more)))
        return Pool(tuple(whole))

    @property
    def size(self) -> int:
        """The largest number of dice there can be."""
        return max(sum(n for _, n in groups) for _, groups in self.parts)

    # -- questions ----------------------------------------------------------------------------------------------------

    def sum(self) -> Pmf:
        kinds = {groups[0][0] for _, groups in self.parts if len(groups) == 1}
        if len(self.parts) > 1 and len(kinds) == 1 and all(len(groups) == 1 for _, groups in self.parts):
            (die,) = kinds
            number = Pmf.from_weights(_added((groups[0][1], p) for p, groups in self.parts))
            total = die.total
            # Horner's scheme wants nothing negative: shift every die, and shift back by the number of dice.
            if total.low >= 0:
                return number.copies_of(total)
        return mixed((p, _sum_of(groups)) for p, groups in self.parts)

    def kept(self, keep: syntax.Keep | syntax.Trim) -> Pmf:
        """The sum of the dice of certain ranks."""
        return mixed((p, _kept(groups, keep)) for p, groups in self.expanded().parts)

    def reroll_lowest(self, number: int) -> Pmf:
        """The sum after the lowest dice have been rolled again, once."""
        parts = []
        for p, groups in self.expanded().parts:
            pmf, n = single(groups)
            again = min(number, n)
            high = syntax.Keep(syntax.Number(0), "lowest", again, drop=True)
            rest = _kept(groups, high) if again < n else Pmf.point(0)
            parts.append((p, rest.convolve(pmf.repeat(again))))
        return mixed(parts)

    def counted(self, count: syntax.Count) -> Pmf:
        """How many dice count, as ``table.counted`` says of one roll."""
        return mixed((p, _counted(groups, count)) for p, groups in self.parts)

    def asked(self, question: syntax.PoolQuestion, size: int) -> Pmf:
        """A question about all dice together, as ``table.asked`` says of one roll."""
        if question == "sum":
            return self.sum()
        return mixed((p, _asked(groups, question, size)) for p, groups in self.expanded().parts)

    def multisets(self) -> Iterator[tuple[float, tuple[int, ...]]]:
        """Every set of faces with its chance, dice of one kind in no order."""
        for p, groups in self.expanded().parts:
            choices = [list(_multisets(die.pmf, n)) for die, n in groups]
            for choice in product(*choices):
                chance = p
                for weight, _ in choice:
                    chance *= weight
                yield chance, tuple(face for _, faces in choice for face in faces)


@lru_cache(maxsize=1024)
def fair_die(sides: int) -> Pmf:
    """A die of so many sides, made once."""
    return Pmf.die(sides)


def single(groups: Groups) -> tuple[Pmf, int]:
    """The one kind of dice of a group; a pool of different dice has none."""
    if len({die for die, _ in groups}) != 1:
        raise ValueError("dice rolled again must be of one kind")
    return groups[0][0].pmf, sum(n for _, n in groups)


def mixed(parts: Iterable[tuple[float, Pmf]]) -> Pmf:
    """One of several distributions, each with its chance; chances that do not add up to 1 are scaled."""
    used = [(weight, part) for weight, part in parts if weight > 0]
    if len(used) == 1:
        return used[0][1]
    low = min(part.low for _, part in used)
    array = np.zeros(max(part.high for _, part in used) - low + 1)
    for weight, part in used:
        array[part.low - low : part.high - low + 1] += weight * part.p
    return Pmf.trusted(array / array.sum(), low)


def chosen(pmf: Pmf, faces: syntax.Faces) -> frozenset[int]:
    """Which faces of a die belong to a set."""
    return frozenset(face for face, _ in pmf.items() if faces.include(face, pmf.high))


def _added(pairs: Iterable[tuple[int, float]]) -> dict[int, float]:
    total: dict[int, float] = {}
    for value, weight in pairs:
        total[value] = total.get(value, 0.0) + weight
    return total


# -- one die ----------------------------------------------------------------------------------------------------------


def rerolled(pmf: Pmf, faces: frozenset[int], once: bool) -> Pmf:
    """A die rolled again on some faces, once or until it shows another.

    >>> rerolled(Pmf.die(6), frozenset({1}), once=True).exactly(1) == 1 / 36
    True
    """
    hit = np.array([value in faces for value in pmf.values.tolist()])
    again = float(pmf.p[hit].sum())
    stay = np.where(hit, 0.0, pmf.p)
    if once:
        return Pmf.trusted(stay + again * pmf.p, pmf.low)
    return Pmf.trusted(stay / stay.sum(), pmf.low)


def clamped(pmf: Pmf, low: int | None, high: int | None) -> Pmf:
    """A die that counts as at least ``low`` and at most ``high``."""
    values = np.clip(pmf.values, low, high)
    start = int(values.min())
    return Pmf.trusted(np.bincount(values - start, weights=pmf.p).astype(np.float64), start)


@lru_cache(maxsize=256)
def exploded_total(pmf: Pmf, faces: frozenset[int], limit: int, less: int = 0) -> Pmf:
    """A die and all dice it adds as one number, each added die ``less`` lower than it shows.

    With E the exploding faces and N the others, as polynomials: N (1 + E + … + E^limit) + E^(limit + 1), by Horner.
    """
    hit = np.array([value in faces for value in pmf.values.tolist()])
    stop, go = np.where(hit, 0.0, pmf.p), np.where(hit, pmf.p, 0.0)
    total, low = pmf.p, pmf.low
    for _ in range(limit):
        further = np.convolve(go, total)
        start = pmf.low + low - less
        first = min(start, pmf.low)
        array = np.zeros(max(start + len(further), pmf.low + len(stop)) - first)
        array[start - first : start - first + len(further)] += further
        array[pmf.low - first : pmf.low - first + len(stop)] += stop
        total, low = array, first
    return Pmf.trusted(total, low)


def _alternatives(die: Die, count: int) -> list[tuple[float, Groups]]:
    """How many dice end on exploding faces and how many on others, and what those dice are like."""
    hit = np.array([value in die.explodes for value in die.pmf.values.tolist()])
    again = float(die.pmf.p[hit].sum())
    if again >= 1.0:
        return [(1.0, ((Die(die.pmf), count * (die.limit + 1)),))]
    on = Pmf.trusted(np.where(hit, die.pmf.p, 0.0) / again, die.pmf.low)
    off = Pmf.trusted(np.where(hit, 0.0, die.pmf.p) / (1 - again), die.pmf.low)
    # One die: d exploding dice and one other, or limit + 1 exploding dice and no other.
    numbers: dict[tuple[int, int], float] = {(0, 0): 1.0}
    chain = [((d, 1), again**d * (1 - again)) for d in range(die.limit + 1)]
    chain.append(((die.limit + 1, 0), again ** (die.limit + 1)))
    for _ in range(count):
        after: dict[tuple[int, int], float] = {}
        for (a, b), p in numbers.items():
            for (more_a, more_b), q in chain:
                if p * q > NEGLIGIBLE:
                    after[a + more_a, b + more_b] = after.get((a + more_a, b + more_b), 0.0) + p * q
        numbers = after
    return [(p, tuple((Die(pmf), n) for pmf, n in ((on, a), (off, b)) if n)) for (a, b), p in numbers.items() if p > 0]


# -- sums -------------------------------------------------------------------------------------------------------------


def _sum_of(groups: Groups) -> Pmf:
    total = Pmf.point(0)
    for die, n in groups:
        total = total.convolve(die.total.repeat(n))
    return total


def _kept(groups: Groups, keep: syntax.Keep | syntax.Trim) -> Pmf:
    size = sum(n for _, n in groups)
    high, low = table.ranks(keep, size)
    if size - high - low <= 0:
        return Pmf.point(0)
    if not high and not low:
        return _sum_of(groups)
    if len(groups) == 1:
        return ranked_sum(groups[0][0].pmf, size, high, low)
    if (layers := _layers(groups)) is not None:
        return _kept_of_layers(layers, high, size - low)
    return _kept_of_kinds(groups, high, low)


def ranked_sum(pmf: Pmf, count: int, high: int, low: int) -> Pmf:
    """The sum of equal dice without the ``high`` highest and ``low`` lowest.

    >>> round(ranked_sum(Pmf.die(6), 4, 0, 1).mean, 4)
    12.2446
    """
    if len(pmf.p) == 1:
        return Pmf.point((count - high - low) * pmf.low)
    if not high:
        return _highest_sum(pmf, count, count - low)
    if not low:
        mirrored = _highest_sum(Pmf.trusted(pmf.p[::-1], -pmf.high), count, count - high)
        return Pmf.trusted(mirrored.p[::-1], -mirrored.high)
    return _middle_sum(pmf, count, high, low)


def _highest_sum(pmf: Pmf, count: int, keep: int) -> Pmf:
    """The sum of the highest ``keep`` of ``count`` equal dice.

    Let the last die kept show t, a dice more, and the rest no more than t: C(n, a) ways for the dice above, whose sum
    is an a-fold convolution of the faces above t, times the chance that at least k - a of the others show t.
    """
    if keep == count:
        return pmf.repeat(count)
    p = pmf.p
    if keep == 1:
        # A power multiplies a rounding error by the number of dice, so it is taken with more digits than a double has.
        precise = np.cumsum(p.astype(np.longdouble) if count > 16 else p)
        reached = (precise / precise[-1]) ** count
        reached[1:] -= reached[:-1].copy()
        return Pmf.trusted(reached.astype(np.float64), pmf.low)
    span = len(p) - 1
    total = np.zeros(keep * span + 1)
    if count <= FEW_DICE:
        _add_highest(p, count, keep, _pascal(), total)
        return Pmf.trusted(total / total.sum(), keep * pmf.low)
    below = np.concatenate(([0.0], np.cumsum(p)))
    for t in range(span, -1, -1):
        if p[t] <= 0:
            continue
        above, sums = p[t + 1 :], np.ones(1)
        for a in range(keep):
            if a and not len(above):
                break
            if a:
                sums = np.convolve(sums, above)
            start = a * (t + 1) + (keep - a) * t
            weight = comb(count, a) * _at_least(count - a, keep - a, float(p[t]), float(below[t]))
            total[start : start + len(sums)] += weight * sums
    return Pmf.trusted(total / total.sum(), keep * pmf.low)


#: Up to so many dice powers and binomials stay within a double, and the sum is a compiled loop.
FEW_DICE = 60


@lru_cache(maxsize=1)
def _pascal() -> Array:
    """Pascal's triangle, for a few dice."""
    rows = range(FEW_DICE + 1)
    return np.array([[float(comb(n, k)) for k in rows] for n in rows])


@compiled
def _add_highest(p: Array, count: int, keep: int, pascal: Array, total: Array) -> None:
    """The sum of :func:`_highest_sum` for a few dice."""
    span = len(p) - 1
    sums, further = np.zeros(keep * span + 1), np.zeros(keep * span + 1)
    for t in range(span, -1, -1):
        miss = 0.0
        for face in range(t):
            miss += p[face]
        if p[t] <= 0.0:
            continue
        sums[0], length = 1.0, 1
        for a in range(keep):
            if a:
                if t == span:
                    break
                further[: length + span - t] = 0.0
                for i in range(length):
                    for face in range(t + 1, span + 1):
                        further[i + face - t - 1] += sums[i] * p[face]
                length += span - t - 1
                sums[:length] = further[:length]
            trials, weight = count - a, 0.0
            for hits in range(keep - a, trials + 1):
                weight += pascal[trials, hits] * p[t] ** hits * miss ** (trials - hits)
            start = a * (t + 1) + (keep - a) * t
            for i in range(length):
                total[start + i] += pascal[count, a] * weight * sums[i]


def _at_least(trials: int, least: int, hit: float, miss: float) -> float:
    """The weight of at least ``least`` hits, where a trial hits with weight ``hit`` and misses with ``miss``."""
    if not miss:
        return float(hit**trials)
    if trials <= 24:
        weights = (comb(trials, m) * hit**m * miss ** (trials - m) for m in range(least, trials + 1))
        return float(sum(weights))
    m = np.arange(least, trials + 1)
    row = _binomials(trials)[least:]
    with np.errstate(under="ignore", invalid="ignore", over="ignore"):
        terms = np.exp(row + m * log(hit) + (trials - m) * log(miss))
    return float(terms.sum())


@lru_cache(maxsize=2048)
def _binomials(n: int) -> Array:
    """Logarithms of a row of Pascal's triangle."""
    return np.array([lgamma(n + 1) - lgamma(m + 1) - lgamma(n - m + 1) for m in range(n + 1)])


def _middle_sum(pmf: Pmf, count: int, high: int, low: int) -> Pmf:
    """As :func:`ranked_sum`, from the highest face down, carrying the dice placed and the sum of those that count."""
    last, span = count - low, len(pmf.p) - 1
    sums = np.zeros((last - high) * span + 1)
    _place_middle(_face_numbers(pmf.p, count), pmf.p, high, last, sums)
    return Pmf.trusted(sums / sums.sum(), (last - high) * pmf.low)


@compiled
def _place_middle(numbers: Array, p: Array, high: int, last: int, sums: Array) -> None:
    count, size = numbers.shape[1] - 1, len(sums)
    state = np.zeros((count + 1, size))
    state[0, 0] = 1.0
    for face in range(len(p) - 1, -1, -1):
        if p[face] <= 0.0:
            continue
        for placed in range(count, -1, -1):  # in place: dice are only added, so the largest number goes first
            for more in range(count - placed, 0, -1):
                gain = face * max(0, min(placed + more, last) - max(placed, high))
                weight = numbers[face, more]
                for total in range(size - gain):
                    state[placed + more, total + gain] += weight * state[placed, total]
            for total in range(size):
                state[placed, total] *= numbers[face, 0]
    sums[:] = state[count]


def _layers(groups: Groups) -> Groups | None:
    """The groups from the highest down, if every die of one shows more than every die of the next."""
    ordered = sorted((group for group in groups if group[1]), key=lambda group: group[0].pmf.low, reverse=True)
    apart = all(upper.pmf.low > lower.pmf.high for (upper, _), (lower, _) in pairwise(ordered))
    return tuple(ordered) if apart else None


def _kept_of_layers(layers: Groups, first: int, last: int) -> Pmf:
    """Ranks ``first`` to ``last``, where each layer fills ranks of its own."""
    total, placed = Pmf.point(0), 0
    for die, n in layers:
        high = min(n, max(0, first - placed))
        low = min(n - high, max(0, placed + n - last))
        if high + low < n:
            total = total.convolve(ranked_sum(die.pmf, n, high, low))
        placed += n
    return total


def _kept_of_kinds(groups: Groups, high: int, low: int) -> Pmf:
    last = sum(n for _, n in groups) - low

    def place(state: tuple[int, int], face: int, more: int) -> tuple[int, int]:
        placed, total = state
        return placed + more, total + face * max(0, min(placed + more, last) - max(placed, high))

    return Pmf.from_weights(_added((total, p) for (_, total), p in _visit(groups, (0, 0), place).items()))


def _visit(groups: Groups, start: S, step: Callable[[S, int, int], S]) -> dict[S, float]:
    """Visit faces from the highest down; ``step`` says what a face shown by so many dice makes of a state."""
    states: dict[tuple[tuple[int, ...], S], float] = {(tuple(n for _, n in groups), start): 1.0}
    for face, chances in _faces_of_kinds([die.pmf for die, _ in groups]):
        after: dict[tuple[tuple[int, ...], S], float] = {}
        for (left, state), p in states.items():
            for numbers, weight in _shares(left, chances):
                key = (tuple(a - b for a, b in zip(left, numbers, strict=True)), step(state, face, sum(numbers)))
                after[key] = after.get(key, 0.0) + p * weight
        states = after
    return {state: p for (_, state), p in states.items()}


def _faces_of_kinds(dice: list[Pmf]) -> Iterator[tuple[int, tuple[float, ...]]]:
    """Faces from the highest down, with each die's chance to show it if it shows nothing higher."""
    for face in sorted({face for die in dice for face, _ in die.items()}, reverse=True):
        yield face, tuple(_conditional(die, face) for die in dice)


def _conditional(die: Pmf, face: int) -> float:
    p = die.exactly(face)
    if not p:
        return 0.0
    return 1.0 if face == die.low else min(1.0, p / float(die.p[: face - die.low + 1].sum()))


def _shares(left: tuple[int, ...], chances: tuple[float, ...]) -> Iterator[tuple[tuple[int, ...], float]]:
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


# -- counts -----------------------------------------------------------------------------------------------------------


def _counted(groups: Groups, count: syntax.Count) -> Pmf:
    net = _scored(groups, count, lambda face, top: True)
    assert net is not None
    low, total = net
    if count.botch is not None:
        botch = count.botch
        quiet = _scored(groups, count, lambda face, top: not table.succeeds(count, face, top))
        clean = _scored(
            groups, count, lambda face, top: not table.succeeds(count, face, top) and not botch.include(face, top)
        )
        botched = np.zeros_like(total)
        for part, sign in ((quiet, 1.0), (clean, -1.0)):
            if part is not None:
                botched[part[0] - low : part[0] - low + len(part[1])] += sign * part[1]
        botched = np.maximum(botched, 0.0)
        rest = _floored(np.maximum(total - botched, 0.0), low) if count.cancel else (low, total - botched)
        low, total = rest[0], np.maximum(rest[1], 0.0)
        start = min(low, -1)
        whole = np.zeros(max(low + len(total), 0) - start)
        whole[low - start : low - start + len(total)] += total
        whole[-1 - start] += botched.sum()
        return Pmf.trusted(whole / whole.sum(), start)
    if count.cancel is not None:
        low, total = _floored(total, low)
    return Pmf.trusted(total / total.sum(), low)


def _floored(total: Array, low: int) -> tuple[int, Array]:
    """Everything below nothing counts as nothing."""
    if low >= 0:
        return low, total
    if low + len(total) <= 1:
        return 0, np.array([total.sum()])
    return 0, np.concatenate(([total[: 1 - low].sum()], total[1 - low :]))


def _scored(groups: Groups, count: syntax.Count, allowed: Callable[[int, int], bool]) -> tuple[int, Array] | None:
    """The weights of the score of all dice when only some faces are allowed; None where no roll is."""
    low, total = 0, np.ones(1)
    for die, n in groups:
        if not n:
            continue
        stop, go = _score_weights(die, count, allowed)
        one = stop + go
        start = -2
        if die.explodes:
            start, one = _chained(stop, go, die.limit)
        if not one.any():
            return None
        power = _power(one, n)
        low, total = low + start * n, np.convolve(total, power)
    return low, total


def _score_weights(die: Die, count: syntax.Count, allowed: Callable[[int, int], bool]) -> tuple[Array, Array]:
    """The weights of one die's score from −2 to 2: where it stops, and where it adds another die."""
    top = die.pmf.high
    stop, go = np.zeros(5), np.zeros(5)
    for face, p in die.pmf.items():
        if allowed(face, top):
            (go if face in die.explodes else stop)[table.score(count, face, top) + 2] += p
    return stop, go


def _chained(stop: Array, go: Array, limit: int) -> tuple[int, Array]:
    """The score of a die and of all that it adds, by Horner: (lowest score, weights)."""
    low, total = -2, stop + go
    for _ in range(limit):
        further = np.convolve(go, total)
        first = min(low - 2, -2)
        array = np.zeros(max(low - 2 + len(further), 3) - first)
        array[low - 2 - first : low - 2 - first + len(further)] += further
        array[-2 - first : 3 - first] += stop
        low, total = first, array
    return low, total


def _power(weights: Array, times: int) -> Array:
    total, power = np.ones(1), weights
    while times:
        if times & 1:
            total = np.convolve(total, power)
        times >>= 1
        if times:
            power = np.convolve(power, power)
    return total


# -- sets, runs and the like ------------------------------------------------------------------------------------------


def _asked(groups: Groups, question: syntax.PoolQuestion, size: int) -> Pmf:
    if not sum(n for _, n in groups):
        return Pmf.point(table.asked(question, size, ()))
    if len(groups) > 1:
        return _asked_of_kinds(groups, question, size)
    (die, count), *_ = groups
    pmf = die.pmf
    if question == "highest_count":
        return _highest_and_how_many(pmf, count)
    if question == "largest_set":
        return _largest_set(pmf, count)
    if question == "longest_run":
        return _longest_run(pmf, count)
    return _sets(pmf, count, size if question == "sets" else 1)


def _face_numbers(p: Array, count: int) -> Array:
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


def _toeplitz(weights: Array) -> Array:
    """The matrix that multiplies a polynomial (a row) by another and drops what is beyond the last dice."""
    size = len(weights)
    padded = np.concatenate((np.zeros(size - 1), weights))
    index = np.arange(size)[None, :] - np.arange(size)[:, None] + size - 1
    return np.asarray(padded[index])


def _sets(pmf: Pmf, count: int, size: int) -> Pmf:
    """How many faces are shown by at least ``size`` dice: a polynomial in the dice for each number of sets."""
    numbers = _face_numbers(pmf.p[pmf.p > 0], count)
    most = min(count // size, len(numbers))
    state = np.zeros((most + 1, count + 1))
    state[0, 0] = 1.0
    few, many = numbers.copy(), numbers.copy()
    few[:, size:], many[:, :size] = 0.0, 0.0
    same = bool((numbers == numbers[0]).all())
    steps = (_toeplitz(few[0]), _toeplitz(many[0])) if same else None
    for face in range(len(numbers)):
        left, up = steps or (_toeplitz(few[face]), _toeplitz(many[face]))
        after = state @ left
        after[1:] += state[:-1] @ up
        state = after
    return Pmf.trusted(state[:, count] / state[:, count].sum())


def _largest_set(pmf: Pmf, count: int) -> Pmf:
    """The chance of no set above m is the coefficient of all dice in a product of polynomials cut off at m."""
    numbers = _face_numbers(pmf.p[pmf.p > 0], count)
    same = bool((numbers == numbers[0]).all())
    up_to = np.zeros(count + 1)
    for m in range(-(-count // len(numbers)), count + 1):
        if same:
            up_to[m] = _power_up_to(numbers[0, : m + 1], len(numbers), count)[count]
            continue
        total = np.ones(1)
        for row in numbers:
            total = np.convolve(total, row[: m + 1])[: count + 1]
        up_to[m] = total[count] if len(total) > count else 0.0
    return Pmf.trusted(np.maximum(np.diff(up_to, prepend=0.0), 0.0) / up_to[count])


def _power_up_to(weights: Array, times: int, most: int) -> Array:
    """A power of a polynomial without the terms beyond ``most``."""
    total, power = np.ones(1), weights
    while times:
        if times & 1:
            total = np.convolve(total, power)[: most + 1]
        times >>= 1
        if times:
            power = np.convolve(power, power)[: most + 1]
    return np.concatenate((total, np.zeros(max(0, most + 1 - len(total)))))


def _longest_run(pmf: Pmf, count: int) -> Pmf:
    """Faces in order, carrying the run that ends here and the longest so far."""
    numbers = _face_numbers(pmf.p, count)
    longest = min(count, len(pmf.p))
    state = np.zeros((longest + 1, longest + 1, count + 1))  # run, longest, dice
    state[0, 0, 0] = 1.0
    for face, p in enumerate(pmf.p):
        after = np.zeros_like(state)
        if p <= 0:
            after[0] = state.sum(axis=0)
            state = after
            continue
        after[0] = state.sum(axis=0) * numbers[face, 0]
        some = numbers[face].copy()
        some[0] = 0.0
        shown = state[:-1] @ _toeplitz(some)
        for run in range(1, longest + 1):
            after[run, run] += shown[run - 1, : run + 1].sum(axis=0)
            after[run, run + 1 :] += shown[run - 1, run + 1 :]
        state = after
    chances = state.sum(axis=0)[:, count]
    return Pmf.trusted(chances / chances.sum())


def _highest_and_how_many(pmf: Pmf, count: int) -> Pmf:
    weights: dict[int, float] = {}
    below = 0.0
    for face, p in pmf.items():
        for number in range(1, count + 1):
            chance = comb(count, number) * p**number * below ** (count - number)
            if chance:
                weights[table.highest_code(face, number)] = chance
        below += p
    return Pmf.from_weights(weights)


def _asked_of_kinds(groups: Groups, question: syntax.PoolQuestion, size: int) -> Pmf:
    """Different dice: faces from the highest down with the state the question needs."""
    if question in ("largest_set", "sets", "different") and _share_no_face(groups):
        answers = [_asked_once(group, question, size) for group in groups if group[1]]
        return _largest(answers) if question == "largest_set" else _sum_of(tuple((Die(a), 1) for a in answers))
    if question == "highest_count":
        states = _visit(groups, 0, lambda s, face, n: s or (table.highest_code(face, n) if n else 0))
        return Pmf.from_weights(states)
    if question == "largest_set":
        return Pmf.from_weights(_visit(groups, 0, lambda s, face, n: max(s, n)))
    if question == "longest_run":
        runs = _visit(groups, (0, 0, 0), _run_step)
        return Pmf.from_weights(_added((longest, p) for (_, _, longest), p in runs.items()))
    least = size if question == "sets" else 1
    return Pmf.from_weights(_visit(groups, 0, lambda s, face, n: s + (n >= least)))


@lru_cache(maxsize=1024)
def _asked_once(group: tuple[Die, int], question: syntax.PoolQuestion, size: int) -> Pmf:
    """The alternatives of an exploding pool ask the same of the same dice again and again."""
    return _asked((group,), question, size)


def _share_no_face(groups: Groups) -> bool:
    faces = [face for die, _ in groups for face, _ in die.pmf.items()]
    return len(faces) == len(set(faces))


def _largest(answers: list[Pmf]) -> Pmf:
    high = max(answer.high for answer in answers)
    up_to = np.array([float(np.prod([answer.at_most(m) for answer in answers])) for m in range(high + 1)])
    return Pmf.trusted(np.maximum(np.diff(up_to, prepend=0.0), 0.0))


def _run_step(state: tuple[int, int, int], face: int, number: int) -> tuple[int, int, int]:
    last, run, longest = state
    if not number:
        return state
    run = run + 1 if run and last == face + 1 else 1
    return face, run, max(longest, run)


# -- two pools --------------------------------------------------------------------------------------------------------


def paired_off(left: Pool, right: Pool, ties_to_left: bool) -> Pmf:
    """How many pairs the left pool wins, both laid out from the highest die down."""
    parts = []
    for p, ours in left.expanded().parts:
        for q, theirs in right.expanded().parts:
            parts.append((p * q, _paired(ours, theirs, ties_to_left)))
    return mixed(parts)


def _paired(ours: Groups, theirs: Groups, ties_to_left: bool) -> Pmf:
    """A die wins its pair when the other side has not laid out as many dice of at least its face."""
    pairs = min(sum(n for _, n in ours), sum(n for _, n in theirs))
    if not pairs:
        return Pmf.point(0)
    if len(ours) == len(theirs) == 1:
        (left, n), (right, m) = ours[0], theirs[0]
        low, high = min(left.pmf.low, right.pmf.low), max(left.pmf.high, right.pmf.high)
        numbers = [_face_numbers(_spread(die.pmf, low, high), size) for die, size in ((left, n), (right, m))]
        wins = np.zeros(pairs + 1)
        _pair_off(numbers[0], numbers[1], ties_to_left, wins)
        return Pmf.trusted(wins / wins.sum())
    return _paired_kinds(ours, theirs, pairs, ties_to_left)


def _spread(pmf: Pmf, low: int, high: int) -> Array:
    """The chances of a die over a wider run of faces."""
    return np.concatenate((np.zeros(pmf.low - low), pmf.p, np.zeros(high - pmf.high)))


@compiled
def _pair_off(ours: Array, theirs: Array, ties_to_left: bool, wins: Array) -> None:
    """Faces from the highest down; the state is how many dice each side has laid out, and the pairs won."""
    n, m, most = ours.shape[1] - 1, theirs.shape[1] - 1, len(wins) - 1
    state = np.zeros((n + 1, m + 1, most + 1))
    state[0, 0, 0] = 1.0
    for face in range(ours.shape[0] - 1, -1, -1):
        after = np.zeros((n + 1, m + 1, most + 1))
        for a in range(n + 1):
            for b in range(m + 1):
                for mine in range(n - a + 1):
                    for other in range(m - b + 1):
                        weight = ours[face, mine] * theirs[face, other]
                        if weight == 0.0:
                            continue
                        beaten = b if ties_to_left else b + other
                        gain = max(0, min(a + mine, most) - max(a, beaten))
                        for won in range(most - gain + 1):
                            after[a + mine, b + other, won + gain] += weight * state[a, b, won]
        state = after
    wins[:] = state[n, m]


def _paired_kinds(ours: Groups, theirs: Groups, pairs: int, ties_to_left: bool) -> Pmf:
    """As :func:`_pair_off`, for different dice on a side."""
    kinds, groups = len(ours), (*ours, *theirs)
    sizes = sum(n for _, n in ours), sum(n for _, n in theirs)
    states: dict[tuple[tuple[int, ...], int], float] = {(tuple(n for _, n in groups), 0): 1.0}
    for _, chances in _faces_of_kinds([die.pmf for die, _ in groups]):
        after: dict[tuple[tuple[int, ...], int], float] = {}
        for (left, wins), p in states.items():
            placed, theirs_placed = sizes[0] - sum(left[:kinds]), sizes[1] - sum(left[kinds:])
            for numbers, weight in _shares(left, chances):
                mine, other = sum(numbers[:kinds]), sum(numbers[kinds:])
                beaten = theirs_placed if ties_to_left else theirs_placed + other
                gain = max(0, min(placed + mine, pairs) - max(placed, beaten))
                key = (tuple(a - b for a, b in zip(left, numbers, strict=True)), wins + gain)
                after[key] = after.get(key, 0.0) + p * weight
        states = after
    return Pmf.from_weights(_added((wins, p) for (_, wins), p in states.items()))


# -- every set of faces -----------------------------------------------------------------------------------------------


def _multisets(pmf: Pmf, count: int) -> Iterator[tuple[float, tuple[int, ...]]]:
    chances = dict(pmf.items())
    for faces in combinations_with_replacement(sorted(chances), count):
        ways, weight = factorial(count), 1.0
        for face in set(faces):
            number = faces.count(face)
            ways //= factorial(number)
            weight *= chances[face] ** number
        yield ways * weight, faces

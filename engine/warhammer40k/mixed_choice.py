"""Whom the defender lets die: the choice that loses least, made anew at every wound.

The tenth edition leaves a choice only where no model of the rank is wounded or has had an attack allocated to it: then
the defender picks one, and it takes every further wound until it dies. What is known at that moment is known here: the
models left, how many wounds of this weapon are still to come, how many devastating wounds wait. Later weapons and the
number of mortal wounds, which are rolled last, are not.

That is a game against chance, solved from its end: the expected loss of every state after the last wound is known, and
a wound earlier it is the least over the models that may take it. The choices are kept, and the states are then carried
forwards through them, which gives whole distributions. Complexity: wounds × pending wounds × states × groups.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from engine.compiled import compiled, inner
from engine.dice.lazy import lazy
from engine.dice.pmf import Array, Pmf
from engine.warhammer40k.attack import refuse_large, spilling_wounds
from engine.warhammer40k.mixed_allocation import Space, Whole

#: A choice has to be better by more than rounding, or the group listed first stands.
TIE = 1e-12


class Ranks(NamedTuple):
    """Groups that are hit first, and those behind them."""

    guards: tuple[int, ...]
    leaders: tuple[int, ...]


class Waiting(NamedTuple):
    """What each critical wound of a weapon leaves for the end: a strike (damage by group), mortal wounds, or both."""

    strike: Array | None
    mortals: Pmf


class Wounding(NamedTuple):
    """One weapon: P(wounds to save, wounds that wait), what one of them does to each group, whom it goes to."""

    joint: Array
    damage: Array
    precision: bool
    waiting: Waiting | None


class Attack(NamedTuple):
    """All weapons in order, the mortal wounds that come without a roll, and who feels mortal wounds how often."""

    weapons: tuple[Wounding, ...]
    mortals: Pmf
    felt: Array
    most_spilling: int


@dataclass(frozen=True)
class Board:
    """Every state of the unit together with the group that is bound to take the next wound, if any.

    Place ``(1 + g) * size + s`` is state ``s`` with an unwounded model of group ``g`` bound; ``s`` alone, nobody.
    """

    space: Space
    ranks: Ranks

    @lazy
    def places(self) -> int:
        return self.space.size * (1 + len(self.space.models))

    @lazy
    def on_model(self) -> Whole:
        space = self.space
        return np.asarray((space.lost + np.array(space.lost_before)[:, None]) % np.array(space.wounds)[:, None])

    @lazy
    def alive(self) -> np.ndarray:
        return np.asarray(self.space.lost < np.array(self.space.lengths)[:, None] - 1)

    @lazy
    def left(self) -> Whole:
        """Wounds left on the model of each group that is in front."""
        return np.asarray(np.array(self.space.wounds, dtype=np.int64)[:, None] - self.on_model)

    @lazy
    def step(self) -> Whole:
        return np.array(self.space.steps, dtype=np.int64)

    @lazy
    def usual(self) -> np.ndarray:
        """May group g take the next wound? By place and group."""
        return self._free([self.ranks.guards, self.ranks.leaders])

    @lazy
    def precise(self) -> np.ndarray:
        """The same for a weapon with Precision: leaders first, as listed; nobody is bound by it."""
        order = self.space.order([list(self.ranks.leaders), list(self.ranks.guards)])
        groups = len(self.space.models)
        taken = order.group[:, None] == np.arange(groups)
        return np.tile(taken, (1 + groups, 1))

    def _free(self, ranks: Iterable[tuple[int, ...]]) -> np.ndarray:
        groups, size = len(self.space.models), self.space.size
        free = np.zeros((size, groups), dtype=np.bool_)
        for rank in ranks:
            in_rank = np.isin(np.arange(groups), rank)[:, None]
            living = (self.alive & in_rank).T & ~free.any(axis=1, keepdims=True)
            wounded = living & (self.on_model.T > 0)
            free |= np.where(wounded.any(axis=1, keepdims=True), wounded, living)
        everywhere = np.tile(free, (1 + groups, 1)).reshape(1 + groups, size, groups)
        for bound in range(groups):
            only = free & (np.arange(groups) == bound)
            everywhere[1 + bound] = np.where(only.any(axis=1, keepdims=True), only, free)
        return everywhere.reshape(self.places, groups)


@inner
def _next(place: int, s: int, g: int, lost: int, size: int, step: int, binds: bool) -> int:
    """Where a wound leads: a model that lost nothing stays bound, one that did is wounded or dead."""
    if not binds:
        return place + lost * step
    return (1 + g) * size + s if lost == 0 else s + lost * step


@compiled
def choose(after: Array, damage: Array, may: np.ndarray, left: Whole, step: Whole, binds: bool) -> tuple:  # type: ignore[type-arg]
    """One wound back: the expected loss of every place, and the group that is chosen there (-1: nobody is left)."""
    rows, places = after.shape
    groups, size = left.shape
    loss = np.empty((rows, places))
    chosen = np.full((rows, places), -1, dtype=np.int8)
    longest = damage.shape[1] - 1
    for place in range(places):
        s = place % size
        for row in range(rows):
            best = np.inf
            for g in range(groups):
                if not may[place, g]:
                    continue
                value = 0.0
                for points in range(longest + 1):
                    p = damage[g, points]
                    if p == 0.0:
                        continue
                    lost = min(points, left[g, s])
                    value += p * after[row, _next(place, s, g, lost, size, step[g], binds)]
                if value < best - TIE:
                    best = value
                    chosen[row, place] = g
            loss[row, place] = after[row, place] if chosen[row, place] < 0 else best
    return loss, chosen


@compiled
def carry(states: Array, chosen: np.ndarray, damage: Array, left: Whole, step: Whole, binds: bool) -> Array:
    """One wound forwards through the choices made."""
    rows, places = states.shape
    size = left.shape[1]
    after = np.zeros((rows, places))
    for row in range(rows):
        for place in range(places):
            mass = states[row, place]
            if mass == 0.0:
                continue
            g = chosen[row, place]
            if g < 0:
                after[row, place] += mass
                continue
            s = place % size
            for points in range(damage.shape[1]):
                lost = min(points, left[g, s])
                after[row, _next(place, s, g, lost, size, step[g], binds)] += mass * damage[g, points]
    return after


@dataclass(frozen=True)
class _Wound:
    """One kind of wound on a board."""

    board: Board
    damage: Array
    precision: bool = False

    def choose(self, after: Array) -> tuple[Array, np.ndarray]:
        board = self.board
        flat = np.ascontiguousarray(after).reshape(-1, board.places)
        may = board.precise if self.precision else board.usual
        loss, chosen = choose(flat, self.damage, may, board.left, board.step, not self.precision)
        return loss.reshape(after.shape), chosen

    def carry(self, states: Array, chosen: np.ndarray) -> Array:
        board = self.board
        flat = np.ascontiguousarray(states).reshape(-1, board.places)
        after: Array = carry(flat, chosen, self.damage, board.left, board.step, not self.precision)
        return after.reshape(states.shape)


def least_loss(space: Space, ranks: Ranks, attack: Attack, loss: Array) -> Array:
    """The distribution over the states of a unit whose defender loses as little as can be, on average."""
    board = Board(space, ranks)
    _check_size(board, attack)
    game = _Game(board, attack)
    game.solve(np.tile(loss, 1 + len(space.models)))
    ended: Array = game.play().reshape(-1, space.size).sum(axis=0)
    return ended


class _Game:
    """Every wound of an attack in order. Arrays have one axis per weapon whose wounds wait, then the places."""

    def __init__(self, board: Board, attack: Attack) -> None:
        self.board, self.attack = board, attack
        self.kinds = [(one.waiting, one.joint.shape[1], one.precision) for one in attack.weapons if one.waiting]
        self.wounds = [_Wound(board, one.damage, one.precision) for one in attack.weapons]
        self.felt = _Wound(board, np.stack([1.0 - attack.felt, attack.felt], axis=1))
        self.choices: list[list[np.ndarray]] = []
        self.late: list[list[np.ndarray]] = []
        self.last: list[np.ndarray] = []

    @lazy
    def amounts(self) -> Array:
        """P(mortal wounds), by the numbers of wounds that wait; the last number means that or more."""
        most = self.attack.most_spilling
        table = spilling_wounds(np.ones((1, 2)) * (0.0, 1.0), self.attack.mortals, most)
        for waiting, length, _ in self.kinds:
            each = spilling_wounds(np.eye(length), waiting.mortals, most)
            pairs = [[_capped_sum(one, other, most) for other in each] for one in table]
            table = np.array(pairs).reshape(-1, most + 1)
        return table

    def solve(self, loss: Array) -> None:
        """From the end: mortal wounds, devastating ones of the last weapon, …, the first wound of the first weapon."""
        by_number = [loss]
        for _ in range(self.attack.most_spilling):
            value, chosen = self.felt.choose(by_number[-1])
            by_number.append(value)
            self.last.append(chosen)
        lengths = [length for _, length, _ in self.kinds]
        value = (self.amounts @ np.array(by_number)).reshape(*lengths, self.board.places)
        for axis in range(len(self.kinds) - 1, -1, -1):
            value = self._solve_late(value, axis)
        self.late.reverse()
        for one, wound in zip(reversed(self.attack.weapons), reversed(self.wounds), strict=True):
            value = self._solve_weapon(value, one, wound)
        self.choices.reverse()

    def _late_wound(self, axis: int) -> _Wound | None:
        waiting, _, precision = self.kinds[axis]
        return None if waiting.strike is None else _Wound(self.board, waiting.strike, precision)

    def _solve_late(self, value: Array, axis: int) -> Array:
        wound, made = self._late_wound(axis), []
        if wound is not None:
            by_number = np.moveaxis(value, axis, 0).copy()
            for number in range(1, len(by_number)):
                by_number[number:], chosen = wound.choose(by_number[number:])
                made.append(chosen)
            value = np.moveaxis(by_number, 0, axis)
        self.late.append(made)
        return value

    def _solve_weapon(self, value: Array, one: Wounding, wound: _Wound) -> Array:
        made, total = [], None
        for number, chances in enumerate(one.joint):
            if number:
                value, chosen = wound.choose(value)
                made.append(chosen)
            part = np.tensordot(value, chances, axes=(-2, 0)) if one.waiting else value * chances[0]
            total = part if total is None else total + part
        self.choices.append(made)
        assert total is not None
        return total

    def play(self) -> Array:
        """Forwards: where the unit ends under the choices made."""
        states = np.zeros(self.board.places)
        states[0] = 1.0
        for one, wound, made in zip(self.attack.weapons, self.wounds, self.choices, strict=True):
            states = _carried([_spread(states, chances, one.waiting) for chances in one.joint], wound, made)
        for axis, made in enumerate(self.late):
            wound_late = self._late_wound(axis)
            if wound_late is not None:
                states = _carried_late(states, axis, wound_late, made)
        by_number = self.amounts.T @ states.reshape(-1, self.board.places)
        return _carried(list(by_number), self.felt, self.last)


def _spread(states: Array, chances: Array, waiting: Waiting | None) -> Array:
    """The states weighted by a number of wounds, those that wait on a new axis."""
    return states[..., None, :] * chances[:, None] if waiting else states * chances[0]


def _carried(by_number: list[Array], wound: _Wound, made: list[np.ndarray]) -> Array:
    """Let each part take its number of wounds; ``made[r]`` are the choices with r more to come after this one."""
    total = by_number[-1]
    for number in range(len(by_number) - 1, 0, -1):
        total = wound.carry(total, made[number - 1]) + by_number[number - 1]
    return total


def _carried_late(states: Array, axis: int, wound: _Wound, made: list[np.ndarray]) -> Array:
    by_number = np.moveaxis(states, axis, 0).copy()
    for number in range(len(by_number) - 1, 0, -1):
        by_number[number:] = wound.carry(by_number[number:], made[number - 1])
    return np.moveaxis(by_number, 0, axis)


def _capped_sum(one: Array, other: Array, most: int) -> Array:
    total = np.convolve(one, other)
    total[most] += total[most + 1 :].sum()
    return total[: most + 1]


def _check_size(board: Board, attack: Attack) -> None:
    """Refuse what would take too long or too much room, before starting."""
    groups, rows, steps, held = len(board.space.models), 1.0, 0.0, 0.0
    for one in attack.weapons:
        rows *= one.joint.shape[1] if one.waiting else 1
        steps += rows * len(one.joint) * one.damage.shape[1]
        held += rows * len(one.joint)
    late = sum(one.joint.shape[1] for one in attack.weapons if one.waiting)
    steps += rows * late * max((one.damage.shape[1] for one in attack.weapons), default=1)
    held += rows * late
    steps += attack.most_spilling * 2.0 + rows * attack.most_spilling
    # Choices are a byte each, states eight.
    refuse_large(
        steps * board.places * (groups + 1),
        max(rows * board.places, held * board.places / 8),
        "Use fewer attacks or fewer groups, or let the defender fix an order beforehand.",
    )

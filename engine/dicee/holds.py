"""All 32 ways to hold five dice, valued at once: what a table needs to answer every touch of a die by itself.

Dice that show the same faces share one entry; ``of`` says which of the 32 masks means which entry. A mask has bit *i*
set when die *i* is held; holding all five means stopping here. Everything is one backward pass over the lattice: a
column per box for "this turn is played for that box alone", a row per keep.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.dicee.analysis import Analysis, Horizon, Option, Position, analyze, box_points, box_values, keep_odds
from engine.dicee.boxes import BOX_NUMBER, BOXES
from engine.dicee.lattice import DICE, ROLLS, TRANSITION, best_of_keeps, keep_number, sub_keeps
from engine.dicee.tables import Table

STOP = (1 << DICE) - 1

Values = NDArray[np.float64]


@dataclass(frozen=True)
class Hold:
    """One set of dice to keep. ``final`` and ``turn`` are the values of the hold in the two horizons."""

    keep: tuple[int, ...]
    final: float
    turn: float
    p: tuple[float, ...]  # of each box
    points: tuple[float, ...]  # expected, each box played for alone
    finals: tuple[float | None, ...]  # expected final score, this turn written in that box; None if it is filled
    ends: tuple[float, ...]  # the chance that best play from here writes this turn in that box

    def order(self, opened: Sequence[int], by_turn: bool = False) -> list[int]:
        """Boxes by how much they are what this hold is for: where best play ends, then the value of insisting."""
        if by_turn:
            return sorted(opened, key=lambda box: -self.points[box])
        return sorted(opened, key=lambda box: (-self.ends[box], -(self.finals[box] or 0.0)))


@dataclass(frozen=True)
class Numbers:
    """Every hold of one position, and every roll that may come next."""

    position: Position
    horizon: Horizon  # what ``final`` means: the game, or only the turn while the tables are being solved
    holds: tuple[Hold, ...]
    of: tuple[int, ...]  # by mask
    best: int  # mask
    best_box: int  # the box to write now, if one had to
    game: Analysis
    turn: Analysis
    after: tuple[tuple[int, int, float], ...]  # per roll of ROLLS: best box then, its points, expected final score

    def hold(self, mask: int) -> Hold:
        return self.holds[self.of[mask]]

    @property
    def stops(self) -> bool:
        return self.best == STOP


def numbers(position: Position, table: Table | None) -> Numbers:
    """Value all 32 holds. Without a table only the turn is known, and the answer says so."""
    horizon = Horizon.GAME if table else Horizon.TURN
    turn = analyze(position)
    game = analyze(position, horizon, table) if table else turn
    alone, ends, odds = _each_box_alone(position, table), _ends(position, table), keep_odds(position)
    masks = [_faces(position.dice, mask) for mask in range(STOP + 1)]
    keeps = sorted(set(masks), key=lambda keep: (len(keep), keep)) if position.rolls_left else [masks[STOP]]
    holds = tuple(_hold(position, keep, game, turn, alone, ends, odds) for keep in keeps)
    of = tuple(keeps.index(keep) if position.rolls_left else 0 for keep in masks)
    best = mask_of(position.dice, game.best)
    return Numbers(
        position,
        horizon,
        holds,
        of,
        best,
        BOX_NUMBER[str(game.boxes[0].box)],
        game,
        turn,
        _after_next_roll(position, table),
    )


def _faces(dice: Sequence[int], mask: int) -> tuple[int, ...]:
    return tuple(sorted(face for die, face in enumerate(dice) if mask >> die & 1))


def mask_of(dice: Sequence[int], option: Option) -> int:
    """Which dice an option keeps; scoring keeps all of them.

    >>> mask_of((5, 2, 5, 6, 5), Option(0.0, 0.0, 1, keep=(5, 5, 6)))
    13
    """
    if option.box or option.keep is None:
        return STOP
    wanted, mask = list(option.keep), 0
    for die, face in enumerate(dice):
        if face in wanted:
            wanted.remove(face)
            mask |= 1 << die
    return mask


def _hold(
    position: Position,
    keep: tuple[int, ...],
    game: Analysis,
    turn: Analysis,
    alone: tuple[Values, Values],
    ends: tuple[Values, Values],
    odds: tuple[Values, Values],
) -> Hold:
    stops = len(keep) == DICE
    p, points = (tuple(by_keep[keep_number(keep)].tolist()) for by_keep in odds)
    total = position.card.grand_total
    at = (0, position.roll) if stops else (1, keep_number(keep))
    finals = alone[at[0]][at[1]]
    return Hold(
        keep,
        total + game.option(keep=keep).ev,
        turn.option(keep=keep).ev,
        p,
        points,
        tuple(total + float(value) if np.isfinite(value) else None for value in finals),
        tuple(ends[at[0]][at[1]].tolist()),
    )


def _each_box_alone(position: Position, table: Table | None) -> tuple[Values, Values]:
    """What each box is worth when this turn is played for it and nothing else: stopping now, and by keep.

    A roll that a rule forbids for the box (the forced joker) is worth what the best legal box makes of it.
    """
    scored = box_values(position.card, position.variant, table).T  # [roll, box]
    is_open: NDArray[np.bool_] = np.asarray(np.isfinite(scored).any(axis=0))
    held = np.where(np.isfinite(scored), scored, scored.max(axis=1, keepdims=True))[:, is_open]
    stopping, keeps = held, held
    for _ in range(position.rolls_left):
        keeps = _columns(TRANSITION, held)
        held = best_of_keeps(keeps)
    return _spread(stopping, is_open), _spread(keeps, is_open)


def _ends(position: Position, table: Table | None) -> tuple[Values, Values]:
    """Where best play writes the turn: by roll if it stops there, and by keep if it rolls on."""
    scored = box_values(position.card, position.variant, table)
    held = scored.max(axis=0)
    stopping = np.eye(len(BOXES))[scored.argmax(axis=0)]
    later = stopping
    for _ in range(position.rolls_left - 1):
        worth = TRANSITION @ held
        plan = [keeps[worth[keeps].argmax()] for keeps in (sub_keeps(roll)[::-1] for roll in range(len(ROLLS)))]
        later, held = _columns(TRANSITION[plan], later), best_of_keeps(worth)
    return stopping, _columns(TRANSITION, later)


def _columns(matrix: Values, values: Values) -> Values:
    """A matrix product a column at a time: a threaded one would wait for the other cores of a busy server."""
    return np.stack([matrix @ column for column in values.T.copy()], axis=1)


def _spread(values: Values, is_open: NDArray[np.bool_]) -> Values:
    """A column for every box again, ``-inf`` for the filled ones."""
    whole = np.full((len(values), len(is_open)), -np.inf)
    whole[:, is_open] = values
    return whole


def _after_next_roll(position: Position, table: Table | None) -> tuple[tuple[int, int, float], ...]:
    """For every roll that may come: the box it would best be written in, its points, and the final score expected."""
    if not position.rolls_left:
        return ()
    scored = box_values(position.card, position.variant, table)
    held = scored.max(axis=0)
    for _ in range(position.rolls_left - 1):
        held = best_of_keeps(TRANSITION @ held)
    best = scored.argmax(axis=0)
    points = box_points(position.card, position.variant)[best, np.arange(len(ROLLS))]
    finals = position.card.grand_total + held
    return tuple(zip(best.tolist(), points.astype(int).tolist(), finals.tolist(), strict=True))

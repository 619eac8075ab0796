"""One decision as the learning model sees it: what it was about, what it cost, and what it says about habits."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from functools import lru_cache

import numpy as np

from engine.dicee.analysis import Analysis, Option, Position, Values, box_values
from engine.dicee.boxes import UPPER, UPPER_PAR, Scorecard, Variant
from engine.dicee.lattice import DICE, FIRST_ROLL, KEEPS, TRANSITION, best_of_keeps, sub_keeps
from engine.dicee.learning.concepts import Concept, goal, touched
from engine.dicee.learning.patterns import Spot, opportunities
from engine.dicee.solver import REROLLS, TIE
from engine.wire import Document

#: How careless a player may be, in points: at temperature T a choice that loses x is e^(x/T) times rarer than the best.
TEMPERATURES = (0.1, 0.2, 0.4, 0.7, 1.1, 1.7, 2.7, 5.0)
SLIP = 0.02  # and this often anything at all
DIGITS = 3


class Kind(StrEnum):
    KEEP = "keep"  # what to hold, and whether to roll on
    BOX = "box"  # where to write


class Signal(Document):
    """An opportunity for a pattern: was it taken, and how likely was that for a merely careless player?"""

    pattern: str
    fell: bool
    noise: tuple[float, ...]  # by temperature


class Observation(Document):
    kind: Kind
    category: str  # the box the best keep is for, or the box written
    concepts: tuple[Concept, ...]
    lost: float
    best: bool
    stakes: float  # what the natural other choice would have lost
    took_ms: int
    hinted: bool
    likelihood: tuple[float, ...]  # log-chance of this choice for a careless player, by temperature
    signals: tuple[Signal, ...]


def observe(position: Position, chosen: Option, found: Analysis, took_ms: int = 0, hinted: bool = False) -> Observation:
    """What one decision says about a player. ``found`` is of the game horizon and ``chosen`` one of its options.

    >>> from engine.dicee import tables
    >>> from engine.dicee.analysis import Horizon, analyze
    >>> from engine.dicee.boxes import Scorecard, Variant
    >>> here = Position(Scorecard(), Variant.STANDARD, (2, 3, 4, 5, 6), 1)
    >>> found = analyze(here, Horizon.GAME, tables.load(Variant.STANDARD))
    >>> seen = observe(here, found.option(box="large_straight"), found)
    >>> seen.best, seen.kind.value, [concept.value for concept in seen.concepts]
    (True, 'box', ['straights', 'reading_odds'])
    """
    best = found.best
    kind = Kind.BOX if best.box and chosen.box else Kind.KEEP
    chances = careless(found)
    places = {(option.keep, option.box): place for place, option in enumerate(actions(found))}
    signals = [
        Signal(
            pattern=key,
            fell=any((option.keep, option.box) == (chosen.keep, chosen.box) for option in fitting),
            noise=_rounded(chances[:, [places[option.keep, option.box] for option in fitting]].sum(axis=1)),
        )
        for key, fitting in opportunities(Spot(position, found)).items()
    ]
    lost = chosen.cost
    return Observation(
        kind=kind,
        category=str(chosen.box) if kind is Kind.BOX else goal(position, best),
        concepts=touched(position, found),
        lost=lost,
        best=not lost,
        stakes=stakes(position, found),
        took_ms=took_ms,
        hinted=hinted,
        likelihood=_rounded(np.log(chances[:, places[chosen.keep, chosen.box]])),
        signals=tuple(signals),
    )


def actions(found: Analysis) -> tuple[Option, ...]:
    """Everything a player can do: every keep and every box, unlike ``options``, which lists stopping once."""
    return (*found.keeps, *found.boxes)


def careless(found: Analysis) -> Values:
    """The chance of every action for a player who knows the game but not perfectly, ``[temperature, action]``."""
    lost = np.array([option.points_lost for option in actions(found)])
    weights = np.exp(-lost[None, :] / np.array(TEMPERATURES)[:, None])
    softened: Values = (1 - SLIP) * weights / weights.sum(axis=1, keepdims=True) + SLIP / len(lost)
    return softened


def stakes(position: Position, found: Analysis) -> float:
    """What the natural other choice loses: the most points this turn, or the runner-up where that is best anyway."""
    tempting = found.option(keep=most_this_turn(position)).points_lost
    if tempting > TIE:
        return tempting
    return next((option.points_lost for option in found.options if option.points_lost > TIE), 0.0)


def most_this_turn(position: Position) -> tuple[int, ...]:
    """The keep with the most points this turn; all five, which means stopping, on a tie."""
    keeps = sub_keeps(position.roll)[::-1] if position.rolls_left else [position.roll + FIRST_ROLL]
    worth = _this_turn(_as_this_turn_sees_it(position.card), position.variant)[position.rolls_left]
    return KEEPS[keeps[int(np.argmax(worth[keeps].round(9)))]]


def _as_this_turn_sees_it(card: Scorecard) -> Scorecard:
    """The card itself where a bonus can be earned this turn (ruling D18); else only which boxes are filled matters."""
    most = max((DICE * (box + 1) for box in UPPER if card.points[box] is None), default=0)
    if card.holds_dicee or (not card.upper_bonus and card.upper_subtotal + most >= UPPER_PAR):
        return card
    return Scorecard(tuple(None if points is None else 0 for points in card.points))


@lru_cache(1024)
def _this_turn(card: Scorecard, variant: Variant) -> tuple[Values, ...]:
    """By rolls left, what every keep is worth this turn."""
    stopping: Values = box_values(card, variant, None).max(axis=0)
    by_rolls, held = [np.concatenate([np.full(FIRST_ROLL, -np.inf), stopping])], stopping
    for _ in range(REROLLS):
        worth: Values = TRANSITION @ held
        worth[FIRST_ROLL:] = stopping
        held = best_of_keeps(worth)
        by_rolls.append(worth)
    return tuple(by_rolls)


def _rounded(values: Iterable[float]) -> tuple[float, ...]:
    return tuple(round(float(value), DIGITS) for value in values)

"""One decision as the learning model sees it: what it was about, what it cost, and what it says about habits."""

from __future__ import annotations

from enum import StrEnum
from functools import lru_cache

import numpy as np

from engine.dicee.advice import NEAR_TIE
from engine.dicee.analysis import Analysis, Option, Position, Values, box_values
from engine.dicee.boxes import BOXES, UPPER, UPPER_PAR, Scorecard, Variant
from engine.dicee.lattice import DICE, FIRST_ROLL, KEEPS, TRANSITION, best_of_keeps, sub_keeps
from engine.dicee.learning.carelessness import actions, cell, chances
from engine.dicee.learning.concepts import Concept, goal, touched
from engine.dicee.learning.patterns import Spot, forms
from engine.dicee.solver import REROLLS, TIE
from engine.wire import Document

DIGITS = 4
OBVIOUS = 4.0  # points: see ``is_obvious``


class Kind(StrEnum):
    KEEP = "keep"  # what to hold, and whether to roll on
    BOX = "box"  # where to write


class Signal(Document):
    """An opportunity for a pattern: was it taken, and how likely was that under every way of erring?"""

    pattern: str
    form: int = 0  # of the forms the pattern has
    fell: bool
    noise: tuple[float, ...]  # by way


class Observation(Document):
    kind: Kind
    category: str  # the box the best keep is for, or the box written
    concepts: tuple[Concept, ...]
    lost: float
    best: bool  # within a tenth of a point of the best
    obvious: bool  # a beginner would not miss it: no part of any accuracy
    stakes: float  # what the natural other choice would have lost
    took_ms: int
    assisted: bool  # taken with the answer in sight: shows no skill
    cell: int  # of ``carelessness``: stage of the turn and half of the game
    likelihood: tuple[float, ...]  # chance of this choice under every way of erring
    mean_lost: tuple[float, ...]  # what each way would have lost here on average
    mean_square: tuple[float, ...]  # and its square
    signals: tuple[Signal, ...]


def observe(
    position: Position,
    chosen: Option,
    found: Analysis,
    took_ms: int = 0,
    *,
    assisted: bool = False,
    held: tuple[int, ...] = (),
) -> Observation:
    """What one decision says about a player. ``found`` is of the game horizon and ``chosen`` one of its options.

    ``assisted`` marks a decision taken with the answer in sight (ruling D20); ``held`` are the dice kept from the roll
    before it.

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
    likely = chances(found)
    every = actions(found)
    places = {(option.keep, option.box): place for place, option in enumerate(every)}
    tempting = forms(Spot(position, found, held))
    signals = [
        Signal(
            pattern=key,
            form=form,
            fell=any((option.keep, option.box) == (chosen.keep, chosen.box) for option in fitting),
            noise=_rounded(likely[:, [places[option.keep, option.box] for option in fitting]].sum(axis=1)),
        )
        for key, (form, fitting) in tempting.items()
    ]
    losses = np.array([option.points_lost for option in every])
    lost = chosen.cost
    return Observation(
        kind=kind,
        category=str(chosen.box) if kind is Kind.BOX else goal(position, best),
        concepts=touched(position, found),
        lost=lost,
        best=lost <= NEAR_TIE,
        obvious=is_obvious(position, found),
        stakes=stakes(position, found),
        took_ms=took_ms,
        assisted=assisted,
        cell=cell(position.rolls_left, len(BOXES) - len(position.card.open_boxes) + 1),
        likelihood=_rounded(likely[:, places[chosen.keep, chosen.box]]),
        mean_lost=_rounded(likely @ losses),
        mean_square=_rounded(likely @ losses**2),
        signals=tuple(signals),
    )


def is_obvious(position: Position, found: Analysis) -> bool:
    """Would a beginner not miss it? Every other choice loses at least ``OBVIOUS`` points, and the most points this
    turn, which is what a beginner sees, say the same. Depends on the position alone, never on the choice."""
    best, others = found.best, found.options[1:]
    if others and others[0].points_lost < OBVIOUS:
        return False
    if best.box:
        points = position.card.legal_scores(position.dice, position.variant)
        if points[best.box] < max(points.values()):
            return False
    return found.option(keep=most_this_turn(position)).points_lost <= TIE


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


def _rounded(values: Values) -> tuple[float, ...]:
    return tuple(values.round(DIGITS).tolist())

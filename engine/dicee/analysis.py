"""One decision, answered exactly: every keep and every legal box with its value, and the odds of every box.

Values come from two passes over the lattice (70 µs) on top of what each box is worth: everything this turn pays in the
``turn`` horizon (ruling D18), that and the solved table in the ``game`` horizon (ruling D6). The odds of a box are
counted in whole outcomes of 6^5 per roll, so every fraction shown is exact; by the dice alone they are worked out once
for all positions, and once a card where a joker can change them (ruling D19).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction
from functools import cache, cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from engine.dicee.boxes import (
    BOXES,
    CHANCE,
    DICEE,
    FIVE_OF,
    ILLEGAL,
    LOWER,
    NATURAL,
    UPPER,
    UPPER_BONUS,
    UPPER_PAR,
    Scorecard,
    Situation,
    Variant,
    box_number,
    rules,
    situation,
)
from engine.dicee.lattice import (
    COUNTS,
    DICE,
    FIRST_ROLL,
    KEEPS,
    ROLLS,
    SIDES,
    SIZE,
    SUB_KEEPS,
    SUB_START,
    TRANSITION,
    WAYS,
    best_of_keeps,
    check_dice,
    keep_number,
    roll_number,
    sub_keeps,
)
from engine.dicee.solver import TIE, row_of, slots
from engine.dicee.tables import Table, slot_of
from engine.wire import EngineError

Values = NDArray[np.float64]

UPPER_TARGET = 3  # P(upper box) is P(at least three of its face), the par of the bonus (ruling D16)
BEFORE_FIRST_ROLL = 3
TOP = 3
REMEMBERED = 512  # analyses: what the tables in play look at
REMEMBERED_CARDS = 64  # joker odds, 0.4 MB a card


class Horizon(StrEnum):
    """What is being maximised (ruling D6)."""

    TURN = "turn"
    GAME = "game"


@dataclass(frozen=True, slots=True)
class Position:
    """What a player looks at: the card, the dice and how many rolls are left (3 only before the first)."""

    card: Scorecard
    variant: Variant
    dice: tuple[int, ...] = ()
    rolls_left: int = BEFORE_FIRST_ROLL

    def __post_init__(self) -> None:
        if self.rolls_left not in range(BEFORE_FIRST_ROLL + 1):
            raise EngineError(
                f"Rolls remaining must be 0–3; you gave {self.rolls_left}.",
                code="ERR_INVALID_TURN",
                field="rollsRemaining",
                constraint="range",
                expected="0–3",
                actual=self.rolls_left,
            )
        if self.card.is_complete:
            raise EngineError(
                "Every box is filled: the game is over.",
                code="ERR_GAME_COMPLETED",
                field="scorecard",
                constraint="open box",
                expected="at most 12 filled",
                actual=len(BOXES),
            )
        if self.rolls_left < BEFORE_FIRST_ROLL or self.dice:
            check_dice(self.dice)
        if self.dice and self.rolls_left == BEFORE_FIRST_ROLL:
            raise EngineError(
                "With dice on the table 0–2 rolls remain; 3 means the turn has not begun and there are no dice.",
                code="ERR_INVALID_TURN",
                field="rollsRemaining",
                constraint="range",
                expected="0–2",
                actual=3,
            )

    @property
    def roll(self) -> int:
        return roll_number(self.dice)


@dataclass(frozen=True, slots=True)
class Option:
    """Something a player can do now. ``keep`` is set for a reroll, ``box`` for scoring."""

    ev: float
    points_lost: float
    rank: int
    keep: tuple[int, ...] | None = None
    box: str | None = None

    @property
    def cost(self) -> float:
        """The points given up against the best option; 0 for one that ties with it."""
        return 0.0 if self.points_lost <= TIE else self.points_lost

    @property
    def action(self) -> str:
        return "score" if self.box else "roll" if self.keep is None else "reroll"


@dataclass(frozen=True, slots=True)
class BoxOdds:
    """A box on its own: its chance and its points, each played for as well as possible."""

    box: str
    probability: Fraction
    expected: Fraction
    keep: tuple[int, ...]  # gives the best chance
    expected_keep: tuple[int, ...]  # gives the most points
    current_score: int
    legal: bool = True  # open, and not forbidden for the dice on the table by the forced joker


@dataclass(frozen=True)
class Analysis:
    """Everything known about one decision. Ranked best first; exact, so confidence is 1."""

    position: Position
    horizon: Horizon
    ev: float
    keeps: tuple[Option, ...]
    boxes: tuple[Option, ...]

    computation_method = "exact"
    confidence = 1.0

    @cached_property
    def options(self) -> tuple[Option, ...]:
        """Distinct actions, best first: each keep of 0–4 dice, and the best box (stopping) once.

        Without rolls left every box is an action of its own. On a tie, points in hand come first.
        """
        if not self.position.dice:
            return (Option(self.ev, 0.0, 1),)
        if not self.position.rolls_left:
            return self.boxes
        return _ranked(self.ev, [(o.ev, o.keep, o.box) for o in (*self.boxes[:1], *self.keeps)])

    @property
    def best(self) -> Option:
        return self.options[0]

    @property
    def runner_up_ev(self) -> float | None:
        return self.options[1].ev if len(self.options) > 1 else None

    @property
    def ties(self) -> int:
        return sum(option.points_lost <= TIE for option in self.options)

    @property
    def top(self) -> tuple[Option, ...]:
        return self.options[:TOP]

    def option(self, *, keep: Sequence[int] | None = None, box: str | None = None) -> Option:
        """The option a player chose. Keeping all five dice is scoring them in the best box."""
        if box is not None:
            box_number(box)
            wanted = [option for option in self.boxes if option.box == box]
        elif keep is not None and len(keep) == DICE:
            wanted = list(self.boxes[:1])
        else:
            faces = tuple(sorted(keep or ()))
            wanted = [option for option in self.keeps if option.keep == faces]
        if not wanted:
            raise EngineError(
                f"{box or list(keep or ())} is not possible here.",
                code="ERR_INVALID_CATEGORY" if box else "ERR_INVALID_DICE",
                field="category" if box else "keptMask",
                constraint="legal action",
                expected=[option.box for option in self.boxes],
                actual=box or list(keep or ()),
            )
        return wanted[0]


@lru_cache(REMEMBERED)
def analyze(position: Position, horizon: Horizon = Horizon.TURN, table: Table | None = None) -> Analysis:
    """Value every option of a position. The game horizon needs the variant's table.

    Remembered: a player's page, the coach, the bot and the record of a score all ask about the same dice.

    >>> card = Scorecard()
    >>> found = analyze(Position(card, Variant.STANDARD, (2, 3, 4, 5, 6), 0))
    >>> found.best.box, found.ev
    ('large_straight', 40.0)
    """
    scored = box_values(position.card, position.variant, table if horizon is Horizon.GAME else None)
    held = scored.max(axis=0)
    keep_values = held
    for _ in range(position.rolls_left):
        keep_values = TRANSITION @ held
        held = best_of_keeps(keep_values)
    if not position.dice:
        return Analysis(position, horizon, float(keep_values[0]), (), ())
    roll = position.roll
    ev, now = float(held[roll]), scored[:, roll].tolist()
    boxes = [(worth, None, box) for box, worth in zip(BOXES, now, strict=True) if worth > -np.inf]
    numbers = sub_keeps(roll)[:-1] if position.rolls_left else np.zeros(0, np.int64)
    keeps = [(worth, KEEPS[k], None) for k, worth in zip(numbers, keep_values[numbers].tolist(), strict=True)]
    return Analysis(position, horizon, ev, _ranked(ev, keeps), _ranked(ev, boxes))


def _ranked(ev: float, options: Sequence[tuple[float, tuple[int, ...] | None, str | None]]) -> tuple[Option, ...]:
    """Options given as (value, keep, box), best first, with what each loses against ``ev``."""
    ordered = sorted(options, key=lambda option: -round(option[0], 9))
    return tuple(
        Option(worth, max(0.0, ev - worth), place, keep, box) for place, (worth, keep, box) in enumerate(ordered, 1)
    )


def box_values(card: Scorecard, variant: Variant, table: Table | None) -> Values:
    """What each box is worth for each roll, ``[box, roll]``; ``-inf`` where it may not be used.

    Without a table: everything this turn pays (ruling D18), the points of the box, the +100 of a five of a kind and
    the +35 of a score that reaches par. With one: points, the +100, and all that comes after, less a 35 the card holds.
    """
    values = box_points(card, variant)
    values += _upper_bonus(card) if table is None else _left_behind(card, table) - card.upper_bonus
    if card.holds_dicee:
        values[:, FIVES] += rules(variant).dicee_bonus
    return values


def box_points(card: Scorecard, variant: Variant) -> Values:
    """The points each box takes for each roll, ``[box, roll]``; ``-inf`` where it may not be used."""
    values: Values = _variant_scores(card.filled, variant).astype(np.float64)
    values[values == ILLEGAL] = -np.inf
    values[[box for box in range(len(BOXES)) if card.filled >> box & 1]] = -np.inf
    return values


def _variant_scores(filled: int, variant: Variant) -> NDArray[np.int64]:
    """What a variant pays on a card with these boxes filled, ``[box, roll]``; ``ILLEGAL`` where it forbids a box."""
    by = rules(variant)
    scores: NDArray[np.int64] = by.scores[Situation.NATURAL].copy()
    scores[:, FIVES] = by.scores[[situation(filled, int(roll)) for roll in FIVES], :, FIVES].T
    return scores


def _upper_bonus(card: Scorecard) -> Values:
    """The +35 where a roll written in a box takes the upper section to par, ``[box, roll]``."""
    earned = np.zeros((len(BOXES), len(ROLLS)))
    if not card.upper_bonus:
        reached = card.upper_subtotal + NATURAL[: len(UPPER)] >= UPPER_PAR
        earned[: len(UPPER)] = UPPER_BONUS * reached
    return earned


def _left_behind(card: Scorecard, table: Table) -> Values:
    """The worth of the card after each box is filled by each roll, ``[box, roll]``; 0 for filled boxes."""
    filled, slot = card.filled, slot_of(card.filled, card.upper_subtotal)
    after, row = slots().after[slot], row_of(filled, card.holds_dicee)
    left = np.zeros((len(BOXES), len(ROLLS)))
    for box in UPPER:
        if not filled >> box & 1:
            left[box] = table.values[row, after[box, ROLL_COUNTS[:, box]]]
    for box in LOWER:
        if not filled >> box & 1:
            left[box] = table.values[row_of(filled | 1 << box, card.holds_dicee), slot]
    if not filled >> DICEE & 1:
        left[DICEE, FIVES] = table.values[row_of(filled | 1 << DICEE, True), slot]
    return left


FIVES = np.flatnonzero(FIVE_OF >= 0)
ROLL_COUNTS = COUNTS[FIRST_ROLL:]
WAYS_AS_FLOATS: Values = WAYS.astype(np.float64)


@dataclass(frozen=True, slots=True)
class _Exact:
    """Whole outcomes for one objective per box: ``keep[r][keep, box]`` of 6^(5r) with r rolls left.

    Keeping all five means stopping.
    """

    keep: tuple[NDArray[np.int64], ...]

    def fraction(self, rolls_left: int, keep: int, box: int) -> Fraction:
        return Fraction(int(self.keep[rolls_left][keep, box]), SIDES ** (DICE * rolls_left))


@cache
def _by_dice_alone() -> tuple[_Exact, _Exact]:
    """Chance and points of every box from every keep with up to three rolls left, whatever the card."""
    return _exact(NATURAL)


@lru_cache(REMEMBERED_CARDS)
def _by_jokers(variant: Variant, filled: int) -> tuple[_Exact, _Exact]:
    """The same on a card whose Dicee box is filled: five of a kind is a joker. Filled boxes go by the dice alone."""
    is_open = np.array([not filled >> box & 1 for box in range(len(BOXES))])
    return _exact(np.where(is_open[:, None], _variant_scores(filled, variant), NATURAL))


def _exact(scores: NDArray[np.int64]) -> tuple[_Exact, _Exact]:
    """Chance and points of every box, as integers, from what it pays for each roll: ``scores[box, roll]``."""
    hits = scores > 0
    hits[list(UPPER)] &= (ROLL_COUNTS >= UPPER_TARGET).T
    hits[CHANCE] = scores[CHANCE] != ILLEGAL
    return _backward(hits.T.astype(np.int64)), _backward(np.maximum(scores, 0).T)


def _backward(now: NDArray[np.int64]) -> _Exact:
    stopping = np.zeros((len(KEEPS), len(BOXES)), np.int64)
    stopping[FIRST_ROLL:] = now
    keep, best = [stopping], now
    for _ in range(BEFORE_FIRST_ROLL):
        stopping = stopping * SIDES**DICE
        rolled = _ways_times(best) * (SIDES**SIZE)[:, None]  # every keep in units of 6^5 outcomes
        keep.append(np.where(SIZE[:, None] == DICE, stopping, rolled))
        best = np.maximum.reduceat(keep[-1][SUB_KEEPS], SUB_START[:-1], axis=0)
    return _Exact(tuple(keep))


def _ways_times(outcomes: NDArray[np.int64]) -> NDArray[np.int64]:
    """``WAYS @ outcomes`` in floating point, which is exact here: no sum passes 50 × 6^15 < 2^53. A column at a time,
    as a threaded product would wait for the other cores of a busy server."""
    columns = [WAYS_AS_FLOATS @ column for column in outcomes.T.astype(np.float64)]
    return np.stack(columns, axis=1).astype(np.int64)


def box_odds(dice: Sequence[int], rolls_left: int, kept: Sequence[int] | None = None) -> dict[str, BoxOdds]:
    """The odds of all thirteen boxes by the dice alone, for the best keep of each or for a given keep.

    >>> box_odds([5, 5, 5, 2, 6], 1, kept=[5, 5, 5])["four_of_kind"].probability
    Fraction(11, 36)
    """
    return _odds_from(_by_dice_alone(), dice, rolls_left, kept)


def position_odds(position: Position, kept: Sequence[int] | None = None) -> dict[str, BoxOdds]:
    """The odds of all thirteen boxes by the rules of the position (ruling D19): what a joker pays counts, a roll that
    the forced joker sends elsewhere is a miss, and ``legal`` says which boxes may be written.

    >>> card = Scorecard.from_wire({"sixes": 24, "dicee": 50})
    >>> found = position_odds(Position(card, Variant.FORCED_DICEE, (6, 6, 6, 6, 6), 0))
    >>> found["large_straight"].probability, found["large_straight"].current_score, found["ones"].legal
    (Fraction(1, 1), 40, False)
    """
    found = _odds_from(_exact_odds(position), position.dice, position.rolls_left, kept)
    card, dice = position.card, position.dice
    legal = set(card.legal_scores(dice, position.variant)) if dice else set(card.open_boxes)
    return {name: replace(box, legal=name in legal) for name, box in found.items()}


def keep_odds(position: Position) -> tuple[Values, Values]:
    """Chance and expected points of every box from every keep, ``[keep, box]``; keeping all five means stopping."""
    chance, points = (exact.keep[position.rolls_left] for exact in _exact_odds(position))
    outcomes = SIDES ** (DICE * position.rolls_left)
    return chance / outcomes, points / outcomes


def _exact_odds(position: Position) -> tuple[_Exact, _Exact]:
    filled = position.card.filled
    if position.variant is Variant.STANDARD or not filled >> DICEE & 1:
        return _by_dice_alone()
    return _by_jokers(position.variant, filled)


def _odds_from(
    exact: tuple[_Exact, _Exact], dice: Sequence[int], rolls_left: int, kept: Sequence[int] | None
) -> dict[str, BoxOdds]:
    chance, points = exact
    keeps = _keeps(dice, rolls_left, kept)
    found = {}
    for box, name in enumerate(BOXES):
        likely = int(keeps[np.argmax(chance.keep[rolls_left][keeps, box])])
        paying = int(keeps[np.argmax(points.keep[rolls_left][keeps, box])])
        found[name] = BoxOdds(
            box=name,
            probability=chance.fraction(rolls_left, likely, box),
            expected=points.fraction(rolls_left, paying, box),
            keep=KEEPS[likely],
            expected_keep=KEEPS[paying],
            current_score=int(points.keep[0][keep_number(dice), box]) if dice else 0,
        )
    return found


def _keeps(dice: Sequence[int], rolls_left: int, kept: Sequence[int] | None) -> NDArray[np.int64]:
    """The keeps to choose from, largest first so that a tie keeps more."""
    if not dice:
        return np.array([0])
    every = sub_keeps(roll_number(dice))[::-1]
    if not rolls_left:
        return every[:1]
    if kept is None:
        return every
    chosen = every[[KEEPS[keep] == tuple(sorted(kept)) for keep in every]]
    if not len(chosen):
        raise EngineError(
            f"{list(kept)} cannot be kept from {list(dice)}.",
            code="ERR_INVALID_DICE",
            field="keptMask",
            constraint="part of the roll",
            expected=list(dice),
            actual=list(kept),
        )
    return chosen


@dataclass(frozen=True, slots=True)
class Odds:
    """One chance in the three ways people read it."""

    percent: str
    one_in: str
    fraction: str


def odds(p: Fraction) -> Odds:
    """A chance in words a page can show.

    >>> odds(Fraction(11, 36))
    Odds(percent='30.6 %', one_in='1 in 3.3', fraction='11/36')
    """
    percent = f"{float(p):.1%}".replace("%", " %")
    if 0 < p < Fraction(1, 2000):
        percent = "<0.1 %"
    elif 1 > p > Fraction(1999, 2000):
        percent = ">99.9 %"
    one_in = "never" if not p else "always" if p == 1 else f"1 in {float(1 / p):.1f}".removesuffix(".0")
    return Odds(percent, one_in, f"{p.numerator}/{p.denominator}")

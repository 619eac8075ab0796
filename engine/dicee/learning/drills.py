"""Positions to practise on, made to order: by idea, by difficulty, the same for the same seed.

Cards come from games that a fairly careful player plays forward, so every one could have happened. A position is
taken when exactly one choice is clearly best, a natural wrong one costs as much as the difficulty says, and the
decision is about the idea that was asked for.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count

from engine.dicee.analysis import Analysis, Horizon, Option, Position, analyze, position_odds
from engine.dicee.boxes import BOX_NUMBER, CHANCE
from engine.dicee.learning.concepts import STRAIGHT_BOXES, Concept, goal, touched
from engine.dicee.learning.observations import most_this_turn
from engine.dicee.learning.patterns import PATTERNS, Spot, longest_run, opportunities
from engine.dicee.learning.students import Student, play
from engine.dicee.tables import Table
from engine.wire import EngineError

#: What the tempting choice loses, by difficulty: the less, the harder to see.
BANDS = {1: (4.0, 25.0), 2: (1.5, 4.0), 3: (0.4, 1.5)}
#: Points between the best choice and any other, by difficulty.
CLEAR = {1: 1.0, 2: 0.5, 3: 0.3}
LEAST_CHOICES, MOST_CHOICES = 4, 5
PLAUSIBLE = 30.0  # points: nobody ponders a choice that loses more
UNCERTAIN = (0.03, 0.97)  # chances worth guessing
FORWARD = Student("plays forward", noise=0.7)


@dataclass(frozen=True)
class Drill:
    """A question with one clearly best answer. ``options`` are best first; ``tempting`` is the natural wrong one."""

    position: Position
    concept: Concept
    difficulty: int
    best: Option
    tempting: Option
    options: tuple[Option, ...]
    gap: float  # between the best and the next
    pattern: str | None  # the mistake that ``tempting`` would be, if it has a name
    predicts: str | None  # a box whose chance is worth guessing first
    truth: float | None  # that chance, when the turn is played for it


def make_drill(concept: Concept, difficulty: int, seed: int, table: Table) -> Drill:
    """A position that is about a concept, as hard as asked (1–3), the same for the same seed.

    >>> from engine.dicee import tables
    >>> from engine.dicee.boxes import Variant
    >>> drill = make_drill(Concept.STRAIGHTS, 1, 7, tables.load(Variant.STANDARD))
    >>> drill.best.points_lost, drill.gap >= CLEAR[1], drill.tempting in drill.options
    (0.0, True, True)
    """
    if difficulty not in BANDS:
        raise EngineError(
            f"Difficulty is 1, 2 or 3; you gave {difficulty}.",
            field="difficulty",
            constraint="one of",
            expected=list(BANDS),
            actual=difficulty,
        )
    luck = random.Random(f"{concept}/{difficulty}/{seed}")
    return next(
        drill for here in _positions(luck, table) if (drill := _drill(here, Concept(concept), difficulty, table))
    )


def _positions(luck: random.Random, table: Table) -> Iterator[Position]:
    """Decisions of game after game, in no order within one."""
    for _ in count():
        moves = play(FORWARD, luck.getrandbits(48), table).moves
        yield from (move.position for move in luck.sample(moves, len(moves)))


def _drill(here: Position, concept: Concept, difficulty: int, table: Table) -> Drill | None:
    """The position as a drill, if it makes one."""
    if not _could_be(here, concept):
        return None
    found = analyze(here, Horizon.GAME, table)
    plausible = [option for option in found.options if option.points_lost <= PLAUSIBLE]
    if len(plausible) < LEAST_CHOICES or plausible[1].points_lost < CLEAR[difficulty]:
        return None
    pattern, tempting = _temptation(here, found, concept)
    low, high = BANDS[difficulty]
    if not low <= tempting.points_lost < high or concept not in touched(here, found):
        return None
    box, truth = guess(here, found.best)
    if concept is Concept.READING_ODDS and box is None:
        return None
    others = [option for option in plausible[1:] if (option.keep, option.box) != (tempting.keep, tempting.box)]
    choices = sorted([found.best, tempting, *others[: MOST_CHOICES - 2]], key=lambda option: option.points_lost)
    return Drill(
        here, concept, difficulty, found.best, tempting, tuple(choices), plausible[1].points_lost, pattern, box, truth
    )


def _could_be(here: Position, concept: Concept) -> bool:
    """A cheap look before the analysis."""
    rolling = here.rolls_left > 0
    if concept is Concept.STRAIGHTS:
        return longest_run(here.dice) >= 3 and any(box in STRAIGHT_BOXES for box in here.card.open_boxes)
    if concept is Concept.CHANCE:
        return not rolling and here.card.points[CHANCE] is None
    return rolling != (concept is Concept.SACRIFICE) or concept in (Concept.BONUS_PACE, Concept.OF_A_KIND)


def _temptation(here: Position, found: Analysis, concept: Concept) -> tuple[str | None, Option]:
    """The natural wrong choice: a named mistake about this idea, or else the most points this turn."""
    for key, fitting in opportunities(Spot(here, found)).items():
        if PATTERNS[key].concept is concept:
            return key, min(fitting, key=lambda option: option.points_lost)
    return None, found.option(keep=most_this_turn(here))


def guess(here: Position, best: Option) -> tuple[str | None, float | None]:
    """A box whose chance is worth guessing, what the best keep is for first, and that chance played for alone."""
    if not here.rolls_left:
        return None, None
    odds = position_odds(here)
    chances = {box: float(odds[box].probability) for box in here.card.open_boxes if BOX_NUMBER[box] != CHANCE}
    doubtful = {box: p for box, p in chances.items() if UNCERTAIN[0] <= p <= UNCERTAIN[1]}
    if not doubtful:
        return None, None
    box = goal(here, best, doubtful)
    if box not in doubtful:  # stopping is best: ask what is being given up
        box = max(doubtful, key=lambda name: doubtful[name])
    return box, doubtful[box]

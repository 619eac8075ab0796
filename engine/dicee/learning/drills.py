"""Positions to practise on, made to order: by idea, by difficulty, the same for the same seed."""

from __future__ import annotations

import random
from dataclasses import dataclass

from engine.dicee.analysis import BEFORE_FIRST_ROLL, Horizon, Option, Position, analyze
from engine.dicee.boxes import BOXES, Scorecard, Variant
from engine.dicee.lattice import DICE, FACES
from engine.dicee.learning.concepts import Concept, touched
from engine.dicee.tables import Table

#: By difficulty, the least and most the runner-up may lose.
GAPS = {1: (3.0, 100.0), 2: (1.0, 3.0), 3: (0.3, 1.0)}
CHOICES = 4
TRIES = 5000


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
    predicts: str = ""  # for reading odds: the box whose chance is asked first
    truth: float | None = None  # that chance, holding the best keep


def make_drill(
    concept: Concept, difficulty: int, seed: int, table: Table, variant: Variant = Variant.STANDARD
) -> Drill:
    """A position that is about a concept, as hard as asked, the same for the same seed."""
    low, high = GAPS[difficulty]
    luck = random.Random(f"{concept}/{difficulty}/{seed}")
    for _ in range(TRIES):
        here = _somewhere(luck, variant)
        found = analyze(here, Horizon.GAME, table)
        if len(found.options) < CHOICES:
            continue
        gap = found.options[1].points_lost
        if low <= gap <= high and concept in touched(here, found.options[1], found):
            greedy = analyze(here).best
            tempting = found.option(keep=greedy.keep, box=greedy.box)
            if tempting.points_lost < low:
                tempting = found.options[1]
            return Drill(here, concept, difficulty, found.best, tempting, found.options[:CHOICES], gap)
    raise LookupError(f"no {concept} position of difficulty {difficulty} within {TRIES} tries")


def _somewhere(luck: random.Random, variant: Variant) -> Position:
    card = Scorecard()
    for _ in range(luck.randrange(0, len(BOXES) - 2)):
        dice = sorted(luck.choice(FACES) for _ in range(DICE))
        legal = card.legal_scores(dice, variant)
        card = card.after(max(legal, key=lambda box: (legal[box], box)), dice, variant)
    dice = [luck.choice(FACES) for _ in range(DICE)]
    return Position(card, variant, tuple(dice), luck.randrange(BEFORE_FIRST_ROLL))

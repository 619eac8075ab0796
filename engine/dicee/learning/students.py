"""Simulated players: perfect, careless, or with one wrong idea about the game."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from dataclasses import dataclass

from engine.dicee.analysis import BEFORE_FIRST_ROLL, Analysis, Horizon, Option, Position, analyze
from engine.dicee.boxes import Scorecard
from engine.dicee.lattice import DICE, FACES
from engine.dicee.learning.observations import Observation, actions, observe
from engine.dicee.learning.patterns import Spot, opportunities
from engine.dicee.tables import Table

PACE_MS = 6_000


@dataclass(frozen=True, slots=True)
class Student:
    """``pattern`` is the planted habit, followed ``strength`` of the time; ``noise`` is the temperature otherwise."""

    name: str
    pattern: str | None = None
    strength: float = 0.9
    noise: float = 0.0


@dataclass(frozen=True, slots=True)
class Move:
    """One decision, ready to be played through the real game."""

    position: Position
    chosen: Option
    rolled: tuple[int, ...]  # the dice after a reroll, in no order; empty when a box was written


@dataclass(frozen=True, slots=True)
class PlayedGame:
    score: int
    lost: float
    moves: tuple[Move, ...]
    observations: tuple[Observation, ...]


STUDENTS = (
    Student("perfect"),
    Student("noisy", noise=1.0),
    Student("stops early", "stops_early", noise=0.3),
    Student("spends Chance early", "chance_early", noise=0.3),
)


def play(student: Student, seed: int, table: Table) -> PlayedGame:
    """One game of a student. The same seed gives the same game."""
    luck = random.Random(seed)
    card = Scorecard()
    moves: list[Move] = []
    seen: list[Observation] = []
    while not card.is_complete:
        dice = tuple(luck.choice(FACES) for _ in range(DICE))
        left = BEFORE_FIRST_ROLL - 1
        while True:
            here = Position(card, table.variant, dice, left)
            found = analyze(here, Horizon.GAME, table)
            chosen = choose(student, here, found, luck)
            seen.append(observe(here, chosen, found, round(luck.lognormvariate(math.log(PACE_MS), 0.5))))
            if chosen.box:
                moves.append(Move(here, chosen, ()))
                card = card.after(chosen.box, dice, table.variant)
                break
            kept = chosen.keep or ()
            dice = (*kept, *(luck.choice(FACES) for _ in range(DICE - len(kept))))
            moves.append(Move(here, chosen, dice))
            left -= 1
    return PlayedGame(card.grand_total, sum(o.lost for o in seen), tuple(moves), tuple(seen))


def choose(student: Student, here: Position, found: Analysis, luck: random.Random) -> Option:
    """What a student does."""
    if student.pattern and luck.random() < student.strength:
        tempting = opportunities(Spot(here, found)).get(student.pattern)
        if tempting:
            return max(tempting, key=lambda option: option.ev)
    if not student.noise:
        return found.best
    every = actions(found)
    weights = [math.exp(-option.points_lost / student.noise) for option in every]
    return luck.choices(every, weights)[0]


Chooser = Callable[[Position, Analysis], Option]

"""Dice one can audit: single rolls, exploding rolls and batches, every die with the proof of where it came from.

Exploding dice recurse: a die at or above the trigger adds another, which may explode in turn. That is not what
Sustained Hits do, which never cascade (ruling W2).
"""

from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import overload

from engine.dice.pmf import Pmf
from engine.dice.roller import EntropySource, ProvenDie, Roller, SeededRoller, SystemRoller, proven
from engine.wire import EngineError

MAX_EXPLOSIONS = 10
EXPLOSION_LIMIT, BATCH_LIMIT = 1000, 1_000_000

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class DiceRoll:
    """One die. Dice typed in by hand carry no entropy, so they cannot be verified."""

    value: int
    sides: int = 6
    proof: str = ""
    entropy: str = ""
    is_reroll: bool = False

    def verify(self) -> bool:
        """Does the revealed entropy give this face and this proof?"""
        return bool(self.entropy) and ProvenDie(self.value, self.sides, self.entropy, self.proof).verify()


@dataclass(frozen=True, slots=True)
class ExplodingRoll:
    """A die and the dice it set off; ``capped`` when another was due but the limit was reached."""

    base_roll: DiceRoll
    explosions: tuple[DiceRoll, ...] = ()
    capped: bool = False

    @property
    def rolls(self) -> tuple[DiceRoll, ...]:
        return (self.base_roll, *self.explosions)

    @property
    def total(self) -> int:
        return sum(roll.value for roll in self.rolls)

    @property
    def count(self) -> int:
        return len(self.rolls)


@dataclass(frozen=True, slots=True)
class RollBatch:
    """Several dice of the same kind."""

    rolls: tuple[DiceRoll, ...]

    @property
    def values(self) -> tuple[int, ...]:
        return tuple(roll.value for roll in self.rolls)

    @property
    def total(self) -> int:
        return sum(self.values)

    @property
    def average(self) -> float:
        """0.0 for no dice at all."""
        return self.total / len(self.rolls) if self.rolls else 0.0


class DiceTray:
    """Rolls dice from a source: the system's randomness, a seed, or scripted faces.

    >>> DiceTray(seed=1).roll(6) == DiceTray(seed=1).roll(6)
    True
    """

    def __init__(self, source: EntropySource | Roller | None = None, *, seed: int | None = None) -> None:
        if source is None:
            source = SystemRoller() if seed is None else SeededRoller(seed)
        self.source = source

    @overload
    def roll(self, sides: int = 6) -> DiceRoll: ...
    @overload
    def roll(self, sides: int = 6, *, explode_on: int, max_explosions: int = MAX_EXPLOSIONS) -> ExplodingRoll: ...

    def roll(
        self, sides: int = 6, *, explode_on: int | None = None, max_explosions: int = MAX_EXPLOSIONS
    ) -> DiceRoll | ExplodingRoll:
        """One die; with ``explode_on``, that die and every further die it sets off."""
        if explode_on is None:
            return self._die(sides)
        check_explosion(sides, explode_on, max_explosions)
        rolls = [self._die(sides)]
        while rolls[-1].value >= explode_on and len(rolls) <= max_explosions:
            rolls.append(self._die(sides))
        capped = rolls[-1].value >= explode_on
        if capped and max_explosions:
            log.warning("A D%d stopped exploding at the limit of %d extra dice.", sides, max_explosions)
        return ExplodingRoll(rolls[0], tuple(rolls[1:]), capped)

    def reroll(self, roll: DiceRoll) -> DiceRoll:
        """Roll a die again; a die is rerolled once at most."""
        if roll.is_reroll:
            raise EngineError("A die is never rerolled twice.", field="roll", constraint="once", actual=roll.value)
        again = self._die(roll.sides)
        return DiceRoll(again.value, again.sides, again.proof, again.entropy, is_reroll=True)

    def roll_batch(self, count: int, sides: int = 6) -> RollBatch:
        """``count`` dice; no dice at all is a valid, empty batch."""
        if not 0 <= count <= BATCH_LIMIT:
            raise EngineError(
                f"The number of dice must be 0–{BATCH_LIMIT:,}; you entered {count}.",
                field="count",
                constraint="range",
                expected=f"0–{BATCH_LIMIT}",
                actual=count,
            )
        return RollBatch(tuple(self._die(sides) for _ in range(count)))

    def _die(self, sides: int) -> DiceRoll:
        if isinstance(self.source, EntropySource):
            die = proven(self.source, sides)
            return DiceRoll(die.face, sides, die.proof, die.entropy)
        return DiceRoll(self.source.roll(sides), sides)


def check_explosion(sides: int, explode_on: int, max_explosions: int) -> None:
    for name, value, low, high in (
        ("explodeOn", explode_on, 1, sides),
        ("maxExplosions", max_explosions, 0, EXPLOSION_LIMIT),
    ):
        if not low <= value <= high:
            raise EngineError(
                f"{name} must be {low}–{high}; you entered {value}.",
                field=name,
                constraint="range",
                expected=f"{low}–{high}",
                actual=value,
            )


def exploding_distribution(sides: int, explode_on: int, max_explosions: int = MAX_EXPLOSIONS) -> Pmf:
    """The exact distribution of an exploding die's total, by working back from the last die allowed.

    >>> round(exploding_distribution(6, 6, 1).mean, 4)
    4.0833
    """
    check_explosion(sides, explode_on, max_explosions)
    die = Pmf.die(sides)
    total = die
    for _ in range(max_explosions):
        total = Pmf.mix(
            (1 / sides, Pmf.point(face) if face < explode_on else total.shift(face)) for face in range(1, sides + 1)
        )
    return total

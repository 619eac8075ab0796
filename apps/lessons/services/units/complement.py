"""Unit: complementary events. "At least one" has many cases and one opposite."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import comb
from typing import Any

from apps.core import charts
from apps.core.forms import Choice, Whole
from apps.lessons.services.lesson import (
    Settings,
    Share,
    Widget,
    read_lesson,
)
from engine.dicee.analysis import box_odds
from engine.dicee.lattice import SIDES

GUESSED_DICE = 4
DOUBLE_ROLLS = 24  # the gambler's second bet: six times as many rolls for a chance six times as small
MOST_DICE, MOST_ROLLS = 10, 40
HELD = (5, 5, 5, 2, 6)
KEPT = (5, 5, 5)

#: What counts as a hit: how many faces of the die, in the list, in a sentence, none of them, the faces.
HITS: dict[str, tuple[str, str, str, tuple[int, ...]]] = {
    "six": ("A six", "at least one six", "no six", (6,)),
    "high": ("A five or a six", "at least one five or six", "no five and no six", (5, 6)),
    "even": ("An even number", "at least one even number", "only odd numbers", (2, 4, 6)),
}


def none_of(dice: int, hit: Fraction) -> Fraction:
    """The chance that not one of so many dice hits."""
    return (1 - hit) ** dice


def exactly(hits: int, dice: int, hit: Fraction) -> Fraction:
    """The chance of so many hits, no more and no fewer.

    >>> exactly(1, 2, Fraction(1, 6))
    Fraction(5, 18)
    """
    return comb(dice, hits) * hit**hits * (1 - hit) ** (dice - hits)


@dataclass(frozen=True)
class Road:
    """Both ways to the same chance: down the dice without a hit, and over every case."""

    dice: int
    event: str
    opposite: str
    faces: tuple[int, ...]
    miss: Fraction  # of one die
    none: Share  # counted in all the ways the dice can land
    still: tuple[Share, ...]  # no hit after die one, two, …
    cases: tuple[tuple[int, Share], ...]  # hits, chance

    @property
    def some(self) -> Share:
        return Share(self.none.of - self.none.hits, self.none.of)


def road(settings: Settings) -> Road:
    """The two ways for the dice of a pupil's choosing."""
    dice = settings["dice"]
    _, event, opposite, faces = HITS[settings["hit"]]
    hit, ways = Fraction(len(faces), SIDES), SIDES**dice
    still = tuple(Share(int(none_of(n, hit) * SIDES**n), SIDES**n) for n in range(1, dice + 1))
    cases = tuple((n, Share(int(exactly(n, dice, hit) * ways), ways)) for n in range(1, dice + 1))
    return Road(dice, event, opposite, faces, 1 - hit, still[-1], still, cases)


# -- The gambler's two bets ---------------------------------------------------------------------------------------


def at_least_one(rolls: int, hit: Fraction) -> Fraction:
    return 1 - none_of(rolls, hit)


def first_better_than_even(hit: Fraction) -> int:
    """The smallest number of rolls with which a bet on at least one hit is a good one."""
    return next(n for n in range(1, 1000) if at_least_one(n, hit) > Fraction(1, 2))


ONE_DIE, TWO_DICE = Fraction(1, SIDES), Fraction(1, SIDES**2)


def bets(settings: Settings) -> dict[str, Any]:
    """Both bets over the number of rolls, with even chances as a line."""
    rolls = settings["rolls"]
    upto = range(1, MOST_ROLLS + 1)

    def line(name: str, hit: Fraction) -> tuple[str, Sequence[float], Sequence[float]]:
        return name, list(upto), [float(at_least_one(n, hit)) for n in upto]

    series = [line("A six, one die", ONE_DIE), line("Double six, two dice", TWO_DICE)]
    figure = charts.lines(series, x="Rolls", y="Chance of at least one", target=0.5)
    figure["layout"]["yaxis"] |= {"tickformat": ".0%", "range": [0, 1]}
    return {
        "figure": figure,
        "rolls": rolls,
        "six": at_least_one(rolls, ONE_DIE),
        "double": at_least_one(rolls, TWO_DICE),
    }


@cache
def facts() -> dict[str, Any]:
    added = Fraction(GUESSED_DICE, SIDES)
    ways = SIDES**GUESSED_DICE
    none = Share(int(none_of(GUESSED_DICE, ONE_DIE) * ways), ways)
    four = box_odds(HELD, 1, kept=KEPT)["four_of_kind"].probability
    return {
        "dice": GUESSED_DICE,
        "faces": SIDES,
        "none": none,
        "some": Share(ways - none.hits, ways),
        "added": added,
        "seven_dice": SIDES + 1,
        "seven_added": Fraction(SIDES + 1, SIDES),
        "miss": 1 - ONE_DIE,
        "double_rolls": DOUBLE_ROLLS,
        "double": at_least_one(DOUBLE_ROLLS, TWO_DICE),
        "double_face": TWO_DICE,
        "in_six": at_least_one(SIDES, ONE_DIE),
        "double_added": DOUBLE_ROLLS * TWO_DICE,
        "even_six": first_better_than_even(ONE_DIE),
        "even_double": first_better_than_even(TWO_DICE),
        "two_none": none_of(2, ONE_DIE),
        "two_some": four,
        "two_one": exactly(1, 2, ONE_DIE),
        "two_added": 2 * ONE_DIE,
    }


WIDGETS = (
    Widget(
        "road",
        road,
        {
            "dice": Whole("Dice", 1, MOST_DICE, 1),
            "hit": Choice("What counts", [(key, words) for key, (words, *_) in HITS.items()], as_segments=True),
        },
    ),
    Widget("bets", bets, {"rolls": Whole("Rolls", 1, MOST_ROLLS, 1)}),
)
LESSON = read_lesson("complement", facts, WIDGETS, dice={"held": HELD})

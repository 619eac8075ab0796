"""Unit: conditional probability. What you know strikes squares out; the chance is counted in what is left."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

from apps.core.forms import Choice, Whole
from apps.lessons.services.lesson import (
    Settings,
    Share,
    Widget,
    read_lesson,
)
from apps.lessons.services.units.sample_space import SQUARES, Cell, Event, count, rows
from engine.dicee.advice import TITLES
from engine.dicee.analysis import box_odds
from engine.dicee.boxes import BOX_NUMBER, natural_score
from engine.dicee.lattice import DICE, FACES, SIDES

HIGH = 10
TARGET = 7
PAIR, SPLIT = (5, 5), (2, 5)
SHOWN_FIRST = (3, 4)  # not what is asked for

#: What may be known and what may be asked: key, words, event.
EVENTS: dict[str, tuple[str, Event]] = {
    "nothing": ("nothing", lambda square: True),
    "gold": ("the gold die shows a six", lambda square: square[0] == SIDES),
    "one": ("at least one die shows a six", lambda square: SIDES in square),
    "both": ("both dice show a six", lambda square: square == (SIDES, SIDES)),
    "double": ("both dice show the same", lambda square: square[0] == square[1]),
    "high": (f"the total is at least {HIGH}", lambda square: sum(square) >= HIGH),
    "seven": (f"the total is {TARGET}", lambda square: sum(square) == TARGET),
    "even": ("the total is even", lambda square: sum(square) % 2 == 0),
}
GIVEN = ("nothing", "gold", "one", "high", "double", "even")
ASKED = ("both", "one", "high", "seven", "double")


def given(asked: str, known: str) -> Share:
    """The squares of one event among those that what is known has left.

    >>> given("both", "one")
    Share(hits=1, of=11)
    """
    condition = EVENTS[known][1]
    return count(EVENTS[asked][1], filter(condition, SQUARES))


@dataclass(frozen=True)
class Restricted:
    """The grid with what is known struck out, and the chance before and after."""

    rows: list[list[Cell]]
    known: str
    asked: str
    before: Share
    after: Share
    same: bool  # knowing it changed nothing: the events are independent
    informed: bool


def restricted(settings: Settings) -> Restricted:
    known, asked = settings["given"], settings["asked"]
    condition, event = EVENTS[known][1], EVENTS[asked][1]

    def state(square: tuple[int, int]) -> str:
        return "gone" if not condition(square) else "in" if event(square) else "out"

    before, after = given(asked, "nothing"), given(asked, known)
    return Restricted(
        rows(state), EVENTS[known][0], EVENTS[asked][0], before, after, before.p == after.p, known != "nothing"
    )


# -- Two dice held ------------------------------------------------------------------------------------------------

BOXES = ("full_house", "three_of_kind", "four_of_kind", "small_straight", "large_straight", "dicee")


@dataclass(frozen=True)
class Block:
    """The third die's face, and the squares of the other two."""

    face: int
    rows: list[list[Cell]]
    hits: int


@dataclass(frozen=True)
class HeldPair:
    """Five dice with two of them known: what is left of all the ways to land, and how many of those make the box."""

    held: tuple[int, int]
    box: str
    blocks: tuple[Block, ...]
    before: Fraction
    after: Fraction  # from the engine's table of odds
    before_ways: Share
    after_ways: Share


def makes(box: str, dice: tuple[int, ...]) -> bool:
    return natural_score(BOX_NUMBER[box], dice) > 0


def held_pair(settings: Settings) -> HeldPair:
    pair, box = (settings["first"], settings["second"]), settings["box"]
    blocks = tuple(_block(pair, box, face) for face in FACES)
    before = box_odds((), 1)[box].probability
    after = box_odds((*pair, *(1,) * (DICE - len(pair))), 1, kept=pair)[box].probability
    return HeldPair(pair, TITLES[box], blocks, before, after, _ways(before, DICE), _ways(after, DICE - len(pair)))


def _block(pair: tuple[int, int], box: str, third: int) -> Block:
    grid = rows(lambda square: "in" if makes(box, (*pair, third, *square)) else "out")
    return Block(third, grid, sum(cell.state == "in" for row in grid for cell in row))


def _ways(p: Fraction, dice: int) -> Share:
    return Share(int(p * SIDES**dice), SIDES**dice)


def _pair_odds(pair: tuple[int, int]) -> Share:
    dice = (*pair, *(1,) * (DICE - len(pair)))
    return _ways(box_odds(dice, 1, kept=pair)["full_house"].probability, DICE - len(pair))


def _full_houses(with_a_third: bool) -> int:
    """Full houses from the pair by whether one of the three thrown dice matches it."""
    thrown = [t for t in product(FACES, repeat=DICE - len(PAIR)) if makes("full_house", (*PAIR, *t))]
    return sum((PAIR[0] in t) == with_a_third for t in thrown)


@cache
def facts() -> dict[str, Any]:
    full_house, left = _pair_odds(PAIR), SIDES ** (DICE - len(PAIR))
    return {
        "squares": len(SQUARES),
        "both": given("both", "nothing"),
        "both_one": given("both", "one"),
        "both_gold": given("both", "gold"),
        "one": given("one", "nothing"),
        "even_double": given("even", "double"),
        "double_even": given("double", "even"),
        "one_high": given("one", "high"),
        "high_left": given("one", "high").of,
        "high_one": given("high", "one"),
        "seven": given("seven", "nothing"),
        "all": SIDES**DICE,
        "left": left,
        "seven_gold": given("seven", "gold"),
        "seven_one": given("seven", "one"),
        "ten": HIGH,
        "total_seven": TARGET,
        "one_and_high": Share(given("one", "high").hits, len(SQUARES)),
        "full_house": full_house,
        "split": _pair_odds(SPLIT),
        "times": full_house.p / _pair_odds(SPLIT).p,
        "not_shrunk": Share(full_house.hits, SIDES**DICE),
        "only_third": Share(_full_houses(True), left),
        "only_triple": Share(_full_houses(False), left),
        "dice": DICE,
        "free": DICE - len(PAIR),
        "cold": _ways(box_odds((), 1)["full_house"].probability, DICE),
        "a": SPLIT[0],
        "b": SPLIT[1],
    }


WIDGETS = (
    Widget(
        "restricted",
        restricted,
        {
            "given": Choice("You know that", [(key, EVENTS[key][0]) for key in GIVEN]),
            "asked": Choice("How likely is it that", [(key, EVENTS[key][0]) for key in ASKED]),
        },
    ),
    Widget(
        "held",
        held_pair,
        {
            "first": Whole("First die held", 1, SIDES, SHOWN_FIRST[0]),
            "second": Whole("Second die held", 1, SIDES, SHOWN_FIRST[1]),
            "box": Choice("Box", [(box, TITLES[box]) for box in BOXES], "small_straight"),
        },
    ),
)
LESSON = read_lesson("conditional", facts, WIDGETS, dice={"pair": PAIR})

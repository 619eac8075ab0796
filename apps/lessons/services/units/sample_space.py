"""Unit: the sample space. Two dice are thirty-six squares; a chance is a count of squares."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from itertools import product
from typing import Any

from django.core.exceptions import ValidationError

from apps.core.forms import Choice, Several, Whole
from apps.lessons.services.lesson import (
    Settings,
    Share,
    Widget,
    fill,
    read_lesson,
)
from engine.dicee.analysis import box_odds
from engine.dicee.lattice import DICE, FACES, SIDES

Square = tuple[int, int]  # gold die, white die
Event = Callable[[Square], bool]

SQUARES: tuple[Square, ...] = tuple(product(FACES, FACES))
TOTALS = range(min(map(sum, SQUARES)), max(map(sum, SQUARES)) + 1)
TARGET, RIVAL, CHECKED = 7, 6, 11  # the total to mark, the friend's, and the one asked for at the end
FIRST_NUMBER = 10  # of the event shown first: none that is asked for


def count(event: Event, within: Iterable[Square] = SQUARES) -> Share:
    """How many squares of those that are left belong to an event.

    >>> count(lambda square: sum(square) == 7)
    Share(hits=6, of=36)
    """
    left = list(within)
    return Share(sum(map(event, left)), len(left))


def total_is(total: int) -> Event:
    return lambda square: sum(square) == total


# -- Mark the squares ---------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Cell:
    """A square as the grid shows it: ``state`` is a word for its look and for those who cannot see it."""

    gold: int
    white: int
    state: str = ""

    @property
    def key(self) -> str:
        return f"{self.gold}{self.white}"

    @property
    def total(self) -> int:
        return self.gold + self.white


def rows(state: Callable[[Square], str]) -> list[list[Cell]]:
    """The grid, a row for each face of the gold die."""
    return [[Cell(gold, white, state((gold, white))) for white in FACES] for gold in FACES]


@dataclass(frozen=True)
class Marked:
    rows: list[list[Cell]]
    verdict: str
    done: bool


#: What is said of the marks; the first that applies.
NOTHING = "Nothing is marked yet. Tap every square whose total is {target}, then check."
ALL_RIGHT = "Every one of them, and nothing else: {seven:of} squares. That is a chance of {seven}, or {seven:low}."
TOO_MANY = "{extra} of your squares {extra_do} not add up to {target}: look at {example}. Count its pips again."
NO_MIRROR = (
    "Almost. Gold {a} with white {b} is marked, gold {b} with white {a} is not. The total is the same, the way of "
    "landing is not: they are two different squares, so both count."
)
TOO_FEW = "All of these are right, but {missing} more {missing_be} still hiding. Follow the slant of those you have."


def marked(settings: Settings) -> Marked:
    """The squares a pupil marked beside the event; a verdict that tells the kind of mistake."""
    chosen = {(int(key[0]), int(key[1])) for key in settings["mark"]}
    event = {square for square in SQUARES if total_is(TARGET)(square)}
    verdict = fill(_verdict(chosen, event), facts() | _of_marks(chosen, event))
    grid = rows(lambda square: "marked" if square in chosen else "")
    return Marked(grid, verdict, chosen == event)


def _verdict(chosen: set[Square], event: set[Square]) -> str:
    if not chosen:
        return NOTHING
    if chosen == event:
        return ALL_RIGHT
    if chosen - event:
        return TOO_MANY
    return NO_MIRROR if _unmirrored(chosen) else TOO_FEW


def _unmirrored(chosen: set[Square]) -> list[Square]:
    return sorted((a, b) for a, b in chosen if (b, a) not in chosen)


def _of_marks(chosen: set[Square], event: set[Square]) -> dict[str, Any]:
    extra, missing = sorted(chosen - event), len(event - chosen)
    a, b = next(iter(_unmirrored(chosen)), (0, 0))
    return {
        "extra": len(extra),
        "extra_do": "does" if len(extra) == 1 else "do",
        "missing": missing,
        "missing_be": "is" if missing == 1 else "are",
        "a": a,
        "b": b,
        "example": f"gold {extra[0][0]}, white {extra[0][1]}" if extra else "",
    }


# -- Any event ----------------------------------------------------------------------------------------------------

#: Key, words for the list, words for the sentence, and the event of a number.
EVENTS: tuple[tuple[str, str, str, Callable[[int], Event]], ...] = (
    ("total", "The total is …", "the total is {n}", total_is),
    ("least", "The total is at least …", "the total is at least {n}", lambda n: lambda square: sum(square) >= n),
    ("face", "At least one die shows …", "at least one die shows {n}", lambda n: lambda square: n in square),
    (
        "apart",
        "The dice differ by …",
        "the dice differ by {n}",
        lambda n: lambda square: abs(square[0] - square[1]) == n,
    ),
)
EVENT_OF = {key: (words, make) for key, _, words, make in EVENTS}


@dataclass(frozen=True)
class Found:
    """An event on the grid. ``kind`` names the two ends of the scale."""

    rows: list[list[Cell]]
    words: str
    share: Share

    @property
    def kind(self) -> str:
        return "impossible" if not self.share.hits else "certain" if self.share.p == 1 else ""


def explored(settings: Settings) -> Found:
    """The squares of an event the pupil made up."""
    key, n = settings["event"], settings["number"]
    if key == "face" and n not in FACES:
        raise ValidationError({"number": f"A die shows 1–{SIDES}; you entered {n}."})
    words, make = EVENT_OF[key]
    event = make(n)
    return Found(rows(lambda square: "in" if event(square) else "out"), fill(words, {"n": n}), count(event))


# -- Every total --------------------------------------------------------------------------------------------------


def totals(settings: Settings) -> list[tuple[int, Share, list[Square]]]:
    """The squares of each total."""
    return [(total, count(total_is(total)), list(filter(total_is(total), SQUARES))) for total in TOTALS]


# -- The lesson ---------------------------------------------------------------------------------------------------


@cache
def facts() -> dict[str, Any]:
    """Every figure in the words, right and wrong ones alike."""
    a_six = count(lambda square: SIDES in square)
    unordered = len({tuple(sorted(square)) for square in SQUARES})
    in_one_roll = box_odds((), 1)["dicee"].probability
    return {
        "squares": len(SQUARES),
        "faces": SIDES,
        "target": TARGET,
        "rival": RIVAL,
        "checked": CHECKED,
        "seven": count(total_is(TARGET)),
        "six": count(total_is(RIVAL)),
        "eleven": count(total_is(CHECKED)),
        "totals": len(TOTALS),
        "lowest": TOTALS[0],
        "highest": TOTALS[-1],
        "unordered": unordered,
        "rarest": count(total_is(TOTALS[0])),
        "one_unordered": Share(1, unordered),
        "one_square": Share(1, len(SQUARES)),
        "one_total": Share(1, len(TOTALS)),
        "a_six": a_six,
        "row_and_column": Share(2 * SIDES, len(SQUARES)),
        "row_or_column_only": Share(2 * (SIDES - 1), len(SQUARES)),
        "one_row": Share(SIDES, len(SQUARES)),
        "dice": DICE,
        "five_dice": SIDES**DICE,
        "dicee": in_one_roll,
        "dicee_ways": Share(int(in_one_roll * SIDES**DICE), SIDES**DICE),
    }


WIDGETS = (
    Widget(
        "mark",
        marked,
        {
            "mark": Several("Squares", [(f"{a}{b}", f"gold {a}, white {b}") for a, b in SQUARES]),
        },
        inside=("mark",),
        live=False,
    ),
    Widget(
        "event",
        explored,
        {
            "event": Choice("Event", [(key, words) for key, words, _, _ in EVENTS], "least"),
            "number": Whole("Number", 0, TOTALS[-1], FIRST_NUMBER),
        },
    ),
    Widget("totals", totals),
)
LESSON = read_lesson("sample-space", facts, WIDGETS)

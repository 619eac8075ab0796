"""Unit: the sample space. Two dice are thirty-six squares; a chance is a count of squares."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from itertools import product
from typing import Any

from django.core.exceptions import ValidationError

from apps.classroom.services.lessons.lesson import (
    Lesson,
    Note,
    Option,
    Question,
    Settings,
    Share,
    Step,
    Widget,
    fill,
)
from apps.core.forms import Choice, Several, Whole
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


GUESS = Question(
    "guess",
    "Two dice are rolled and added up. You win on a {target}, a friend wins on a {rival}. Who has the better chance?",
    (
        Option("seven", "I have, with {target}", right=True),
        Option("six", "My friend, with {rival}"),
        Option("same", "Neither: every total from {lowest} to {highest} is as likely as the next"),
        Option("luck", "Nobody can say, it is luck"),
    ),
    guess=True,
)

ELEVEN = Question(
    "eleven",
    "How likely is a total of {checked}?",
    (
        Option(
            "one_square",
            "{one_square}",
            "There is gold five with white six. Now swap the colours: is that the same square on the grid?",
            "One pair of numbers counted as one square",
        ),
        Option(
            "eleven", "{eleven}", "Gold five with white six, gold six with white five: {eleven:of} squares.", right=True
        ),
        Option(
            "one_total",
            "{one_total}",
            "There are {totals} totals, but they do not have the same number of squares. "
            "Only things that are equally likely may be counted like this.",
            "Treating every total as equally likely",
        ),
        Option(
            "one_unordered",
            "{one_unordered}",
            "There are {unordered} pairs if the colours do not count, but a pair "
            "such as five and six has two squares and a double has one: the pairs are not equally likely.",
            "Listing pairs without order, then treating them as equally likely",
        ),
    ),
)

ONE_SIX = Question(
    "onesix",
    "How likely is at least one six?",
    (
        Option(
            "both",
            "{row_and_column}",
            "A row of {faces} and a column of {faces}, but they cross: double six was counted twice.",
            "Counting the overlap twice",
        ),
        Option("right", "{a_six}", "A row and a column, less the square in which they cross: {a_six:of}.", right=True),
        Option(
            "exactly",
            "{row_or_column_only}",
            "That leaves double six out. At least one allows two.",
            "Reading “at least one” as “exactly one”",
        ),
        Option(
            "row",
            "{one_row}",
            "That is the chance that the gold die shows it. The white die may do it instead.",
            "Looking at one die only",
        ),
    ),
)

LESSON = Lesson(
    slug="sample-space",
    title="Every way two dice can land",
    topic="Sample space",
    hook="Before you bet on a total, list everything that can happen. With two dice it fits on one square.",
    headline="{seven}",
    headline_says="to roll {target} with two dice",
    goals=(
        "List every outcome of two dice and say why there are {squares}.",
        "Turn a question in words into a set of outcomes: an event.",
        "Write a chance as favourable outcomes out of all, and say when that is allowed.",
    ),
    facts=facts,
    steps=(
        Step(
            "bet",
            "Place your bet",
            "Guess",
            1,
            ("Go by your feeling. The lesson does not judge guesses; it comes back to yours in a moment.",),
            question=GUESS,
        ),
        Step(
            "mark",
            "Mark every square",
            "Try",
            3,
            (
                "One die is gold, one is white, so they cannot be mixed up. Each square is one way the two can land: "
                "the row is the gold die, the column the white one. Together the squares are the sample space.",
                "Mark every square whose total is {target}.",
            ),
            Widget(
                "mark",
                marked,
                {
                    "mark": Several("Squares", [(f"{a}{b}", f"gold {a}, white {b}") for a, b in SQUARES]),
                },
                inside=("mark",),
                live=False,
            ),
            recall="guess",
            recall_says=(
                "A {target} has {seven:of} squares, a {rival} has {six:of}. One square is not much, but it is there "
                "every time."
            ),
        ),
        Step(
            "events",
            "Make up your own event",
            "Try",
            3,
            ("An event is any set of squares. Choose one and watch which squares light up.",),
            Widget(
                "event",
                explored,
                {
                    "event": Choice("Event", [(key, words) for key, words, _, _ in EVENTS], "least"),
                    "number": Whole("Number", 0, TOTALS[-1], FIRST_NUMBER),
                },
            ),
            find=(
                "An event with exactly one square.",
                "An event that cannot happen, and one that is certain.",
                "Two different events with the same chance.",
            ),
        ),
        Step(
            "shape",
            "Why the middle wins",
            "Idea",
            2,
            (
                "Line the totals up and count the squares of each. {lowest} and {highest} can happen in one way "
                "only; towards the middle there are more and more ways to share a total between two dice.",
            ),
            Widget("totals", totals),
            idea=(
                "If all outcomes are equally likely, the chance of an event is its outcomes divided by all outcomes.",
                "The {squares} squares are equally likely. The {totals} totals are not: {target} has {seven:of} "
                "squares, {lowest} has {rarest:of}.",
            ),
        ),
        Step("check", "Check: a total of {checked}", "Check", 1, question=ELEVEN),
        Step(
            "check-six",
            "Check: at least one six",
            "Check",
            1,
            ("Picture the grid. Which row, which column?",),
            question=ONE_SIX,
        ),
        Step(
            "table",
            "Take it to the table",
            "Play",
            1,
            (
                "Dicee is played with {dice} dice: {five_dice} ways to land, too many to draw, and the app still "
                "counts every one. All five alike in a single roll is {dicee_ways}, that is {dicee}. A turn has "
                "three rolls and lets you keep dice, which is where it gets interesting.",
            ),
        ),
    ),
    note=Note(
        run=(
            "Take the bet by a show of hands and write the tally on the board before anybody marks a square.",
            "Two dice of different colours at hand settle the order question faster than words: roll until the two "
            "fives-and-sixes have both turned up.",
        ),
        board=(
            (
                "Why are there {squares} squares and not {unordered}?",
                "For each of {faces} gold faces there are {faces} white ones. {unordered} is the number of pairs "
                "without order, and those are not equally likely.",
            ),
            (
                "Which total would you bet on, and by how much is it better than its neighbour?",
                "{target}: {seven:of} squares against {six:of}.",
            ),
            (
                "Somebody rolls the dice one after the other instead of together. Does the grid change?",
                "No. The first roll takes the place of the gold die.",
            ),
        ),
        watch=(
            (
                "Order does not matter",
                "The total is the same, so the outcome is taken for the same. Ask which die shows what.",
            ),
            (
                "Everything that can happen is equally likely",
                "Totals, or “it happens or it does not”. Ask: equally likely, or only equally possible?",
            ),
        ),
        words=("outcome", "sample space", "event", "favourable outcomes", "equally likely", "theoretical probability"),
        further=(
            "Three dice: how many outcomes, and which totals lie in the middle? The dice calculator draws the answer.",
        ),
    ),
)

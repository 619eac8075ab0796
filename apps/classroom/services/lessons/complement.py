"""Unit: complementary events. "At least one" has many cases and one opposite."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import comb
from typing import Any

from apps.classroom.services.lessons.lesson import (
    Lesson,
    Note,
    Option,
    Question,
    Settings,
    Share,
    Step,
    Widget,
)
from apps.core import charts
from apps.core.forms import Choice, Whole
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


GUESS = Question(
    "guess",
    "You roll {dice} dice at once. How likely is at least one six?",
    (
        Option("added", "{added}: each die adds a sixth"),
        Option("under", "Clearly less than half"),
        Option("over", "A little more than half", right=True),
        Option("sure", "Almost certain"),
    ),
    guess=True,
)

OPPOSITE = Question(
    "opposite",
    "What is the opposite of “at least one six”?",
    (
        Option(
            "one",
            "Exactly one six",
            "One six is at least one six. An event and its opposite never happen together.",
            "Negating the number instead of the sentence",
        ),
        Option(
            "none",
            "No six at all",
            "If it is not true that there is a six, there is none. Together the two cover "
            "everything, and they never overlap.",
            right=True,
        ),
        Option(
            "all",
            "Nothing but sixes",
            "Three sixes and a two: is that at least one six, or nothing but sixes? It must "
            "belong to one of the two, and it belongs to the first.",
            "Taking the extreme for the opposite",
        ),
        Option(
            "some_not",
            "At least one die that is not a six",
            "A six and a two is both at once. Opposites share no outcome.",
            "Moving the “not” to the wrong place",
        ),
    ),
)

GAMBLER = Question(
    "gambler",
    "A gambler won steadily betting on a six in {dice} rolls of one die. Then he bet on a double six in "
    "{double_rolls} rolls of two dice. His reasoning: a double six is {faces} times as rare, so {faces} times as "
    "many rolls make it even. What is his chance?",
    (
        Option(
            "same",
            "The same as before: {added}, because {double_rolls} times {double_face} is {double_added}",
            "Adding up chances is what went wrong in the guess, too: with {seven_dice} dice it would promise "
            "{seven_added}, more than certain. Rolls that hit twice are counted twice.",
            "Scaling in proportion",
        ),
        Option(
            "less",
            "A little less than half",
            "One minus the chance of {double_rolls} rolls without a double six leaves "
            "{double:%}. He needed {even_double} rolls, and lost money until somebody worked it out for him.",
            right=True,
        ),
        Option(
            "more",
            "A little more than half",
            "That was the first bet: {some:%}. Work the second one out over its "
            "opposite: no double six in one roll, and again, and again.",
            "Trusting that similar bets have similar chances",
        ),
    ),
)

TWO_LEFT = Question(
    "fourth",
    "You hold three fives and roll the other two dice. How likely is it that at least one of them becomes a five?",
    (
        Option(
            "added",
            "{two_added}",
            "Both dice can show a five at once, and adding counts that case twice.",
            "Adding chances that can happen together",
        ),
        Option(
            "opposite",
            "{two_none}",
            "That is the chance of no five at all. One step is missing.",
            "Stopping at the opposite",
        ),
        Option(
            "right",
            "{two_some}",
            "One minus {two_none}. It is the number the game prints beside Four of a Kind.",
            right=True,
        ),
        Option(
            "one",
            "{two_one}",
            "That is exactly one five. Two fives are welcome, too.",
            "Reading “at least one” as “exactly one”",
        ),
    ),
    dice=HELD,
)

LESSON = Lesson(
    slug="complement",
    title="At least one six",
    topic="Complementary events",
    hook="Some chances are hard to count and easy to count the other way round.",
    headline="{some:%}",
    headline_says="for at least one six with {dice} dice",
    goals=(
        "Say what the opposite of an event is, and that the two chances add up to one.",
        "Find “at least one” as one minus “none”.",
        "Explain why chances cannot simply be added up when both things may happen.",
    ),
    facts=facts,
    steps=(
        Step("bet", "Place your bet", "Guess", 1, ("Do not calculate yet.",), question=GUESS),
        Step(
            "road",
            "Two roads to one number",
            "Try",
            4,
            (
                "A direct count adds up every case: exactly one hit, exactly two, and so on. The other road asks for "
                "the one case that is left over, nothing at all, and takes it from the whole.",
            ),
            Widget(
                "road",
                road,
                {
                    "dice": Whole("Dice", 1, MOST_DICE, 1),
                    "hit": Choice("What counts", [(key, words) for key, (words, *_) in HITS.items()], as_segments=True),
                },
            ),
            find=(
                "The number of dice with which a six becomes more likely than not.",
                "How many cases the direct road has with the most dice; the other road still has one.",
                "Whether the chance ever reaches certainty.",
            ),
            recall="guess",
            recall_says=(
                "It is {some}, or {some:%}: one minus the {none} of rolling no six. Adding a sixth per die promises "
                "{added}, and with {seven_dice} dice it would promise more than certain."
            ),
        ),
        Step(
            "rule",
            "The rule",
            "Idea",
            1,
            idea=(
                "An event and its opposite share no outcome and leave none out. So their chances add up to one, and "
                "whichever is easier to count gives you the other.",
                "“At least one” is the typical case: its opposite, “none”, is one product. Each die misses with "
                "{miss}; {dice} dice all miss with {none}.",
            ),
        ),
        Step("check", "Check: find the opposite", "Check", 1, question=OPPOSITE),
        Step(
            "gambler",
            "The gambler’s second bet",
            "Check",
            3,
            (
                "A true story, more than three centuries old: it is one of the puzzles with which the theory of "
                "chance began. Answer first, then look at the curves.",
            ),
            Widget("bets", bets, {"rolls": Whole("Rolls", 1, MOST_ROLLS, 1)}),
            question=GAMBLER,
            ask_first=True,
        ),
        Step("table", "Take it to the table", "Play", 2, question=TWO_LEFT),
    ),
    note=Note(
        run=(
            "Let pairs defend their guesses for a minute; “a sixth per die” is the one to bring out. Ask for its "
            "prediction with {seven_dice} dice.",
            "On the second step have one half of the class add up the cases by hand for {dice} dice while the other "
            "half takes the short road. Both must meet.",
        ),
        board=(
            ("With how many dice is a six more likely than not?", "{even_six}."),
            (
                "With six dice you expect one six on average. Why is at least one six not certain?",
                "Its chance is {in_six:%}: some rolls have two or three sixes, others have none.",
            ),
            ("What is the opposite of “all dice are even”?", "At least one die is odd; not “all dice are odd”."),
        ),
        watch=(
            (
                "Adding up chances",
                "Works only for events that exclude each other. It over-counts rolls with several hits.",
            ),
            (
                "Wrong opposites",
                "“At least one” against “exactly one”, “all” against “none”. Have pupils sort single "
                "outcomes into the two events: every outcome must land in exactly one.",
            ),
        ),
        words=(
            "complementary event",
            "mutually exclusive",
            "exhaustive",
            "independent",
            "at least one",
            "multiplication rule",
        ),
        further=("The birthday problem is the same lesson with days for dice.",),
    ),
)

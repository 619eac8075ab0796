"""Unit: conditional probability. What you know strikes squares out; the chance is counted in what is left."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import product
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
from apps.classroom.services.lessons.sample_space import SQUARES, Cell, Event, count, rows
from apps.core.forms import Choice, Whole
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


GUESS = Question(
    "guess",
    "Two dice are rolled behind a screen. Somebody looks and tells you, truthfully: “At least one of them is a six.” "
    "How likely is it that both are?",
    (
        Option("independent", "{both_gold:low}: the other die knows nothing of the first"),
        Option("right", "{both_one}", right=True),
        Option("before", "{both}: two sixes are two sixes"),
        Option("half", "One half: either the other one is, or it is not"),
    ),
    guess=True,
)

TURNED = Question(
    "turned",
    "This time you are told: “The total is at least {ten}.” How likely is at least one six?",
    (
        Option(
            "turned",
            "{high_one}",
            "That is a high total given a six. Which one do you know, and which one do you want?",
            "Turning the condition round",
        ),
        Option(
            "joint",
            "{one_and_high}",
            "The right squares, but out of all {squares}. Those below {ten} are gone.",
            "Forgetting to shrink the sample space",
        ),
        Option(
            "right",
            "{one_high}",
            "{high_left} squares are left, and all of them but double five have a six.",
            right=True,
        ),
        Option("before", "{one}", "That was true before you were told anything.", "Ignoring what is known"),
    ),
)

FULL_HOUSE = Question(
    "fullhouse",
    "You hold a pair of fives and roll the other {free} dice once. How likely is a Full House: three of one face and "
    "two of another?",
    (
        Option(
            "third",
            "{only_third}",
            "A five and a pair: that is one way. Three of another face beside your pair of fives is a Full House, too.",
            "Seeing only the first way that works",
        ),
        Option(
            "triple",
            "{only_triple}",
            "Three of another face: that is one way. One more five and a pair is the commoner one.",
            "Seeing only one way that works",
        ),
        Option(
            "cold",
            "{not_shrunk}",
            "The favourable ways are right. But two dice are no longer rolled: the {all} ways of "
            "{dice} dice have shrunk to {left}.",
            "Forgetting to shrink the sample space",
        ),
        Option(
            "right",
            "{full_house}",
            "{full_house:%}. With five dice in hand it was {cold:%}: holding the pair changed what can still happen.",
            right=True,
        ),
    ),
    dice=PAIR,
)

LESSON = Lesson(
    slug="conditional",
    title="What you know changes the count",
    topic="Conditional probability",
    hook="New information does not move the dice. It crosses out what did not happen.",
    headline="{both_one}",
    headline_says="for two sixes, once you know of one",
    goals=(
        "Read “given that” as a smaller sample space and count in it.",
        "Tell the chance of A given B from the chance of B given A.",
        "Recognise independence: knowing B leaves the chance of A as it was.",
    ),
    facts=facts,
    steps=(
        Step("screen", "Behind the screen", "Guess", 1, question=GUESS),
        Step(
            "shrink",
            "Cross out what cannot be",
            "Try",
            4,
            (
                "Say what you know. The squares that are ruled out are hatched; only the others can be true. Then ask "
                "for a chance and count it in what is left.",
            ),
            Widget(
                "restricted",
                restricted,
                {
                    "given": Choice("You know that", [(key, EVENTS[key][0]) for key in GIVEN]),
                    "asked": Choice("How likely is it that", [(key, EVENTS[key][0]) for key in ASKED]),
                },
            ),
            find=(
                "Knowing that the gold die shows a six makes two sixes likelier than knowing of at least one. Why?",
                "Something you can know that does not change the chance of a total of {total_seven} at all.",
                "What you must know for at least one six to become the way to bet.",
            ),
            recall="guess",
            recall_says=(
                "“At least one” leaves {one:of} squares, and double six is one of them: {both_one}. If you had been "
                "told that the gold die is the six, it would be {both_gold:low}."
            ),
        ),
        Step(
            "rule",
            "The rule",
            "Idea",
            2,
            idea=(
                "The chance of A given B is the part of B in which A is true as well: squares in both, divided by "
                "squares in B.",
                "Given that both dice show the same, the total is even in {even_double} squares: for certain. Given "
                "that the total is even, both show the same in {double_even}. The squares in both are the same; what "
                "they are divided by is not.",
                "A total of {total_seven} has {seven:low}, and {seven_gold} once you know that the gold die is a "
                "six: no change. Such events are independent. Knowing of at least one six is different: {seven_one}.",
            ),
        ),
        Step("check", "Check: the other way round", "Check", 1, question=TURNED),
        Step(
            "held",
            "Two dice held",
            "Try",
            4,
            (
                "In Dicee you know some dice because you kept them. Of the {all} ways {dice} dice can land, {left} "
                "are left once two are held. Here they all are: a block for each face of the third die, a square for "
                "the other two. The bright ones make the box.",
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
            find=(
                "Two dice that cannot become a Large Straight any more.",
                "The best two dice to hold for a Small Straight.",
            ),
            question=FULL_HOUSE,
        ),
        Step(
            "table",
            "Take it to the table",
            "Play",
            1,
            (
                "Every percentage beside a box in Dicee is such a chance: given the dice you hold. Touch another die "
                "and the whole column is counted again. Holding a pair gives a Full House {full_house}; holding a "
                "{a} and a {b} gives it {split}, {times:1} times as rare.",
            ),
        ),
    ),
    note=Note(
        run=(
            "Play the screen for real: roll two dice in a box, announce truthfully whether there is at least one "
            "six, and keep a tally of the announced rolls only. Ask beforehand how many double sixes the class "
            "expects among twenty of them; it will be about two, not three or four.",
            "Read every condition aloud as “I know that …, so I cross out …”.",
        ),
        board=(
            (
                "Why does it matter whether you are told “the gold die is a six” or “at least one is a six”?",
                "The first leaves one row, the second a row and a column: more squares, and still only one double six.",
            ),
            (
                "Most rolls with a high total contain a six. Do most rolls with a six have a high total?",
                "No: {one_high} against {high_one}.",
            ),
            (
                "You keep a pair. Have the dice become luckier?",
                "No. The chance for a Full House went from {cold:%} to {full_house:%} because fewer outcomes are left.",
            ),
        ),
        watch=(
            (
                "The condition turned round",
                "Common far beyond dice, in medical tests and courtrooms. Insist on saying what is known first.",
            ),
            (
                "The other die is independent, so one sixth",
                "True when a particular die is named. “At least one” names none.",
            ),
        ),
        words=(
            "conditional probability",
            "given that",
            "restricted sample space",
            "independent events",
            "intersection",
            "two-way table",
        ),
        further=(
            "Write the grid as a two-way table of “six or not” against “high or not” and read both conditional chances "
            "from it.",
        ),
    ),
)

"""Unit: optimal stopping. Work out the end first, then one step back, and again."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Any

from apps.classroom.services.lessons.lesson import (
    Dice,
    Lesson,
    Note,
    Option,
    Pick,
    Question,
    Settings,
    Step,
    Widget,
)
from apps.core import formats
from apps.core.forms import Choice, Toggle, Whole
from engine.dice.roller import SeededRoller
from engine.dicee.analysis import Analysis, Position, analyze, box_odds
from engine.dicee.boxes import BOXES, CHANCE, Scorecard, Variant
from engine.dicee.lattice import DICE, FACES, SIDES

ROLLS = 3
MOST_ROLLS = 10
GAMES = 9_999
NEVER = SIDES + 1  # a threshold no face reaches
FIRST_SHOWN = 4
LATE_FACE = 5
LAST_BOX_DICE = (1, 3, 4, 5, 6)
SHOWN_FIRST = (1, 2, 4, 4, 6)  # not what is asked for
SHOWN_KEEPS = 5


@cache
def worth(rolls: int) -> Fraction:
    """What the game is worth before a roll, with so many rolls allowed and best play.

    >>> worth(1), worth(2), worth(3)
    (Fraction(7, 2), Fraction(17, 4), Fraction(14, 3))
    """
    after = worth(rolls - 1) if rolls > 1 else Fraction(0)
    return sum((max(Fraction(face), after) for face in FACES), Fraction(0)) / SIDES


def stop_at(rolls_left: int) -> int:
    """The lowest face worth stopping at when so many rolls may still follow."""
    return next(face for face in FACES if not rolls_left or face >= worth(rolls_left))


def rule_worth(thresholds: tuple[int, ...]) -> Fraction:
    """What a rule is worth: stop on roll one from the first threshold upwards, on roll two from the second, …

    >>> rule_worth((5, 4)) == worth(3)
    True
    """
    value = worth(1)
    for threshold in reversed(thresholds):
        value = sum((Fraction(face) if face >= threshold else value for face in FACES), Fraction(0)) / SIDES
    return value


# -- Play it ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Played:
    """A game as far as it got. ``best_stop`` is the roll at which the best rule would have stopped on the same dice."""

    seed: int
    dice: tuple[int, ...]
    over: bool
    best_stop: int
    best_paid: int

    @property
    def at(self) -> int:
        return len(self.dice)

    @property
    def left(self) -> int:
        return ROLLS - self.at

    @property
    def paid(self) -> int:
        return self.dice[-1]

    @property
    def blanks(self) -> range:
        return range(self.left)

    @property
    def next_seed(self) -> int:
        return self.seed % GAMES + 1


def game_dice(seed: int) -> tuple[int, ...]:
    roller = SeededRoller(seed)
    return tuple(roller.roll(SIDES) for _ in range(ROLLS))


def played(settings: Settings) -> Played:
    """The game after the button that was pressed, if one was. What belongs to another game is forgotten."""
    seed, press = settings["game"], settings["play"]
    at, over = (settings["at"], settings["ended"]) if settings["dealt"] == seed else (1, False)
    if press == "again" and not over:
        at = min(at + 1, ROLLS)
    over = over or press == "stop" or at == ROLLS
    dice = game_dice(seed)
    best_stop = next(roll for roll, face in enumerate(dice, 1) if face >= stop_at(ROLLS - roll))
    return Played(seed, dice[:at], over, best_stop, dice[best_stop - 1])


# -- Rules against each other -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class RuleCell:
    first: int
    second: int
    ev: Fraction
    heat: str
    mine: bool
    best: bool


@dataclass(frozen=True)
class Rules:
    """The pupil's rule among all of them."""

    first: int
    second: int
    ev: Fraction
    best: Fraction
    rows: list[tuple[int, list[RuleCell]]]

    @property
    def lost(self) -> Fraction:
        return self.best - self.ev


THRESHOLDS = range(1, NEVER + 1)


def rules(settings: Settings) -> Rules:
    mine = (settings["first"], settings["second"])
    every = {(a, b): rule_worth((a, b)) for a in THRESHOLDS for b in THRESHOLDS}
    low, high = min(every.values()), max(every.values())

    def cell(a: int, b: int) -> RuleCell:
        ev = every[a, b]
        warmth = formats.heat(max(1e-9, float((ev - low) / (high - low))))
        return RuleCell(a, b, ev, warmth, (a, b) == mine, ev == high)

    return Rules(*mine, every[mine], high, [(a, [cell(a, b) for b in THRESHOLDS]) for a in THRESHOLDS])


# -- Backwards ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Rung:
    """One roll of the ladder, the last one first. ``after`` is what rolling on would be worth here."""

    left: int
    after: Fraction
    stop: int
    faces: tuple[tuple[int, bool, Fraction], ...]  # face, stop?, what it is worth
    worth: Fraction


def ladder(settings: Settings) -> tuple[Rung, ...]:
    """Backward induction, roll by roll from the last."""
    return tuple(_rung(left) for left in range(settings["rolls"]))


def _rung(left: int) -> Rung:
    after, stop = worth(left) if left else Fraction(0), stop_at(left)
    faces = tuple((face, face >= stop, max(Fraction(face), after)) for face in FACES)
    return Rung(left, after, stop, faces, worth(left + 1))


# -- The last box -------------------------------------------------------------------------------------------------

ONLY_CHANCE = Scorecard(tuple(None if box == CHANCE else 0 for box in range(len(BOXES))))


def only_chance(dice: tuple[int, ...], left: int) -> Analysis:
    """Dicee with one box to go: Chance, which pays the sum of the dice."""
    return analyze(Position(ONLY_CHANCE, Variant.STANDARD, dice, left))


@dataclass(frozen=True)
class LastBox:
    dice: tuple[tuple[int, bool], ...]  # face, kept by best play
    left: int
    now: int
    stops: bool
    ev: float
    options: tuple[tuple[tuple[int, ...] | None, float, float], ...]  # keep (None: stop), value, points lost
    threshold: int


def last_box(settings: Settings) -> LastBox:
    faces, left = tuple(map(int, settings["dice"])), int(settings["left"])
    found = only_chance(faces, left)
    stops = found.best.keep is None
    wanted = list(faces if stops else found.best.keep or ())
    return LastBox(
        tuple((face, _taken(wanted, face)) for face in faces),
        left,
        sum(faces),
        stops,
        found.ev,
        tuple((option.keep, option.ev, option.points_lost) for option in found.options[:SHOWN_KEEPS]),
        stop_at(left),
    )


def _taken(wanted: list[int], face: int) -> bool:
    if face in wanted:
        wanted.remove(face)
        return True
    return False


@cache
def facts() -> dict[str, Any]:
    late = next(n for n in range(1, MOST_ROLLS) if worth(n) > LATE_FACE)
    two, one = only_chance(LAST_BOX_DICE, 2), only_chance(LAST_BOX_DICE, 1)
    assert two.best.keep is not None
    assert one.best.keep is not None

    def listed(faces: tuple[int, ...]) -> str:
        return " and ".join((", ".join(map(str, faces[:-1])), str(faces[-1]))) if len(faces) > 1 else str(faces[0])

    return {
        "rolls": ROLLS,
        "shown": FIRST_SHOWN,
        "one": worth(1),
        "two": worth(2),
        "three": worth(ROLLS),
        "late": late,
        "late_face": LATE_FACE,
        "late_worth": worth(late),
        "dice": DICE,
        "chance": box_odds((), ROLLS)["chance"].expected,
        "keep_two": listed(two.best.keep),
        "keep_one": listed(one.best.keep),
        "four": stop_at(1),
        "keep_all_ev": sum(LAST_BOX_DICE),
        "ev_two": two.ev,
        "ev_with_four": two.option(keep=one.best.keep).ev,
        "late_rolls": late + 1,
        "before_late": worth(late - 1),
        "most": MOST_ROLLS,
        "most_worth": worth(MOST_ROLLS),
        "faces": SIDES,
    }


GUESS = Question(
    "guess",
    "One die, up to {rolls} rolls. You may stop after any roll and are paid the face that lies there; whatever came "
    "before is lost. Your first roll is a {shown}. Stop, or roll again?",
    (
        Option("stop", "Stop: a {shown} is above the average of {one:1}"),
        Option("roll", "Roll again", right=True),
        Option("same", "It makes no difference"),
    ),
    guess=True,
    dice=(FIRST_SHOWN,),
)

LATE = Question(
    "late",
    "Now {late_rolls} rolls are allowed and the first is a {late_face}: only one face is better. Stop, or roll again?",
    (
        Option(
            "stop",
            "Stop: five times out of six the next roll is no better",
            "The next roll is not the last. You may roll "
            "on until something good comes, and {late} rolls are worth {late_worth:2}.",
            "Looking one roll ahead only",
        ),
        Option(
            "roll",
            "Roll again",
            "{late} more rolls are worth {late_worth:2} on average, more than {late_face}. With one "
            "fewer, {before_late:2}, it would be right to stop.",
            right=True,
        ),
        Option(
            "luck",
            "It depends on how I feel about the next roll",
            "Feeling does not move the die. Compare two numbers: what lies here, and what rolling on is worth.",
            "Deciding by mood",
        ),
    ),
    dice=(LATE_FACE,),
)

FOUR = Question(
    "four",
    "The last box is Chance: it pays the sum of the dice. Two rolls are left. Which dice do you keep?",
    (
        Option(
            "right",
            "Only {keep_two}",
            "A {four} is above the average of one roll, but two rolls are to come and are worth "
            "{two:2} a die. With one roll left you would keep {keep_one}.",
            right=True,
        ),
        Option(
            "average",
            "{keep_one}: everything above the average of {one:1}",
            "Right with one roll left. With two, "
            "{four} is less than the {two:2} a die can still expect: {ev_with_four:2} points against {ev_two:2}.",
            "Comparing with the average of one roll",
        ),
        Option(
            "stop",
            "All of them: {keep_all_ev} points are safe",
            "Safe, and less than the {ev_two:2} that best play expects.",
            "Preferring what is certain",
        ),
    ),
    dice=LAST_BOX_DICE,
)

LESSON = Lesson(
    slug="stopping",
    title="Stop or roll again?",
    topic="Optimal stopping",
    hook="Enough is a number. It depends on how many tries are left, and you find it by starting at the end.",
    headline="{three}",
    headline_says="the worth of {rolls} rolls, stopping well",
    goals=(
        "Compare what you have with what going on is worth.",
        "Find the best rule by working backwards from the last roll.",
        "Use it on a real decision in Dicee.",
    ),
    facts=facts,
    steps=(
        Step("first", "The first roll", "Guess", 1, question=GUESS),
        Step(
            "play",
            "Play it",
            "Try",
            3,
            (
                "Up to {rolls} rolls, paid the face you stop on. Play a few games. The dice of a game are fixed by "
                "its number, so two of you can play the same one and compare.",
            ),
            Widget(
                "game",
                played,
                {
                    "game": Whole("Game", 1, GAMES, 1),
                    "dealt": Whole("Game on the table", 0, GAMES, 0),
                    "at": Whole("Roll", 1, ROLLS, 1),
                    "ended": Toggle("Stopped"),
                    "play": Pick("Move", [("again", "Roll again"), ("stop", "Stop")]),
                },
                inside=("dealt", "at", "ended", "play"),
            ),
        ),
        Step(
            "rules",
            "Make a rule",
            "Try",
            3,
            (
                "A rule says in advance from which face you stop. Try to find the best one of all: every square "
                "below is a rule, and its number is what the rule earns on average.",
            ),
            Widget(
                "rules",
                rules,
                {
                    "first": Whole("Stop on roll one from", 1, NEVER, FIRST_SHOWN, hint=f"{NEVER}: never"),
                    "second": Whole("Stop on roll two from", 1, NEVER, FIRST_SHOWN, hint=f"{NEVER}: never"),
                },
            ),
        ),
        Step(
            "backwards",
            "Start at the end",
            "Idea",
            3,
            (
                "Read it from the top, the last roll first. There you have no choice, so you know what it is worth. "
                "One roll earlier you compare each face with that number and take the better: that gives the next "
                "number. And so on.",
            ),
            Widget("ladder", ladder, {"rolls": Whole("Rolls allowed", 1, MOST_ROLLS, ROLLS)}),
            idea=(
                "Stop exactly when what you have is at least what going on is worth. The more tries are left, the "
                "choosier you can afford to be.",
            ),
            recall="guess",
            recall_says=(
                "Roll again. Two more rolls are worth {two}, that is {two:2}, and a {shown} is less. On the second "
                "roll it would be right to stop: one more roll is worth {one:1} only."
            ),
        ),
        Step("check", "Check: a five, early", "Check", 1, question=LATE),
        Step(
            "lastbox",
            "The last box",
            "Try",
            3,
            (
                "Only Chance is open in Dicee, and it pays the sum. Each die is then a little game of its own: kept, "
                "it has stopped; rolled, it goes on. {dice} such games are worth {dice} times {three}, that is "
                "{chance:2} points before the first roll, and the engine that solved the whole game agrees.",
            ),
            Widget(
                "lastbox",
                last_box,
                {
                    "dice": Dice(SHOWN_FIRST),
                    "left": Choice("Rolls left", [("1", "1"), ("2", "2")], as_segments=True),
                },
            ),
            question=FOUR,
        ),
        Step(
            "table",
            "Take it to the table",
            "Play",
            1,
            (
                "Dicee as a whole was solved like this: every way the last box can be, then the last two, back to "
                "the empty card. Whenever the coach says what a position is worth, it has looked at every ending.",
            ),
        ),
    ),
    note=Note(
        run=(
            "Play one game with the whole class standing: whoever would stop sits down. Ask the first and the last "
            "to sit why.",
            "Have groups propose rules and rank them before the squares are read; someone usually finds the best by "
            "trying.",
        ),
        board=(
            (
                "Why is a {shown} good on the second roll and not on the first?",
                "After the second roll one more is worth {one:1}; after the first, two more are worth {two:2}.",
            ),
            (
                "What happens to the worth when more and more rolls are allowed?",
                "It creeps up towards {faces} and never gets there; with {most} it is {most_worth:2}.",
            ),
            (
                "Where in life do you have to stop without going back?",
                "Looking for a flat, a parking space, a used bicycle.",
            ),
        ),
        watch=(
            ("One step ahead", "The face is compared with the average of a single roll, though more are to come."),
            ("Sunk rolls", "“I have rolled twice already, so …” What came before is gone; only what is left counts."),
        ),
        words=("strategy", "expected value", "backward induction", "threshold", "decision tree", "optimal"),
        further=(
            "If the best face of all rolls counted instead of the last, when would you stop? (Never before the end, "
            "unless it is a six.)",
        ),
    ),
)

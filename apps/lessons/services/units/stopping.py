"""Unit: optimal stopping. Work out the end first, then one step back, and again."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Any

from apps.core import formats
from apps.core.forms import Choice, Toggle, Whole
from apps.lessons.services.lesson import (
    Dice,
    Pick,
    Settings,
    Widget,
    read_lesson,
)
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

    @property
    def kept(self) -> list[int]:
        return [face for face, is_kept in self.dice if is_kept]


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


WIDGETS = (
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
    Widget(
        "rules",
        rules,
        {
            "first": Whole("Stop on roll one from", 1, NEVER, FIRST_SHOWN, hint=f"{NEVER}: never"),
            "second": Whole("Stop on roll two from", 1, NEVER, FIRST_SHOWN, hint=f"{NEVER}: never"),
        },
    ),
    Widget("ladder", ladder, {"rolls": Whole("Rolls allowed", 1, MOST_ROLLS, ROLLS)}),
    Widget(
        "lastbox",
        last_box,
        {
            "dice": Dice(SHOWN_FIRST),
            "left": Choice("Rolls left", [("1", "1"), ("2", "2")], as_segments=True),
        },
    ),
)
LESSON = read_lesson(
    "stopping", facts, WIDGETS, dice={"first": (FIRST_SHOWN,), "late": (LATE_FACE,), "last_box": LAST_BOX_DICE}
)

"""What the coach says about one decision on the table page: words, hints, and the JSON of every hold.

All 32 holds (``engine.dicee.holds``) come with the page, so that touching a die repaints the card without asking the
server.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from engine.dicee import advice
from engine.dicee.analysis import Horizon, Option, Position, analyze, position_odds
from engine.dicee.boxes import BOX_NUMBER, BOXES, UPPER
from engine.dicee.holds import Hold, Numbers
from engine.dicee.lattice import ROLLS
from engine.dicee.tables import Table

#: Beginner's words for a chance: above the first number, the word (RFC-002 §5.2).
WORDS = ((0.5, "Likely"), (0.2, "Possible"), (0.0, "Unlikely"))
IMPOSSIBLE = "No chance"
FALLBACK = "Fallback"  # the best box although it is not made: struck, or an upper box below par (ruling D19)
HINTS = ("goal", "dice", "move")  # how a hint grows: where to, with what, exactly how


def word(p: float, *, best: bool = False) -> str:
    """A chance as a beginner reads it. The best box is never beside "no chance".

    >>> word(0.6), word(0.21), word(0.2), word(0), word(0, best=True)
    ('Likely', 'Possible', 'Unlikely', 'No chance', 'Fallback')
    """
    return next((text for above, text in WORDS if p > above), FALLBACK if best else IMPOSSIBLE)


def wire(numbers: Numbers) -> dict[str, Any]:
    """The page's copy of the numbers; keys are short because 32 holds of 13 boxes come with every table."""
    rolls = {
        "".join(map(str, roll)): [box, points, round(final, 2)]
        for roll, (box, points, final) in zip(ROLLS, numbers.after, strict=False)
    }
    position = numbers.position
    return {
        "dice": position.dice,
        "left": position.rolls_left,
        "best": numbers.best,
        "box": numbers.best_box,
        "horizon": numbers.horizon.value,
        "total": position.card.grand_total,
        "of": numbers.of,
        "holds": [_hold(hold) for hold in numbers.holds],
        "rolls": rolls,
    }


def _hold(hold: Hold) -> dict[str, Any]:
    rounded = [None if value is None else round(value, 4) for value in hold.finals]
    return {
        "k": list(hold.keep),
        "g": round(hold.final, 4),
        "t": round(hold.turn, 4),
        "p": hold.p,
        "e": [round(points, 4) for points in hold.points],
        "f": rounded,
        "d": [round(p, 6) for p in hold.ends],
    }


# -- Words --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Goal:
    """A box best play may make from here."""

    title: str
    p: float

    @property
    def word(self) -> str:
        return word(self.p)


@dataclass(frozen=True)
class Words:
    headline: str
    simple: str
    reasons: tuple[str, ...]
    figures: str
    tip: str
    near_tie: bool
    goals: tuple[Goal, ...]

    @property
    def plain(self) -> str:
        """The first reason without its numbers, for beginners."""
        return re.sub(r" \([^)]*%\)", "", self.simple)


def words(position: Position, table: Table | None) -> Words:
    """The coach's advice: an instruction, its first reason, then everything else that speaks for it."""
    horizon = Horizon.GAME if table else Horizon.TURN
    found = advice.advise(position, advice.Depth.EXPERT, horizon, table)
    lines = tuple(reason.text for reason in found.reasons)
    goals = tuple(Goal(advice.TITLES[box], p) for box, p in list(found.made.items())[:4])
    figures = found.text.removeprefix(" ".join(lines)).strip()
    return Words(lines[0], lines[1] if len(lines) > 1 else "", lines[1:], figures, found.tip, found.near_tie, goals)


@dataclass(frozen=True)
class Hint:
    level: int
    kind: str
    text: str
    last: bool


def hint(position: Position, level: int, table: Table | None) -> Hint:
    """One step more than the last hint: where to go, which dice, the exact move."""
    level = min(max(level, 1), len(HINTS))
    advice_words = words(position, table)
    best = analyze(position, Horizon.GAME if table else Horizon.TURN, table).best
    text = {
        1: _goal_words(advice_words, best),
        2: _dice_words(position, best),
        3: f"{advice_words.headline} {advice_words.simple}".strip(),
    }[level]
    return Hint(level, HINTS[level - 1], text, level == len(HINTS))


def _goal_words(advice_words: Words, best: Option) -> str:
    if best.action == "roll":
        return "Every turn starts with all five dice."
    if best.box:
        return "Something on the table is already worth writing down."
    goals = [goal.title for goal in advice_words.goals[:2]]
    return f"Think about {' and '.join(goals)}." if goals else "Little is made here; look for the dice that help most."


def _dice_words(position: Position, best: Option) -> str:
    if best.action == "roll":
        return "There is nothing to choose before the first roll."
    if best.box:
        section = "upper" if BOX_NUMBER[best.box] in UPPER else "lower"
        return f"Keep all five: the box is in the {section} section."
    if not best.keep:
        return "None of these dice is worth keeping."
    return f"Keep {' '.join(map(str, best.keep))} of {' '.join(map(str, sorted(position.dice)))}."


# -- Predict, then see --------------------------------------------------------------------------------------------


def prediction_target(position: Position) -> int | None:
    """The open box whose chance is hardest to guess: nearest to even, neither sure nor impossible."""
    if not position.dice or not position.rolls_left:
        return None
    odds = position_odds(position)
    unsure = [box for box in position.card.open_boxes if 0 < odds[box].probability < 1]
    nearest = min(unsure, key=lambda box: abs(float(odds[box].probability) - 0.5), default=None)
    return None if nearest is None else BOX_NUMBER[nearest]


def best_chance(position: Position, box: int) -> float:
    """The chance of a box when the turn is played for it alone."""
    return float(position_odds(position)[BOXES[box]].probability)

"""The six ideas a Dicee decision can teach, and which of them a decision touches."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from enum import StrEnum
from functools import cache

from engine.dicee.advice import Pace, pace
from engine.dicee.analysis import BEFORE_FIRST_ROLL, Analysis, Option, Position, box_odds
from engine.dicee.boxes import BOX_NUMBER, BOXES, CHANCE, UPPER, natural_score
from engine.dicee.lattice import DICE


class Concept(StrEnum):
    BONUS_PACE = "bonus_pace"
    STRAIGHTS = "straights"
    OF_A_KIND = "of_a_kind"
    CHANCE = "chance"
    SACRIFICE = "sacrifice"
    READING_ODDS = "reading_odds"


@dataclass(frozen=True, slots=True)
class ConceptText:
    title: str
    short: str  # fits a narrow column
    text: str


CONCEPTS: dict[Concept, ConceptText] = {
    Concept.BONUS_PACE: ConceptText(
        "Bonus pace",
        "Bonus",
        "Three of each face make 63 and earn 35 more. Know when an upper box is on pace and when it lets the bonus go.",
    ),
    Concept.STRAIGHTS: ConceptText(
        "Straights", "Runs", "When a run is worth building, which end to keep open, and when to let it go."
    ),
    Concept.OF_A_KIND: ConceptText(
        "Of a kind", "Kinds", "Pairs and triples grow into five boxes at once. Know which dice to hold beside them."
    ),
    Concept.CHANCE: ConceptText(
        "When to take Chance", "Chance", "Chance takes any dice, so it is worth most while it is still open."
    ),
    Concept.SACRIFICE: ConceptText(
        "When to sacrifice", "Sacrifice", "When nothing fits, give up the box that would have brought least."
    ),
    Concept.READING_ODDS: ConceptText(
        "Reading odds", "Odds", "How likely is it, really? Weigh two goals, or one more roll, by their chances."
    ),
}

STRAIGHT_BOXES = ("small_straight", "large_straight")
BELOW_PAR = 3  # of a face: fewer falls behind the bonus
CANDIDATES, WITHIN_REACH = 4, 6.0  # boxes that lose no more points come into question
RIVAL = 3.0  # points: another plan this close is a choice to be weighed


@cache
def _above_average(keep: tuple[int, ...], rolls_left: int) -> tuple[float, ...]:
    """How far a keep raises each box above what a whole turn, played for that box alone, brings on average."""
    dice = (*keep, *(1,) * (DICE - len(keep)))  # what is thrown again may have been anything
    here = box_odds(dice, rolls_left, keep if rolls_left else None)
    fresh = box_odds((), BEFORE_FIRST_ROLL)
    return tuple(float(here[box].expected - fresh[box].expected) for box in BOXES)


def goal(position: Position, option: Option, among: Collection[str] | None = None) -> str:
    """The box an option is for: the one it writes, or the open one that its keep raises most above average.

    >>> from engine.dicee.boxes import Scorecard, Variant
    >>> here = Position(Scorecard(), Variant.STANDARD, (2, 3, 4, 5, 5), 1)
    >>> goal(here, Option(0.0, 0.0, 1, keep=(2, 3, 4, 5)))
    'small_straight'
    """
    if option.box:
        return option.box
    above = _above_average(option.keep or (), position.rolls_left)
    opened = position.card.open_boxes
    aims = among or [box for box in opened if BOX_NUMBER[box] != CHANCE] or opened
    return max(aims, key=lambda box: above[BOX_NUMBER[box]])


def touched(position: Position, found: Analysis) -> tuple[Concept, ...]:
    """The ideas a decision is about. Never empty.

    What was chosen has no say: a decision that counts only when it goes wrong would make an idea look worse than it is.
    """
    about = _of_rolling(position, found) if position.rolls_left else _of_writing(position, found)
    return tuple(concept for concept in Concept if concept in about)


def _of_rolling(position: Position, found: Analysis) -> set[Concept]:
    """What the best keep is for, and what a rival plan would be for."""
    aim = goal(position, found.best)
    close = (goal(position, option) for option in found.options[1:] if option.points_lost <= RIVAL)
    rival = next((box for box in close if box != aim), None)
    about = _of_goal(aim)
    if rival:
        about |= _of_goal(rival) | {Concept.READING_ODDS}
    if found.best.box:
        about.add(Concept.READING_ODDS)  # whether to stop
    if rival and _bonus_is_open(position) and (BOX_NUMBER[aim] in UPPER) != (BOX_NUMBER[rival] in UPPER):
        about.add(Concept.BONUS_PACE)
    return about


def _of_goal(box: str) -> set[Concept]:
    if box in STRAIGHT_BOXES:
        return {Concept.STRAIGHTS}
    return {Concept.CHANCE} if BOX_NUMBER[box] == CHANCE else {Concept.OF_A_KIND}


def _of_writing(position: Position, found: Analysis) -> set[Concept]:
    """What the boxes that come into question are about."""
    close = [str(option.box) for option in found.boxes[:CANDIDATES] if option.points_lost <= WITHIN_REACH]
    about = set()
    if BOXES[CHANCE] in close:
        about.add(Concept.CHANCE)
    if any(gives_up(position, box) for box in close[:2]):
        about.add(Concept.SACRIFICE)
    if _bonus_is_open(position) and any(BOX_NUMBER[box] in UPPER for box in close):
        about.add(Concept.BONUS_PACE)
    return about | _of_goal(close[0]) if BOX_NUMBER[close[0]] not in UPPER or not about else about


def _bonus_is_open(position: Position) -> bool:
    return pace(position.card) not in (Pace.DEAD, Pace.SECURED)


def gives_up(position: Position, box: str) -> bool:
    """Does writing the dice here give the box up: nothing, or an upper score below par?"""
    number = BOX_NUMBER[box]
    if number in UPPER:
        return position.dice.count(number + 1) < BELOW_PAR
    return (
        number != CHANCE
        and position.card.legal_scores(position.dice, position.variant).get(box, natural_score(number, position.dice))
        == 0
    )

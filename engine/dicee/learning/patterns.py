"""Mistakes that repeat, in words: for each, where it tempts and which choices fall for it.

A pattern is a predicate on choices. A decision is an *opportunity* when the best choice does not fit the pattern, some
other does, and giving in would cost real points. What a player does with opportunities is weighed in ``evidence``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

from engine.dicee.advice import MADE, PAR_COUNT, Pace, pace
from engine.dicee.analysis import Analysis, Option, Position
from engine.dicee.boxes import BOX_NUMBER, BOXES, CHANCE, DICEE, UPPER
from engine.dicee.lattice import DICE, FACES
from engine.dicee.learning.concepts import Concept

REAL_COST = 0.5  # points: giving in must cost this much to count
TOO_DEAR = 15.0  # points: more than this tempts nobody
HIGH = 5  # faces that are held for their pips
DEAR = 4  # upper boxes that carry the bonus


@dataclass(frozen=True)
class Spot:
    """A decision with what patterns ask about it worked out once."""

    position: Position
    found: Analysis

    @cached_property
    def points(self) -> dict[str, int]:
        return self.position.card.legal_scores(self.position.dice, self.position.variant)

    @cached_property
    def open_boxes(self) -> frozenset[str]:
        return frozenset(self.position.card.open_boxes)

    @cached_property
    def most(self) -> int:
        """How many dice show the commonest face."""
        return max(map(self.position.dice.count, FACES))

    @cached_property
    def pace(self) -> Pace:
        return pace(self.position.card)

    @property
    def rolling(self) -> bool:
        return self.position.rolls_left > 0

    @property
    def best(self) -> Option:
        return self.found.best


@dataclass(frozen=True, slots=True)
class PatternText:
    """A pattern: its name, what it means for the player, what to try instead, and how to recognise it."""

    key: str
    title: str
    words: str
    advice: str
    concept: Concept
    tempts: Callable[[Spot], bool]
    fits: Callable[[Spot, Option], bool]


def of_a_kind(keep: tuple[int, ...] | None) -> bool:
    return bool(keep) and len(set(keep or ())) == 1


def longest_run(faces: tuple[int, ...]) -> int:
    """The longest run of neighbouring faces.

    >>> longest_run((1, 3, 4, 5, 5))
    3
    """
    best = run = 0
    for face in FACES:
        run = run + 1 if face in faces else 0
        best = max(best, run)
    return best


def _towards_straight(keep: tuple[int, ...] | None) -> bool:
    """Three or more different faces that one straight could hold."""
    return keep is not None and len(keep) >= 3 and len(set(keep)) == len(keep) and keep[-1] - keep[0] < DICE


def _pair(keep: tuple[int, ...] | None) -> bool:
    return keep is not None and len(keep) == 2 and len(set(keep)) == 1


def _lone_high(spot: Spot, option: Option) -> bool:
    """High single dice only."""
    keep = option.keep or ()
    return bool(keep) and min(keep) >= HIGH and len(set(keep)) == len(keep)


def _kicker(spot: Spot, option: Option) -> bool:
    """The set that is best kept, and one more die that is not part of it."""
    best, keep = spot.best.keep or (), option.keep or ()
    return len(keep) == len(best) + 1 and keep.count(best[0]) == len(best)


def _lets_bonus_slip(spot: Spot, option: Option) -> bool:
    """Spends a pair on a dear upper box, or a set on the lower section although its upper box is open and best."""
    if not option.box:
        return False
    number = BOX_NUMBER[option.box]
    if number in UPPER:
        below_par = spot.position.dice.count(number + 1) == PAR_COUNT - 1
        return number + 1 >= DEAR and below_par and not _makes(spot, spot.best)
    return _is_par(spot, spot.best) and spot.points[option.box] >= spot.points[str(spot.best.box)]


def _is_par(spot: Spot, option: Option) -> bool:
    number = BOX_NUMBER[option.box] if option.box else CHANCE
    return number in UPPER and spot.position.dice.count(number + 1) >= PAR_COUNT


def _makes(spot: Spot, option: Option) -> bool:
    """Writes three of a face, or anything that pays in the lower section but Chance."""
    return option.box is not None and spot.points[option.box] >= MADE[BOX_NUMBER[option.box]]


def _strikes_big(spot: Spot, option: Option) -> bool:
    box = option.box
    return box is not None and BOX_NUMBER[box] not in UPPER and box != BOXES[DICEE] and spot.points[box] == 0


def _for_dicee(spot: Spot, option: Option) -> bool:
    """Rolls on with the largest set alone, or writes anywhere but in the Dicee box that should be struck."""
    if option.box:
        return not spot.rolling and spot.best.box == BOXES[DICEE] and option.box != BOXES[DICEE]
    return of_a_kind(option.keep) and len(option.keep or ()) == spot.most >= 3


def _most_now(spot: Spot, option: Option) -> bool:
    return option.box is not None and spot.points[option.box] == max(spot.points.values())


PATTERNS: dict[str, PatternText] = {
    pattern.key: pattern
    for pattern in (
        PatternText(
            "pairs_over_runs",
            "Keeps pairs over three in a row",
            "A pair is held although the run beside it is worth more.",
            "With three or four in a row and a straight open, let the pair go.",
            Concept.STRAIGHTS,
            lambda spot: spot.rolling and _towards_straight(spot.best.keep),
            lambda spot, option: _pair(option.keep),
        ),
        PatternText(
            "chance_early",
            "Spends Chance early",
            "Chance is written while it would still have saved a worse turn.",
            "Write a low upper box instead, and keep Chance for a turn that goes wrong.",
            Concept.CHANCE,
            lambda spot: "chance" in spot.open_boxes and not spot.rolling,
            lambda spot, option: option.box == BOXES[CHANCE],
        ),
        PatternText(
            "ignores_bonus",
            "Ignores the bonus",
            "Upper boxes are filled below par, or passed over, as if the 35 points were not there.",
            "Write Fours, Fives and Sixes with three or more of the face.",
            Concept.BONUS_PACE,
            lambda spot: not spot.rolling and spot.pace not in (Pace.DEAD, Pace.SECURED),
            _lets_bonus_slip,
        ),
        PatternText(
            "chases_dicee",
            "Chases Dicee",
            "Dice are held for five of a kind when another plan brings more.",
            "Bank the made box, or take the better keep; five of a kind comes about one turn in twenty.",
            Concept.OF_A_KIND,
            lambda spot: BOXES[DICEE] in spot.open_boxes and not _towards_straight(spot.best.keep),
            _for_dicee,
        ),
        PatternText(
            "stops_early",
            "Stops early",
            "A box is written although another roll would have brought more.",
            "An unused roll is free: keep what you have and throw the rest.",
            Concept.READING_ODDS,
            lambda spot: spot.rolling and not spot.best.box,
            _makes,
        ),
        PatternText(
            "keeps_highest",
            "Keeps the highest die",
            "High single dice are held for their points alone.",
            "A lone six helps only Sixes and Chance. Hold pairs and runs, or throw everything.",
            Concept.OF_A_KIND,
            lambda spot: spot.rolling,
            _lone_high,
        ),
        PatternText(
            "keeps_kicker",
            "Keeps a spare die beside a pair or triple",
            "An extra die is held that takes a throw away from the set beside it.",
            "Throw every die that does not belong to the set: each is one more try.",
            Concept.OF_A_KIND,
            lambda spot: spot.rolling and of_a_kind(spot.best.keep) and len(spot.best.keep or ()) >= 2,
            _kicker,
        ),
        PatternText(
            "strikes_big",
            "Strikes a big box instead of a small one",
            "A zero goes where many points were still to be had.",
            "Give up Ones or Twos first: the least a box can bring is the least you lose.",
            Concept.SACRIFICE,
            lambda spot: not spot.rolling,
            _strikes_big,
        ),
        PatternText(
            "chases_straights",
            "Chases straights",
            "Dice in a row are held although the pair or triple beside them is worth more.",
            "Three in a row make a Large Straight rarely; a pair builds five boxes.",
            Concept.STRAIGHTS,
            lambda spot: spot.rolling and of_a_kind(spot.best.keep) and len(spot.best.keep or ()) >= 2,
            lambda spot, option: _towards_straight(option.keep),
        ),
        PatternText(
            "most_now",
            "Takes the most points now",
            "Every turn is written where it pays most at once, whatever the box would have brought later.",
            "Ask what each box earns on an average turn, and give it up for more than that.",
            Concept.SACRIFICE,
            lambda spot: not spot.rolling,
            _most_now,
        ),
    )
}


def opportunities(spot: Spot) -> dict[str, list[Option]]:
    """For every pattern that tempts here at a real cost, the choices that fall for it."""
    found = {}
    for key, pattern in PATTERNS.items():
        if not pattern.tempts(spot) or pattern.fits(spot, spot.best):
            continue
        fitting = [option for option in (*spot.found.keeps, *spot.found.boxes) if pattern.fits(spot, option)]
        if fitting and REAL_COST <= min(option.points_lost for option in fitting) <= TOO_DEAR:
            found[key] = fitting
    return found

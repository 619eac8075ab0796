"""Mistakes that repeat, in words: for each, where it tempts and which choices fall for it.

A pattern is a predicate on choices. A decision is an *opportunity* when the best choice does not fit the pattern, some
other does, and giving in would cost real points. What a player does with opportunities is weighed in ``evidence``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

from engine.dicee.advice import Pace, pace
from engine.dicee.analysis import Analysis, Option, Position
from engine.dicee.boxes import BOX_NUMBER, BOXES, CHANCE, DICEE, UPPER
from engine.dicee.lattice import DICE, FACES
from engine.dicee.learning.concepts import STRAIGHT_BOXES, Concept
from engine.dicee.outlook import MADE, PAR_COUNT

REAL_COST = 0.3  # points: giving in must cost this much to count
TOO_DEAR = 15.0  # points: more than this tempts nobody
HIGH = 5  # faces that are held for their pips
DEAR = 4  # upper boxes that carry the bonus


@dataclass(frozen=True)
class Spot:
    """A decision with what patterns ask about it worked out once."""

    position: Position
    found: Analysis
    held: tuple[int, ...] = ()  # dice kept from the roll before, this turn

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

    @cached_property
    def has_run(self) -> bool:
        """Do three in a row lie there, with a straight open?"""
        return longest_run(self.position.dice) >= 3 and not self.open_boxes.isdisjoint(STRAIGHT_BOXES)

    @property
    def rolling(self) -> bool:
        return self.position.rolls_left > 0

    @property
    def best(self) -> Option:
        return self.found.best


@dataclass(frozen=True, slots=True)
class Temptation:
    """One form a mistake takes: what it means for the player, what to try instead, and how to recognise it."""

    words: str
    advice: str
    tempts: Callable[[Spot], bool]
    fits: Callable[[Spot, Option], bool]
    title: str = ""  # when it is the only form that happened
    also_of: str = ""  # a pattern that brings this form about as well


@dataclass(frozen=True, slots=True)
class PatternText:
    """A mistake that repeats: its name and its forms. Only the forms that happened are ever told to a player."""

    key: str
    title: str
    concept: Concept
    forms: tuple[Temptation, ...]
    opposite: str = ""  # a pattern that pulls the other way: who shows one does not have the other
    follows_from: tuple[str, ...] = ()  # patterns that would bring this one about

    def fits(self, spot: Spot, option: Option) -> bool:
        return any(form.tempts(spot) and form.fits(spot, option) for form in self.forms)


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


def _below_par(spot: Spot, option: Option) -> bool:
    """Spends a pair on a dear upper box."""
    number = BOX_NUMBER[option.box] if option.box else CHANCE
    return number in UPPER and number + 1 >= DEAR and spot.position.dice.count(number + 1) == PAR_COUNT - 1


def _passes_par(spot: Spot, option: Option) -> bool:
    """Writes a set in the lower section although its upper box is best, for at least as many points."""
    if not option.box or BOX_NUMBER[option.box] in UPPER:
        return False
    return spot.points[option.box] >= spot.points[str(spot.best.box)]


def _is_par(spot: Spot, option: Option) -> bool:
    number = BOX_NUMBER[option.box] if option.box else CHANCE
    return number in UPPER and spot.position.dice.count(number + 1) >= PAR_COUNT


def _makes(spot: Spot, option: Option) -> bool:
    """Writes three of a face, or anything that pays in the lower section but Chance."""
    return option.box is not None and spot.points[option.box] >= MADE[BOX_NUMBER[option.box]]


def _strikes_big(spot: Spot, option: Option) -> bool:
    box = option.box
    return box is not None and BOX_NUMBER[box] not in UPPER and box != BOXES[DICEE] and spot.points[box] == 0


def _largest_set(spot: Spot, option: Option) -> bool:
    """Rolls on with the largest set alone."""
    return of_a_kind(option.keep) and len(option.keep or ()) == spot.most


def _most_now(spot: Spot, option: Option) -> bool:
    return option.box is not None and spot.points[option.box] == max(spot.points.values())


def _writes_upper(spot: Spot, option: Option) -> bool:
    return option.box is not None and BOX_NUMBER[option.box] in UPPER and spot.points[option.box] > 0


def _lower_box(spot: Spot, option: Option) -> bool:
    return option.box is not None and BOX_NUMBER[option.box] not in UPPER and spot.points[option.box] > 0


def _two_pairs(keep: tuple[int, ...] | None) -> bool:
    return keep is not None and len(keep) == 4 and len(set(keep)) == 2 and keep.count(keep[0]) == 2


def _pays(spot: Spot, option: Option) -> bool:
    return option.box is not None and spot.points[option.box] > 0


def _holds(keep: tuple[int, ...] | None, held: tuple[int, ...]) -> bool:
    """Are the dice held before all kept again?"""
    return keep is not None and all(keep.count(face) >= held.count(face) for face in set(held))


def _bonus_is_open(spot: Spot) -> bool:
    return spot.pace not in (Pace.DEAD, Pace.SECURED)


PATTERNS: dict[str, PatternText] = {
    pattern.key: pattern
    for pattern in (
        PatternText(
            "pairs_over_runs",
            "Keeps pairs over three in a row",
            Concept.STRAIGHTS,
            (
                Temptation(
                    "A pair is held although the run beside it is worth more.",
                    "With three or four in a row and a straight open, let the pair go.",
                    lambda spot: spot.rolling and _towards_straight(spot.best.keep),
                    lambda spot, option: _pair(option.keep),
                ),
            ),
            opposite="chases_straights",
            follows_from=("chases_dicee",),
        ),
        PatternText(
            "chance_early",
            "Spends Chance early",
            Concept.CHANCE,
            (
                Temptation(
                    "Chance is written while it would still have saved a worse turn.",
                    "Write a low upper box instead, and keep Chance for a turn that goes wrong.",
                    lambda spot: BOXES[CHANCE] in spot.open_boxes and not spot.rolling,
                    lambda spot, option: option.box == BOXES[CHANCE],
                ),
            ),
            opposite="saves_chance",
        ),
        PatternText(
            "ignores_bonus",
            "Ignores the bonus",
            Concept.BONUS_PACE,
            (
                Temptation(
                    "Fours, Fives or Sixes are written with only two of the face while the 35 points are still open.",
                    "Write Fours, Fives and Sixes with three or more of the face.",
                    lambda spot: not spot.rolling and _bonus_is_open(spot) and not _makes(spot, spot.best),
                    _below_par,
                    "Fills dear upper boxes with a pair",
                    also_of="upper_first",
                ),
                Temptation(
                    "Three or more of a face go into the lower section although their upper box is worth more.",
                    "Write three or more of a face in the upper section while the 35 points are open.",
                    lambda spot: not spot.rolling and _bonus_is_open(spot) and _is_par(spot, spot.best),
                    _passes_par,
                    "Passes three of a face over",
                ),
            ),
            opposite="upper_first",
        ),
        PatternText(
            "chases_dicee",
            "Chases Dicee",
            Concept.OF_A_KIND,
            (
                Temptation(
                    "Three or four of a face are thrown on for five of a kind when another plan brings more.",
                    "Bank the made box, or take the better keep; five of a kind comes about one turn in twenty.",
                    lambda spot: spot.rolling and BOXES[DICEE] in spot.open_boxes and spot.most >= PAR_COUNT,
                    _largest_set,
                    "Rolls on for Dicee",
                ),
                Temptation(
                    "A pair is held alone, as if for five of a kind, when another plan brings more.",
                    "From a pair five of a kind is rare: look for the run, the second pair or the box that is made.",
                    lambda spot: (
                        spot.rolling
                        and BOXES[DICEE] in spot.open_boxes
                        and spot.most == PAR_COUNT - 1
                        and not spot.has_run
                        and not _two_pairs(spot.best.keep)
                    ),
                    _largest_set,
                    "Holds a pair for Dicee",
                ),
                Temptation(
                    "Another box is spoilt to keep Dicee open although Dicee is the one to strike.",
                    "Late in the game an open Dicee is worth little: strike it before a box that can still pay.",
                    lambda spot: not spot.rolling and spot.best.box == BOXES[DICEE] and not spot.points[BOXES[DICEE]],
                    lambda spot, option: option.box not in (None, BOXES[DICEE]),
                    "Will not strike Dicee",
                ),
            ),
        ),
        PatternText(
            "stops_early",
            "Stops early",
            Concept.READING_ODDS,
            (
                Temptation(
                    "A box is written although another roll would have brought more.",
                    "An unused roll is free: keep what you have and throw the rest.",
                    lambda spot: spot.rolling and not spot.best.box,
                    _makes,
                ),
            ),
            opposite="risks_made",
        ),
        PatternText(
            "keeps_highest",
            "Keeps the highest die",
            Concept.OF_A_KIND,
            (
                Temptation(
                    "High single dice are held for their points alone.",
                    "A lone six helps only Sixes and Chance. Hold pairs and runs, or throw everything.",
                    lambda spot: spot.rolling,
                    _lone_high,
                ),
            ),
        ),
        PatternText(
            "keeps_kicker",
            "Keeps a spare die beside a pair or triple",
            Concept.OF_A_KIND,
            (
                Temptation(
                    "An extra die is held that takes a throw away from the set beside it.",
                    "Throw every die that does not belong to the set: each is one more try.",
                    lambda spot: spot.rolling and of_a_kind(spot.best.keep) and len(spot.best.keep or ()) >= 2,
                    _kicker,
                ),
            ),
        ),
        PatternText(
            "strikes_big",
            "Strikes a big box instead of a small one",
            Concept.SACRIFICE,
            (
                Temptation(
                    "A zero goes where many points were still to be had.",
                    "Give up Ones or Twos first: the least a box can bring is the least you lose.",
                    lambda spot: not spot.rolling,
                    _strikes_big,
                ),
            ),
            opposite="avoids_zero",
        ),
        PatternText(
            "chases_straights",
            "Chases straights",
            Concept.STRAIGHTS,
            (
                Temptation(
                    "Dice in a row are held although the pair or triple beside them is worth more.",
                    "Three in a row make a Large Straight rarely; a pair builds five boxes.",
                    lambda spot: spot.rolling and of_a_kind(spot.best.keep) and len(spot.best.keep or ()) >= 2,
                    lambda spot, option: _towards_straight(option.keep),
                ),
            ),
            opposite="pairs_over_runs",
        ),
        PatternText(
            "most_now",
            "Takes the most points now",
            Concept.SACRIFICE,
            (
                Temptation(
                    "Turns are written where they pay most at once, whatever the box would have brought later.",
                    "Ask what each box earns on an average turn, and give it up for more than that.",
                    lambda spot: not spot.rolling,
                    _most_now,
                ),
            ),
        ),
        PatternText(
            "upper_first",
            "Fills the upper section first",
            Concept.BONUS_PACE,
            (
                Temptation(
                    "An upper box is written although a box of the lower section does more with these dice.",
                    "A made Full House, straight or four of a kind is rare: write it, the upper boxes come again.",
                    lambda spot: not spot.rolling and _lower_box(spot, spot.best),
                    _writes_upper,
                ),
            ),
            opposite="ignores_bonus",
        ),
        PatternText(
            "saves_chance",
            "Saves Chance too long",
            Concept.CHANCE,
            (
                Temptation(
                    "Another box is spoilt although Chance is there for these dice.",
                    "When nothing is made and the total is fair, let Chance take it.",
                    lambda spot: not spot.rolling and spot.best.box == BOXES[CHANCE],
                    lambda spot, option: option.box not in (None, BOXES[CHANCE]) and not _makes(spot, option),
                ),
            ),
            opposite="chance_early",
        ),
        PatternText(
            "splits_two_pairs",
            "Breaks up two pairs",
            Concept.OF_A_KIND,
            (
                Temptation(
                    "One pair of two is thrown although both together are worth more.",
                    "Two pairs make a Full House one time in three on each roll; keep both while it is open.",
                    lambda spot: spot.rolling and _two_pairs(spot.best.keep),
                    lambda spot, option: _pair(option.keep),
                ),
            ),
            follows_from=("chases_dicee",),
        ),
        PatternText(
            "risks_made",
            "Rolls on with a made box",
            Concept.READING_ODDS,
            (
                Temptation(
                    "A made box is put at risk for another roll although writing it is worth more.",
                    "Ask what the roll can add and what it can lose; a straight or a Full House cannot grow.",
                    lambda spot: spot.rolling and bool(spot.best.box) and _makes(spot, spot.best),
                    lambda spot, option: option.box is None,
                ),
            ),
            opposite="stops_early",
        ),
        PatternText(
            "throws_all",
            "Throws all five again",
            Concept.OF_A_KIND,
            (
                Temptation(
                    "All five dice are thrown again although some were worth keeping.",
                    "Hold the pair, the run or even one useful die: it is a start that costs nothing.",
                    lambda spot: spot.rolling,
                    lambda spot, option: option.keep == (),
                ),
            ),
        ),
        PatternText(
            "avoids_zero",
            "Will not take a zero",
            Concept.SACRIFICE,
            (
                Temptation(
                    "A few points are written in a good box although a zero in a poor one costs less.",
                    "A zero in Ones or in Dicee is often the cheapest way out of a bad turn.",
                    lambda spot: not spot.rolling and not _pays(spot, spot.best),
                    _pays,
                ),
            ),
            opposite="strikes_big",
        ),
        PatternText(
            "clings",
            "Clings to dice once held",
            Concept.READING_ODDS,
            (
                Temptation(
                    "Dice that were held before are held again although the new roll offers a better plan.",
                    "Look at all five dice anew after every roll: what was held may be thrown.",
                    lambda spot: (
                        spot.rolling and bool(spot.held) and not _holds(spot.best.keep, spot.held) and not spot.best.box
                    ),
                    lambda spot, option: _holds(option.keep, spot.held),
                ),
            ),
            follows_from=("pairs_over_runs", "chases_straights", "chases_dicee", "keeps_highest", "keeps_kicker"),
        ),
    )
}


def forms(spot: Spot) -> dict[str, tuple[int, list[Option]]]:
    """For every pattern that tempts here at a real cost, the form it takes and the choices that fall for it."""
    found = {}
    for key, pattern in PATTERNS.items():
        for number, form in enumerate(pattern.forms):
            if not form.tempts(spot) or form.fits(spot, spot.best):
                continue
            fitting = [option for option in (*spot.found.keeps, *spot.found.boxes) if form.fits(spot, option)]
            if fitting and REAL_COST <= min(option.points_lost for option in fitting) <= TOO_DEAR:
                found[key] = number, fitting
                break
    return found


def opportunities(spot: Spot) -> dict[str, list[Option]]:
    """For every pattern that tempts here at a real cost, the choices that fall for it."""
    return {key: fitting for key, (_, fitting) in forms(spot).items()}

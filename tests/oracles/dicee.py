"""Dicee the slow and obvious way: list every outcome, look at every choice. Shares no code with the engine."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from itertools import combinations, product

UPPER = ["ones", "twos", "threes", "fours", "fives", "sixes"]
LOWER = ["three_of_kind", "four_of_kind", "full_house", "small_straight", "large_straight", "dicee", "chance"]
Dice = tuple[int, ...]
Worth = Callable[[Dice], float]


def score(box: str, dice: Dice) -> int:
    counts = Counter(dice)
    if box in UPPER:
        face = UPPER.index(box) + 1
        return counts[face] * face
    text = "".join(map(str, sorted(counts)))
    return {
        "three_of_kind": sum(dice) * (max(counts.values()) >= 3),
        "four_of_kind": sum(dice) * (max(counts.values()) >= 4),
        "full_house": 25 * (set(counts.values()) == {2, 3}),
        "small_straight": 30 * any(run in text for run in ("1234", "2345", "3456")),
        "large_straight": 40 * (text in ("12345", "23456")),
        "dicee": 50 * (max(counts.values()) == 5),
        "chance": sum(dice),
    }[box]


def legal(variant: str, open_boxes: frozenset[str], dice: Dice) -> dict[str, int]:
    """The boxes that may be used and what they pay, from the wording of the three rule sets."""
    natural = {box: score(box, dice) for box in open_boxes}
    if variant == "standard" or len(set(dice)) > 1 or "dicee" in open_boxes:
        return natural
    matching = UPPER[dice[0] - 1]
    if matching in open_boxes:
        return {matching: natural[matching]} if variant == "forced_dicee" else natural
    lower = {box for box in open_boxes if box in LOWER}
    joker = natural | {
        box: points
        for box, points in (("full_house", 25), ("small_straight", 30), ("large_straight", 40))
        if box in open_boxes
    }
    if variant == "forced_dicee" and lower:
        return {box: joker[box] for box in lower}
    return joker


def outcomes(keep: Dice) -> Iterator[Dice]:
    """Every ordered result of throwing the dice that are not kept."""
    for thrown in product(range(1, 7), repeat=5 - len(keep)):
        yield tuple(sorted(keep + thrown))


def keeps(dice: Dice) -> set[Dice]:
    return {tuple(sorted(part)) for size in range(6) for part in combinations(dice, size)}


class Turn:
    """A turn played for whatever ``worth`` says five final dice are worth."""

    def __init__(self, worth: Worth) -> None:
        self.worth = cache(worth)
        self.keep_value = cache(self._keep_value)
        self.roll_value = cache(self._roll_value)

    def _keep_value(self, keep: Dice, rolls_left: int) -> float:
        values = [self.roll_value(dice, rolls_left - 1) for dice in outcomes(keep)]
        return sum(values) / len(values)

    def _roll_value(self, dice: Dice, rolls_left: int) -> float:
        if rolls_left == 0:
            return self.worth(dice)
        return max(self.keep_value(keep, rolls_left) for keep in keeps(dice))


@cache
def card_value(variant: str, open_boxes: frozenset[str], upper: int, holds_fifty: bool) -> float:
    """Points still to come with perfect play; pays the 35 when the upper total gets to 63."""
    if not open_boxes:
        return 0.0
    return Turn(lambda dice: roll_worth(variant, open_boxes, upper, holds_fifty, dice)).keep_value((), 3)


def roll_worth(variant: str, open_boxes: frozenset[str], upper: int, holds_fifty: bool, dice: Dice) -> float:
    return max(box_worth(variant, open_boxes, upper, holds_fifty, dice).values())


def turn_pay(variant: str, open_boxes: frozenset[str], upper: int, holds_fifty: bool, dice: Dice) -> dict[str, int]:
    """Everything one turn pays for each legal box: its points, +100 for a further five of a kind, +35 at 63."""
    extra = 100 if holds_fifty and len(set(dice)) == 1 else 0
    return {
        box: points + extra + (35 if box in UPPER and upper < 63 <= upper + points else 0)
        for box, points in legal(variant, open_boxes, dice).items()
    }


def makes(variant: str, open_boxes: frozenset[str], box: str, dice: Dice) -> bool:
    """Do these dice make the box by the rules: three of its face, a joker or the pattern, Chance always?"""
    may = legal(variant, open_boxes, dice)
    if box not in may:
        return False
    if box in UPPER:
        return dice.count(UPPER.index(box) + 1) >= 3
    return box == "chance" or may[box] > 0


def box_worth(variant: str, open_boxes: frozenset[str], upper: int, holds_fifty: bool, dice: Dice) -> dict[str, float]:
    worth = {}
    extra = 100 if holds_fifty and len(set(dice)) == 1 else 0
    for box, points in legal(variant, open_boxes, dice).items():
        total = upper + points if box in UPPER else upper
        bonus = 35 if upper < 63 <= total else 0
        fifty = holds_fifty or (box == "dicee" and points == 50)
        worth[box] = points + extra + bonus + card_value(variant, open_boxes - {box}, min(total, 63), fifty)
    return worth

"""What dice pay: thirteen boxes, three rule variants, and a score card that cannot be wrong.

One table per variant, ``rules(variant).scores[situation, box, roll]``, says what every box pays for every roll and
``ILLEGAL`` where it may not be used. The solver, the analysis, the bots and the game all read that one table.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from enum import IntEnum, StrEnum
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.dicee.lattice import COUNTS, DICE, FIRST_ROLL, ROLLS, SIDES, roll_number
from engine.wire import refuse

BOXES = (
    "ones", "twos", "threes", "fours", "fives", "sixes",
    "three_of_kind", "four_of_kind", "full_house", "small_straight", "large_straight", "dicee", "chance",
)  # fmt: skip
BOX_NUMBER = {name: number for number, name in enumerate(BOXES)}
UPPER = range(SIDES)
LOWER = range(SIDES, len(BOXES))
DICEE = BOX_NUMBER["dicee"]
CHANCE = BOX_NUMBER["chance"]
ALL_FILLED = (1 << len(BOXES)) - 1
UPPER_MASK = (1 << SIDES) - 1
LOWER_MASK = ALL_FILLED ^ UPPER_MASK

UPPER_PAR = 63  # three of each face
UPPER_BONUS = 35
DICEE_SCORE = 50
DICEE_BONUS = 100
FIXED = {"full_house": 25, "small_straight": 30, "large_straight": 40, "dicee": DICEE_SCORE}
ILLEGAL = -1

# For each roll the face of its five of a kind (0 for ones), or -1.
FIVE_OF: NDArray[np.int64] = np.where(COUNTS[FIRST_ROLL:].max(axis=1) == DICE, COUNTS[FIRST_ROLL:].argmax(axis=1), -1)


class Variant(StrEnum):
    """The three rule sets of ruling D10. They differ only in what a second five of a kind may do."""

    STANDARD = "standard"
    FORCED_DICEE = "forced_dicee"
    JOKER_RULES = "joker_rules"


class Situation(IntEnum):
    """What the card says about a five of a kind; any other roll is always ``NATURAL``."""

    NATURAL = 0  # the Dicee box is still open
    MATCHING_OPEN = 1  # Dicee box filled, the upper box of this face is open
    JOKER_LOWER = 2  # Dicee and matching upper box filled, a lower box is open
    JOKER_UPPER = 3  # only other upper boxes are open


@dataclass(frozen=True, slots=True)
class Rules:
    """All the solver knows of the game: what boxes pay where, and the two bonuses."""

    scores: NDArray[np.int64]  # [situation, box, roll]
    upper_bonus: int = UPPER_BONUS
    dicee_bonus: int = DICEE_BONUS


def natural_score(box: int, faces: Iterable[int]) -> int:
    """The points of a box by the dice alone, no joker.

    >>> natural_score(CHANCE, [5, 5, 5, 2, 6])
    23
    >>> natural_score(BOX_NUMBER["full_house"], [5, 5, 5, 5, 5])
    0
    """
    dice = sorted(faces)
    if box in UPPER:
        return dice.count(box + 1) * (box + 1)
    name = BOXES[box]
    if name in FIXED:
        return FIXED[name] if _achieves(name, dice) else 0
    most = max(map(dice.count, dice))
    needed = {"three_of_kind": 3, "four_of_kind": 4, "chance": 1}[name]
    return sum(dice) if most >= needed else 0


def _achieves(name: str, dice: list[int]) -> bool:
    shape = sorted(dice.count(face) for face in set(dice))
    if name == "full_house":
        return shape == [2, 3]  # two different faces: five of a kind is none (ruling D2)
    if name == "dicee":
        return shape == [DICE]
    length = 4 if name == "small_straight" else 5
    return any(set(range(low, low + length)) <= set(dice) for low in range(1, SIDES - length + 2))


NATURAL: NDArray[np.int64] = np.array([[natural_score(box, faces) for faces in ROLLS] for box in range(len(BOXES))])


@cache
def rules(variant: Variant) -> Rules:
    """The score table of a variant."""
    scores = np.repeat(NATURAL[None], len(Situation), axis=0)
    for roll in np.flatnonzero(FIVE_OF >= 0):
        if variant is not Variant.STANDARD:
            for name in ("full_house", "small_straight", "large_straight"):
                scores[Situation.JOKER_LOWER, BOX_NUMBER[name], roll] = FIXED[name]
        if variant is Variant.FORCED_DICEE:
            others = [box for box in range(len(BOXES)) if box != FIVE_OF[roll]]
            scores[Situation.MATCHING_OPEN, others, roll] = ILLEGAL
            scores[Situation.JOKER_LOWER, list(UPPER), roll] = ILLEGAL
    scores.flags.writeable = False
    return Rules(scores)


def situation(filled: int, roll: int) -> Situation:
    """Which row of the score table applies to a roll on a card with these boxes filled.

    >>> situation(1 << DICEE, roll_number([3, 3, 3, 3, 3])).name
    'MATCHING_OPEN'
    """
    face = int(FIVE_OF[roll])
    if face < 0 or not filled >> DICEE & 1:
        return Situation.NATURAL
    if not filled >> face & 1:
        return Situation.MATCHING_OPEN
    return Situation.JOKER_LOWER if filled & LOWER_MASK != LOWER_MASK else Situation.JOKER_UPPER


def box_number(name: str, field: str = "category") -> int:
    """A box by name, or an error that lists the names."""
    if name not in BOX_NUMBER:
        refuse(
            f"There is no box {name!r}.",
            code="ERR_INVALID_CATEGORY",
            field=field,
            constraint="one of",
            expected=list(BOXES),
            actual=name,
        )
    return BOX_NUMBER[name]


@cache
def possible_points(box: int) -> frozenset[int]:
    """Everything a box can ever hold. Any box may hold 0: a struck box; only Chance never needs it."""
    return frozenset({0, *NATURAL[box].tolist()})


@dataclass(frozen=True, slots=True)
class Scorecard:
    """A card: points per box (``None`` while open) and the Dicee bonus. Impossible cards cannot be made.

    >>> card = Scorecard().after("sixes", [6, 6, 6, 1, 2], Variant.STANDARD)
    >>> card.upper_subtotal, card.grand_total, len(card.open_boxes)
    (18, 18, 12)
    """

    points: tuple[int | None, ...] = (None,) * len(BOXES)
    dicee_bonus: int = 0

    def __post_init__(self) -> None:
        for box, points in enumerate(self.points):
            if points is not None and points not in possible_points(box):
                allowed = sorted(possible_points(box))
                refuse(
                    f"{BOXES[box]} can hold {_listed(allowed)}; the card says {points}.",
                    field=f"scorecard.{BOXES[box]}",
                    constraint="possible points",
                    expected=allowed,
                    actual=points,
                )
        self._check_bonus()

    def _check_bonus(self) -> None:
        """+100 is only ever earned with 50 in the Dicee box, once a turn, in a later turn (RFC-003 §10.3.5)."""
        later_turns = max(0, self.turns_completed - 1)
        most = DICEE_BONUS * later_turns if self.points[DICEE] == DICEE_SCORE else 0
        if self.dicee_bonus not in range(0, most + 1, DICEE_BONUS):
            refuse(
                f"The Dicee bonus on this card can be 0 to {most} in steps of {DICEE_BONUS}; it says "
                f"{self.dicee_bonus}.",
                field="scorecard.diceeBonus",
                constraint="multiple of 100 earned after a Dicee of 50",
                expected=f"0–{most}",
                actual=self.dicee_bonus,
            )

    @property
    def filled(self) -> int:
        """The filled boxes as a bit mask."""
        return sum(1 << box for box, points in enumerate(self.points) if points is not None)

    @property
    def open_boxes(self) -> tuple[str, ...]:
        return tuple(name for name, points in zip(BOXES, self.points, strict=True) if points is None)

    @property
    def holds_dicee(self) -> bool:
        """Does the Dicee box hold 50, so that the next five of a kind earns +100?"""
        return self.points[DICEE] == DICEE_SCORE

    @property
    def turns_completed(self) -> int:
        return len(BOXES) - self.points.count(None)

    @property
    def is_complete(self) -> bool:
        return None not in self.points

    @property
    def upper_subtotal(self) -> int:
        return sum(points or 0 for points in self.points[:SIDES])

    @property
    def upper_bonus(self) -> int:
        return UPPER_BONUS if self.upper_subtotal >= UPPER_PAR else 0

    @property
    def upper_total(self) -> int:
        return self.upper_subtotal + self.upper_bonus

    @property
    def lower_total(self) -> int:
        return sum(points or 0 for points in self.points[SIDES:]) + self.dicee_bonus

    @property
    def grand_total(self) -> int:
        return self.upper_total + self.lower_total

    def legal_scores(self, faces: Iterable[int], variant: Variant) -> dict[str, int]:
        """What each box the rules allow would pay for these dice.

        >>> Scorecard().legal_scores([2, 3, 4, 5, 6], Variant.STANDARD)["large_straight"]
        40
        """
        roll = roll_number(faces)
        row = rules(variant).scores[situation(self.filled, roll), :, roll]
        return {name: int(row[BOX_NUMBER[name]]) for name in self.open_boxes if row[BOX_NUMBER[name]] != ILLEGAL}

    def bonus_for(self, faces: Iterable[int]) -> int:
        """The +100 this roll earns, whatever box is then used (ruling D10)."""
        return DICEE_BONUS if self.holds_dicee and FIVE_OF[roll_number(faces)] >= 0 else 0

    def after(self, box: str, faces: Iterable[int], variant: Variant) -> Scorecard:
        """The card once these dice are written into a box."""
        dice = tuple(faces)
        number = box_number(box)
        legal = self.legal_scores(dice, variant)
        if self.points[number] is not None:
            refuse(
                f"{box} already holds {self.points[number]}.",
                code="ERR_CATEGORY_SCORED",
                field="category",
                constraint="open box",
                expected=sorted(legal),
                actual=box,
            )
        if box not in legal:
            refuse(
                f"This five of a kind must go in {_listed(sorted(legal))} under {variant.value}.",
                code="ERR_INVALID_CATEGORY",
                field="category",
                constraint="legal box",
                expected=sorted(legal),
                actual=box,
            )
        points = (*self.points[:number], legal[box], *self.points[number + 1 :])
        return replace(self, points=points, dicee_bonus=self.dicee_bonus + self.bonus_for(dice))

    @classmethod
    def from_wire(cls, wire: Mapping[str, Any]) -> Scorecard:
        """A card from its wire form: filled boxes by name, and any totals, which must then be right (RFC-003 §10.3).

        >>> Scorecard.from_wire({"fours": 12, "diceeBonus": 0, "upperSubtotal": 12}).upper_subtotal
        12
        """
        points: list[int | None] = [None] * len(BOXES)
        for key, value in wire.items():
            if key in WIRE_BOX:
                points[WIRE_BOX[key]] = value if value is None else _whole(key, value)
            elif key not in TOTALS:
                refuse(
                    f"There is no box {key!r}.",
                    code="ERR_INVALID_CATEGORY",
                    field=f"scorecard.{key}",
                    constraint="one of",
                    expected=list(BOXES),
                    actual=key,
                )
        card = cls(tuple(points), _whole("diceeBonus", wire.get("diceeBonus", 0)))
        stated = {key: value for key, value in wire.items() if key in TOTALS}
        for key, right in card.totals().items():
            if key in stated and stated[key] != right:
                refuse(
                    f"{key} of this card is {right}; it says {stated[key]}.",
                    field=f"scorecard.{key}",
                    constraint="adds up",
                    expected=right,
                    actual=stated[key],
                )
        return card

    def totals(self) -> dict[str, Any]:
        """The derived fields of RFC-003 §4.2."""
        return {
            "upperSubtotal": self.upper_subtotal,
            "upperBonus": self.upper_bonus,
            "upperTotal": self.upper_total,
            "diceeBonus": self.dicee_bonus,
            "lowerTotal": self.lower_total,
            "grandTotal": self.grand_total,
            "categoriesRemaining": list(self.open_boxes),
            "turnsCompleted": self.turns_completed,
        }

    def to_wire(self) -> dict[str, Any]:
        """The full wire form of RFC-003 §4.2: filled boxes, bonuses and totals."""
        held = {camel(name): points for name, points in zip(BOXES, self.points, strict=True) if points is not None}
        return held | self.totals()


def camel(name: str) -> str:
    """``three_of_kind`` as RFC-003's score card spells it: ``threeOfKind``."""
    first, *rest = name.split("_")
    return first + "".join(word.capitalize() for word in rest)


WIRE_BOX = {camel(name): number for name, number in BOX_NUMBER.items()} | BOX_NUMBER
TOTALS = frozenset(Scorecard().totals())


def _whole(key: str, value: Any) -> int:
    if type(value) is not int:
        refuse(
            f"{key} must be a whole number of points; the card says {value!r}.",
            field=f"scorecard.{key}",
            constraint="integer",
            expected="whole points",
            actual=value,
        )
    return int(value)


def _listed(values: Iterable[Any]) -> str:
    """ "0, 25" or "0–30" for a long run."""
    shown = [str(value) for value in values]
    return ", ".join(shown) if len(shown) <= len(BOXES) else f"{shown[0]} or {shown[1]}–{shown[-1]}"

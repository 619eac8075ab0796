"""Unit: expected value. What a chance is worth is where its payoffs balance."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Any

from apps.core import charts
from apps.core.forms import Choice, Several, Whole
from apps.lessons.services.lesson import (
    Dice,
    Settings,
    Share,
    Widget,
    read_lesson,
)
from engine.dicee.advice import TITLES
from engine.dicee.analysis import box_odds
from engine.dicee.boxes import BOX_NUMBER, BOXES, NATURAL, natural_score
from engine.dicee.lattice import DICE, FACES, OUTCOMES, SIDES, WAYS, keep_number

MOST_PAID = 60
PRICE = 4
PRIZE = 30  # for a six, nothing else pays
TABLE_DICE = (5, 5, 5, 2, 6)
BOX = "three_of_kind"


def expected(payoffs: list[int]) -> Fraction:
    """What one roll of a die is worth when each face pays so much.

    >>> expected([1, 2, 3, 4, 5, 6])
    Fraction(7, 2)
    """
    return Fraction(sum(payoffs), len(payoffs))


@dataclass(frozen=True)
class Weight:
    """A payoff on the beam: how many faces pay it, and where it hangs (in percent of the beam)."""

    value: int
    faces: tuple[int, ...]
    at: float


@dataclass(frozen=True)
class Balance:
    """Payoffs as weights on a beam, the point where it balances, and the price beside it."""

    payoffs: tuple[int, ...]
    weights: tuple[Weight, ...]
    ev: Fraction
    price: int
    end: int
    balances_at: float
    price_at: float
    each: Fraction  # the chance of a face
    wins: Share  # faces that pay more than the price

    @property
    def gain(self) -> Fraction:
        return self.ev - self.price


def balance(settings: Settings) -> Balance:
    """The game a pupil made up."""
    payoffs = [settings[f"pay{face}"] for face in FACES]
    price, end = settings["price"], max(*payoffs, settings["price"], 1)
    weights = tuple(
        Weight(value, tuple(face for face in FACES if payoffs[face - 1] == value), 100 * value / end)
        for value in sorted(set(payoffs))
    )
    ev = expected(payoffs)
    return Balance(
        tuple(payoffs),
        weights,
        ev,
        price,
        end,
        float(100 * ev / end),
        100 * price / end,
        Fraction(1, SIDES),
        Share(sum(pay > price for pay in payoffs), SIDES),
    )


# -- Now or later -------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class NowOrLater:
    """Writing a box now against rolling some dice once more for it."""

    dice: tuple[tuple[int, int, bool], ...]  # place, face, held
    free: int
    box: str
    now: int
    later: Fraction
    outcomes: tuple[tuple[int, Share], ...]  # points, chance
    figure: charts.Figure
    best: tuple[int, ...]
    best_ev: Fraction

    @property
    def gain(self) -> Fraction:
        return self.later - self.now


def now_or_later(settings: Settings) -> NowOrLater:
    faces = tuple(map(int, settings["dice"]))
    held = {int(place) for place in settings["hold"]}
    kept = tuple(face for place, face in enumerate(faces, 1) if place in held)
    box = settings["box"]
    best, outcomes = box_odds(faces, 1)[box], points_after(kept, box)
    return NowOrLater(
        tuple((place, face, place in held) for place, face in enumerate(faces, 1)),
        DICE - len(kept),
        TITLES[box],
        natural_score(BOX_NUMBER[box], faces),
        box_odds(faces, 1, kept)[box].expected,
        outcomes,
        _chart(outcomes),
        best.expected_keep,
        best.expected,
    )


def points_after(kept: tuple[int, ...], box: str) -> tuple[tuple[int, Share], ...]:
    """Every number of points a box may get when the dice that are not kept are rolled once, with its chance."""
    keep = keep_number(kept)
    ways: dict[int, int] = {}
    for points, count in zip(NATURAL[BOX_NUMBER[box]].tolist(), WAYS[keep].tolist(), strict=True):
        if count:
            ways[points] = ways.get(points, 0) + count
    return tuple((points, Share(ways[points], int(OUTCOMES[keep]))) for points in sorted(ways))


def _chart(outcomes: tuple[tuple[int, Share], ...]) -> charts.Figure:
    chances = {points: float(share.p) for points, share in outcomes}
    low, high = min(chances), max(chances)
    return charts.distribution([("Points", low, [chances.get(p, 0.0) for p in range(low, high + 1)])], axis="Points")


@cache
def facts() -> dict[str, Any]:
    def keeping(*faces: int) -> Fraction:
        return box_odds(TABLE_DICE, 1, kept=faces)[BOX].expected

    die = expected(list(FACES))
    prize = [0] * (SIDES - 1) + [PRIZE]
    return {
        "die": die,
        "price": PRICE,
        "loss": PRICE - die,
        "best_face": SIDES,
        "prize": PRIZE,
        "fair": expected(prize),
        "halfway": Fraction(PRIZE, 2),
        "nothing": Share(SIDES - 1, SIDES),
        "better": Share(sum(face >= PRICE for face in FACES), SIDES),
        "games": 100,
        "games_lost": 100 * (PRICE - die),
        "now": natural_score(BOX_NUMBER[BOX], TABLE_DICE),
        "triple": keeping(5, 5, 5),
        "with_six": keeping(5, 5, 5, 6),
        "low": min(TABLE_DICE),
        "move": Fraction(1, SIDES),
        "all": keeping(),
    }


WIDGETS = (
    Widget(
        "balance",
        balance,
        {
            **{f"pay{face}": Whole(f"A {face} pays", 0, MOST_PAID, face) for face in FACES},
            "price": Whole("Price of a roll", 0, MOST_PAID, 0),
        },
    ),
    Widget(
        "later",
        now_or_later,
        {
            "dice": Dice(TABLE_DICE),
            "box": Choice("Box", [(box, TITLES[box]) for box in BOXES], BOX),
            "hold": Several("Dice to keep", [(str(place), f"die {place}") for place in range(1, DICE + 1)]),
        },
        inside=("hold",),
    ),
)
LESSON = read_lesson("expected-value", facts, WIDGETS, dice={"on_the_table": TABLE_DICE})

"""The learning model the slow and obvious way: every choice valued by enumeration, every chance by its definition."""

from __future__ import annotations

import math
from collections.abc import Sequence

from tests.oracles import dicee as slow

Choice = tuple[str, slow.Dice | str]  # ("keep", dice) or ("box", name)


def losses(
    variant: str, open_boxes: frozenset[str], upper: int, dice: slow.Dice, rolls_left: int
) -> dict[Choice, float]:
    """What every keep and every box loses against the best of them."""
    dice = tuple(sorted(dice))
    worth: dict[Choice, float] = {
        ("box", box): value for box, value in slow.box_worth(variant, open_boxes, upper, False, dice).items()
    }
    if rolls_left:
        turn = slow.Turn(lambda rolled: slow.roll_worth(variant, open_boxes, upper, False, rolled))
        for keep in slow.keeps(dice):
            if len(keep) < 5:
                worth["keep", keep] = turn.keep_value(keep, rolls_left)
    best = max(worth.values())
    return {choice: best - value for choice, value in worth.items()}


def careless(lost: dict[Choice, float], temperature: float, slip: float) -> dict[Choice, float]:
    """How often a careless player makes each choice."""
    weights = {choice: math.exp(-loss / temperature) for choice, loss in lost.items()}
    whole = sum(weights.values())
    return {choice: (1 - slip) * weight / whole + slip / len(lost) for choice, weight in weights.items()}


def log_bayes_factor(
    others: Sequence[float], cases: Sequence[tuple[bool, Sequence[float]]], shares: Sequence[float]
) -> float:
    """Habit against carelessness: sums of products, nothing in logarithms until the end.

    ``others`` are log-chances of the other decisions by temperature, ``cases`` whether an opportunity was taken and
    how likely that was for a careless player by temperature.
    """
    belief = [math.exp(value - max(others)) for value in others]
    belief = [value / sum(belief) for value in belief]
    accident = habit = 0.0
    for at, weight in enumerate(belief):
        accident += weight * _product(taken, [(fell, noise[at]) for fell, noise in cases], 0.0)
        for share in shares:
            habit += weight / len(shares) * _product(taken, [(fell, noise[at]) for fell, noise in cases], share)
    return math.log(habit / accident)


def taken(noise: float, share: float) -> float:
    return share + (1 - share) * noise


def _product(chance, cases: Sequence[tuple[bool, float]], share: float) -> float:
    whole = 1.0
    for fell, noise in cases:
        whole *= chance(noise, share) if fell else 1 - chance(noise, share)
    return whole

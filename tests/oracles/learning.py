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


def softmax(lost: dict[Choice, float], temperature: float) -> dict[Choice, float]:
    """How often a player of that temperature makes each choice."""
    weights = {choice: math.exp(-loss / temperature) for choice, loss in lost.items()}
    whole = sum(weights.values())
    return {choice: weight / whole for choice, weight in weights.items()}


def log_test(games: Sequence[Sequence[tuple[bool, float]]], shares: Sequence[float], slack: float) -> float:
    """The test of a habit: every share and every first game of the habit spelt out, no logarithm until the end.

    ``games`` are the opportunities (taken, chance by carelessness) of each game.
    """
    whole = 0.0
    for share in shares:
        for first in range(len(games)):
            begins = 0.5 if first == 0 else 0.5 / (first * (first + 1))
            product = 1.0
            for fell, noise in (case for game in games[first:] for case in game):
                most = slack * noise / (1 + (slack - 1) * noise)
                habit = share + (1 - share) * most
                product *= habit / most if fell else (1 - habit) / (1 - most)
            whole += begins * product / len(shares)
    return math.log(whole)

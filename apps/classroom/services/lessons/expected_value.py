"""Unit: expected value. What a chance is worth is where its payoffs balance."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Any

from apps.classroom.services.lessons.lesson import (
    Dice,
    Lesson,
    Note,
    Option,
    Question,
    Settings,
    Share,
    Step,
    Widget,
)
from apps.core import charts
from apps.core.forms import Choice, Several, Whole
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


GUESS = Question(
    "guess",
    "A stall offers a game: pay {price} points, roll one die, get its face in points. Would you play it all afternoon?",
    (
        Option("best", "Yes: it can pay {best_face}"),
        Option("often", "Yes: half of all rolls pay {price} or more"),
        Option("no", "No: on average it takes more than it gives", right=True),
        Option("luck", "It depends on my luck that day"),
    ),
    guess=True,
)

FAIR = Question(
    "fair",
    "A die pays {prize} points on a six and nothing otherwise. Which price makes the game fair?",
    (
        Option(
            "half",
            "{halfway}: halfway between nothing and {prize}",
            "Halfway would be right if both happened equally often. Nothing happens {nothing} of the time.",
            "Averaging the results without their chances",
        ),
        Option(
            "right",
            "{fair}",
            "{prize} points a sixth of the time. You will never be paid exactly {fair}: an expected "
            "value need not be a possible one.",
            right=True,
        ),
        Option(
            "most",
            "Nothing: that is what I will get most of the time",
            "The most likely result and the average one are "
            "different questions. One six in a while pays for many misses.",
            "Taking the most likely for the expected",
        ),
        Option(
            "prize",
            "{prize}: that is what I can win",
            "Then you could only ever break even.",
            "Looking at the best case only",
        ),
    ),
)

LAST_ROLL = Question(
    "lastroll",
    "One roll is left and only Three of a Kind is open: it pays the sum of all dice. What do you do?",
    (
        Option(
            "stop",
            "Write the {now} I have",
            "Safe, but worth less than it could be. The {low} is far below what a fresh "
            "die brings, and nothing can be lost: the three fives stay.",
            "Preferring what is certain",
        ),
        Option(
            "triple",
            "Keep the three fives, roll both others",
            "The {low} should go, but the six is already more than a fresh die brings: {triple} against {now} in hand.",
            "All or nothing",
        ),
        Option(
            "right",
            "Keep the fives and the six, roll the {low}",
            "{with_six:1} points on average, against {now} now and {triple} if the six goes as well.",
            right=True,
        ),
        Option(
            "all",
            "Roll everything",
            "Three of a kind might not come back: {all:2} points on average.",
            "Forgetting what is already won",
        ),
    ),
    dice=TABLE_DICE,
)

LESSON = Lesson(
    slug="expected-value",
    title="What a chance is worth",
    topic="Expected value",
    hook="Write the {now} points you have, or roll for more? There is a way to compare the two.",
    headline="{die:1}",
    headline_says="points: what a die is worth",
    goals=(
        "Work out an expected value as each payoff times its chance, added up.",
        "Say what it means and what it does not: a long-run average, not a forecast.",
        "Use it to choose between points now and a chance of more.",
    ),
    facts=facts,
    steps=(
        Step("stall", "The stall", "Guess", 1, question=GUESS),
        Step(
            "balance",
            "Find the balance",
            "Try",
            4,
            (
                "Hang each payoff on a beam, one weight for each face. The beam balances at the expected value. Set "
                "payoffs and price as you like.",
            ),
            Widget(
                "balance",
                balance,
                {
                    **{f"pay{face}": Whole(f"A {face} pays", 0, MOST_PAID, face) for face in FACES},
                    "price": Whole("Price of a roll", 0, MOST_PAID, 0),
                },
            ),
            find=(
                "Raise one payoff by twelve. How far does the balance move?",
                "A fair game that loses five times out of six.",
                "Two quite different games that are worth the same.",
            ),
            recall="guess",
            recall_says=(
                "The die is worth {die:1} and costs {price}: {loss:1} lost per roll on average. {better:of} faces do "
                "pay {price} or more, but a low roll costs more than a high one brings."
            ),
        ),
        Step(
            "rule",
            "The rule",
            "Idea",
            1,
            idea=(
                "Expected value: each payoff times its chance, all added up. With a fair die every payoff has the "
                "chance {move}, so a payoff that grows moves the balance by a sixth of that.",
                "It is the average of very many rolls. After {games} rolls at the stall you would be about "
                "{games_lost} points poorer; about a single roll it says nothing.",
            ),
        ),
        Step("check", "Check: a fair price", "Check", 1, question=FAIR),
        Step(
            "later",
            "Points now, or a roll for more",
            "Try",
            4,
            (
                "Dicee asks this question every turn. Type any five dice, choose a box, tap the dice you keep. On "
                "the left what you can write now, on the right what one more roll is worth.",
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
            find=(
                "A keep that is worth more than stopping.",
                "A box for which one more roll never hurts.",
            ),
            question=LAST_ROLL,
        ),
        Step(
            "table",
            "Take it to the table",
            "Play",
            1,
            (
                "The coach in Dicee adds up exactly this for every set of dice you could keep, over the whole game, "
                "and shows you the difference in points.",
            ),
        ),
    ),
    note=Note(
        run=(
            "Play the stall with counters: a table bank, {price} counters a roll. Ten minutes of play are worth the "
            "time if you have it; otherwise ask who would run the stall.",
            "Let pupils find the balance by eye before they read it. A ruler on a pencil makes the same point.",
        ),
        board=(
            (
                "Half the faces pay at least the price. Why is the game still bad?",
                "How much counts, not only how often: the low faces lose more than the high ones win.",
            ),
            ("Can the expected value be a result you never see?", "Yes, {die:1} is not on any die."),
            (
                "Three fives, a {low} and a six, Three of a Kind open: why keep the six?",
                "A fresh die is worth {die:1}. The six is more, the {low} is less: {with_six:1} against {triple}.",
            ),
        ),
        watch=(
            (
                "Most likely, or expected?",
                "Pupils answer with the commonest result. Ask what happens in a hundred games.",
            ),
            ("Risk", "Preferring a sure thing is not a mistake in life; name it and separate it from the average."),
        ),
        words=("expected value", "mean", "fair game", "payoff", "long-run average", "weighted mean"),
        further=(
            "Lotteries and insurance: in both the expected gain is negative. Why do people buy them, and when is that "
            "sensible?",
        ),
    ),
)

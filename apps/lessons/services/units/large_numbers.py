"""Unit: the law of large numbers. Shares settle, counts do not, and dice remember nothing.

One seed is one run of ten thousand rolls; a shorter run is the beginning of it, so asking for more rolls continues the
same story instead of telling another.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cache, lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from apps.core import charts
from apps.core.forms import Choice, Whole
from apps.lessons.services.lesson import (
    Settings,
    Share,
    Widget,
    read_lesson,
    write,
)
from engine.dice.pmf import Pmf
from engine.dicee.lattice import SIDES

LENGTHS = (10, 100, 1_000, 10_000)
LONGEST = LENGTHS[-1]
RUNS = 9_999
MOST_DROUGHT = 20
SHOWN_POINTS = 200  # of the running mean, evenly spaced on its logarithmic axis
BAND = 2  # standard errors either side: about nineteen runs of twenty stay inside at any one point

FEW, MANY, FEW_SIXES = 10, 990, 4  # the check: what follows a lucky start
SMALL, LARGE, HIGH_SHARE = 10, 1_000, Fraction(3, 10)
DROUGHT = 12

Rolls = NDArray[np.int64]
EXACT = {"one": Pmf.die(SIDES), "two": Pmf.die(SIDES).repeat(2)}


@lru_cache(maxsize=64)
def rolls(run: int) -> Rolls:
    """The whole run: ten thousand rolls of two dice, the same for the same number."""
    made = np.random.default_rng(run).integers(1, SIDES + 1, (LONGEST, 2))
    made.flags.writeable = False
    return made


def values(run: int, what: str) -> Rolls:
    dice = rolls(run)
    return dice[:, 0] if what == "one" else dice.sum(axis=1)


# -- Overlay ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Overlay:
    """A run laid over the exact chances, and how its mean got where it is."""

    n: int
    rows: tuple[tuple[int, float, int, float], ...]  # value, exact, times rolled, share
    worst: tuple[int, float]  # the value furthest off, and by how much
    mean: float
    exact_mean: float
    shares: charts.Figure
    means: charts.Figure


def overlay(settings: Settings) -> Overlay:
    n, what = int(settings["rolls"]), settings["what"]
    exact = EXACT[what]
    seen = values(settings["run"], what)[:n]
    counts = np.bincount(seen, minlength=exact.high + 1)[exact.low :]
    shares = counts / n
    off = np.abs(shares - exact.p)
    worst = int(off.argmax())
    return Overlay(
        n,
        tuple(zip(exact.values.tolist(), exact.p.tolist(), counts.tolist(), shares.tolist(), strict=True)),
        (exact.low + worst, float(off[worst])),
        float(seen.mean()),
        exact.mean,
        charts.distribution(
            [("Exact", exact.low, exact.p.tolist()), ("Rolled", exact.low, shares.tolist())],
            axis="Face" if what == "one" else "Total",
        ),
        running_mean(seen, exact),
    )


def running_mean(seen: Rolls, exact: Pmf) -> charts.Figure:
    """The mean so far over the number of rolls, in the band where such means usually lie."""
    at = np.unique(np.geomspace(1, len(seen), SHOWN_POINTS).round().astype(int))
    means = np.cumsum(seen)[at - 1] / at
    reach = BAND * exact.sd / np.sqrt(at)
    low, high = np.maximum(exact.low, exact.mean - reach), np.minimum(exact.high, exact.mean + reach)
    band = (at.tolist(), low.tolist(), high.tolist())
    series = [("Mean so far", at.tolist(), means.tolist())]
    figure = charts.lines(series, x="Rolls", y="Mean so far", band=band, target=exact.mean, log_x=True)
    figure["layout"]["xaxis"] |= {"dtick": 1, "tickformat": ","}  # a tick per power of ten
    figure["layout"]["showlegend"] = False
    return figure


# -- What follows a drought ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Drought:
    """Every place of the run at which so many rolls in a row had no six, and what came next."""

    length: int
    places: int
    sixes: int
    example: tuple[int, ...]  # the first of them
    came: int  # what followed it
    chance: Fraction
    of: int

    @property
    def share(self) -> float:
        return self.sixes / self.places if self.places else 0.0

    @property
    def came_six(self) -> bool:
        return self.came == SIDES


def drought(settings: Settings) -> Drought:
    length, seen = settings["drought"], values(settings["run"], "one")
    after = np.flatnonzero(without_six(seen) >= length)
    sixes = int((seen[after] == SIDES).sum())
    first = int(after[0]) if len(after) else 0
    example = tuple(seen[first - length : first].tolist()) if len(after) else ()
    return Drought(length, len(after), sixes, example, int(seen[first]), Fraction(1, SIDES), LONGEST)


def without_six(seen: Rolls) -> Rolls:
    """For each roll, how many rolls just before it had no six.

    >>> without_six(np.array([1, 6, 2, 3, 6])).tolist()
    [0, 1, 0, 1, 2]
    """
    at = np.arange(len(seen))
    last_six = np.maximum.accumulate(np.where(seen == SIDES, at, -1))
    return at - 1 - np.concatenate(([-1], last_six[:-1]))


# -- Counts against shares ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Tally:
    n: int
    sixes: int

    @property
    def expected(self) -> Fraction:
        return Fraction(self.n, SIDES)

    @property
    def off(self) -> float:
        return float(self.sixes - self.expected)

    @property
    def share(self) -> float:
        return self.sixes / self.n

    @property
    def share_off(self) -> float:
        return self.share - 1 / SIDES


def tallies(settings: Settings) -> tuple[Tally, ...]:
    """The sixes of the run at each length: how many too many, and which share."""
    sixes = np.cumsum(values(settings["run"], "one") == SIDES)
    return tuple(Tally(n, int(sixes[n - 1])) for n in LENGTHS)


@cache
def facts() -> dict[str, Any]:
    six = Fraction(1, SIDES)

    def at_least(n: int) -> float:
        return Pmf.binomial(n, float(six)).at_least(int(HIGH_SHARE * n))

    total = FEW + MANY
    return {
        "drought": DROUGHT,
        "six": six,
        "drought_chance": (1 - six) ** DROUGHT,
        "few": FEW,
        "few_sixes": FEW_SIXES,
        "many": MANY,
        "total": total,
        "expected": MANY * six,
        "evened": total * six - FEW_SIXES,
        "hot": MANY * Fraction(FEW_SIXES, FEW),
        "start_share": Share(FEW_SIXES, FEW),
        "end_share": (FEW_SIXES + MANY * six) / total,
        "share": HIGH_SHARE,
        "small": SMALL,
        "large": LARGE,
        "small_chance": at_least(SMALL),
        "large_chance": at_least(LARGE),
        "longest": LONGEST,
        "small_sixes": HIGH_SHARE * SMALL,
        "large_sixes": HIGH_SHARE * LARGE,
    }


WIDGETS = (
    Widget(
        "run",
        overlay,
        {
            "rolls": Choice("Rolls", [(str(n), write(n)) for n in LENGTHS], as_segments=True),
            "what": Choice("Of", [("one", "One die"), ("two", "Two dice, added")], as_segments=True),
            "run": Whole("Run", 1, RUNS, 1),
        },
    ),
    Widget(
        "drought",
        drought,
        {
            "drought": Whole("Rolls without a six", 1, MOST_DROUGHT, DROUGHT),
        },
        reads=("run",),
    ),
    Widget("tally", tallies, reads=("run",)),
)
LESSON = read_lesson("large-numbers", facts, WIDGETS)

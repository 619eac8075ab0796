"""The doors on the home page: each tool with one true number from the engine and the shape it comes from."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache

from apps.core.formats import percent_parts
from apps.core.navigation import Room, open_rooms
from engine.battletech.tables import PROFILES, heat_band, p_explosion
from engine.dice.pmf import Pmf
from engine.dicee.analysis import BEFORE_FIRST_ROLL, box_odds


@dataclass(frozen=True)
class Example:
    """A number, what it says, and the bars behind it; ``hot`` are the bars the number speaks of."""

    shown: str
    unit: str
    caption: str
    bars: Sequence[float] = ()
    hot: Sequence[int] = ()
    dice: Sequence[int] = ()


@dataclass(frozen=True)
class Door:
    room: Room
    example: Example


def _dicee() -> Example:
    chance = box_odds((), BEFORE_FIRST_ROLL)["dicee"].probability
    return Example(*percent_parts(float(chance)), "for five of a kind in three rolls", dice=(5, 5, 5, 2, 6))


def _kill_team() -> Example:
    hits = Pmf.binomial(5, 4 / 6)
    return _chance(hits.at_least(3), "for three hits with five dice at 3+", hits, range(3, 6))


def _warhammer() -> Example:
    unsaved = Pmf.binomial(10, 4 / 6 * 3 / 6 * 4 / 6)
    caption = "wounds: ten shots, 3+, 4+, saves 5+"
    return Example(f"{unsaved.mean:.2f}", "", caption, unsaved.p[:8].tolist(), (unsaved.mode,))


def _battletech() -> Example:
    standard = PROFILES["standard"]
    chances = [p_explosion(heat_band(standard, heat)) for heat in range(14, 31)]
    shown, unit = percent_parts(chances[23 - 14])
    return Example(shown, unit, "that a bin goes up at heat 23", chances, (23 - 14,))


def _classroom() -> Example:
    fourth = Pmf.binomial(2, 1 / 6)
    return Example("11", "/36", "for a fourth five: who sees it?", fourth.p.tolist(), (1, 2))


def _dice() -> Example:
    total = Pmf.die(6).repeat(3).shift(2)
    return _chance(total.at_least(14), "to roll 14 or more with 3D6+2", total, range(14 - total.low, len(total.p)))


def _chance(p: float, caption: str, distribution: Pmf, hot: Sequence[int]) -> Example:
    return Example(*percent_parts(p), caption, distribution.p.tolist(), tuple(hot))


EXAMPLES: dict[str, Callable[[], Example]] = {
    "/dicee/": _dicee,
    "/killteam/": _kill_team,
    "/warhammer40k/": _warhammer,
    "/battletech/": _battletech,
    "/classroom/": _classroom,
    "/dice/": _dice,
}


@cache
def example(path: str) -> Example:
    return EXAMPLES[path]()


def doors() -> list[Door]:
    """A door to each tool that is installed."""
    return [Door(room, example(room.path)) for room in open_rooms()]


#: The tray on the home page before anyone touches it: 5-5-5 held, two dice to come. Of 36 outcomes, 11 bring at least
#: one more five (ruling D3), 5 a pair that is not fives (ruling D2), 1 both fives. ``home.js`` counts every later hold.
TRAY_DICE = ((5, True), (5, True), (5, True), (2, False), (6, False))
TRAY_ODDS = (
    ("three", "Three of a kind", 1.0),
    ("four", "Four of a kind", 11 / 36),
    ("full", "Full house", 5 / 36),
    ("five", "Dicee", 1 / 36),
    ("small", "Small straight", 0.0),
    ("large", "Large straight", 0.0),
)

"""How far the coach can see. Play never waits for a table: until one is solved, advice looks at this turn alone.

RFC-001 §3.2 asks for a chain that degrades instead of failing. Ours has two links, both exact: the solved game, and
this turn's points, which need no table. Whoever got the second is told so, and told again when the first is there.
"""

from __future__ import annotations

from dataclasses import dataclass

from apps.core.broadcast import broadcast
from engine.dicee import tables
from engine.dicee.analysis import Horizon
from engine.dicee.boxes import Variant
from engine.dicee.tables import Table

WARMING_UP = "The solved game is still being computed. Until then, advice looks at this turn only."
#: The channel-layer group of everyone who was answered with less than the whole game.
WAITING_GROUP = "dicee.horizon"


@dataclass(frozen=True, slots=True)
class Sight:
    """The horizon asked for as far as it can be had, and what to say when it cannot."""

    horizon: Horizon
    table: Table | None
    notice: str = ""


def ready(variant: Variant) -> Table | None:
    """The table of a variant if it has been solved; never solves it."""
    return tables.find(variant)


def shares_ready(variant: Variant) -> Table | None:
    """Where a variant's points come from, if that has been worked out."""
    return tables.find(variant, "shares")


def sight(variant: Variant, wanted: str) -> Sight:
    """The best horizon there is for a wish."""
    if Horizon(wanted) is Horizon.TURN:
        return Sight(Horizon.TURN, None)
    table = ready(variant)
    return Sight(Horizon.GAME, table) if table else Sight(Horizon.TURN, None, WARMING_UP)


def solve_all() -> None:
    """Warm-up: solve what is not solved."""
    for variant in Variant:
        tables.load(variant)


def solve_shares() -> None:
    """Warm-up: where the points come from, for taking an EV difference apart."""
    for variant in Variant:
        tables.load_shares(variant)


def broadcast_ready() -> None:
    """Warm-up: who was answered with less than the whole game may ask again."""
    broadcast(WAITING_GROUP, {"type": "horizon.ready"})

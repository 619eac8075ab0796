"""How far the coach can see. Play never waits for a table: until one is solved, advice looks at this turn alone.

RFC-001 §3.2 asks for a chain that degrades instead of failing. Ours has two links, both exact: the solved game, and
this turn's points, which need no table. Whoever got the second is told so, and told again when the first is there.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass

from celery import current_app
from django.core.cache import cache

from apps.core.broadcast import broadcast
from engine.dicee import tables
from engine.dicee.analysis import Horizon
from engine.dicee.boxes import Variant
from engine.dicee.tables import Table

log = logging.getLogger(__name__)

WARMING_UP = "The solved game is still being computed. Until then, advice looks at this turn only."
#: The channel-layer group of everyone who was answered with less than the whole game.
WAITING_GROUP = "dicee.horizon"
#: The variant nearly everyone plays. The shares of the others are worked out when the first game asks for them: each
#: takes seconds of processor time and 58 MB.
WARMED = Variant.STANDARD
ASK_EVERY = 60  # seconds


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
    """Where a variant's points come from, if that has been worked out; else a worker is asked to, now and then."""
    found = tables.find(variant, "shares")
    if found is None and variant is not WARMED and ready(variant):
        _ask_for_shares(variant)
    return found


def _ask_for_shares(variant: Variant) -> None:
    if cache.add(f"dicee:shares:{variant.value}", 1, ASK_EVERY):
        try:
            current_app.send_task("dicee.solve_shares", [variant.value], expires=ASK_EVERY)
        except Exception:
            log.warning("dicee.solve_shares was not queued", exc_info=True)


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


def solve_shares(variant: Variant = WARMED) -> None:
    """Work out where a variant's points come from, for taking an EV difference apart; a step of the warm-up."""
    tables.load_shares(variant)


def broadcast_ready() -> None:
    """Warm-up: who was answered with less than the whole game may ask again."""
    broadcast(WAITING_GROUP, {"type": "horizon.ready"})

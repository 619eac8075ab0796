"""Who will win: final scores simulated seat by seat, put together exactly.

Each seat's remaining points are drawn by simulation: a bot's as it plays, a person's under perfect play. Given those,
the chance that one seat ends above all others is a sum over scores, ties shared. The margin is that of the simulation.
"""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from typing import Any

import numpy as np
from django.core.cache import cache
from numpy.typing import NDArray

from apps.core.broadcast import broadcast
from apps.dicee.models import Game
from apps.dicee.services import horizon
from apps.dicee.services.bots import Bots, bots_of
from engine.dicee.analysis import Position
from engine.dicee.game.state import GameState
from engine.dicee.simulate import BOT_POLICIES, Z95, Bot, Policy, simulate

GAMES = 2_000
KEPT_SECONDS = 3600


@dataclass(frozen=True, slots=True)
class Chance:
    player_ref: uuid.UUID
    p: float
    margin: float


def chances(state: GameState, games: int = GAMES, bots: Bots | None = None) -> tuple[Chance, ...]:
    """The chance of each seat still playing to win, if people play perfectly from here and bots as they do."""
    playing = [seat for seat in state.seats if not seat.left]
    finals = [_finals(state, seat.player_id, games, (bots or {}).get(seat.player_id)) for seat in playing]
    size = max(map(len, finals))
    pmfs = np.array([np.pad(pmf, (0, size - len(pmf))) for pmf in finals])
    p = wins(pmfs).clip(0, 1)  # sums of many shares may end a rounding error above one
    return tuple(
        Chance(seat.player_id, float(chance), float(Z95 * (chance * (1 - chance) / games) ** 0.5))
        for seat, chance in zip(playing, p, strict=True)
    )


def wins(pmfs: NDArray[np.float64]) -> NDArray[np.float64]:
    """P(each is highest), ties shared evenly, from independent distributions ``pmfs[seat, score]``.

    >>> wins(np.array([[0.5, 0.5], [0.0, 1.0]])).tolist()
    [0.25, 0.75]
    """
    below = np.cumsum(pmfs, axis=1) - pmfs
    shares = np.zeros(len(pmfs))
    for seat in range(len(pmfs)):
        tied = pmfs[seat][None]  # tied[k, score]: this seat has the score, k others have it too, the rest are below
        for other in range(len(pmfs)):
            if other != seat:
                grown = np.pad(tied * below[other], ((0, 1), (0, 0)))
                grown[1:] += tied * pmfs[other]
                tied = grown
        shares[seat] = (tied.sum(axis=1) / np.arange(1, len(tied) + 1)).sum()
    return shares


def _finals(state: GameState, player_ref: uuid.UUID, games: int, bot: Bot | None) -> NDArray[np.float64]:
    """The distribution of one seat's final score, dice on the table included."""
    seat = state.seat_of(player_ref)
    if seat.card.is_complete:
        certain = np.zeros(seat.card.grand_total + 1)
        certain[-1] = 1.0
        return certain
    table = horizon.ready(state.variant)
    position = state.position if seat is state.seat else Position(seat.card, state.variant)
    seed = (state.sequence << 8) + state.seats.index(seat)  # of the moment: the same bar for everyone who looks
    policy = BOT_POLICIES[bot] if bot else Policy.OPTIMAL
    if policy is Policy.OPTIMAL and table is None:
        policy = Policy.TURN  # the best there is until the game is solved
    played = simulate(position, games, seed, policy, table, workers=1)
    return played.pmf


# -- As it is shown ----------------------------------------------------------------------------------------------


def refresh(game: Game, state: GameState) -> dict[str, Any]:
    """Work the chances out, keep them for the page, and tell who watches."""
    found = {
        "seq": state.sequence,
        "chances": [
            {"playerId": str(chance.player_ref), "probability": chance.p, "margin": chance.margin}
            for chance in chances(state, bots=bots_of(game))
        ],
    }
    cache.set(_key(game), found, KEPT_SECONDS)
    broadcast(game.group, {"type": "game.chances", **found})
    return found


def latest(game: Game) -> dict[str, Any] | None:
    """The last chances worked out, possibly a move or two old: ``seq`` says."""
    found: dict[str, Any] | None = cache.get(_key(game))
    return found


def _key(game: Game) -> str:
    return f"dicee:chances:{game.pk}"

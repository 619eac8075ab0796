"""What the server does at a table of itself: it plays for the bots, and closes a game that only bots are left in."""

from __future__ import annotations

import uuid
from collections.abc import Mapping

from apps.dicee.models import Game
from apps.dicee.services import horizon
from engine.dice.roller import SystemRoller
from engine.dicee.game import commands
from engine.dicee.game.commands import Command
from engine.dicee.game.state import GameState, GameStatus
from engine.dicee.lattice import kept_mask
from engine.dicee.simulate import Bot, bot_move

NAMES = {
    Bot.RANDOM: "Random Rita",
    Bot.GREEDY: "Greedy Gus",
    Bot.TURN_OPTIMAL: "Turn-wise Tess",
    Bot.PERFECT: "Perfect Pat",
}

Bots = Mapping[uuid.UUID, Bot]


def bots_of(game: Game) -> Bots:
    """The bots at a table, by the player id of their seats."""
    return {seat.player_ref: Bot(seat.bot) for seat in game.seats.all() if seat.bot}


def next_command(state: GameState, bots: Bots) -> Command | None:
    """What follows without anyone's doing; None while a human is on turn. Bots roll the same provable dice."""
    if state.status is not GameStatus.ACTIVE or not bots:
        return None
    if all(seat.left or seat.player_id in bots for seat in state.seats):
        staying = next(seat for seat in state.seats if not seat.left)
        return commands.Abandon(staying.player_id)
    bot = bots.get(state.seat.player_id)
    return _move(bot, state) if bot else None


def _move(bot: Bot, state: GameState) -> Command:
    me = state.seat.player_id
    if not state.dice:
        return commands.Roll(me)
    table = horizon.ready(state.variant)
    if bot is Bot.PERFECT and table is None:
        bot = Bot.TURN_OPTIMAL  # the best it can do until the game is solved
    move = bot_move(bot, state.position, SystemRoller(), table)
    if move.box:
        return commands.Score(me, move.box)
    return commands.Roll(me, kept_mask(state.position.dice, move.keep or ()))

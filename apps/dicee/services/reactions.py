"""A few words across the table. The set is fixed, nothing is stored, and everyone can switch them off."""

from __future__ import annotations

from apps.accounts.models import Player
from apps.core.broadcast import announce, broadcast
from apps.dicee.models import Game
from apps.dicee.services.seats import seat_of
from engine.wire import refuse

#: Name, sign, words.
REACTIONS = (
    ("well_played", "👏", "Well played"),
    ("lucky", "🍀", "Lucky!"),
    ("wow", "😮", "Wow"),
    ("oops", "😅", "Oops"),
    ("thinking", "🤔", "Let me think"),
    ("thanks", "🤝", "Good game"),
)
_TEXTS = {name: f"{sign} {words}" for name, sign, words in REACTIONS}


def react(game: Game, player: Player, name: str) -> str:
    """Show a reaction to everyone at the table, spectators included. Answers what they read."""
    me = seat_of(game, player)
    if name not in _TEXTS:
        refuse("There is no such reaction.", field="reaction", constraint="one of", expected=list(_TEXTS), actual=name)
    text = f"{me.name}: {_TEXTS[name]}"
    message = {"type": "game.reaction", "playerId": str(me.player_ref), "text": text}
    announce(broadcast, game.group, message)
    return text

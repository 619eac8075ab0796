"""What can be done in Dicee, for pages, API, sockets and tasks; only this package and ``decisions`` know the engine."""

from apps.dicee.services.play import (
    abandon,
    add_bot,
    create,
    join,
    rematch,
    roll,
    run_the_clocks,
    score,
    settings_of,
    start,
    undo,
)
from apps.dicee.services.reactions import REACTIONS, react
from apps.dicee.services.screens import Screen
from apps.dicee.services.seats import (
    find,
    finished,
    is_closed,
    is_private,
    may_see,
    resumable,
    seat_if_any,
    seat_of,
    share,
    takes_players,
)
from apps.dicee.services.settings import TableSettings
from apps.dicee.services.store import MoveOutcome, current, stream
from apps.dicee.services.table import state_document, table
from engine.wire import EngineError as Refused
from engine.wire import named_fields

__all__ = [
    "REACTIONS",
    "MoveOutcome",
    "Refused",
    "Screen",
    "TableSettings",
    "abandon",
    "add_bot",
    "create",
    "current",
    "find",
    "finished",
    "is_closed",
    "is_private",
    "join",
    "may_see",
    "named_fields",
    "react",
    "rematch",
    "resumable",
    "roll",
    "run_the_clocks",
    "score",
    "seat_if_any",
    "seat_of",
    "settings_of",
    "share",
    "start",
    "state_document",
    "stream",
    "table",
    "takes_players",
    "undo",
]

"""What a teacher sets and students hand in: what each kind needs, doing it, and what came of it."""

from apps.classroom.services.assignments.results import Sheet, sheet, table
from apps.classroom.services.assignments.settings import (
    CONCEPTS,
    Drawn,
    GamesToPlay,
    Guesses,
    Match,
    Positions,
    Settings,
    create,
    drawn_guesses,
    drawn_positions,
    edit,
    guess_of,
    read,
    read_positions,
)
from apps.classroom.services.assignments.work import (
    Asked,
    Progress,
    answer,
    answered,
    asked,
    catch_up,
    find_table,
    game_finished,
    guess,
    play,
    progress,
    settle,
)

__all__ = [
    "CONCEPTS", "Asked", "Drawn", "GamesToPlay", "Guesses", "Match", "Positions", "Progress", "Settings", "Sheet",
    "answer", "answered", "asked", "catch_up", "create", "drawn_guesses", "drawn_positions", "edit", "find_table",
    "game_finished", "guess", "guess_of", "play", "progress", "read", "read_positions", "settle", "sheet", "table",
]  # fmt: skip

"""What the table page shows and teaches: how a player wants it, the card with numbers, hints, guesses, simulation."""

from apps.dicee.services.page.board import BOX_WORDS, TablePage, breakdown, option_rows, table_page, win_bars
from apps.dicee.services.page.lessons import give_hint, judge_guess
from apps.dicee.services.page.look import PROFILES, Look, adjust, keep_look, suggestion, taught
from apps.dicee.services.page.simulation import simulation_of
from engine.dicee.boxes import BOXES
from engine.dicee.holds import STOP

__all__ = [
    "BOXES",
    "BOX_WORDS",
    "PROFILES",
    "STOP",
    "Look",
    "TablePage",
    "adjust",
    "breakdown",
    "give_hint",
    "judge_guess",
    "keep_look",
    "option_rows",
    "simulation_of",
    "suggestion",
    "table_page",
    "taught",
    "win_bars",
]

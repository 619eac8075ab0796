"""What the table page shows and teaches: how a player wants it, the card with numbers, hints, guesses, simulation."""

from apps.dicee.services.page.board import BOX_WORDS, TablePage, WinBar, breakdown, option_rows, table_page, win_bars
from apps.dicee.services.page.coach import Hint
from apps.dicee.services.page.lessons import give_hint, judge_guess, note_look, note_page, note_sight, screen_of
from apps.dicee.services.page.look import PROFILES, Look, adjust, keep_look, suggestion, taught
from apps.dicee.services.page.phrases import PHRASES
from apps.dicee.services.page.rules import BOX_RULES
from apps.dicee.services.page.simulation import simulation_of
from engine.dicee.boxes import BOXES
from engine.dicee.holds import STOP

__all__ = [
    "BOXES",
    "BOX_RULES",
    "BOX_WORDS",
    "PHRASES",
    "PROFILES",
    "STOP",
    "Hint",
    "Look",
    "TablePage",
    "WinBar",
    "adjust",
    "breakdown",
    "give_hint",
    "judge_guess",
    "keep_look",
    "note_look",
    "note_page",
    "note_sight",
    "option_rows",
    "screen_of",
    "simulation_of",
    "suggestion",
    "table_page",
    "taught",
    "win_bars",
]

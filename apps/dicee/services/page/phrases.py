"""The table's sentences that its scripts say, too: written here once and sent with the page."""

from __future__ import annotations

from typing import Any

from apps.dicee.services.page.coach import FALLBACK, IMPOSSIBLE, WORDS

PHRASES: dict[str, Any] = {
    # of the dice held
    "choose": "Choose a box",
    "undecided": "Which dice do you keep?",
    "stop": "Stop here: write a box",
    "best": "You hold the best dice",
    "worse": "points behind the best hold",
    "worse_words": "Other dice would be better to keep",
    "early": "points behind: roll again first",
    "early_words": "Roll again first",
    "final": "Expected final score",
    "turn": "Expected points this turn",
    "now": "{points} in {box} now",
    # of the last decision
    "decided_best": "Best choice",
    "keep": "keep {dice}",
    "roll_all": "roll all five",
    "write": "write {box}",
    # of one box, or of one hold
    "writes": "Writes now",
    "chance": "Odds",
    "holding": "Holding",
    "best_keep": "If you keep",
    "at_best": "At best, keeping",
    "nothing": "nothing",
    "ends_here": "Best play ends here",
    "expected": "Expected points",
    "final_for": "Expected final, played for this box",
    "against_best": "Against the best choice",
    "these_dice": "These dice",
    "columns": "Odds in percent and as a fraction, then expected points.",
    "landings": "Every way the dice can land and what it is worth",
    "ways": "{count} ways the next roll can land",
    # of the page
    "analysis_on": "Analysis shown",
    "analysis_off": "Analysis hidden",
    "late": "Your time is almost up.",
    "bonus": "63 reached: the upper bonus of 35 is yours.",
    # of a chance, for beginners
    "chances": WORDS,
    "impossible": IMPOSSIBLE,
    "fallback": FALLBACK,
}

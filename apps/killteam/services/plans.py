"""The same fight by every plan: what each way to play is worth beside the one that was chosen."""

from __future__ import annotations

from typing import Any

from apps.core.services import beside_the_field
from apps.killteam.services import fight, rules, solving
from apps.killteam.services.solving import Solved


def rows(settings: dict[str, Any]) -> list[dict[str, Any]]:
    """One row a plan that both fighters play, perfect play first; a fight that takes long has no figures here."""
    found = []
    for strategy, words in sorted(rules.STRATEGY_WORDS.items(), key=lambda item: item[0] != "optimal"):
        both = {"one_strategy": strategy.value, "two_strategy": strategy.value, "check": False, "explore": False}
        with beside_the_field(fight.FIELDS):
            solved = solving.answer(fight.asked({**settings, **both}))
        outcome = solved.outcome if isinstance(solved, Solved) else None
        found.append(
            {
                "words": words,
                "is_current": settings["one_strategy"] == settings["two_strategy"] == strategy.value,
                "p_kill": outcome.p_kill1 if outcome else None,
                "p_die": outcome.p_kill2 if outcome else None,
                "p_both_live": max(0.0, 1 - outcome.p_kill1 - outcome.p_kill2) if outcome else None,
            }
        )
    return found

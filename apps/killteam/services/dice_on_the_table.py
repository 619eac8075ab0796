"""Dice on the table: which of them to roll again."""

from __future__ import annotations

import re
from typing import Any

from apps.killteam.services import rules
from engine.killteam.profile import Attacker, Defender, Reroll, ShootOptions
from engine.killteam.rerolls import reroll_choices

SHOWN_CHOICES = 6


def faces(text: str) -> list[int]:
    """Dice as people write them.

    >>> faces("6 4, 2 1"), faces("6421")
    ([6, 4, 2, 1], [6, 4, 2, 1])
    """
    return [int(face) for face in re.findall(r"\d", text)]


def rerolls(attacker: Attacker, defender: Defender, options: ShootOptions, rolled: str) -> dict[str, Any] | None:
    """What to roll again of the dice on the table; None where none lie there."""
    if not rolled:
        return None
    choices = reroll_choices(attacker, defender, faces(rolled), options)
    best = choices[0]
    return {
        "has_none": attacker.reroll == Reroll.NONE,
        "rule": rules.rule(attacker.reroll.value).title,
        "rolled": faces(rolled),
        "best": best,
        "says": _says(best.faces),
        "choices": [(_says(choice.faces), choice) for choice in choices[:SHOWN_CHOICES]],
        "more": max(0, len(choices) - SHOWN_CHOICES),
    }


def _says(picked: tuple[int, ...]) -> str:
    """
    >>> _says((1, 2, 2)), _says(())
    ('1, 2 and 2', 'nothing')
    """
    if not picked:
        return "nothing"
    words = [str(face) for face in picked]
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"

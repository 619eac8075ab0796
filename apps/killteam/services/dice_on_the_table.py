"""Dice on the table: which of them to roll again."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from apps.core.services import beside_the_field
from apps.killteam.services import rules
from apps.killteam.services.sides import WHO
from apps.killteam.services.solving import AT_ONCE, BUDGET, Question
from engine.killteam.profile import Attacker, Defender, Reroll, ShootOptions
from engine.killteam.rerolls import FightRerolls, hand_of, reroll_choices

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


def fight_rerolls(question: Question, settings: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The same for each fighter whose dice lie there, both playing perfectly from then on.

    The enemy's dice count as they lie: by their faces, else by the hand entered for the best line, else as still to be
    rolled.
    """
    return [_of_fighter(question, settings, who) for who in WHO if settings[f"{who}_rolled"]]


def _of_fighter(question: Question, settings: Mapping[str, Any], who: str) -> dict[str, Any]:
    number = WHO.index(who) + 1
    fighter, enemy = (question.one, question.two) if number == 1 else (question.two, question.one)
    other, rolled = WHO[2 - number], faces(settings[f"{who}_rolled"])
    foe = question.hands[2 - number] if question.hands else None
    if lying := settings[f"{other}_rolled"]:
        with beside_the_field({"rolled": f"{other}_rolled"}):
            foe = hand_of(enemy, faces(lying), chain=question.options.severe_triggers_crit_rules)
    with beside_the_field({"rolled": f"{who}_rolled"}):
        plan = FightRerolls(
            (question.one, question.two), rolled, who=number, foe=foe, options=question.perfect, budget=BUDGET
        )
        is_long = plan.seconds > AT_ONCE
        choices = [] if is_long else plan.solve()
    return {
        "who": who,
        "name": settings[f"{who}_name"],
        "has_none": fighter.reroll == Reroll.NONE,
        "rule": rules.rule(fighter.reroll.value).title,
        "rolled": rolled,
        "foe": foe,
        "foe_name": settings[f"{other}_name"],
        "too_long": is_long,
        "best": choices[0] if choices else None,
        "says": _says(choices[0].faces) if choices else "",
        "choices": [(_says(choice.faces), choice) for choice in choices[:SHOWN_CHOICES]],
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

"""Beside an answer: what one change would do to it."""

from __future__ import annotations

from typing import Any

from apps.core.services import beside_the_field
from apps.killteam.services import fight, rules, shoot
from apps.killteam.services.solving import AT_ONCE, BUDGET
from engine.killteam.fight import Plan
from engine.killteam.lifts import Lift, fight_lifts, shoot_lifts

SHOWN = 7  # helps; and as many hindrances


def of_a_shot(settings: dict[str, Any]) -> dict[str, Any]:
    """Changes that help the attacker and those that help the target, the strongest first."""
    with beside_the_field(shoot.FIELDS):
        attacker, defender = rules.attacker(settings), rules.defender(settings)
        return _sorted_out(shoot_lifts(attacker, defender, shoot.options_of(settings)))


def of_a_fight(settings: dict[str, Any]) -> dict[str, Any]:
    """The same for the first fighter; nothing for a fight that takes long."""
    with beside_the_field(fight.FIELDS):
        question = fight.asked(settings)
        seconds = Plan(question.one, question.two, question.options, BUDGET).seconds
        if seconds > AT_ONCE / 4:
            return {"too_long": True, "helps": [], "hinders": []}
        return _sorted_out(fight_lifts(question.one, question.two, question.options, BUDGET))


def _sorted_out(lifts: list[Lift]) -> dict[str, Any]:
    return {
        "too_long": False,
        "helps": [lift for lift in lifts if lift.gain > 0][:SHOWN],
        "hinders": [lift for lift in reversed(lifts) if lift.gain < 0][:SHOWN],
    }

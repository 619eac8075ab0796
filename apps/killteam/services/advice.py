"""Beside an answer: what one change would do to it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from apps.core.services import beside_the_field
from apps.killteam.forms import FightForm, ShootForm
from apps.killteam.options import Switch
from apps.killteam.services import fight, shoot, sides
from apps.killteam.services.solving import AT_ONCE, BUDGET
from apps.killteam.team_fields import TeamPart, team_names, usable
from engine.killteam.fight import Plan
from engine.killteam.lifts import NOTHING, Lift, fight_lifts, shoot_lifts
from engine.killteam.shoot import shoot as shot_of

SHOWN = 7  # helps; and as many hindrances


def of_a_shot(settings: dict[str, Any]) -> dict[str, Any]:
    """Changes that help the attacker and those that help the target, the strongest first."""
    with beside_the_field(shoot.FIELDS):
        attacker, defender = sides.of_a_shot(settings)
        lifts = shoot_lifts(attacker, defender, shoot.options_of(settings))
        return _sorted_out(lifts, _options_of_a_shot(settings))


def _options_of_a_shot(settings: dict[str, Any]) -> Iterator[Lift]:
    """What each option of either team that is not on would do; without a team nobody has any."""
    how = shoot.options_of(settings)
    now = shot_of(*sides.of_a_shot(settings), how).p_kill
    for part in ShootForm.teams:
        for switch in _off(settings, part):
            changed = settings | {part.options: [*settings[part.options], switch.key]}
            p_kill = shot_of(*sides.of_a_shot(changed), how).p_kill
            label = f"The target's {switch.title}" if part.role == "defender" else switch.title
            yield Lift(label, p_kill, 0.0, p_kill - now)


def _off(settings: dict[str, Any], part: TeamPart) -> list[Switch]:
    """The options of a side's team that are not on."""
    if settings[part.team] not in team_names():
        return []
    return [switch for switch in usable(settings[part.team], part.role) if switch.key not in settings[part.options]]


def of_a_fight(settings: dict[str, Any]) -> dict[str, Any]:
    """The same for the first fighter; nothing for a fight that takes long."""
    with beside_the_field(fight.FIELDS):
        question = fight.asked(settings)
        seconds = Plan(question.one, question.two, question.options, BUDGET).seconds
        if seconds > AT_ONCE / 4:
            return {"too_long": True, "options": [], "helps": [], "hinders": []}
        lifts = fight_lifts(question.one, question.two, question.options, BUDGET)
        return _sorted_out(lifts, _options_of_a_fight(settings))


def _options_of_a_fight(settings: dict[str, Any]) -> Iterator[Lift]:
    """What each option of the first fighter's team that is not on would do."""
    now = fight.asked(settings).plan.solve()
    part = FightForm.teams[0]
    for switch in _off(settings, part):
        changed = settings | {part.options: [*settings[part.options], switch.key]}
        with_it = fight.asked(changed).plan.solve()
        gain = (with_it.p_kill1 - with_it.p_kill2) - (now.p_kill1 - now.p_kill2)
        yield Lift(switch.title, with_it.p_kill1, with_it.p_kill2, gain)


def _sorted_out(lifts: list[Lift], options: Iterable[Lift]) -> dict[str, Any]:
    """What the teams on the sheet have, then what any rule would do."""
    moving = [lift for lift in options if abs(lift.gain) > NOTHING]
    return {
        "too_long": False,
        "options": sorted(moving, key=lambda lift: -lift.gain),
        "helps": [lift for lift in lifts if lift.gain > 0][:SHOWN],
        "hinders": [lift for lift in reversed(lifts) if lift.gain < 0][:SHOWN],
    }

"""The sides of a sheet as they stand: the profiles entered, changed by the equipment and ploys that are on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from apps.killteam.options import Switch
from apps.killteam.services import rules
from apps.killteam.services import switches as working
from apps.killteam.team_fields import chosen
from engine.killteam.profile import Attacker, Defender, Fighter, FightOptions

WHO = ("one", "two")


def of_a_shot(settings: Mapping[str, Any]) -> tuple[Attacker, Defender]:
    return working.shot(
        rules.attacker(settings),
        rules.defender(settings),
        attackers=chosen(settings["options"]),
        defenders=chosen(settings["save_options"]),
        weapon=settings["weapon"],
    )


def of_a_fight(settings: Mapping[str, Any], options: FightOptions) -> tuple[Fighter, Fighter, FightOptions]:
    """Both fighters; an option may decide who strikes first."""
    one, two = (rules.fighter(settings, who) for who in WHO)
    switches = chosen(settings["one_options"]), chosen(settings["two_options"])
    return working.fight((one, two), switches, options, (settings["one_weapon"], settings["two_weapon"]))


def remarks_on_a_shot(settings: Mapping[str, Any]) -> tuple[str, ...]:
    """Options that are on and do nothing for the weapon in hand."""
    return tuple(_for_other_weapons(chosen(settings["options"]), settings["weapon"]))


def remarks_on_a_fight(settings: Mapping[str, Any]) -> tuple[str, ...]:
    """The same of both fighters, and whoever an option lets strike first against the sheet."""
    found: list[str] = []
    for number, who in enumerate(WHO, 1):
        switches = chosen(settings[f"{who}_options"])
        found += _for_other_weapons(switches, settings[f"{who}_weapon"])
        if int(settings["first"]) != number:
            name = settings[f"{who}_name"]
            found += [f"{switch.title} makes {name} strike first." for switch in switches if switch.sets_first]
    return tuple(found)


def _for_other_weapons(switches: list[Switch], weapon: str) -> Iterator[str]:
    for switch in switches:
        if not switch.arms(weapon):
            yield f"{switch.title} works with {', '.join(switch.weapons)} only; {weapon} is another weapon."

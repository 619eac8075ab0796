"""Switches put to work: profiles as equipment, ploys and faction rules change them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, TypeVar

from apps.killteam.options import Role, Switch
from engine.killteam.profile import Ability, Attacker, Defender, Fighter, FightOptions, FnpMode, Reroll, Side

S = TypeVar("S", bound=Side)

#: From the weakest to the strongest; a switch never makes a re-roll worse, except the one that forbids it.
REROLL_ORDER = (
    Reroll.NONE, Reroll.REROLL_ONES, Reroll.BALANCED, Reroll.DOUBLE_BALANCED, Reroll.MOST_COMMON_FAIL,
    Reroll.ONES_PLUS_BALANCED, Reroll.CEASELESS_PLUS_BALANCED, Reroll.RELENTLESS, Reroll.CRIT_FISH_RELENTLESS,
)  # fmt: skip
TOGETHER = {frozenset({Reroll.BALANCED, Reroll.MOST_COMMON_FAIL}): Reroll.CEASELESS_PLUS_BALANCED}


def shot(
    attacker: Attacker,
    defender: Defender,
    *,
    attackers: Iterable[Switch] = (),
    defenders: Iterable[Switch] = (),
    weapon: str = "",
) -> tuple[Attacker, Defender]:
    """A shot with the switches of both teams."""
    for switch in attackers:
        if switch.arms(weapon):
            attacker = _if(switch, "attacker", False, attacker)
        defender = _if(switch, "defender", True, defender)
    for switch in defenders:
        attacker = _if(switch, "attacker", True, attacker)
        defender = _if(switch, "defender", False, defender)
    return attacker, defender


def fight(
    fighters: tuple[Fighter, Fighter],
    switches: tuple[Iterable[Switch], Iterable[Switch]],
    options: FightOptions,
    weapons: tuple[str, str] = ("", ""),
) -> tuple[Fighter, Fighter, FightOptions]:
    """A fight with the switches of both teams; one of them may decide who strikes first."""
    changed = list(fighters)
    for own in (0, 1):
        for switch in switches[own]:
            if switch.sets_first:
                options = options.model_copy(update={"first_fighter": own + 1})
            if switch.arms(weapons[own]):
                changed[own] = _if(switch, "fighter", False, changed[own])
            changed[1 - own] = _if(switch, "fighter", True, changed[1 - own])
    return changed[0], changed[1], options


def _if(switch: Switch, role: Role, enemy: bool, side: S) -> S:
    return applied(side, switch.effect, own=not enemy) if switch.changes(role, enemy=enemy) else side


def applied(side: S, effect: Mapping[str, Any], *, own: bool = True) -> S:
    """A profile after one effect; a figure the profile does not have is passed over.

    One's own switch leaves a better figure alone: Piercing 1 does nothing for a weapon with Piercing 2.

    >>> applied(Attacker(num_dice=4, dice_stat=3), {"dice_stat": {"add": -1, "min": 2}}).dice_stat
    2
    >>> applied(Attacker(num_dice=4, dice_stat=3, reroll="most_common_fail"), {"reroll": "balanced"}).reroll.value
    'ceaseless_plus_balanced'
    """
    values: dict[str, Any] = {}
    for name, change in effect.items():
        if name == "reroll":
            values["reroll"] = _better(side.reroll, Reroll(change))
        elif name == "abilities":
            kept = {*side.abilities} - {Ability(key) for key in change.get("remove", ())}
            values["abilities"] = tuple(kept | {Ability(key) for key in change.get("add", ())})
        elif name == "fnp_mode" and hasattr(side, "fnp_mode"):
            values["fnp_mode"] = FnpMode(change)
        elif isinstance(change, Mapping) and hasattr(side, name):
            values[name] = _figure(name, getattr(side, name), change, own)
    return side.changed(**values)


def _better(now: Reroll, new: Reroll) -> Reroll:
    if new == Reroll.NONE:
        return new
    together = TOGETHER.get(frozenset({now, new}))
    return together or max(now, new, key=REROLL_ORDER.index)


#: Figures that are better when lower; of these, 0 is none for all but the dice's own.
LOWER_IS_BETTER = frozenset(("dice_stat", "lethal", "hardyx", "fnp"))


def _figure(name: str, now: int, change: Mapping[str, int], own: bool) -> int:
    """A figure changed: {set}, or {add} that stops at max or min, if the old figure fits the condition."""
    if now != change.get("only_if", now) or now < change.get("only_if_at_least", now):
        return now
    if "set" in change:
        new = change["set"]
        if not own:
            return new
        if name in LOWER_IS_BETTER:
            return min(now, new) if now else new
        return max(now, new)
    new = now + change["add"]
    if change["add"] > 0:
        return max(now, min(new, change.get("max", new)))
    return min(now, max(new, change.get("min", new), 0))

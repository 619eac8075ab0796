"""What a player can switch on for an army or a unit, by name. A switch is a row of data: what it changes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, Literal

Side = Literal["attack", "defence"]


@dataclass(frozen=True, slots=True)
class Switch:
    """``changes`` are engine fields of every weapon (attack) or of the unit (defence); see ``apply``."""

    key: str
    label: str
    side: Side
    changes: dict[str, Any] = field(default_factory=dict)


SWITCHES: tuple[Switch, ...] = (
    Switch("half_range", "Half range", "attack", {"half_range": True}),
    Switch("stationary", "Stationary", "attack", {"stationary": True}),
    Switch("charged", "Charged", "attack", {"charged": True}),
    Switch("hits_ones", "Aura: reroll hits of 1", "attack", {"reroll_hits": "ones"}),
    Switch("oath", "Oath: reroll hits", "attack", {"reroll_hits": "failed"}),
    Switch("wounds_ones", "Aura: reroll wounds of 1", "attack", {"reroll_wounds": "ones"}),
    Switch("wounds", "Stratagem: reroll wounds", "attack", {"reroll_wounds": "failed"}),
    Switch("to_hit", "+1 to hit", "attack", {"hit_modifier": 1}),
    Switch("to_wound", "+1 to wound", "attack", {"wound_modifier": 1}),
    Switch("lethal", "Lethal Hits", "attack", {"lethal_hits": True}),
    Switch("sustained", "Sustained Hits 1", "attack", {"sustained_hits": "1"}),
    Switch("criticals", "Critical hits on 5+", "attack", {"critical_hit": 5}),
    Switch("ap", "AP better by 1", "attack", {"ap": 1}),
    Switch("ignores_cover", "Ignores Cover", "attack", {"ignores_cover": True}),
    Switch("cover", "In cover", "defence", {"cover": True}),
    Switch("stealth", "Stealth", "defence", {"stealth": True}),
    Switch("hard_to_hit", "−1 to be hit", "defence", {"hit_modifier": -1}),
    Switch("hard_to_wound", "−1 to be wounded", "defence", {"wound_modifier": -1}),
    Switch("less_damage", "Damage −1", "defence", {"damage_reduction": 1}),
    Switch("half_damage", "Halves damage", "defence", {"halve_damage": True}),
    Switch("invulnerable_5", "Invulnerable 5+", "defence", {"invulnerable": 5}),
    Switch("invulnerable_4", "Invulnerable 4+", "defence", {"invulnerable": 4}),
    Switch("pain_6", "Feel No Pain 6+", "defence", {"feel_no_pain": 6}),
    Switch("pain_5", "Feel No Pain 5+", "defence", {"feel_no_pain": 5}),
    Switch("better_save", "+1 to saves", "defence", {"save_modifier": 1}),
)
BY_KEY = {switch.key: switch for switch in SWITCHES}
#: From the weakest permission to the widest.
REROLLS = ("none", "ones", "failed", "noncrit", "all")
ADDED = frozenset(("hit_modifier", "wound_modifier", "save_modifier", "ap", "damage_reduction"))
LOWER_IS_BETTER = frozenset(("invulnerable", "feel_no_pain", "critical_hit"))


def met(name: str, before: Any, change: Any) -> Any:
    """A field's value once a switch has changed it: sums add, of two saves the better stays.

    >>> met("hit_modifier", -1, 1), met("invulnerable", 0, 5), met("invulnerable", 4, 5)
    (0, 5, 4)
    >>> met("reroll_hits", "all", "ones")
    'all'
    """
    if name in ADDED:
        return before + change
    if name in LOWER_IS_BETTER:
        return min(before, change) if before else change
    if name.startswith("reroll"):
        return max(before, change, key=REROLLS.index)
    if name == "sustained_hits":
        return change if before == "0" else before
    return before or change


def changed(values: dict[str, Any], switches: Iterable[str], side: Side) -> dict[str, Any]:
    """Engine fields with the switches of one side on."""
    result = dict(values)
    for key in switches:
        switch = BY_KEY.get(key)
        if switch is not None and switch.side == side:
            for name, change in switch.changes.items():
                if name in result:
                    result[name] = met(name, result[name], change)
    return result


def chosen(words: Iterable[str], army: str, unit: int | None = None) -> Iterator[str]:
    """The switches of an army ("a.cover") and of one of its units ("a3.cover"), in the order of the table.

    >>> list(chosen(["a.cover", "a2.oath", "b.oath", "a2.nonsense"], "a", 2))
    ['oath', 'cover']
    """
    wanted = set(words)
    for switch in SWITCHES:
        if f"{army}.{switch.key}" in wanted or (unit is not None and f"{army}{unit}.{switch.key}" in wanted):
            yield switch.key


def known(words: Iterable[str]) -> list[str]:
    """Those that name a switch, each once, in the order given."""
    return [word for word in dict.fromkeys(words) if word.partition(".")[2] in BY_KEY and word[:1] in "ab"]

"""Rules printed on weapons, as fields of the sheet. One without a field is named, with the reason, for the player."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Any, NamedTuple

from apps.warhammer40k.forms import KEYWORDS


class Meaning(NamedTuple):
    """What a rule sets. ``value`` None = the number or dice in the rule."""

    pattern: str
    field: str
    value: Any = None


RULES: tuple[Meaning, ...] = (
    Meaning(r"Torrent", "abilities", ("torrent",)),
    Meaning(r"Lethal Hits", "abilities", ("lethal",)),
    Meaning(r"Devastating Wounds: Monster/Vehicle", "abilities", ("devastating", "devastating_large")),
    Meaning(r"Devastating Wounds", "abilities", ("devastating",)),
    Meaning(r"Twin-linked", "abilities", ("twin_linked",)),
    Meaning(r"Heavy", "abilities", ("heavy",)),
    Meaning(r"Lance", "abilities", ("lance",)),
    Meaning(r"Ignores Cover", "abilities", ("ignores_cover",)),
    Meaning(r"Indirect Fire", "abilities", ("indirect",)),
    Meaning(r"Psychic", "abilities", ("psychic",)),
    Meaning(r"Hazardous", "abilities", ("hazardous",)),
    Meaning(r"Precision", "abilities", ("precision",)),
    Meaning(r"Sustained Hits (1|2|3|D3)", "sustained"),
    Meaning(r"Rapid Fire (\d*D?\d+(?:\+\d+)?)", "rapid_fire"),
    Meaning(r"Melta (\d+)", "melta"),
    Meaning(r"Blast(?: (\d))?", "blast"),
    Meaning(r"Cleave (\d)", "cleave"),
)
#: Rules that leave the dice of the attack alone.
NO_DICE = frozenset(
    (
        "Assault",  # may shoot after advancing
        "Close-quarters",  # may shoot when engaged
        "Extra Attacks",  # used beside another weapon
        "One Shot",
        "Pistol",
    )
)
#: Rules that do touch them, and why no field says it.
YOURS_TO_SET: dict[str, str] = {
    "Conversion": "critical hits on a lower roll far away: set Critical hit on when it counts",
    "Lethal Hits: non-Monster/Vehicle": "Lethal Hits only against some targets: tick it when it counts",
    "Bubblechukka": "its figures are rolled each time",
    "Plasma Warhead": "works once and on a place, not on a target",
    "Overcharge": "stronger at a risk to the bearer, as its own card says",
    "Linked Fire": "may measure from another vehicle, as its own card says",
    "Dead Choppy": "a rule of its own card",
    "Snagged": "a rule of its own card",
    "Harpooned": "a rule of its own card",
    "Psychic Assassin": "stronger against Psykers, as its own card says",
    "Reverberating Summons": "a rule of its own card",
}
ANTI = re.compile(r"Anti-(?P<keyword>.+?) (?P<on>[2-6])\+", re.I)
_KEYWORDS = frozenset(key for key, _ in KEYWORDS)


class Reading(NamedTuple):
    """Fields of the sheet; rules without dice; rules left to the player, with the reason."""

    values: dict[str, Any]
    also: tuple[str, ...]
    to_set: tuple[str, ...]


@lru_cache(maxsize=512)
def read(rules: tuple[str, ...]) -> Reading:
    """The rules of one weapon.

    >>> read(("Rapid Fire 1", "Anti-infantry 4+", "Pistol")).values
    {'rapid_fire': '1', 'anti': '4', 'against': 'infantry'}
    >>> read(("Anti-chaos 2+",)).to_set
    ('Anti-chaos 2+: the sheet has no keyword Chaos',)
    """
    abilities: list[str] = []
    values: dict[str, Any] = {}
    also: list[str] = []
    to_set: list[str] = []
    for rule in rules:
        meaning, found = _meaning(rule)
        if rule in NO_DICE:
            also.append(rule)
        elif ANTI.fullmatch(rule):
            continue
        elif meaning is None or found is None:
            to_set.append(f"{rule}: {YOURS_TO_SET.get(rule, 'a rule this library does not know')}")
        elif meaning.field == "abilities":
            abilities += meaning.value
        else:
            number = found[1] or "1"
            values[meaning.field] = int(number) if meaning.field == "melta" else number
    anti, unset = _anti(rules)
    values |= anti
    if abilities:
        values["abilities"] = abilities
    return Reading(values, tuple(also), (*to_set, *unset))


def _meaning(rule: str) -> tuple[Meaning | None, re.Match[str] | None]:
    for meaning in RULES:
        if found := re.fullmatch(meaning.pattern, rule, re.I):
            return meaning, found
    return None, None


def _anti(rules: Iterable[str]) -> tuple[dict[str, Any], list[str]]:
    """Anti-X N+ as the sheet's one Anti. Monster and Vehicle alike are one choice; of any others the best stays."""
    found = [match for rule in rules if (match := ANTI.fullmatch(rule))]
    unset = [
        f"{match[0]}: the sheet has no keyword {match['keyword'].title()}"
        for match in found
        if _keyword(match["keyword"]) is None
    ]
    known = {key: int(match["on"]) for match in found if (key := _keyword(match["keyword"]))}
    if "monster" in known and known["monster"] == known.get("vehicle"):
        known["monster_vehicle"] = known.pop("monster")
        del known["vehicle"]
    if not known:
        return {}, unset
    best = min(known, key=lambda key: (known[key], list(known).index(key)))
    rest = [f"Anti-{key.replace('_', '/')} {on}+: the sheet takes one Anti" for key, on in known.items() if key != best]
    return {"anti": str(known[best]), "against": best}, [*unset, *rest]


def _keyword(text: str) -> str | None:
    key = text.casefold().replace("/", "_")
    return key if key in _KEYWORDS or key == "monster_vehicle" else None

"""Armies as documents: units with the figures and weapons a duel needs, made from a roster or from cards.

An army is plain JSON and never changes; its key is a hash of its content. Mending one makes another.

    name, edition, faction
    units   name, card (the library's key or ""), points, leads (the place of the unit it has joined, or null),
            groups [[name, models, T, Sv, W, invulnerable, Feel No Pain], …], keywords, traits,
            weapons [{name, count, modes [{name, values, also, to_set}]}], notes
    lines   [number, text, meaning] of the roster it was read from; "" = not read
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from apps.rosters import keeping
from apps.rosters.reading import read
from apps.rosters.roster import Roster, RosterError, expect, resolve
from apps.warhammer40k import library, matching
from apps.warhammer40k.datasheets import Edition, Group, Unit
from apps.warhammer40k.library import Profile
from apps.warhammer40k.models import Army

Document = keeping.Document
MOST_UNITS = 40
MOST_LINES = 600
MOST_COUNT = 100
MOST_POINTS = 5000


# -- Keeping --------------------------------------------------------------------------------------------------------


def keep(document: Document) -> Army:
    """The army of this content; the same one however often it is kept."""
    return keeping.keep(Army, document)


def find(key: str) -> Army | None:
    return keeping.find(Army, key)


# -- Reading --------------------------------------------------------------------------------------------------------


def read_list(source: bytes | str, edition: Edition | None = None) -> Document:
    """An army from a pasted list or a file; ``RosterError`` with one sentence where it is none of this game."""
    roster = expect(read(source), "warhammer40k")
    if len(roster.units) > MOST_UNITS:
        raise RosterError(f"An army may have {MOST_UNITS} units here; this list has {len(roster.units)}: send a part.")
    return from_roster(resolve(roster, matching.KnownNames(edition)), edition)


def from_roster(roster: Roster, edition: Edition | None = None) -> Document:
    """A roster matched with the library."""
    matched = matching.match(roster, edition)
    units = [_matched_unit(match) for match in matched.matches]
    return {
        "name": roster.name or matched.faction or "Army",
        "edition": matched.edition,
        "faction": matched.faction or roster.faction,
        "units": units,
        "lines": [[line.number, line.text, line.meaning] for line in roster.lines[:MOST_LINES]],
    }


def _matched_unit(match: matching.Match) -> dict[str, Any]:
    unit = match.unit
    target = match.target
    enhancement = [f"Enhancement {match.entry.enhancement}: yours to set"] if match.entry.enhancement else []
    return {
        "name": match.entry.name,
        "card": target.key if unit is not None and target is not None else "",
        "points": match.points,
        "leads": None,
        "groups": _groups(match.groups),
        "keywords": library.keywords(unit) if unit is not None else [],
        "traits": ["stealth"] if unit is not None and "Stealth" in unit.core else [],
        "weapons": [_weapon(armed.name, armed.count, armed.modes) for armed in match.arms if armed.modes],
        "notes": [*match.problems, *enhancement],
    }


def from_card(unit: Unit, size: int | None = None) -> dict[str, Any]:
    """A unit of the library, armed as usual."""
    number = size or unit.size
    carried = unit.arms(number) or {weapon.base: 1 for weapon in unit.weapons}
    weapons = []
    for base, count in carried.items():
        modes = [library.weapon_profile(unit, mode, count) for mode in unit.modes(base)]
        if modes:
            weapons.append(_weapon(base, count, modes))
    return {
        "name": unit.name,
        "card": library.unit_profile(unit).key,
        "points": unit.points(number),
        "leads": None,
        "groups": _groups(unit.groups(number)),
        "keywords": library.keywords(unit),
        "traits": ["stealth"] if "Stealth" in unit.core else [],
        "weapons": weapons,
        "notes": [f"Invulnerable save: {unit.invulnerable_when}"] if unit.invulnerable_when else [],
    }


def _groups(groups: Iterable[Group]) -> list[list[Any]]:
    return [
        [g.name, g.number, g.figures.toughness, g.figures.save, g.figures.wounds, g.figures.invulnerable,
         g.figures.feel_no_pain]
        for g in groups
    ]  # fmt: skip


def _weapon(name: str, count: int, modes: Sequence[Profile]) -> dict[str, Any]:
    return {
        "name": name,
        "count": min(count, MOST_COUNT),
        "modes": [
            {
                "name": mode.name,
                "values": {key: value for key, value in mode.values.items() if key != "count"},
                "also": list(mode.also),
                "to_set": list(mode.to_set),
            }
            for mode in modes
        ],
    }


# -- Looking --------------------------------------------------------------------------------------------------------


def models(unit: Mapping[str, Any]) -> int:
    return sum(group[1] for group in unit["groups"])


def led_by(document: Document, at: int) -> list[dict[str, Any]]:
    """The units that have joined the one at this place."""
    return [unit for unit in document["units"] if unit["leads"] == at]


def fielded(document: Document) -> list[int]:
    """The places of units that fight for themselves: those that have joined another are part of it."""
    return [at for at, unit in enumerate(document["units"]) if unit["leads"] is None]


def points(document: Document) -> int:
    return sum(unit["points"] for unit in document["units"])


def unread(document: Document) -> list[list[Any]]:
    """Lines of the roster that nothing was made of."""
    return [line for line in document["lines"] if not line[2]]


# -- Mending --------------------------------------------------------------------------------------------------------


def mended(document: Document, changes: Mapping[str, str]) -> Document:
    """The army after a form: numbers of models and weapons, points, cards, who leads whom, what is left out.

    Fields: ``u3-points``, ``u3-g1`` models of a group, ``u3-w2`` how many of a weapon, ``u3-leads`` the place of a
    unit or "", ``u3-card`` another card's title, ``u3-drop``; ``add`` a unit by its title; ``name``.
    """
    units: list[dict[str, Any] | None] = []
    edition: Edition = document["edition"]
    for at, unit in enumerate(document["units"], 1):
        units.append(None if f"u{at}-drop" in changes else _mended_unit(unit, f"u{at}-", changes, edition))
    wanted = changes.get("add", "").strip()
    card = _card(wanted, edition) if wanted else None
    if card is not None and len(units) < MOST_UNITS:
        units.append(from_card(card))
    return {
        **document,
        "name": changes.get("name", document["name"]).strip()[:60] or document["name"],
        "units": _renumbered(units),
    }


def _mended_unit(unit: dict[str, Any], prefix: str, changes: Mapping[str, str], edition: Edition) -> dict[str, Any]:
    wanted = changes.get(f"{prefix}card", "").strip()
    card = _card(wanted, edition) if wanted else None
    if card is not None:
        return {**from_card(card, models(unit) or None), "points": unit["points"] or card.points(models(unit))}
    leads = changes.get(f"{prefix}leads")
    joined = unit["leads"] if leads is None else int(leads) if leads.isdecimal() else None
    groups = [
        [group[0], _whole(changes, f"{prefix}g{at}", group[1], MOST_COUNT), *group[2:]]
        for at, group in enumerate(unit["groups"], 1)
    ]
    weapons = [
        {**weapon, "count": _whole(changes, f"{prefix}w{at}", weapon["count"], MOST_COUNT)}
        for at, weapon in enumerate(unit["weapons"], 1)
    ]
    return {
        **unit,
        "points": _whole(changes, f"{prefix}points", unit["points"], MOST_POINTS),
        "leads": joined,
        "groups": [group for group in groups if group[1]] or groups[:1],
        "weapons": weapons,
    }


def _whole(changes: Mapping[str, str], name: str, before: int, most: int) -> int:
    text = changes.get(name, "")
    return min(int(text), most) if text.isascii() and text.isdecimal() and len(text) < 6 else before


def _card(title: str, edition: Edition) -> Unit | None:
    profile = library.by_title("unit", title, edition)
    if profile is not None:
        return library.card(profile.key)
    return matching.find_unit(title, "", edition)


def _renumbered(units: Sequence[dict[str, Any] | None]) -> list[dict[str, Any]]:
    """Without those left out; who leads whom follows. Nobody leads himself, a leader or a unit that is gone."""
    place = {old: new for new, old in enumerate(at for at, unit in enumerate(units) if unit is not None)}
    followed = [unit for unit in units if unit is not None]
    leaders = {at for at, unit in enumerate(units) if unit is not None and unit["leads"] is not None}
    for at, unit in enumerate(units):
        if unit is None or unit["leads"] is None:
            continue
        old = unit["leads"]
        unit["leads"] = place.get(old) if old != at and old not in leaders else None
    return followed


def leadable(document: Document, at: int) -> list[tuple[int, str]]:
    """The units one may join: those of its card where they are known, else all others."""
    unit = document["units"][at]
    card = library.card(unit["card"]) if unit["card"] else None
    joins = {name.casefold() for name in card.joins} if card else set()
    others = [
        (place, other["name"])
        for place, other in enumerate(document["units"])
        if place != at and other["leads"] is None and (not joins or other["name"].casefold() in joins)
    ]
    return others if joins or "character" in unit["keywords"] else []

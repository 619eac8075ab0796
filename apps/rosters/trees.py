"""Selections within selections: the form BattleScribe writes as XML and New Recruit and ListForge as JSON.

Both arrive here as the same dictionaries (``files`` makes them). Weapons are counted by selection, not by profile: a
weapon with two modes is one selection with two profiles. The number of a selection is already the total of its models.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from apps.catalogues.names import clean, fold
from apps.rosters.factions import last_part
from apps.rosters.roster import (
    Item,
    Line,
    Models,
    Profile,
    Roster,
    RosterError,
    System,
    Unit,
    checked,
    count,
    short,
    total,
    whole,
)

SYSTEM_IDS: dict[str, System] = {
    "sys-352e-adc2-7639-d6a9": "w40k10",
    "sys-352e-adc2-7639-d610": "w40k11",
    "c521-ad27-44df-f959": "kt24",
}
DEEPEST = 40
MOST_SELECTIONS = 20_000
#: Marks before a name: modes of a weapon, ranged and melee in Kill Team.
RANGED, MELEE, MODE = "⌖", "⚔", "➤"

Selection = dict[str, Any]


def read_tree(document: dict[str, Any], form: str) -> Roster:
    """A roster from its root element."""
    roster = Roster(form, _system(document), short(document.get("name")))
    roster.points = _points(document)
    reader = _Reader(roster)
    for force in _forces(document):
        roster.faction = roster.faction or clean(last_part(short(force.get("catalogueName"))))
        for selection in _list(force, "selections"):
            reader.top(selection)
    if not roster.faction:
        roster.faction = reader.keyword
    roster.lines = reader.lines
    return checked(roster)


def _system(document: dict[str, Any]) -> System:
    """The game, by its id or else its name; one sentence for any other."""
    known = SYSTEM_IDS.get(short(document.get("gameSystemId")))
    if known:
        return known
    name = short(document.get("gameSystemName"))
    folded = fold(name)
    if "kill team" in folded and "2024" in folded:
        return "kt24"
    if "40 000" in folded and "kill team" not in folded and ("10th" in folded or "11th" in folded):
        return "w40k10" if "10th" in folded else "w40k11"
    what = f"“{name}”" if name else "a game it does not name"
    raise RosterError(
        f"This roster is for {what}; only Warhammer 40,000 of the 10th and 11th edition and Kill Team 2024 can be read."
    )


def _forces(node: dict[str, Any], depth: int = 0) -> Iterator[dict[str, Any]]:
    for force in _list(node, "forces"):
        _not_too_deep(depth)
        yield force
        yield from _forces(force, depth + 1)


def _list(node: Selection, name: str) -> list[Selection]:
    value = node.get(name)
    return [child for child in value if isinstance(child, dict)] if isinstance(value, list) else []


def _not_too_deep(depth: int) -> None:
    if depth > DEEPEST:
        raise RosterError(f"Selections may be nested {DEEPEST} deep; this roster goes deeper: export it again.")


class _Reader:
    """Goes over the selections once and writes the account."""

    def __init__(self, roster: Roster) -> None:
        self.roster = roster
        self.lines: list[Line] = []
        self.keyword = ""

    def note(self, selection: Selection, depth: int, meaning: str) -> None:
        if len(self.lines) >= MOST_SELECTIONS:
            raise RosterError(f"A roster may hold {MOST_SELECTIONS} selections; this one has more: send a part of it.")
        _not_too_deep(depth)
        number = count(selection.get("number"))
        text = ("· " * depth) + (f"{number}x " if number > 1 else "") + short(selection.get("name"))
        self.lines.append(Line(len(self.lines) + 1, text, meaning))

    def top(self, selection: Selection) -> None:
        """A selection right below a force: a unit, a setting, or equipment of the team."""
        kind = selection.get("type")
        if kind in ("unit", "model") or any(_profiles(selection, ("Unit", "Operative"))):
            self.roster.units.append(self.unit(selection))
            return
        name = fold(short(selection.get("name")))
        chosen = [short(child.get("name")) for child in _list(selection, "selections")]
        if name.startswith("detachment"):
            self.roster.detachment = self.roster.detachment or ", ".join(chosen)
        categories = {fold(category) for category in _categories(selection)}
        meaning = "setting" if chosen or "configuration" in categories else ""
        if "equipment" in " ".join((*categories, name)):
            self.roster.equipment += chosen or [short(selection.get("name"))]
            meaning = "equipment"
        self.note(selection, 0, meaning)
        for child in _list(selection, "selections"):
            self.note(child, 1, meaning)

    def unit(self, selection: Selection) -> Unit:
        unit = Unit(short(selection.get("name")), kinds=[])
        self.note(selection, 0, "unit")
        for category in _categories(selection):
            if category.startswith("Faction: "):
                self.keyword = self.keyword or category.removeprefix("Faction: ")
        unit.points = _cost(selection)
        kinds: list[Models] = []
        if selection.get("type") == "model":
            kinds.append(Models(unit.name, count(selection.get("number")), _figures(selection)))
        self.collect(selection, unit, kinds, unit.name if kinds else "", 1)
        unit.kinds = kinds or [Models(unit.name, count(selection.get("number")))]
        unit.models = total(unit.kinds)
        unit.abilities = sorted(set(_abilities(selection)))
        _give_figures(unit, selection)
        return unit

    def collect(self, parent: Selection, unit: Unit, kinds: list[Models], bearer: str, depth: int) -> None:
        """What hangs below a unit or model."""
        self.carried(parent, unit, bearer, of_model=True)
        for child in _list(parent, "selections"):
            name = short(child.get("name"))
            if child.get("type") == "model":
                self.note(child, depth, "models")
                kinds.append(Models(name, count(child.get("number")), _figures(child)))
                self.collect(child, unit, kinds, name, depth + 1)
            elif fold(name) == "warlord":
                unit.warlord = True
                self.note(child, depth, "warlord")
            elif _is_enhancement(child, parent):
                unit.enhancement = name
                self.note(child, depth, "enhancement")
            else:
                self.gear(child, unit, kinds, bearer, depth)

    def gear(self, child: Selection, unit: Unit, kinds: list[Models], bearer: str, depth: int) -> None:
        """A weapon, other gear, or a heading over some."""
        below = _list(child, "selections")
        if self.carried(child, unit, bearer):
            self.note(child, depth, "weapon")
        elif below:
            self.note(child, depth, "group")
        else:
            self.note(child, depth, "gear")
            unit.items.append(Item(short(child.get("name")), count(child.get("number")), "gear", bearer))
        if below:
            held = {**child, "profiles": []}
            self.collect(held, unit, kinds, bearer, depth + 1)

    def carried(self, selection: Selection, unit: Unit, bearer: str, of_model: bool = False) -> bool:
        """Add the weapons whose profiles the selection itself holds; whether there were any."""
        profiles = [_weapon(profile) for profile in _profiles(selection, WEAPON_TYPES)]
        if not profiles:
            return False
        number = count(selection.get("number"))
        if self.roster.system == "kt24" or of_model:
            for profile in profiles:
                unit.items.append(Item(profile.name, number, "weapon", bearer, [profile]))
        else:
            unit.items.append(Item(short(selection.get("name")), number, "weapon", bearer, profiles))
        return True


def _is_enhancement(child: Selection, parent: Selection) -> bool:
    """By its group (New Recruit, ListForge) or category; else a priced upgrade of a character that is no weapon."""
    group = short(child.get("group"))
    if fold(group).startswith("enhancement") or any(fold(c).startswith("enhancement") for c in _categories(child)):
        return True
    if group or any(_profiles(child, WEAPON_TYPES)) or _list(child, "selections"):
        return False
    return bool(_points(child)) and "Character" in _categories(parent)


def _categories(selection: Selection) -> list[str]:
    return [short(category.get("name")) for category in _list(selection, "categories")]


def _points(node: Selection) -> int | None:
    for cost in _list(node, "costs"):
        if fold(short(cost.get("name"))) in ("pts", "points"):
            return whole(cost.get("value"))
    return None


def _cost(selection: Selection, depth: int = 0) -> int | None:
    """Points of a selection and everything below it; None where nothing has a price."""
    _not_too_deep(depth)
    costs = [_points(selection), *(_cost(child, depth + 1) for child in _list(selection, "selections"))]
    known = [cost for cost in costs if cost is not None]
    return min(sum(known), 1_000_000) if known else None


# -- Profiles -------------------------------------------------------------------------------------------------------

WEAPON_TYPES = ("Ranged Weapons", "Melee Weapons", "Weapons")


def _profiles(selection: Selection, types: tuple[str, ...]) -> Iterator[Selection]:
    return (profile for profile in _list(selection, "profiles") if short(profile.get("typeName")) in types)


def _characteristics(profile: Selection) -> dict[str, str]:
    found = {}
    for characteristic in _list(profile, "characteristics"):
        value = characteristic.get("$text")
        found[fold(short(characteristic.get("name")))] = str(value) if isinstance(value, int | float) else short(value)
    return found


def _target(text: str) -> int | None:
    """N of "N+".

    >>> _target("4+"), _target("-"), _target("N/A")
    (4, None, None)
    """
    found = re.match(r"^\s*(\d{1,2})\s*\+?", text)
    return int(found[1]) if found else None


def _weapon(profile: Selection) -> Profile:
    values = _characteristics(profile)
    name = short(profile.get("name"))
    if short(profile.get("typeName")) == "Weapons":
        normal, _, critical = values.get("dmg", "").partition("/")
        return Profile(
            name.lstrip(RANGED + MELEE + MODE + " "),
            "melee" if name.startswith(MELEE) else "ranged",
            {
                "atk": _target(values.get("atk", "")),
                "hit": _target(values.get("hit", "")),
                "dmg_norm": _target(normal),
                "dmg_crit": _target(critical),
            },
            rules(values.get("wr", "")),
        )
    melee = short(profile.get("typeName")) == "Melee Weapons"
    return Profile(
        name.lstrip(MODE + " "),
        "melee" if melee else "ranged",
        {
            "range": values.get("range", ""),
            "attacks": values.get("a", ""),
            "skill": _target(values.get("ws" if melee else "bs", "")),
            "strength": values.get("s", ""),
            "ap": _target(values.get("ap", "").lstrip("-−")) or 0,
            "damage": values.get("d", ""),
        },
        rules(values.get("keywords", "")),
    )


def rules(text: str) -> list[str]:
    """Weapon rules between commas.

    >>> rules("Hazardous, Pistol"), rules("-")
    (['Hazardous', 'Pistol'], [])
    """
    return [clean(rule) for rule in text.split(",") if clean(rule) not in ("", "-")]


def _figures(selection: Selection) -> dict[str, Any] | None:
    profile = next(_profiles(selection, ("Unit", "Operative")), None)
    return _figures_of(profile, selection) if profile else None


def _figures_of(profile: Selection, selection: Selection) -> dict[str, Any]:
    values = _characteristics(profile)
    if short(profile.get("typeName")) == "Operative":
        return {
            "apl": _target(values.get("apl", "")),
            "move": values.get("move", ""),
            "save": _target(values.get("save", "")),
            "wounds": _target(values.get("wounds", "")),
        }
    figures: dict[str, Any] = {
        "t": _target(values.get("t", "")),
        "sv": _target(values.get("sv", "")),
        "inv": _target(values.get("insv", "")) or _ability(selection, "invulnerable save"),
        "w": _target(values.get("w", "")),
    }
    pain = _ability(selection, "feel no pain")
    return figures | ({"fnp": pain} if pain else {})


def _ability(selection: Selection, name: str) -> int | None:
    """The number of an ability like "Invulnerable Save": in its name, else at the head of its text."""
    for profile in [*_profiles(selection, ("Abilities",)), *_list(selection, "rules")]:
        title = short(profile.get("name"))
        if fold(title).startswith(name):
            found = re.search(r"(\d)\+", title) or re.search(r"(\d)\+", " ".join(_characteristics(profile).values()))
            return int(found[1]) if found else None
    return None


def _abilities(selection: Selection, depth: int = 0) -> Iterator[str]:
    _not_too_deep(depth)
    for profile in [*_profiles(selection, ("Abilities",)), *_list(selection, "rules")]:
        yield short(profile.get("name"))
    for child in _list(selection, "selections"):
        yield from _abilities(child, depth + 1)


def _give_figures(unit: Unit, selection: Selection) -> None:
    """Figures of the unit, from its own profile or from its models'; several profiles on a unit are its models'."""
    own = list(_profiles(selection, ("Unit", "Operative")))
    kinds = unit.kinds or []
    if len(own) > 1:
        by_name = {fold(short(profile.get("name"))): _figures_of(profile, selection) for profile in own}
        for kind in kinds:
            kind.figures = kind.figures or by_name.get(fold(kind.name)) or next(iter(by_name.values()))
    elif own:
        for kind in kinds:
            kind.figures = kind.figures or _figures_of(own[0], selection)
    invulnerable = _ability(selection, "invulnerable save")
    for kind in kinds:
        if kind.figures and "inv" in kind.figures and kind.figures["inv"] is None:
            kind.figures["inv"] = invulnerable
    if kinds and kinds[0].figures:
        unit.figures = max(kinds, key=lambda kind: kind.count).figures

"""From a roster's units to cards of the library: matched by name and army, armed as the roster says, ready for a sheet.

What is not matched is named, with near names where there are any. The card's figures are taken; where the roster brings
other ones, that is said.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from apps.catalogues.names import Names, fold, singular
from apps.rosters.roster import Models as RosterModels
from apps.rosters.roster import Roster
from apps.rosters.roster import Unit as RosterUnit
from apps.warhammer40k import datasheets, library, weapon_rules
from apps.warhammer40k.datasheets import Edition, Figures, Group, Unit, Weapon
from apps.warhammer40k.library import Profile

EDITION_OF: dict[str, Edition] = {"w40k10": "tenth", "w40k11": "eleventh"}
#: Other names of armies, and armies whose units a chapter or ally may also take.
ALIASES = {
    "Adeptus Astartes": "Space Marines", "Heretic Astartes": "Chaos Space Marines", "Asuryani": "Aeldari",
    "Craftworlds": "Aeldari", "Harlequins": "Aeldari", "Ynnari": "Aeldari", "Imperial Agents": "Agents of the Imperium",
    "Legiones Daemonica": "Chaos Daemons", "Ultramarines": "Space Marines", "Imperial Fists": "Space Marines",
    "Salamanders": "Space Marines", "Iron Hands": "Space Marines", "Raven Guard": "Space Marines",
    "White Scars": "Space Marines",
}  # fmt: skip


@dataclass(slots=True)
class Armed:
    """A weapon line of the attacker: the modes of a weapon, of which one is used at a time, and how many there are."""

    name: str
    count: int
    modes: list[Profile]


@dataclass(slots=True)
class Match:
    """A unit of a roster and what the library knows of it. ``problems`` is what a person may want to mend."""

    entry: RosterUnit
    unit: Unit | None = None
    arms: list[Armed] = field(default_factory=list)
    groups: list[Group] = field(default_factory=list)
    points: int = 0
    problems: list[str] = field(default_factory=list)
    near: list[str] = field(default_factory=list)

    @property
    def target(self) -> Profile | None:
        """As the target of a sheet: its first group."""
        if self.unit is None or not self.groups:
            return None
        return library.unit_profile(self.unit, self.groups, self.points)

    def lines(self, *, melee: bool) -> list[Profile]:
        """All its weapons for one phase, one mode each (the first), counted by composition."""
        chosen = (next((mode for mode in arm.modes if _is_melee(mode) == melee), None) for arm in self.arms)
        return [mode for mode in chosen if mode is not None]


def _is_melee(profile: Profile) -> bool:
    return "melee" in profile.values.get("abilities", ())


@dataclass(slots=True)
class Army:
    """A roster matched with an edition of the library."""

    roster: Roster
    edition: Edition
    faction: str
    matches: list[Match]

    @property
    def unmatched(self) -> list[str]:
        """Everything that was not found, one sentence each."""
        return [f"{match.entry.name}: {problem}" for match in self.matches for problem in match.problems]


def match(roster: Roster, edition: Edition | None = None) -> Army:
    """The roster's units in the library; where it names no edition, in the one that knows most of them."""
    chosen = edition or edition_of(roster)
    faction = army_of(roster.faction, chosen)
    matches = [_match(entry, roster, faction, chosen) for entry in roster.units]
    return Army(roster, chosen, faction, matches)


def edition_of(roster: Roster) -> Edition:
    """The edition it says, else the newest of those that know most of its units."""
    stated = EDITION_OF.get(roster.system)
    if stated:
        return stated

    def known(edition: Edition) -> int:
        faction = army_of(roster.faction, edition)
        return sum(find_unit(unit.name, faction, edition) is not None for unit in roster.units)

    return max(reversed(datasheets.EDITIONS), key=known)


def army_of(name: str, edition: Edition) -> str:
    """The library's name of an army, "" if it has none."""
    armies = Names(((faction, faction) for faction in datasheets.factions(edition)), ALIASES)
    return armies.get(name, "")


def find_unit(name: str, faction: str, edition: Edition) -> Unit | None:
    """A unit by name: in its own army, else in any (allies, chapters that take the Space Marines' units)."""
    armies = datasheets.factions(edition)
    for army in ([faction] if faction else []) + [other for other in armies if other != faction]:
        found = datasheets.unit_names(edition, army).get(name)
        if found is not None:
            return found
    return None


def _match(entry: RosterUnit, roster: Roster, faction: str, edition: Edition) -> Match:
    found = Match(entry, find_unit(entry.name, faction, edition), points=entry.points or 0)
    if found.unit is None:
        armies = [faction] if faction else datasheets.factions(edition)
        near = [unit.name for army in armies for unit in datasheets.unit_names(edition, army).near(entry.name)]
        found.near = near[:3]
        hint = f"; did you mean {' or '.join(found.near)}?" if found.near else ""
        found.problems.append(f"no unit of this name in the {edition} edition{hint}")
        found.groups = list(_roster_groups(entry))
        found.arms = [_own_profiles(name, number, entry, roster.faction) for name, number in entry.weapons]
        return found
    found.points = found.points or found.unit.points(entry.models)
    found.groups = _groups(found.unit, entry)
    found.problems.extend(_differences(found.unit, entry))
    found.arms = list(_arms(found, entry))
    return found


# -- Models ---------------------------------------------------------------------------------------------------------


def _groups(unit: Unit, entry: RosterUnit) -> list[Group]:
    """The unit's models as the roster counts them; by size where it does not."""
    if not entry.kinds or (len(entry.kinds) == 1 and fold(entry.kinds[0].name) == fold(entry.name)):
        return unit.groups(entry.models)
    counted: dict[Figures, list[tuple[str, int]]] = {}
    for kind in entry.kinds:
        counted.setdefault(_figures_of(kind, unit), []).append((kind.name, kind.count))
    groups = [
        Group(max(kinds, key=lambda kind: kind[1])[0], sum(number for _, number in kinds), figures)
        for figures, kinds in counted.items()
    ]
    return sorted(groups, key=lambda group: -group.number)


def _figures_of(kind: RosterModels, unit: Unit) -> Figures:
    """Whose figures a model of the roster has: the card's model of that name; else the unit's."""
    wanted = singular(fold(kind.name))
    for model in unit.models:
        known = singular(fold(model.name))
        if known == wanted or known.endswith(f" {wanted}") or wanted.endswith(f" {known}"):
            return model.figures
    return unit.figures


def _differences(unit: Unit, entry: RosterUnit) -> Iterator[str]:
    """Where the roster's own figures are not the card's: one of the two may be older."""
    for kind in entry.kinds or ():
        given, card = kind.figures, _figures_of(kind, unit)
        if given is None:
            continue
        known = {"t": card.toughness, "sv": card.save, "w": card.wounds}
        other = {name: given[name] for name, value in known.items() if given.get(name) not in (None, value)}
        if other:
            shown = ", ".join(f"{name.upper()} {value} for {known[name]}" for name, value in other.items())
            yield f"{kind.name} has {shown} in the roster; the library's figures are taken"


def _roster_groups(entry: RosterUnit) -> Iterator[Group]:
    """Groups from the figures the roster itself brings, for a unit the library does not have."""
    for kind in entry.kinds or ():
        figures = kind.figures or entry.figures
        if figures and figures.get("t") and figures.get("w"):
            saves = Figures(
                figures["t"], figures.get("sv") or 7, figures["w"], figures.get("inv") or 0, figures.get("fnp") or 0
            )
            yield Group(kind.name, kind.count, saves)


# -- Weapons --------------------------------------------------------------------------------------------------------


def _arms(found: Match, entry: RosterUnit) -> Iterator[Armed]:
    unit = found.unit
    assert unit is not None
    listed = entry.weapons
    if not listed:
        for base, number in unit.arms(entry.models).items():
            yield Armed(base, number, [library.weapon_profile(unit, mode, number) for mode in unit.modes(base)])
        if unit.weapons:
            found.problems.append("the roster lists no weapons; the usual ones are taken")
        return
    for name, number in listed:
        modes = _modes(name, unit)
        if modes:
            yield Armed(modes[0].base, number, [library.weapon_profile(unit, mode, number) for mode in modes])
            continue
        own = _own_profiles(name, number, entry, unit.faction)
        if own.modes:
            found.problems.append(f"“{name}” is not on its card; the roster's own figures are taken")
            yield own
        else:
            found.problems.append(f"“{name}” is no weapon of its card{_near(name, unit)}")


def _modes(name: str, unit: Unit) -> list[Weapon]:
    """A weapon by the roster's name for it: with or without mode, one of them or several."""
    base = name.replace(" - ", ", ").partition(", ")[0]
    found = unit.modes(name.replace(" - ", ", ")) or unit.modes(base)
    if found:
        return found
    wanted = singular(fold(base))
    return [weapon for weapon in unit.weapons if singular(fold(weapon.base)) == wanted]


def _near(name: str, unit: Unit) -> str:
    close = Names((weapon.base, weapon.base) for weapon in unit.weapons).near(name, 2)
    return f"; did you mean {' or '.join(close)}?" if close else ""


def _own_profiles(name: str, number: int, entry: RosterUnit, faction: str) -> Armed:
    """A weapon as the roster describes it, where the form brings figures."""
    profiles = [profile for item in entry.items if item.name == name for profile in item.profiles]
    made = []
    for profile in {profile.name: profile for profile in profiles}.values():
        reading = weapon_rules.read(tuple(profile.rules))
        figures = profile.figures
        values: dict[str, Any] = {
            "count": min(number, 100),
            "attacks": str(figures["attacks"]),
            "skill": figures["skill"],
            "strength": int(figures["strength"] or 0) if str(figures["strength"]).isdigit() else 4,
            "ap": figures["ap"] or 0,
            "damage": str(figures["damage"]),
            **reading.values,
        }
        if "torrent" in reading.values.get("abilities", ()) or values["skill"] is None:
            del values["skill"]
        if profile.type == "melee":
            values["abilities"] = ["melee", *values.get("abilities", ())]
        made.append(
            Profile("weapon", "", profile.name, faction, entry.name, values, "", reading.to_set, also=reading.also)
        )
    return Armed(name, number, made)


class KnownNames:
    """What this library knows of names, for ``apps.rosters.roster.resolve``."""

    def __init__(self, edition: Edition | None = None) -> None:
        self.edition = edition
        self._cards: dict[tuple[int, str], Unit | None] = {}

    def _unit(self, roster: Roster, name: str) -> Unit | None:
        key = (id(roster), name)
        if key not in self._cards:
            edition = self.edition or edition_of(roster)
            self._cards[key] = find_unit(name, army_of(roster.faction, edition), edition)
        return self._cards[key]

    def is_weapon(self, roster: Roster, unit: str, name: str) -> bool:
        """By the unit's card; a unit that is not known may carry anything."""
        card = self._unit(roster, unit)
        return card is None or bool(_modes(name, card))

    def is_model(self, roster: Roster, unit: str, name: str) -> bool:
        card = self._unit(roster, unit)
        wanted = singular(fold(name))
        return card is not None and any(singular(fold(model.name)) == wanted for model in card.models)

"""A kill team as plain text: names of operatives, one a line, each with its weapons behind a colon or below it.

    Angels of Death
    Intercessor Sergeant: Plasma pistol, Power fist
    2x Intercessor Warrior
      - Bolt rifle

No program exports such lists; people write and copy them. A line is known by the library's names.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from functools import cache

from apps.catalogues.names import Names, clean, fold
from apps.killteam.library import Operative, library
from apps.killteam.matching import ALIASES
from apps.rosters.roster import Item, Line, Roster, Unit, checked, count
from apps.rosters.texts import MOST_LETTERS, MOST_LINES

BULLET = re.compile(r"^[\s•◦▪▫‣●○∙·*–>-]+")
COUNTED = re.compile(r"^(?P<count>\d{1,2})\s*[x×]?\s+(?P<name>\D.*)$", re.I)
ITEMS = re.compile(r"\s*(?::|\(|\[|\bwith\b|\bw/)\s*", re.I)


@cache
def _teams() -> Names[str]:
    return Names(((team, team) for team in library().teams), ALIASES)


@cache
def _operatives(team: str = "") -> Names[Operative]:
    """Operatives of a team, or of all."""
    return Names((one.name, one) for one in library().operatives if team in ("", one.team))


@cache
def _bearers() -> dict[str, tuple[str, ...]]:
    """The teams that have an operative of a name."""
    found: dict[str, dict[str, None]] = {}
    for one in library().operatives:
        found.setdefault(fold(one.name), {})[one.team] = None
    return {name: tuple(teams) for name, teams in found.items()}


def read_names(text: str) -> Roster | None:
    """The roster of a text, or None if no line of it names an operative."""
    lines = [clean(BULLET.sub("", line)) for line in text[:MOST_LETTERS].splitlines()[:MOST_LINES]]
    team = _team(lines)
    if not team:
        return None
    roster = Roster("names", "kt24", faction=team)
    known = _operatives(team)
    for at, line in enumerate(lines, 1):
        if line:
            roster.lines.append(Line(at, line, _taken(line, roster, known)))
    return checked(roster) if roster.units else None


def _team(lines: list[str]) -> str:
    """The team that a line names, else the one most of the operatives belong to."""
    for line in lines:
        if line and (team := _teams().get(re.sub(r"^\W*(?:kill team|faction|team)\W+", "", line, flags=re.I))):
            return team
    votes: Counter[str] = Counter()
    for line in filter(None, lines):
        _, name, _ = _parts(line)
        votes.update(_bearers().get(fold(name), ()))
    return votes.most_common(1)[0][0] if votes else ""


def _parts(line: str) -> tuple[int, str, list[str]]:
    """How many, of what, with what.

    >>> _parts("2x Intercessor Warrior (Bolt rifle, Fists)")
    (2, 'Intercessor Warrior', ['Bolt rifle', 'Fists'])
    """
    found = COUNTED.match(line)
    number, rest = (count(found["count"]), found["name"]) if found else (1, line)
    if fold(rest) in _bearers():  # a bracket may belong to a name
        return number, rest, []
    name, *items = ITEMS.split(rest, maxsplit=1)
    return number, name.strip(), [item for part in items for item in _listed(part)]


def _listed(text: str) -> Iterator[str]:
    """Names between commas; a bracket may belong to a name, as in "Plasma pistol (supercharge)"."""
    for part in re.split(r"\s*[,;]\s*|\s+and\s+", text):
        name = part.strip(" ])") if part.count(")") > part.count("(") else part.strip(" ]")
        if name:
            yield name


def _taken(line: str, roster: Roster, known: Names[Operative]) -> str:
    """Take a line for what it is; the word for that, or "" if it is nothing known."""
    if _teams().get(line) == roster.faction:
        return "team"
    number, name, items = _parts(line)
    if (card := known.get(name)) is not None or (items and known.near(name, 1)):
        title = card.name if card is not None else name
        carried = [Item(item, 1, "weapon", title) for item in items]
        roster.units.append(Unit(title, number, type_name=title, items=carried))
        return "operative"
    if roster.units and _is_carried(line, roster.units[-1], roster.faction):
        names = [line] if _is_weapon(line, roster.units[-1], roster.faction) else list(_listed(line))
        roster.units[-1].items += [Item(weapon, 1, "weapon", roster.units[-1].name) for weapon in names]
        return "weapon"
    if known.near(name, 1):
        roster.units.append(Unit(name, type_name=name))
        return "operative, by a name like it"
    if not roster.units and not roster.name:
        roster.name = line
        return "name"
    return ""


def _is_carried(line: str, unit: Unit, team: str) -> bool:
    return _is_weapon(line, unit, team) or any(_is_weapon(item, unit, team) for item in _listed(line))


def _is_weapon(name: str, unit: Unit, team: str) -> bool:
    return fold(name) in _weapon_names(unit.type_name, team)


@cache
def _weapon_names(operative: str, team: str) -> frozenset[str]:
    """Weapons of a card and of the team's equipment, with and without their modes."""
    card, shelf = _operatives(team).get(operative), library()
    lines = [weapon.line for weapon in shelf.loadouts(card)] if card is not None else []
    names = [line.name for line in (*lines, *(weapon.line for weapon in shelf.equipment_of(team)))]
    return frozenset(fold(form) for name in names for form in (name, name.partition(" (")[0]))

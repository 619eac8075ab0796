"""Every team of the 2024 edition: operatives and weapons as printed on the cards, in ``data/teams``, one file a team.

An operative is a line: name, save, wounds, APL, move, its weapons as rows [name, kind, dice, hit, normal, critical,
rules]. ``data/abilities.json`` adds what changes dice and is not printed on a weapon.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from django.utils.text import slugify

from apps.catalogues import tables
from apps.killteam import notation
from apps.killteam.notation import DEFENCE_DICE, Line
from apps.killteam.weapon_rules import why_left_out

DATA = Path(__file__).parent / "data"
EDITION = "2024"


@dataclass(frozen=True, slots=True, eq=False)
class Operative:
    team: str
    line: Line
    key: str
    apl: int = 0
    move: str = ""

    @property
    def name(self) -> str:
        return self.line.name


@dataclass(frozen=True, slots=True, eq=False)
class Weapon:
    """A weapon in the hands of somebody: the same name has other figures elsewhere."""

    operative: Operative
    kind: str  # ranged or melee
    line: Line
    key: str

    @property
    def name(self) -> str:
        return self.line.name

    @property
    def team(self) -> str:
        return self.operative.team

    @property
    def to_set(self) -> tuple[str, ...]:
        """Rules that change dice and that no field holds, each with the reason."""
        left = notation.read_weapon(self.line, "shoot" if self.kind == "ranged" else "fight").left_out
        return tuple(f"{rule}: {why}" for rule in left if (why := why_left_out(rule)))


@dataclass(frozen=True, slots=True, eq=False)
class Equipment:
    """A weapon that equipment gives to any operative of a team ("" = of every team)."""

    team: str
    kind: str
    line: Line

    def in_hands_of(self, operative: Operative) -> Weapon:
        return Weapon(operative, self.kind, self.line, f"{operative.key}-{slugify(self.line.name)}-{self.kind}")


@dataclass(frozen=True)
class Library:
    operatives: tuple[Operative, ...]
    weapons: tuple[Weapon, ...]
    equipment: tuple[Equipment, ...] = ()

    @property
    def teams(self) -> list[str]:
        return sorted({operative.team for operative in self.operatives})

    def loadouts(self, operative: Operative) -> list[Weapon]:
        return [weapon for weapon in self.weapons if weapon.operative is operative]

    def equipment_of(self, team: str) -> list[Equipment]:
        """Weapons any operative of the team may be given."""
        return [weapon for weapon in self.equipment if weapon.team in ("", team)]


@cache
def library() -> Library:
    """Everything on the shelf. Read once: the files do not change while we run."""
    operatives: list[Operative] = []
    weapons: list[Weapon] = []
    equipment = [_equipment("", row) for row in tables.read(DATA / "equipment.json")["weapons"]]
    abilities = tables.read(DATA / "abilities.json")["abilities"]
    for path in sorted((DATA / "teams").glob("*.json")):
        document = tables.read(path)
        team = sys.intern(document["team"])
        equipment += [_equipment(team, row) for row in document.get("equipment", ())]
        for row in document["operatives"]:
            operative = _operative(team, row, abilities)
            operatives.append(operative)
            weapons += [_weapon(operative, weapon) for weapon in row["weapons"]]
    return Library(tuple(operatives), tuple(weapons), tuple(equipment))


def _operative(team: str, row: Mapping[str, Any], abilities: list[Mapping[str, Any]]) -> Operative:
    rules = tuple(
        f"{ability['name']} ({ability['per hit']}+ per hit)"
        for ability in abilities
        if ability["team"] == team and (ability["operatives"] == "*" or row["name"] in ability["operatives"])
    )
    figures = {"num_dice": DEFENCE_DICE, "dice_stat": row["save"], "wounds": row["wounds"]}
    line = Line(sys.intern(row["name"]), figures, rules)
    return Operative(team, line, slugify(f"{team} {line.name}"), row["apl"], row["move"])


_rules: dict[tuple[str, ...], tuple[str, ...]] = {}
_lines: dict[tuple[Any, ...], Line] = {}


def _line(row: list[Any]) -> Line:
    """A weapon's row; rows alike in everything are one line."""
    name, _, dice, hit, normal, critical, rules = row
    words = tuple(sys.intern(rule) for rule in rules)
    shared = _rules.setdefault(words, words)
    alike = (name, dice, hit, normal, critical, shared)
    if alike not in _lines:
        figures = {"num_dice": dice, "dice_stat": hit, "norm_dmg": normal or 0, "crit_dmg": critical or 0}
        _lines[alike] = Line(sys.intern(name), figures, shared)
    return _lines[alike]


def _weapon(operative: Operative, row: list[Any]) -> Weapon:
    line, kind = _line(row), sys.intern(row[1])
    return Weapon(operative, kind, line, f"{operative.key}-{slugify(line.name)}-{kind}")


def _equipment(team: str, row: list[Any]) -> Equipment:
    return Equipment(team, row[1], _line(row))


def find(query: str = "", team: str = "", kind: str = "") -> tuple[list[Operative], list[Weapon]]:
    """What matches all words of ``query`` in name, team, operative or rules. ``kind``: ranged, melee, operative."""
    words = query.casefold().split()
    shelf = library()
    men, arms = _texts()

    def fits(team_name: str, text: str) -> bool:
        return (not team or team == team_name) and all(word in text for word in words)

    operatives = [
        o for o, text in zip(shelf.operatives, men, strict=True) if kind in ("", "operative") and fits(o.team, text)
    ]
    weapons = [w for w, text in zip(shelf.weapons, arms, strict=True) if kind in ("", w.kind) and fits(w.team, text)]
    return operatives, weapons


@cache
def _texts() -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What a search looks through: of every operative, of every weapon; a line break keeps the parts apart."""
    shelf = library()
    men = tuple(f"{o.team}\n{o.name}".casefold() for o in shelf.operatives)
    arms = tuple("\n".join((w.team, w.name, w.operative.name, *w.line.rules)).casefold() for w in shelf.weapons)
    return men, arms


def cards(query: str = "", team: str = "", kind: str = "") -> list[tuple[Operative, list[Weapon]]]:
    """The same, as loadouts: each operative found, or holding a weapon found, with those weapons."""
    operatives, weapons = find(query, team, kind)
    found: dict[str, tuple[Operative, list[Weapon]]] = {o.key: (o, []) for o in operatives}
    for held in weapons:
        found.setdefault(held.operative.key, (held.operative, []))[1].append(held)
    order = {operative.key: place for place, operative in enumerate(library().operatives)}
    return [found[key] for key in sorted(found, key=order.__getitem__)]

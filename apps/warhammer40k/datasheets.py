"""Units of both editions as their cards print them: models, figures, weapons, points, usual wargear.

``data/<edition>/<faction>.json`` holds one unit a line:

    name        as printed
    points      [[models, points], …]; the first size is the smallest
    figures     M, T, Sv, W, Ld, OC; Inv and FNP where there is one; "Inv when" where it does not always count
    models      [[name, least, most], …]; a fourth word names its row in ``others`` where its figures differ
    others      figures of the models that are not like the rest
    sizes       splits of sizes that do not follow from least and most
    wargear     [[model or *, how many, {weapon: count}], …]; how many: all (null), a number, "1/5" one of every five,
                "1@10" one in a unit of ten
    weapons     [[name, range, attacks, skill, strength, AP, damage, rules], …]; skill 0 hits without a roll
    keywords, core (abilities), leader or support (units it may join), joined like, wargear points, variants, note
    shared      another army, listed before this one, has a unit of that name

A faction is read when somebody asks for it. Weapons that are alike in every figure are one object.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal, NamedTuple, get_args

from django.utils.text import slugify

from apps.catalogues import tables
from apps.catalogues.names import Names, fold

Edition = Literal["tenth", "eleventh"]
EDITIONS: tuple[Edition, ...] = get_args(Edition)
DATA = Path(__file__).parent / "data"


class Figures(NamedTuple):
    """What a model is shot at with. 0 = none for the invulnerable save and Feel No Pain; a save of 7 is none."""

    toughness: int
    save: int
    wounds: int
    invulnerable: int = 0
    feel_no_pain: int = 0


class Weapon(NamedTuple):
    """One mode of a weapon in somebody's hands."""

    name: str
    range: str
    attacks: str
    skill: int
    strength: int | str
    ap: int | None
    damage: str
    rules: tuple[str, ...]

    @property
    def melee(self) -> bool:
        return self.range == "Melee"

    @property
    def base(self) -> str:
        """The weapon without its mode: "Plasma pistol" of "Plasma pistol, supercharge"."""
        return self.name.partition(", ")[0]


class Models(NamedTuple):
    """Models of one name within a unit."""

    name: str
    least: int
    most: int
    figures: Figures


class Wargear(NamedTuple):
    """What some models carry unless told otherwise."""

    model: str
    how_many: int | str | None
    weapons: tuple[tuple[str, int], ...]


class Group(NamedTuple):
    """Models of a unit that share their figures."""

    name: str
    number: int
    figures: Figures


@dataclass(frozen=True, slots=True, eq=False)
class Unit:
    """A card. There is one object for each, so two are the same only if they are one."""

    edition: Edition
    faction: str
    name: str
    figures: Figures
    sizes: tuple[tuple[int, int], ...]
    models: tuple[Models, ...]
    splits: tuple[tuple[tuple[str, int], ...], ...]
    wargear: tuple[Wargear, ...]
    weapons: tuple[Weapon, ...]
    keywords: tuple[str, ...]
    core: tuple[str, ...]
    joins: tuple[str, ...]
    invulnerable_when: str
    note: str
    #: Unique in its edition.
    title: str

    @property
    def size(self) -> int:
        """The smallest printed size."""
        return self.sizes[0][0]

    def points(self, size: int) -> int:
        """Points of a size; of the next printed size where that one is not printed, 0 where no price is known."""
        fitting = [points for models, points in self.sizes if models >= size]
        return fitting[0] if fitting else self.sizes[-1][1]

    def split(self, size: int | None = None) -> list[tuple[Models, int]]:
        """How many of each model a unit of this size has.

        The least of each; then those that make up the numbers; then what may be added once.
        """
        wanted = self.size if size is None else size
        for fixed in self.splits:
            if sum(count for _, count in fixed) == wanted:
                counts = dict(fixed)
                return [(kind, counts[kind.name]) for kind in self.models if counts.get(kind.name)]
        numbers = [kind.least for kind in self.models]
        left = wanted - sum(numbers)
        extra = [at for at, kind in enumerate(self.models) if kind.least == 0]
        sizes = {models for models, _ in self.sizes}
        if left > 0 and extra and wanted - 1 in sizes and wanted != self.size:
            numbers[extra[0]] += 1
            left -= 1
        by_room = sorted(range(len(numbers)), key=lambda at: (at in extra, numbers[at] - self.models[at].most))
        for at in by_room:
            added = min(max(left, 0), self.models[at].most - numbers[at])
            numbers[at] += added
            left -= added
        return [(kind, number) for kind, number in zip(self.models, numbers, strict=True) if number]

    def groups(self, size: int | None = None) -> list[Group]:
        """The unit as a target: models with the same figures together, the most numerous first."""
        found: dict[Figures, list[tuple[str, int]]] = {}
        for kind, number in self.split(size):
            found.setdefault(kind.figures, []).append((kind.name, number))
        groups = [
            Group(max(kinds, key=lambda kind: kind[1])[0], sum(number for _, number in kinds), figures)
            for figures, kinds in found.items()
        ]
        return sorted(groups, key=lambda group: -group.number)

    @property
    def mixed(self) -> bool:
        """Its models differ in toughness, saves or wounds."""
        return len({kind.figures for kind in self.models}) > 1

    def arms(self, size: int | None = None) -> dict[str, int]:
        """How many of each weapon a unit of this size carries by default, by the weapon without its mode."""
        split = self.split(size)
        left = {kind.name: number for kind, number in split}
        everybody = sum(left.values())
        carried: dict[str, int] = {}
        numbered_first = sorted(self.wargear, key=lambda gear: gear.how_many is None)
        for gear in numbered_first:
            number = everybody if gear.model == "*" and gear.how_many is None else _bearers(gear, left, everybody)
            for weapon, each in gear.weapons:
                if number:
                    carried[weapon] = carried.get(weapon, 0) + number * each
        return carried

    def modes(self, base: str) -> list[Weapon]:
        """The profiles of a weapon, by its name without mode, however it is spelt."""
        wanted = fold(base)
        return [weapon for weapon in self.weapons if wanted in (fold(weapon.base), fold(weapon.name))]


def _bearers(gear: Wargear, left: dict[str, int], everybody: int) -> int:
    """How many models a line of wargear is for; takes them off ``left``."""
    if isinstance(gear.how_many, str):
        one, sign, number = gear.how_many.partition("/" if "/" in gear.how_many else "@")
        several = everybody // int(number) if sign == "/" else int(everybody >= int(number))
        wanted = int(one) * several
    else:
        wanted = gear.how_many if gear.how_many is not None else everybody
    if gear.model == "*":
        taken = min(wanted, sum(left.values()))
        for name in sorted(left, key=lambda name: -left[name]):
            some = min(wanted, left[name])
            left[name] -= some
            wanted -= some
        return taken
    taken = min(wanted, left.get(gear.model, 0))
    if gear.model in left:
        left[gear.model] -= taken
    return taken


# -- Reading --------------------------------------------------------------------------------------------------------


@cache
def factions(edition: Edition) -> tuple[str, ...]:
    """The armies of an edition, those met most first."""
    common = list(common_units())
    named = [_named(path) for path in sorted((DATA / edition).glob("*.json"))]
    return tuple(sorted(named, key=lambda name: (common.index(name) if name in common else len(common), name)))


def _named(path: Path) -> str:
    """The army of a file, from its first line."""
    with path.open(encoding="utf-8") as file:
        first = file.readline()
    return str(json.loads(first.rstrip().rstrip(",") + "}")["faction"])


@cache
def common_units() -> Mapping[str, Mapping[str, Mapping[str, int]]]:
    """The units met most, by army, and the weapons of theirs that people ask about, as many as one usually takes."""
    common: dict[str, dict[str, dict[str, int]]] = tables.read(DATA / "common.json")
    return common


@cache
def army(edition: Edition, faction: str) -> tuple[Unit, ...]:
    """Every unit of an army: those met most first, then by name."""
    document = tables.read(path_of(edition, faction))
    common = list(common_units().get(faction, ()))
    units = [_unit(edition, faction, row) for row in document["units"]]
    units.sort(key=lambda unit: (common.index(unit.name) if unit.name in common else len(common), unit.name))
    return tuple(units)


def path_of(edition: Edition, faction: str) -> Path:
    return DATA / edition / f"{slugify(faction)}.json"


def units(edition: Edition) -> Iterator[Unit]:
    """Every unit of an edition."""
    return (unit for faction in factions(edition) for unit in army(edition, faction))


@cache
def unit_names(edition: Edition, faction: str) -> Names[Unit]:
    """The units of an army by name, however spelt."""
    return Names((unit.name, unit) for unit in army(edition, faction))


_weapons: dict[Weapon, Weapon] = {}
_words: dict[tuple[str, ...], tuple[str, ...]] = {}


def _unit(edition: Edition, faction: str, row: Mapping[str, Any]) -> Unit:
    figures = _figures(row["figures"])
    others = {name: _figures(other) for name, other in row.get("others", {}).items()}
    models = tuple(
        Models(sys.intern(name), least, most, others[other[0]] if other else figures)
        for name, least, most, *other in row["models"]
    )
    return Unit(
        edition,
        faction,
        sys.intern(row["name"]),
        figures,
        tuple((size, points) for size, points in row["points"]),
        models,
        tuple(tuple((name, number) for name, number in split) for split in row.get("sizes", ())),
        tuple(Wargear(model, number, tuple(weapons.items())) for model, number, weapons in row.get("wargear", ())),
        tuple(_weapon(weapon) for weapon in row["weapons"]),
        _shared(row.get("keywords", ())),
        _shared(row.get("core", ())),
        _shared(row.get("leader", row.get("support", ()))),
        row["figures"].get("Inv when", ""),
        row.get("note", ""),
        f"{row['name']}, {faction}" if row.get("shared") else sys.intern(row["name"]),
    )


def _figures(row: Mapping[str, Any]) -> Figures:
    return Figures(row["T"], row["Sv"], row["W"], row.get("Inv", 0), row.get("FNP", 0))


def _weapon(row: list[Any]) -> Weapon:
    name, reach, attacks, skill, strength, ap, damage, rules = row
    texts = [sys.intern(text) for text in (name, reach, attacks, damage)]
    weapon = Weapon(texts[0], texts[1], texts[2], skill, strength, ap, texts[3], _shared(rules))
    return _weapons.setdefault(weapon, weapon)


def _shared(words: list[str] | tuple[str, ...]) -> tuple[str, ...]:
    """The same words once in memory."""
    found = tuple(sys.intern(word) for word in words)
    return _words.setdefault(found, found)

"""Every fact of the library that no field of a sheet holds, and why."""

from __future__ import annotations

from collections.abc import Iterator

from apps.catalogues import tables
from apps.catalogues.check import Unmapped
from apps.warhammer40k import datasheets, weapon_rules
from apps.warhammer40k.datasheets import Edition, Unit


def unmapped(edition: Edition) -> Iterator[Unmapped]:
    """All of an edition."""
    for faction in datasheets.factions(edition):
        head = tables.read(datasheets.path_of(edition, faction))
        if "in part" in head.get("state", ""):
            yield Unmapped(faction, "figures", head["state"])
        yield from (
            Unmapped(f"{faction}: {name}", "unit", "new in 2026; no figures known") for name in head.get("missing", ())
        )
    for unit in datasheets.units(edition):
        yield from _of_weapons(unit)
        yield from _of_unit(unit)


def _of_weapons(unit: Unit) -> Iterator[Unmapped]:
    for weapon in unit.weapons:
        where = f"{unit.faction}: {unit.name}: {weapon.name}"
        for rule in weapon_rules.read(weapon.rules).to_set:
            what, _, why = rule.partition(": ")
            yield Unmapped(where, what, why)
        if weapon.ap is None:
            yield Unmapped(where, "AP", "not readable in the sources")


def _of_unit(unit: Unit) -> Iterator[Unmapped]:
    where = f"{unit.faction}: {unit.name}"
    if unit.invulnerable_when:
        save = f"invulnerable {unit.figures.invulnerable or '–'}+"
        yield Unmapped(where, save, f"counts only sometimes: {unit.invulnerable_when}")
    if unit.note:
        yield Unmapped(where, "note", unit.note)
    if not unit.weapons:
        yield Unmapped(where, "weapons", "the card has none")
    elif not unit.wargear:
        yield Unmapped(where, "usual wargear", "not in the table")
    if not unit.sizes[0][1]:
        yield Unmapped(where, "points", "not in the table")
    names = {kind.name for kind in unit.models}
    for gear in unit.wargear:
        if gear.model != "*" and gear.model not in names:
            yield Unmapped(where, f"wargear of “{gear.model}”", "no such model in the composition")
        for weapon_name, _ in gear.weapons:
            if not unit.modes(weapon_name):
                yield Unmapped(where, f"wargear “{weapon_name}”", "no such weapon on the card")
    for size, _ in unit.sizes:
        if sum(number for _, number in unit.split(size)) != size:
            yield Unmapped(where, f"size {size}", "the composition does not add up to it")

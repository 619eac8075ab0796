"""Every fact of the library that no field of a sheet holds, and why."""

from __future__ import annotations

from collections.abc import Iterator

from apps.catalogues import tables
from apps.catalogues.check import Unmapped
from apps.killteam import notation
from apps.killteam.library import DATA, library
from apps.killteam.options import switches
from apps.killteam.weapon_rules import why_left_out

UNKNOWN = "a rule this library does not know"


def unmapped() -> Iterator[Unmapped]:
    """Weapon rules, damage and options."""
    shelf = library()
    for weapon in shelf.weapons:
        where = f"{weapon.team}: {weapon.operative.name}: {weapon.name}"
        left = notation.read_weapon(weapon.line, "shoot" if weapon.kind == "ranged" else "fight").left_out
        for rule in left:
            why = why_left_out(rule)
            if why != "":
                yield Unmapped(where, rule, UNKNOWN if why is None else why)
        if not (weapon.line.figures["norm_dmg"] or weapon.line.figures["crit_dmg"]):
            yield Unmapped(where, "damage", "printed as - or *")
    for operative in shelf.operatives:
        if not shelf.loadouts(operative):
            yield Unmapped(f"{operative.team}: {operative.name}", "weapons", "the card has none")
        for rule in notation.read_target(operative.line).left_out:
            yield Unmapped(f"{operative.team}: {operative.name}", rule, UNKNOWN)
    for switch in switches():
        if switch.caution:
            yield Unmapped(f"{switch.team}: {switch.title}", "option", f"not exact: {switch.caution}")
    mapped = {(switch.team, switch.name.casefold()) for switch in switches()}
    for row in tables.read(DATA / "options.json")["left out"]:
        if (row["team"], row["name"].casefold()) not in mapped:
            yield Unmapped(f"{row['team']}: {row['name']}", row["kind"], row.get("near", "no field says what it does"))

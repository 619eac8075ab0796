"""A table of 40K figures into the library's own files.

Takes the shape of published tables: ``units`` with figures, sizes, composition and loadout, ``weapons`` of those units.
Where a table has no composition or loadout, the other edition's card of that name lends its own. What does not fit is
listed, never guessed.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from difflib import get_close_matches
from typing import Any

from apps.catalogues import tables
from apps.catalogues.names import clean, fold, singular
from apps.warhammer40k import datasheets
from apps.warhammer40k.datasheets import Edition

Row = dict[str, Any]
NUMBER_WORDS = {"one": 1, "two": 2, "three": 3}


def rows(
    table: Mapping[str, Any],
    edition: Edition,
    *,
    groups: Mapping[str, Any] | None = None,
    updates: Mapping[str, Any] | None = None,
) -> dict[tuple[str, str], Row]:
    """Every unit of a table as a row of our files, by (faction, name)."""
    units = [dict(unit) for unit in table["units"]]
    weapons = [dict(weapon) for weapon in table["weapons"]]
    if updates:
        _update(units, weapons, updates)
    by_unit: dict[tuple[str, str], list[Row]] = {}
    for weapon in weapons:
        by_unit.setdefault((weapon["faction"], weapon["unit"]), []).append(weapon)
    lent = _lenders(edition)
    joined = _joins(groups or {})
    kinds = {(row["faction"], row["unit"]): row["kinds"] for row in (groups or {}).get("mixed_units", ())}
    removed = (updates or {}).get("removed_units", {})
    made = {}
    for unit in units:
        key = (clean(unit["faction"]), clean(unit["name"]))
        source = (unit["faction"], unit["name"])
        row = _row(unit, by_unit.get(source, ()), lent.get(key, {}), kinds.get(source, ()))
        row |= joined.get(source, {})
        if unit["name"] in removed.get(unit["faction"], ()):
            row["note"] = "left out of the codex of autumn 2026"
        elif "note" in unit:
            row["note"] = unit["note"]
        made[key] = row
    _mark_shared_names(made)
    return made


def _mark_shared_names(made: Mapping[tuple[str, str], Row]) -> None:
    """Units of one name in several armies: all but the first army's say so, and are shown with their army."""
    common = list(datasheets.common_units())
    seen: set[str] = set()
    for faction, name in sorted(made, key=lambda key: (common.index(key[0]) if key[0] in common else len(common), key)):
        if name.casefold() in seen:
            made[faction, name]["shared"] = True
        seen.add(name.casefold())


def current(edition: Edition) -> dict[tuple[str, str], Row]:
    """What the files hold now."""
    found: dict[tuple[str, str], Row] = {}
    for path in sorted((datasheets.DATA / edition).glob("*.json")):
        document = tables.read(path)
        found |= {(document["faction"], row["name"]): row for row in document["units"]}
    return found


def states(updates: Mapping[str, Any]) -> dict[str, Row]:
    """How far each army's figures are brought up to date, and which of its units have none yet."""
    found: dict[str, Row] = {faction: {"state": "figures of autumn 2026"} for faction in updates["complete_for"]}
    for faction, how_far in updates["partial_for"].items():
        found[faction] = {"state": f"figures of autumn 2026 in part: {how_far}"}
    for faction, names in updates["added_units"].items():
        found.setdefault(faction, {})["missing"] = [clean(name) for name in names]
    return found


def write(edition: Edition, made: Mapping[tuple[str, str], Row], heads: Mapping[str, Row] | None = None) -> None:
    """Write the files of an edition; an army that is gone loses its file, one without a new state keeps its own."""
    folder = datasheets.DATA / edition
    folder.mkdir(parents=True, exist_ok=True)
    armies: dict[str, list[Row]] = {}
    for (faction, _), row in sorted(made.items()):
        armies.setdefault(faction, []).append(row)
    for path in folder.glob("*.json"):
        if path not in {datasheets.path_of(edition, faction) for faction in armies}:
            path.unlink()
    for faction, entries in armies.items():
        path = datasheets.path_of(edition, faction)
        old = tables.read(path) if path.exists() else {}
        head = (heads or {}).get(faction) or {name: old[name] for name in ("state", "missing") if name in old}
        path.write_text(tables.text_of("faction", faction, "units", entries, **head), encoding="utf-8")


def _lenders(edition: Edition) -> dict[tuple[str, str], Row]:
    """The other edition's rows, for compositions and wargear a table lacks."""
    other: Edition = "tenth" if edition == "eleventh" else "eleventh"
    return current(other)


def _update(units: list[Row], weapons: list[Row], updates: Mapping[str, Any]) -> None:
    """Figures published after the table: old and new value of each."""
    cards = {(unit["faction"], unit["name"]): unit for unit in units}
    arms = {(weapon["faction"], weapon["unit"], weapon["name"]): weapon for weapon in weapons}
    for change in updates["units"]:
        _change_unit(cards[change["faction"], change["unit"]], change["changes"])
    for change in updates["weapons"]:
        _change(arms[change["faction"], change["unit"], change["weapon"]], change["changes"])


def _change_unit(unit: Row, changes: Mapping[str, Any]) -> None:
    """A change of a unit whose models differ is said of nobody in particular.

    Wounds and saves are taken only where the main model bears the unit's name. Where it is the rank and file, models
    that had the same toughness keep the same toughness.
    """
    others = unit.get("other_profiles", ())
    named = clean(unit.get("profile_of") or unit["name"]) == clean(unit["name"])
    taken = {
        field: change for field, change in changes.items() if not others or named or field not in ("wounds", "save")
    }
    left = [f"{field} {old} → {new}" for field, (old, new) in changes.items() if field not in taken]
    if left:
        unit["note"] = f"autumn 2026: {', '.join(left)} is published without saying for which model; not taken"
    if "toughness" in taken and not named:
        old, new = taken["toughness"]
        for other in others:
            other["t"] = new if other["t"] == old else other["t"]
    _change(unit, taken)


def _change(row: Row, changes: Mapping[str, Any]) -> None:
    for field, change in changes.items():
        if isinstance(change, Mapping):
            kept = [word for word in row[field] if word not in change.get("remove", ())]
            row[field] = [*kept, *change.get("add", ())]
            continue
        old, new = change
        if row[field] != old:
            raise ValueError(f"{row['name']}: {field} is {row[field]}, the update expects {old}.")
        row[field] = new


def _joins(groups: Mapping[str, Any]) -> dict[tuple[str, str], Row]:
    found: dict[tuple[str, str], Row] = {}
    for row in groups.get("leaders", ()):
        found.setdefault((row["faction"], row["unit"]), {})[row["kind"]] = [clean(name) for name in row["units"]]
    for row in groups.get("attach_like", ()):
        found.setdefault((row["faction"], row["unit"]), {})["joined like"] = clean(row["like"])
    return found


def _row(unit: Row, weapons: Iterable[Row], lent: Row, kinds: Iterable[Row]) -> Row:
    arms = _weapons(weapons)
    sizes = unit.get("sizes") or [[unit["models"], unit["points"]]]
    row: Row = {
        "name": clean(unit["name"]),
        "points": [[size or 1, points or 0] for size, points in sizes],
        "figures": _figures(unit),
    }
    others = _others(unit, kinds)
    composition = [[clean(name), least, most] for name, least, most in unit.get("composition", ())]
    if not composition and lent:
        composition = [[name, least, most] for name, least, most, *_ in lent["models"]]
        row |= {"sizes": lent["sizes"]} if "sizes" in lent else {}
    if not composition:
        composition = [[row["name"], sizes[0][0] or 1, sizes[-1][0] or 1]]
    row["models"] = composition
    if others and "composition" not in unit and "others" in lent:
        _tell_apart_like(row, lent, others)
    else:
        _tell_apart(row, others)
    if "alternatives" in unit:
        row["sizes"] = [_fixed(split, composition) for split in unit["alternatives"]]
    bases = {fold(name.partition(", ")[0]): name.partition(", ")[0] for name, *_ in arms}
    if "loadout" in unit:
        row["wargear"] = [
            line for entry in unit["loadout"] for line in _wargear(entry, composition, row["name"], bases)
        ]
    elif "wargear" in lent:
        row["wargear"] = [
            [who, number, {name: n for name, n in carried.items() if fold(name) in bases}]
            for who, number, carried in lent["wargear"]
        ]
    row["weapons"] = arms
    row["keywords"] = [clean(word) for word in unit["keywords"]]
    optional = {
        "core": [word for word in unit.get("core") or lent.get("core") or () if not word.startswith("Feel No Pain")],
        "wargear points": {clean(name): points for name, points in unit.get("wargear_points", {}).items()},
        "variants": unit.get("points_variants"),
        "damaged at": unit.get("damaged_at"),
    }
    return row | {name: value for name, value in optional.items() if value}


def _figures(unit: Row) -> Row:
    row: Row = {
        "M": unit.get("move"),
        "T": unit["toughness"],
        "Sv": unit["save"],
        "W": unit["wounds"],
        "Ld": unit.get("leadership"),
        "OC": unit["oc"],
        "Inv": unit["invulnerable"],
        "FNP": unit["feel_no_pain"],
        "Inv when": unit.get("invulnerable_note"),
    }
    return {name: value for name, value in row.items() if value is not None}


def _others(unit: Row, kinds: Iterable[Row]) -> dict[str, Row]:
    """Figures of models unlike the main one, by name."""
    invulnerable = {fold(kind["name"]): kind["inv"] for kind in kinds}
    found = {}
    for other in unit.get("other_profiles", ()):
        shield = other.get("inv", invulnerable.get(fold(other["name"]), unit["invulnerable"]))
        figures = {"T": other["t"], "Sv": other["sv"], "W": other["w"], "OC": other["oc"]}
        figures |= {"Inv": shield} if shield else {}
        figures |= {"FNP": unit["feel_no_pain"]} if unit["feel_no_pain"] else {}
        found[clean(other["name"])] = figures
    return found


def _tell_apart(row: Row, others: dict[str, Row]) -> None:
    """Say at each model whose figures it has; without a word it has the unit's."""
    for kind in row["models"]:
        name = _alike(kind[0], others)
        if name is not None:
            kind.append(name)
    used = {kind[3] for kind in row["models"] if len(kind) > 3}
    if used:
        row["others"] = {name: figures for name, figures in others.items() if name in used}


def _tell_apart_like(row: Row, lent: Row, others: dict[str, Row]) -> None:
    """The same, as the other edition tells its models apart.

    Tables differ in which model is the main one: where this table's others are that one's main model, its main figures
    are those of that one's others.
    """
    row["models"] = [list(kind) for kind in lent["models"]]
    matched = {name: _alike(name, others) for name in lent["others"]}
    if any(matched.values()):
        row["others"] = {name: others[own] for name, own in matched.items() if own}
        row["models"] = [kind[:3] if kind[3:] and not matched[kind[3]] else kind for kind in row["models"]]
        _lend_invulnerables(row, lent)
        return
    main = {name: value for name, value in row["figures"].items() if name in ("T", "Sv", "W", "OC", "Inv", "FNP")}
    row["figures"] |= next(iter(others.values()))
    row["others"] = dict.fromkeys(lent["others"], main)


def _lend_invulnerables(row: Row, lent: Row) -> None:
    """Models' own invulnerable saves, which only the other edition's table tells, where the unit's own is the same."""
    if row["figures"].get("Inv") != lent["figures"].get("Inv"):
        return
    for name, figures in row["others"].items():
        figures.pop("Inv", None)
        if "Inv" in lent["others"][name]:
            figures["Inv"] = lent["others"][name]["Inv"]


def _alike(name: str, known: Collection[str]) -> str | None:
    """The known name this one means: equal for one of them, or the end of it ("Primaris Neophytes", "Neophyte")."""
    wanted = singular(fold(name))
    for other in known:
        if singular(fold(other)) == wanted:
            return other
    for other in known:
        folded = singular(fold(other))
        if wanted.endswith(f" {folded}") or folded.endswith(f" {wanted}"):
            return other
    misspelt = {singular(fold(other)): other for other in known}
    return next((misspelt[found] for found in get_close_matches(wanted, misspelt, 1, 0.94)), None)


def _fixed(split: list[list[Any]], composition: list[list[Any]]) -> list[list[Any]]:
    names = [name for name, *_ in composition]
    return [[_alike(clean(name), names) or clean(name), least] for name, least, _ in split]


def _weapons(weapons: Iterable[Row]) -> list[list[Any]]:
    made: list[list[Any]] = []
    listed = list(weapons)
    for weapon in listed:
        name = _mode(weapon["name"])
        twins = [other for other in listed if other["name"] == weapon["name"]]
        if len(twins) > 1:
            name = f"{name}, {weapon['type']}"
        reach = "Melee" if weapon["type"] == "melee" else weapon["range"]
        skill = 0 if weapon["skill"] is None else weapon["skill"]
        figures = [str(weapon["attacks"]), skill, weapon["strength"], weapon["ap"], str(weapon["damage"])]
        made.append([name, reach, *figures, [clean(rule) for rule in weapon["abilities"]]])
    return made


def _mode(name: str) -> str:
    """ "Plasma pistol - Supercharge" as "Plasma pistol, supercharge"."""
    base, dash, mode = clean(name).partition(" - ")
    return f"{base}, {mode[:1].lower()}{mode[1:]}" if dash else base


def _wargear(entry: list[Any], composition: list[list[Any]], unit: str, bases: Mapping[str, str]) -> list[list[Any]]:
    """A line of the loadout as [model, how many, {weapon: count}]; two lines for "A and every B"."""
    who, weapons = entry[0], entry[1]
    carried: dict[str, int] = {}
    for number, name in weapons:
        known = bases.get(fold(clean(name).partition(" - ")[0])) or _singly(name, bases)
        carried[known] = carried.get(known, 0) + number
    return [[model, number, carried] for model, number in _bearers(clean(who), composition, unit)]


def _singly(name: str, bases: Mapping[str, str]) -> str:
    wanted = singular(fold(clean(name).partition(" - ")[0]))
    return next((base for base in bases.values() if singular(fold(base)) == wanted), clean(name))


def _bearers(who: str, composition: list[list[Any]], unit: str) -> list[tuple[str, int | str | None]]:
    """Who a line of the loadout is for: (model or *, how many)."""
    names = [name for name, *_ in composition]
    if who == "*" or fold(who) in ("every model", "every other model") or singular(fold(who)) == singular(fold(unit)):
        whole_unit = len(names) == 1 or who == "*"
        return (
            [("*", None if whole_unit else 999)] if _alike(who, names) is None else [(_alike(who, names) or "*", None)]
        )
    number: int | str | None = None
    text = re.sub(r"\s+models?$", "", who, flags=re.I)
    if found := re.match(r"for every (\d+) models in the unit, (\w+) (.+)", text, re.I):
        number, text = f"{NUMBER_WORDS.get(found[2].casefold(), 1)}/{found[1]}", found[3]
    elif found := re.match(r"if the unit contains (\d+) models, (\w+) (.+)", text, re.I):
        number, text = f"{NUMBER_WORDS.get(found[2].casefold(), 1)}@{found[1]}", found[3]
    elif found := re.match(r"(\d+|one|two|three) (?:other )?(.+)", text, re.I):
        number, text = NUMBER_WORDS.get(found[1].casefold()) or int(found[1]), found[2]
    text = re.sub(r"^every (?:other )?", "", text, flags=re.I)
    parts = re.split(r" and (?:every )?", text)
    several = [_alike(part, names) for part in ([text] if _same(text, names) else parts)]
    if all(several):
        return [(part, number) for part in several if part]
    return [(_alike(text, names) or text, number)]


def _same(name: str, known: Iterable[str]) -> bool:
    return singular(fold(name)) in {singular(fold(other)) for other in known}

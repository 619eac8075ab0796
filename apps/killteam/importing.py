"""A table of Kill Team figures into the library's own files."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from django.utils.text import slugify

from apps.catalogues import tables
from apps.catalogues.names import clean
from apps.killteam import library

Row = dict[str, Any]
STATS = ("apl", "move", "save", "wounds")


def rows(parts: Iterable[Mapping[str, Any]]) -> dict[tuple[str, str], Row]:
    """Every operative of the tables as a row of our files, by (team, name); equipment under the name “Equipment”.

    Cards of one name and the same figures are one operative with the weapons of both.
    """
    made: dict[tuple[str, str], Row] = {}
    for table in parts:
        for team in table["teams"]:
            for operative in team["operatives"]:
                _add(made, clean(team["team"]), operative)
            if team.get("equipment_weapons"):
                arms = [_weapon(weapon) for weapon in team["equipment_weapons"]]
                made[clean(team["team"]), EQUIPMENT] = {"name": EQUIPMENT, "weapons": arms}
        if table.get("universal_equipment_weapons"):
            arms = [_weapon(weapon) for weapon in table["universal_equipment_weapons"]]
            made["", EQUIPMENT] = {"name": EQUIPMENT, "weapons": arms}
    return made


EQUIPMENT = "Equipment"


def _add(made: dict[tuple[str, str], Row], team: str, operative: Mapping[str, Any]) -> None:
    name = clean(operative["name"])
    row: Row = {"name": name, **{stat: operative[stat] for stat in STATS}}
    row["weapons"] = [_weapon(weapon) for weapon in operative["weapons"]]
    twin = made.get((team, name))
    if twin is None:
        made[team, name] = row
    elif all(twin[stat] == row[stat] for stat in STATS):
        twin["weapons"] += [weapon for weapon in row["weapons"] if weapon not in twin["weapons"]]
    else:
        row["name"] = f"{name} ({row['wounds']}W)"
        made[team, row["name"]] = row


def _weapon(weapon: Mapping[str, Any]) -> list[Any]:
    figures = [weapon[field] for field in ("atk", "hit", "dmg_norm", "dmg_crit")]
    return [clean(weapon["name"]), weapon["type"], *figures, [clean(rule) for rule in weapon["rules"]]]


def current() -> dict[tuple[str, str], Row]:
    """What the files hold now."""
    found: dict[tuple[str, str], Row] = {}
    universal = library.DATA / "equipment.json"
    if universal.exists():
        found["", EQUIPMENT] = {"name": EQUIPMENT, "weapons": tables.read(universal)["weapons"]}
    for path in sorted((library.DATA / "teams").glob("*.json")):
        document = tables.read(path)
        found |= {(document["team"], row["name"]): row for row in document["operatives"]}
        if "equipment" in document:
            found[document["team"], EQUIPMENT] = {"name": EQUIPMENT, "weapons": document["equipment"]}
    return found


def write(made: Mapping[tuple[str, str], Row]) -> None:
    """Write one file a team; a team that is gone loses its file."""
    folder = library.DATA / "teams"
    folder.mkdir(parents=True, exist_ok=True)
    teams: dict[str, list[Row]] = {}
    for (team, name), row in made.items():
        if team and name != EQUIPMENT:
            teams.setdefault(team, []).append(row)
    for path in folder.glob("*.json"):
        if path.stem not in {slugify(team) for team in teams}:
            path.unlink()
    for team, entries in sorted(teams.items()):
        arms = made.get((team, EQUIPMENT))
        head = {"equipment": arms["weapons"]} if arms else {}
        text = tables.text_of("team", team, "operatives", entries, **head)
        (folder / f"{slugify(team)}.json").write_text(text, encoding="utf-8")
    if ("", EQUIPMENT) in made:
        text = tables.text_of("team", "", "weapons", made["", EQUIPMENT]["weapons"])
        (library.DATA / "equipment.json").write_text(text, encoding="utf-8")


# -- Options --------------------------------------------------------------------------------------------------------

OPTION_FIELDS = ("team", "name", "variant", "kind", "side", "phase", "effect", "when", "limit", "weapons", "caution")


def option_rows(table: Mapping[str, Any]) -> list[Row]:
    """Options that change dice; a grenade is a weapon of the equipment and no option."""
    return [
        {field: option[field] for field in OPTION_FIELDS if option.get(field)}
        for option in table["options"]
        if option["effect"]
    ]


def left_out_rows(table: Mapping[str, Any]) -> list[Row]:
    """Options that touch dice and have no field."""
    return [
        {field: row[field] for field in ("team", "name", "kind", "near") if field in row} for row in table["unmappable"]
    ]


def current_options() -> dict[tuple[str, str], Row]:
    path = library.DATA / "options.json"
    return _by_name(tables.read(path)["options"]) if path.exists() else {}


def option_differences(table: Mapping[str, Any]) -> list[tables.Difference]:
    return list(tables.differences(current_options(), _by_name(option_rows(table))))


def _by_name(options: Iterable[Row]) -> dict[tuple[str, str], Row]:
    found: dict[tuple[str, str], Row] = {}
    for option in options:
        name = " ".join(option[field] for field in ("name", "variant") if option.get(field))
        key = (option["team"], name)
        found[(option["team"], f"{name} ({option['side']})") if key in found else key] = option
    return found


def write_options(table: Mapping[str, Any]) -> None:
    left_out = left_out_rows(table)
    text = tables.text_of("edition", library.EDITION, "options", option_rows(table), **{"left out": left_out})
    (library.DATA / "options.json").write_text(text, encoding="utf-8")

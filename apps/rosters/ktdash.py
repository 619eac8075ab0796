"""A roster of ktdash: operatives with all weapons of their card, of which ``wepIds`` picks the ones carried."""

from __future__ import annotations

import re
from typing import Any

from apps.catalogues.names import clean
from apps.rosters.factions import TEAMS
from apps.rosters.roster import Item, Line, Models, Profile, Roster, Unit, checked, short, whole
from apps.rosters.trees import rules as by_commas

#: Short codes of weapon rules and the rules' names; a number may follow with or without a space.
CODES: tuple[tuple[str, str], ...] = (
    (r"prc ?crits? ?(\d+)", "Piercing Crits {}"),
    (r"(?:prc|pierc\w*) ?(\d+)", "Piercing {}"),
    (r"(?:rng|range) ?(\d+)\W*", 'Range {}"'),
    (r"(?:tor|torr|torrent) ?(\d+)\W*", 'Torrent {}"'),
    (r"(?:blst|blast) ?(\d+)\W*", 'Blast {}"'),
    (r"(?:dev|devast\w*) ?(\d+)", "Devastating {}"),
    (r"(?:lim|limited) ?(\d+)", "Limited {}"),
    (r"(?:acc|accurate) ?(\d+)", "Accurate {}"),
    (r"(?:leth|lethal) ?(\d)\+?", "Lethal {}+"),
    (r"(?:hvy|heavy) ?\( ?rep\w* ?only ?\)", "Heavy (Reposition only)"),
    (r"(?:hvy|heavy) ?\( ?dash ?only ?\)", "Heavy (Dash only)"),
    (r"hvy", "Heavy"),
    (r"bal", "Balanced"),
    (r"cease?", "Ceaseless"),
    (r"rel", "Relentless"),
    (r"rend", "Rending"),
    (r"sat", "Saturate"),
    (r"sev", "Severe"),
    (r"pun", "Punishing"),
    (r"sil", "Silent"),
    (r"brut", "Brutal"),
    (r"seek ?(?:lt|light)", "Seek Light"),
    (r"psy", "Psychic"),
)


def rule(code: str) -> str:
    """A weapon rule by its code.

    >>> rule("PrcCrit1"), rule("Rng 8"), rule("Lethal 5+"), rule("*Poison")
    ('Piercing Crits 1', 'Range 8"', 'Lethal 5+', 'Poison')
    """
    text = clean(code).lstrip("*").strip()
    for pattern, name in CODES:
        found = re.fullmatch(pattern, text, re.I)
        if found:
            return name.format(*found.groups())
    return text


def is_ktdash(document: dict[str, Any]) -> bool:
    return isinstance(document.get("ops"), list) and "killteamId" in document


def read_ktdash(document: dict[str, Any]) -> Roster:
    """A roster as ktdash's own address answers it."""
    roster = Roster("ktdash-roster", "kt24", short(document.get("rosterName")))
    team = document.get("killteam")
    named = short(team.get("killteamName")) if isinstance(team, dict) else ""
    team_id = short(document.get("killteamId")).upper()
    roster.faction = TEAMS.get(team_id) or named or team_id
    roster.equipment = _ids(document.get("eqIds"))
    for op in document["ops"]:
        if isinstance(op, dict):
            roster.units.append(_operative(op, roster))
        else:
            roster.lines.append(Line(len(roster.lines) + 1, clean(str(op)[:60])))
    return checked(roster)


def _operative(op: dict[str, Any], roster: Roster) -> Unit:
    card = op.get("opType")
    card = card if isinstance(card, dict) else {}
    type_name = short(op.get("opTypeName")) or short(card.get("opTypeName"))
    unit = Unit(short(op.get("opName")) or type_name or short(op.get("opTypeId")), type_name=type_name)
    unit.type_id = short(op.get("opTypeId"))

    def stat(name: str) -> Any:
        value = op.get(name)
        return value if value not in (None, "") else card.get(name)

    unit.figures = {
        "apl": whole(stat("APL")),
        "move": short(stat("MOVE")),
        "save": _number(stat("SAVE")),
        "wounds": whole(stat("WOUNDS")),
    }
    unit.kinds = [Models(unit.name, 1, unit.figures)]
    if op.get("currWOUNDS") is not None:
        unit.wounds_left = whole(op["currWOUNDS"])
    roster.lines.append(Line(len(roster.lines) + 1, unit.name, "operative"))
    chosen = _ids(op.get("wepIds"))
    weapons = op.get("weapons") or card.get("weapons")
    for weapon in weapons if isinstance(weapons, list) else ():
        if isinstance(weapon, dict):
            _carry(weapon, chosen, unit, roster)
    for ability in op["abilities"] if isinstance(op.get("abilities"), list) else ():
        if isinstance(ability, dict):
            unit.abilities.append(short(ability.get("abilityName")) or short(ability.get("title")))
    return unit


def _carry(weapon: dict[str, Any], chosen: list[str], unit: Unit, roster: Roster) -> None:
    name = short(weapon.get("wepName"))
    taken = short(weapon.get("wepId")) in chosen or (not chosen and weapon.get("isDefault") is True)
    roster.lines.append(Line(len(roster.lines) + 1, f"· {name}", "weapon" if taken else "weapon not carried"))
    if not taken:
        return
    kind = "melee" if short(weapon.get("wepType")).upper() == "M" else "ranged"
    listed = weapon.get("profiles")
    profiles = [profile for profile in listed if isinstance(profile, dict)] if isinstance(listed, list) else []
    for profile in profiles:
        mode = short(profile.get("profileName"))
        title = f"{name} ({mode})" if mode and len(profiles) > 1 else name
        normal, _, critical = short(profile.get("DMG")).partition("/")
        figures: dict[str, int | str | None] = {
            "atk": _number(profile.get("ATK")),
            "hit": _number(profile.get("HIT")),
            "dmg_norm": _number(normal),
            "dmg_crit": _number(critical),
        }
        read = Profile(title, "melee" if kind == "melee" else "ranged", figures, _rules(profile.get("WR")))
        unit.items.append(Item(title, 1, "weapon", unit.name, [read]))


def _rules(value: object) -> list[str]:
    """Rules as text of codes, or as the list of objects of the fork."""
    if isinstance(value, list):
        codes = [
            f"{short(entry.get('id'))} {entry.get('number') or ''}" if isinstance(entry, dict) else short(entry)
            for entry in value
        ]
        return [rule(code.replace("_", " ")) for code in codes if clean(code)]
    return [rule(code) for code in by_commas(short(value))]


def _ids(value: object) -> list[str]:
    return [clean(part) for part in value.split(",") if clean(part)] if isinstance(value, str) else []


def _number(value: object) -> int | None:
    found = re.match(r"\s*(\d{1,3})", str(value))
    return int(found[1]) if found else None

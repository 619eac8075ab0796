"""Rosters as documents: the operatives of a team with the weapons they carry, read from a list or taken from cards.

name, team
operatives   name, card (the library's key or ""), apl, dice, save, wounds, rules,
             weapons [{name, kind, figures, rules, carried}], notes
lines        [number, text, meaning] of the list it was read from; "" = not read
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from apps.killteam import matching
from apps.killteam.library import Operative, library
from apps.killteam.models import Roster
from apps.killteam.name_list import read_names
from apps.killteam.notation import DEFENCE_DICE, Line, read_weapon
from apps.killteam.weapon_rules import why_left_out
from apps.rosters import keeping
from apps.rosters.keeping import Document
from apps.rosters.reading import read
from apps.rosters.roster import Roster as Listed
from apps.rosters.roster import RosterError, Unit, expect

MOST_OPERATIVES = 24
MOST_LINES = 600
MOST_WOUNDS = 99
MOST_NAME = 60


def keep(document: Document) -> Roster:
    """The roster of this content; the same one however often it is kept."""
    return keeping.keep(Roster, document)


def find(key: str) -> Roster | None:
    return keeping.find(Roster, key)


# -- Making ---------------------------------------------------------------------------------------------------------


def read_list(source: bytes | str) -> Document:
    """A roster from a pasted list or a file; ``RosterError`` with one sentence where it is none of this game."""
    return from_list(_listed(source))


def _listed(source: bytes | str) -> Listed:
    """By a program's form, else by the names of operatives in a text."""
    text = source if isinstance(source, str) else source.decode("utf-8", errors="ignore")
    is_text = bool(text.strip()) and text.lstrip("\ufeff \t\r\n")[:1] not in ("{", "[", "<") and text[:2] != "PK"
    if is_text and (named := read_names(text)) is not None:
        return named
    return expect(read(source), "killteam")


def from_list(listed: Listed) -> Document:
    """A list matched with the library."""
    matched = matching.match(listed)
    rows = [row for match in matched.matches for row in [_matched(match)] * max(1, match.entry.models)]
    if len(rows) > MOST_OPERATIVES:
        raise RosterError(f"A roster may have {MOST_OPERATIVES} operatives; this one has {len(rows)}: send a part.")
    return {
        "name": listed.name or matched.name or listed.faction or "Roster",
        "team": matched.name,
        "operatives": numbered(rows),
        "lines": [[line.number, line.text, line.meaning] for line in listed.lines[:MOST_LINES]],
    }


def from_team(team: str) -> Document:
    """Every operative of a team once, with everything its card offers."""
    cards = [from_card(one) for one in library().operatives if one.team == team]
    return {"name": team, "team": team, "operatives": numbered(cards[:MOST_OPERATIVES]), "lines": []}


def from_card(operative: Operative, carried: Sequence[str] | None = None) -> dict[str, Any]:
    """An operative of the library; with ``carried``, only the weapons of these keys are in its hands."""
    shelf = library()
    held = shelf.loadouts(operative)
    given = [weapon.in_hands_of(operative) for weapon in shelf.equipment_of(operative.team)]
    weapons = [_weapon(one.line, one.kind, carried is None or one.key in carried) for one in held]
    weapons += [_weapon(one.line, one.kind, carried is not None and one.key in carried) for one in given]
    figures = operative.line.figures
    return {
        "name": operative.name,
        "card": operative.key,
        "apl": operative.apl,
        "dice": figures["num_dice"],
        "save": figures["dice_stat"],
        "wounds": figures["wounds"],
        "rules": list(operative.line.rules),
        "weapons": weapons,
        "notes": [],
    }


def _weapon(line: Line, kind: str, carried: bool) -> dict[str, Any]:
    return {
        "name": line.name,
        "kind": kind,
        "figures": dict(line.figures),
        "rules": list(line.rules),
        "carried": carried,
    }


def _matched(match: matching.Match) -> dict[str, Any]:
    entry = match.entry
    alike = [one for one in library().operatives if one.name in match.near[:1] and not entry.figures]
    if match.operative is None and alike:
        row = from_card(alike[0])
        return row | {"notes": [f"“{entry.name}” is taken for {row['name']}; choose another card if it is not"]}
    if match.operative is None:
        row = _from_own_figures(entry)
    else:
        row = from_card(match.operative, [weapon.key for weapon in match.weapons])
        own_name = entry.name not in (match.operative.name, entry.type_name)
        row |= {"name": entry.name[:MOST_NAME]} if own_name and entry.type_id else {}
    if entry.wounds_left is not None and 0 < entry.wounds_left < row["wounds"]:
        row["notes"] = [f"{entry.wounds_left} of {row['wounds']} wounds left, as the list says"]
        row["wounds"] = entry.wounds_left
    return row | {"notes": [*row["notes"], *match.problems]}


def _from_own_figures(entry: Unit) -> dict[str, Any]:
    """An operative the library does not know, with what the list itself says of it."""
    figures = entry.figures or {}
    fields = {"num_dice": "atk", "dice_stat": "hit", "norm_dmg": "dmg_norm", "crit_dmg": "dmg_crit"}
    profiles = [profile for item in entry.items for profile in item.profiles]
    return {
        "name": entry.name[:MOST_NAME],
        "card": "",
        "apl": figures.get("apl") or 2,
        "dice": DEFENCE_DICE,
        "save": min(6, max(2, figures.get("save") or 4)),
        "wounds": min(MOST_WOUNDS, max(1, figures.get("wounds") or 8)),
        "rules": [],
        "weapons": [
            {
                "name": profile.name,
                "kind": profile.type,
                "figures": {ours: int(profile.figures.get(theirs) or 0) for ours, theirs in fields.items()},
                "rules": list(profile.rules),
                "carried": True,
            }
            for profile in profiles
            if profile.figures.get("atk") and profile.figures.get("hit")
        ],
        "notes": [],
    }


def numbered(rows: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Operatives of one name told apart by a number.

    >>> [row["name"] for row in numbered([{"name": "Boy"}, {"name": "Nob"}, {"name": "Boy"}])]
    ['Boy', 'Nob', 'Boy 2']
    """
    seen: Counter[str] = Counter()
    made = []
    for row in rows:
        seen[row["name"]] += 1
        times = seen[row["name"]]
        made.append({**row, "name": f"{row['name']} {times}"} if times > 1 else dict(row))
    return made


# -- Looking --------------------------------------------------------------------------------------------------------


def unread(document: Document) -> list[list[Any]]:
    """Lines of the list that nothing was made of."""
    return [line for line in document["lines"] if not line[2]]


def armed(operative: Mapping[str, Any], kind: str) -> list[dict[str, Any]]:
    """The weapons an operative carries for shooting (ranged) or fighting (melee)."""
    return [weapon for weapon in operative["weapons"] if weapon["carried"] and weapon["kind"] == kind]


def line_of(weapon: Mapping[str, Any]) -> Line:
    return Line(weapon["name"], dict(weapon["figures"]), tuple(weapon["rules"]))


def to_set(operative: Mapping[str, Any]) -> list[str]:
    """Rules of carried weapons that change dice and that no field holds, each with the reason."""
    return [
        f"{weapon['name']}: {rule}, {why}"
        for weapon in operative["weapons"]
        if weapon["carried"]
        for rule in weapon["rules"]
        if rule != "Hot" and not _is_counted(rule, weapon["kind"]) and (why := why_left_out(rule))
    ]


def _is_counted(rule: str, kind: str) -> bool:
    blank = Line("", {}, (rule,))
    return not read_weapon(blank, "shoot" if kind == "ranged" else "fight").left_out


def cards_of(team: str) -> list[Operative]:
    return [one for one in library().operatives if one.team == team]


# -- Mending --------------------------------------------------------------------------------------------------------


def mended(document: Document, changes: Mapping[str, str]) -> Document:
    """The roster after a form: cards, wounds, weapons carried, who is left out, who is added, its name.

    Fields: ``o3-card`` another card's key, ``o3-wounds``, ``o3-w2`` present if the weapon is carried, ``o3-drop``;
    ``add`` an operative by its card's key; ``name``.
    """
    cards = {one.key: one for one in library().operatives}
    rows = [
        _mended(row, f"o{at}-", changes, cards)
        for at, row in enumerate(document["operatives"], 1)
        if f"o{at}-drop" not in changes
    ]
    if (card := cards.get(changes.get("add", ""))) is not None and len(rows) < MOST_OPERATIVES:
        rows.append(from_card(card))
    name = changes.get("name", "").strip()[:MOST_NAME] or document["name"]
    return {**document, "name": name, "operatives": numbered(rows)}


def _mended(
    row: dict[str, Any], prefix: str, changes: Mapping[str, str], cards: Mapping[str, Operative]
) -> dict[str, Any]:
    wanted = cards.get(changes.get(f"{prefix}card", ""))
    if wanted is not None and wanted.key != row["card"]:
        return from_card(wanted)
    text = changes.get(f"{prefix}wounds", "")
    wounds = int(text) if text.isascii() and text.isdecimal() and len(text) < 4 else row["wounds"]
    weapons = [{**weapon, "carried": f"{prefix}w{at}" in changes} for at, weapon in enumerate(row["weapons"], 1)]
    return {**row, "wounds": min(MOST_WOUNDS, max(1, wounds)), "weapons": weapons}

"""Sheets in and out: the editor's form values, and JSON as the engine speaks it."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping
from typing import Any

from django.core.exceptions import ValidationError
from django.http import QueryDict

from apps.battletech.services.address import HEAT, HOTTEST, MOST_TURNS, Address
from apps.battletech.services.sheet import Opened
from apps.core import services as engine_door
from engine.battletech.mech import Bin, Equipment, Mech, Rules
from engine.battletech.tables import (
    AMMO,
    EXPLOSIVE_EQUIPMENT,
    LOCATION_NAMES,
    LOCATIONS,
    STRUCTURE_BY_TONNAGE,
    Location,
    structure_of,
)
from engine.wire import EngineError

MOST_JSON = 60_000
JSON_EXAMPLE = '{"tonnage": 50, "bins": [{"binId": "a", "location": "LT", "rounds": 5, "damagePerRound": 20}]}'
OTHER = "other"
#: What the form offers.
TONNAGES = [(str(tons), f"{tons} t") for tons in STRUCTURE_BY_TONNAGE]
PLACES: list[tuple[str, str]] = [(code, f"{code} · {LOCATION_NAMES[code]}") for code in LOCATIONS]
AMMO_CHOICES = [(key, f"{ammo.name} ({ammo.rounds} × {ammo.damage})") for key, ammo in AMMO.items()] + [
    (OTHER, "Other")
]
WEAPON_CHOICES = [(key, f"{kind.name} ({kind.damage})") for key, kind in EXPLOSIVE_EQUIPMENT.items()] + [
    (OTHER, "Other")
]
ALL_PLACES: tuple[Location, ...] = LOCATIONS
WITH_REAR: tuple[Location, ...] = ("CT", "LT", "RT")


def mech_from(values: Mapping[str, Any]) -> Mech:
    """The sheet a valid form describes. Empty figures are filled in by the tables: structure, rounds, damage."""
    tonnage = int(values["tonnage"])
    table = dict(zip(LOCATIONS, structure_of(tonnage), strict=True))
    full = {code: values[f"full_{code}"] for code in LOCATIONS}
    try:
        mech = Mech(
            name=values["mech_name"] or None,
            tonnage=tonnage,
            tech_base=values["tech_base"],
            omni=values["omni"],
            side_torso_engine_slots=values["engine_slots"],
            pilot_hits=values["pilot_hits"],
            armor={code: _given(values[f"armor_{code}"], full[code]) for code in LOCATIONS},
            max_armor=full,
            rear_armor={code: values[f"rear_{code}"] for code in WITH_REAR},
            structure={code: _given(values[f"structure_{code}"], table[code]) for code in LOCATIONS},
            case={code: values[f"case_{code}"] for code in LOCATIONS if values[f"case_{code}"] != "rule"},
            bins=tuple(_bins(values["bins"])),
            explosive_equipment=tuple(_weapons(values["weapons"])),
        )
    except ValueError as error:
        raise ValidationError(_first(error)) from error
    return mech


def countable(mech: Mech) -> Mech:
    """The same sheet; refused if its odds could not be counted while a reader waits."""
    reply = engine_door.answer("battletech.odds", {"mech": mech.model_dump(mode="json", by_alias=True), "heat": 23})
    if not reply["ok"]:
        raise ValidationError({"b": reply["error"]["message"]})
    return mech


def values_from(mech: Mech) -> dict[str, Any]:
    """The form's values for a sheet, spelled as an address; the inverse of ``mech_from`` for what a form can say."""
    tonnage = mech.tonnage if mech.tonnage and mech.tonnage in STRUCTURE_BY_TONNAGE else 100
    table = dict(zip(LOCATIONS, structure_of(tonnage), strict=True))
    values: dict[str, Any] = {
        "mech_name": mech.name or "",
        "tonnage": str(tonnage),
        "tech_base": mech.tech_base,
        "engine_slots": mech.side_torso_engine_slots,
        "pilot_hits": mech.pilot_hits,
        "b": len(mech.bins),
        "e": len(mech.explosive_equipment),
        **({"omni": "1"} if mech.omni else {}),
    }
    for code in LOCATIONS:
        now, full = mech.armor.get(code, 0), mech.max_armor.get(code, mech.armor.get(code, 0))
        values |= {f"full_{code}": full, f"case_{code}": mech.case.get(code, "rule")}
        values |= {f"armor_{code}": now} if now != full else {}
        standing = mech.structure.get(code, 0)
        values |= {f"structure_{code}": standing} if standing != table[code] else {}
    values |= {f"rear_{code}": mech.rear_armor.get(code, 0) for code in WITH_REAR}
    for number, item in enumerate(mech.bins, 1):
        values |= {f"b{number}-{name}": value for name, value in _bin_values(item).items()}
    for number, weapon in enumerate(mech.explosive_equipment, 1):
        values |= {f"e{number}-{name}": value for name, value in _weapon_values(weapon).items()}
    return values


def follow_kinds(data: QueryDict) -> None:
    """Give lines whose ammunition or weapon was changed the figures of the new kind, in place.

    ``was`` holds the kind a line was printed with and its figures; a figure typed in since then stays.
    """
    for key in [name for name in data if _WAS.fullmatch(name)]:
        line = key.removesuffix("was")
        kind_name = "ammo" if line.startswith("b") else "type"
        kind, (was, *before) = data.get(f"{line}{kind_name}", ""), data.get(key, "").split(" ")
        if kind == was or not kind:
            continue
        figures = _bin_figures(kind) if kind_name == "ammo" else _weapon_figures(kind)
        for (name, figure), old in zip(figures.items(), before, strict=False):
            if data.get(f"{line}{name}", "") in ("", old):
                data[f"{line}{name}"] = figure
        data[f"{line}full"] = ""
        data[key] = " ".join([kind, *figures.values()])


_WAS = re.compile(r"[be][0-9]{1,3}-was")


def _bin_figures(kind: str) -> dict[str, str]:
    known = AMMO.get(kind)
    return {"rounds": str(known.rounds), "damage": str(known.damage)} if known else {"rounds": "", "damage": ""}


def _weapon_figures(kind: str) -> dict[str, str]:
    known = EXPLOSIVE_EQUIPMENT.get(kind)
    return {"damage": str(known.damage) if known else ""}


def structure_table(tonnage: str) -> dict[str, int]:
    """Undamaged structure, for the form to print where a figure is left empty."""
    tons = int(tonnage) if tonnage.isdecimal() else 0
    return dict(zip(LOCATIONS, structure_of(tons), strict=True)) if tons in STRUCTURE_BY_TONNAGE else {}


def export(opened: Opened) -> dict[str, Any]:
    """The sheet as it stands: a document ``battletech.odds`` takes as it is."""
    return {
        "rules": opened.address.rules.model_dump(mode="json", by_alias=True, exclude_none=True),
        "mech": opened.mech.model_dump(mode="json", by_alias=True, exclude_none=True),
        "heat": opened.address.heat,
    }


def import_json(text: str) -> Address:
    """A sheet from JSON: a bare 'Mech, or an ``export`` with rules and heat."""
    if len(text) > MOST_JSON:
        raise ValidationError(f"A sheet is at most {MOST_JSON:,} characters of JSON; this is {len(text):,}.")
    if not text.strip():
        raise ValidationError("Paste a sheet as JSON, or choose a file.")
    try:
        document = json.loads(text)
    except (ValueError, RecursionError) as error:
        where = f" at line {error.lineno}" if isinstance(error, json.JSONDecodeError) else ""
        raise ValidationError(f"This is not JSON{where}.") from error
    if not isinstance(document, dict):
        raise ValidationError("A sheet is a JSON object: {…}.")
    request: dict[str, Any] = document if "mech" in document else {"mech": document}
    if not {"heat", "heatPlan"} & set(request):
        request = {**request, "heat": HEAT}
    reply = engine_door.answer("battletech.odds", request)
    if not reply["ok"]:
        raise ValidationError(reply["error"]["message"])
    mech = Mech.model_validate(request["mech"], by_alias=True, by_name=False)
    rules = Rules.model_validate(request.get("rules", {}), by_alias=True, by_name=False)
    # Above 30 nothing changes by either book, and the slider ends there.
    plan = tuple(min(HOTTEST, heat) for heat in request.get("heatPlan", ())[:MOST_TURNS])
    return Address(mech, rules=rules, heat=min(HOTTEST, request.get("heat", HEAT)), plan=plan)


def _given(value: int | None, otherwise: int) -> int:
    return otherwise if value is None else value


def _bins(lines: list[dict[str, Any]]) -> list[Bin]:
    ids, made = _Ids(line["id"] for line in lines), []
    for line in lines:
        known = AMMO.get(line["ammo"])
        made.append(
            Bin(
                bin_id=ids.of(line["id"], line["location"], line["ammo"]),
                location=line["location"],
                rounds=_given(line["rounds"], known.rounds if known else 0),
                damage_per_round=_given(line["damage"], known.damage if known else 0),
                destroyed=line["destroyed"],
                ammo=line["ammo"] if known else None,
                max_rounds=_given(line["full"], known.rounds) if known else line["full"],
            )
        )
    return made


def _weapons(lines: list[dict[str, Any]]) -> list[Equipment]:
    ids, made = _Ids(line["id"] for line in lines), []
    for line in lines:
        known = EXPLOSIVE_EQUIPMENT.get(line["type"])
        made.append(
            Equipment(
                equipment_id=ids.of(line["id"], line["location"], line["type"]),
                location=line["location"],
                type=line["type"],
                explosion_damage=_given(line["damage"], known.damage if known else 0),
                destroyed=line["destroyed"],
                name=known.name if known else None,
            )
        )
    return made


class _Ids:
    """Names for lines that have none: location, kind, number, never one that is taken."""

    def __init__(self, taken: Any) -> None:
        self._taken = set(taken)
        self._seen: Counter[str] = Counter()

    def of(self, given: str, location: str, kind: str) -> str:
        if given:
            return given
        start = f"{location.lower()}-{kind}"
        while True:
            self._seen[start] += 1
            made = f"{start}-{self._seen[start]}"
            if made not in self._taken:
                return made


def _bin_values(item: Bin) -> dict[str, Any]:
    known = AMMO.get(item.ammo or "")
    values: dict[str, Any] = {"id": item.bin_id, "location": item.location, "ammo": item.ammo if known else OTHER}
    values |= {"rounds": item.rounds, "damage": item.damage_per_round}
    values["was"] = f"{values['ammo']} {item.rounds} {item.damage_per_round}"
    full = known.rounds if known else None
    values |= {"full": item.max_rounds} if item.max_rounds not in (None, full) else {}
    return values | ({"destroyed": "1"} if item.destroyed else {})


def _weapon_values(item: Equipment) -> dict[str, Any]:
    known = EXPLOSIVE_EQUIPMENT.get(item.type)
    values: dict[str, Any] = {"id": item.equipment_id, "location": item.location, "type": item.type if known else OTHER}
    values |= {"damage": item.explosion_damage} if item.explosion_damage is not None else {}
    values["was"] = f"{values['type']} {item.explosion_damage if item.explosion_damage is not None else ''}"
    return values | ({"destroyed": "1"} if item.destroyed else {})


def _first(error: ValueError) -> str:
    """The engine's own words where it has some."""
    problems = error.errors() if hasattr(error, "errors") else []
    for problem in problems:
        inner = problem.get("ctx", {}).get("error")
        if isinstance(inner, EngineError):
            return inner.message
    return str(problems[0]["msg"]) if problems else str(error)

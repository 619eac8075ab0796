"""The sheet as an address: worked examples, filling one place of it from a profile, reading it back.

A *place* is a weapon line or the target, of situation A or B: ``w2``, ``target``, ``b-w1``, ``b-target``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import urlencode

from django.http import QueryDict

from apps.warhammer40k.forms import GROUP_NAMES, GROUPS, TARGET_NAMES, WEAPONS, AttackForm, WeaponFields
from apps.warhammer40k.library import Kind, Profile

PLACE = re.compile(r"(?P<side>(?:b-)?)(?:w(?P<line>[1-9]))?(?P<target>target)?")


def is_place(where: str) -> bool:
    found = PLACE.fullmatch(where)
    return found is not None and bool(found["line"]) != bool(found["target"])


def kind_of(where: str) -> Kind:
    return "unit" if where.endswith("target") else "weapon"


def _prefix(where: str) -> str:
    """What every key of a place starts with."""
    return where.removesuffix("target") if kind_of(where) == "unit" else f"{where}-"


def _names(where: str) -> tuple[str, ...]:
    return TARGET_NAMES if kind_of(where) == "unit" else tuple(WeaponFields.base_fields)


def name_at(data: QueryDict, where: str) -> str:
    return str(data.get(_prefix(where) + ("target" if kind_of(where) == "unit" else "name"), ""))


def line_at(data: QueryDict, where: str) -> dict[str, list[str]]:
    """The values of one place, under the field's own names."""
    return {name: data.getlist(_prefix(where) + name) for name in _names(where) if _prefix(where) + name in data}


def fill(data: QueryDict, where: str, values: Mapping[str, Any], groups: Sequence[Mapping[str, Any]] = ()) -> None:
    """Replace a place with a profile; the name one picked it by stays unless the profile brings its own.

    ``groups`` are a target's further models.
    """
    if values.get("unit_points") and "points_for" not in values:
        values = {**values, "points_for": values["models"]}  # other numbers of models then cost what they cost
    kept = name_at(data, where)
    for name in _names(where):
        data.pop(_prefix(where) + name, None)
    named = "target" if kind_of(where) == "unit" else "name"
    for name, value in {named: kept, **values}.items():
        if name in _names(where) and not (name == named and not value):
            data.setlist(_prefix(where) + name, [str(v) for v in value] if isinstance(value, list) else [str(value)])
    if kind_of(where) == "unit":
        for name in GROUP_NAMES:
            data.pop(_prefix(where) + name, None)
        add_groups(data, where, groups)
        if str(values.get("models")) == "1" and not groups and data.get("counted") == "destroyed":
            data["counted"] = "damage"
    if kind_of(where) == "weapon":
        side, line = where.removesuffix(where.split("-")[-1]), int(where[-1])
        data[f"{side}{WEAPONS.key}"] = str(max(line, WEAPONS.count(data, side)))


def add_groups(data: QueryDict, where: str, groups: Sequence[Mapping[str, Any]]) -> int:
    """Give a target further groups of models; how many of them found room."""
    prefix = _prefix(where)
    before = GROUPS.count(data, prefix)
    added = groups[: GROUPS.most - before]
    for number, group in enumerate(added, before + 1):
        for name, value in group.items():
            data[f"{prefix}{GROUPS.key}{number}-{name}"] = str(value)
    if added:
        data[f"{prefix}{GROUPS.key}"] = str(before + len(added))
    return len(added)


def arm(data: QueryDict, lines: Sequence[Profile], points: int) -> list[str]:
    """Put a unit's weapons into the sheet in place of those there; what did not fit or is left to set, in words."""
    for key in [key for key in data if re.match(r"w\d*(-|$)", key)]:
        del data[key]
    for number, profile in enumerate(lines[: WEAPONS.most], 1):
        fill(data, f"w{number}", {**profile.values, "name": profile.name})
    if points:
        data["points"] = str(points)
    left_out = [f"{profile.name}: the sheet has {WEAPONS.most} lines" for profile in lines[WEAPONS.most :]]
    return [*left_out, *(f"{profile.name}: {rule}" for profile in lines for rule in profile.to_set)]


def form_of(query: QueryDict) -> AttackForm:
    """Situation A of an address; one that is not valid gives the welcome sheet instead."""
    form = AttackForm(query if query.get("v") or "w" in query else QueryDict(f"{WELCOME}&{query.urlencode()}"))
    if not form.is_valid():
        form = AttackForm(QueryDict(WELCOME))
        form.is_valid()
    return form


def summary(form: AttackForm) -> dict[str, Any]:
    """For pages that show a sheet without its controls."""
    settings = form.settings()
    weapons = [
        Profile("weapon", "", w["name"] or f"Weapon {at}", "", "", w) for at, w in enumerate(settings["weapons"], 1)
    ]
    target = {**settings, "invulnerable": int(settings["invulnerable"]), "fnp": int(settings["fnp"])}
    unit = Profile("unit", "", settings["target"] or "Target", "", "", target)
    return {
        "weapons": weapons,
        "target": unit,
        "sheet": urlencode([("v", "1"), *form.canonical()]),
        "settings": settings,
    }


def tidy(data: QueryDict) -> str:
    """The address without what is left at its default, if it is one valid sheet."""
    form = AttackForm(data)
    if data.get("compare") or not form.is_valid():
        return data.urlencode()
    return urlencode([("v", "1"), *form.canonical()])


def without_job(sheet: str) -> str:
    query = QueryDict(sheet, mutable=True)
    query.pop("job", None)
    return query.urlencode()


def _line(number: int, **values: Any) -> dict[str, Any]:
    return {f"w{number}-{name}": value for name, value in values.items()}


#: Worked examples: label, values, note. The first one is what a bare address opens with.
EXAMPLES: tuple[tuple[str, dict[str, Any], str], ...] = (
    (
        "Plasma and bolters into marines",
        {
            "w": 2,
            **_line(
                1,
                name="Plasma, supercharged",
                count=5,
                attacks="2",
                strength=8,
                ap=3,
                damage="2",
                abilities=["hazardous"],
                reroll_hits="ones",
            ),
            **_line(
                2, name="Heavy bolters", count=2, attacks="3", skill=4, strength=5, ap=1, damage="2", sustained="1"
            ),
        },
        "two weapons, one unit",
    ),
    (
        "Lascannons into a tank",
        {
            "w": 1,
            **_line(1, name="Lascannons", count=4, attacks="1", strength=12, ap=3, damage="D6+1"),
            "target": "Tank",
            "models": 1,
            "toughness": 11,
            "save": 2,
            "wounds": 13,
            "keywords": ["vehicle"],
        },
        "variable damage, one model",
    ),
    (
        "Twin-linked and devastating",
        {
            "w": 1,
            **_line(
                1,
                name="Power claws",
                count=5,
                attacks="4",
                skill=3,
                strength=5,
                ap=2,
                damage="1",
                abilities=["melee", "twin_linked", "devastating"],
            ),
            "target": "Terminators",
            "models": 5,
            "toughness": 5,
            "save": 2,
            "invulnerable": "4",
            "wounds": 3,
            "keywords": ["infantry"],
        },
        "should one fish for criticals?",
    ),
    (
        "Flamers into a horde",
        {
            "w": 1,
            **_line(
                1,
                name="Flamers",
                count=5,
                attacks="D6",
                strength=4,
                ap=0,
                damage="1",
                abilities=["torrent", "ignores_cover"],
            ),
            "target": "Horde",
            "models": 20,
            "toughness": 5,
            "save": 5,
            "wounds": 1,
            "keywords": ["infantry"],
        },
        "no hit roll, many models",
    ),
)
WELCOME = urlencode(EXAMPLES[0][1], doseq=True)

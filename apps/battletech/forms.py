"""The editor: a whole record sheet as a form. Figures left empty are filled in by the tables."""

from __future__ import annotations

from typing import Any, ClassVar

from django import forms
from django.core.exceptions import ValidationError

from apps.battletech.services.editor import (
    ALL_PLACES,
    AMMO_CHOICES,
    PLACES,
    TONNAGES,
    WEAPON_CHOICES,
    WITH_REAR,
    mech_from,
    structure_table,
)
from apps.core.forms import CalculatorForm, Choice, Repeated, Toggle, Whole, Words

TECH_BASES = [("Inner Sphere", "Inner Sphere"), ("Clan", "Clan")]
PROTECTIONS = [("rule", "By tech base"), ("none", "None"), ("case", "CASE"), ("case_ii", "CASE II")]
MOST_POINTS = 1000


class Blank(Whole):
    """A whole number that may stay empty: the tables know it."""

    def __init__(self, label: str, high: int = MOST_POINTS) -> None:
        super().__init__(label, 0, high, 0)
        self.initial = None

    def clean(self, value: Any) -> int | None:  # type: ignore[override]
        return super().clean(value) if str(value if value is not None else "").strip() else None


class BinLine(forms.Form):
    """One bin."""

    id = Words("Id", required=False, most=80)
    ammo = Choice("Ammunition", AMMO_CHOICES)
    location = Choice("Location", PLACES, "LT")
    rounds = Blank("Rounds")
    damage = Blank("Damage each")
    full = Blank("Rounds when full")
    was = Words("Kind and figures as printed", required=False, most=120)
    destroyed = Toggle("Destroyed")


class WeaponLine(forms.Form):
    """One weapon or device that explodes by itself."""

    id = Words("Id", required=False, most=80)
    type = Choice("Kind", WEAPON_CHOICES)
    location = Choice("Location", PLACES, "RT")
    damage = Blank("Explosion")
    was = Words("Kind and figures as printed", required=False, most=120)
    destroyed = Toggle("Destroyed")


def _points() -> dict[str, forms.Field]:
    """Armour, structure and protection of every location."""
    fields: dict[str, forms.Field] = {}
    for code in ALL_PLACES:
        fields[f"full_{code}"] = Whole(f"{code} armour when full", 0, MOST_POINTS, 0)
        fields[f"armor_{code}"] = Blank(f"{code} armour now")
        fields[f"structure_{code}"] = Blank(f"{code} structure now")
        fields[f"case_{code}"] = Choice(f"{code} protection", PROTECTIONS)
    for code in WITH_REAR:
        fields[f"rear_{code}"] = Whole(f"{code} rear armour", 0, MOST_POINTS, 0)
    return fields


class SheetForm(CalculatorForm):
    """A 'Mech, free-form."""

    lines: ClassVar[tuple[Repeated, ...]] = (
        Repeated("b", "bins", "Bins", BinLine, most=60, initial=0),
        Repeated("e", "weapons", "Weapons", WeaponLine, most=60, initial=0),
    )

    location_headings: ClassVar[tuple[str, ...]] = ("Armour, full", "Armour now", "Rear", "Structure now", "Protection")

    mech_name = Words("Name", required=False, most=80)
    tonnage = Choice("Tonnage", TONNAGES, "50")
    tech_base = Choice("Tech base", TECH_BASES, as_segments=True)
    omni = Toggle("OmniMech", hint="Clan OmniMechs have CASE in their side torsos")
    engine_slots = Whole("Engine slots in each side torso", 0, 12, 0, hint="2 or 3 for extra-light engines")
    pilot_hits = Whole("Pilot hits", 0, 6, 0)

    def warnings(self) -> tuple[str, ...]:
        """What a construction book would not allow, if the form describes a sheet at all."""
        if not self.is_valid():
            return ()
        try:
            return mech_from(self.settings()).warnings
        except ValidationError:
            return ()

    def repeated(self) -> list[dict[str, Any]]:
        """The bins and the weapons, line by line."""
        lines = self.line_fields()
        return [
            {"key": "b", "title": "Bins", "one": "bin", "lines": lines["bins"], "count": self["b"]},
            {
                "key": "e",
                "title": "Weapons that explode",
                "one": "weapon",
                "lines": lines["weapons"],
                "count": self["e"],
            },
        ]

    def locations(self) -> list[dict[str, Any]]:
        """The table of locations, row by row; what an empty figure stands for is printed in its field."""
        table = structure_table(str(self["tonnage"].value() or ""))
        rows = []
        for code in ALL_PLACES:
            cells = [
                (self[f"full_{code}"], ""),
                (self[f"armor_{code}"], self[f"full_{code}"].value()),
                (self[f"rear_{code}"] if code in WITH_REAR else None, ""),
                (self[f"structure_{code}"], table.get(code, "")),
                (self[f"case_{code}"], ""),
            ]
            rows.append(
                {
                    "code": code,
                    "cells": [(*cell, name) for cell, name in zip(cells, self.location_headings, strict=True)],
                }
            )
        return rows


SheetForm.base_fields.update(_points())

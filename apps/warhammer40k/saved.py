"""A player's own profiles: save, find, import, export, forget."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from django.core.exceptions import ValidationError
from django.http import QueryDict

from apps.accounts.models import Player
from apps.accounts.saved_profiles import Item, SavedProfiles
from apps.core.forms import CalculatorForm
from apps.warhammer40k.forms import TargetFields, WeaponFields
from apps.warhammer40k.library import Kind, Profile
from apps.warhammer40k.models import SavedProfile

FORMAT, VERSION = "oddsmith-warhammer40k", 1


class WeaponProfileForm(WeaponFields, CalculatorForm):
    """A weapon on its own."""


class UnitProfileForm(TargetFields, CalculatorForm):
    """A unit on its own; its name is the sheet's ``target``."""


FORMS: dict[Kind, type[CalculatorForm]] = {"weapon": WeaponProfileForm, "unit": UnitProfileForm}
NAME_FIELD: dict[Kind, str] = {"weapon": "name", "unit": "target"}


def profiles(player: Player | None) -> list[Profile]:
    """A player's profiles in the library's shape."""
    return [as_profile(saved) for saved in SAVED.visible_to(player)]


def as_profile(saved: SavedProfile) -> Profile:
    kind: Kind = "weapon" if saved.kind == "weapon" else "unit"
    defaults = {name: field.initial for name, field in FORMS[kind].base_fields.items()}
    return Profile(kind, f"own-{saved.pk}", saved.name, "Yours", "", {**defaults, **saved.values})


def read(kind: Kind, values: Mapping[str, Any]) -> dict[str, Any]:
    """Checked values of one profile; raises ``ValidationError`` in the words of the sheet."""
    query = QueryDict(mutable=True)
    known = FORMS[kind].base_fields
    for name, value in values.items():
        if name not in known:
            raise ValidationError(f"“{str(name)[:40]}” is no figure of a {kind}.")
        query.setlist(name, [str(v) for v in value] if isinstance(value, list) else [str(value)])
    form = FORMS[kind](query)
    if not form.is_valid():
        raise ValidationError([message for messages in form.errors.values() for message in messages])
    return {
        name: form.cleaned_data[name]
        for name, field in form.fields.items()
        if form.cleaned_data[name] != field.initial and name not in ("name", NAME_FIELD[kind])
    }


def export(player: Player | None) -> dict[str, Any]:
    """Everything a player keeps, in a file that ``import_all`` reads."""
    kept = SAVED.visible_to(player)
    return {
        "format": FORMAT,
        "version": VERSION,
        **{f"{kind}s": [{"name": s.name, **s.values} for s in kept if s.kind == kind] for kind in FORMS},
    }


def import_all(player: Player, text: str) -> int:
    """Save every profile of an exported file, or none of them."""
    return SAVED.import_all(player, list(_items(_document(text))))


def _items(document: Mapping[str, Any]) -> Iterator[Item]:
    for kind in FORMS:
        rows = document.get(f"{kind}s", [])
        if not isinstance(rows, list):
            raise ValidationError(f"“{kind}s” must be a list.")
        for at, row in enumerate(rows, 1):
            if not isinstance(row, dict) or not isinstance(row.get("name"), str):
                raise ValidationError(f"{kind.title()} {at}: it has no name.")
            values = {name: value for name, value in row.items() if name != "name"}
            yield Item(f"{kind.title()} {at}", kind, row["name"], values)


def _document(text: str) -> dict[str, Any]:
    try:
        document = json.loads(text)
    except (ValueError, RecursionError):
        raise ValidationError("That is not JSON. Paste a file exported here.") from None
    if not isinstance(document, dict) or document.get("format") != FORMAT or document.get("version") != VERSION:
        raise ValidationError(f"That is not a profile file: its “format” must be {FORMAT} and its “version” {VERSION}.")
    return document


def _checked(kind: str, values: Mapping[str, Any]) -> dict[str, Any]:
    return read("unit" if kind == "unit" else "weapon", values)


SAVED = SavedProfiles(SavedProfile, "kind", "values", _checked)

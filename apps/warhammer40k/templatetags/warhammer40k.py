"""Tags of the room's templates."""

from __future__ import annotations

from functools import cache
from typing import Any

from django import template
from django.forms.boundfield import BoundField
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from apps.accounts.http import Request
from apps.warhammer40k import datasheets, library, saved
from apps.warhammer40k.forms import (
    COMMON_ABILITIES,
    GROUP_FIGURES,
    TARGET_FIRST,
    TARGET_FOLDED,
    WEAPON_FIRST,
    WEAPON_FOLDED,
)
from apps.warhammer40k.services.sequences import SEQUENCE_FIRST, SEQUENCE_FOLDED, SequenceForm

register = template.Library()


@cache
def _options(kind: library.Kind) -> SafeString:
    """Those met most: the library never changes while the server runs, and all of it would be half a megabyte."""
    return format_html_join("", "<option value='{}'>{}</option>", ((p.title, p.line) for p in library.common(kind)))


@register.simple_tag
def profile_lists(request: Request) -> SafeString:
    """What the name fields complete to: one's own profiles first."""
    mine = saved.profiles(request.player)
    lists = []
    for kind in ("weapon", "unit"):
        own = format_html_join("", "<option value='{}'>Yours</option>", ((p.name,) for p in mine if p.kind == kind))
        lists.append((kind, own + _options("weapon" if kind == "weapon" else "unit")))
    return format_html_join("", "<datalist id='{}-profiles'>{}</datalist>", lists)


def _parts(
    fields: dict[str, BoundField],
    first: tuple[str, ...],
    folded: tuple[str, ...],
    toggles: BoundField,
    common: tuple[str, ...],
) -> dict[str, Any]:
    """Fields and toggles in sight (the usual ones and whatever is set) and those folded away."""
    changed = [n for n in folded if fields[n].errors or str(fields[n].value()) != str(fields[n].field.initial)]
    notes, chosen = getattr(toggles.field, "notes", {}), toggles.value() or []
    choices = toggles.field.choices  # type: ignore[attr-defined]
    chips = [{"value": v, "text": text, "on": v in chosen, "note": notes.get(v, "")} for v, text in choices]
    return {
        "first": [fields[name] for name in (*first, *changed)],
        "more": [fields[name] for name in folded if name not in changed],
        "chips": [chip for chip in chips if chip["on"] or chip["value"] in common],
        "folded_chips": [chip for chip in chips if not chip["on"] and chip["value"] not in common],
    }


@register.simple_tag
def weapon_parts(line: dict[str, BoundField]) -> dict[str, Any]:
    return _parts(line, WEAPON_FIRST, WEAPON_FOLDED, line["abilities"], COMMON_ABILITIES)


@register.simple_tag
def target_parts(form: Any) -> dict[str, Any]:
    fields = {name: form[name] for name in (*TARGET_FIRST, *TARGET_FOLDED)}
    return _parts(fields, TARGET_FIRST, TARGET_FOLDED, form["keywords"], ())


@register.simple_tag
def group_parts(line: dict[str, BoundField]) -> list[BoundField]:
    """The figures of a further group of models."""
    return [line[name] for name in GROUP_FIGURES]


@register.simple_tag
def leaders(form: Any) -> list[library.Profile]:
    """The units of the library that may join the target."""
    edition: datasheets.Edition = "eleventh" if form["edition"].value() == "eleventh" else "tenth"
    return library.leaders_of(str(form["target"].value() or ""), edition)


@register.simple_tag
def sequence_parts(form: SequenceForm) -> dict[str, list[BoundField]]:
    """The fields of a sequence in sight, and those folded away."""
    return {"first": [form[name] for name in SEQUENCE_FIRST], "more": [form[name] for name in SEQUENCE_FOLDED]}


@register.simple_tag
def place(form: Any, where: str) -> str:
    """The name of a place of this sheet in an action: ``w1`` or ``b-w1``."""
    return f"{form.prefix}-{where}" if form.prefix else where


@register.filter
def columns(heads: str) -> list[str]:
    """The columns a table's head names."""
    return heads.split(",")


@register.filter
def figure(value: float, places: int = 2) -> str:
    """A mean without needless zeros: 16, 11.78."""
    return format_html("{}", f"{value:,.{places}f}".removesuffix("." + "0" * places))

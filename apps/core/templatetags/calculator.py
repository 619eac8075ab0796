"""Tags for calculator templates."""

from __future__ import annotations

from typing import Any

from django import forms, template
from django.forms.boundfield import BoundField

register = template.Library()

#: Which control draws which widget. The first match wins.
CONTROLS: tuple[tuple[type[forms.Widget], str], ...] = (
    (forms.CheckboxSelectMultiple, "chips"),
    (forms.RadioSelect, "segments"),
    (forms.Select, "select"),
    (forms.CheckboxInput, "chip"),
    (forms.NumberInput, "stepper"),
    (forms.TextInput, "text"),
    (forms.Textarea, "lines"),
)


@register.inclusion_tag("core/calculator/field.html")
def field(bound: BoundField, label: str = "") -> dict[str, Any]:
    """Label, control, hint and the place where an error is said."""
    control = next(name for widget, name in CONTROLS if isinstance(bound.field.widget, widget))
    return {
        "bound": bound,
        "control": control,
        "label": label or bound.label,
        "suffix": getattr(bound.field, "suffix", ""),
        "notes": getattr(bound.field, "notes", None),
        "chosen": bound.value() or [],
        "error": bound.errors[0] if bound.errors else "",
        "low": getattr(bound.field, "min_value", None),
        "high": getattr(bound.field, "max_value", None),
    }


@register.filter
def note(notes: dict[str, str], value: str) -> str:
    """What a choice means, in plain words."""
    return notes.get(value, "")

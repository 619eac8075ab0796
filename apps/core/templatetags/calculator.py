"""Tags for calculator templates."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from django import forms, template
from django.forms.boundfield import BoundField
from django.template import loader
from django.utils.safestring import SafeString, mark_safe

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


@dataclass(frozen=True, slots=True)
class Control:
    """All that the drawing of a field depends on. Fields are shared between forms, so equal controls look equal."""

    field: forms.Field
    html_name: str
    auto_id: str
    value: Any
    label: str
    error: str

    @property
    def help_text(self) -> str:
        return str(self.field.help_text)

    @property
    def kind(self) -> str:
        return next(name for widget, name in CONTROLS if isinstance(self.field.widget, widget))


@register.simple_tag
def field(bound: BoundField, label: str = "") -> SafeString:
    """Label, control, hint and the place of its error."""
    value = bound.value()
    value = tuple(value) if isinstance(value, list) else value
    error = str(bound.errors[0]) if bound.errors else ""
    control = Control(bound.field, bound.html_name, bound.auto_id, value, label or str(bound.label), error)
    draw = _remembered if len(str(value)) < LONGEST_REMEMBERED else _drawn
    return draw(control)


#: A sheet has dozens of controls and most are at a value seen before; drawing one takes longer than its arithmetic.
LONGEST_REMEMBERED = 100


def _drawn(control: Control) -> SafeString:
    context = {
        "bound": control,
        "control": control.kind,
        "label": control.label,
        "suffix": getattr(control.field, "suffix", ""),
        "notes": getattr(control.field, "notes", None),
        "chosen": control.value or (),
        "error": control.error,
        "low": getattr(control.field, "min_value", None),
        "high": getattr(control.field, "max_value", None),
    }
    return mark_safe(loader.get_template("core/calculator/field.html").render(context))  # escaped by the template


_remembered = lru_cache(maxsize=8192)(_drawn)


@register.filter
def note(notes: dict[str, str], value: str) -> str:
    """What a choice means, in plain words."""
    return notes.get(value, "")

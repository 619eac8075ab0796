"""Tags for calculator templates."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from django import forms, template
from django.forms.boundfield import BoundField
from django.template import loader
from django.utils.safestring import SafeString, mark_safe

from apps.core.forms import Group, Section

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
    def is_short(self) -> bool:
        """Whether its value is one that others may have too."""
        return len(str(self.value)) < LONGEST_REMEMBERED

    @property
    def kind(self) -> str:
        return next(name for widget, name in CONTROLS if isinstance(self.field.widget, widget))


def control_of(bound: BoundField, label: str = "") -> Control:
    value = bound.value()
    value = tuple(value) if isinstance(value, list) else value
    error = str(bound.errors[0]) if bound.errors else ""
    return Control(bound.field, bound.html_name, bound.auto_id, value, label or str(bound.label), error)


@register.simple_tag
def field(bound: BoundField, label: str = "") -> SafeString:
    """Label, control, hint and the place of its error."""
    return draw(control_of(bound, label))


def draw(control: Control) -> SafeString:
    return (_remembered if control.is_short else _drawn)(control)


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


@register.simple_tag
def section_controls(section: Section, letter: str) -> SafeString:
    """A group of controls: always shown, then the rarer ones, folded away until one of them is set."""
    shown, more = (tuple(control_of(bound) for bound in fields) for fields in (section.fields, section.more))
    make = _remembered_section if all(control.is_short for control in (*shown, *more)) else _section
    return make(section.group, letter, shown, more, section.set_in_more)


def _section(
    group: Group, letter: str, shown: tuple[Control, ...], more: tuple[Control, ...], set_in_more: int
) -> SafeString:
    context = {
        "group": group,
        "letter": letter,
        "shown": [draw(control) for control in shown],
        "more": [draw(control) for control in more],
        "set_in_more": set_in_more,
    }
    return mark_safe(loader.get_template("core/calculator/section.html").render(context))  # escaped by the template


_remembered_section = lru_cache(maxsize=1024)(_section)


@register.filter
def note(notes: dict[str, str], value: str) -> str:
    """What a choice means, in plain words."""
    return notes.get(value, "")

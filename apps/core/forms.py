"""Form fields for calculators: every value has a default, and an error says the limit, the fix and what was entered."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.http import QueryDict


class Whole(forms.IntegerField):
    """A whole number shown as − value +. ``suffix="+"`` for target numbers: 3 is shown and accepted as ``3+``."""

    def __init__(self, label: str, low: int, high: int, initial: int, *, suffix: str = "", hint: str = "") -> None:
        super().__init__(label=label, min_value=low, max_value=high, initial=initial, help_text=hint)
        self.suffix = suffix
        self.widget.attrs.update({"data-suffix": suffix} if suffix else {})

    def clean(self, value: Any) -> int:
        entered = str(value if value is not None else "").strip()
        try:
            return int(super().clean(entered.removesuffix(self.suffix)))
        except ValidationError:
            limits = f"{self.min_value}{self.suffix}–{self.max_value}{self.suffix}"
            raise ValidationError(f"{self.label} must be {limits}; you entered {entered[:20] or 'nothing'}.") from None


class Choice(forms.ChoiceField):
    """One of a few. ``as_segments`` shows them side by side instead of in a list."""

    def __init__(
        self,
        label: str,
        choices: list[tuple[str, str]],
        initial: str = "",
        *,
        as_segments: bool = False,
        hint: str = "",
    ) -> None:
        widget = forms.RadioSelect if as_segments else forms.Select
        first = initial or choices[0][0]
        super().__init__(label=label, choices=choices, initial=first, widget=widget, help_text=hint)

    def clean(self, value: Any) -> str:
        try:
            return str(super().clean(value))
        except ValidationError:
            raise ValidationError(f"{self.label} must be one of the choices listed; you entered {value}.") from None


class Several(forms.MultipleChoiceField):
    """Any number of toggles."""

    def __init__(self, label: str, choices: list[tuple[str, str]], *, hint: str = "") -> None:
        widget = forms.CheckboxSelectMultiple
        super().__init__(label=label, choices=choices, initial=[], required=False, widget=widget, help_text=hint)

    def clean(self, value: Any) -> list[str]:
        try:
            return list(super().clean(value))
        except ValidationError:
            raise ValidationError(f"{self.label}: choose from those listed.") from None


class Toggle(forms.BooleanField):
    """On or off. Off by default, always: a browser does not send an unticked box, so no other default could be kept."""

    def __init__(self, label: str, *, hint: str = "") -> None:
        super().__init__(label=label, required=False, initial=False, help_text=hint)


class Words(forms.CharField):
    """A short text."""

    def __init__(self, label: str, initial: str = "", *, most: int = 60, hint: str = "", required: bool = True) -> None:
        super().__init__(label=label, initial=initial, max_length=most, help_text=hint, required=required)
        self.error_messages["required"] = f"{label} cannot be empty."
        self.widget.attrs.update({"autocomplete": "off", "spellcheck": "false"})


class CalculatorForm(forms.Form):
    """A GET form. A field missing from the address takes its default, so a short link stays short and keeps opening."""

    name = Words("Name of this situation", required=False, most=40)

    def __init__(self, data: QueryDict, prefix: str = "") -> None:
        super().__init__(data=None, prefix=prefix or None, auto_id=f"{prefix or 'a'}-%s")
        completed = data.copy()
        for field_name, field in self.fields.items():
            key = self.add_prefix(field_name)
            if key not in completed and not isinstance(field, forms.BooleanField):
                completed.setlist(key, _texts(field.initial))
        self.data = completed
        self.is_bound = True

    def canonical(self) -> Iterator[tuple[str, str]]:
        """The address form of this sheet: only what differs from the defaults, in the order of the fields."""
        for field_name, field in self.fields.items():
            value = self.cleaned_data.get(field_name)
            if value not in (field.initial, None, "", []):
                for text in _texts(value):
                    yield self.add_prefix(field_name), text
            elif value == "" and field.initial:
                yield self.add_prefix(field_name), ""

    def settings(self) -> dict[str, Any]:
        """The cleaned values without the name, ready for a service."""
        return {key: value for key, value in self.cleaned_data.items() if key != "name"}


def _texts(value: Any) -> list[str]:
    if isinstance(value, bool):
        return ["1"] if value else []
    if isinstance(value, (list, tuple)):
        return [str(v) for v in value]
    return [] if value is None else [str(value)]

"""Form fields for calculators: every value has a default, and an error says the limit, the fix and what was entered."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from copy import copy
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from django import forms
from django.core.exceptions import ValidationError
from django.core.validators import MaxLengthValidator
from django.forms.boundfield import BoundField
from django.http import QueryDict

_WHOLE = re.compile(r"-?[0-9]{1,9}")


def whole_number(text: str) -> int | None:
    """The whole number a text is, in plain digits; None for anything else, other scripts and endless ones included.

    >>> whole_number(" −3 "), whole_number("+3"), whole_number("٣"), whole_number("²"), whole_number("9" * 5000)
    (-3, None, None, None, None)
    """
    plain = text.strip().replace("−", "-")
    return int(plain) if _WHOLE.fullmatch(plain) else None


class Shared:
    """A field without state of its own: every form uses the same one, which is many times faster than copying it."""

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self


class Whole(Shared, forms.IntegerField):
    """A whole number shown as − value +. ``suffix="+"`` for target numbers: 3 is shown and accepted as ``3+``."""

    def __init__(self, label: str, low: int, high: int, initial: int, *, suffix: str = "", hint: str = "") -> None:
        super().__init__(label=label, min_value=low, max_value=high, initial=initial, help_text=hint)
        self.suffix = suffix
        self.widget.attrs.update({"data-suffix": suffix} if suffix else {})

    def clean(self, value: Any) -> int:
        entered = str(value if value is not None else "").strip()
        try:
            return int(super().clean(whole_number(entered.removesuffix(self.suffix))))
        except ValidationError:
            limits = f"{self.min_value}{self.suffix}–{self.max_value}{self.suffix}"
            raise ValidationError(f"{self.label} must be {limits}; you entered {entered[:20] or 'nothing'}.") from None


class Choice(Shared, forms.ChoiceField):
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


class Several(Shared, forms.MultipleChoiceField):
    """Any number of toggles. ``notes`` says in plain words what each of them does."""

    def __init__(
        self, label: str, choices: list[tuple[str, str]], *, hint: str = "", notes: Mapping[str, str] | None = None
    ) -> None:
        widget = forms.CheckboxSelectMultiple
        self.notes = dict(notes or {})
        super().__init__(label=label, choices=choices, initial=[], required=False, widget=widget, help_text=hint)

    def clean(self, value: Any) -> list[str]:
        try:
            return list(super().clean(value))
        except ValidationError:
            raise ValidationError(f"{self.label}: choose from those listed.") from None


class Toggle(Shared, forms.BooleanField):
    """On or off. Off by default, always: a browser does not send an unticked box, so no other default could be kept."""

    def __init__(self, label: str, *, hint: str = "") -> None:
        super().__init__(label=label, required=False, initial=False, help_text=hint)


class Words(Shared, forms.CharField):
    """A short text."""

    def __init__(self, label: str, initial: str = "", *, most: int = 60, hint: str = "", required: bool = True) -> None:
        super().__init__(label=label, initial=initial, max_length=most, help_text=hint, required=required)
        self.error_messages["required"] = f"{label} cannot be empty."
        self.validators = [one for one in self.validators if not isinstance(one, MaxLengthValidator)]
        self.validators.append(MaxLengthValidator(most, f"{label} has at most {most} characters; shorten it."))
        self.widget.attrs.update({"autocomplete": "off", "spellcheck": "false"})


class Lines(Words):
    """A text of several lines, such as a pasted list."""

    def __init__(
        self, label: str, initial: str = "", *, most: int = 20_000, hint: str = "", required: bool = False
    ) -> None:
        super().__init__(label, initial, most=most, hint=hint, required=required)
        self.widget = forms.Textarea(attrs={**self.widget.attrs, "rows": 6})

    def clean(self, value: Any) -> str:
        """Browsers end lines as telegraphs did; what is kept and compared ends them the plain way."""
        return str(super().clean(str(value or "").replace("\r\n", "\n")))


@dataclass(frozen=True, slots=True)
class Group:
    """Fields that belong together. Those in ``more`` are folded away until one of them is set."""

    title: str
    fields: tuple[str, ...]
    more: tuple[str, ...] = ()
    more_title: str = "More"
    key: str = ""


@dataclass(frozen=True, slots=True)
class Section:
    """A group on the page: its controls, and how many of the folded ones are set."""

    group: Group
    fields: list[BoundField]
    more: list[BoundField]
    set_in_more: int


@dataclass(frozen=True, slots=True)
class Repeated:
    """A part of a sheet that repeats: ``w1-attacks``, ``w2-attacks`` … with ``w`` saying how many lines there are."""

    key: str
    name: str
    label: str
    fields: type[forms.Form]
    most: int
    initial: int = 1

    def count(self, data: Mapping[str, Any], prefix: str = "") -> int:
        """How many lines an address has; nonsense counts as the default, and its field says so."""
        number = whole_number(str(data.get(f"{prefix}{self.key}", "")))
        return self.initial if number is None else max(0, min(number, self.most))


class CalculatorForm(forms.Form):
    """A GET form. A field missing from the address takes its default, so a short link stays short and keeps opening."""

    groups: ClassVar[tuple[Group, ...]] = ()

    name = Words("Name of this situation", required=False, most=40)
    lines: ClassVar[tuple[Repeated, ...]] = ()

    def __init__(self, data: QueryDict, prefix: str = "") -> None:
        super().__init__(data=None, prefix=prefix or None, auto_id="%s" if prefix else "a-%s")
        for lines in self.lines:
            self._add_lines(lines, lines.count(data, f"{prefix}-" if prefix else ""))
        completed = copy(data)
        for field_name, field in self.fields.items():
            key = self.add_prefix(field_name)
            if key not in completed and not isinstance(field, forms.BooleanField):
                completed.setlist(key, _texts(field.initial))
        self.data = completed
        self.is_bound = True

    def sections(self) -> list[Section]:
        """The groups with their controls."""
        return [
            Section(
                group,
                [self[n] for n in group.fields],
                [self[n] for n in group.more],
                sum(map(self._is_set, group.more)),
            )
            for group in self.groups
        ]

    def _is_set(self, name: str) -> bool:
        """Whether a control holds anything but its default: a value in error counts, or it would hide its message."""
        if name in self.errors:
            return True
        return self.cleaned_data.get(name) not in (self.fields[name].initial, None, "", [])

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
        """The cleaned values without the name, ready for a service; each repeated part is a list under its name."""
        values = {key: value for key, value in self.cleaned_data.items() if key != "name"}
        for lines in self.lines:
            count = values.pop(lines.key)
            values[lines.name] = [
                {name: values.pop(f"{lines.key}{number}-{name}") for name in lines.fields.base_fields}
                for number in range(1, count + 1)
            ]
        return values

    def line_fields(self) -> dict[str, list[dict[str, BoundField]]]:
        """For templates: the bound fields of every line, by the name of the repeated part."""
        return {
            lines.name: [
                {name: self[f"{lines.key}{number}-{name}"] for name in lines.fields.base_fields}
                for number in range(1, lines.count(self.data, f"{self.prefix}-" if self.prefix else "") + 1)
            ]
            for lines in self.lines
        }

    def _add_lines(self, lines: Repeated, count: int) -> None:
        self.fields[lines.key] = Whole(lines.label, 0, lines.most, lines.initial)
        for number in range(1, count + 1):
            for name, field in lines.fields.base_fields.items():
                self.fields[f"{lines.key}{number}-{name}"] = field


#: What a button beside a line may ask for, in the address: ``do=w2-copy``, ``do=b-w1-up``, ``do=w-add``.
LINE_ACTION = re.compile(r"(?P<prefix>(?:[a-z]-)?)(?P<key>[a-z]+?)(?P<at>[0-9]{0,3})-(?P<verb>add|copy|up|down|remove)")


def edit_lines(form: type[CalculatorForm], data: QueryDict, action: str) -> bool:
    """Add, copy, move or remove a line of an address in place; False when there is no such action or line.

    It works on the raw address, so that what is not valid yet survives the move.
    """
    found = LINE_ACTION.fullmatch(action)
    lines = next((part for part in form.lines if found and part.key == found["key"]), None)
    if found is None or lines is None:
        return False
    start, verb, at = found["prefix"] + lines.key, found["verb"], int(found["at"] or 0) - 1
    rows = [_taken(data, f"{start}{number}-") for number in range(1, lines.count(data, found["prefix"]) + 1)]
    if verb == "add":
        rows.append({})
    elif not 0 <= at < len(rows):
        return False
    elif verb == "copy":
        rows.insert(at + 1, dict(rows[at]))
    elif verb == "remove":
        del rows[at]
    else:
        other = at + (1 if verb == "down" else -1)
        if 0 <= other < len(rows):
            rows[at], rows[other] = rows[other], rows[at]
    data[start] = str(len(rows))
    for number, row in enumerate(rows, 1):
        for name, values in row.items():
            data.setlist(f"{start}{number}-{name}", values)
    return True


def _taken(data: QueryDict, start: str) -> dict[str, list[str]]:
    """Take out everything under a line's prefix."""
    return {key.removeprefix(start): data.pop(key) for key in list(data) if key.startswith(start)}


def _texts(value: Any) -> list[str]:
    if isinstance(value, bool):
        return ["1"] if value else []
    if isinstance(value, (list, tuple)):
        return [str(v) for v in value]
    return [] if value is None else [str(value)]

"""Template words of the account pages."""

from __future__ import annotations

from typing import Any

from django import template
from django.forms import BoundField

from apps.accounts.forms import NewPasswordForm

register = template.Library()


@register.inclusion_tag("accounts/components/field.html")
def account_field(
    field: BoundField, label: str, *, hint: str = "", type: str = "text", autocomplete: str = "off"
) -> dict[str, Any]:
    """A labelled text field; what is wrong with it, or else the hint, is what it is described by."""
    described_by = f"{field.id_for_label}_{'error' if field.errors else 'hint'}" if field.errors or hint else ""
    return {
        "field": field,
        "label": label,
        "hint": hint,
        "type": type,
        "autocomplete": autocomplete,
        "described_by": described_by,
    }


@register.inclusion_tag("accounts/components/new_password.html")
def new_password(form: NewPasswordForm, label: str) -> dict[str, Any]:
    """The fields for a password that is being chosen: twice, and shown on demand."""
    return {"password": form["password"], "again": form["again"], "label": label, "label_again": f"{label} again"}

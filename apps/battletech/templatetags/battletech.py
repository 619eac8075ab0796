"""Words of the record sheet's templates."""

from __future__ import annotations

from django import template
from django.template import Context

from apps.core import formats

register = template.Library()


@register.simple_tag(takes_context=True)
def odds_text(context: Context, p: float) -> str:
    """A probability in the reader's form as bare text, for SVG and attributes."""
    return formats.odds(p, getattr(context.get("prefs"), "odds", "percent"))


@register.filter
def in_points(p: float) -> str:
    """A difference of two chances in percentage points."""
    return formats.fixed(100 * p, 1)


@register.filter
def count(amount: int, noun: str) -> str:
    """ "1 die", "5 dice": ``{{ 5|count:"die,dice" }}``."""
    one, many = noun.split(",")
    return f"{amount} {one if amount == 1 else many}"

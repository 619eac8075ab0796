"""Words of the record sheet's templates."""

from __future__ import annotations

from django import template
from django.template import Context
from django.utils.html import format_html_join
from django.utils.safestring import SafeString

from apps.battletech.services.risk import Stretch
from apps.core import formats

register = template.Library()


@register.simple_tag(takes_context=True)
def odds_text(context: Context, p: float) -> str:
    """A probability in the reader's form as bare text, for SVG and attributes."""
    return formats.odds(p, getattr(context.get("prefs"), "odds", "percent"))


@register.simple_tag
def risk_bars(bars: list[tuple[int, Stretch]], heat: int) -> SafeString:
    """One bar a heat: any explosion, and within it the 'Mech lost."""
    rows = (
        (at, "is-on" if at == heat else "", f"{100 * stretch.p_any:.4g}", f"{100 * stretch.p_lost:.4g}")
        for at, stretch in bars
    )
    return format_html_join("", '<i data-hb="{}" class="{}" style="--a:{};--m:{}"><b></b><u></u></i>', rows)


@register.filter
def in_points(p: float) -> str:
    """A difference of two chances in percentage points."""
    return formats.fixed(100 * p, 1)


@register.filter
def count(amount: int, noun: str) -> str:
    """ "1 die", "5 dice": ``{{ 5|count:"die,dice" }}``."""
    one, many = noun.split(",")
    return f"{amount} {one if amount == 1 else many}"

"""Template words of the lessons."""

from __future__ import annotations

from fractions import Fraction

from django import template

from apps.core import formats
from apps.lessons.services.lesson import Share, write

register = template.Library()


@register.filter
def figure(value: object, how: str = "") -> str:
    """A count, a chance or a fraction as the lessons write it: ``{{ share|figure:"of" }}``."""
    return write(value, str(how))


@register.filter
def bar(value: Share | Fraction | float) -> str:
    """A share as the length of a bar, in percent."""
    return f"{100 * float(value.p if isinstance(value, Share) else value):.4g}"


@register.filter
def points(share: float) -> str:
    """A difference between two shares, in percentage points."""
    return f"{formats.signed(100 * share, 1)} points"


@register.filter
def percentage_points(share: float) -> str:
    """How far two shares are apart, without a sign."""
    return f"{100 * abs(share):.1f} percentage points"


@register.filter
def sign(value: float) -> str:
    """A difference with its sign."""
    return formats.signed(float(value), 2)

"""Template words for the glossary. Loaded in every template."""

from __future__ import annotations

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.text import slugify

from apps.help import glossary

register = template.Library()


@register.simple_tag
def term(name: str, shown: str = "") -> SafeString:
    """``{% term "expected value" %}``: a word with a dotted line; its meaning on hover, focus or tap."""
    found = glossary.find(name)
    return format_html(
        '<button type="button" class="tip" aria-describedby="term-{0}">{1}'
        '<span role="tooltip" id="term-{0}">{2}</span></button>',
        slugify(name),
        shown or name,
        found.meaning,
    )

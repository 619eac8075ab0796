"""Tags of the dice page."""

from __future__ import annotations

from django import template
from django.template import Context
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

register = template.Library()


@register.simple_tag(takes_context=True)
def embed_code(context: Context) -> SafeString:
    """The markup that shows this answer on another page."""
    address = context["request"].build_absolute_uri(f"{reverse('dice:embed')}?{context['query']}")
    return format_html('<iframe src="{}" width="740" height="520" title="Dice odds"></iframe>', address)

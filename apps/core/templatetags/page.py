"""Template words for what a page is made of: scripts, charts, messages beside a field. Loaded in every template."""

from __future__ import annotations

from typing import Any, cast

from django import template
from django.template import Context
from django.templatetags.static import static
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from apps.core.static_files import modules_of

register = template.Library()


@register.simple_tag(takes_context=True)
def script(context: Context, path: str) -> SafeString:
    """``{% script "js/core/home.js" %}``: a module, and the modules it imports, asked for at once and once a page."""
    asked: set[str] = cast(dict[str, Any], context.render_context).setdefault("scripts", set())
    needed = [module for module in modules_of(path) if module not in asked]
    asked.update(needed)
    preloads = format_html_join("", '<link rel="modulepreload" href="{}">', ((static(module),) for module in needed))
    return format_html('{}<script type="module" src="{}"></script>', preloads, static(path))


@register.inclusion_tag("components/chart.html")
def chart(figure: Any, label: str, id: str = "", caption: str = "") -> dict[str, Any]:
    """A chart: ``figure`` of :mod:`apps.core.charts`; ``label`` says what it shows and which table has the numbers."""
    return {"figure": figure, "label": label, "id": id, "caption": caption}


@register.inclusion_tag("components/field_error.html")
def field_error(text: str, id: str = "") -> dict[str, str]:
    """A message beside a field; the field names ``id`` in its ``aria-describedby``."""
    return {"text": text, "id": id}

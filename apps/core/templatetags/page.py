"""Template words for what a page is made of: scripts, charts, messages beside a field. Loaded in every template."""

from __future__ import annotations

from typing import Any, cast

import segno
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


@register.simple_tag
def qr(address: str, label: str) -> SafeString:
    """An address for a phone's camera: a QR code as SVG, dark on light whatever the theme; ``label`` names it.

    >>> drawn = qr("https://odds.example/classroom/join/K7QF3M/", "Join the class")
    >>> drawn[:4], 'aria-label="Join the class"' in drawn
    ('<svg', True)
    """
    size = segno.make(address, error="m")
    side = size.symbol_size(border=4)[0]
    path = "".join(
        f"M{x} {y}h1v1h-1z" for y, row in enumerate(size.matrix_iter(border=4)) for x, dark in enumerate(row) if dark
    )
    return format_html(
        '<svg class="qr" viewBox="0 0 {} {}" role="img" aria-label="{}" shape-rendering="crispEdges">'
        '<path fill="#fff" d="M0 0h{}v{}H0z"/><path fill="#000" d="{}"/></svg>',
        side,
        side,
        label,
        side,
        side,
        path,
    )


@register.inclusion_tag("components/chart.html")
def chart(figure: Any, label: str, id: str = "", caption: str = "") -> dict[str, Any]:
    """A chart: ``figure`` of :mod:`apps.core.charts`; ``label`` says what it shows and which table has the numbers."""
    return {"figure": figure, "label": label, "id": id, "caption": caption}


@register.inclusion_tag("components/field_error.html")
def field_error(text: str, id: str = "") -> dict[str, str]:
    """A message beside a field; the field names ``id`` in its ``aria-describedby``."""
    return {"text": text, "id": id}

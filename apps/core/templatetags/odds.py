"""Template words of the design system: numbers as people read them, dice, icons, charts. Loaded in every template."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Any

from django import template
from django.template import Context, loader
from django.utils.html import format_html, format_html_join, json_script
from django.utils.safestring import SafeString, mark_safe

from apps.core import formats
from apps.core.keyboard import SCOPES

register = template.Library()


class Remember(template.Node):
    """Renders its content once and keeps it under a name, so that a block can be printed in two places."""

    def __init__(self, nodelist: template.NodeList, name: str, *, silently: bool) -> None:
        self.nodelist, self.name, self.silently = nodelist, name, silently

    def render(self, context: Context) -> str:
        context[self.name] = text = mark_safe(self.nodelist.render(context).strip())
        return "" if self.silently else text


@register.tag
def remember(parser: template.base.Parser, token: template.base.Token) -> Remember:
    """``{% remember as page_title %}{% block title %}…{% endblock %}{% endremember %}``; ``silently``: for later."""
    match token.split_contents():
        case [_, "as", name]:
            silently = False
        case [_, "as", name, "silently"]:
            silently = True
        case _:
            raise template.TemplateSyntaxError("write {% remember as name %} or {% remember as name silently %}")
    nodelist = parser.parse(("endremember",))
    parser.delete_first_token()
    return Remember(nodelist, name, silently=silently)


FACE_WORDS = ("blank", "one", "two", "three", "four", "five", "six")
SPARK_WIDTH, SPARK_HEIGHT = 200, 56


@register.filter
def loss(points: float) -> str:
    return formats.loss(points)


@register.filter
def is_loss(points: float) -> bool:
    """Would these points print as anything but 0.00?"""
    return points >= formats.PRINTS_AS_ZERO


@register.filter
def percent(p: float, places: int = 1) -> str:
    return formats.percent(p, places)


@register.filter
def percentage(p: float) -> str:
    """A bare number of percent for a style, such as the length of a bar."""
    return f"{100 * p:.4g}"


@register.filter
def one_in(p: float) -> str:
    return formats.one_in(p)


@register.filter
def fraction(p: float) -> str:
    return formats.fraction(p)


@register.filter
def number(x: float, places: int = 2) -> str:
    return formats.number(x, places)


@register.filter
def signed(x: float, places: int = 2) -> str:
    return formats.signed(x, places)


@register.filter
def heat(p: float | None) -> str:
    return formats.heat(p)


@register.simple_tag(takes_context=True)
def odds(context: Context, p: float) -> SafeString:
    """A probability in the reader's preferred form; the exact value rides along, so the form can change in place."""
    return _odds(float(p), _style(context))


@register.simple_tag(takes_context=True)
def heat_cells(context: Context, chances: Sequence[float], here: int | None = None) -> SafeString:
    """A row of a heat grid: every chance in a cell on its step of the ramp, the one numbered ``here`` from 1 marked.

    Drawn here and not in a loop of the template: a grid has hundreds of cells, and a template takes 50 µs for each.
    """
    style = _style(context)
    cells = (
        f'<td data-h="{formats.heat(p)}"{MARKED if number == here else ""}>{_odds(float(p), style)}</td>'
        for number, p in enumerate(chances, 1)
    )
    return mark_safe("".join(cells))  # of figures alone


MARKED = ' class="is-here"'


@lru_cache(maxsize=16_384)
def _odds(p: float, style: str) -> SafeString:
    return format_html('<span class="odds num" data-p="{}">{}</span>', repr(p), formats.odds(p, style))


@register.simple_tag(takes_context=True)
def heat_cell(context: Context, p: float) -> SafeString:
    """A probability on its step of the ramp, printed in the reader's preferred form."""
    return format_html(
        '<span class="heat" data-h="{}" data-p="{}">{}</span>',
        heat(p),
        repr(float(p)),
        formats.odds(p, _style(context)),
    )


@register.simple_tag(takes_context=True)
def large_odds(context: Context, p: float) -> SafeString:
    """A chance for a headline, in the reader's preferred form, its unit smaller."""
    number, _, unit = formats.odds(p, _style(context)).partition(formats.NBSP)
    return _with_unit(number, unit)


@register.simple_tag(takes_context=True)
def headline_number(context: Context, answer: Any) -> SafeString:
    """The number of an :class:`~apps.core.calculator.Answer`, large; a probability in the reader's preferred form."""
    if answer.chance is None:
        return format_html('<p class="headline__number num">{}</p>', _with_unit(answer.shown, answer.unit))
    shown = large_odds(context, answer.chance)
    return format_html('<p class="headline__number num" data-chance="{}">{}</p>', repr(float(answer.chance)), shown)


def _with_unit(number: str, unit: str) -> SafeString:
    return format_html("{}<small>{}</small>", number, unit) if unit else format_html("{}", number)


def _style(context: Context) -> str:
    return getattr(context.get("prefs"), "odds", "percent")


@register.simple_tag
def delta(x: float, places: int = 2, boxed: bool = False) -> SafeString:
    """A signed difference; its colour repeats its sign."""
    box = " delta-box" if boxed else ""
    return format_html(
        '<span class="delta{} delta--{}">{}</span>', box, formats.trend(x, places), formats.signed(x, places)
    )


@register.simple_tag
@cache
def icon(name: str, label: str = "") -> SafeString:
    """A drawing from the page's sprite. With a label it is an image, without one it is decoration."""
    if label:
        return format_html('<svg class="icon" role="img" aria-label="{}"><use href="#i-{}"/></svg>', label, name)
    return format_html('<svg class="icon" aria-hidden="true"><use href="#i-{}"/></svg>', name)


@register.simple_tag
@cache
def keyboard_list() -> SafeString:
    """Every shortcut, for the dialog of each page. The table does not change while the process lives."""
    return mark_safe(loader.render_to_string("components/keyboard_list.html", {"shortcut_scopes": SCOPES}))


@register.simple_tag
@cache
def pips(face: int) -> SafeString:
    """The pips of a face alone, to put inside a button of one's own."""
    return format_html('<svg aria-hidden="true"><use href="#d{}"/></svg>', face)


@register.simple_tag
def die(face: int, size: str = "", kind: str = "") -> SafeString:
    """A die to look at. Sizes: m, s, xs; kinds: keep, hit, out."""
    classes = " ".join(["die", *(f"die--{part}" for part in (size, kind) if part)])
    return format_html('<span class="{}" role="img" aria-label="{}">{}</span>', classes, FACE_WORDS[face], pips(face))


@register.simple_tag
def spark(values: Sequence[float], hot: Sequence[int] = ()) -> SafeString:
    """A distribution the size of a word. ``hot`` are the indices that stand out."""
    step = (SPARK_WIDTH + 2) / len(values)
    top = max(values)
    bars = []
    for i, value in enumerate(values):
        height = max(2.0, SPARK_HEIGHT * value / top)
        bars.append(
            (
                f"{i * step:.1f}",
                f"{SPARK_HEIGHT - height:.1f}",
                f"{step - 2:.1f}",
                f"{height:.1f}",
                "spark__likeliest" if i in hot else "",
            )
        )
    rects = format_html_join("", '<rect x="{}" y="{}" width="{}" height="{}" class="{}"/>', bars)
    return format_html(
        '<svg class="spark" viewBox="0 0 {} {}" preserveAspectRatio="none" aria-hidden="true">{}</svg>',
        SPARK_WIDTH,
        SPARK_HEIGHT,
        rects,
    )


@register.simple_tag
def figure_json(figure: dict[str, Any]) -> SafeString:
    """A chart's data for the script that draws it. Data, not code: the content policy allows no inline script."""
    return json_script(figure)


@register.inclusion_tag("components/stepper.html")
def stepper(name: str, value: object, label: str, **options: Any) -> dict[str, Any]:
    """− value +, a number input at heart. Options: id, min, max, step, suffix, prefix, error, disabled."""
    known = {"id": name, "min": 0, "max": 99, "step": 1, "suffix": "", "prefix": "", "error": "", "disabled": False}
    return {**known, **options, "name": name, "value": value, "label": label}


@register.inclusion_tag("components/row.html")
def row(bound: Any, wide: bool = False) -> dict[str, Any]:
    """A form field as label, control, hint and error, drawn by its widget."""
    attrs = {
        "class": "input",
        "aria-invalid": "true" if bound.errors else None,
        "aria-describedby": f"{bound.auto_id}-hint" if bound.help_text else None,
    }
    control = bound.as_widget(attrs={key: value for key, value in attrs.items() if value})
    return {"bound": bound, "control": control, "wide": wide}

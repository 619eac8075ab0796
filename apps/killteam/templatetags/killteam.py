"""A matrix of up to ten thousand cells as HTML: written by hand, because templates take seconds for that many."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any
from urllib.parse import parse_qsl, urlencode

from django import template
from django.template import Context
from django.template.loader import get_template
from django.urls import reverse
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe

from apps.core import formats
from apps.core.forms import CalculatorForm
from apps.core.templatetags.calculator import Control, control_of, draw
from apps.killteam.forms import RulesForm
from apps.killteam.options import left_out
from apps.killteam.services import matrix
from apps.killteam.team_fields import TeamPart

register = template.Library()
PROFILE_GROUPS = ("attacker", "defender", "one", "two")


@register.simple_tag(takes_context=True)
def matrix_grid(context: Context, arranged: dict[str, Any], query: str = "") -> SafeString:
    """The heat map. With a ``query``, the names of rows and columns are links that sort by them."""
    measure, low, span = arranged["measure"], arranged["low"], arranged["span"]
    style = getattr(context.get("prefs"), "odds", "percent")

    def head(number: int, name: str, field: str, now: int) -> str:
        if not query:
            return str(escape(name))
        other = 0 if number == now else number
        pairs = [(k, v) for k, v in parse_qsl(query, keep_blank_values=True) if k != field]
        href = escape("?" + urlencode([*pairs, *([(field, str(other))] if other else [])]) + "#matrix")
        mark = " ★" if number == now else ""
        return f'<a href="{href}" title="Sort by {escape(name)}">{escape(name)}{mark}</a>'

    def cell(value: float) -> str:
        share = (value - low) / span
        step = formats.heat(share if measure.more_is_better else 1 - share)
        if measure.is_chance:
            return f'<td data-h="{step}"><span class="odds" data-p="{value!r}">{formats.odds(value, style)}</span></td>'
        return f'<td data-h="{step}">{value:.2f}</td>'

    columns = "".join(
        f'<th scope="col">{head(n, name, "column", arranged["sorted_by"])}</th>' for n, name in arranged["columns"]
    )
    rows = "".join(
        f'<tr><th scope="row">{head(n, name, "row", arranged["sorted_along"])}</th>{"".join(map(cell, cells))}</tr>'
        for n, name, cells in arranged["rows"]
    )
    # Every text is escaped above; the rest is ours.
    return mark_safe(
        f'<table class="heatgrid match-matrix"><thead><tr><th scope="col">Attacker</th>{columns}</tr></thead>'
        f"<tbody>{rows}</tbody></table>"
    )


@register.filter
def is_profile(group: str) -> bool:
    """Whether a group of controls is a profile: something to pick, and to save."""
    return group in PROFILE_GROUPS


@register.simple_tag
def team_fold(form: CalculatorForm, group: str, letter: str, page: str) -> SafeString:
    """A side's team, its weapon, and the options that are on; nothing for a group that is no side."""
    if not isinstance(form, RulesForm):
        return SafeString()
    part = next((part for part in form.teams if part.group == group), None)
    if part is None:
        return SafeString()
    controls = tuple(control_of(form[name]) for name in part.fields)
    return _team_fold(part, letter, page, controls, form.set_in_team(part))


@lru_cache(maxsize=1024)
def _team_fold(part: TeamPart, letter: str, page: str, controls: tuple[Control, ...], set_in_fold: int) -> SafeString:
    """Drawn once for all sheets that have the same set."""
    team, *weapon, options = controls
    context = {
        "team": draw(team),
        "weapon": draw(weapon[0]) if weapon else "",
        "options": draw(options),
        "left_out": left_out(str(team.value)),
        "letter": letter,
        "group": part.group,
        "set_in_fold": set_in_fold,
        "address": f"{reverse(f'killteam:{page}-options')}?{urlencode({'side': letter, 'group': part.group})}",
    }
    return mark_safe(get_template("killteam/components/team_fold.html").render(context))  # escaped by the template


@register.simple_tag
def line_address(query: str, letter: str, step: Mapping[str, Any], action: str) -> str:
    """The same sheet with another move at a step of the line."""
    name = "sideways" if letter == "a" else f"{letter}-sideways"
    pairs = [(key, value) for key, value in parse_qsl(query, keep_blank_values=True) if key != name]
    return f"?{urlencode([*pairs, (name, step['ways'][action])])}#line-{letter}"


@register.simple_tag
def arranged_result(result: dict[str, Any]) -> dict[str, Any]:
    """A finished job's chances to kill, best attacker first."""
    return matrix.arranged(result, order="best")

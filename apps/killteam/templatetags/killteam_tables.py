"""Tables of hundreds of cells as HTML: written by hand, because a template takes 50 µs for each of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django import template
from django.template import Context
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe

from apps.core import formats
from apps.core.templatetags.odds import odds

register = template.Library()
SHOWN_ROWS = 60  # of a table on the page; the CSV has them all
MARKED = ' class="is-mark"'
KILL, DEAD = (f' <span class="tag">{word}</span>' for word in ("kill", "dead"))


@register.simple_tag(takes_context=True)
def outcome_rows(context: Context, outcomes: Sequence[Mapping[str, Any]]) -> SafeString:
    """Every amount of damage with its chances, of one situation or two (services.shoot.joint_rows)."""

    def cells(letter: str, *chances: float) -> str:
        exactly, at_least, at_most = (odds(context, p) for p in chances)
        return (
            f'<td class="column-{letter} column-group-start">{exactly}</td>'
            f'<td class="column-{letter}">{at_least}</td><td class="column-{letter}">{at_most}</td>'
        )

    return mark_safe(  # of figures alone
        "".join(
            f'<tr{MARKED if row["is_mark"] else ""}><th scope="row" class="num">{row["value"]}'
            f"{KILL if row['is_mark'] else ''}</th>"
            f"{''.join(cells(*cell) for cell in row['cells'])}</tr>"
            for row in outcomes
        )
    )


@register.simple_tag(takes_context=True)
def wound_rows(context: Context, rows: Sequence[Sequence[float]]) -> SafeString:
    """Each number of wounds left, with its chances: exactly, at least, at most."""
    return mark_safe(  # of figures alone
        "".join(
            f'<tr{"" if wounds else MARKED}><th scope="row" class="num">{wounds}'
            f"{'' if wounds else DEAD}</th>"
            f"{''.join(f'<td>{odds(context, p)}</td>' for p in chances)}</tr>"
            for wounds, *chances in rows[:SHOWN_ROWS]
        )
    )


@register.simple_tag(takes_context=True)
def joint_rows(context: Context, rows: Sequence[tuple[int, Sequence[tuple[float, float, bool]]]]) -> SafeString:
    """Wounds left of both, the likeliest pair on the lightest step (services.fight.joint_picture)."""

    def cell(p: float, share: float, _: bool) -> str:
        none = "" if p > 0 else ' class="is-none"'
        return f'<td data-h="{formats.heat(share)}"{none}>{odds(context, p) if p > 0 else ""}</td>'

    return mark_safe(  # of figures alone
        "".join(
            f'<tr><th scope="row" class="num">{f"{wounds} W" if wounds else "dead"}</th>'
            f"{''.join(cell(*values) for values in row)}</tr>"
            for wounds, row in rows
        )
    )


@register.simple_tag(takes_context=True)
def success_rows(context: Context, rows: Sequence[tuple[int, Sequence[float]]]) -> SafeString:
    """Chances of criticals (rows) and normals (columns)."""

    def cell(p: float) -> str:
        return f'<td data-h="{formats.heat(p)}">{odds(context, p) if p > 0 else ""}</td>'

    return mark_safe(  # of figures alone
        "".join(f'<tr><th scope="row" class="num">{crits}</th>{"".join(map(cell, row))}</tr>' for crits, row in rows)
    )


@register.simple_tag
def duel_rows(rows: Sequence[Mapping[str, Any]]) -> SafeString:
    """Each attacker with a cell a target, every cell a link (duel_tables.tables); names come from people: escaped."""

    def cell(one: Mapping[str, Any]) -> str:
        if not one["href"]:
            return f'<td data-h="{one["step"]}">{escape(one["text"])}</td>'
        star = " ★" if one["is_best"] else ""
        link = f'<a href="{escape(one["href"])}" title="{escape(one["note"])}">{escape(one["text"])}{star}</a>'
        return f'<td data-h="{one["step"]}">{link}</td>'

    def head(row: Mapping[str, Any]) -> str:
        switched = escape(", ".join(row["switched"]))
        note = f' <span class="small muted duel-table__switched">{switched}</span>' if switched else ""
        return f'<th scope="row"><a href="{escape(row["href"])}">{escape(row["name"])}</a>{note}</th>'

    # Every text is escaped above; the rest is ours.
    return mark_safe("".join(f"<tr>{head(row)}{''.join(map(cell, row['cells']))}</tr>" for row in rows))

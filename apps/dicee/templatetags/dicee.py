"""Template words of the table and of the pages after a game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Sized
from typing import Any

from django import template
from django.urls import reverse

from apps.core.formats import PRINTS_AS_ZERO, number, percent
from apps.dicee.services import analyse
from apps.dicee.services.page import BOX_WORDS, WinBar, simulation
from apps.dicee.services.review import Decision, Problem, Report
from apps.dicee.services.table import Place

register = template.Library()


@register.filter
def player_classes(place: Place) -> str:
    """How a player's line in the list looks: mine, on turn, gone."""
    states = {"player--you": place.is_me, "is-on": place.on_turn, "is-gone": place.left}
    return " ".join(["player", *(name for name, holds in states.items() if holds)])


@register.filter
def win_words(bars: Sequence[WinBar]) -> str:
    """The win bar in words."""
    return ", ".join(f"{bar.place.name} {percent(bar.p, 0)}" for bar in bars)


@register.filter
def kept_dice(decision: Decision) -> list[tuple[int, bool]]:
    """The dice of a decision, each with whether it was kept; none is marked when they were written down."""
    wanted = list(decision.chosen.keep or ())
    marked = []
    for face in decision.position.dice:
        kept = face in wanted
        if kept:
            wanted.remove(face)
        marked.append((face, kept))
    return marked


@register.filter
def card_lines(decision: Decision | Problem) -> list[tuple[str, int | None]]:
    """The card before a decision, box by box."""
    points = decision.position.card.points
    return [(short, points[n]) for n, (_, short, _) in enumerate(BOX_WORDS)]


@register.filter
def verdict(report: Report) -> str:
    """The result in two sentences: against par, then where the difference comes from."""
    if report.par is None or report.luck is None:
        return f"{number(report.points_lost, 1)} points lost by choices."
    over = round(report.score - report.par)
    against = f"{abs(over)} points {'over' if over > 0 else 'under'} par." if over else "Exactly par."
    dice = f"The dice {'gave' if report.luck >= 0 else 'took'} {number(abs(report.luck), 1)}"
    if report.points_lost < PRINTS_AS_ZERO:
        return f"{against} {dice}; no decision cost anything."
    also = "gave back" if report.luck >= 0 else "cost another"
    return f"{against} {dice}; decisions {also} {number(report.points_lost, 1)}."


@register.filter
def plus(x: float, y: float) -> float:
    return x + y


@register.filter
def per(x: float, many: Sized) -> float:
    return x / max(1, len(many))


@register.filter
def at(mapping: Mapping[Any, Any], key: Any) -> Any:
    return mapping.get(key, "")


@register.filter
def convergence(result: dict[str, Any]) -> dict[str, Any]:
    return simulation.convergence(result)


register.simple_tag(analyse.link_to, name="board_link")


@register.simple_tag
def replay_link(slip: Any) -> str:
    """Where a game can be seen at the moment of a slip."""
    return f"{reverse('dicee:replay', args=[slip.game])}?at={slip.slip.at}&player={slip.player_ref}"

"""What the pages of two armies show: tables of cells, switches, one cell in full."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from django.urls import reverse

from apps.core import formats
from apps.core.calculator import Table
from apps.rosters.addresses import OTHER, Address
from apps.warhammer40k import switches
from apps.warhammer40k.services.duel import PHASES, Cell, Duel, Fighter, Pair


class Measure(NamedTuple):
    """A way to read a cell."""

    key: str
    title: str
    note: str


MEASURES = {
    measure.key: measure
    for measure in (
        Measure("points", "Points", "points of the target destroyed on average"),
        Measure("wiped", "Wiped out", "chance that nothing is left of the target"),
        Measure("models", "Models", "models destroyed on average"),
        Measure("wounds", "Wounds", "wounds lost on average"),
    )
}
#: What is possible is never printed as 0.0.
SMALLEST = 0.05


def value(cell: Cell, show: str) -> float:
    return float(getattr(cell, show))


def share(cell: Cell, target: Fighter, show: str) -> float:
    """How much of what could be lost is: the step of the heat."""
    most = {"points": target.points, "wiped": 1.0, "models": cell.of_models, "wounds": cell.of_wounds}[show]
    return value(cell, show) / most if most else 0.0


def printed(cell: Cell, show: str) -> str:
    if not cell.wounds:
        return "–"
    if show == "wiped":
        return formats.percent(cell.wiped)
    number = value(cell, show)
    if number < SMALLEST:
        return "<0.1"
    return f"{number:.0f}" if show == "points" and number >= 1 else f"{number:.1f}"


def tables(duel: Duel, cells: Mapping[Pair, Cell], address: Address) -> list[dict[str, Any]]:
    """Both directions: who attacks along the rows, who is attacked along the columns."""
    return [_direction(duel, cells, address, side) for side in ("a", "b")]


def _direction(duel: Duel, cells: Mapping[Pair, Cell], address: Address, side: str) -> dict[str, Any]:
    attackers, targets = duel.fighters[side], duel.fighters[OTHER[side]]
    names = {"a": duel.a["name"], "b": duel.b["name"]}
    rows = [
        {
            "name": attacker.name,
            "points": attacker.points,
            "href": _unit_link(address, attacker),
            "switched": _labels(attacker),
            "cells": [
                _shown_cell(cells.get(Pair(side, at, to)), target, address, Pair(side, at, to))
                for to, target in enumerate(targets)
            ],
            "total": _row_total(cells, side, at, len(targets), address.show),
        }
        for at, attacker in enumerate(attackers)
    ]
    return {
        "side": side,
        "title": f"{names[side]} into {names[OTHER[side]]}",
        "columns": [{"name": one.name, "points": one.points, "href": _unit_link(address, one)} for one in targets],
        "rows": rows,
        "taken": [_taken(cells, side, to, target, len(attackers)) for to, target in enumerate(targets)],
    }


def _unit_link(address: Address, fighter: Fighter) -> str:
    return f"{address.link()}&unit={fighter.side}{fighter.place + 1}#unit"


def _labels(fighter: Fighter) -> list[str]:
    return [switches.BY_KEY[key].label for key in fighter.switched]


def _shown_cell(cell: Cell | None, target: Fighter, address: Address, pair: Pair) -> dict[str, Any]:
    if cell is None:
        return {"text": "", "step": "n", "href": ""}
    heat = formats.heat(share(cell, target, address.show)) if cell.wounds else "n"
    href = (
        f"{reverse('warhammer40k:duel-cell')}?{address.query()}&side={pair.side}&from={pair.attacker}&to={pair.target}"
    )
    return {"text": printed(cell, address.show), "step": heat, "href": href}


def _row_total(cells: Mapping[Pair, Cell], side: str, at: int, targets: int, show: str) -> str:
    """The best a unit does: its mean over the targets says how much of an all-rounder it is."""
    found = [cell for to in range(targets) if (cell := cells.get(Pair(side, at, to))) is not None]
    mean = sum(value(cell, show) for cell in found) / len(found) if found else 0.0
    return formats.percent(mean) if show == "wiped" else f"{mean:.1f}"


def _taken(cells: Mapping[Pair, Cell], side: str, to: int, target: Fighter, attackers: int) -> str:
    """Wounds lost to one of these units on average, per 100 points of the target."""
    found = [cell.wounds for at in range(attackers) if (cell := cells.get(Pair(side, at, to))) is not None]
    if not found or not target.points:
        return "–"
    return f"{100 * sum(found) / len(found) / target.points:.2f}"


def csv_table(duel: Duel, cells: Mapping[Pair, Cell]) -> Table:
    """Every cell of both directions, every digit."""
    rows = [
        (
            duel.attacker(pair).name,
            duel.attacker(pair).points,
            duel.target(pair).name,
            duel.target(pair).points,
            *cell,
        )
        for pair, cell in cells.items()
    ]
    header = ("Attacker", "Attacker's points", "Target", "Target's points", "Models destroyed", "Models",
              "Wounds lost", "Wounds", "Points destroyed", "Chance to wipe out")  # fmt: skip
    return Table("duel", f"{PHASES[duel.phase]}: every unit against every other", header, rows)


def switch_groups(address: Address, prefix: str) -> list[dict[str, Any]]:
    """The switches of an army ("a") or a unit ("a3"), attack and defence apart."""
    return [
        {
            "title": title,
            "switches": [
                {"word": f"{prefix}.{one.key}", "label": one.label, "on": f"{prefix}.{one.key}" in address.on}
                for one in switches.SWITCHES
                if one.side == side
            ],
        }
        for side, title in (("attack", "When it attacks"), ("defence", "When it is attacked"))
    ]

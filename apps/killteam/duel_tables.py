"""What the pages of two rosters show: the headline, who should attack whom, tables of cells, switches, the sheet."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from django.urls import reverse

from apps.core import formats
from apps.core.calculator import Table
from apps.killteam import options
from apps.killteam.options import Switch
from apps.killteam.services.duel import MEASURES, PHASES, Cell, Combatant, Duel, FightCell, Grid, ShotCell
from apps.killteam.services.measures import Measure
from apps.rosters.addresses import OTHER, Address

ROUTE, USUAL = "killteam:duel", "kill"
#: Titles of the switches' kinds, in the order they are shown.
KINDS = {
    "situation": "At the table",
    "equipment": "Equipment",
    "strategic ploy": "Strategic ploys",
    "firefight ploy": "Firefight ploys",
    "faction rule": "Faction rules",
}


# -- Cells ----------------------------------------------------------------------------------------------------------


def value(cell: Cell, measure: Measure) -> float:
    return float(getattr(cell, measure.key))


def printed(cell: Cell, measure: Measure) -> str:
    number = value(cell, measure)
    return formats.percent(number) if measure.is_chance else formats.number(number, 1)


@lru_cache(maxsize=64)
def _cells_of(address: Address) -> str:
    """What the addresses of all cells begin with: a page has hundreds of them."""
    return f"{reverse('killteam:duel-cell')}?{address.query()}"


def cell_link(address: Address, side: str, at: int, to: int) -> str:
    return f"{_cells_of(address)}&side={side}&from={at}&to={to}"


class Best(NamedTuple):
    """Who should attack whom, with what."""

    name: str
    other: str
    weapon: str
    shown: str
    chance: float | None
    href: str


def _rank(cell: Cell, measure: Measure) -> tuple[float, float]:
    """More is better; equal chances are told apart by what else the cell says."""
    number = round(value(cell, measure), 9)
    more = cell.damage if isinstance(cell, ShotCell) else cell.kill - cell.die
    return (number if measure.more_is_better else -number), more


def _best(cells: Sequence[tuple[int, Cell | None]], measure: Measure) -> tuple[int, Cell] | None:
    known = [(at, cell) for at, cell in cells if cell is not None]
    return max(known, key=lambda pair: _rank(pair[1], measure)) if known else None


def best_targets(duel: Duel, grid: Grid, address: Address, side: str, measure: Measure) -> list[Best]:
    """For each operative that can attack: the target it does most to."""
    found = []
    for at, one in enumerate(duel.sides[side]):
        best = _best(list(enumerate(grid[at])), measure)
        if best is not None:
            found.append(_named(duel, address, side, (at, best[0]), best[1], measure, one.name))
    return found


def best_operatives(duel: Duel, grid: Grid, address: Address, side: str, measure: Measure) -> list[Best]:
    """For each target: the operative that does most to it."""
    found = []
    for to, target in enumerate(duel.sides[OTHER[side]]):
        best = _best([(at, row[to]) for at, row in enumerate(grid)], measure)
        if best is not None:
            found.append(_named(duel, address, side, (best[0], to), best[1], measure, target.name))
    return found


def _named(
    duel: Duel, address: Address, side: str, pair: tuple[int, int], cell: Cell, measure: Measure, name: str
) -> Best:
    at, to = pair
    attacker, target = duel.sides[side][at], duel.sides[OTHER[side]][to]
    other = target.name if name == attacker.name else attacker.name
    chance = value(cell, measure) if measure.is_chance else None
    return Best(name, other, cell.weapon, printed(cell, measure), chance, cell_link(address, side, at, to))


# -- The page -------------------------------------------------------------------------------------------------------


def headline(duel: Duel, grid: Grid, measure: Measure) -> dict[str, Any] | None:
    """The best attack of roster A: a number and a sentence."""
    cells = [((at, to), cell) for at, row in enumerate(grid) for to, cell in enumerate(row) if cell is not None]
    if not cells:
        return None
    (at, to), cell = max(cells, key=lambda pair: _rank(pair[1], measure))
    attacker, target = duel.sides["a"][at], duel.sides["b"][to]
    shown, unit = formats.percent_parts(value(cell, measure)) if measure.is_chance else (printed(cell, measure), "")
    return {
        "shown": shown,
        "unit": unit,
        "claim": f"{measure.claim}: {attacker.name} against {target.name}.",
        "rest": f"The best of {len(cells)} match-ups, with {cell.weapon}.",
    }


def tables(duel: Duel, grids: Mapping[str, Grid], address: Address, measure: Measure) -> list[dict[str, Any]]:
    """Both directions: who attacks along the rows, who is attacked along the columns."""
    return [_direction(duel, grids[side], address, side, measure) for side in ("a", "b")]


def _direction(duel: Duel, grid: Grid, address: Address, side: str, measure: Measure) -> dict[str, Any]:
    names = {"a": duel.a["name"], "b": duel.b["name"]}
    values = [value(cell, measure) for row in grid for cell in row if cell is not None]
    low, high = min([0.0, *values]), max([0.0, *values])
    targets = duel.sides[OTHER[side]]

    def shown(cell: Cell | None, at: int, to: int, best: int | None) -> dict[str, Any]:
        if cell is None:
            return {"text": "–", "step": "n", "href": "", "note": "", "is_best": False}
        share = (value(cell, measure) - low) / ((high - low) or 1.0)
        return {
            "text": printed(cell, measure),
            "step": formats.heat(share if measure.more_is_better else 1 - share),
            "href": cell_link(address, side, at, to),
            "note": cell.weapon,
            "is_best": to == best,
        }

    rows = []
    for at, one in enumerate(duel.sides[side]):
        best = _best(list(enumerate(grid[at])), measure)
        place = best[0] if best else None
        rows.append(
            {
                "name": one.name,
                "href": operative_link(address, one),
                "switched": own_labels(address, one),
                "cells": [shown(cell, at, to, place) for to, cell in enumerate(grid[at])],
            }
        )
    return {
        "side": side,
        "title": f"{names[side]} into {names[OTHER[side]]}",
        "columns": [{"name": one.name, "wounds": one.entry["wounds"], "save": one.entry["save"]} for one in targets],
        "rows": rows,
        "targets": best_targets(duel, grid, address, side, measure),
        "operatives": best_operatives(duel, grid, address, side, measure),
        "own": names[side],
        "other": names[OTHER[side]],
    }


def operative_link(address: Address, one: Combatant) -> str:
    return f"{address.link()}&operative={one.side}{one.place + 1}#operative"


def own_labels(address: Address, one: Combatant) -> list[str]:
    """What is on for this operative alone."""
    own = f"{one.side}{one.place + 1}."
    return [switch.title for switch in one.on if f"{own}{switch.key}" in address.on]


def csv_table(duel: Duel, grids: Mapping[str, Grid], phase: str) -> Table:
    """Every cell of both directions, every digit."""
    every = MEASURES[phase]
    extra = ("Reply",) if phase == "fight" else ()
    header = ("Roster", "Attacker", "Target", *(measure.title for measure in every.values()), "Weapon", *extra)
    rows = [
        (
            duel.a["name"] if side == "a" else duel.b["name"],
            duel.sides[side][at].name,
            duel.sides[OTHER[side]][to].name,
            *(value(cell, measure) for measure in every.values()),
            cell.weapon,
            *((cell.reply,) if isinstance(cell, FightCell) else ()),
        )
        for side, grid in grids.items()
        for at, row in enumerate(grid)
        for to, cell in enumerate(row)
        if cell is not None
    ]
    return Table(f"duel-{phase}", f"{PHASES[phase]}: every operative against every other", header, rows)


# -- Switches -------------------------------------------------------------------------------------------------------


def switch_groups(address: Address, prefix: str, team: str, phase: str) -> list[dict[str, Any]]:
    """The switches of a roster ("a") or an operative ("a3") that matter in a phase, by kind."""
    usable = [switch for switch in (*options.SITUATIONS, *options.of_team(team)) if phase in switch.phase]
    groups = []
    for kind, title in KINDS.items():
        own = [switch for switch in usable if switch.kind == kind]
        if own:
            groups.append({"title": title, "switches": [_switch(address, prefix, switch) for switch in own]})
    return groups


def _switch(address: Address, prefix: str, switch: Switch) -> dict[str, Any]:
    word = f"{prefix}.{switch.key}"
    return {"word": word, "label": switch.title, "on": word in address.on, "note": switch.note}


def words_beside(address: Address, groups: Sequence[Mapping[str, Any]]) -> list[str]:
    """What is on and has no control among these: it stays on when a form of them is sent."""
    shown = {switch["word"] for group in groups for switch in group["switches"]}
    return [word for word in address.on if word not in shown]


# -- The sheet for the table ------------------------------------------------------------------------------------------


def sheet(duel: Duel, shots: Grid, fights: Grid | None) -> list[dict[str, Any]]:
    """One card an operative of A: its figures, its weapons, and every enemy with the shot and the fight."""
    cards = []
    for at, one in enumerate(duel.sides["a"]):
        rows = []
        for to, enemy in enumerate(duel.sides["b"]):
            shot = shots[at][to]
            fight = fights[at][to] if fights is not None else None
            row: dict[str, Any] = {"name": enemy.name, "shot": shot, "fight": fight}
            rows.append(row)
        best_shot = _best(list(enumerate(shots[at])), MEASURES["shoot"]["kill"])
        best_fight = _best(list(enumerate(fights[at])), MEASURES["fight"]["kill"]) if fights is not None else None
        for best, what in ((best_shot, "best_shot"), (best_fight, "best_fight")):
            if best is not None:
                rows[best[0]][what] = True
        cards.append({"name": one.name, "entry": one.entry, "weapons": _carried(one), "rows": rows})
    return cards


def _carried(one: Combatant) -> list[str]:
    return [str(line) for line, _ in (*one.attackers, *one.fighters)]

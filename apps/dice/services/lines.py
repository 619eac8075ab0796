"""One line of a program as the page shows it, and the table its file holds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from apps.core import formats
from apps.core.calculator import Table
from engine.dice.language.program import Line, duration
from engine.dice.pmf import Pmf

#: Rows a table shows before it takes only every so many.
MOST_ROWS = 60
#: Distributions up to this long are shown whole; of longer ones a chart leaves out what is rarer at either end than
#: ``TAIL``, and a table puts it into one row. The file has every total.
SHORT, TAIL = 12, 1e-4
TITLES = {"number": "Every total", "text": "Every outcome"}
PERCENTILES = (5, 25, 50, 75, 95)


@dataclass(frozen=True, slots=True)
class Row:
    """One result of a line, or all the results of a thin tail."""

    name: str
    exactly: float
    at_least: float | None
    at_most: float | None


@dataclass(frozen=True, slots=True)
class LineView:
    """One line of a program as the page shows it; plain data, so that a job can keep it."""

    table: str
    title: str
    label: str
    text: str
    kind: str
    chance: float
    mean: float
    sd: float
    low: str
    high: str
    percentiles: list[tuple[int, int]]
    rows: list[Row]
    every: int
    results: int
    steps: list[str]
    notes: list[str]
    seconds: str
    margin: float


def view(line: Line, at: int) -> LineView:
    """A line as the page shows it."""
    pmf = line.pmf
    rows, every = shown_rows(line)
    return LineView(
        table=_table_name(at),
        title=TITLES.get(line.kind, line.label) if at == 0 else line.label,
        label=line.label,
        text=line.text,
        kind=line.kind,
        chance=pmf.exactly(1) if line.kind == "truth" else 0.0,
        mean=pmf.mean,
        sd=pmf.sd,
        low=line.name_of(pmf.low),
        high=line.name_of(pmf.high),
        percentiles=[(q, pmf.quantile(q / 100)) for q in PERCENTILES] if line.kind == "number" else [],
        rows=rows,
        every=every,
        results=int(np.count_nonzero(pmf.p)),
        steps=list(line.plan.steps),
        notes=list(line.plan.notes),
        seconds=duration(line.plan.seconds),
        margin=line.margin,
    )


def window(pmf: Pmf) -> tuple[int, int]:
    """From where to where a distribution is worth looking at."""
    if len(pmf.p) <= SHORT:
        return pmf.low, pmf.high
    low, high = pmf.quantile(TAIL), pmf.quantile(1 - TAIL)
    # A tail of one total is no shorter as a tail.
    return low if low > pmf.low + 1 else pmf.low, high if high < pmf.high - 1 else pmf.high


def shown_rows(line: Line) -> tuple[list[Row], int]:
    """The rows of a table: thin tails as one row each, the rest thinned out evenly where there is too much of it."""
    pmf = line.pmf
    if line.kind != "number":
        return [Row(line.name_of(value), p, None, None) for value, p in pmf.items()], 1
    at_least, at_most = _running(pmf)
    first, last = (value - pmf.low for value in window(pmf))
    every = -(-(last - first + 1) // MOST_ROWS)
    rows = [
        Row(formats.number(pmf.low + i, 0), float(pmf.p[i]), float(at_least[i]), float(at_most[i]))
        for i in range(first, last + 1, every)
        if pmf.p[i] > 0
    ]
    if first > 0:
        below = float(at_most[first - 1])
        rows.insert(0, Row(f"up to {formats.number(pmf.low + first - 1, 0)}", below, 1.0, below))
    if last + 1 < len(pmf.p):
        above = float(at_least[last + 1])
        rows.append(Row(f"{formats.number(pmf.low + last + 1, 0)} and up", above, above, 1.0))
    return rows, every


def _running(pmf: Pmf) -> tuple[np.ndarray, np.ndarray]:
    """At least and at most: the smaller of the two summed from its own end, the other what is left of 1."""
    above, below = np.cumsum(pmf.p[::-1])[::-1], np.cumsum(pmf.p)
    at_least = np.where(above <= 0.5, above, 1.0 - (below - pmf.p))
    at_most = np.where(below <= 0.5, below, 1.0 - (above - pmf.p))
    at_least[0] = at_most[-1] = 1.0
    return at_least, at_most


def _table_name(at: int) -> str:
    return "distribution" if at == 0 else f"line-{at + 1}"


def table(line: Line, at: int) -> Table:
    """Every result of a line with all its digits."""
    name = _table_name(at)
    if line.kind != "number":
        rows: list[tuple[Any, ...]] = [(line.name_of(value), p) for value, p in line.pmf.items()]
        return Table(name, line.label, ("Result", "Chance"), rows)
    at_least, at_most = _running(line.pmf)
    values = range(line.pmf.low, line.pmf.high + 1)
    columns = zip(values, line.pmf.p.tolist(), at_least.tolist(), at_most.tolist(), strict=True)
    title = "Every total" if at == 0 else line.label
    return Table(name, title, ("Total", "Exactly", "At least", "At most"), list(columns))

"""Charts of some lines: what is drawn, and the same as figures for the page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from apps.core import charts
from apps.dice.services.lines import window
from engine.dice.language.program import Line
from engine.dice.pmf import Pmf

#: Bars a chart has before it puts neighbours together.
MOST_BARS = 240


@dataclass(frozen=True, slots=True)
class Spread:
    """What a chart shows: for each line the chances from ``low`` on, each of ``width`` totals."""

    low: int
    width: int
    series: list[tuple[str, list[float]]]
    is_trimmed: bool

    @classmethod
    def of(cls, lines: Sequence[Line]) -> Spread:
        windows = [window(line.pmf) for line in lines]
        low, high = min(first for first, _ in windows), max(last for _, last in windows)
        width = -(-(high - low + 1) // MOST_BARS)
        trimmed = any(line.pmf.low < low or line.pmf.high > high for line in lines)
        series = [(line.label, binned(line.pmf, low, high, width)) for line in lines]
        return cls(low, width, series, trimmed)

    @property
    def values(self) -> list[int]:
        return [self.low + self.width * i for i in range(len(self.series[0][1]))]

    @property
    def note(self) -> str:
        """What the chart leaves out, in a sentence."""
        bars = f"Each bar is {self.width} totals" if self.width > 1 else ""
        tails = "the thinnest tails are left out here, not in the file" if self.is_trimmed else ""
        said = "; ".join(part for part in (bars, tails) if part)
        return f"{said[:1].upper()}{said[1:]}." if said else ""


def figures(lines: Sequence[Line], target: int | None = None, question: str = "at_least") -> dict[str, Any]:
    """The charts of some lines with numbers, and the key where two of them need one."""
    if not lines:
        return {}
    spread = Spread.of(lines)
    low, width = spread.low, spread.width
    series = [(name, low, values) for name, values in spread.series]
    threshold = target if question != "exactly" and width == 1 else None
    if len(series) <= 2:
        figure = charts.distribution(series, axis="Total", threshold=threshold, above=question == "at_least")
        _stretch(figure, low, width)
    else:
        curves = [(name, spread.values, values) for name, values in spread.series]
        figure = charts.lines(curves, x="Total", y="Chance")
        for at, trace in enumerate(figure["data"]):
            trace["line"]["dash"] = dash(at)
        figure["layout"]["yaxis"]["rangemode"] = "tozero"
    figure["layout"]["yaxis"]["tickformat"] = _tick_format(max(max(values) for _, values in spread.series))
    reached = charts.cumulative(series, axis="Total")
    _stretch(reached, low, width)
    key = [name for name, _ in spread.series] if len(series) == 2 else []
    return {"figure": figure, "cumulative": reached, "chart_note": spread.note, "key": key}


def _tick_format(top: float) -> str:
    """Percentages with as many places as it takes to tell one line across from the next."""
    return ".0%" if top >= 0.05 else ".1%" if top >= 0.005 else ".2%"


def dash(at: int) -> str:
    """After four colours the dashes move on, so no two curves look alike."""
    return charts.DASHES[(at + at // len(charts.DASHES)) % len(charts.DASHES)]


def binned(pmf: Pmf, low: int, high: int, width: int) -> list[float]:
    """The chances from ``low`` to ``high``, ``width`` totals put together."""
    bins = -(-(high - low + 1) // width)
    spread = np.zeros(bins * width)
    first, last = max(low, pmf.low), min(low + bins * width - 1, pmf.high)
    if first <= last:
        spread[first - low : last - low + 1] = pmf.p[first - pmf.low : last - pmf.low + 1]
    return [round(value, 9) for value in spread.reshape(bins, width).sum(axis=1).tolist()]


def _stretch(figure: charts.Figure, low: int, width: int) -> None:
    """Bars of several totals stand at the first of them."""
    if width > 1:
        for trace in figure["data"]:
            trace["x"] = [low + width * i for i in range(len(trace["x"]))]

"""The report as pictures: plain data for templates and ``charts.js``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from apps.core import charts
from apps.core.charts import Figure
from apps.dicee.services.review import Report

#: Where the waterfall's axis is cut, below the smallest of its values: bars from zero would hide the differences.
MARGIN = 0.35


@dataclass(frozen=True)
class WaterfallBar:
    """One bar of the waterfall, in percent of its width."""

    name: str
    kind: str
    left: float
    width: float
    shown: float
    cut: bool = False

    @property
    def end(self) -> float:
        return self.left + self.width


def waterfall(found: Report) -> list[WaterfallBar]:
    """Par, what the dice gave, what the decisions gave back, and the score they add up to."""
    if found.par is None or found.luck is None:
        return []
    top = found.par + found.luck
    values = (found.par, top, float(found.score))
    spread = max(values) - min(values) or 1.0
    low = min(values) - MARGIN * spread
    scale = 100 / ((max(values) - low) * 1.02)

    def bar(start: float, end: float) -> tuple[float, float]:
        return (min(start, end) - low) * scale, abs(end - start) * scale

    return [
        WaterfallBar("Par", "par", *bar(low, found.par), found.par, cut=True),
        WaterfallBar("Dice", "gain" if found.luck >= 0 else "loss", *bar(found.par, top), found.luck),
        WaterfallBar("Decisions", "loss", *bar(top, top - found.points_lost), -found.points_lost),
        WaterfallBar("You", "you", *bar(low, float(found.score)), float(found.score), cut=True),
    ]


def timeline(found: Report) -> Figure:
    """The final score expected after each turn, and the points on the card."""
    turns = [float(line.turn) for line in found.turns]
    series = [("Score so far", turns, [float(line.total) for line in found.turns])]
    expected = [line.expected_final for line in found.turns if line.expected_final is not None]
    if len(expected) == len(turns):
        series.insert(0, ("Expected final", turns, expected))
    return charts.lines(series, x="Turn", y="Points", target=found.par)


def shares(found: Report) -> dict[int, float]:
    """The bar of every costly decision, by its number."""
    worst = max((decision.lost for decision in found.slips), default=1.0)
    return {decision.number: 100 * (decision.lost / worst) for decision in found.slips}


def pictures(found: Report) -> dict[str, Any]:
    """All of them, as the report page names them."""
    return {"steps": waterfall(found), "timeline": timeline(found), "shares": shares(found)}

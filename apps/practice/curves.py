"""A profile as pictures: plain data for ``charts.js``; every one has its table beside it."""

from __future__ import annotations

from statistics import fmean
from typing import Any

from apps.core import charts
from apps.core.charts import Figure
from apps.practice.services.progress import Page

WINDOW = 5  # games of the moving mean


def rating(page: Page) -> Figure:
    """The rating after each game, inside its 90 % interval."""
    curve = page.found.curve
    games = [float(point.game) for point in curve]
    band = (games, [point.low for point in curve], [point.high for point in curve])
    return charts.lines([("Rating", games, [point.rating for point in curve])], x="Game", y="Rating", band=band)


def losses(page: Page) -> Figure:
    """Points lost in each game, and their moving mean."""
    curve = page.found.curve
    games = [float(point.game) for point in curve]
    lost = [point.lost for point in curve]
    mean = [fmean(lost[max(0, n - WINDOW + 1) : n + 1]) for n in range(len(lost))]
    figure = charts.lines([(f"Mean of {WINDOW}", games, mean), ("Each game", games, lost)], x="Game", y="Points lost")
    figure["data"][1] |= {"mode": "markers", "marker": {"color": "var(--series-c)", "size": 7}}
    figure["layout"]["yaxis"]["rangemode"] = "tozero"
    return figure


def reliability(page: Page) -> Figure | None:
    """Guessed against true chances; on the diagonal they agree."""
    told = page.found.calibration
    if told is None:
        return None
    points = ("You", [b.predicted for b in told.bins], [b.truth for b in told.bins])
    figure = charts.lines([points, ("Exact", [0.0, 1.0], [0.0, 1.0])], x="You said", y="It is")
    figure["data"][0] |= {"mode": "lines+markers", "marker": {"color": "var(--series-a)", "size": 9}}
    for axis in ("xaxis", "yaxis"):
        figure["layout"][axis] |= {"tickformat": ".0%", "range": [0, 1]}
    return figure


def pictures(page: Page) -> dict[str, Any]:
    """All of them, as ``practice/components/profile.html`` names them."""
    return {"rating_figure": rating(page), "loss_figure": losses(page), "guess_figure": reliability(page)}

"""Plotly's own knowledge of its properties: a misspelt one would silently draw nothing."""

from __future__ import annotations

from typing import Any


def check_figure(figure: dict[str, Any]) -> None:
    """Raise ValueError, naming the property, for anything Plotly does not know."""
    import plotly.graph_objects  # a second to import, and only tests with a chart need it

    plotly.graph_objects.Figure(figure)


def check_rendered_figure(*, template: Any, context: Any, **_signal: Any) -> None:
    """Receives Django's ``template_rendered``: every chart of every page that any test opens is checked."""
    if getattr(template, "name", "") == "components/chart.html":
        check_figure(context["figure"])

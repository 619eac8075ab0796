"""Charts as plain Plotly figures: data and meaning here, colours and fonts in ``static/js/core/charts.js``.

A colour is written as a token, ``"var(--series-a)"``; the browser resolves it in the theme of the moment. Figures hold
no more than the table beside them: a chart is the second way to read a result, never the only one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import Any

from apps.core.formats import heat, percent

Figure = dict[str, Any]
#: Name, lowest value, probability of each value upwards.
Series = tuple[str, int, Sequence[float]]

COLOURS = ("var(--series-a)", "var(--series-b)", "var(--series-c)", "var(--series-d)")
FEW_BARS = 45
#: Gold is for areas: as a line on paper it has too little contrast.
LINE_COLOURS = ("var(--series-a)", "var(--series-c)", "var(--series-d)", "var(--muted)")
DASHES = ("solid", "dash", "dot", "dashdot")


def distribution(
    series: Sequence[Series], *, axis: str, threshold: int | None = None, above: bool = True, threshold_label: str = ""
) -> Figure:
    """Bars of one or two distributions; everything from ``threshold`` upwards (or downwards) is shaded.

    >>> figure = distribution([("2D6", 2, [1 / 36, 2 / 36])], axis="Total", threshold=3)
    >>> figure["data"][0]["x"], figure["layout"]["shapes"][0]["x0"]
    ([2, 3], 2.5)
    """
    traces = [_bars(i, name, low, p) for i, (name, low, p) in enumerate(series)]
    figure = _figure(traces, x=axis, y="Chance", percent_axis=True)
    figure["layout"]["showlegend"] = len(series) > 2  # a page that compares A and B names them in the panel's head
    if threshold is not None:
        low = min(low for _, low, _ in series)
        high = max(low + len(p) - 1 for _, low, p in series)
        edge = threshold - 0.5 if above else threshold + 0.5
        # An edge outside the dice shades nothing, or everything, but never stretches the axis.
        edge = min(max(edge, low - 0.5), high + 0.5)
        _shade(figure, edge, high + 0.5 if above else low - 0.5, threshold_label)
    return figure


def cumulative(series: Sequence[Series], *, axis: str, at_least: bool = True) -> Figure:
    """The chance of reaching each value (or of staying at or below it), as steps.

    >>> cumulative([("die", 1, [0.5, 0.5])], axis="Total")["data"][0]["y"]
    [1.0, 0.5]
    """
    traces = []
    for i, (name, low, p) in enumerate(series):
        running = _running(reversed(p))[::-1] if at_least else _running(p)
        traces.append(_line(i, name, list(range(low, low + len(p))), running, shape="hvh"))
    return _figure(traces, x=axis, y="Chance of at least" if at_least else "Chance of at most", percent_axis=True)


def lines(
    series: Sequence[tuple[str, Sequence[float], Sequence[float]]],
    *,
    x: str,
    y: str,
    band: tuple[Sequence[float], Sequence[float], Sequence[float]] | None = None,
    target: float | None = None,
    log_x: bool = False,
) -> Figure:
    """Lines over x: convergence, a learning curve. ``band`` is (x, low, high); ``target`` the exact value to reach."""
    traces: list[Figure] = []
    if band is not None:
        xs, low, high = band
        outline = {"x": [*xs, *reversed(xs)], "y": [*high, *reversed(low)]}
        filled = {"fill": "toself", "fillcolor": "var(--accent-wash)", "line": {"width": 0}}
        quiet = {"hoverinfo": "skip", "showlegend": False}
        traces.append({"type": "scatter", "mode": "lines", **outline, **filled, **quiet})
    traces += [_line(i, name, list(xs), list(ys)) for i, (name, xs, ys) in enumerate(series)]
    figure = _figure(traces, x=x, y=y)
    if log_x:
        figure["layout"]["xaxis"]["type"] = "log"
    if target is not None:
        figure["layout"]["shapes"].append(_rule({"xref": "paper", "x0": 0, "x1": 1, "y0": target, "y1": target}))
    return figure


def heat_map(
    rows: Sequence[str], columns: Sequence[str], values: Sequence[Sequence[float | None]], *, x: str, y: str
) -> Figure:
    """A grid of probabilities on the nine-step ramp, each with its value printed.

    Drawn as stacked bars of height one: the small Plotly bundle has no heat map, and bars can print text inside.
    """
    pairs = zip(reversed(rows), reversed(values), strict=True)
    traces = [_cells(name, columns, cells) for name, cells in pairs]
    figure = _figure(traces, x=x, y=y)
    ticks = {
        "tickvals": [i + 0.5 for i in range(len(rows))],
        "ticktext": list(reversed(rows)),
        "showgrid": False,
        "range": [0, len(rows)],
    }
    figure["layout"] |= {"barmode": "stack", "bargap": 0, "showlegend": False}
    figure["layout"]["yaxis"] |= ticks
    return figure


def _cells(name: str, columns: Sequence[str], values: Sequence[float | None]) -> Figure:
    steps = [heat(value) for value in values]
    colours = ["var(--sunken)" if step == "n" else f"var(--h{step})" for step in steps]
    return {
        "type": "bar",
        "name": escape(name),
        "x": list(columns),
        "y": [1] * len(columns),
        "text": ["" if value is None else percent(value) for value in values],
        "textposition": "inside",
        "insidetextanchor": "middle",
        "insidetextfont": {"color": [_text_on(step) for step in steps], "family": "var(--mono)"},
        "hovertemplate": "%{fullData.name}, %{x}: %{text}<extra></extra>",
        "marker": {"color": colours, "line": {"color": "var(--surface)", "width": 2}},
    }


def _text_on(step: str) -> str:
    """The tokens promise 4.5:1 with white up to step 4 and with ink from step 5."""
    return "var(--muted)" if step == "n" else "#FFFFFF" if int(step) < 5 else "var(--ink)"


def _bars(i: int, name: str, low: int, p: Sequence[float]) -> Figure:
    marker: Figure = {"color": COLOURS[i % 4]}
    if i:  # told apart by more than colour: an outline, and hatching from the third on
        # Among many bars each is so thin that a full outline would be all there is of it.
        marker["line"] = {"color": "var(--accent-edge)", "width": 1.5 if len(p) <= FEW_BARS else 0.3}
    if i > 1:
        marker["pattern"] = {"shape": "/", "fgcolor": "var(--rule)", "size": 6}
    return {
        "type": "bar",
        "name": escape(name),  # Plotly reads a name as simple HTML, and people choose names
        "x": list(range(low, low + len(p))),
        "y": [value or None for value in p],  # no bar, not even an outline, where nothing can happen
        "marker": marker,
        "customdata": [percent(value) for value in p],
        "hovertemplate": "%{x}: %{customdata}<extra>%{fullData.name}</extra>",
    }


def _line(i: int, name: str, x: list[Any], y: list[float], shape: str = "linear") -> Figure:
    style = {"color": LINE_COLOURS[i % 4], "width": 3, "shape": shape, "dash": DASHES[i % 4]}
    return {"type": "scatter", "mode": "lines", "name": escape(name), "x": x, "y": y, "line": style}


def _running(values: Iterable[float]) -> list[float]:
    """Running sums, kept within 1 where doubles overshoot."""
    total, sums = 0.0, []
    for value in values:
        total += value
        sums.append(min(1.0, total))
    return sums


def _figure(traces: list[Figure], *, x: str, y: str, percent_axis: bool = False) -> Figure:
    yaxis: Figure = {"title": {"text": y}}
    if percent_axis:
        yaxis |= {"tickformat": ".0%", "rangemode": "tozero"}
    return {
        "data": traces,
        "layout": {"xaxis": {"title": {"text": x}}, "yaxis": yaxis, "showlegend": len(traces) > 1, "shapes": []},
    }


def _shade(figure: Figure, edge: float, end: float, label: str) -> None:
    layout = figure["layout"]
    area = {
        "type": "rect",
        "xref": "x",
        "yref": "paper",
        "x0": edge,
        "x1": end,
        "y0": 0,
        "y1": 1,
        "layer": "below",
        "fillcolor": "var(--accent)",
        "opacity": 0.14,
        "line": {"width": 0},
    }
    layout["shapes"] += [area, _rule({"yref": "paper", "x0": edge, "x1": edge, "y0": 0, "y1": 1})]
    if label:
        side = "left" if end > edge else "right"
        layout["annotations"] = [
            {
                "x": edge,
                "y": 1,
                "xref": "x",
                "yref": "paper",
                "text": label,
                "showarrow": False,
                "xanchor": side,
                "yanchor": "bottom",
            }
        ]


def rule_at(x: float) -> Figure:
    """An upright dashed line over a chart: where a threshold lies."""
    return _rule({"yref": "paper", "x0": x, "x1": x, "y0": 0, "y1": 1})


def _rule(ends: Figure) -> Figure:
    return {"type": "line", **ends, "line": {"color": "var(--rule)", "width": 2, "dash": "dash"}}

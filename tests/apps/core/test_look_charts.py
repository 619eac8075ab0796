"""Figures say what the table says."""

from __future__ import annotations

import json
import re

import pytest
from django.conf import settings
from django.template import Context, Template
from hypothesis import given
from hypothesis import strategies as st

from apps.core import charts
from apps.core.formats import percent
from tests.figures import check_figure

weights = st.lists(st.floats(0.01, 1), min_size=1, max_size=12)


def normal(values):
    total = sum(values)
    return [value / total for value in values]


@given(weights, st.integers(-5, 5), st.integers(-20, 30), st.booleans())
def test_a_distribution_keeps_its_values_and_its_axis(values, low, threshold, above):
    p = normal(values)
    figure = charts.distribution([("A", low, p)], axis="Total", threshold=threshold, above=above)
    trace = figure["data"][0]
    assert trace["x"] == list(range(low, low + len(p)))
    assert trace["y"] == p
    area = figure["layout"]["shapes"][0]
    shaded = {x for x in trace["x"] if min(area["x0"], area["x1"]) < x < max(area["x0"], area["x1"])}
    assert shaded == {x for x in trace["x"] if (x >= threshold if above else x <= threshold)}
    assert low - 0.5 <= min(area["x0"], area["x1"]) <= max(area["x0"], area["x1"]) <= low + len(p) - 0.5


def test_two_series_are_told_apart_by_more_than_colour():
    figure = charts.distribution([("A", 0, [1.0]), ("B", 0, [1.0]), ("C", 0, [1.0])], axis="x")
    a, b, c = (trace["marker"] for trace in figure["data"])
    assert "line" not in a
    assert b["line"]["width"] > 0
    assert c["pattern"]["shape"]
    assert figure["layout"]["showlegend"] is True


def test_a_name_somebody_chose_stays_text():
    name = '<a href="https://elsewhere.example">free dice</a>%{x}'
    figures = [
        charts.distribution([(name, 0, [1.0])], axis="x"),
        charts.cumulative([(name, 0, [1.0])], axis="x"),
        charts.lines([(name, [0], [1])], x="x", y="y"),
        charts.heat_map([name], ["1"], [[0.5]], x="", y=""),
    ]
    for figure in figures:
        trace = figure["data"][0]
        assert "<" not in trace["name"]
        assert name not in trace.get("hovertemplate", "")


def test_where_nothing_can_happen_there_is_no_bar():
    assert charts.distribution([("A", 0, [0.5, 0.0, 0.5])], axis="x")["data"][0]["y"] == [0.5, None, 0.5]


def test_a_threshold_can_be_named_on_its_own_side():
    up = charts.distribution([("A", 0, [0.5, 0.5])], axis="x", threshold=1, threshold_label="kill")
    down = charts.distribution([("A", 0, [0.5, 0.5])], axis="x", threshold=0, above=False, threshold_label="safe")
    assert up["layout"]["annotations"][0] | {"text": "", "x": 0} == up["layout"]["annotations"][0] | {
        "text": "",
        "x": 0,
    }
    assert up["layout"]["annotations"][0]["xanchor"] == "left"
    assert down["layout"]["annotations"][0]["xanchor"] == "right"


@given(weights)
def test_at_least_and_at_most_meet(values):
    p = normal(values)
    up = charts.cumulative([("A", 0, p)], axis="x")["data"][0]["y"]
    down = charts.cumulative([("A", 0, p)], axis="x", at_least=False)["data"][0]["y"]
    for i, exactly in enumerate(p):
        assert up[i] + down[i] == pytest.approx(1 + exactly)
    assert up == sorted(up, reverse=True)
    assert max(up + down) <= 1


def test_a_convergence_chart_has_its_band_and_its_target():
    figure = charts.lines(
        [("mean", [1, 10], [3.0, 3.4])], x="n", y="mean", band=([1, 10], [2.0, 3.0], [5.0, 4.0]), target=3.5, log_x=True
    )
    band, line = figure["data"]
    assert band["x"] == [1, 10, 10, 1]
    assert band["y"] == [5.0, 4.0, 3.0, 2.0]
    assert line["y"] == [3.0, 3.4]
    assert figure["layout"]["xaxis"]["type"] == "log"
    assert figure["layout"]["shapes"][0]["y0"] == figure["layout"]["shapes"][0]["y1"] == 3.5


def test_a_heat_map_prints_every_value_top_row_first():
    figure = charts.heat_map(["2+", "6+"], ["1", "2"], [[0.8, None], [0.2, 0.0]], x="", y="")
    bottom, top = figure["data"]
    assert (top["name"], bottom["name"]) == ("2+", "6+")
    assert top["text"] == [percent(0.8), ""]
    assert top["marker"]["color"] == ["var(--h7)", "var(--sunken)"]
    assert figure["layout"]["yaxis"]["ticktext"] == ["6+", "2+"]


def test_figures_travel_as_json_and_name_only_tokens_that_exist():
    tokens = set(re.findall(r"(--[\w-]+):", (settings.ROOT / "static/css/tokens.css").read_text()))
    figures = [
        charts.distribution([("A", 0, [1.0])] * 4, axis="x", threshold=0, threshold_label="t"),
        charts.cumulative([("A", 0, [1.0])] * 4, axis="x"),
        charts.lines([("A", [0], [1])] * 4, x="x", y="y", band=([0], [0], [1]), target=1),
        charts.heat_map(["r"], list("abcdefghij"), [[i / 9 for i in range(10)]], x="", y=""),
    ]
    used = set(re.findall(r"var\((--[\w-]+)\)", json.dumps(figures)))
    assert used
    assert used <= tokens


def every_kind_of_figure():
    two = [("A", 0, [0.5, 0.5]), ("B", 1, [0.25, 0.75])]
    points = [("A", [0, 1], [0.1, 0.9])]
    yield charts.distribution(two, axis="Damage", threshold=1, threshold_label="kill")
    yield charts.cumulative(two, axis="Damage")
    yield charts.lines(points, x="Rolls", y="Mean", band=([0, 1], [0.0, 0.1], [0.2, 1.0]), target=0.5, log_x=True)
    yield charts.heat_map(["one"], ["1", "2"], [[0.5, None]], x="Face", y="Row")


@pytest.mark.parametrize(
    "figure", list(every_kind_of_figure()), ids=["distribution", "cumulative", "lines", "heat map"]
)
def test_plotly_knows_every_property(figure):
    check_figure(figure)


def test_a_misspelt_property_is_found():
    figure = charts.distribution([("A", 0, [1.0])], axis="x")
    figure["layout"]["barmoed"] = "group"
    with pytest.raises(ValueError, match="barmoed"):
        check_figure(figure)


def test_a_misspelt_property_on_a_page_fails_the_test_that_opens_it():
    """The check of every rendered chart (tests/apps/conftest.py) really looks."""
    chart = Template('{% chart figure "Chance of every total" %}')
    with pytest.raises(ValueError, match="wigth"):
        chart.render(Context({"figure": {"data": [{"type": "bar", "wigth": 3}], "layout": {}}}))

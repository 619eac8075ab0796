"""What the style guide shows: one specimen of every component in every state, with numbers the engine made."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.paginator import Paginator

from apps.core import charts
from engine.dice.pmf import Pmf


class SpecimenForm(forms.Form):
    """Fields as forms outside the calculators use them: fine, wrong, and off."""

    name = forms.CharField(label="Name", help_text="What others at the table see.", initial="Brave Otter")
    code = forms.CharField(
        label="Class code", error_messages={"required": "A class code has six letters; it is empty."}
    )
    level = forms.ChoiceField(label="Statistics", choices=[("beginner", "Beginner"), ("expert", "Expert")])
    notes = forms.CharField(
        label="Notes", required=False, widget=forms.Textarea({"rows": 3}), disabled=True, initial="Closed."
    )


def specimens() -> dict[str, Any]:
    """The style guide's context."""
    a, b = Pmf.die(6).repeat(3), Pmf.die(8).repeat(2).shift(1)
    form = SpecimenForm({"name": "Brave Otter", "code": "", "level": "beginner"})
    return {
        "form": form,
        "heat_values": [None, 0.0, *((step + 0.5) / 9 for step in range(9)), 1.0],
        "grid_columns": ["1", "2", "3", "4", "5", "6"],
        "grid": [(f"{n}+", [Pmf.binomial(k, (7 - n) / 6).at_least(1) for k in range(1, 7)]) for n in range(2, 7)],
        "rare": [0.0, 4e-5, 1 / 36, 11 / 36, 0.62381, 0.9996, 1.0],
        "table": [(v, a.exactly(v), a.at_least(v), a.at_most(v)) for v in range(8, 15)],
        "faces": range(1, 7),
        "deltas": [3.2, -11.1, 0.0],
        "page": Paginator(range(120), 10).get_page(4),
        "spark": a.p.tolist(),
        "figures": _figures(a, b),
        "levels": ("info", "tip", "gain", "loss", "error"),
    }


def _figures(a: Pmf, b: Pmf) -> list[tuple[str, dict[str, Any]]]:
    series = [("3D6", a.low, a.p.tolist()), ("2D8+1", b.low, b.p.tolist())]
    rolls = [10, 30, 100, 300, 1_000, 3_000, 10_000]
    half_width = [1.96 * a.sd / n**0.5 for n in rolls]
    band = (rolls, [a.mean - w for w in half_width], [a.mean + w for w in half_width])
    exact = [("exact", rolls, [a.mean] * len(rolls))]
    targets, pools = range(2, 7), range(1, 6)
    grid = [[Pmf.binomial(k, (7 - n) / 6).at_least(1) for k in pools] for n in targets]
    rows, columns = [f"{n}+" for n in targets], [f"{k} dice" for k in pools]
    bars = charts.distribution(series, axis="Total", threshold=12, threshold_label="12 or more")
    return [
        ("Two distributions and a threshold", bars),
        ("Chance of at least", charts.cumulative(series, axis="Total")),
        ("Where the mean of n rolls lies, 95 %", charts.lines(exact, x="Rolls", y="Mean", band=band, log_x=True)),
        ("At least one success", charts.heat_map(rows, columns, grid, x="", y="")),
    ]

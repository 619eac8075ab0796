"""Alerts, dashboard and runbooks speak of figures that exist."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
import yaml
from django.conf import settings
from django.core.cache import cache

from apps.core import metrics
from apps.operate.services import invariants

DOCS = Path(settings.ROOT) / "docs"
NAME = re.compile(r"oddsmith_[a-z_]+")


@pytest.fixture
def names(db: None) -> set[str]:
    """Every figure that the site tells, with the endings Prometheus gives histograms."""
    invariants.check_some()
    cache.delete("operate:gauges")
    told = re.findall(r"^# TYPE (\S+) (\S+)", metrics.exposition()[0].decode(), re.MULTILINE)
    return {name + end for name, kind in told for end in (("", "_bucket") if kind == "histogram" else ("",))}


def alerts() -> list[dict[str, str]]:
    groups = yaml.safe_load((DOCS / "monitoring" / "alerts.yml").read_text())["groups"]
    return [rule for group in groups for rule in group["rules"]]


def test_alerts_and_dashboard_ask_for_figures_that_exist(names: set[str]) -> None:
    dashboard = json.loads((DOCS / "monitoring" / "dashboard.json").read_text())
    asked = [rule["expr"] for rule in alerts()]
    asked += [target["expr"] for panel in dashboard["panels"] for target in panel["targets"]]
    assert len(asked) > 15
    assert {name for text in asked for name in NAME.findall(text)} <= names


def test_every_figure_is_explained(names: set[str]) -> None:
    explained = set(NAME.findall((DOCS / "operating.md").read_text()))
    assert {name for name in names if name.startswith("oddsmith_")} - explained <= {
        name for name in names if name.endswith(("_bucket", "_created"))
    }


def test_every_alert_has_a_runbook() -> None:
    headings = re.findall(r"^### (\w+)$", (DOCS / "operating.md").read_text(), re.MULTILINE)
    assert [rule["alert"] for rule in alerts()] == headings

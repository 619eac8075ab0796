"""Alive, ready, measured."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.conf import settings as django_settings
from django.db import connection
from django.test import Client
from pytest_django.fixtures import Settings

from engine.dicee.boxes import Variant
from engine.dicee.tables import table_path


def test_live_needs_nothing(client: Client, settings: Settings) -> None:
    found = client.get("/health/live").json()
    assert found.pop("uptime") >= 0
    assert found == {"status": "ok", "version": settings.VERSION}


@pytest.mark.django_db
def test_ready_names_every_part(client: Client, settings: Settings, tmp_path: Path) -> None:
    settings.TABLES_DIR = tmp_path
    reply = client.get("/health/ready")
    assert reply.status_code == 200
    found = reply.json()
    assert found["status"] == "degraded"
    assert found["parts"] == {"database": "ok", "broker": "ok", "solverTables": "warming up: 0 of 3"}
    assert found["version"] == settings.VERSION
    for variant in Variant:
        table_path(variant, tmp_path).touch()
    assert client.get("/health/ready").json()["status"] == "ok"


def test_a_database_that_is_gone_makes_it_not_ready(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    def gone() -> None:
        raise OSError

    monkeypatch.setattr(connection, "cursor", gone)
    assert client.get("/health/ready").json()["status"] == "down"


def test_metrics_are_for_this_host_or_a_token(client: Client, settings: Settings) -> None:
    client.get("/health/live")
    text = client.get("/metrics").content.decode()
    assert 'oddsmith_requests_total{method="GET",route="health/live",status="200"}' in text
    assert client.get("/metrics", REMOTE_ADDR="192.0.2.1").status_code == 403
    settings.METRICS_TOKEN = "let-me-in"
    outside: dict[str, Any] = {"REMOTE_ADDR": "192.0.2.1", "headers": {"Authorization": "Bearer let-me-in"}}
    assert client.get("/metrics", **outside).status_code == 200
    outside["headers"] = {"Authorization": "Bearer wrong"}
    assert client.get("/metrics", **outside).status_code == 403


def test_server_time_is_in_the_answer(client: Client) -> None:
    assert client.get("/health/live")["Server-Timing"].startswith("app;dur=")
    assert django_settings.SECURE_CONTENT_TYPE_NOSNIFF


def test_programs_ask_under_the_prefix_of_the_api(client: Client, db: None) -> None:
    """Ruling D8."""
    for path in ("health", "health/ready"):
        assert client.get(f"/api/v1/{path}").json() == client.get("/health/ready").json()
    assert client.get("/api/v1/health/live").json()["status"] == "ok"

"""Safe from the first request."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.test import Client

from tests.browser.server import ROOT


def manage(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    env = os.environ | {"DJANGO_SETTINGS_MODULE": "config.settings"} | environment
    return subprocess.run([sys.executable, "manage.py", *arguments], cwd=ROOT, env=env, capture_output=True, text=True)


def test_production_settings_pass_djangos_own_check(tmp_path: Path) -> None:
    done = manage(
        "check",
        "--deploy",
        "--fail-level",
        "WARNING",
        VAR_DIR=str(tmp_path),
        HTTPS="1",
        ALLOWED_HOSTS="odds.example",
    )
    assert done.returncode == 0, done.stderr


def test_a_secret_key_is_made_once_and_kept_private(tmp_path: Path) -> None:
    manage("check", VAR_DIR=str(tmp_path))
    first = (tmp_path / "secret_key").read_text()
    manage("check", VAR_DIR=str(tmp_path))
    assert (tmp_path / "secret_key").read_text() == first
    assert len(first) > 60
    assert (tmp_path / "secret_key").stat().st_mode & 0o077 == 0


def test_processes_that_start_together_agree_on_the_key(tmp_path: Path) -> None:
    """None of them reads half a key: on a new folder a test run and a site start several at once."""
    code = "from django.conf import settings; print(settings.SECRET_KEY)"
    env = {name: value for name, value in os.environ.items() if name != "SECRET_KEY"}
    env |= {"VAR_DIR": str(tmp_path), "DJANGO_SETTINGS_MODULE": "config.settings"}
    started = [
        subprocess.Popen([sys.executable, "-c", code], cwd=ROOT, env=env, stdout=subprocess.PIPE, text=True)
        for _ in range(6)
    ]
    keys = {process.communicate()[0] for process in started}
    assert len(keys) == 1
    assert len(keys.pop()) > 32
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith("secret")] == ["secret_key"]


def test_a_short_secret_key_is_refused(tmp_path: Path) -> None:
    done = manage("check", VAR_DIR=str(tmp_path), SECRET_KEY="password")
    assert done.returncode == 1
    assert done.stderr.strip().startswith("Oddsmith cannot start: SECRET_KEY must be at least 32 characters")


@pytest.mark.django_db
def test_scripts_come_from_us_alone(client: Client) -> None:
    reply = client.get("/")
    policy = {d.split()[0]: d.split()[1:] for d in reply["Content-Security-Policy"].split("; ")}
    assert policy["script-src"] == ["'self'"]
    assert policy["object-src"] == ["'none'"]
    assert policy["frame-ancestors"] == ["'none'"]
    assert reply["X-Content-Type-Options"] == "nosniff"
    assert reply["X-Frame-Options"] == "DENY"
    assert "<script>" not in reply.content.decode()


@pytest.mark.django_db
def test_a_form_from_another_site_is_refused() -> None:
    strict = Client(enforce_csrf_checks=True)
    assert strict.post("/s/", {"path": "/dice/"}).status_code == 403

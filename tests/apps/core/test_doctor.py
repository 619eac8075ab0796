"""``manage.py doctor`` finds what is wrong and says what to do."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.core.management import call_command
from django.db.migrations.recorder import MigrationRecorder
from pytest_django.fixtures import Settings

from apps.core import cache as shared
from apps.core import doctor
from apps.core.doctor import Finding, examine

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _no_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "WORKER_PATIENCE", 0.1)


def finding(subject: str) -> Finding:
    return next(one for one in examine() if one.subject == subject)


def test_it_looks_at_every_part() -> None:
    assert {one.subject for one in examine()} >= {"State folder", "Database", "Valkey or Redis", "Worker", "Memory"}
    assert finding("Database").remedy == ""
    assert finding("Valkey or Redis").remedy == ""
    assert "none answers" in finding("Worker").state


def test_a_database_of_another_version_is_named() -> None:
    MigrationRecorder.Migration.objects.filter(app="jobs").delete()
    assert "behind this version" in finding("Database").state
    assert finding("Database").remedy == "Run: manage.py migrate"


def test_a_valkey_that_is_away_is_named(settings: Settings) -> None:
    settings.REDIS_URL = f"unix://{settings.VAR}/run/nobody.sock"
    shared.client.cache_clear()
    assert "does not answer" in finding("Valkey or Redis").state
    shared.client.cache_clear()


def test_a_folder_that_cannot_be_written_is_named(settings: Settings, tmp_path: Path) -> None:
    settings.VAR = tmp_path / "gone"
    assert "cannot be written" in finding("State folder").state


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"DEBUG": True}, "DEBUG is on"),
        ({"ALLOWED_HOSTS": ["*"]}, "any name"),
        ({"ALLOWED_HOSTS": ["odds.example"], "SESSION_COOKIE_SECURE": False}, "without HTTPS"),
    ],
)
def test_what_strangers_could_use_is_named(settings: Settings, changes: dict[str, object], words: str) -> None:
    settings.DEBUG, settings.ALLOWED_HOSTS = False, ["localhost"]
    assert finding("Seen from outside").state == "this machine only"
    for name, value in changes.items():
        setattr(settings, name, value)
    assert words in finding("Seen from outside").state
    assert finding("Seen from outside").remedy


def test_something_wrong_ends_with_exit_code_one(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        call_command("doctor")
    assert ended.value.code == 1
    assert "→ Start one" in capsys.readouterr().out

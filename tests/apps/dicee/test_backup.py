"""A backup of people's games: taken, checked, and read back into an empty database with every event in place."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import pytest
from django.apps import apps
from django.core.management import CommandError, call_command
from django.forms.models import model_to_dict

from apps.accounts.models import Player
from apps.core import backup
from apps.core.backup import BackupError
from apps.dicee import services
from apps.dicee.models import Game
from tests.apps.dicee.conftest import play_out
from tests.apps.support import person

pytestmark = [pytest.mark.service, pytest.mark.django_db(transaction=True)]


def saved() -> dict[str, list[dict[str, object]]]:
    return {
        model._meta.label: [model_to_dict(row) | {"pk": row.pk} for row in model._default_manager.order_by("pk")]
        for model in backup.tables_in_order()
    }


@pytest.fixture
def played() -> Game:
    player = person("Alice")
    game = services.create(player, "solo", {})
    play_out(game, player, turns=2)
    return game


def empty() -> None:
    call_command("flush", interactive=False, verbosity=0)


def test_what_was_taken_is_read_back_row_by_row(played: Game, tmp_path: Path) -> None:
    file, before = tmp_path / "all.zip", saved()
    taken = backup.take(file)
    assert taken["dicee.gameevent"].rows == apps.get_model("dicee.GameEvent").objects.count() > 5
    assert backup.verify(file) == taken
    assert not list(tmp_path.glob("*.unfinished"))
    empty()
    assert not Player.objects.exists()
    call_command("restore", str(file))
    assert saved() == before
    again = tmp_path / "again.zip"
    assert backup.take(again) == taken
    play_out(Game.objects.get(), Player.objects.get(), turns=1)  # numbering goes on, the game can be played


def test_a_database_that_is_not_empty_is_left_alone(played: Game, tmp_path: Path) -> None:
    file, before = tmp_path / "all.zip", saved()
    backup.take(file)
    with pytest.raises(CommandError, match="is not empty"):
        call_command("restore", str(file))
    assert saved() == before


@pytest.mark.parametrize("damage", ["cut", "changed", "missing", "version", "format", "no zip"])
def test_a_damaged_or_foreign_file_changes_nothing(played: Game, tmp_path: Path, damage: str) -> None:
    file, broken = tmp_path / "all.zip", tmp_path / "broken.zip"
    backup.take(file)
    empty()
    if damage in ("cut", "no zip"):
        broken.write_bytes(file.read_bytes()[:-2000] if damage == "cut" else b"nothing of the kind")
    else:
        rewrite(file, broken, damage)
    with pytest.raises(BackupError):
        backup.restore(broken)
    assert not any(model._default_manager.exists() for model in backup.tables_in_order())


def rewrite(file: Path, broken: Path, damage: str) -> None:
    with zipfile.ZipFile(file) as old, zipfile.ZipFile(broken, "w") as new:
        for name in old.namelist():
            data = old.read(name)
            if name == "dicee.gameevent.jsonl":
                if damage == "missing":
                    continue
                if damage == "changed":
                    data = data.split(b"\n", 1)[1]
            if name == backup.MANIFEST and damage in ("version", "format"):
                manifest = json.loads(data)
                if damage == "version":
                    manifest["migrations"].append("dicee.9999_from_the_future")
                else:
                    manifest["format"] = 99
                data = json.dumps(manifest).encode()
            new.writestr(name, data)


def test_a_file_that_is_not_there_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="There is no file"):
        call_command("backup", str(tmp_path / "none.zip"), "--verify")

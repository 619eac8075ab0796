"""Schemas on disk are the ones the code uses, and what the code sends fits them."""

from __future__ import annotations

from pathlib import Path

import jsonschema
from django.core.management import call_command
from pytest_django.fixtures import Settings

from apps.accounts.models import Player
from apps.dicee import services
from apps.dicee.services.api import schemas
from engine.dicee.game.events import BY_TYPE

FOLDER = Path(__file__).resolve().parents[3] / "docs" / "schemas"


def test_nothing_has_drifted() -> None:
    """If this fails: ``make schemas``, and read RFC-003 §12 on whether the version must change."""
    on_disk = {str(path.relative_to(FOLDER)): path.read_text() for path in FOLDER.rglob("*.json")}
    assert on_disk == schemas.texts()


def test_every_event_type_has_one() -> None:
    assert {path.stem for path in (FOLDER / "events").glob("*.json")} == set(BY_TYPE)


def test_the_command_writes_what_the_code_says(tmp_path: Path, settings: Settings) -> None:
    settings.ROOT = tmp_path
    stale = tmp_path / "docs/schemas/events/gone.json"
    stale.parent.mkdir(parents=True)
    stale.write_text("{}")
    call_command("export_schemas", verbosity=0)
    assert not stale.exists()
    assert len(list((tmp_path / "docs/schemas").rglob("*.json"))) == len(schemas.texts())


def test_what_is_stored_fits_the_schema(alice: Player) -> None:
    game = services.create(alice, "bots", {"allowUndo": True}, ["greedy"])
    services.roll(game, alice)
    services.score(game, alice, "chance")
    services.abandon(game, alice)
    known = dict(schemas.schemas())
    for payload in game.events.values_list("payload", flat=True):
        jsonschema.validate(payload, known[f"events/{payload['eventType']}.json"])
    jsonschema.validate(services.state_document(game), known["responses/GameStateResponse.json"])

"""The chain of RFC-001 §3.2: play goes on without the solved game, says so, and is upgraded when it is there."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import redis
from channels.db import database_sync_to_async
from django.conf import settings
from django.core.cache import cache
from django.db import connections
from django.utils import timezone

from apps.core import warm_up
from apps.dicee import services, tasks
from apps.dicee.models import Game, Stream
from apps.dicee.services import horizon, store
from apps.dicee.services.record import telemetry
from engine.dicee import tables
from engine.dicee.boxes import Variant
from engine.dicee.game.events import Scored
from tests.apps.dicee.test_watch_live import Tab
from tests.apps.support import person

sync = database_sync_to_async


@pytest.mark.service
@pytest.mark.django_db(transaction=True)
async def test_advice_grows_when_the_game_is_solved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ODDSMITH_TABLES_DIR", str(tmp_path))
    alice = await sync(person)("Alice")
    game = await sync(services.create)(alice)
    async with await sync(Tab)(alice, game.pk) as tab:
        await tab.hear("state_update")
        assert horizon.sight(Variant.STANDARD, "game").notice == horizon.WARMING_UP
        await sync(services.roll)(game, alice)
        outcome = await sync(services.score)(game, alice, "chance")
        assert [e.horizon.value for e in outcome.events if isinstance(e, Scored)] == ["turn"]
        await sync(horizon.solve_all)()
        await sync(horizon.broadcast_ready)()
        await tab.hear("horizon_ready")
        assert horizon.sight(Variant.STANDARD, "game").horizon == "game"
        await sync(services.roll)(game, alice)
        outcome = await sync(services.score)(game, alice, "ones")
        assert [e.horizon.value for e in outcome.events if isinstance(e, Scored)] == ["game"]
    await sync(connections.close_all)()


def test_a_damaged_table_is_no_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ODDSMITH_TABLES_DIR", str(tmp_path))
    (tmp_path / "dicee-standard.values").write_bytes(b"nonsense")
    (tmp_path / "dicee-standard.shares").write_bytes(b"nonsense")
    assert horizon.ready(Variant.STANDARD) is None
    assert horizon.shares_ready(Variant.STANDARD) is None


@pytest.mark.service
def test_shares_of_a_rare_variant_are_worked_out_when_a_game_asks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ODDSMITH_TABLES_DIR", str(tmp_path))
    broker = redis.Redis(unix_socket_path=str(settings.VALKEY_SOCKET))
    cache.delete("dicee:shares:joker_rules")
    tables.build(Variant.JOKER_RULES)
    before = broker.llen("celery")
    assert horizon.shares_ready(Variant.JOKER_RULES) is None
    assert horizon.shares_ready(Variant.JOKER_RULES) is None
    assert broker.llen("celery") == before + 1  # asked once
    assert json.loads(broker.lindex("celery", 0))["headers"]["task"] == "dicee.solve_shares"
    tasks.solve_shares("joker_rules")
    found = horizon.shares_ready(Variant.JOKER_RULES)
    assert found is not None
    assert abs(found.values[0, 0].sum() - tables.load(Variant.JOKER_RULES).expected_score) < 1e-9


def test_every_step_is_registered() -> None:
    assert {"dicee tables", "dicee horizon", "dicee par", "dicee shares"} <= set(warm_up._steps)


def test_the_tasks_do_what_their_names_say(solo: Game) -> None:
    alice = solo.seats.get().player
    assert alice is not None
    services.roll(solo, alice)
    tasks.follow_up(str(solo.pk), 3, 3)
    assert solo.events.filter(stream=Stream.ANALYSIS).count() == 1
    hover = {
        "eventType": "hover",
        "categoryHovered": "chance",
        "hoverDuration": 1,
        "wouldScore": 5,
        "currentEV": 5.0,
        "isOptimal": False,
        "hoverSequence": 1,
    }
    note = telemetry.event_of(solo, store.current(solo), alice.pk, hover).to_wire()
    tasks.keep_telemetry(str(solo.pk), [note])
    assert solo.events.filter(stream=Stream.TELEMETRY).count() == 1
    solo.events.filter(stream=Stream.TELEMETRY).update(created_at=timezone.now() - 2 * telemetry.KEPT[Stream.TELEMETRY])
    tasks.prune()
    assert solo.events.filter(stream=Stream.TELEMETRY).count() == 0
    tasks.run_the_clocks()
    assert store.current(solo).sequence == 3

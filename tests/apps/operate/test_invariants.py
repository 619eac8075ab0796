"""What must always hold, found broken where it is: rows that disagree, gaps, dice that were changed."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.cache import cache
from django.core.management import call_command
from django.db import connection

from apps.core import metrics
from apps.dicee import services
from apps.dicee.models import Game, Stream
from apps.operate.services import invariants
from tests.apps.support import person

pytestmark = pytest.mark.django_db


@pytest.fixture
def game() -> Game:
    alice = person("Alice")
    created = services.create(alice)
    services.roll(created, alice)
    services.score(created, alice, "chance")
    return Game.objects.get(pk=created.pk)


def change_event(game: Game, kind: str, **values: Any) -> None:
    """Behind the back of the model, which refuses to change an event."""
    row = game.events.filter(stream=Stream.DOMAIN, type=kind).latest("seq")
    type(row).objects.filter(pk=row.pk).update(payload=row.payload | values)


def test_a_game_as_it_was_played_breaks_nothing(game: Game) -> None:
    assert list(invariants.check(game)) == []
    found = invariants.check_some()
    assert (found.games, found.violations) == (1, [])
    assert invariants.last_check() == found


@pytest.mark.parametrize(
    ("kind", "values"),
    [("score", {"pointsEarned": 999}), ("roll", {"rollNumber": 3}), ("roll", {"turnNumber": 7})],
)
def test_a_changed_event_is_found(game: Game, kind: str, values: dict[str, Any]) -> None:
    if connection.vendor == "postgresql":
        pytest.skip("the database itself refuses the change")
    change_event(game, kind, **values)
    (found,) = invariants.check(game)
    assert found.rule.startswith("the events obey the rules")


def test_a_row_that_disagrees_with_its_events_is_found_and_left_alone(game: Game) -> None:
    Game.objects.filter(pk=game.pk).update(status="completed")
    found = invariants.check_some()
    assert [one.rule for one in found.violations] == [
        "the status is that of the events",
        "a finished game has thirteen turns (§10.4.4)",
    ]
    assert Game.objects.get(pk=game.pk).status == "completed"  # reported, not repaired
    assert b"oddsmith_invariants_broken 2.0" in _scrape()
    with pytest.raises(SystemExit):
        call_command("check_invariants")


def _scrape() -> bytes:
    cache.delete("operate:gauges")
    return metrics.exposition()[0]


def test_figures_for_prometheus(game: Game) -> None:
    text = _scrape().decode()
    assert 'oddsmith_games{status="active"} 1.0' in text
    assert "oddsmith_games_completed_last_hour 0.0" in text
    assert 'oddsmith_cache_hits{cache="engine.' in text
    assert "oddsmith_queue_length" in text

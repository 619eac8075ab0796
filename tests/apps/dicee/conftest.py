"""Three personas at a table: Alice, who opened it; Bob, her opponent; and Carol, a stranger."""

from __future__ import annotations

import pytest

from apps.accounts.models import Player
from apps.dicee import services
from apps.dicee.models import Game
from apps.dicee.services import horizon, store
from engine.dicee import tables
from engine.dicee.boxes import Variant
from tests.apps.support import person


@pytest.fixture(scope="session", autouse=True)
def solved() -> None:
    """The standard game, solved once for the whole room."""
    tables.load(Variant.STANDARD)
    assert horizon.ready(Variant.STANDARD) is not None


@pytest.fixture
def alice(db: None) -> Player:
    return person("Alice")


@pytest.fixture
def bob(db: None) -> Player:
    return person("Bob")


@pytest.fixture
def carol(db: None) -> Player:
    return person("Carol")


@pytest.fixture
def solo(alice: Player) -> Game:
    return services.create(alice)


@pytest.fixture
def duel(alice: Player, bob: Player) -> Game:
    """Alice and Bob, begun; who is first was drawn."""
    game = services.create(alice, "multiplayer")
    services.join(game.code, bob)
    services.start(game, alice)
    game.refresh_from_db()
    return game


def on_turn(game: Game) -> Player:
    """Whose turn it is."""
    seat = game.seats.get(player_ref=store.current(game).seat.player_id)
    assert seat.player is not None
    return seat.player


def play_out(game: Game, player: Player, turns: int = 13) -> None:
    """Play turns of a solo game without thinking: roll once, fill the first open box."""
    for _ in range(turns):
        services.roll(game, player)
        services.score(game, player, store.current(game).seat.card.open_boxes[0])
    game.refresh_from_db()

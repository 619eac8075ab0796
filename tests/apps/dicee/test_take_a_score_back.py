"""Undo: where it was agreed, by who scored, before the next roll; it adds an event and deletes none."""

from __future__ import annotations

import pytest

from apps.accounts.models import Player
from apps.dicee import services
from apps.dicee.services import store


def test_the_dice_are_back_and_both_events_stay(alice: Player) -> None:
    game = services.create(alice, table_settings={"allowUndo": True})
    dice = services.roll(game, alice).state.dice
    services.score(game, alice, "ones")
    assert services.table(game, alice).can.undo
    state = services.undo(game, alice).state
    assert (state.dice, state.seat.card.turns_completed, state.rolls_left) == (dice, 0, 2)
    assert [e.event_type for e in store.stream(game)][-2:] == ["score", "score_undone"]
    assert not services.table(game, alice).can.undo


@pytest.mark.parametrize("allowed", [True, False])
def test_not_after_the_next_roll_and_not_where_it_was_not_agreed(alice: Player, allowed: bool) -> None:
    game = services.create(alice, table_settings={"allowUndo": allowed})
    services.roll(game, alice)
    services.score(game, alice, "ones")
    if allowed:
        services.roll(game, alice)
    with pytest.raises(services.Refused) as refused:
        services.undo(game, alice)
    assert refused.value.code == "ERR_INVALID_TURN"


def test_nobody_takes_back_what_another_scored(alice: Player, bob: Player) -> None:
    game = services.create(alice, "multiplayer", {"allowUndo": True})
    services.join(game.code, bob)
    first = services.start(game, alice).state.seat.player_id
    me, other = (alice, bob) if first == alice.pk else (bob, alice)
    services.roll(game, me)
    services.score(game, me, "chance")
    with pytest.raises(services.Refused) as refused:
        services.undo(game, other)
    assert refused.value.code == "ERR_NOT_YOUR_TURN"

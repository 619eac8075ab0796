"""Solo: open a table, roll, keep, score, thirteen times."""

from __future__ import annotations

import pytest

from apps.accounts.models import Player
from apps.dicee import services
from apps.dicee.models import Game, GameEvent, Stream
from apps.dicee.services import store
from engine.dicee.game.state import replay
from tests.apps.dicee.conftest import play_out


def test_a_solo_table_is_playing_as_soon_as_it_is_made(solo: Game) -> None:
    document = services.state_document(solo)
    assert document["status"] == solo.status == "active"
    turn = document["currentTurn"]
    assert (turn["turnNumber"], turn["rollNumber"], turn["rollsRemaining"], turn["phase"]) == (1, 0, 3, "initial_roll")
    assert [event["eventType"] for event in document["events"]] == ["game_created", "game_started"]


def test_kept_dice_stay(solo: Game, alice: Player) -> None:
    first = services.roll(solo, alice).state.dice
    second = services.roll(solo, alice, [True, False, True, False, False]).state.dice
    assert (first[0], first[2]) == (second[0], second[2])


def test_a_fourth_roll_is_refused_and_nothing_is_written(solo: Game, alice: Player) -> None:
    for mask in (None, [False] * 5, [False] * 5):
        services.roll(solo, alice, mask)
    before = GameEvent.objects.count()
    with pytest.raises(services.Refused) as refused:
        services.roll(solo, alice, [False] * 5)
    assert refused.value.code == "ERR_INVALID_TURN"
    assert GameEvent.objects.count() == before


def test_a_box_is_filled_once(solo: Game, alice: Player) -> None:
    play_out(solo, alice, turns=1)
    services.roll(solo, alice)
    with pytest.raises(services.Refused) as refused:
        services.score(solo, alice, "ones")
    assert refused.value.code == "ERR_CATEGORY_SCORED"


def test_thirteen_turns_complete_the_game(solo: Game, alice: Player) -> None:
    play_out(solo, alice)
    assert solo.status == "completed"
    assert solo.finished_at is not None
    assert solo.seats.get().final_score == store.current(solo).seats[0].card.grand_total
    with pytest.raises(services.Refused) as refused:
        services.roll(solo, alice)
    assert refused.value.code == "ERR_GAME_COMPLETED"


def test_the_stream_is_numbered_without_gaps_and_replays_to_the_same_game(solo: Game, alice: Player) -> None:
    play_out(solo, alice)
    numbers = solo.events.filter(stream=Stream.DOMAIN).values_list("seq", flat=True)
    assert list(numbers) == list(range(1, len(numbers) + 1))
    assert replay(store.stream(solo)) == replay(store.stream(solo)) == store.current(solo)


def test_an_unknown_setting_is_refused_by_name(alice: Player) -> None:
    with pytest.raises(services.Refused) as refused:
        services.create(alice, table_settings={"timeLimit": 5})
    assert refused.value.details["field"] == "timeLimit"
    with pytest.raises(services.Refused, match="is not a known field"):
        services.create(alice, table_settings={"sorcery": True})

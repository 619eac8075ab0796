"""Live multiplayer: a code, two to six seats, a drawn order, turns, leaving, spectators, another device."""

from __future__ import annotations

import datetime

import pytest
from django.utils import timezone

from apps.accounts.models import Player
from apps.accounts.services import rename
from apps.dicee import services
from apps.dicee.models import Game
from apps.dicee.services import horizon, store
from apps.dicee.services import page as pages
from engine.dicee.analysis import Horizon, analyze
from engine.dicee.boxes import Variant
from engine.dicee.game.events import Scored, Source
from tests.apps.dicee.conftest import on_turn


def refused(code: str) -> pytest.RaisesExc[services.Refused]:
    return pytest.RaisesExc(services.Refused, check=lambda error: error.code == code)


def test_a_table_waits_until_its_host_begins(alice: Player, bob: Player) -> None:
    game = services.create(alice, "multiplayer")
    assert services.table(game, bob).can.join
    services.join(game.code.lower(), bob)
    assert not services.table(game, bob).can.start
    with refused("ERR_FORBIDDEN"):
        services.start(game, bob)
    with refused("ERR_GAME_NOT_STARTED"):
        services.roll(game, alice)
    services.start(game, alice)
    assert {str(seat.player_id) for seat in store.current(game).seats} == {str(alice.pk), str(bob.pk)}


def test_one_player_alone_is_no_live_game(alice: Player) -> None:
    game = services.create(alice, "multiplayer")
    with refused("ERR_INVALID_TURN"):
        services.start(game, alice)


def test_the_order_is_drawn(alice: Player, bob: Player) -> None:
    firsts = set()
    for _ in range(40):  # the same first player forty times: 2 in 2^40
        game = services.create(alice, "multiplayer")
        services.join(game.code, bob)
        firsts.add(services.start(game, alice).state.seat.player_id)
    assert firsts == {alice.pk, bob.pk}


def test_six_seats_and_no_more(alice: Player) -> None:
    game = services.create(alice, "multiplayer", bots=["random"])
    for number in range(4):
        services.join(game.code, Player.objects.create(pseudonym=f"P{number}"))
    with refused("ERR_FORBIDDEN"):
        services.join(game.code, Player.objects.create(pseudonym="late"))
    assert game.seats.count() == 6


def test_joining_twice_is_coming_back(alice: Player, bob: Player) -> None:
    game = services.create(alice, "multiplayer")
    assert services.join(game.code, bob) == services.join(game.code, bob) == game
    assert game.seats.count() == 2


def test_a_code_that_no_table_has(bob: Player) -> None:
    with refused("ERR_GAME_NOT_FOUND"):
        services.join("XXXXX", bob)


def test_players_take_turns(duel: Game, alice: Player, bob: Player) -> None:
    first = on_turn(duel)
    second = bob if first == alice else alice
    with refused("ERR_NOT_YOUR_TURN"):
        services.roll(duel, second)
    services.roll(duel, first)
    services.score(duel, first, "chance")
    assert on_turn(duel) == second
    assert services.table(duel, second).can.roll
    assert not services.table(duel, first).can.roll


def test_a_strangers_move_changes_nothing(duel: Game, carol: Player) -> None:
    before = duel.events.count()
    for move in (
        lambda: services.roll(duel, carol),
        lambda: services.score(duel, carol, "chance"),
        lambda: services.undo(duel, carol),
        lambda: services.abandon(duel, carol),
    ):
        with refused("ERR_FORBIDDEN"):
            move()
    assert duel.events.count() == before


def test_a_stranger_sees_a_game_only_where_spectators_are_welcome(duel: Game, alice: Player, carol: Player) -> None:
    for viewer in (carol, None):
        with refused("ERR_FORBIDDEN"):
            services.find(duel.pk, viewer)
    open_game = services.create(alice, "multiplayer", {"spectators": True})
    assert services.find(open_game.pk, None) == open_game
    seen = services.table(open_game, carol)
    assert seen.me is None
    assert not seen.can.roll


def test_a_finished_game_can_be_shared_with_everyone(duel: Game, alice: Player, bob: Player, carol: Player) -> None:
    with refused("ERR_INVALID_TURN"):
        services.share(duel, alice)
    services.abandon(duel, alice)
    services.abandon(duel, bob)
    duel.refresh_from_db()
    with refused("ERR_FORBIDDEN"):
        services.share(duel, carol)
    services.share(duel, bob)
    assert services.find(duel.pk, carol) == duel


def test_who_leaves_is_out_and_the_others_play_on(duel: Game, alice: Player, bob: Player) -> None:
    services.abandon(duel, alice)
    assert on_turn(duel) == bob
    with refused("ERR_NOT_YOUR_TURN"):
        services.roll(duel, alice)
    for _ in range(13):
        services.roll(duel, bob)
        services.score(duel, bob, store.current(duel).seat.card.open_boxes[0])
    duel.refresh_from_db()
    assert duel.status == "completed"
    assert store.current(duel).winners == (bob.pk,)


def test_a_turn_in_time_is_left_alone(alice: Player, bob: Player) -> None:
    game = services.create(alice, "multiplayer", {"timeLimit": 15})
    services.join(game.code, bob)
    services.start(game, alice)
    game.refresh_from_db()
    assert game.deadline is not None
    assert services.run_the_clocks() == 0
    Game.objects.filter(pk=game.pk).update(deadline=timezone.now() - datetime.timedelta(seconds=1))
    assert services.run_the_clocks() == 0  # the events decide, not the column: there was time left


class Clock:
    """A clock that a test moves on."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = store.time.time()
        monkeypatch.setattr(store.time, "time", lambda: self.now)

    def lapse(self, game: Game) -> None:
        """Let the turn on the clock run out, and have the server look."""
        self.now += 16
        Game.objects.filter(pk=game.pk).update(deadline=timezone.now() - datetime.timedelta(seconds=1))
        assert services.run_the_clocks() == 1


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    return Clock(monkeypatch)


def table_with_a_clock(alice: Player, bob: Player, **settings: object) -> Game:
    game = services.create(alice, "multiplayer", {"timeLimit": 15, **settings})
    services.join(game.code, bob)
    services.start(game, alice)
    return game


def test_the_clock_ends_the_turn_of_who_thinks_too_long(alice: Player, bob: Player, clock: Clock) -> None:
    game = table_with_a_clock(alice, bob, lapse="leave")
    late = on_turn(game)
    clock.lapse(game)
    assert on_turn(game) != late
    assert store.stream(game)[-1].to_wire()["reason"] == "timeout"


def test_a_lapse_writes_the_best_box_and_the_game_goes_on(alice: Player, bob: Player, clock: Clock) -> None:
    game = table_with_a_clock(alice, bob)
    late = on_turn(game)
    services.roll(game, late)
    position = store.current(game).position
    clock.lapse(game)
    written = store.stream(game)[-1]
    assert isinstance(written, Scored)
    assert (written.player_id, written.event_source) == (late.pk, Source.SYSTEM)
    solved = horizon.ready(Variant.STANDARD)
    assert written.chosen_category == analyze(position, Horizon.GAME, solved).boxes[0].box
    assert on_turn(game) != late
    assert not store.current(game).seat_of(late.pk).left
    seen = pages.table_page(game, on_turn(game))
    assert f"{late.pseudonym} ran out of time: {written.points_earned} in" in seen.recent[-1]


def test_a_lapse_before_the_first_roll_rolls_once(alice: Player, bob: Player, clock: Clock) -> None:
    game = table_with_a_clock(alice, bob)
    clock.lapse(game)
    rolled, written = store.stream(game)[-2:]
    assert (rolled.event_type, written.event_type) == ("roll", "score")
    assert rolled.event_source is written.event_source is Source.SYSTEM


def test_who_never_comes_back_is_out_after_three_lapses(alice: Player, clock: Clock) -> None:
    game = services.create(alice, "solo", {"timeLimit": 15})
    for _ in range(2):
        clock.lapse(game)
    assert store.current(game).seat.card.turns_completed == 2
    clock.lapse(game)
    game.refresh_from_db()
    assert game.status == "abandoned"


def test_the_host_adds_bots_to_a_waiting_table(alice: Player, bob: Player) -> None:
    game = services.create(alice, "multiplayer")
    services.add_bot(game, alice, "greedy")
    services.join(game.code, bob)
    with refused("ERR_FORBIDDEN"):
        services.add_bot(game, bob, "perfect")
    with refused("ERR_INVALID_INPUT"):
        services.add_bot(game, alice, "clever")
    for _ in range(3):
        services.add_bot(game, alice, "greedy")
    with refused("ERR_FORBIDDEN"):
        services.add_bot(game, alice, "random")
    services.start(game, alice)
    assert [seat.bot for seat in game.seats.order_by("joined_at")].count("greedy") == 4
    assert store.current(game).seat.player_id in {alice.pk, bob.pk}  # the bots before them have moved


def test_a_rematch_seats_the_same_people_at_one_table(duel: Game, alice: Player, bob: Player, carol: Player) -> None:
    with refused("ERR_INVALID_TURN"):
        services.rematch(duel, alice)
    services.abandon(duel, alice)
    services.abandon(duel, bob)
    duel.refresh_from_db()
    with refused("ERR_FORBIDDEN"):
        services.rematch(duel, carol)
    following = services.rematch(duel, bob)
    assert following.host == bob
    assert services.rematch(duel, alice) == services.rematch(duel, bob) == following
    assert {seat.player for seat in following.seats.all()} == {alice, bob}


def test_a_rematch_takes_the_bots_along(alice: Player) -> None:
    game = services.create(alice, "bots", {"rulesVariant": "joker_rules"}, ["greedy", "perfect"])
    services.abandon(game, alice)
    game.refresh_from_db()
    following = services.rematch(game, alice)
    assert sorted(seat.bot for seat in following.seats.all()) == ["", "greedy", "perfect"]
    assert following.settings == game.settings


def test_a_new_name_reaches_the_tables_where_its_owner_sits(duel: Game, alice: Player) -> None:
    over = services.create(alice)
    services.abandon(over, alice)
    rename(alice, "Ada")
    assert duel.seats.get(player=alice).name == "Ada"
    assert over.seats.get(player=alice).name == "Alice"


def test_a_game_goes_on_on_another_device(duel: Game, alice: Player, bob: Player, carol: Player) -> None:
    assert list(services.resumable(alice)) == [duel]
    assert list(services.resumable(carol)) == []
    assert services.table(duel, Player.objects.get(pk=alice.pk)).me is not None
    services.abandon(duel, alice)
    services.abandon(duel, bob)
    assert list(services.resumable(alice)) == []

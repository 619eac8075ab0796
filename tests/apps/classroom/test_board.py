"""The live board: who plays, how far, how well, who is stuck; shown to the teacher only."""

from __future__ import annotations

import datetime
import random
import uuid
from collections import Counter

import pytest
from channels.db import database_sync_to_async
from django.core.cache import cache
from django.db import connections
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from apps.accounts.models import Player
from apps.classroom.models import Standing
from apps.classroom.services.live import board, presence, running
from apps.dicee import services
from apps.dicee.models import Game, Stream
from apps.dicee.services import store
from apps.dicee.services.record import telemetry
from apps.dicee.services.review import story
from engine.dicee import learning, tables
from engine.dicee.boxes import Variant
from engine.dicee.learning.students import STUDENTS, choose
from tests.apps.classroom.lesson import Lesson, browser, lesson, play_turn, sit, teacher
from tests.apps.practice.learners import mask

sync = database_sync_to_async


def tile(made: Lesson, nickname: str) -> board.Tile:
    return next(t for t in board.board(made.classroom).tiles if t.nickname == nickname)


# -- The tally of a running game ----------------------------------------------------------------------------------


def play_as(player: Player, kind: str, seed: int, game: Game | None = None) -> Game:
    table, luck = tables.load(Variant.STANDARD), random.Random(seed)
    student = next(s for s in STUDENTS if s.name == kind)
    game = game or services.create(player, "solo", {"allowUndo": True})
    while not store.current(game).seat.card.is_complete:
        services.roll(game, player)
        while not (option := choose(student, store.current(game).position, table, luck)).box:
            services.roll(game, player, mask(store.current(game).dice, option))
        services.score(game, player, option.box)
        yield_tally(game, player)
    game.refresh_from_db()
    return game


def yield_tally(game: Game, player: Player) -> running.Tally:
    return running.tally(game, player.pk)


@pytest.mark.django_db
@pytest.mark.parametrize("kind", [STUDENTS[0].name, STUDENTS[-1].name])
def test_the_tally_agrees_with_the_story_of_the_game(kind: str) -> None:
    """Two ways to the same figures: folded move by move, and told from the whole stream."""
    player = Player.objects.create(pseudonym="Ada")
    game = play_as(player, kind, seed=5)
    counted, told = running.tally(game, player.pk), story(game, player.pk)
    assert counted.decisions == len(told.decisions)
    assert counted.right == sum(d.was_best for d in told.decisions)
    assert counted.lost == pytest.approx(sum(d.lost for d in told.decisions))
    assert counted.over
    assert counted.score == game.seats.get().final_score


@pytest.mark.django_db
def test_a_score_taken_back_is_not_counted() -> None:
    player = Player.objects.create(pseudonym="Ada")
    game = services.create(player, "solo", {"allowUndo": True})
    services.roll(game, player)
    before = running.tally(game, player.pk)
    services.score(game, player, "ones")
    assert running.tally(game, player.pk).decisions == 1
    services.undo(game, player)
    after = running.tally(game, player.pk)
    assert (after.decisions, after.lost, after.position) == (0, 0.0, before.position)
    services.score(game, player, "chance")
    again = running.tally(game, player.pk)
    told = story(game, player.pk)
    assert (again.decisions, again.lost) == (1, pytest.approx(told.decisions[0].lost))


@pytest.mark.django_db
def test_the_next_move_folds_one_event_and_analyses_one_decision(monkeypatch: pytest.MonkeyPatch) -> None:
    player = Player.objects.create(pseudonym="Ada")
    game = services.create(player)
    for _ in range(6):
        play_turn(game, player)
    running.tally(game, player.pk)
    analysed, folded = [], []
    real_analyze, real_fold = running.analyze, running.fold
    monkeypatch.setattr(running, "analyze", lambda here: analysed.append(here) or real_analyze(here))
    monkeypatch.setattr(running, "fold", lambda t, s, r: folded.extend(s) or real_fold(t, s, r))
    services.roll(game, player)
    running.tally(game, player.pk)
    assert (len(analysed), len(folded)) == (0, 1)
    services.score(game, player, store.current(game).seat.card.open_boxes[0])
    running.tally(game, player.pk)
    assert (len(analysed), len(folded)) == (1, 2)


@pytest.mark.django_db
def test_what_the_cache_forgets_is_counted_again() -> None:
    player = Player.objects.create(pseudonym="Ada")
    game = services.create(player)
    for _ in range(4):
        play_turn(game, player)
    before = running.tally(game, player.pk)
    cache.clear()
    assert running.tallies([(game, player.pk)])[game.pk, player.pk] == before


@pytest.mark.django_db
def test_a_match_counts_each_seat_for_itself() -> None:
    ada, ben = (Player.objects.create(pseudonym=name) for name in ("Ada", "Ben"))
    game = services.create(ada, "multiplayer")
    services.join(game.code, ben)
    services.start(game, ada)
    first = game.seats.get(player_ref=store.current(game).seat.player_id).player
    assert first is not None
    play_turn(game, first, "chance")
    second = ben if first == ada else ada
    mine, theirs = running.tally(game, first.pk), running.tally(game, second.pk)
    assert (mine.decisions, mine.on_turn, mine.score) == (
        1,
        False,
        store.current(game).seat_of(first.pk).card.grand_total,
    )
    assert (theirs.decisions, theirs.on_turn, theirs.turn) == (0, True, 1)


# -- Who is what --------------------------------------------------------------------------------------------------


@pytest.mark.django_db
def test_states_of_a_class() -> None:
    made = lesson("Ada", "Ben", "Cleo", "Dev", "Elif")
    ada, ben, elif_ = (made.members[n].player for n in ("Ada", "Ben", "Elif"))
    game = made.begin("Ada")
    services.roll(game, ada)
    old = made.begin("Ben")
    play_turn(old, ben)
    sit(made, "Ben", board.IDLE_AFTER + 5)
    cache.delete(presence._key(made.members["Ben"].pk))
    presence.seen(made.members["Cleo"].pk)
    over = made.begin("Elif")
    for _ in range(13):
        play_turn(over, elif_)
    states = {t.nickname: t.state for t in board.board(made.classroom).tiles}
    assert states == {"Ada": "playing", "Ben": "idle", "Cleo": "here", "Dev": "away", "Elif": "done"}
    assert tile(made, "Ada").tally.turn == 1
    assert tile(made, "Elif").progress == 100


@pytest.mark.django_db
def test_stuck_in_front_of_one_decision() -> None:
    made = lesson("Ada")
    services.roll(made.begin("Ada"), made.members["Ada"].player)
    sit(made, "Ada", board.STUCK_AFTER - 5)
    assert tile(made, "Ada").state == "playing"
    sit(made, "Ada", board.STUCK_AFTER + 5)
    here = tile(made, "Ada")
    assert here.state == "stuck"
    assert here.reason == "In front of the same decision, turn 1."


@pytest.mark.django_db
def test_stuck_by_asking_for_hint_after_hint() -> None:
    made = lesson("Ada")
    ada = made.members["Ada"].player
    game = made.begin("Ada")
    services.roll(game, ada)
    state = store.current(game)
    for _ in range(board.HINTS_A_TURN):
        assert tile(made, "Ada").state == "playing"
        note = {
            "eventType": "hint_requested",
            "currentDice": state.dice,
            "hintType": "optimal_category",
            "availableCategories": state.seat.card.open_boxes,
            "hintContent": "x",
            "playerSkillLevel": "beginner",
        }
        telemetry.append(game.pk, Stream.TELEMETRY, [telemetry.event_of(game, state, ada.pk, note)])
    assert tile(made, "Ada").reason == "Asked for 2 hints in this turn."
    services.score(game, ada, "chance")
    assert tile(made, "Ada").state == "playing", "a new turn begins afresh"


@pytest.mark.django_db
def test_stuck_by_the_same_slip_again_and_again() -> None:
    made = lesson("Ada")
    game = made.begin("Ada")
    play_as(made.members["Ada"].player, STUDENTS[1].name, 3, game)
    counted = running.tally(game, made.members["Ada"].player_id)
    told = running.replace(counted, over=False, on_turn=True, habits=(("stops_early", 3, 17.24),))
    assert board._why_stuck(told, 1, 0) == "Stops early: 3 times in this game, −17.2 points."
    cold = running.replace(counted, habits=(), slips=3, slips_lost=8.0)
    assert board._why_stuck(cold, 1, 0) == "3 costly choices in a row, −8.0 points."
    assert counted.lost > 0


@pytest.mark.django_db
def test_habits_are_those_the_learning_model_sees() -> None:
    """The same patterns, counted from ``learning.observe`` over the whole game."""
    player = Player.objects.create(pseudonym="Theo")
    game = play_as(player, "very careless", seed=2)
    expected: Counter[str] = Counter()
    for made in story(game, player.pk).decisions:
        seen = learning.observe(made.position, made.chosen, made.found)
        expected.update(signal.pattern for signal in seen.signals if signal.fell and made.lost >= running.SLIP)
    habits = {key: times for key, times, _ in running.tally(game, player.pk).habits}
    assert habits == expected
    assert expected, "a very careless player falls for something"


@pytest.mark.django_db
def test_games_begun_elsewhere_are_not_on_the_board() -> None:
    made = lesson("Ada")
    ada = made.members["Ada"].player
    own = services.create(ada)
    services.roll(own, ada)
    assert tile(made, "Ada").tally is None


@pytest.mark.django_db
def test_a_game_finished_long_ago_leaves_the_board() -> None:
    made = lesson("Ada")
    game = made.begin("Ada")
    for _ in range(13):
        play_turn(game, made.members["Ada"].player)
    Game.objects.filter(pk=game.pk).update(finished_at=timezone.now() - board.LESSON - datetime.timedelta(minutes=1))
    assert tile(made, "Ada").state == "away"


@pytest.mark.django_db
def test_a_class_costs_the_same_queries_whatever_its_size() -> None:
    def queries(size: int) -> int:
        made = lesson(*(f"S{n}" for n in range(size)))
        for nickname, member in made.members.items():
            services.roll(made.begin(nickname), member.player)
        board.board(made.classroom)
        with CaptureQueriesContext(connections["default"]) as seen:
            board.board(made.classroom)
        return len(seen)

    assert queries(2) == queries(12) <= 6


# -- The page, and who may see it ---------------------------------------------------------------------------------


@pytest.mark.django_db
def test_only_the_teacher_of_the_class_sees_the_board() -> None:
    made = lesson("Ada")
    assert made.teacher.get(made.address + "board/").status_code == 200
    other, _ = teacher("Mr Other")
    stranger = browser(Player.objects.create())
    for client in (made.browser("Ada"), other, stranger):
        assert client.get(made.address + "board/").status_code == 404
        assert client.post(made.address + f"board/{made.members['Ada'].pk}/hint/").status_code == 404


@pytest.mark.django_db
def test_the_board_shows_each_student_with_turn_points_and_best_choices() -> None:
    made = lesson("Ada", "Ben")
    game = made.begin("Ada")
    for _ in range(3):
        play_turn(game, made.members["Ada"].player)
    page = made.teacher.get(made.address + "board/").content.decode()
    counted = running.tally(game, made.members["Ada"].player_id)
    start = page.index(f'id="tile-{made.members["Ada"].pk}"')
    shown = page[start : page.index("</li>", start)]
    assert ">4</dd>" in shown
    assert f">{counted.score}</dd>" in shown
    assert f">{100 * counted.accuracy:.0f}\N{NO-BREAK SPACE}%<" in shown
    assert "not here" in page


@pytest.mark.django_db
def test_a_removed_or_waiting_student_is_not_on_the_board() -> None:
    made = lesson("Ada")
    made.join("Wendy", Standing.WAITING)
    made.join("Mallory", Standing.REMOVED)
    page = made.teacher.get(made.address + "board/").content.decode()
    assert "Ada" in page
    assert "Wendy" not in page
    assert "Mallory" not in page


# -- A nudge ------------------------------------------------------------------------------------------------------


@pytest.mark.django_db
def test_a_nudge_gives_the_goal_and_never_the_move() -> None:
    made = lesson("Ada")
    ada = made.members["Ada"].player
    game = made.begin("Ada")
    services.roll(game, ada)
    text = board.nudge(made.members["Ada"])
    best = story_best(game)
    assert text.startswith(("Think about", "Something on the table", "Little is made"))
    assert best not in text


def story_best(game: Game) -> str:
    from apps.dicee.services.review.decisions import say

    found = running.analyze(store.current(game).position)
    return say(store.current(game).position, found.best)


@pytest.mark.django_db
def test_a_nudge_where_hints_are_off_says_nothing_about_the_dice() -> None:
    made = lesson("Ada")
    game = made.begin("Ada", hints=False)
    services.roll(game, made.members["Ada"].player)
    assert board.nudge(made.members["Ada"]) == board.WITHOUT_HINTS


@pytest.mark.django_db
def test_the_hint_button_says_whom_it_reached() -> None:
    made = lesson("Ada")
    services.roll(made.begin("Ada"), made.members["Ada"].player)
    sit(made, "Ada", board.STUCK_AFTER + 5)
    address = made.address + f"board/{made.members['Ada'].pk}/hint/"
    reply = made.teacher.post(address, headers={"HX-Request": "true"})
    assert "Hint sent to Ada." in reply["HX-Trigger"]
    assert "hint sent" in reply.content.decode(), "no second hint for the same decision"
    cache.delete(presence._key(made.members["Ada"].pk))
    assert "has no page" in made.teacher.post(address, headers={"HX-Request": "true"})["HX-Trigger"]
    assert made.teacher.post(made.address + f"board/{uuid.uuid4()}/hint/").status_code == 404

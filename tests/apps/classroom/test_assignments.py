"""Assignments: set by a teacher, done by students, handed in by themselves."""

from __future__ import annotations

import csv
import datetime
from collections.abc import Callable

import pytest
from django.test import Client
from django.utils import timezone
from pydantic import ValidationError

from apps.classroom.models import Assignment, ClassGame, Task, Work
from apps.classroom.services import assignments, students
from apps.dicee import services as dicee
from apps.dicee.models import Game, Status
from apps.dicee.services import store
from apps.dicee.services.page import Look
from apps.practice.models import Answer
from engine.dicee import notation
from engine.dicee.analysis import Horizon, analyze, box_odds
from engine.dicee.boxes import Variant
from engine.dicee.tables import load
from tests.apps.classroom.lesson import Lesson, lesson, play_turn, work_off

pytestmark = pytest.mark.django_db

EMPTY = "standard/-.-.-.-.-.-.-.-.-.-.-.-.-"
LINES = (f"{EMPTY}/55526/1", f"{EMPTY}/23456/0", f"{EMPTY}/11362/2")
GUESSES = assignments.Guesses.model_validate(
    {"questions": [{"position": LINES[0], "box": "four_of_kind"}, {"position": LINES[2], "box": "ones"}]}
)


def positions(feedback: str = "end") -> assignments.Positions:
    return assignments.Positions.model_validate({"positions": LINES, "feedback": feedback})


def set_work(
    room: Lesson, task: str, settings: assignments.Settings, due: datetime.datetime | None = None
) -> Assignment:
    return assignments.create(room.classroom, "Set", task, settings, due)


def at(room: Lesson, made: Assignment) -> str:
    return f"{room.address}assignments/{made.pk}/"


def finish(game: Game) -> None:
    """Play a table to its end, whoever's turn it is, and do what a worker does."""
    seats = {seat.player_ref: seat.player for seat in game.seats.all()}
    while (state := store.current(game)).status.value == "active":
        player = seats[state.seat.player_id]
        assert player is not None
        play_turn(game, player)
    work_off(game)


# -- Setting ------------------------------------------------------------------------------------------------------

COMMON = {"title": "Homework", "due_on": "2030-05-01"}
DRAWN = {"count": "3", "difficulty": "1", "feedback": "end", "lines": ""}


@pytest.mark.parametrize(
    ("task", "said", "settings"),
    [
        (
            "games",
            {"games": "3", "level": "expert", "statistics": "on"},
            {"games": 3, "level": "expert", "statistics": True, "hints": False},
        ),
        (
            "match",
            {"seats": "4", "level": "beginner", "hints": "on"},
            {"seats": 4, "level": "beginner", "statistics": False, "hints": True, "clock": False},
        ),
        ("positions", DRAWN | {"count": "0", "concept": "straights", "lines": "55526/1\n\n23456/0"}, None),
        ("predictions", DRAWN | {"count": "0", "lines": "55526/1"}, None),
    ],
)
def test_set_each_kind(task: str, said: dict[str, str], settings: dict[str, object] | None) -> None:
    room = lesson()
    assert room.teacher.get(f"{room.address}assignments/new/{task}/").status_code == 200
    answer = room.teacher.post(f"{room.address}assignments/new/{task}/", COMMON | said)
    made = Assignment.objects.get()
    assert answer["Location"] == at(room, made)
    assert (made.title, made.task) == ("Homework", task)
    assert made.due_at == datetime.datetime(2030, 5, 1, 23, 59, tzinfo=datetime.UTC)
    if settings is not None:
        assert made.settings == settings
    else:
        told = assignments.read(made)
        lines = told.positions if isinstance(told, assignments.Positions) else [q.position for q in told.questions]
        assert lines[0] == LINES[0]


def test_positions_are_drawn_for_a_concept_once_and_for_all() -> None:
    room = lesson()
    said = COMMON | DRAWN | {"concept": "straights"}
    room.teacher.post(f"{room.address}assignments/new/positions/", said)
    told = assignments.read(Assignment.objects.get())
    assert isinstance(told, assignments.Positions)
    assert len(set(told.positions)) == 3
    assert told.drawn is not None
    again = assignments.drawn_positions("straights", 1, 3, told.drawn.seed)
    assert again == told.positions, "the seed is kept and gives the same"
    for line in told.positions:
        found = analyze(notation.read(line), Horizon.GAME, load(Variant.STANDARD))
        assert found.options[1].points_lost >= 1, "an easy position has one clearly best answer"


def test_drawn_guesses_ask_for_a_chance_that_is_neither_sure_nor_impossible() -> None:
    for question in assignments.drawn_guesses(2, 4, 11):
        here = notation.read(question.position)
        assert question.truth == float(box_odds(here.dice, here.rolls_left)[question.box].probability)
        assert 0 < question.truth < 1


@pytest.mark.parametrize(
    ("task", "said", "words"),
    [
        ("games", {"games": "0", "level": "expert"}, "greater than or equal to 1"),
        ("games", {"games": "2", "level": "wizard"}, "not one of the available choices"),
        ("match", {"seats": "7", "level": "expert"}, "less than or equal to 6"),
        ("positions", DRAWN | {"count": "0", "concept": "straights"}, "at least one position"),
        ("positions", DRAWN | {"concept": "straights", "lines": "55526/1\n5552/1"}, "Line 2:"),
        ("positions", DRAWN | {"concept": "straights", "lines": f"{EMPTY}/-/3"}, "nothing to decide yet"),
        ("predictions", DRAWN | {"count": "0", "lines": "55526/0"}, "Nothing can be guessed"),
    ],
)
def test_what_cannot_be_set_is_said_and_the_input_kept(task: str, said: dict[str, str], words: str) -> None:
    room = lesson()
    answer = room.teacher.post(f"{room.address}assignments/new/{task}/", COMMON | said)
    page = answer.content.decode()
    assert answer.status_code == 422
    assert words in page
    assert 'value="Homework"' in page
    assert not Assignment.objects.exists()


@pytest.mark.parametrize(
    ("kind", "raw"),
    [
        (assignments.GamesToPlay, {"games": 21}),
        (assignments.GamesToPlay, {"games": 1, "cheat": True}),
        (assignments.Match, {"seats": 1}),
        (assignments.Positions, {"positions": []}),
        (assignments.Positions, {"positions": ["standard/-/-/3"]}),
        (assignments.Guesses, {"questions": [{"position": LINES[0], "box": "flush"}]}),
        (assignments.Guesses, {"questions": [{"position": LINES[1], "box": "chance"}]}),
    ],
)
def test_settings_that_make_no_sense_are_refused(kind: type[assignments.GamesToPlay], raw: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        kind.model_validate(raw)


def test_an_unknown_kind_is_not_there() -> None:
    room = lesson()
    assert room.teacher.get(f"{room.address}assignments/new/essay/").status_code == 404


def test_change_title_and_due_date_and_delete() -> None:
    room = lesson()
    made = set_work(room, Task.GAMES, assignments.GamesToPlay())
    assert room.teacher.post(f"{at(room, made)}edit/", {"title": "Later", "due_on": ""}).status_code == 302
    made.refresh_from_db()
    assert (made.title, made.due_at) == ("Later", None)
    assert room.teacher.post(f"{at(room, made)}edit/", {"title": ""}).status_code == 422
    assert room.teacher.post(f"{at(room, made)}delete/").status_code == 422
    assert room.teacher.post(f"{at(room, made)}delete/", {"confirm": "yes"}).status_code == 302
    assert not Assignment.objects.exists()


# -- Games --------------------------------------------------------------------------------------------------------


def test_games_are_played_one_by_one_and_handed_in_by_themselves() -> None:
    room = lesson("Ada")
    made = set_work(room, Task.GAMES, assignments.GamesToPlay(games=2, level="beginner"))
    client = room.browser("Ada")
    first = client.post(f"{at(room, made)}play/")["Location"]
    assert client.post(f"{at(room, made)}play/")["Location"] == first, "an open game is gone on with"
    finish(ClassGame.objects.get().game)
    work = Work.objects.get()
    assert work.handed_in_at is None
    assert "1 of 2" in client.get(at(room, made)).content.decode()
    assert client.post(f"{at(room, made)}play/")["Location"] != first
    last = ClassGame.objects.latest("pk").game
    finish(last)
    work.refresh_from_db()
    last.refresh_from_db()
    assert work.handed_in_at == last.finished_at
    scores = [game.seats.get().final_score for game in Game.objects.all()]
    summaries = [game.seats.get().summary for game in Game.objects.all()]
    assert work.result == {
        "games": 2,
        "score": sum(scores) / 2,
        "won": 2,
        "accuracy": sum(s["best"] for s in summaries) / sum(s["decisions"] for s in summaries),
        "lost": pytest.approx(sum(s["pointsLost"] for s in summaries) / 2),
    }
    assert "handed in" in client.get(at(room, made)).content.decode()
    before = work.result
    client.post(f"{at(room, made)}play/")
    finish(ClassGame.objects.latest("pk").game)
    work.refresh_from_db()
    assert work.result == before, "what is handed in stays as it is"


def test_the_level_of_the_coach_is_applied_to_the_students_tables() -> None:
    room = lesson("Ada")
    made = set_work(room, Task.GAMES, assignments.GamesToPlay(level="beginner"))
    room.browser("Ada").post(f"{at(room, made)}play/")
    member = room.members["Ada"]
    member.refresh_from_db()
    assert Look.of(member.player).profile == "beginner"


def test_a_test_without_help_is_enforced_by_the_server() -> None:
    room = lesson("Ada")
    made = set_work(room, Task.GAMES, assignments.GamesToPlay(statistics=False, hints=False))
    client = room.browser("Ada")
    table = client.post(f"{at(room, made)}play/")["Location"]
    game = ClassGame.objects.get().game
    assert game.settings["statistics"] is False
    assert game.settings["hints"] is False
    client.post(f"{table}roll/")
    page = client.get(table).content.decode()
    assert 'id="holds"' not in page
    assert client.post(f"{table}hint/").status_code == 403
    client.post("/dicee/look/", {"shown": "1", "stats": "on", "always": "on", "profile": "expert"})
    assert 'id="holds"' not in client.get(table).content.decode(), "no switch of the student's brings them back"
    assert not ClassGame.objects.get().game.settings["winChances"]


def test_a_game_left_unfinished_does_not_count() -> None:
    room = lesson("Ada")
    made = set_work(room, Task.GAMES, assignments.GamesToPlay())
    game = assignments.play(made, room.members["Ada"])
    player = room.members["Ada"].player
    assert player is not None
    dicee.abandon(game, player)
    work_off(game)
    assert Work.objects.get().handed_in_at is None
    assert assignments.play(made, room.members["Ada"]).pk != game.pk


def test_a_message_that_got_lost_is_made_up_for_when_somebody_looks() -> None:
    room = lesson("Ada")
    made = set_work(room, Task.GAMES, assignments.GamesToPlay())
    finish(assignments.play(made, room.members["Ada"]))
    Work.objects.update(handed_in_at=None, result=None)
    room.teacher.get(at(room, made))
    assert Work.objects.get().handed_in_at is not None


def test_late_work_is_marked_and_not_refused() -> None:
    room = lesson("Ada", "Ben")
    yesterday = timezone.now() - datetime.timedelta(days=1)
    made = set_work(room, Task.GAMES, assignments.GamesToPlay(), yesterday)
    finish(assignments.play(made, room.members["Ada"]))
    page = room.teacher.get(at(room, made)).content.decode()
    assert "handed in late" in page
    assert "1/2" in page
    assert "is-late" in room.browser("Ben").get(room.address).content.decode()


# -- Positions ----------------------------------------------------------------------------------------------------


def answer_next(client: Client, room: Lesson, made: Assignment, choice: str = "0") -> int:
    member_work = Work.objects.filter(assignment=made).first()
    asked = assignments.asked(made, member_work)
    assert asked is not None
    said = {"place": str(asked.number), "choice": choice, "percent": "30", "since": "0"}
    return client.post(f"{at(room, made)}answer/", said).status_code


def test_a_set_of_positions_is_answered_once_and_judged_by_the_solved_game() -> None:
    room = lesson("Ada")
    made = set_work(room, Task.POSITIONS, positions())
    client = room.browser("Ada")
    for _ in LINES:
        assert answer_next(client, room, made) == 302
    given = list(Answer.objects.order_by("place"))
    assert [answer.position for answer in given] == list(LINES)
    for answer in given:
        found = analyze(notation.read(answer.position), Horizon.GAME, load(Variant.STANDARD))
        keep = [] if answer.choice == "-" else [int(face) for face in answer.choice if face.isdecimal()]
        chosen = found.option(keep=keep) if answer.choice[0] in "-123456" else found.option(box=answer.choice)
        assert answer.lost == pytest.approx(chosen.points_lost, abs=1e-6)
    work = Work.objects.get()
    assert work.handed_in_at == given[-1].created_at
    assert work.result["lost"] == pytest.approx(sum(answer.lost or 0 for answer in given))
    assert work.result["right"] == sum(not answer.lost for answer in given)
    assert client.post(f"{at(room, made)}answer/", {"place": "1", "choice": "1"}).status_code == 302
    assert Answer.objects.count() == len(LINES), "a second answer changes nothing"


def test_nothing_leaks_before_the_hand_in() -> None:
    room = lesson("Ada")
    made = set_work(room, Task.POSITIONS, positions("end"))
    client = room.browser("Ada")
    for _ in LINES[:-1]:
        page = client.get(at(room, made)).content.decode()
        for leak in ("is-best", "callout--loss", "callout--gain", "points_lost", "Every answer"):
            assert leak not in page
        answer_next(client, room, made)
    answer_next(client, room, made)
    page = client.get(at(room, made)).content.decode()
    assert page.count('class="choices"') == len(LINES)
    assert "is-best" in page


def test_with_feedback_after_each_answer_the_last_one_is_explained() -> None:
    room = lesson("Ada")
    made = set_work(room, Task.POSITIONS, positions("each"))
    client = room.browser("Ada")
    assert "Your last answer" not in client.get(at(room, made)).content.decode()
    answer_next(client, room, made)
    page = client.get(at(room, made)).content.decode()
    assert "Your last answer" in page
    assert "is-best" in page
    assert "Question 2 of 3" in page


@pytest.mark.parametrize("said", [{"place": "1"}, {"place": "9", "choice": "0"}, {"place": "1", "choice": "99"}])
def test_an_answer_that_is_none_is_refused_and_the_question_stays(said: dict[str, str]) -> None:
    room = lesson("Ada")
    made = set_work(room, Task.POSITIONS, positions())
    answer = room.browser("Ada").post(f"{at(room, made)}answer/", said)
    assert answer.status_code == 422
    assert "field-error" in answer.content.decode()
    assert "Question 1 of 3" in answer.content.decode()
    assert not Answer.objects.exists()


# -- Predictions --------------------------------------------------------------------------------------------------


def test_guesses_are_scored_by_calibration() -> None:
    room = lesson("Ada")
    made = set_work(room, Task.PREDICTIONS, GUESSES)
    client = room.browser("Ada")
    assert "How likely is Four of a kind" in client.get(at(room, made)).content.decode()
    for place, percent in (("1", "31"), ("2", "90")):
        assert client.post(f"{at(room, made)}answer/", {"place": place, "percent": percent}).status_code == 302
    truths = [11 / 36, GUESSES.questions[1].truth]
    assert [answer.truth for answer in Answer.objects.order_by("place")] == pytest.approx(truths)
    off = [0.31 - truths[0], 0.9 - truths[1]]
    result = Work.objects.get().result
    assert result["off"] == pytest.approx(sum(map(abs, off)) / 2)
    assert result["bias"] == pytest.approx(sum(off) / 2)
    assert result["points"] == 10, "within two points of the first, nowhere near the second"
    assert "You said 31" in client.get(at(room, made)).content.decode()


@pytest.mark.parametrize("percent", ["", "101", "-3", "a"])
def test_a_guess_is_a_whole_percentage(percent: str) -> None:
    room = lesson("Ada")
    made = set_work(room, Task.PREDICTIONS, GUESSES)
    answer = room.browser("Ada").post(f"{at(room, made)}answer/", {"place": "1", "percent": percent})
    assert answer.status_code == 422
    assert "from 0 to 100" in answer.content.decode()


# -- Matches ------------------------------------------------------------------------------------------------------


def test_classmates_are_seated_together_and_a_full_table_begins_by_itself() -> None:
    room = lesson("Ada", "Ben", "Chloe")
    made = set_work(room, Task.MATCH, assignments.Match(seats=2))
    first = room.browser("Ada").post(f"{at(room, made)}play/")["Location"]
    assert room.browser("Ada").post(f"{at(room, made)}play/")["Location"] == first, "waiting, not seated twice"
    assert room.browser("Ben").post(f"{at(room, made)}play/")["Location"] == first
    game = Game.objects.get()
    assert game.status == Status.ACTIVE
    assert {seat.name for seat in game.seats.all()} == {"Ada", "Ben"}
    assert room.browser("Chloe").post(f"{at(room, made)}play/")["Location"] != first
    finish(game)
    scores = {seat.name: seat.final_score for seat in game.seats.all()}
    for work in Work.objects.filter(handed_in_at__isnull=False):
        assert work.result["score"] == scores[work.member.nickname]
        assert work.result["won"] == (scores[work.member.nickname] == max(scores.values()))
    assert Work.objects.filter(handed_in_at__isnull=False).count() == 2


def test_a_table_of_three_waits_for_the_third() -> None:
    room = lesson("Ada", "Ben", "Chloe")
    made = set_work(room, Task.MATCH, assignments.Match(seats=3))
    for name, status in (("Ada", "waiting"), ("Ben", "waiting"), ("Chloe", "active")):
        game = assignments.find_table(made, room.members[name])
        assert game.status == status
    assert Game.objects.count() == 1


def test_students_of_another_class_are_never_at_the_table() -> None:
    one, other = lesson("Ada"), lesson("Ben")
    games = [
        assignments.find_table(set_work(room, Task.MATCH, assignments.Match()), room.members[name]).pk
        for room, name in ((one, "Ada"), (other, "Ben"))
    ]
    assert games[0] != games[1]
    assert one.browser("Ada").post(f"{other.address}play/").status_code == 404


@pytest.mark.parametrize("erase", [True, False])
def test_nobody_is_seated_with_somebody_who_left_the_class(erase: bool) -> None:
    room = lesson("Ada", "Ben")
    made = set_work(room, Task.MATCH, assignments.Match())
    first = assignments.find_table(made, room.members["Ada"])
    students.leave(room.members["Ada"], erase=erase)
    second = assignments.find_table(made, room.members["Ben"])
    assert second.pk != first.pk


@pytest.mark.parametrize(("clock", "seconds"), [(True, 180), (False, None)])
def test_a_match_has_a_clock_where_the_teacher_wants_one(clock: bool, seconds: int | None) -> None:
    room = lesson("Ada")
    made = set_work(room, Task.MATCH, assignments.Match(clock=clock))
    assert dicee.settings_of(assignments.find_table(made, room.members["Ada"])).time_limit == seconds


def test_asking_for_a_game_in_a_set_of_positions_is_refused() -> None:
    room = lesson("Ada")
    made = set_work(room, Task.POSITIONS, positions())
    assert room.browser("Ada").post(f"{at(room, made)}play/").status_code == 404
    games = set_work(room, Task.GAMES, assignments.GamesToPlay())
    assert room.browser("Ada").post(f"{at(room, games)}answer/", {"place": "1"}).status_code == 422


# -- The teacher's sheet ------------------------------------------------------------------------------------------


def test_the_sheet_and_its_file_say_who_is_how_far() -> None:
    room = lesson("Ada", "Ben", "Chloe")
    made = set_work(room, Task.POSITIONS, positions())
    for _ in LINES:
        answer_next(room.browser("Ada"), room, made)
    assignments.answer(made, room.members["Ben"], "1", "0")
    students.leave(room.members["Ada"])
    file = room.teacher.get(f"{at(room, made)}results.csv")
    rows = list(csv.reader(file.content.decode().splitlines()))
    assert rows[0] == ["student", "state", "done", "of", "handed in", "right", "best choices", "points lost"]
    assert [row[:4] for row in rows[1:]] == [
        ["Ben", "begun", "1", "3"],
        ["Chloe", "not begun", "0", "3"],
        ["Someone who left", "handed in", "3", "3"],
    ]
    assert float(rows[3][7]) == pytest.approx(Work.objects.get(member__nickname="Someone who left").result["lost"])
    page = room.teacher.get(at(room, made)).content.decode()
    assert "Someone who left" in page
    assert "1/3" in page


@pytest.mark.parametrize("people", [2, 10])
def test_the_sheet_asks_the_database_the_same_for_any_number_of_students(
    people: int, django_assert_max_num_queries: Callable[..., object]
) -> None:
    room = lesson(*(f"Student {n}" for n in range(people)))
    made = set_work(room, Task.POSITIONS, positions())
    for member in room.members.values():
        for place in ("1", "2", "3"):
            assignments.answer(made, member, place, "0")
    with django_assert_max_num_queries(10):
        room.teacher.get(at(room, made))

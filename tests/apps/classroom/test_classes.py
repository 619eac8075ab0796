"""A class as its teacher runs it."""

from __future__ import annotations

import datetime
from collections.abc import Callable

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django.fixtures import Settings

from apps.accounts.models import Player
from apps.classroom.models import ClassGame, Classroom, Joining, Membership, Standing
from apps.classroom.services import classes, students
from apps.classroom.tasks import expire
from apps.dicee.models import CODE_ALPHABET, Seat, Status
from tests.apps.classroom.lesson import Lesson, lesson, teacher

pytestmark = pytest.mark.django_db


def test_the_landing_page_has_three_doors(visitor: Client) -> None:
    page = visitor.get("/classroom/").content.decode()
    for door in ("Join with a code", "Teach", "Learn on your own", "/classroom/practice/", "/classroom/daily/"):
        assert door in page
    assert "/account/sign-up/?next=/classroom/new/" in page
    assert not Player.objects.exists(), "looking leaves no trace"


def test_classes_one_teaches_or_is_in_come_first() -> None:
    room = lesson("Ada")
    assert "Classes you teach" in room.teacher.get("/classroom/").content.decode()
    page = room.browser("Ada").get("/classroom/").content.decode()
    assert "as Ada" in page
    assert page.index("Classes you are in") < page.index("Join with a code")


def test_a_guest_is_asked_for_an_account_first(visitor: Client) -> None:
    answer = visitor.get("/classroom/new/")
    assert answer.status_code == 302
    assert answer["Location"] == "/account/sign-up/?next=%2Fclassroom%2Fnew%2F"


def test_sign_up_leads_straight_to_the_new_class(visitor: Client) -> None:
    password = "correct horse battery"
    entered = {"username": "ms-okafor", "password": password, "again": password, "next": "/classroom/new/"}
    assert visitor.post("/account/sign-up/", entered)["Location"] == "/account/codes/?next=%2Fclassroom%2Fnew%2F"
    made = visitor.post("/classroom/new/", {"name": "  Period   3 ", "joining": "open", "keep": "90"})
    classroom = Classroom.objects.get()
    assert made["Location"] == f"/classroom/{classroom.pk}/"
    assert classroom.name == "Period 3"
    assert classroom.expires_on == timezone.now().date() + datetime.timedelta(days=90)
    assert set(classroom.code) <= set(CODE_ALPHABET)
    assert classroom.code in visitor.get(made["Location"]).content.decode()


@pytest.mark.parametrize(
    ("field", "value"), [("name", ""), ("name", "x" * 61), ("joining", "everyone"), ("keep", "9999")]
)
def test_what_cannot_be_taken_is_said_beside_the_field(field: str, value: str) -> None:
    client, _ = teacher("Ms Okafor")
    answer = client.post("/classroom/new/", {"name": "Period 3", "joining": "open", "keep": "90"} | {field: value})
    assert answer.status_code == 422
    assert "field-error" in answer.content.decode()
    assert not Classroom.objects.exists()


def test_a_teacher_has_a_limited_number_of_classes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(classes, "MOST_CLASSES", 1)
    room = lesson()
    answer = room.teacher.post("/classroom/new/", {"name": "Another", "joining": "open", "keep": "90"})
    assert answer.status_code == 422
    assert "at most 1 classes" in answer.content.decode()


def test_two_classes_never_share_a_code(monkeypatch: pytest.MonkeyPatch) -> None:
    room = lesson()
    codes = iter([room.classroom.code, "FRESH7"])
    monkeypatch.setattr(classes, "new_code", lambda: next(codes))
    other = classes.renew_code(Classroom.objects.create(teacher=room.classroom.teacher, name="Other"))
    assert other.code == "FRESH7"


def test_rename_open_and_close_and_keep_longer() -> None:
    room = lesson()
    changed = {"name": "Period 4", "joining": "closed", "keep": "365"}
    assert room.teacher.post(f"{room.address}edit/", changed).status_code == 302
    room.classroom.refresh_from_db()
    assert (room.classroom.name, room.classroom.joining) == ("Period 4", Joining.CLOSED)
    assert classes.days_left(room.classroom) == 365
    room.teacher.post(f"{room.address}edit/", changed | {"keep": ""})
    assert classes.days_left(room.classroom) == 365, "no choice leaves the day as it is"
    assert room.teacher.post(f"{room.address}edit/", changed | {"name": ""}).status_code == 422


def test_a_new_code_makes_the_old_one_worthless(visitor: Client) -> None:
    room = lesson("Ada")
    old = room.classroom.code
    room.teacher.post(f"{room.address}code/renew/", {"confirm": "yes"})
    room.classroom.refresh_from_db()
    assert room.classroom.code != old
    assert visitor.get(f"/classroom/join/{old}/").status_code == 422
    assert visitor.get(f"/classroom/join/{room.classroom.code}/").status_code == 200
    assert room.browser("Ada").get(room.address).status_code == 200, "who is in stays in"


def test_the_projector_shows_the_code_and_who_has_come() -> None:
    room = lesson("Ada", "Ben")
    page = room.teacher.get(f"{room.address}code/").content.decode()
    assert room.classroom.code in page
    room.join("Chloe")
    part = room.teacher.get(f"{room.address}code/", headers={"HX-Request": "true"}).content.decode()
    assert "Chloe" in part
    assert "<html" not in part


def test_the_projector_has_a_code_for_cameras_where_others_can_reach_it(settings: Settings) -> None:
    settings.ALLOWED_HOSTS = ["*"]
    room = lesson("Ada")
    assert 'class="qr"' not in room.teacher.get(f"{room.address}code/", HTTP_HOST="localhost").content.decode()
    assert 'class="qr"' in room.teacher.get(f"{room.address}code/", HTTP_HOST="odds.example").content.decode()


@pytest.mark.parametrize("page", ["code/", "board/"])
def test_names_can_be_hidden_from_the_room(page: str) -> None:
    room = lesson("Ada")
    shown = room.teacher.get(f"{room.address}{page}").content.decode()
    hidden = room.teacher.get(f"{room.address}{page}?hide=1").content.decode()
    assert "names-hidden" not in shown
    assert "names-hidden" in hidden
    assert hidden.count("student-name") == hidden.count(">Ada<"), "every name is one that can be hidden"


def test_delete_asks_first_and_leaves_games_with_their_players() -> None:
    room = lesson("Ada")
    game = room.begin("Ada")
    assert room.teacher.get(f"{room.address}delete/").status_code == 200
    assert room.teacher.post(f"{room.address}delete/").status_code == 422
    assert room.teacher.post(f"{room.address}delete/", {"confirm": "yes"})["Location"] == "/classroom/"
    assert not Classroom.objects.exists()
    assert not Membership.objects.exists()
    assert room.browser("Ada").get(f"/dicee/{game.pk}/").status_code == 200
    assert room.teacher.get(f"/dicee/{game.pk}/").status_code == 403, "without the class the teacher is a stranger"


# -- One student --------------------------------------------------------------------------------------------------


def act(room: Lesson, who: str, action: str, **said: str) -> int:
    member = room.members[who]
    status = room.teacher.post(f"{room.address}students/{member.pk}/{action}/", said).status_code
    if Membership.objects.filter(pk=member.pk).exists():
        member.refresh_from_db()
    return status


def test_approve_and_decline() -> None:
    room = lesson()
    for name in ("Ada", "Ben"):
        room.join(name, Standing.WAITING)
    page = room.teacher.get(room.address).content.decode()
    assert "Waiting to come in" in page
    act(room, "Ada", "approve")
    act(room, "Ben", "decline")
    assert room.members["Ada"].standing == Standing.IN
    assert not Membership.objects.filter(nickname="Ben").exists()
    act(room, "Ada", "decline")
    assert Membership.objects.filter(nickname="Ada").exists(), "who is in is taken off, not turned away"


def test_rename_reaches_the_tables_of_the_class() -> None:
    room = lesson("Ada", "Ben")
    member = room.members["Ada"]
    game = students.play(member)
    assert act(room, "Ada", "rename", nickname="Countess") == 302
    assert member.nickname == "Countess"
    assert Seat.objects.get(game=game).name == "Countess"
    assert act(room, "Ada", "rename", nickname="bEN") == 422, "no two students of a class differ in case alone"
    assert act(room, "Ada", "rename", nickname="?") == 422
    assert act(room, "Ada", "rename", nickname="COUNTESS") == 302, "one's own name may change its case"


def test_remove_let_back_in_and_delete_for_good() -> None:
    room = lesson("Ada")
    game = students.play(room.members["Ada"])
    act(room, "Ada", "remove")
    assert room.members["Ada"].standing == Standing.REMOVED
    assert room.browser("Ada").get(room.address).status_code == 404
    act(room, "Ada", "approve")
    assert room.browser("Ada").get(room.address).status_code == 200
    act(room, "Ada", "erase")
    assert Membership.objects.filter(nickname="Ada").exists(), "only who was taken off can be deleted"
    act(room, "Ada", "remove")
    act(room, "Ada", "erase", confirm="yes")
    assert not Membership.objects.exists()
    classes.purge(timezone.now() + 2 * classes.UNDO)
    assert not ClassGame.objects.exists()
    assert Seat.objects.get(game=game).name == "Guest Ada", "the game is the player's own again"


def test_a_reset_shows_a_new_key_once_and_shuts_the_old_browser_out() -> None:
    room = lesson("Ada")
    old_browser, member = room.browser("Ada"), room.members["Ada"]
    game = students.play(member)
    assert act(room, "Ada", "reset", confirm="yes") == 302
    page = room.teacher.get(room.address, headers={"HX-Request": "true"}).content.decode()
    assert "New return key" not in page, "a page that looks by itself does not use the key up"
    page = room.teacher.get(room.address).content.decode()
    key = page.split('class="return-key">')[1].split("<")[0]
    assert students.digest(key) == member.key_digest
    assert key not in room.teacher.get(room.address).content.decode()
    assert old_browser.get(room.address).status_code == 410
    assert old_browser.get(f"/dicee/{game.pk}/").status_code == 403
    assert room.teacher.get(f"/dicee/{game.pk}/").status_code == 200, "the teacher still sees the class's game"


# -- What the page says -------------------------------------------------------------------------------------------


def test_the_page_warns_two_weeks_before_the_class_ends() -> None:
    room = lesson()
    Classroom.objects.update(expires_on=timezone.now().date() + datetime.timedelta(days=classes.WARN_DAYS + 1))
    assert "This class ends" not in room.teacher.get(room.address).content.decode()
    Classroom.objects.update(expires_on=timezone.now().date() + datetime.timedelta(days=classes.WARN_DAYS))
    assert "This class ends in 14 days" in room.teacher.get(room.address).content.decode()


def test_classes_past_their_day_are_deleted_by_themselves() -> None:
    kept, over = lesson("Ada"), lesson("Ben")
    students.reset(over.members["Ben"])
    Classroom.objects.filter(pk=kept.classroom.pk).update(expires_on=timezone.now().date())
    Classroom.objects.filter(pk=over.classroom.pk).update(expires_on=timezone.now().date() - datetime.timedelta(days=1))
    expire()
    assert [left.pk for left in Classroom.objects.all()] == [kept.classroom.pk]
    assert not Player.objects.filter(settings__has_key=classes.VACANT).exists()


def test_fair_play_flags_are_shown_to_the_games_teacher() -> None:
    room = lesson("Ada")
    game = students.play(room.members["Ada"])
    game.status = Status.COMPLETED
    game.save()
    flags = ["always_optimal", "instant_decisions"]
    summary = {"decisions": 30, "best": 30, "pointsLost": 0.0, "flags": flags}
    game.seats.update(summary=summary, final_score=250)
    assert [found.flags for found in classes.fair_play(room.members["Ada"])] == [flags]
    page = room.teacher.get(room.address).content.decode()
    assert "Looks less than human" in page
    assert "decided in a blink" in page
    game.seats.update(summary=summary | {"flags": flags[:1]})
    assert classes.fair_play(room.members["Ada"]) == []


@pytest.mark.parametrize("students_in_class", [2, 12])
def test_the_page_asks_the_database_the_same_for_any_number_of_students(
    students_in_class: int, django_assert_max_num_queries: Callable[..., object]
) -> None:
    room = lesson(*(f"Student {n}" for n in range(students_in_class)))
    for member in room.members.values():
        students.play(member)
    with django_assert_max_num_queries(12):
        room.teacher.get(room.address)

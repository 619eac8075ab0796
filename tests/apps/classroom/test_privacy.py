"""Who may see what of a class: nobody but its teacher and its students, and of a student only what is the class's."""

from __future__ import annotations

import re
import uuid
from collections.abc import Iterator

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import URLPattern, reverse

from apps.accounts import player_data
from apps.accounts import services as accounts
from apps.accounts.models import Player
from apps.classroom import urls
from apps.classroom.models import Assignment, ClassGame, Classroom, Membership, Phase, Round, Standing, Task, Vote, Work
from apps.classroom.services import assignments, classes, students
from apps.dicee.models import Game
from tests.apps.classroom.lesson import Lesson, browser, lesson, play_turn, teacher, work_off

pytestmark = pytest.mark.django_db

OF_A_CLASS = [pattern for pattern in urls.urlpatterns if "class_id" in str(pattern.pattern)]


@pytest.fixture
def room() -> Lesson:
    """A class with a student who has done a bit of everything."""
    made = lesson("Ada", "Ben")
    assignments.create(made.classroom, "Games", Task.GAMES, assignments.GamesToPlay(), None)
    asked = Round.objects.create(
        classroom=made.classroom, position="standard/-.-.-.-.-.-.-.-.-.-.-.-.-/55526/1", phase=Phase.VOTE
    )
    Vote.objects.create(round=asked, member=made.members["Ada"], choice="555")
    return made


def addresses(room: Lesson) -> Iterator[tuple[URLPattern, str]]:
    """Every address below a class, with things of that class in it."""
    known = {
        "class_id": room.classroom.pk,
        "member_id": room.members["Ada"].pk,
        "assignment_id": Assignment.objects.get().pk,
        "round_id": Round.objects.get().pk,
        "task": "games",
        "name": "students",
    }
    for pattern in OF_A_CLASS:
        names = re.findall(r"<(?:\w+:)?(\w+)>", str(pattern.pattern))
        assert set(names) <= set(known), f"{pattern.pattern}: say what to put there"
        yield pattern, reverse(f"classroom:{pattern.name}", kwargs={name: known[name] for name in names})


def strangers(room: Lesson) -> dict[str, Client]:
    removed = room.join("Removed", Standing.REMOVED)
    assert removed.player is not None
    left = room.join("Left")
    assert left.player is not None
    was_here = browser(left.player)
    students.leave(left)
    return {
        "nobody": Client(),
        "another player": browser(Player.objects.create(pseudonym="Bob")),
        "another teacher": teacher("Mr Other")[0],
        "a student of another class": lesson("Zoe").browser("Zoe"),
        "a removed student": browser(removed.player),
        "a student who left": was_here,
    }


def test_for_strangers_no_address_of_a_class_exists(room: Lesson) -> None:
    for who, client in strangers(room).items():
        for pattern, address in addresses(room):
            for method in (client.get, client.post):
                status = method(address).status_code
                assert status in (404, 405), f"{who} got {status} from {pattern.name} {address}"
            statuses = {client.get(address).status_code, client.post(address).status_code}
            assert 404 in statuses, f"{who}: {pattern.name} answers neither GET nor POST with 404"


def test_a_student_is_a_stranger_to_what_is_the_teachers(room: Lesson) -> None:
    ada = room.browser("Ada")
    for name in ("class-edit", "class-code-renew", "class-delete", "class-code", "board", "insight"):
        address = reverse(f"classroom:{name}", args=[room.classroom.pk])
        assert {ada.get(address).status_code, ada.post(address).status_code} <= {404, 405}, name
    for action in ("approve", "decline", "remove", "erase", "rename", "reset"):
        address = reverse(f"classroom:student-{action}", args=[room.classroom.pk, room.members["Ben"].pk])
        assert ada.post(address).status_code == 404, action
    made = Assignment.objects.get()
    for action in ("edit", "delete", "csv"):
        address = reverse(f"classroom:assignment-{action}", args=[room.classroom.pk, made.pk])
        assert {ada.get(address).status_code, ada.post(address).status_code} <= {404, 405}, action


def test_things_of_another_class_are_not_reached_through_ones_own(room: Lesson) -> None:
    other = lesson("Zoe")
    theirs = assignments.create(other.classroom, "Theirs", Task.GAMES, assignments.GamesToPlay(), None)
    assert room.teacher.get(f"{room.address}assignments/{theirs.pk}/").status_code == 404
    assert room.browser("Ada").get(f"{room.address}assignments/{theirs.pk}/").status_code == 404
    zoe = other.members["Zoe"].pk
    assert room.teacher.post(f"{room.address}students/{zoe}/remove/").status_code == 404
    assert Membership.objects.get(pk=zoe).standing == Standing.IN


def test_every_address_of_a_class_is_looked_at() -> None:
    assert len(OF_A_CLASS) >= 30
    assert len({pattern.name for pattern in OF_A_CLASS}) == len(OF_A_CLASS)


# -- Games --------------------------------------------------------------------------------------------------------


def finished(room: Lesson, game: Game) -> Game:
    player = room.members["Ada"].player
    assert player is not None
    for _ in range(13):
        play_turn(game, player)
    work_off(game)
    return game


def test_a_teacher_follows_class_games_and_no_others(room: Lesson) -> None:
    member = room.members["Ada"]
    ada = room.browser("Ada")
    private = Game.objects.get(pk=ada.post("/dicee/new/", {"against": "solo"})["Location"].split("/")[2])
    ours = finished(room, students.play(member))
    running = students.play(member)
    ref = ours.seats.get().player_ref
    for page in (f"/dicee/{ours.pk}/report/?player={ref}", f"/dicee/{ours.pk}/replay/?player={ref}&at=3"):
        assert room.teacher.get(page).status_code == 200
    assert room.teacher.get(f"/dicee/{running.pk}/").status_code == 200
    assert room.teacher.post(f"/dicee/{running.pk}/roll/").status_code in (302, 403, 422), "looking is not playing"
    assert running.events.filter(type="roll").count() == 0
    assert room.teacher.get(f"/dicee/{private.pk}/").status_code == 403
    other_teacher, _ = teacher("Mr Other")
    assert other_teacher.get(f"/dicee/{ours.pk}/report/").status_code == 403
    assert room.browser("Ben").get(f"/dicee/{ours.pk}/report/").status_code == 403, "classmates neither"


def test_an_account_that_was_signed_out_oversees_nothing(room: Lesson) -> None:
    game = students.play(room.members["Ada"])
    assert not classes.oversees(game, Player.objects.create())
    assert classes.oversees(game, room.classroom.teacher)


# -- Leaving, signing in, taking along ----------------------------------------------------------------------------


def test_deleting_a_students_data_anonymises_the_place_in_the_class(room: Lesson) -> None:
    member = room.members["Ada"]
    game = students.play(member)
    assert member.player is not None
    accounts.delete(member.player)
    member.refresh_from_db()
    assert (member.player, member.nickname, member.standing) == (None, "Someone who left", Standing.REMOVED)
    assert member.votes.count() == 1
    assert game.seats.get().name == "Someone who left"
    assert "Ada" not in room.teacher.get(room.address).content.decode()


def test_deleting_a_teachers_account_removes_the_classes(room: Lesson) -> None:
    students.reset(room.members["Ben"])
    accounts.delete(room.classroom.teacher)
    assert not Classroom.objects.exists()
    assert not Membership.objects.exists()
    assert not User.objects.exists()
    assert Player.objects.filter(pk=room.members["Ada"].player_id).exists(), "students are nobody's to delete"
    assert not Player.objects.filter(settings__has_key=classes.VACANT).exists()


def test_signing_in_takes_memberships_along(room: Lesson) -> None:
    guest = room.members["Ada"].player
    _, account = teacher("Ada at home")
    assert guest is not None
    player_data.hand_over(guest, account)
    assert Membership.objects.get(nickname="Ada").player == account


def test_in_a_class_where_both_are_the_accounts_membership_stands(room: Lesson) -> None:
    guest, account = room.members["Ada"].player, room.members["Ben"].player
    game = students.play(room.members["Ada"])
    assert guest is not None
    assert account is not None
    player_data.hand_over(guest, account)
    assert [member.nickname for member in room.classroom.members.all()] == ["Ben"]
    assert ClassGame.objects.get(game=game).member.nickname == "Ben"
    assert game.seats.get().player == account


def test_a_copy_of_everything_names_classes_and_work_but_no_other_student(room: Lesson) -> None:
    member = room.members["Ada"]
    made = Assignment.objects.get()
    Work.objects.create(assignment=made, member=member, result={"score": 1})
    told = accounts.export(member.player)["classroom"]
    assert told["memberships"][0]["work"][0]["result"] == {"score": 1}
    assert told["memberships"][0]["votes"][0]["choice"] == "555"
    assert "Ben" not in str(told)
    taught = accounts.export(room.classroom.teacher)["classroom"]["classesTaught"]
    assert taught == [
        {
            "name": "Period 3",
            "createdAt": room.classroom.created_at.isoformat(),
            "students": 2,
            "assignments": 1,
            "rounds": 1,
            "expiresOn": room.classroom.expires_on.isoformat(),
        }
    ]
    assert "Ada" not in str(taught)


def test_an_id_that_belongs_to_nothing_is_not_there(room: Lesson) -> None:
    assert room.teacher.get(f"/classroom/{uuid.uuid4()}/").status_code == 404
    assert room.teacher.get(f"{room.address}assignments/{uuid.uuid4()}/").status_code == 404

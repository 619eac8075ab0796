"""A class is safe for children: closed tables, devices that go round, nothing that outlives the class, a way back."""

from __future__ import annotations

import datetime
import uuid
from zoneinfo import ZoneInfo

import pytest
from django.test import Client
from django.utils import timezone

from apps.accounts.models import Player
from apps.accounts.services import SESSION_KEY
from apps.classroom.models import Assignment, Classroom, Joining, Membership, Standing, Stay, Task, Work
from apps.classroom.services import assignments, classes, students
from apps.dicee import services as dicee
from apps.dicee.models import Game, Status
from apps.practice.models import Drill
from tests.apps.classroom.lesson import Lesson, lesson, play_turn, teacher
from tests.apps.support import everywhere

pytestmark = pytest.mark.django_db


def set_match(made: Lesson, **more: object) -> Assignment:
    return assignments.create(made.classroom, "Beat a classmate", Task.MATCH, assignments.Match(**more), None)


# -- Closed tables --------------------------------------------------------------------------------------------------


def test_a_classmate_is_paired_and_the_table_begins_when_it_is_full() -> None:
    made = lesson("Lena", "Elif")
    match = set_match(made)
    game = assignments.find_table(match, made.members["Lena"])
    waiting = made.browser("Lena").get(f"/dicee/{game.pk}/").content.decode()
    assert "Table code" not in waiting
    assert f"/dicee/join/{game.code}/" not in waiting
    assert "Only your class can sit here." in waiting
    made.browser("Lena").post(f"/dicee/{game.pk}/start/")
    game.refresh_from_db()
    assert game.status == Status.WAITING
    assert assignments.find_table(match, made.members["Elif"]) == game
    game.refresh_from_db()
    assert game.status == Status.ACTIVE


def test_an_interrupted_match_waits_unless_the_teacher_wants_a_clock() -> None:
    made = lesson("Lena", "Elif")
    for match, clock in ((set_match(made), False), (set_match(made, clock=True), True)):
        assignments.find_table(match, made.members["Lena"])
        game = assignments.find_table(match, made.members["Elif"])
        game.refresh_from_db()
        assert (game.deadline is not None) == clock


def test_nobody_has_best_choices_without_a_decision() -> None:
    made = lesson("Ada")
    empty = {"decisions": 0, "best": 0, "pointsLost": 0.0, "flags": []}
    played = classes.Played(made.members["Ada"].pk, None, uuid.uuid4(), "abandoned", None, uuid.uuid4(), 0, empty)
    student = classes.Student(made.members["Ada"], (played,), 0)
    assert student.accuracy is None
    assert student.points_lost is None


def test_a_class_game_is_shared_only_where_the_class_allows_it() -> None:
    made = lesson("Dev")
    game, dev = made.begin("Dev"), made.members["Dev"].player
    for _ in range(13):
        play_turn(game, dev)
    game.refresh_from_db()
    with pytest.raises(dicee.Refused):
        dicee.share(game, dev)
    classes.edit(made.classroom, "Period 3", Joining.OPEN, None, sharing=True)
    dicee.share(game, dev)
    assert Game.objects.get(pk=game.pk).shared
    classes.edit(made.classroom, "Period 3", Joining.OPEN, None, sharing=False)
    assert not Game.objects.get(pk=game.pk).shared


# -- Devices that go round ------------------------------------------------------------------------------------------


def joined(made: Lesson, client: Client, nickname: str) -> str:
    """Join from a device; answers the return key."""
    client.post(f"/classroom/join/{made.classroom.code}/", {"nickname": nickname})
    return client.get(made.address).content.decode().split('class="return-key">')[1].split("<")[0]


def test_two_students_use_one_tablet_one_after_the_other() -> None:
    made, tablet = lesson(), Client()
    devs_key = joined(made, tablet, "Dev")
    asked = tablet.get(f"/classroom/join/{made.classroom.code}/").content.decode()
    assert "Are you Dev?" in asked
    tablet.post(f"/classroom/join/{made.classroom.code}/", {"somebody-else": "1"})
    finns_key = joined(made, tablet, "Finn")
    for key, nickname in ((devs_key, "Dev"), (finns_key, "Finn"), (devs_key, "Dev")):
        tablet.post("/classroom/return/", {"code": made.classroom.code, "key": key})
        assert f"<h1>{nickname}</h1>" in tablet.get(made.address).content.decode()
    assert Membership.objects.filter(standing=Standing.IN).count() == 2


def test_every_page_of_a_student_offers_to_sign_out() -> None:
    made = lesson("Ada")
    task = assignments.create(made.classroom, "Two", Task.GAMES, assignments.GamesToPlay(games=2), None)
    for page in ("", "round/", f"assignments/{task.pk}/"):
        assert "Not you? Sign" in made.browser("Ada").get(made.address + page).content.decode()


def test_signing_out_frees_the_device_and_can_make_a_new_key() -> None:
    made, tablet = lesson(), Client()
    joined(made, tablet, "Dev")
    said = tablet.post(made.address + "sign-out/", {"key": "new"}).content.decode()
    key = said.split('class="return-key">')[1].split("<")[0]
    assert tablet.get(made.address).status_code == 404
    assert SESSION_KEY not in tablet.session
    assert students.opens(made.classroom, key).nickname == "Dev"


def test_a_class_device_forgets_after_the_lesson() -> None:
    made = lesson()
    for stay, most in ((Stay.LESSON, 2 * 3600), (Stay.DAY, 12 * 3600)):
        Classroom.objects.filter(pk=made.classroom.pk).update(stay=stay)
        client = Client()
        client.post(f"/classroom/join/{made.classroom.code}/", {"nickname": f"Dev {stay}"})
        assert client.session.get_expiry_age() <= most


def test_practice_follows_the_return_key_and_the_old_device_is_told() -> None:
    made, old, new = lesson(), Client(), Client()
    key = joined(made, old, "Ben")
    before = Membership.objects.get().player
    Drill.objects.create(player=before, position="p", concept="straights", source="own")
    new.post("/classroom/return/", {"code": made.classroom.code, "key": key})
    assert Drill.objects.get().player == Membership.objects.get().player != before
    for page in ("", "round/", "leave/"):
        told = old.get(made.address + page)
        assert told.status_code == 410, page
        assert "You moved to another device" in told.content.decode()
    open_page = old.get(made.address + "round/", headers={"HX-Request": "true"})
    assert open_page["HX-Redirect"] == made.address
    assert Client().get(made.address + "round/").status_code == 404


def test_a_lost_key_can_be_made_anew_by_who_is_still_here() -> None:
    made, client = lesson(), Client()
    lost = joined(made, client, "Ada")
    page = client.post(made.address + "key/", follow=True).content.decode()
    fresh = page.split('class="return-key">')[1].split("<")[0]
    assert students.opens(made.classroom, lost) is None
    assert students.opens(made.classroom, fresh).nickname == "Ada"


# -- Names where they appear ------------------------------------------------------------------------------------------


def test_a_name_on_the_projector_is_changed_or_taken_off_with_one_tap() -> None:
    made = lesson("Rude Name", "Ben")
    page = made.teacher.get(made.address + "code/").content.decode()
    assert 'aria-label="Rename Rude Name to a friendly name"' in page
    member = made.members["Rude Name"]
    back = made.teacher.post(made.address + f"students/{member.pk}/rename/", {"friendly": "1", "from": "code"})
    assert back["Location"] == made.address + "code/"
    member.refresh_from_db()
    assert member.nickname != "Rude Name"
    made.teacher.post(made.address + f"students/{member.pk}/remove/", {"from": "code"})
    assert member.nickname not in made.teacher.get(made.address + "code/").content.decode()


def test_at_a_class_table_nobody_takes_another_name() -> None:
    """The nickname is the class's: judged when it was taken, changed by the teacher."""
    made = lesson("Lena", "Elif")
    match = set_match(made)
    game = assignments.find_table(match, made.members["Lena"])
    phone = made.browser("Lena")
    assert "Your name at the table" not in phone.get(f"/dicee/{game.pk}/").content.decode()
    for phase in (Status.WAITING, Status.ACTIVE):
        phone.post(f"/dicee/{game.pk}/name/", {"pseudonym": "Smelly Teacher"})
        phone.post("/account/rename/", {"pseudonym": f"Rude {phase}"})
        assert Player.objects.get(pk=made.members["Lena"].player_id).pseudonym == f"Rude {phase}"
        assert game.seats.get(player=made.members["Lena"].player).name == "Lena"
        assignments.find_table(match, made.members["Elif"])
    page = made.browser("Elif").get(f"/dicee/{game.pk}/").content.decode()
    assert "Lena" in page
    assert "Rude" not in page


# -- Going, for good and back again -----------------------------------------------------------------------------------


def test_no_nickname_survives_its_class() -> None:
    made = lesson("Zoe Realname", "Ben Realname")
    game = assignments.find_table(set_match(made), made.members["Zoe Realname"])
    assignments.find_table(Assignment.objects.get(), made.members["Ben Realname"])
    students.play(made.members["Zoe Realname"])
    students.reset(made.members["Ben Realname"])
    assert "dicee_seat" in everywhere("Realname")
    assert game.seats.count() == 2
    # The stand-ins of this test are called after their students; what a join makes has a random name.
    Player.objects.filter(pseudonym__contains="Realname").update(pseudonym="Sharp Kingfisher 833")
    classes.delete(made.classroom)
    assert everywhere("Realname") == []


def test_a_deleted_class_can_be_brought_back_for_ten_minutes() -> None:
    made = lesson("Ada")
    made.teacher.post(made.address + "delete/", {"confirm": "yes"})
    assert made.teacher.get(made.address).status_code == 404
    assert made.browser("Ada").get(made.address).status_code == 404
    assert "you can bring it back" in made.teacher.get("/classroom/").content.decode()
    assert teacher("Mr Other")[0].post(f"/classroom/undo/class/{made.classroom.pk}/").status_code == 404
    assert made.teacher.post(f"/classroom/undo/class/{made.classroom.pk}/").status_code == 302
    assert "Ada" in made.teacher.get(made.address).content.decode()
    made.teacher.post(made.address + "delete/", {"confirm": "yes"})
    classes.purge(timezone.now() + classes.UNDO * 2)
    assert not Classroom.everything.exists()


def test_an_assignment_and_a_student_can_be_brought_back() -> None:
    made = lesson("Ada")
    task = assignments.create(made.classroom, "Two", Task.GAMES, assignments.GamesToPlay(games=2), None)
    made.teacher.post(made.address + f"assignments/{task.pk}/delete/", {"confirm": "yes"})
    assert not Assignment.objects.exists()
    made.teacher.post(f"/classroom/undo/assignment/{task.pk}/")
    assert Assignment.objects.get() == task
    ada = made.members["Ada"]
    students.remove(ada)
    address = made.address + f"students/{ada.pk}/erase/"
    assert made.teacher.post(address).status_code == 422, "asks once"
    made.teacher.post(address, {"confirm": "yes"})
    assert not Membership.objects.exists()
    made.teacher.post(f"/classroom/undo/student/{ada.pk}/")
    assert Membership.objects.get() == ada
    made.teacher.post(address, {"confirm": "yes"})
    classes.purge(timezone.now() + classes.UNDO * 2)
    assert not Membership.everything.exists()


@pytest.mark.parametrize("what", ["code/renew/", "students/{}/reset/"])
def test_a_new_code_and_a_new_key_are_asked_for_once(what: str) -> None:
    made = lesson("Ada")
    address = made.address + what.format(made.members["Ada"].pk)
    code, digest = made.classroom.code, Membership.objects.get().key_digest
    assert made.teacher.post(address).status_code == 422
    assert (Classroom.objects.get().code, Membership.objects.get().key_digest) == (code, digest)
    assert made.teacher.post(address, {"confirm": "yes"}).status_code == 302
    assert (Classroom.objects.get().code, Membership.objects.get().key_digest) != (code, digest)


def test_a_student_cannot_erase_graded_work_without_the_teacher_being_told() -> None:
    made = lesson("Ada")
    task = assignments.create(made.classroom, "Two", Task.GAMES, assignments.GamesToPlay(games=2), None)
    Work.objects.create(assignment=task, member=made.members["Ada"], handed_in_at=timezone.now(), result={})
    made.browser("Ada").post(made.address + "leave/", {"how": "erase"})
    page = made.teacher.get(made.address).content.decode()
    assert "A student has left and deleted an assignment that had been handed in." in page
    assert ">Ada<" not in page
    made.teacher.post(made.address + "notices/")
    assert "has left and deleted" not in made.teacher.get(made.address).content.decode()


def test_a_class_is_handed_to_a_colleague_who_takes_it() -> None:
    made = lesson("Ada")
    client, colleague = teacher("Mr Next")
    made.teacher.post(made.address + "offer/", {"username": colleague.user.username.upper()})
    assert client.get(made.address).status_code == 404, "an offer is not a class yet"
    assert teacher("Mr Other")[0].post(made.address + "take-over/").status_code == 404
    assert "hands you the class" in client.get("/classroom/").content.decode()
    client.post(made.address + "take-over/")
    assert Classroom.objects.get().teacher == colleague
    assert made.teacher.get(made.address).status_code == 404


# -- Time --------------------------------------------------------------------------------------------------------------


def test_a_due_date_is_in_the_time_of_the_class() -> None:
    made = lesson()
    Classroom.objects.update(time_zone="America/Los_Angeles")
    day = timezone.now().date() + datetime.timedelta(days=30)
    fields = {"title": "Two", "games": "2", "level": "beginner", "due_on": day.isoformat()}
    made.teacher.post(made.address + "assignments/new/games/", fields)
    made.teacher.post(made.address + "assignments/new/games/", fields | {"due_time": "10:10"})
    zone = ZoneInfo("America/Los_Angeles")
    wanted = {datetime.datetime.combine(day, at, zone) for at in (datetime.time(23, 59), datetime.time(10, 10))}
    assert set(Assignment.objects.values_list("due_at", flat=True)) == wanted


def test_a_due_date_in_the_past_is_refused() -> None:
    made = lesson()
    fields = {"title": "Two", "games": "2", "level": "beginner", "due_on": "2026-01-01"}
    page = made.teacher.post(made.address + "assignments/new/games/", fields)
    assert page.status_code == 422
    assert "That was before now" in page.content.decode()
    assert not Assignment.objects.exists()


def test_an_old_due_date_stays_when_only_the_title_changes() -> None:
    made = lesson()
    due = datetime.datetime(2026, 1, 1, 23, 59, tzinfo=datetime.UTC)
    task = assignments.create(made.classroom, "Two", Task.GAMES, assignments.GamesToPlay(games=2), due)
    fields = {"title": "Three", "due_on": "2026-01-01", "due_time": "23:59"}
    assert made.teacher.post(made.address + f"assignments/{task.pk}/edit/", fields).status_code == 302
    assert Assignment.objects.get().title == "Three"

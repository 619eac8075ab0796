"""A class as a student meets it: joining, waiting, coming back, playing, leaving."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from apps.accounts.models import Player
from apps.classroom.models import ClassGame, Classroom, Joining, Membership, Standing, Task, Work
from apps.classroom.services import assignments, students
from apps.core import limits
from apps.dicee.models import Seat
from apps.practice.models import Answer, Source
from tests.apps.classroom.lesson import Lesson, lesson
from tests.apps.support import at_once

pytestmark = pytest.mark.django_db


def join(client: Client, room: Lesson, nickname: str) -> Any:
    return client.post(f"/classroom/join/{room.classroom.code}/", {"nickname": nickname})


def key_on(page: str) -> str:
    return page.split('class="return-key">')[1].split("<")[0]


def joined(room: Lesson, nickname: str) -> tuple[Client, str]:
    """A browser that has just joined, and the key it was shown."""
    client = Client()
    assert join(client, room, nickname).status_code == 302
    return client, key_on(client.get(room.address).content.decode())


# -- Joining ------------------------------------------------------------------------------------------------------


def test_a_code_leads_to_a_nickname_and_to_what_the_teacher_sees(visitor: Client) -> None:
    room = lesson()
    answer = visitor.get("/classroom/join/", {"code": f" {room.classroom.code.lower()} "})
    assert answer["Location"] == f"/classroom/join/{room.classroom.code}/"
    page = visitor.get(answer["Location"]).content.decode()
    assert "What your teacher sees" in page
    assert "Not your real name" in page
    assert not Player.objects.filter(user=None).exists(), "looking leaves no trace"


@pytest.mark.parametrize(
    "address", ["/classroom/join/?code=NOSUCH", "/classroom/join/?code=", "/classroom/join/NOSUCH/"]
)
def test_a_code_that_opens_nothing_is_said_beside_the_field(visitor: Client, address: str) -> None:
    answer = visitor.get(address)
    assert answer.status_code == 422
    assert "field-error" in answer.content.decode()


def test_join_with_a_nickname_and_nothing_else(visitor: Client) -> None:
    room = lesson()
    assert join(visitor, room, "  Ada ")["Location"] == room.address
    member = Membership.objects.get()
    assert (member.nickname, member.standing) == ("Ada", Standing.IN)
    page = visitor.get(room.address).content.decode()
    key = key_on(page)
    assert member.key_digest == students.digest(key)
    assert key not in str(Membership.objects.values()), "only its digest is kept"
    assert 'class="return-key"' not in visitor.get(room.address).content.decode(), "shown once"


@pytest.mark.parametrize("nickname", ["", "x" * 25, "<b>", "-", "Ada\u202e"])
def test_a_nickname_is_short_and_readable(visitor: Client, nickname: str) -> None:
    room = lesson()
    answer = join(visitor, room, nickname)
    assert answer.status_code == 422
    assert "field-error" in answer.content.decode()
    assert not Membership.objects.exists()


@pytest.mark.parametrize("nickname", ["Ada", "aDA", " ada "])
def test_a_nickname_is_taken_once_whatever_its_case(visitor: Client, nickname: str) -> None:
    room = lesson("Ada")
    answer = join(visitor, room, nickname)
    assert answer.status_code == 422
    assert "already called" in answer.content.decode()


def test_letters_that_fold_to_the_same_count_as_the_same(visitor: Client) -> None:
    room = lesson("Straße")
    assert join(visitor, room, "STRASSE").status_code == 422


def test_a_closed_class_takes_nobody_new(visitor: Client) -> None:
    room = lesson("Ada")
    Classroom.objects.update(joining=Joining.CLOSED)
    assert "takes nobody new" in join(visitor, room, "Ben").content.decode()
    assert room.browser("Ada").get(room.address).status_code == 200


def test_a_full_class_takes_nobody_new(visitor: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    room = lesson("Ada")
    monkeypatch.setattr(students, "MOST_STUDENTS", 1)
    assert "is full" in join(visitor, room, "Ben").content.decode()


def test_who_is_in_or_teaches_is_led_to_the_class() -> None:
    room = lesson("Ada")
    assert room.teacher.get(f"/classroom/join/{room.classroom.code}/")["Location"] == room.address
    asked = room.browser("Ada").get(f"/classroom/join/{room.classroom.code}/").content.decode()
    assert "Are you Ada?" in asked
    assert f'href="{room.address}">Yes, go on' in asked
    with pytest.raises(students.Refused, match="You teach this class"):
        students.join(room.classroom, room.classroom.teacher, "Me")


def test_who_was_taken_off_cannot_walk_back_in() -> None:
    room = lesson("Ada")
    students.remove(room.members["Ada"])
    answer = join(room.browser("Ada"), room, "Somebody else")
    assert answer.status_code == 422
    assert "taken you off" in answer.content.decode()


def test_codes_cannot_be_tried_without_end(visitor: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(limits.LIMITS, "class-code", limits.Limit(0, 300))
    assert visitor.get("/classroom/join/").status_code == 429


# -- Waiting ------------------------------------------------------------------------------------------------------


def test_the_waiting_page_notices_by_itself(visitor: Client) -> None:
    room = lesson()
    Classroom.objects.update(joining=Joining.APPROVAL)
    join(visitor, room, "Ada")
    page = visitor.get(room.address).content.decode()
    assert "Almost in, Ada" in page
    key = key_on(page)
    still = visitor.get(room.address, headers={"HX-Request": "true"})
    assert (still.status_code, still.content) == (204, b"")
    assert "HX-Refresh" not in still
    students.approve(Membership.objects.get())
    assert visitor.get(room.address, headers={"HX-Request": "true"})["HX-Refresh"] == "true"
    assert key_on(visitor.get(room.address).content.decode()) == key, "still there after the wait"
    assert 'class="return-key"' not in visitor.get(room.address).content.decode()


def test_who_waits_can_do_nothing_in_the_class_yet() -> None:
    room = lesson()
    room.join("Ada", Standing.WAITING)
    assert room.browser("Ada").post(f"{room.address}play/").status_code == 404


# -- The return key -----------------------------------------------------------------------------------------------


def come_back(client: Client, room: Lesson, key: str) -> Any:
    return client.post("/classroom/return/", {"code": room.classroom.code, "key": key})


def test_a_key_brings_the_student_back_in_another_browser(visitor: Client) -> None:
    room = lesson()
    old, key = joined(room, "Ada")
    game = old.post(f"{room.address}play/")["Location"]
    before = Membership.objects.get().player
    assert come_back(visitor, room, key.lower().replace("-", " "))["Location"] == room.address
    assert visitor.get(room.address).status_code == 200
    assert visitor.get(game).status_code == 200
    assert old.get(room.address).status_code == 410
    assert old.get(game).status_code == 403
    assert before is not None
    assert Player.objects.filter(pk=before.pk).exists(), "the player behind the old browser stays who they are"


def test_a_key_moves_the_class_and_nothing_else(visitor: Client) -> None:
    room = lesson()
    old, key = joined(room, "Ada")
    private = old.post("/dicee/new/", {"against": "solo"})["Location"]
    old.post(f"{room.address}play/")
    come_back(visitor, room, key)
    assert visitor.get(private).status_code == 403
    assert old.get(private).status_code == 200


def test_a_wrong_key_an_old_key_and_another_classs_key_open_nothing(visitor: Client) -> None:
    room, other = lesson(), lesson()
    _, key = joined(room, "Ada")
    for tried, where in (("AAAA-AAAA", room), (key, other), ("", room)):
        answer = come_back(visitor, where, tried)
        assert answer.status_code == 422
        assert "field-error" in answer.content.decode()
    new = students.reset(Membership.objects.get(nickname="Ada"))
    assert come_back(visitor, room, key).status_code == 422
    assert come_back(visitor, room, new).status_code == 302
    assert not Player.objects.filter(settings__has_key="vacant").exists(), "nobody keeps the seats warm any more"


def test_a_member_without_a_key_is_not_opened_by_an_empty_one(visitor: Client) -> None:
    room = lesson("Ada")
    assert room.members["Ada"].key_digest == ""
    with pytest.raises(students.Refused):
        students.come_back(room.classroom, "", Player.objects.create())


def test_the_key_of_somebody_taken_off_opens_nothing(visitor: Client) -> None:
    room = lesson()
    _, key = joined(room, "Ada")
    students.remove(Membership.objects.get())
    assert come_back(visitor, room, key).status_code == 422


def test_one_browser_is_one_student_of_a_class() -> None:
    room = lesson("Ben")
    _, key = joined(room, "Ada")
    tablet = room.browser("Ben")
    assert come_back(tablet, room, key)["Location"] == room.address
    assert "<h1>Ada</h1>" in tablet.get(room.address).content.decode()
    assert room.browser("Ben").get(room.address).status_code == 200, "Ben is signed out of the tablet, not of the class"


@pytest.mark.parametrize("scope", ["return-key", "return-key-from"])
def test_keys_cannot_be_guessed_without_end(visitor: Client, monkeypatch: pytest.MonkeyPatch, scope: str) -> None:
    room = lesson()
    _, key = joined(room, "Ada")
    monkeypatch.setitem(limits.LIMITS, scope, limits.Limit(0, 300))
    answer = come_back(visitor, room, key)
    assert answer.status_code == 429
    assert int(answer["Retry-After"]) > 0


def test_answers_come_along_with_the_membership(visitor: Client) -> None:
    room = lesson()
    _, key = joined(room, "Ada")
    member = Membership.objects.get()
    set_ = room.classroom.assignments.create(title="Set", task=Task.POSITIONS, settings={})
    work = Work.objects.create(assignment=set_, member=member)
    answer = Answer.objects.create(player=member.player, work=work, source=Source.WORK, position="x")
    own = Answer.objects.create(player=member.player, source=Source.DRILL, position="y")
    come_back(visitor, room, key)
    member.refresh_from_db()
    answer.refresh_from_db()
    own.refresh_from_db()
    assert answer.player == member.player
    assert own.player == member.player, "practice follows the key of a guest who is nothing else"


# -- At home ------------------------------------------------------------------------------------------------------


def test_the_students_home_says_what_to_do_and_who_sees_what() -> None:
    room = lesson("Ada")
    assignments.create(room.classroom, "Warm up", Task.GAMES, assignments.GamesToPlay(games=2), None)
    page = room.browser("Ada").get(room.address).content.decode()
    for said in ("Warm up", "0/2", "Play in class", "What your teacher sees", "Nothing else."):
        assert said in page


def test_playing_in_class_opens_a_table_under_the_nickname_that_the_teacher_may_follow() -> None:
    room = lesson("Ada")
    at = room.browser("Ada").post(f"{room.address}play/")["Location"]
    game = ClassGame.objects.get().game
    assert at == f"/dicee/{game.pk}/"
    assert game.seats.get().name == "Ada"
    assert game.settings["spectators"] is False
    assert room.teacher.get(at).status_code == 200
    assert "Go on playing" in room.browser("Ada").get(room.address).content.decode()


def test_the_home_asks_the_database_the_same_for_any_number_of_assignments(
    django_assert_max_num_queries: Callable[..., object],
) -> None:
    room = lesson("Ada")
    for n in range(9):
        assignments.create(room.classroom, f"Set {n}", Task.GAMES, assignments.GamesToPlay(), None)
        students.play(room.members["Ada"])
    client = room.browser("Ada")
    with django_assert_max_num_queries(12):
        client.get(room.address)


# -- Leaving ------------------------------------------------------------------------------------------------------


def with_work(room: Lesson, nickname: str) -> Work:
    member = room.members[nickname]
    set_ = room.classroom.assignments.create(title="Set", task=Task.POSITIONS, settings={"positions": ["55526/1"]})
    work = Work.objects.create(assignment=set_, member=member, result={"right": 1})
    Answer.objects.create(player=member.player, work=work, source=Source.WORK, position="p", choice="555")
    return work


def test_leaving_asks_what_becomes_of_the_work() -> None:
    room = lesson("Ada")
    client = room.browser("Ada")
    assert client.get(f"{room.address}leave/").status_code == 200
    assert client.post(f"{room.address}leave/").status_code == 422
    assert Membership.objects.get().player is not None


def test_a_copy_can_be_taken_along() -> None:
    room = lesson("Ada")
    with_work(room, "Ada")
    room.begin("Ada")
    answer = room.browser("Ada").get(f"{room.address}mine.json")
    told = answer.json()
    assert answer["Content-Disposition"].startswith("attachment")
    assert told["nickname"] == "Ada"
    assert told["work"][0]["answers"][0]["choice"] == "555"
    assert told["games"] == [str(ClassGame.objects.get().game_id)]


def test_leaving_keeps_the_work_under_a_name_that_says_nothing() -> None:
    room = lesson("Ada", "Ben")
    work = with_work(room, "Ada")
    game = students.play(room.members["Ada"])
    client, player = room.browser("Ada"), room.members["Ada"].player
    for name in ("Ada", "Ben"):
        assert room.browser(name).post(f"{room.address}leave/", {"how": "anonymise"})["Location"] == "/classroom/"
    left = {member.nickname for member in Membership.objects.all()}
    assert left == {"Someone who left", "Someone who left 2"}
    work.refresh_from_db()
    assert (work.member.player, work.member.key_digest, work.answers.get().player) == (None, "", None)
    assert client.get(room.address).status_code == 404
    assert client.get(f"/dicee/{game.pk}/").status_code == 200, "games are the player's own"
    assert room.teacher.get(f"/dicee/{game.pk}/").status_code == 403
    assert player is not None
    assert Seat.objects.get(game=game).name == player.pseudonym
    assert "Ada" not in room.teacher.get(room.address).content.decode()


def test_leaving_can_take_the_work_away_as_well() -> None:
    room = lesson("Ada")
    with_work(room, "Ada")
    room.browser("Ada").post(f"{room.address}leave/", {"how": "erase"})
    assert not Membership.objects.exists()
    assert not Answer.objects.exists()


def test_who_left_may_join_again_as_somebody_new() -> None:
    room = lesson("Ada")
    client = room.browser("Ada")
    client.post(f"{room.address}leave/", {"how": "anonymise"})
    assert join(client, room, "Ada").status_code == 302
    assert Membership.objects.filter(nickname="Ada", standing=Standing.IN).count() == 1


# -- Two at the same moment ---------------------------------------------------------------------------------------


@pytest.mark.django_db(transaction=True)
def test_two_browsers_join_with_the_same_nickname_and_one_gets_it() -> None:
    room = lesson()
    people = [Player.objects.create() for _ in range(4)]
    names = ["Ada", "ada", "ADA", "Ada"]
    found = at_once(*(lambda p=p, n=n: students.join(room.classroom, p, n) for p, n in zip(people, names, strict=True)))
    assert sum(isinstance(outcome, tuple) for outcome in found) == 1
    assert all(isinstance(outcome, tuple | students.Refused) for outcome in found), found
    assert Membership.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_one_key_used_by_two_browsers_at_once_ends_with_one_of_them() -> None:
    room = lesson()
    member, key = students.join(room.classroom, Player.objects.create(), "Ada")
    for _ in range(2):
        students.play(member)
    new = [Player.objects.create(), Player.objects.create()]
    found = at_once(*(lambda p=p: students.come_back(room.classroom, key, p) for p in new))
    assert all(isinstance(outcome, Membership) for outcome in found), found
    member.refresh_from_db()
    assert member.player in new
    assert set(Seat.objects.values_list("player", flat=True)) == {member.player_id}

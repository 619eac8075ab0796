"""``manage.py demo``: a small class, as real as if it had been played by hand."""

from __future__ import annotations

import datetime
import io
import re

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone

from apps.accounts.models import Player
from apps.classroom.models import Assignment, Classroom, Membership, Round, Vote, Work
from apps.classroom.services.demo import TEACHER
from apps.dicee.models import Game, GameEvent, Seat, Status, Stream
from apps.dicee.services import store
from apps.dicee.services.record import fairness
from apps.dicee.services.review import report
from apps.practice.models import Answer, PlayedGame, SkillProfile
from engine.dicee import tables
from engine.dicee.boxes import Variant

pytestmark = pytest.mark.django_db

PASSWORD = "a password for the demo"


def demo(**options: object) -> str:
    said = io.StringIO()
    call_command("demo", students=3, weeks=1, password=PASSWORD, stdout=said, **options)
    return said.getvalue()


def test_a_small_demo_from_its_sign_in_to_its_dice() -> None:
    """One run, looked at from all sides: making a class is the slow part."""
    said = demo()
    classroom = Classroom.objects.get()
    over = list(Game.objects.filter(status=Status.COMPLETED))

    assert classroom.members.count() == 3
    assert f"{len(over) + 3} games" in said, "three are in the middle of a game"

    par = tables.load(Variant.STANDARD).expected_score

    # Real event streams: they replay, their dice follow from the seed, their report adds up.
    for game in over:
        checked = fairness.verify(game)
        assert checked is not None
        assert checked.fair
        assert checked.rolls >= 13
        for seat in game.seats.all():
            told = report(game, seat.player)
            assert told.score == seat.final_score == store.current(game).seat_of(seat.player_ref).card.grand_total
            assert seat.summary["luck"] - seat.summary["pointsLost"] == pytest.approx(told.score - par), (
                "luck and skill"
            )
            assert seat.summary["decisions"] == len(told.decisions)
        numbers = list(game.events.filter(stream=Stream.DOMAIN).values_list("seq", flat=True))
        assert numbers == list(range(1, len(numbers) + 1))

    # Spread over the week that has passed.
    now = timezone.now()
    days = {game.created_at.date() for game in Game.objects.all()}
    assert len(days) >= 3
    assert min(days) >= (now - datetime.timedelta(days=10)).date()
    assert not GameEvent.objects.filter(created_at__gt=timezone.now()).exists()

    # Work of every kind, handed in by itself; profiles, practice, votes.
    assert set(Assignment.objects.values_list("task", flat=True)) == {"games", "positions", "predictions", "match"}
    assert Work.objects.filter(handed_in_at__isnull=False, result__isnull=False).count() >= 4
    assert PlayedGame.objects.count() == Seat.objects.filter(game__in=over).count()
    assert SkillProfile.objects.count() == 3
    assert Answer.objects.filter(work=None).count() == 15
    assert Vote.objects.filter(round__in=Round.objects.all()).exists()

    # The teacher signs in with what was printed, a student comes in with a printed key.
    teacher = Client()
    teacher.post("/account/sign-in/", {"username": TEACHER, "password": PASSWORD})
    page = teacher.get(f"/classroom/{classroom.pk}/").content.decode()
    for member in classroom.members.all():
        assert member.nickname in page
    nickname, key = re.findall(r"Student: (\w+) .* key (\S+)", said)[0]
    student = Client()
    student.post("/classroom/return/", {"code": classroom.code, "key": key})
    assert nickname in student.get(f"/classroom/{classroom.pk}/").content.decode()


def test_running_it_again_replaces_the_class_and_removing_leaves_nobody() -> None:
    demo()
    first = Classroom.objects.get()
    scores = sorted(Seat.objects.filter(summary__isnull=False).values_list("final_score", flat=True))
    demo()
    assert Classroom.objects.get().pk != first.pk
    assert Membership.objects.count() == 3
    assert Player.objects.count() == 4
    orphans = Seat.objects.filter(player=None, final_score__isnull=False)
    assert sorted(orphans.values_list("final_score", flat=True)) == scores, "events are never deleted, only unnamed"
    assert {seat.name for seat in orphans} == {"Someone who left"}
    said = io.StringIO()
    call_command("demo", remove=True, stdout=said)
    assert said.getvalue() == "The demo is gone.\n"
    assert not Player.objects.exists()
    call_command("demo", remove=True, stdout=said)
    assert said.getvalue().endswith("There was no demo.\n")


def test_a_server_that_people_use_is_left_alone(settings: object) -> None:
    settings.HTTPS = True  # type: ignore[attr-defined]
    with pytest.raises(CommandError, match="--yes"):
        demo()
    assert not Classroom.objects.exists()


@pytest.mark.parametrize("options", [{"students": 0}, {"students": 25}, {"weeks": 0}, {"weeks": 13}])
def test_numbers_out_of_reach_are_refused(options: dict[str, int]) -> None:
    with pytest.raises(CommandError, match="1 to"):
        call_command("demo", **options)

"""The operator's page, its figures, and what expires."""

from __future__ import annotations

import datetime

import pytest
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.core.management import call_command
from django.test import Client
from django.utils import timezone

from apps.dicee.models import Game, Mode, Seat, Status
from apps.operate import figures
from apps.operate.models import OpenedReport
from tests.apps.support import person

pytestmark = pytest.mark.django_db


def play_games(number: int, best: list[int]) -> None:
    """One player's finished games with so many best choices of ten each."""
    player = person(f"P{number}")
    for at, right in enumerate(best):
        game = Game.objects.create(
            mode=Mode.SOLO,
            status=Status.COMPLETED,
            seed="0" * 64,
            commitment="0" * 64,
            finished_at=timezone.now() - datetime.timedelta(days=30 - at),
        )
        summary = {"decisions": 10, "best": right, "pointsLost": 10.0 - right}
        Seat.objects.create(game=game, player=player, player_ref=player.pk, name="P", summary=summary)


def test_choices_over_the_first_games() -> None:
    for number in range(5):
        play_games(number, [5] * 5 + [8] * 15)
    first, second, third = figures.stages()
    assert (first.players, first.best, first.points_lost) == (5, 0.5, 5.0)
    assert (second.best, third.best) == (0.8, 0.8)
    gain, reached, opened, _ = figures.measures()
    assert gain.value == pytest.approx(0.6)
    assert (reached.value, opened.value) == (1.0, 0.0)
    OpenedReport.objects.create(seat=Seat.objects.all()[0])
    assert figures.measures()[2].value == 0.01


def test_a_few_people_are_not_shown() -> None:
    for number in range(figures.FEWEST - 1):
        play_games(number, [5] * 20)
    assert {stage.best for stage in figures.stages()} == {None}
    assert figures.measures()[0].value is None


def test_only_staff_see_the_page(client: Client) -> None:
    assert client.get("/staff/figures/").status_code == 302
    client.force_login(User.objects.create_user("ada", password="x" * 12))
    assert client.get("/staff/figures/").status_code == 302
    client.force_login(User.objects.create_user("root", password="x" * 12, is_staff=True))
    page = client.get("/staff/figures/").content.decode()
    assert "What must always hold" in page
    assert "too few" in page


def test_a_dry_run_says_what_would_go_and_keeps_it(capsys: pytest.CaptureFixture[str]) -> None:
    Session.objects.create(session_key="old", session_data="", expire_date=timezone.now() - datetime.timedelta(days=1))
    call_command("expire", "--dry-run")
    assert "1 sessions.Session" in capsys.readouterr().out
    assert Session.objects.count() == 1
    call_command("expire")
    assert "1 sessions.Session" in capsys.readouterr().out
    assert Session.objects.count() == 0

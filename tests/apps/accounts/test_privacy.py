"""The privacy page says who answers for it, and what it promises is done."""

from __future__ import annotations

import datetime
import re
import uuid
from typing import Any

import pytest
from celery import current_app
from django.contrib.sessions.models import Session
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from apps.accounts import privacy
from apps.accounts.models import Player
from apps.classroom.models import Classroom
from apps.dicee import services as dicee
from apps.dicee.models import Game, GameEvent, Stream
from tests.apps.classroom.lesson import browser, lesson, teacher
from tests.apps.support import everywhere, guest

pytestmark = pytest.mark.django_db


def test_the_page_names_the_operator_and_the_periods(client: Client, settings: Any) -> None:
    settings.OPERATOR_NAME, settings.OPERATOR_CONTACT = "Hill School", "it@hill.example"
    page = client.get(reverse("accounts:privacy")).content.decode()
    for words in ("Hill School", "it@hill.example", f"{privacy.GUEST_DAYS} days", "Art. 28", "COPPA"):
        assert words in page
    settings.OPERATOR_NAME = ""
    assert "has not said who they are" in client.get(reverse("accounts:privacy")).content.decode()


def test_it_is_linked_from_joining_and_from_every_page(client: Client) -> None:
    link = f'href="{reverse("accounts:privacy")}"'
    assert client.get(f"/classroom/join/{lesson().classroom.code}/").content.decode().count(link) == 2
    assert link in client.get("/").content.decode()


def test_guests_who_never_came_back_are_forgotten() -> None:
    long_ago = timezone.now().date() - datetime.timedelta(days=privacy.GUEST_DAYS + 1)
    gone, here = Player.objects.create(), Player.objects.create()
    _, account = teacher("Ms Away")
    Player.objects.exclude(pk=here.pk).update(last_seen=long_ago)
    assert privacy.forget_old_guests() == 1
    assert not Player.objects.filter(pk=gone.pk).exists()
    assert Player.objects.filter(pk__in=[here.pk, account.pk]).count() == 2


# -- What the page says is done by the clock ---------------------------------------------------------------------------

#: The periodic tasks that let things go, and how late after the stated day each may be, in seconds.
TASKS = {
    "accounts.forget_old_guests": 24 * 3600,
    "classroom.expire": 6 * 3600,
    "classroom.purge": 120,
    "dicee.prune": 24 * 3600,
}


def run_the_beat(*names: str) -> None:
    """What beat sends a worker, done here."""
    current_app.loader.import_default_modules()
    for name in names or TASKS:
        entry = current_app.conf.beat_schedule[name]
        assert entry["schedule"] <= TASKS[name]
        current_app.tasks[entry["task"]].apply(throw=True)


def days_ago(days: int) -> datetime.datetime:
    return timezone.now() - datetime.timedelta(days=days)


def played_by(player: Player) -> Game:
    """A game with a move, a note of its page and an analysis."""
    game = dicee.create(player)
    dicee.roll(game, player)
    rolled = GameEvent.objects.filter(game=game, stream=Stream.DOMAIN).last()
    assert rolled is not None
    for stream in (Stream.TELEMETRY, Stream.ANALYSIS):
        GameEvent.objects.create(
            game=game, stream=stream, seq=1, type="noted", payload=rolled.payload, trace_id=uuid.uuid4()
        )
    return game


def test_an_old_guest_goes_with_name_and_session_and_the_game_forgets_who_it_was() -> None:
    client, old = guest("Old Otter 833")
    young = Player.objects.create(pseudonym="Young Yak 12")
    game, theirs = played_by(old), played_by(young)
    over, lasting = client.session.session_key, browser(young).session.session_key
    run_the_beat()
    assert Player.objects.filter(pk=old.pk).exists(), "not yet"
    Player.objects.filter(pk=old.pk).update(last_seen=days_ago(privacy.GUEST_DAYS + 1))
    Session.objects.filter(pk=over).update(expire_date=days_ago(1))
    run_the_beat()
    assert not Player.objects.filter(pk=old.pk).exists()
    assert list(Session.objects.values_list("pk", flat=True)) == [lasting]
    assert everywhere("Old Otter") == []
    assert everywhere(str(old.pk)) == everywhere(old.pk.hex) == []
    assert GameEvent.objects.filter(game=game, stream=Stream.DOMAIN).exists(), "moves stay, nameless (ruling D17)"
    assert everywhere("Young Yak") != []
    assert theirs.seats.get().player == young


@pytest.mark.parametrize(("stream", "days"), [(Stream.TELEMETRY, 30), (Stream.ANALYSIS, 90)])
def test_what_was_noted_of_a_game_goes_after_the_days_the_page_names(client: Client, stream: Stream, days: int) -> None:
    assert re.search(rf"after {days}\b", client.get(reverse("accounts:privacy")).content.decode())
    game = played_by(Player.objects.create())
    for age, stays in ((days - 1, True), (days + 1, False)):
        GameEvent.objects.filter(stream=stream).update(created_at=days_ago(age))
        run_the_beat("dicee.prune")
        assert GameEvent.objects.filter(game=game, stream=stream).exists() == stays
    assert GameEvent.objects.filter(game=game, stream=Stream.DOMAIN).exists()


def test_a_class_goes_on_its_day_with_its_nicknames() -> None:
    made = lesson("Zoe Realname")
    made.begin("Zoe Realname")
    Player.objects.filter(pseudonym__contains="Realname").update(pseudonym="Sharp Kingfisher 833")
    for day, stays in ((timezone.now().date(), True), (days_ago(1).date(), False)):
        Classroom.objects.update(expires_on=day)
        run_the_beat("classroom.expire")
        assert Classroom.everything.exists() == stays
    assert everywhere("Realname") == []


def test_the_cookie_ends_when_the_page_says(client: Client, settings: Any) -> None:
    page = client.get(reverse("accounts:privacy")).content.decode()
    assert f"ends {settings.SESSION_COOKIE_AGE // 86400} days after" in page
    assert settings.SESSION_COOKIE_AGE < privacy.GUEST_DAYS * 86400
    answer = client.post("/account/rename/", {"pseudonym": "Brave Otter"})
    assert answer.cookies["sessionid"]["max-age"] == settings.SESSION_COOKIE_AGE

"""The privacy page says who answers for it, and what it promises is done."""

from __future__ import annotations

import datetime
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from apps.accounts import privacy
from apps.accounts.models import Player
from tests.apps.classroom.lesson import lesson, teacher

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

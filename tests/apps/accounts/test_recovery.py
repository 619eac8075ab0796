"""A way back into an account without an e-mail address: printed codes, a changed password, a deletion that asks."""

from __future__ import annotations

import re

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from apps.accounts import recovery
from apps.accounts.models import Player, RecoveryCode
from apps.classroom.models import Classroom

pytestmark = pytest.mark.django_db
OLD, NEW = "a long enough word", "another long enough word"


def signed_up(username: str = "ms-walk") -> tuple[Client, list[str]]:
    """A new account and the codes it was shown."""
    client = Client()
    entered = {"username": username, "password": OLD, "again": OLD}
    page = client.post(reverse("accounts:sign-up"), entered, follow=True)
    return client, re.findall(r"[A-Z2-9]{4}-[A-Z2-9]{4}-[A-Z2-9]{4}", page.content.decode())


def test_codes_are_shown_once_at_sign_up_and_stored_as_digests() -> None:
    client, codes = signed_up()
    assert len(set(codes)) == recovery.CODES
    assert codes[0] not in client.get(reverse("accounts:codes")).content.decode()
    assert not RecoveryCode.objects.filter(digest__in=codes).exists()


def test_a_code_opens_the_account_once_with_a_new_password() -> None:
    _, codes = signed_up()
    fields = {"username": "MS-Walk", "code": codes[2].lower().replace("-", " "), "password": NEW, "again": NEW}
    visitor = Client()
    assert visitor.post(reverse("accounts:recover"), fields).status_code == 302
    assert User.objects.get().check_password(NEW)
    assert visitor.get(reverse("accounts:home")).wsgi_request.user.is_authenticated
    assert Client().post(reverse("accounts:recover"), fields).status_code == 422, "used up"


@pytest.mark.parametrize("wrong", [{"code": "AAAA-AAAA-AAAA"}, {"username": "somebody"}, {"again": "not the same one"}])
def test_what_does_not_fit_changes_nothing(wrong: dict[str, str]) -> None:
    _, codes = signed_up()
    fields = {"username": "ms-walk", "code": codes[0], "password": NEW, "again": NEW} | wrong
    assert Client().post(reverse("accounts:recover"), fields).status_code == 422
    assert User.objects.get().check_password(OLD)
    assert RecoveryCode.objects.count() == recovery.CODES


def test_new_codes_replace_the_old_ones() -> None:
    client, codes = signed_up()
    client.post(reverse("accounts:codes"))
    assert recovery.recover("ms-walk", codes[0], NEW) is None
    assert RecoveryCode.objects.count() == recovery.CODES


def test_a_password_is_changed_by_who_knows_it() -> None:
    client, _ = signed_up()
    fields = {"now": "not it at all", "password": NEW, "again": NEW}
    assert client.post(reverse("accounts:password"), fields).status_code == 422
    assert client.post(reverse("accounts:password"), fields | {"now": OLD}).status_code == 302
    assert User.objects.get().check_password(NEW)
    assert client.get(reverse("accounts:home")).wsgi_request.user.is_authenticated, "this device stays signed in"


def test_deleting_an_account_says_what_goes_with_it_and_asks_for_the_password() -> None:
    client, _ = signed_up()
    Classroom.objects.create(teacher=Player.objects.get(), name="Period 3")
    page = client.get(reverse("accounts:delete")).content.decode()
    assert "Your class Period 3 goes with you" in page
    assert "hand it to a colleague" in page
    refused = client.post(reverse("accounts:delete"), {"confirm": "yes", "password": "not it"})
    assert refused.status_code == 422
    assert "Nothing was deleted" in refused.content.decode()
    assert User.objects.exists()
    client.post(reverse("accounts:delete"), {"confirm": "yes", "password": OLD})
    assert not User.objects.exists()
    assert not Classroom.everything.exists()

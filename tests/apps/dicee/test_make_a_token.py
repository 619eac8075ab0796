"""Make a token for a program on its page, see it once, revoke it."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.urls import reverse

from apps.accounts.models import Player
from apps.dicee import tokens
from apps.dicee.models import ApiToken
from tests.apps.support import guest

pytestmark = pytest.mark.django_db

PAGE = "/dicee/tokens/"


def secret_on(page: str) -> str:
    found = re.search(r'id="token-secret"[^>]*value="([^"]+)"', page)
    return found[1] if found else ""


def test_looking_makes_no_player(client: Client) -> None:
    assert client.get(PAGE).status_code == 200
    assert not Player.objects.exists()


def test_a_token_is_shown_once_and_speaks_for_its_player() -> None:
    client, alice = guest("Alice")
    made = client.post(PAGE, {"name": "Weekend bot"}).content.decode()
    secret = secret_on(made)
    assert tokens.player_of(secret) == alice
    later = client.get(PAGE).content.decode()
    assert secret_on(later) == ""
    assert secret not in later
    assert "Weekend bot" in later
    assert alice.api_tokens.get().hint in later


def test_a_guest_who_makes_one_becomes_a_player(client: Client) -> None:
    made = client.post(PAGE, {"name": "Weekend bot"}).content.decode()
    assert tokens.player_of(secret_on(made)) == Player.objects.get()


@pytest.mark.parametrize(("name", "said"), [("", "1–60 characters"), ("x" * 61, "you entered 61")])
def test_a_name_that_does_not_do_is_refused_beside_the_field(name: str, said: str) -> None:
    client, _ = guest("Alice")
    answer = client.post(PAGE, {"name": name})
    assert answer.status_code == 422
    assert said in answer.content.decode()
    assert not ApiToken.objects.exists()


def test_ten_are_enough() -> None:
    client, alice = guest("Alice")
    for number in range(tokens.MOST):
        tokens.issue(alice, f"bot {number}")
    answer = client.post(PAGE, {"name": "one more"})
    assert answer.status_code == 422
    assert "at most 10 tokens" in answer.content.decode()
    assert alice.api_tokens.count() == tokens.MOST


def test_a_revoked_token_speaks_for_nobody() -> None:
    client, alice = guest("Alice")
    token, secret = tokens.issue(alice, "Weekend bot")
    answer = client.post(reverse("dicee:revoke-token", args=[token.pk]), follow=True)
    assert "Revoked" in answer.content.decode()
    assert tokens.player_of(secret) is None


def test_nobody_revokes_or_sees_the_token_of_another(client: Client) -> None:
    _, alice = guest("Alice")
    bobs, _ = guest("Bob")
    token, secret = tokens.issue(alice, "Weekend bot")
    for stranger in (bobs, client):
        assert stranger.post(reverse("dicee:revoke-token", args=[token.pk])).status_code == 404
        assert "Weekend bot" not in stranger.get(PAGE).content.decode()
    assert tokens.player_of(secret) == alice

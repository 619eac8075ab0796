"""Looking around leaves nothing behind: no row, no session, no cookie."""

import datetime
import uuid

import pytest
from django.contrib.sessions.models import Session
from django.http import HttpRequest
from django.test import Client

from apps.accounts import services
from apps.accounts.middleware import LazyPlayer
from apps.accounts.models import Player, today


@pytest.mark.parametrize("address", ["/account/", "/jobs/"])
def test_a_crawler_makes_no_player_and_no_session(visitor: Client, address: str) -> None:
    response = visitor.get(address)
    assert response.status_code == 200
    assert "sessionid" not in visitor.cookies
    assert Player.objects.count() == 0
    assert Session.objects.count() == 0
    assert response.wsgi_request.player is None


def test_the_account_page_tells_a_visitor_that_nothing_is_kept(visitor: Client) -> None:
    page = visitor.get("/account/").content.decode()
    assert "Nothing is kept about you yet" in page
    assert "Your data" not in page


def test_the_player_is_looked_up_only_when_asked_for(alice, django_assert_num_queries) -> None:
    client, player = alice
    request = client.get("/account/").wsgi_request
    fresh = HttpRequest()
    fresh.session, fresh.user = request.session, request.user
    with django_assert_num_queries(0):
        assert "player" not in fresh.__dict__
    with django_assert_num_queries(1):
        assert fresh.player == player
        assert fresh.player == player


def test_the_class_itself_still_has_the_attribute() -> None:
    assert isinstance(HttpRequest.player, LazyPlayer)


def test_the_same_browser_stays_the_same_player(alice) -> None:
    client, player = alice
    request = client.get("/account/").wsgi_request
    assert services.player_for(request) == player
    assert Player.objects.count() == 1


def test_a_player_deleted_elsewhere_is_nobody(alice) -> None:
    client, player = alice
    player.delete()
    assert client.get("/account/").wsgi_request.player is None


def test_a_session_with_an_unknown_player_gets_a_new_guest_on_need(alice) -> None:
    client, player = alice
    player.delete()
    client.post("/account/rename/", {"pseudonym": "Alice again"})
    assert Player.objects.get().pseudonym == "Alice again"


def test_last_seen_is_a_day_and_moves_at_most_once_a_day(alice, django_assert_num_queries) -> None:
    client, player = alice
    Player.objects.update(last_seen=today() - datetime.timedelta(days=3))
    client.get("/account/")
    player.refresh_from_db()
    assert player.last_seen == today()
    assert type(player.last_seen) is datetime.date
    request = client.get("/account/").wsgi_request
    with django_assert_num_queries(1):
        services.known_player(request)


def test_an_accounts_player_needs_the_accounts_session(bob) -> None:
    """The id of a member's player in a session that is not signed in opens nothing."""
    _, player = bob
    thief = Client()
    session = thief.session
    session[services.SESSION_KEY] = str(player.id)
    session.save()
    assert thief.get("/account/").wsgi_request.player is None


def test_a_staff_login_without_a_player_gets_one_on_need(django_user_model, visitor: Client) -> None:
    user = django_user_model.objects.create_user("keeper", password="x")
    visitor.force_login(user)
    assert visitor.get("/account/").wsgi_request.player is None
    visitor.post("/account/rename/", {"pseudonym": "Keeper"})
    assert Player.objects.get().user == user
    session = visitor.session
    del session[services.SESSION_KEY]
    session.save()
    assert visitor.get("/account/").wsgi_request.player.user == user


def test_ids_are_random() -> None:
    assert Player().id != Player().id
    assert isinstance(Player().id, uuid.UUID)

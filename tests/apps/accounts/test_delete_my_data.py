import uuid

from django.contrib.auth.models import User
from django.test import Client

from apps.accounts.models import Player
from apps.jobs.models import Job
from tests.apps.accounts.conftest import PASSWORD

YES = {"confirm": "yes", "password": PASSWORD}


def test_a_guest_is_gone_with_everything_owned(alice) -> None:
    client, player = alice
    Job.objects.create(owner=player, kind="any", document={})
    assert client.post("/account/delete/", YES)["Location"] == "/"
    assert Player.objects.count() == Job.objects.count() == 0
    assert client.get("/account/").wsgi_request.player is None


def test_a_member_is_gone_with_the_login(bob) -> None:
    client, _ = bob
    client.post("/account/delete/", YES)
    assert User.objects.count() == Player.objects.count() == 0
    assert not client.get("/account/").wsgi_request.user.is_authenticated


def test_apps_get_one_random_tombstone_for_what_must_stay(alice, bob, section) -> None:
    seen: list[tuple[uuid.UUID, uuid.UUID]] = []
    for name in ("first", "second"):
        section(name, remove=lambda player, tombstone: seen.append((player.pk, tombstone)))
    alice[0].post("/account/delete/", YES)
    bob[0].post("/account/delete/", YES)
    (a1, t1), (a2, t2), (b1, t3), (b2, t4) = seen
    assert a1 == a2 == alice[1].pk
    assert b1 == b2 == bob[1].pk
    assert t1 == t2 != t3 == t4
    assert {t1, t3}.isdisjoint({a1, b1})


def test_it_asks_first(alice) -> None:
    client, player = alice
    page = client.get("/account/delete/").content.decode()
    assert "cannot be undone" in page
    response = client.post("/account/delete/")
    assert response.status_code == 422
    assert "Tick the box" in response.content.decode()
    assert Player.objects.filter(pk=player.pk).exists()


def test_the_page_names_the_login_that_goes(bob) -> None:
    assert "the login “Bob”" in bob[0].get("/account/delete/").content.decode()


def test_others_stay(alice, bob) -> None:
    alice[0].post("/account/delete/", YES)
    assert list(Player.objects.all()) == [bob[1]]


def test_a_visitor_has_nothing_to_delete(visitor: Client) -> None:
    assert visitor.post("/account/delete/", YES)["Location"] == "/account/"


def test_removing_a_login_by_staff_leaves_the_player(bob) -> None:
    User.objects.all().delete()
    bob[1].refresh_from_db()
    assert bob[1].is_guest

import pytest
from django.contrib.auth.models import User
from django.test import Client

from apps.accounts import views
from apps.accounts.models import Player
from apps.core.limits import LIMITS
from apps.jobs.models import Job
from tests.apps.accounts.conftest import PASSWORD
from tests.apps.support import guest

RIGHT = {"username": "Bob", "password": PASSWORD}


@pytest.fixture
def three_tries(settings) -> None:
    settings.RATE_LIMIT_SCALE = 0.3


def test_a_member_continues_on_another_device(bob, visitor: Client) -> None:
    _, player = bob
    response = visitor.post("/account/sign-in/", RIGHT)
    assert response.status_code == 302
    assert visitor.get("/account/").wsgi_request.player == player
    assert Player.objects.count() == 1


def test_what_the_guest_did_joins_the_account(alice, bob) -> None:
    client, guests = alice
    _, player = bob
    job = Job.objects.create(owner=guests, kind="any", document={})
    Player.objects.filter(pk=guests.pk).update(settings={"theme": "dark", "odds": "fraction"})
    Player.objects.filter(pk=player.pk).update(settings={"theme": "light"})
    client.post("/account/sign-in/", RIGHT)
    player.refresh_from_db()
    assert list(player.jobs.all()) == [job]
    assert player.settings == {"theme": "light", "odds": "fraction"}
    assert list(Player.objects.all()) == [player]


def test_apps_hand_over_what_was_the_guests_in_the_order_they_name(alice, bob, section) -> None:
    client, guests = alice
    seen = []
    section("last", after=("first",), hand_over=lambda old, new: seen.append(("last", old.pk, new.pk)))
    section("first", hand_over=lambda old, new: seen.append(("first", old.pk, new.pk)))
    client.post("/account/sign-in/", RIGHT)
    assert seen == [("first", guests.pk, bob[1].pk), ("last", guests.pk, bob[1].pk)]


def test_an_app_that_fails_to_hand_over_leaves_everything_as_it_was(alice, bob, section) -> None:
    client, guests = alice

    def broken(old: Player, new: Player) -> None:
        raise RuntimeError("disk full")

    section("broken", hand_over=broken)
    with pytest.raises(RuntimeError):
        client.post("/account/sign-in/", RIGHT)
    assert Player.objects.filter(pk=guests.pk, user=None).exists()


def test_a_login_without_a_player_takes_the_guest_as_its_own(alice) -> None:
    client, player = alice
    user = User.objects.create_user("keeper", password=PASSWORD)
    client.post("/account/sign-in/", {"username": "keeper", "password": PASSWORD})
    player.refresh_from_db()
    assert player.user == user


def test_a_login_without_a_player_or_a_guest_gets_one(visitor: Client) -> None:
    user = User.objects.create_user("keeper", password=PASSWORD)
    visitor.post("/account/sign-in/", {"username": "keeper", "password": PASSWORD})
    assert Player.objects.get().user == user


def test_changing_accounts_does_not_merge_them(bob, visitor: Client) -> None:
    client, player = bob
    User.objects.create_user("carol", password=PASSWORD)
    client.post("/account/sign-in/", {"username": "carol", "password": PASSWORD})
    assert client.get("/account/").wsgi_request.player.user.username == "carol"
    player.refresh_from_db()
    assert player.user.username == "Bob"


def test_signing_in_twice_changes_nothing(bob) -> None:
    client, player = bob
    client.post("/account/sign-in/", RIGHT)
    assert client.get("/account/").wsgi_request.player == player


def test_the_session_key_changes(alice, bob) -> None:
    client, _ = alice
    before = client.session.session_key
    client.post("/account/sign-in/", RIGHT)
    assert client.session.session_key != before


@pytest.mark.parametrize("wrong", [{"username": "Nobody"}, {"password": "not the password"}])
def test_a_wrong_name_and_a_wrong_password_read_the_same(bob, visitor: Client, wrong: dict[str, str]) -> None:
    response = visitor.post("/account/sign-in/", {**RIGHT, **wrong})
    assert response.status_code == 422
    assert response.context["form"].non_field_errors() == [views.NO_MATCH]
    assert "sessionid" not in visitor.cookies
    assert PASSWORD not in response.content.decode()


@pytest.mark.usefixtures("three_tries")
def test_an_empty_form_is_not_an_attempt(visitor: Client) -> None:
    for _ in range(5):
        assert visitor.post("/account/sign-in/", {"username": ""}).status_code == 422


@pytest.mark.usefixtures("three_tries")
def test_guessing_one_account_is_slowed_wherever_it_comes_from(bob) -> None:
    for host in range(3):
        client = Client(REMOTE_ADDR=f"10.0.0.{host}")
        assert client.post("/account/sign-in/", {**RIGHT, "password": "guess"}).status_code == 422
    response = Client(REMOTE_ADDR="10.0.0.9").post("/account/sign-in/", {**RIGHT, "username": "bOB"})
    assert response.status_code == 429
    assert 0 < int(response["Retry-After"]) <= 300


@pytest.mark.usefixtures("three_tries")
def test_guessing_from_one_address_is_slowed_whoever_it_tries(
    bob, visitor: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(LIMITS, "sign-in-from", LIMITS["sign-in"])
    for name in ("ann", "ben", "cat"):
        assert visitor.post("/account/sign-in/", {"username": name, "password": "guess"}).status_code == 422
    assert visitor.post("/account/sign-in/", RIGHT).status_code == 429
    assert Client(REMOTE_ADDR="10.0.0.9").post("/account/sign-in/", RIGHT).status_code == 302


@pytest.mark.usefixtures("three_tries")
def test_a_class_behind_one_router_may_sign_in_together(bob, visitor: Client) -> None:
    statuses = {
        visitor.post("/account/sign-in/", {"username": f"p{n}", "password": "x"}).status_code for n in range(30)
    }
    assert statuses == {422}


@pytest.mark.parametrize("unknown", [True, False])
@pytest.mark.usefixtures("three_tries")
def test_waiting_does_not_tell_whether_an_account_exists(bob, unknown: bool) -> None:
    name = "Nobody" if unknown else "Bob"
    statuses = [
        Client(REMOTE_ADDR=f"10.0.1.{n}").post("/account/sign-in/", {"username": name, "password": "x"}).status_code
        for n in range(5)
    ]
    assert statuses == [422, 422, 422, 429, 429]


@pytest.mark.parametrize(
    "target", ["https://example.org/", "//example.org/", "/\\example.org", "javascript:alert(1)", "http:///example.org"]
)
def test_it_never_leads_off_the_site(bob, visitor: Client, target: str) -> None:
    assert visitor.post("/account/sign-in/", {**RIGHT, "next": target})["Location"] == "/account/"


def test_it_goes_on_where_the_person_was_going(bob, visitor: Client) -> None:
    assert visitor.get("/account/sign-in/", {"next": "/jobs/?a=1"}).context["next"] == "/jobs/?a=1"
    assert visitor.post("/account/sign-in/", {**RIGHT, "next": "/jobs/?a=1"})["Location"] == "/jobs/?a=1"


def test_two_guests_can_join_one_account(bob) -> None:
    for name in ("Phone", "Tablet"):
        client, player = guest(name)
        Job.objects.create(owner=player, kind=name, document={})
        client.post("/account/sign-in/", RIGHT)
    assert {job.kind for job in bob[1].jobs.all()} == {"Phone", "Tablet"}

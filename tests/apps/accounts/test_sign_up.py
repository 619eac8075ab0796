import pytest
from django.contrib.auth.models import User
from django.db.models.signals import pre_save
from django.test import Client

from apps.accounts.models import Player
from apps.jobs.models import Job
from tests.apps.accounts.conftest import PASSWORD

NEW = {"username": "alice", "password": PASSWORD, "again": PASSWORD}


def test_the_guest_becomes_the_account_with_its_history(alice) -> None:
    client, player = alice
    job = Job.objects.create(owner=player, kind="any", document={})
    response = client.post("/account/sign-up/", NEW)
    assert (response.status_code, response["Location"]) == (302, "/account/codes/?next=%2Faccount%2F")
    player.refresh_from_db()
    assert player.user == User.objects.get(username="alice")
    assert list(player.jobs.all()) == [job]
    assert Player.objects.count() == 1
    assert "Signed in as alice" in client.get("/account/").content.decode()


def test_nothing_but_the_name_and_the_password_is_stored(alice) -> None:
    client, _ = alice
    client.post("/account/sign-up/", {**NEW, "email": "a@example.org", "first_name": "Alice"})
    user = User.objects.get()
    assert (user.email, user.first_name, user.last_name) == ("", "", "")
    assert user.check_password(PASSWORD)


def test_a_visitor_can_sign_up_at_once(visitor: Client) -> None:
    visitor.post("/account/sign-up/", NEW)
    assert Player.objects.get().user.username == "alice"


def test_the_session_key_changes(alice) -> None:
    """A key somebody planted beforehand must not become a signed-in one."""
    client, _ = alice
    before = client.session.session_key
    client.post("/account/sign-up/", NEW)
    assert client.session.session_key != before


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("username", "", "This field is required."),
        ("username", "al", "3–30 characters; you entered 2"),
        ("username", "a" * 31, "3–30 characters; you entered 31"),
        ("username", "al ice", "may contain only letters"),
        ("password", "short", "at least 10 characters"),
        ("password", "password123", "too common"),
        ("password", "alice12345", "too similar"),
        ("again", "", "This field is required."),
        ("again", "correct horse batery", "The two are not the same."),
    ],
)
def test_what_is_wrong_is_said_beside_the_field(visitor: Client, field: str, value: str, message: str) -> None:
    name = "alice12345" if message == "too similar" else "alice"
    response = visitor.post("/account/sign-up/", {**NEW, "username": name, field: value})
    assert response.status_code == 422
    assert message in str(response.context["form"].errors[field])
    page = response.content.decode()
    assert 'aria-invalid="true"' in page
    assert PASSWORD not in page
    assert User.objects.count() == Player.objects.count() == 0


@pytest.mark.parametrize("page", ["/account/sign-up/", "/account/recover/", "/account/password/"])
def test_a_password_is_chosen_twice_and_can_be_shown(bob, visitor: Client, page: str) -> None:
    client = bob[0] if page == "/account/password/" else visitor
    text = client.get(page).content.decode()
    assert 'name="again"' in text
    assert 'data-shows="id_password id_again"' in text
    assert "js/accounts/show_password" in text


def test_a_taken_name_is_refused_in_any_case(bob, visitor: Client) -> None:
    response = visitor.post("/account/sign-up/", {**NEW, "username": "bOB"})
    assert response.status_code == 422
    assert "That user name is taken" in response.content.decode()


def test_losing_the_race_for_a_name_is_an_ordinary_error(alice) -> None:
    """Somebody inserts the name after we looked and before we insert."""
    client, player = alice

    def rival(instance: User, **_: object) -> None:
        User.objects.bulk_create([User(username=instance.username)])

    pre_save.connect(rival, sender=User)
    try:
        response = client.post("/account/sign-up/", NEW)
    finally:
        pre_save.disconnect(rival, sender=User)
    assert response.status_code == 422
    assert "That user name is taken" in response.content.decode()
    player.refresh_from_db()
    assert player.is_guest


def test_a_member_has_an_account_already(bob) -> None:
    client, _ = bob
    assert client.post("/account/sign-up/", NEW)["Location"] == "/account/"
    assert User.objects.count() == 1


def test_it_goes_on_where_the_person_was_going(visitor: Client) -> None:
    assert visitor.get("/account/sign-up/?next=/jobs/").context["next"] == "/jobs/"
    codes = visitor.post("/account/sign-up/", {**NEW, "next": "/jobs/"})["Location"]
    assert codes == "/account/codes/?next=%2Fjobs%2F"
    assert 'href="/jobs/">I have them: go on' in visitor.get(codes).content.decode()


def test_too_many_from_one_address_have_to_wait(visitor: Client, settings) -> None:
    settings.RATE_LIMIT_SCALE = 0.1
    assert visitor.post("/account/sign-up/", {}).status_code == 422
    response = visitor.post("/account/sign-up/", {})
    assert response.status_code == 429
    assert int(response["Retry-After"]) > 0

import pytest
from django.test import Client

from apps.accounts.models import Player
from apps.accounts.names import CREATURES


def test_a_guest_takes_a_name(alice) -> None:
    client, player = alice
    response = client.post("/account/rename/", {"pseudonym": "  Zoë   O'Neill-2 "})
    assert response.status_code == 302
    player.refresh_from_db()
    assert player.pseudonym == "Zoë O'Neill-2"


def test_an_empty_name_draws_a_random_one(alice) -> None:
    client, player = alice
    client.post("/account/rename/", {"pseudonym": ""})
    player.refresh_from_db()
    assert player.pseudonym.split()[1] in CREATURES


def test_a_visitor_becomes_a_guest_by_taking_a_name(visitor: Client) -> None:
    visitor.post("/account/rename/", {"pseudonym": "Newcomer"})
    assert Player.objects.get().pseudonym == "Newcomer"
    assert "Newcomer" in visitor.get("/account/").content.decode()


@pytest.mark.parametrize("name", ["x" * 31, "-dash", "dash-", "<b>", "a\u202eb", "a\u200bb"])
def test_a_name_that_could_mislead_is_refused_and_kept_in_the_field(alice, name: str) -> None:
    client, player = alice
    response = client.post("/account/rename/", {"pseudonym": name})
    assert response.status_code == 422
    assert "A name has 1–30 letters" in response.content.decode()
    assert response.context["form"]["pseudonym"].value() == name
    player.refresh_from_db()
    assert player.pseudonym == "Alice"


def test_another_player_is_not_renamed(alice, bob) -> None:
    _, alices = alice
    client, _ = bob
    client.post("/account/rename/", {"pseudonym": "Robert", "player": str(alices.id)})
    alices.refresh_from_db()
    assert alices.pseudonym == "Alice"


def test_it_takes_a_post_with_a_token(alice) -> None:
    client, _ = alice
    assert client.get("/account/rename/").status_code == 405
    strict = Client(enforce_csrf_checks=True)
    assert strict.post("/account/rename/", {"pseudonym": "Eve"}).status_code == 403
    assert not Player.objects.filter(pseudonym="Eve").exists()

from django.test import Client


def test_a_member_is_a_visitor_afterwards(bob) -> None:
    client, _ = bob
    assert client.post("/account/sign-out/").status_code == 302
    request = client.get("/account/").wsgi_request
    assert request.player is None
    assert not request.user.is_authenticated


def test_a_link_cannot_sign_anybody_out(bob) -> None:
    client, player = bob
    assert client.get("/account/sign-out/").status_code == 405
    assert client.get("/account/").wsgi_request.player == player


def test_signing_out_one_does_not_sign_out_another(alice, bob) -> None:
    bob[0].post("/account/sign-out/")
    assert alice[0].get("/account/").wsgi_request.player == alice[1]


def test_a_visitor_may_ask_too(visitor: Client) -> None:
    assert visitor.post("/account/sign-out/").status_code == 302

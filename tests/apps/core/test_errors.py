"""Errors: one JSON shape for programs, a page with an id for people."""

from __future__ import annotations

import logging

import pytest
from django.core.exceptions import PermissionDenied
from django.test import Client, RequestFactory
from rest_framework.exceptions import ValidationError

from apps.core.errors import error_body, forbidden, problem
from apps.core.rest import api_exception


def test_a_missing_api_address_is_json(client: Client) -> None:
    reply = client.get("/api/v1/no-such-thing")
    assert reply.status_code == 404
    assert reply.json()["error"]["code"] == "ERR_NOT_FOUND"
    assert reply.json()["error"]["requestId"] == reply["X-Request-ID"]


@pytest.mark.django_db
def test_a_missing_page_is_a_page_with_its_id(client: Client) -> None:
    reply = client.get("/no-such-page/")
    assert reply.status_code == 404
    assert reply["X-Request-ID"] in reply.content.decode()


@pytest.mark.django_db
def test_a_mistake_of_ours_is_logged_under_the_id_shown(
    client: Client, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken() -> None:
        raise RuntimeError("boom")

    monkeypatch.setattr("apps.core.health._database", broken)
    client.raise_request_exception = False
    with caplog.at_level(logging.ERROR):
        reply = client.get("/health/ready")
    assert reply.status_code == 500
    assert reply.json()["error"]["code"] == "ERR_INTERNAL"
    assert reply.json()["error"]["requestId"] == reply["X-Request-ID"]
    assert "boom" in caplog.text


def test_a_body_that_is_too_large_is_refused_unread(client: Client) -> None:
    reply = client.post("/api/v1/compute/dice.roll", b"x" * 1_000_001, content_type="application/json")
    assert reply.status_code == 413
    assert reply.json()["error"]["code"] == "ERR_BODY_TOO_LARGE"


def test_a_body_that_is_not_json_says_so(client: Client) -> None:
    reply = client.post("/api/v1/compute/dice.roll", b"{", content_type="application/json")
    assert reply.status_code == 400
    assert reply.json()["error"]["code"] == "ERR_INVALID_JSON"


def test_wrong_method_and_wrong_type_have_the_same_shape(client: Client) -> None:
    assert client.get("/api/v1/compute/dice.roll").json()["error"]["code"] == "ERR_METHOD_NOT_ALLOWED"
    wrong = client.post("/api/v1/compute/dice.roll", "expression=D6", content_type="text/plain")
    assert (wrong.status_code, wrong.json()["error"]["code"]) == (415, "ERR_UNSUPPORTED_MEDIA_TYPE")


def test_a_forbidden_page_gives_its_reason(rf: RequestFactory) -> None:
    request = rf.get("/api/x")
    assert b"not your game" in forbidden(request, PermissionDenied("This is not your game.")).content


def test_a_validation_error_names_its_field(rf: RequestFactory) -> None:
    response = api_exception(ValidationError({"target": ["must be 1–9"]}), {"request": rf.post("/")})
    assert response is not None
    assert response.data["error"]["message"] == "target: must be 1–9"
    assert response.data["error"]["details"] == {"field": "target"}


def test_an_unforeseen_exception_is_left_to_the_server(rf: RequestFactory) -> None:
    assert api_exception(RuntimeError("boom"), {"request": rf.post("/")}) is None


def test_the_shape_is_the_engines(rf: RequestFactory) -> None:
    assert set(error_body("E", "m", "id", field="x")["error"]) == {"code", "message", "details", "requestId"}
    assert problem(rf.get("/api/"), 418, "ERR_TEAPOT", "short and stout").status_code == 418


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["/", "/no-such-page/", "/killteam/shoot/", "/api/v1/no-such-thing", "/health/live"])
@pytest.mark.parametrize("host", ["elsewhere.example", "a b", "[::1", "x" * 300, "%00"])
def test_a_host_that_is_not_ours_is_refused_in_a_sentence(client: Client, path: str, host: str) -> None:
    reply = client.get(path, headers={"Host": host})
    assert reply.status_code == 400
    if host == "elsewhere.example":
        assert "ALLOWED_HOSTS" in reply.content.decode()
    assert f"//{host}" not in reply.content.decode()

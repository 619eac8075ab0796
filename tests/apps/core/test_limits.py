"""Rate limits: counted per caller and scope, on the shared cache, answered in the one error shape."""

from __future__ import annotations

import pytest
from django.http import HttpRequest, HttpResponse
from django.test import Client, RequestFactory
from pytest_django.fixtures import Settings

from apps.core import limits
from apps.core.limits import Limit, address, caller, limited, spend


@pytest.fixture(autouse=True)
def _three_a_minute(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.RATE_LIMIT_SCALE = 1.0
    monkeypatch.setitem(limits.LIMITS, "page", Limit(3, 60))
    monkeypatch.setitem(limits.LIMITS, "compute", Limit(2, 60))


def test_the_fourth_request_must_wait_and_another_caller_need_not() -> None:
    assert [spend("page", "a:1") for _ in range(3)] == [0, 0, 0]
    assert 1 <= spend("page", "a:1") <= 60
    assert spend("page", "a:2") == 0
    assert spend("compute", "a:1") == 0


def test_an_unknown_scope_is_a_programming_error() -> None:
    with pytest.raises(AssertionError):
        limited("no-such-scope")


def test_a_page_past_its_limit_says_when_to_come_back(rf: RequestFactory) -> None:
    @limited("page")
    def view(request: HttpRequest) -> HttpResponse:
        return HttpResponse("ok")

    request = rf.get("/", headers={"Accept": "application/json"})
    assert [view(request).status_code for _ in range(4)] == [200, 200, 200, 429]
    refused = view(request)
    assert 1 <= int(refused["Retry-After"]) <= 60
    assert b"ERR_RATE_LIMITED" in refused.content


def test_an_endpoint_past_its_limit_answers_429_in_the_one_error_shape(client: Client) -> None:
    body = {"expression": "D6"}
    replies = [client.post("/api/v1/compute/dice.roll", body, content_type="application/json") for _ in range(3)]
    assert [r.status_code for r in replies] == [200, 200, 429]
    error = replies[2].json()["error"]
    assert error["code"] == "ERR_RATE_LIMITED"
    assert error["details"]["retryAfter"] == int(replies[2]["Retry-After"]) >= 1
    assert error["requestId"] == replies[2]["X-Request-ID"]


def test_a_proxy_is_believed_only_when_we_are_behind_one(rf: RequestFactory, settings: Settings) -> None:
    request = rf.get("/", headers={"X-Forwarded-For": "203.0.113.9, 198.51.100.7"}, REMOTE_ADDR="10.0.0.1")
    assert address(request) == "10.0.0.1"
    settings.BEHIND_PROXY = True
    assert address(request) == "198.51.100.7"
    assert caller(request) == "a:198.51.100.7"

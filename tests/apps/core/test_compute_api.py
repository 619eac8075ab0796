"""``POST /api/v1/compute/{op}`` gives what ``python -m engine`` gives."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
from django.test import Client

from apps.core.services import answer, operations


def post(client: Client, op: str, document: object) -> tuple[int, dict[str, object]]:
    reply = client.post(f"/api/v1/compute/{op}", json.dumps(document), content_type="application/json")
    return reply.status_code, reply.json()


def test_an_operation_answers_with_its_result(client: Client) -> None:
    status, body = post(client, "dice.distribution", {"expression": "2D6"})
    assert status == 200
    assert body == answer("dice.distribution", {"expression": "2D6"})["result"]
    assert body["mean"] == pytest.approx(7)


def test_the_command_line_and_the_api_agree(client: Client) -> None:
    line = json.dumps({"op": "dice.distribution", "input": {"expression": "3D6+1"}})
    done = subprocess.run([sys.executable, "-m", "engine"], input=line, capture_output=True, text=True, check=True)
    assert json.loads(done.stdout)["result"] == post(client, "dice.distribution", {"expression": "3D6+1"})[1]


def test_a_broken_rule_names_field_limit_and_value(client: Client) -> None:
    status, body = post(client, "dice.roll", {"expression": "90000000D6"})
    assert status == 422
    assert body["error"]["code"] == "ERR_INVALID_INPUT"
    assert body["error"]["message"] == "90000000 is too large a number (character 1). Numbers go up to 1,000,000."
    assert body["error"]["details"]["field"] == "expression"


def test_an_unknown_field_is_rejected_by_name(client: Client) -> None:
    status, body = post(client, "dice.roll", {"expression": "D6", "sede": 1})
    assert status == 422
    assert "sede" in body["error"]["message"]


def test_an_unknown_operation_is_not_found(client: Client) -> None:
    assert post(client, "dice.shake", {})[0] == 404


def test_every_operation_has_an_address_and_is_in_the_schema(client: Client) -> None:
    schema = client.get("/api/schema/", headers={"Accept": "application/json"}).json()
    names = {name for name, *_ in operations()}
    assert names
    assert {f"/api/v1/compute/{name}" for name in names} <= set(schema["paths"])


def test_the_documentation_needs_no_other_host(client: Client) -> None:
    page = client.get("/api/docs/").content.decode()
    assert "/static/drf_spectacular_sidecar/" in page
    assert "https://" not in page.replace("https://www.w3.org", "")


@pytest.mark.parametrize("text", ["[" * 100_000, '{"a":' * 50_000, "[" * 50_000 + "]" * 50_000])
def test_a_document_nested_beyond_reading_is_refused_in_a_sentence(client: Client, text: str) -> None:
    reply = client.post("/api/v1/compute/dice.roll", text, content_type="application/json")
    assert reply.status_code == 400
    assert reply.json()["error"]["code"] == "ERR_INVALID_JSON"

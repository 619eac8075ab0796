"""Browsers and programs that talk to the API."""

from __future__ import annotations

import json
import uuid
from typing import TYPE_CHECKING, Any

from django.test import Client

from apps.accounts.models import Player
from apps.dicee import tokens

if TYPE_CHECKING:
    from django.test.client import _MonkeyPatchedWSGIResponse as Response


class Program:
    """A third-party client: a token, no cookie."""

    def __init__(self, player: Player | None) -> None:
        secret = tokens.issue(player, "test")[1] if player else None
        self.headers = {"Authorization": f"Bearer {secret}"} if secret else {}
        self.client = Client(enforce_csrf_checks=True)

    def post(self, path: str, body: Any = None, key: uuid.UUID | str | None = None) -> Response:
        headers = self.headers | ({"Idempotency-Key": str(key)} if key is not None else {})
        text = json.dumps({} if body is None else body)
        return self.client.post(f"/api/v1/{path}", text, content_type="application/json", headers=headers)

    def get(self, path: str) -> Response:
        return self.client.get(f"/api/v1/{path}", headers=self.headers)

    def delete(self, path: str) -> Response:
        return self.client.delete(f"/api/v1/{path}", headers=self.headers)

"""Keys for programs that play as a player: made once, shown once, kept only as a digest."""

from __future__ import annotations

import hashlib
import secrets
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from rest_framework.authentication import BaseAuthentication, get_authorization_header
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from apps.accounts.models import Player
from apps.dicee.models import ApiToken

PREFIX = "odd_"
HINT_LENGTH = len(PREFIX) + 4
MOST = 10


class TooManyTokensError(ValueError):
    pass


@transaction.atomic
def issue(player: Player, name: str) -> tuple[ApiToken, str]:
    """A new token and its secret, which is not kept and cannot be shown again."""
    Player.objects.select_for_update().get(pk=player.pk)  # counted and added by one at a time
    if player.api_tokens.count() >= MOST:
        raise TooManyTokensError(f"A player has at most {MOST} tokens; revoke one first.")
    secret = PREFIX + secrets.token_urlsafe(32)
    token = ApiToken.objects.create(player=player, name=name, digest=_digest(secret), hint=secret[:HINT_LENGTH])
    return token, secret


def revoke(player: Player, token_id: int) -> bool:
    """False when the player has no such token."""
    return bool(ApiToken.objects.filter(player=player, pk=token_id).delete()[0])


def of(player: Player) -> QuerySet[ApiToken]:
    return ApiToken.objects.filter(player=player)


def player_of(secret: str) -> Player | None:
    """Who a secret speaks for."""
    token = ApiToken.objects.select_related("player").filter(digest=_digest(secret)).first()
    if token is None:
        return None
    today = timezone.now().date()
    if token.last_used != today:
        ApiToken.objects.filter(pk=token.pk).update(last_used=today)
    return token.player


def _digest(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()


class BearerAuthentication(BaseAuthentication):
    """``Authorization: Bearer odd_…``. The player comes as ``request.auth``; a program has no session and no user."""

    def authenticate(self, request: Request) -> tuple[Any, Player] | None:
        kind, _, secret = get_authorization_header(request).decode("latin-1").partition(" ")
        if kind.lower() != "bearer":
            return None
        player = player_of(secret.strip())
        if player is None:
            raise AuthenticationFailed("This token is not known, or has been revoked.")
        return AnonymousUser(), player

    def authenticate_header(self, request: Request) -> str:
        return "Bearer"


class BearerScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    """How the API's documentation shows it."""

    target_class = BearerAuthentication
    name = "token"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        return {"type": "http", "scheme": "bearer", "description": "Made under POST /api/v1/tokens."}

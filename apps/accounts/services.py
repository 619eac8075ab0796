"""Who is playing: guests on first need, accounts that keep a guest's history, export and deletion.

What other apps keep of a player is registered in ``player_data``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django.contrib.auth import login, logout
from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.models import AnonymousUser, User
from django.contrib.sessions.backends.base import SessionBase
from django.db import transaction
from django.http import HttpRequest

from apps.accounts import player_data
from apps.accounts.http import Request
from apps.accounts.models import Player, today

SESSION_KEY = "player"


# -- Who is this? ------------------------------------------------------------------------------------------------


def known_player(request: HttpRequest) -> Player | None:
    """The player of this browser, or None for a visitor who has done nothing yet. Never writes a session."""
    return _player_of(request.session, request.user)


def player_for(request: Request) -> Player:
    """The player of this browser; a new guest if there is none yet. Call it only when something is to be kept."""
    player = known_player(request)
    if player is None:
        player = _own_player(request.user) if isinstance(request.user, User) else Player.objects.create()
        request.session[SESSION_KEY] = str(player.id)
    request.player = player
    return player


def player_of_scope(scope: Mapping[str, Any]) -> Player | None:
    """The player behind a WebSocket. Reads the database: call it from a synchronous thread."""
    return _player_of(scope["session"], scope["user"])


def _player_of(session: SessionBase, user: AbstractBaseUser | AnonymousUser) -> Player | None:
    player_id = session.get(SESSION_KEY)
    if player_id is None:
        return Player.objects.filter(user_id=user.pk).first() if user.is_authenticated else None
    player = Player.objects.filter(pk=player_id).first()
    if player is None or (player.user_id is not None and player.user_id != user.pk):
        return None  # deleted elsewhere, or the account's session is no longer valid
    if player.last_seen < today():
        Player.objects.filter(pk=player.pk).update(last_seen=today())
    return player


def _own_player(user: User) -> Player:
    return Player.objects.get_or_create(user=user)[0]


# -- Accounts ----------------------------------------------------------------------------------------------------


@transaction.atomic
def sign_up(request: Request, username: str, password: str) -> Player:
    """Make an account of the current guest, with everything the guest has done."""
    player = player_for(request)
    player.user = User.objects.create_user(username, password=password)
    player.save(update_fields=["user"])
    _remember(request, player.user, player)
    return player


@transaction.atomic
def sign_in(request: Request, user: User) -> Player:
    """Continue as the account's player; what this browser's guest did joins it."""
    guest = known_player(request)
    if guest is not None and not guest.is_guest:
        guest = None
    account = Player.objects.filter(user=user).first()
    if account is None and guest is not None:
        guest.user = user
        guest.save(update_fields=["user"])
        account = guest
    account = account or _own_player(user)
    if guest is not None and guest.pk != account.pk:
        _merge(guest, account)
    _remember(request, user, account)
    return account


def sign_out(request: Request) -> None:
    logout(request)
    request.player = None


def _merge(guest: Player, account: Player) -> None:
    player_data.hand_over(guest, account)
    account.settings = {**guest.settings, **account.settings}
    account.save(update_fields=["settings"])
    guest.delete()


def _remember(request: Request, user: User, player: Player) -> None:
    login(request, user, backend="django.contrib.auth.backends.ModelBackend")
    request.session[SESSION_KEY] = str(player.id)
    request.player = player


# -- A player's own data -----------------------------------------------------------------------------------------


renamed_hooks: list[Callable[[Player], None]] = []


def on_renamed(hook: Callable[[Player], None]) -> Callable[[Player], None]:
    """Register ``hook(player)``: what another app does when a player has taken another name."""
    renamed_hooks.append(hook)
    return hook


def rename(player: Player, pseudonym: str) -> None:
    """Give a player another name, everywhere it is shown now."""
    player.pseudonym = pseudonym
    player.save(update_fields=["pseudonym"])
    for hook in renamed_hooks:
        hook(player)


def export(player: Player) -> dict[str, Any]:
    """Everything that is kept about a player, room by room."""
    profile = {
        "id": str(player.id),
        "pseudonym": player.pseudonym,
        "username": player.user.get_username() if player.user else None,
        "settings": player.settings,
        "createdAt": player.created_at.isoformat(),
        "lastSeen": player.last_seen.isoformat(),
    }
    return {"profile": profile, **player_data.export(player)}


@transaction.atomic
def delete(player: Player) -> None:
    """Forget a player. Events keep their order and content under an id that leads nowhere (ruling D17)."""
    player_data.remove(player)
    user = player.user
    player.delete()
    if user is not None:
        user.delete()

"""Who is playing: guests on first need, accounts that keep a guest's history, export and deletion.

Other rooms own things that belong to a player. They register here, in ``AppConfig.ready``, what happens to those
things when a guest signs in to an account, asks for a copy of everything, or leaves.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Mapping
from typing import Any

from django.contrib.auth import login, logout
from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.models import AnonymousUser, User
from django.contrib.sessions.backends.base import SessionBase
from django.db import transaction
from django.db.models import Model
from django.http import HttpRequest

from apps.accounts.models import Player, today

SESSION_KEY = "player"

MergeHook = Callable[[Player, Player], None]
ExportHook = Callable[[Player], Any]
DeleteHook = Callable[[Player, uuid.UUID], None]
LossHook = Callable[[Player], list[str]]

merge_hooks: list[MergeHook] = []
export_hooks: dict[str, ExportHook] = {}
delete_hooks: list[DeleteHook] = []
loss_hooks: list[LossHook] = []


def on_merge(hook: MergeHook) -> MergeHook:
    """Register ``hook(guest, account)``: move what the guest owns to the account's player."""
    merge_hooks.append(hook)
    return hook


def on_export(section: str, hook: ExportHook) -> ExportHook:
    """Register ``hook(player)``: what this room knows about a player, as JSON-ready data under ``section``."""
    export_hooks[section] = hook
    return hook


def on_delete(hook: DeleteHook) -> DeleteHook:
    """Register ``hook(player, tombstone)``: remove what is the player's own; where an immutable event names the
    player, put the random tombstone id in its place (ruling D17)."""
    delete_hooks.append(hook)
    return hook


def on_loss(hook: LossHook) -> LossHook:
    """Register ``hook(player)``: sentences about what other people would lose with this player."""
    loss_hooks.append(hook)
    return hook


def losses(player: Player) -> list[str]:
    """What goes with a player beside the player's own."""
    return [sentence for hook in loss_hooks for sentence in hook(player)]


def own(section: str, model: type[Model], *identity: str, export: ExportHook) -> None:
    """Register all three for rows that have an ``owner``. On a merge, the account's row of the same identity stands."""
    rows = model._default_manager

    def hand_over(guest: Player, account: Player) -> None:
        taken = set(rows.filter(owner=account).values_list(*identity))
        for pk, *named in rows.filter(owner=guest).values_list("pk", *identity):
            if tuple(named) not in taken:
                rows.filter(pk=pk).update(owner=account)

    def remove(player: Player, tombstone: uuid.UUID) -> None:
        rows.filter(owner=player).delete()

    on_merge(hand_over)
    on_export(section, export)
    on_delete(remove)


# -- Who is this? ------------------------------------------------------------------------------------------------


def known_player(request: HttpRequest) -> Player | None:
    """The player of this browser, or None for a visitor who has done nothing yet. Never writes a session."""
    return _player_of(request.session, request.user)


def player_for(request: HttpRequest) -> Player:
    """The player of this browser; a new guest if there is none yet. Call it only when something is to be kept."""
    player = known_player(request)
    if player is None:
        player = _own_player(request.user) if isinstance(request.user, User) else Player.objects.create()
        request.session[SESSION_KEY] = str(player.id)
    request.player = player  # type: ignore[attr-defined]
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
def sign_up(request: HttpRequest, username: str, password: str) -> Player:
    """Make an account of the current guest, with everything the guest has done."""
    player = player_for(request)
    player.user = User.objects.create_user(username, password=password)
    player.save(update_fields=["user"])
    _remember(request, player.user, player)
    return player


@transaction.atomic
def sign_in(request: HttpRequest, user: User) -> Player:
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


def sign_out(request: HttpRequest) -> None:
    logout(request)
    request.player = None  # type: ignore[attr-defined]


def _merge(guest: Player, account: Player) -> None:
    for hook in merge_hooks:
        hook(guest, account)
    account.settings = {**guest.settings, **account.settings}
    account.save(update_fields=["settings"])
    guest.delete()


def _remember(request: HttpRequest, user: User, player: Player) -> None:
    login(request, user, backend="django.contrib.auth.backends.ModelBackend")
    request.session[SESSION_KEY] = str(player.id)
    request.player = player  # type: ignore[attr-defined]


# -- A player's own data -----------------------------------------------------------------------------------------


def rename(player: Player, pseudonym: str) -> None:
    player.pseudonym = pseudonym
    player.save(update_fields=["pseudonym"])


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
    return {"profile": profile, **{section: hook(player) for section, hook in export_hooks.items()}}


@transaction.atomic
def delete(player: Player) -> None:
    """Forget a player. Events keep their order and content under an id that leads nowhere (ruling D17)."""
    tombstone = uuid.uuid4()
    for hook in delete_hooks:
        hook(player, tombstone)
    user = player.user
    player.delete()
    if user is not None:
        user.delete()

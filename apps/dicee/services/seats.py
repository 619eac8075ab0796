"""Who may do and see what at a table."""

from __future__ import annotations

import uuid
from collections.abc import Callable

from django.db.models import QuerySet
from django.utils import timezone

from apps.accounts.models import Player
from apps.dicee.models import Game, Mode, Seat, Status
from engine.wire import refuse

ViewerHook = Callable[[Game, Player], bool]
TableHook = Callable[[Game], bool]

overseer_hooks: list[ViewerHook] = []
barred_hooks: list[ViewerHook] = []
closed_hooks: list[TableHook] = []
private_hooks: list[TableHook] = []


def find(game_id: uuid.UUID, viewer: Player | None, *, joining: bool = False) -> Game:
    """The game, if there is one and this viewer may see it; ``joining``: or may still take a seat in it."""
    game = Game.objects.prefetch_related("seats").filter(pk=game_id).first()
    if game is None:
        refuse(
            "There is no such game.",
            code="ERR_GAME_NOT_FOUND",
            field="gameId",
            constraint="existing game",
            actual=str(game_id),
        )
    if not may_see(game, viewer) and not (joining and takes_players(game)):
        refuse(
            "This game belongs to other players.",
            code="ERR_FORBIDDEN",
            field="playerId",
            constraint="player or spectator",
        )
    return game


def takes_players(game: Game) -> bool:
    """May whoever has the code or the link sit down?"""
    return game.mode == Mode.MULTIPLAYER and game.status == Status.WAITING and not is_closed(game)


def may_see(game: Game, viewer: Player | None) -> bool:
    """Players always; others while the table takes spectators, or once a player has shared it."""
    if spoils_the_day(game, viewer):
        return False
    if game.shared or game.settings.get("spectators"):
        return True
    if viewer is not None and seat_if_any(game, viewer) is not None:
        return not any(hook(game, viewer) for hook in barred_hooks)
    return is_overseen(game, viewer)


def spoils_the_day(game: Game, viewer: Player | None) -> bool:
    """Would looking at this game show the dice of a day to somebody who may still play them?"""
    if game.daily is None or game.daily.day < timezone.now().date():
        return False
    if seat_if_any(game, viewer) is not None:
        return False
    return viewer is None or not game.daily.games.filter(host=viewer, status=Status.COMPLETED).exists()


def is_overseen(game: Game, viewer: Player | None) -> bool:
    """May this viewer look at other people's game by office, as a teacher at a game played for the class?"""
    return viewer is not None and any(hook(game, viewer) for hook in overseer_hooks)


def on_overseeing(hook: ViewerHook) -> ViewerHook:
    """Register ``hook(game, viewer)``: whether the viewer may see a game without a seat in it."""
    overseer_hooks.append(hook)
    return hook


def on_barring(hook: ViewerHook) -> ViewerHook:
    """Register ``hook(game, viewer)``: whether a table is no longer shown to somebody who sat there."""
    barred_hooks.append(hook)
    return hook


def is_closed(game: Game) -> bool:
    """Is this table for certain people only, as one of a class? Then nobody sits down by its code or link."""
    return any(hook(game) for hook in closed_hooks)


def on_closing(hook: TableHook) -> TableHook:
    """Register ``hook(game)``: whether a table is closed. Whoever closed it seats people and starts it."""
    closed_hooks.append(hook)
    return hook


def is_private(game: Game) -> bool:
    """May this game never be opened to everyone with the link?"""
    return any(hook(game) for hook in private_hooks)


def on_sharing(hook: TableHook) -> TableHook:
    """Register ``hook(game)``: whether a game must not be shared."""
    private_hooks.append(hook)
    return hook


def seat_of(game: Game, player: Player | None) -> Seat:
    """The player's own seat. Whoever has none may not move."""
    seat = seat_if_any(game, player)
    if seat is None:
        refuse("You have no seat in this game.", code="ERR_FORBIDDEN", field="playerId", constraint="seated")
    return seat


def seat_if_any(game: Game, player: Player | None) -> Seat | None:
    """From the seats ``find`` brought along, where it did: who sits down is never forgotten, only added."""
    return next((seat for seat in game.seats.all() if player is not None and seat.player_id == player.pk), None)


def resumable(player: Player | None) -> QuerySet[Game]:
    """Games a player can go on with, on any device, newest first."""
    if player is None:
        return Game.objects.none()
    mine = Game.objects.filter(seats__player=player, status__in=(Status.WAITING, Status.ACTIVE))
    return mine.order_by("-created_at").distinct()


def finished(player: Player | None) -> QuerySet[Game]:
    """Games a player has completed, newest first."""
    if player is None:
        return Game.objects.none()
    return Game.objects.filter(seats__player=player, status=Status.COMPLETED).order_by("-finished_at").distinct()


def share(game: Game, player: Player) -> Game:
    """Open a finished game to everyone who has the link."""
    seat_of(game, player)
    if is_private(game):
        refuse(
            "Your class keeps its games to itself.",
            code="ERR_FORBIDDEN",
            field="gameId",
            constraint="a game that may be shared",
        )
    if not game.is_over:
        refuse(
            "Only a finished game can be shared.",
            code="ERR_INVALID_TURN",
            field="status",
            constraint="over",
            expected="completed",
            actual=game.status,
        )
    Game.objects.filter(pk=game.pk).update(shared=True)
    game.shared = True
    return game

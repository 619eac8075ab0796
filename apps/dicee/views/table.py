"""A table and the moves at it. A view reads the request, calls one service and shows the table again."""

from __future__ import annotations

import json
import uuid
from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from apps.accounts.http import Request, is_live
from apps.accounts.models import Player
from apps.accounts.services import player_for
from apps.core.limits import limited
from apps.dicee import services
from apps.dicee.forms import Move
from apps.dicee.models import Game
from apps.dicee.services import page as pages

MISSING = {"ERR_GAME_NOT_FOUND": Http404, "ERR_FORBIDDEN": PermissionDenied}
SWITCHES = ("stats", "always", "predict", "win", "auto")


def to_table(game: Game) -> HttpResponse:
    return redirect("dicee:table", game.pk)


def find_game(request: Request, game_id: uuid.UUID) -> Game:
    try:
        return services.find(game_id, request.player)
    except services.Refused as refused:
        raise MISSING[refused.code] from refused


def _show(request: Request, game: Game, status: int = 200) -> HttpResponse:
    """The whole page, or the table alone when a script asks for it."""
    context = {
        "page": pages.table_page(game, request.player),
        "profiles": pages.PROFILES,
        "key": uuid.uuid4(),
        "invite": request.build_absolute_uri(reverse("dicee:invite", args=[game.code])),
    }
    template = "dicee/_table.html" if is_live(request) else "dicee/table.html"
    return render(request, template, context, status=status)


def move(act: Callable[[Request, Game, Player], Any]) -> Callable[[Request, uuid.UUID], HttpResponse]:
    """Something done at a table: a POST that shows the table afterwards, refused or not."""

    @require_POST
    @limited("play")
    def view(request: Request, game_id: uuid.UUID) -> HttpResponse:
        game = find_game(request, game_id)
        try:
            act(request, game, player_for(request))
        except services.Refused as refused:
            return _refuse(request, game, refused.message)
        return _show(request, game) if is_live(request) else to_table(game)

    return view


def _refuse(request: Request, game: Game, message: str) -> HttpResponse:
    """Say why, and show the table as it really is."""
    game.refresh_from_db()
    if not is_live(request):
        messages.error(request, message)
        return to_table(game)
    response = _show(request, game, status=422)
    response["HX-Trigger"] = json.dumps({"toast": {"text": message, "kind": "error"}})
    return response


@never_cache
@require_GET
def table(request: Request, game_id: uuid.UUID) -> HttpResponse:
    return _show(request, find_game(request, game_id))


@move
def start(request: Request, game: Game, player: Player) -> None:
    services.start(game, player)


@move
def roll(request: Request, game: Game, player: Player) -> None:
    kept = request.POST.getlist("keep")
    mask = [str(die) in kept for die in range(1, 6)]
    services.roll(game, player, mask, **Move(request.POST).values())


@move
def score(request: Request, game: Game, player: Player) -> None:
    considered = [box for box in request.POST.get("considered", "").split() if box in pages.BOXES]
    services.score(game, player, request.POST.get("box", ""), considered=considered, **Move(request.POST).values())
    pages.taught(player)


@move
def undo(request: Request, game: Game, player: Player) -> None:
    services.undo(game, player, **Move(request.POST).values())


@require_POST
@limited("play")
def leave(request: Request, game_id: uuid.UUID) -> HttpResponse:
    try:
        services.abandon(find_game(request, game_id), player_for(request))
    except services.Refused as refused:
        messages.error(request, refused.message)
    else:
        messages.success(request, "You have left the game.")
    return redirect("dicee:lobby")


@require_POST
@limited("play")
def look(request: Request) -> HttpResponse:
    """How this player wants tables shown. A form that shows its switches also says which are off."""
    values: dict[str, Any] = {name: request.POST[name] for name in ("profile", "horizon") if name in request.POST}
    if request.POST.get("shown"):
        values |= {name: name in request.POST for name in SWITCHES}
    pages.keep_look(player_for(request), values)
    return HttpResponse(status=204) if is_live(request) else redirect(_way_back(request))


def _way_back(request: Request) -> str:
    target = request.POST.get("next", "")
    return target if target.startswith("/dicee/") else reverse("dicee:lobby")

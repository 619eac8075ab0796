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
from apps.dicee import link_cards, services
from apps.dicee.forms import LONGEST_NAME, OPPONENTS, Move
from apps.dicee.models import Game
from apps.dicee.services import page as pages

MISSING = {"ERR_GAME_NOT_FOUND": Http404, "ERR_FORBIDDEN": PermissionDenied}
SWITCHES = ("stats", "always", "decide", "predict", "ask_zero", "win", "reactions", "auto", "tutored")


def to_table(game: Game) -> HttpResponse:
    return redirect("dicee:table", game.pk)


def find_game(request: Request, game_id: uuid.UUID) -> Game:
    try:
        return services.find(game_id, request.player)
    except services.Refused as refused:
        raise MISSING[refused.code] from refused


def show(request: Request, game: Game, status: int = 200, hint: pages.Hint | None = None) -> HttpResponse:
    """The whole page, or the table alone when a script asks for it."""
    page = pages.table_page(game, request.player)
    pages.note_page(page)
    context: dict[str, Any] = {
        "page": page,
        "bars": pages.win_bars(page.table) if page.shows_win_chances else (),
        "profiles": pages.PROFILES,
        "hint": hint,
        "key": uuid.uuid4(),
        "bots": OPPONENTS[:-1],
        "reactions": services.REACTIONS,
        "longest_name": LONGEST_NAME,
        "invite": request.build_absolute_uri(reverse("dicee:invite", args=[game.code])),
    }
    if is_live(request):
        return render(request, "dicee/components/game.html", context, status=status)
    context |= {"phrases": pages.PHRASES, "rules": pages.BOX_RULES, "card_link": link_cards.link(request, game)}
    return render(request, "dicee/table.html", context, status=status)


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
        game.refresh_from_db(fields=["status", "started_at", "finished_at", "deadline"])
        if game.is_over:
            game.refresh_from_db(fields=["seats"])  # with their final scores
        return show(request, game) if is_live(request) else to_table(game)

    return view


def _refuse(request: Request, game: Game, message: str) -> HttpResponse:
    """Say why, and show the table as it really is."""
    game.refresh_from_db()
    if not is_live(request):
        messages.error(request, message)
        return to_table(game)
    response = show(request, game, status=422)
    response["HX-Trigger"] = json.dumps({"toast": {"text": message, "kind": "error"}})
    return response


@never_cache
@require_GET
def table(request: Request, game_id: uuid.UUID) -> HttpResponse:
    return show(request, find_game(request, game_id))


@move
def start(request: Request, game: Game, player: Player) -> None:
    services.start(game, player)


@move
def roll(request: Request, game: Game, player: Player) -> None:
    kept = request.POST.getlist("keep")
    mask = [str(die) in kept for die in range(1, 6)]
    screen = pages.screen_of(game, player, request.POST.dict())
    services.roll(game, player, mask, screen=screen, **Move(request.POST).values())


@move
def score(request: Request, game: Game, player: Player) -> None:
    considered = [box for box in request.POST.get("considered", "").split() if box in pages.BOXES]
    backtracks = request.POST.get("backtracks", "")
    services.score(
        game,
        player,
        request.POST.get("box", ""),
        considered=considered,
        backtracks=int(backtracks) if backtracks.isdecimal() and len(backtracks) < 4 else 0,
        screen=pages.screen_of(game, player, request.POST.dict()),
        **Move(request.POST).values(),
    )
    pages.taught(player)


@require_POST
@limited("play")
def add_bot(request: Request, game_id: uuid.UUID) -> HttpResponse:
    game = find_game(request, game_id)
    try:
        services.add_bot(game, player_for(request), request.POST.get("bot", ""))
    except services.Refused as refused:
        return _refuse(request, game, refused.message)
    return show(request, find_game(request, game_id)) if is_live(request) else to_table(game)


@require_POST
@limited("play")
def react(request: Request, game_id: uuid.UUID) -> HttpResponse:
    """A word across the table; everyone there hears it, the sender too."""
    game = find_game(request, game_id)
    try:
        services.react(game, player_for(request), request.POST.get("reaction", ""))
    except services.Refused as refused:
        return _refuse(request, game, refused.message)
    return HttpResponse(status=204) if is_live(request) else to_table(game)


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
    """How this player wants tables shown. A form names the switches it offers: those not sent with it are off."""
    values: dict[str, Any] = {name: request.POST[name] for name in ("profile", "horizon") if name in request.POST}
    offered = set(SWITCHES) & set(request.POST.getlist("offered"))
    values |= {name: name in request.POST for name in offered}
    player = player_for(request)
    pages.keep_look(player, values)
    pages.note_look(player)
    return HttpResponse(status=204) if is_live(request) else redirect(_way_back(request))


def _way_back(request: Request) -> str:
    target = request.POST.get("next", "")
    return target if target.startswith("/dicee/") else reverse("dicee:lobby")

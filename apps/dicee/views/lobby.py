"""The lobby: open a table, join one, come back to one."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from apps.accounts.http import Request
from apps.accounts.services import player_for
from apps.core.limits import limited
from apps.dicee import services
from apps.dicee.forms import OPPONENTS, NewTable
from apps.dicee.models import Game
from apps.dicee.services import page as pages
from apps.dicee.views.table import to_table


@never_cache
@require_GET
def lobby(request: Request) -> HttpResponse:
    player = request.player
    context = {
        "form": NewTable(initial={"against": "solo"}),
        "opponents": OPPONENTS,
        "running": services.resumable(player).prefetch_related("seats")[:6],
        "finished": services.finished(player).prefetch_related("seats")[:6],
        "suggestion": pages.suggestion(player),
    }
    return render(request, "dicee/lobby.html", context)


@require_POST
@limited("play")
def new(request: Request) -> HttpResponse:
    form = NewTable(request.POST)
    if not form.is_valid():
        return render(request, "dicee/lobby.html", {"form": form, "opponents": OPPONENTS}, status=422)
    mode, bots = form.party()
    player = player_for(request)
    pages.adjust(player)
    return to_table(services.create(player, mode, form.table_settings(), bots))


@require_POST
@limited("play")
def learn(request: Request) -> HttpResponse:
    """A game that explains itself in its first turn."""
    return to_table(services.create(player_for(request), "tutorial", {"allowUndo": True}))


@require_POST
@limited("play")
def join(request: Request) -> HttpResponse:
    try:
        return to_table(services.join(request.POST.get("code", ""), player_for(request)))
    except services.Refused as refused:
        messages.error(request, refused.message)
        return redirect("dicee:lobby")


@require_GET
def invite(request: Request, code: str) -> HttpResponse:
    """The link that is passed on. Looking takes no seat; the button does."""
    game = Game.objects.filter(code=code.upper()).prefetch_related("seats").first()
    if game is None:
        raise Http404
    if services.seat_if_any(game, request.player):
        return to_table(game)
    if services.is_closed(game):
        raise Http404
    return render(request, "dicee/invite.html", {"game": game})

"""The lobby: open a table, join one, come back to one."""

from __future__ import annotations

import datetime
import uuid
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from apps.accounts.http import Request
from apps.accounts.models import Player
from apps.accounts.services import player_for, rename
from apps.core.cards import card_response
from apps.core.limits import limited
from apps.dicee import link_cards, services
from apps.dicee.forms import LONGEST_NAME, OPPONENTS, NewTable
from apps.dicee.models import Game
from apps.dicee.services import daily, rated, review
from apps.dicee.services import page as pages
from apps.dicee.views.table import find_game, to_table


@never_cache
@require_GET
def lobby(request: Request) -> HttpResponse:
    return render(request, "dicee/lobby.html", _lobby(request, NewTable()))


def _lobby(request: Request, form: NewTable) -> dict[str, Any]:
    player = request.player
    return {
        "form": form,
        "opponents": [(*each, each[0] in (form["against"].value() or ())) for each in OPPONENTS],
        "daily": daily.daily_view(player),
        "running": services.resumable(player).prefetch_related("seats")[:6],
        "finished": services.finished(player).prefetch_related("seats")[:6],
        "suggestion": pages.suggestion(player),
        "offers_rated": rated.is_offered(player),
    }


@require_GET
def rules(request: Request) -> HttpResponse:
    """The rules of the game: a turn, every box with an example, the bonuses, the variants."""
    return render(request, "dicee/rules.html", {"rules": pages.BOX_RULES})


@require_POST
@limited("play")
def new(request: Request) -> HttpResponse:
    form = NewTable(request.POST)
    if not form.is_valid():
        return render(request, "dicee/lobby.html", _lobby(request, form), status=422)
    mode, bots = form.party()
    player = player_for(request)
    pages.adjust(player)
    return to_table(services.create(player, mode, form.table_settings(), bots))


@require_POST
@limited("play")
def again(request: Request, game_id: uuid.UUID) -> HttpResponse:
    """Another game of the same kind, with the same people."""
    try:
        return to_table(services.rematch(find_game(request, game_id), player_for(request)))
    except services.Refused as refused:
        messages.error(request, refused.message)
        return redirect("dicee:table", game_id)


@require_POST
@limited("play")
def play_daily(request: Request) -> HttpResponse:
    """Begin the game of the day, or come back to it."""
    return to_table(daily.play_today(player_for(request)))


@never_cache
@require_GET
def daily_game(request: Request, day: datetime.date | None = None) -> HttpResponse:
    """The game of a day: one's own result, and the best of all who played it."""
    if day is not None and day > daily.today():
        raise Http404
    view = daily.daily_view(request.player, day)
    context: dict[str, Any] = {"daily": view, "is_today": view.day == daily.today()}
    context["card_link"] = request.build_absolute_uri(reverse("dicee:daily-card", args=[view.day]))
    if view.is_finished and view.game is not None:
        link = request.build_absolute_uri(reverse("dicee:daily", args=[view.day]))
        found = review.report(view.game, request.player)
        context["share_text"] = daily.share_text(view, found, link)
    return render(request, "dicee/daily.html", context)


@require_GET
@limited("card")
def daily_card(request: Request, day: datetime.date) -> HttpResponse:
    """The picture for a link to the game of a day."""
    if day > daily.today():
        raise Http404
    return card_response(request, link_cards.of_day(day))


@require_POST
@limited("play")
def learn(request: Request) -> HttpResponse:
    """A game that explains itself in its first turn."""
    return to_table(services.create(player_for(request), "tutorial", {"allowUndo": True}))


@require_POST
@limited("play")
def no_rated(request: Request) -> HttpResponse:
    """The offer of rated games is answered with no."""
    rated.decline(player_for(request))
    return redirect("dicee:lobby")


@require_POST
@limited("play")
def join(request: Request) -> HttpResponse:
    player = player_for(request)
    _take_name(request, player)
    try:
        return to_table(services.join(request.POST.get("code", ""), player))
    except services.Refused as refused:
        messages.error(request, refused.message)
        return redirect("dicee:lobby")


def _take_name(request: Request, player: Player) -> None:
    name = " ".join(request.POST.get("name", "").split())[:LONGEST_NAME]
    if name and name != player.pseudonym:
        rename(player, name)


@require_POST
@limited("play")
def name(request: Request, game_id: uuid.UUID) -> HttpResponse:
    """Another name, at this table and wherever else the player sits."""
    game = find_game(request, game_id)
    _take_name(request, player_for(request))
    return to_table(game)


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
    context = {"game": game, "longest_name": LONGEST_NAME, "card_link": link_cards.link(request, game)}
    return render(request, "dicee/invite.html", context)

"""The pages of play. A view reads the request, calls one service and shows the table again."""

from __future__ import annotations

import contextlib
import json
import uuid
from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from apps.accounts.models import Player
from apps.accounts.services import player_for
from apps.core.calculator import Table as CsvTable
from apps.core.calculator import csv_response
from apps.core.limits import limited
from apps.dicee import services
from apps.dicee.forms import OPPONENTS, Move, NewTable
from apps.dicee.models import Game
from apps.dicee.services import page as pages
from apps.jobs import registry
from apps.jobs import services as jobs

MISSING = {"ERR_GAME_NOT_FOUND": Http404, "ERR_FORBIDDEN": PermissionDenied}
SWITCHES = ("stats", "always", "decide", "predict", "ask_zero", "win", "auto", "tutored")


# -- The lobby ----------------------------------------------------------------------------------------------------


@never_cache
@require_GET
def lobby(request: HttpRequest) -> HttpResponse:
    player = viewer(request)
    context = {
        "form": NewTable(initial={"against": "solo"}),
        "opponents": OPPONENTS,
        "running": services.resumable(player).prefetch_related("seats")[:6],
        "finished": services.finished(player).prefetch_related("seats")[:6],
        "suggestion": pages.suggestion(player),
    }
    return render(request, "dicee/lobby.html", context)


@require_GET
def rules(request: HttpRequest) -> HttpResponse:
    """The rules of the game: a turn, every box with an example, the bonuses, the variants."""
    return render(request, "dicee/rules.html", {"rules": pages.BOX_RULES})


@require_POST
@limited("play")
def new(request: HttpRequest) -> HttpResponse:
    form = NewTable(request.POST)
    if not form.is_valid():
        return render(request, "dicee/lobby.html", {"form": form, "opponents": OPPONENTS}, status=422)
    mode, bots = form.party()
    player = player_for(request)
    pages.adjust(player)
    return _to_table(services.create(player, mode, form.table_settings(), bots))


@require_POST
@limited("play")
def learn(request: HttpRequest) -> HttpResponse:
    """A game that explains itself in its first turn."""
    return _to_table(services.create(player_for(request), "tutorial", {"allowUndo": True}))


@require_POST
@limited("play")
def join(request: HttpRequest) -> HttpResponse:
    try:
        return _to_table(services.join(request.POST.get("code", ""), player_for(request)))
    except services.Refused as refused:
        messages.error(request, refused.message)
        return redirect("dicee:lobby")


@require_GET
def invite(request: HttpRequest, code: str) -> HttpResponse:
    """The link that is passed on. Looking takes no seat; the button does."""
    game = Game.objects.filter(code=code.upper()).prefetch_related("seats").first()
    if game is None:
        raise Http404
    if services.seat_if_any(game, viewer(request)):
        return _to_table(game)
    return render(request, "dicee/invite.html", {"game": game})


# -- A table ------------------------------------------------------------------------------------------------------


def viewer(request: HttpRequest) -> Player | None:
    return request.player  # type: ignore[attr-defined, no-any-return]


def _to_table(game: Game) -> HttpResponse:
    return redirect("dicee:table", game.pk)


def find_game(request: HttpRequest, game_id: uuid.UUID) -> Game:
    try:
        return services.find(game_id, viewer(request))
    except services.Refused as refused:
        raise MISSING[refused.code] from refused


def _show(request: HttpRequest, game: Game, status: int = 200, hint: pages.Hint | None = None) -> HttpResponse:
    """The whole page, or the table alone when a script asks for it."""
    page = pages.table_page(game, viewer(request))
    context: dict[str, Any] = {
        "page": page,
        "bars": pages.win_bars(page.table) if page.shows_win_chances else (),
        "profiles": pages.PROFILES,
        "hint": hint,
        "key": uuid.uuid4(),
        "invite": request.build_absolute_uri(reverse("dicee:invite", args=[game.code])),
    }
    if request.htmx:  # type: ignore[attr-defined]
        return render(request, "dicee/components/game.html", context, status=status)
    context |= {"phrases": pages.PHRASES, "rules": pages.BOX_RULES}
    return render(request, "dicee/table.html", context, status=status)


def move(act: Callable[[HttpRequest, Game, Player], Any]) -> Callable[[HttpRequest, uuid.UUID], HttpResponse]:
    """Something done at a table: a POST that shows the table afterwards, refused or not."""

    @require_POST
    @limited("play")
    def view(request: HttpRequest, game_id: uuid.UUID) -> HttpResponse:
        game = find_game(request, game_id)
        try:
            act(request, game, player_for(request))
        except services.Refused as refused:
            return _refuse(request, game, refused.message)
        game.refresh_from_db(fields=["status", "started_at", "finished_at", "deadline"])
        return _show(request, game) if request.htmx else _to_table(game)  # type: ignore[attr-defined]

    return view


def _refuse(request: HttpRequest, game: Game, message: str) -> HttpResponse:
    """Say why, and show the table as it really is."""
    game.refresh_from_db()
    if not request.htmx:  # type: ignore[attr-defined]
        messages.error(request, message)
        return _to_table(game)
    response = _show(request, game, status=422)
    response["HX-Trigger"] = json.dumps({"toast": {"text": message, "kind": "error"}})
    return response


@never_cache
@require_GET
def table(request: HttpRequest, game_id: uuid.UUID) -> HttpResponse:
    return _show(request, find_game(request, game_id))


@move
def start(request: HttpRequest, game: Game, player: Player) -> None:
    services.start(game, player)


@move
def roll(request: HttpRequest, game: Game, player: Player) -> None:
    kept = request.POST.getlist("keep")
    mask = [str(die) in kept for die in range(1, 6)]
    services.roll(game, player, mask, **Move(request.POST).said())


@move
def score(request: HttpRequest, game: Game, player: Player) -> None:
    considered = [box for box in request.POST.get("considered", "").split() if box in pages.BOXES]
    services.score(game, player, request.POST.get("box", ""), considered=considered, **Move(request.POST).said())
    pages.taught(player)


@move
def undo(request: HttpRequest, game: Game, player: Player) -> None:
    services.undo(game, player, **Move(request.POST).said())


@require_POST
@limited("play")
def leave(request: HttpRequest, game_id: uuid.UUID) -> HttpResponse:
    try:
        services.abandon(find_game(request, game_id), player_for(request))
    except services.Refused as refused:
        messages.error(request, refused.message)
    else:
        messages.success(request, "You have left the game.")
    return redirect("dicee:lobby")


@require_POST
@limited("play")
def look(request: HttpRequest) -> HttpResponse:
    """How this player wants tables shown. A form names the switches it offers: those not sent with it are off."""
    values: dict[str, Any] = {name: request.POST[name] for name in ("profile", "horizon") if name in request.POST}
    offered = set(SWITCHES) & set(request.POST.getlist("offered"))
    values |= {name: name in request.POST for name in offered}
    pages.keep_look(player_for(request), values)
    return HttpResponse(status=204) if request.htmx else redirect(_way_back(request))  # type: ignore[attr-defined]


def _way_back(request: HttpRequest) -> str:
    target = request.POST.get("next", "")
    return target if target.startswith("/dicee/") else reverse("dicee:lobby")


# -- The coach on request -----------------------------------------------------------------------------------------


@require_POST
@limited("play")
def hint(request: HttpRequest, game_id: uuid.UUID) -> HttpResponse:
    game = find_game(request, game_id)
    page = pages.table_page(game, viewer(request))
    if not (page.table.my_turn and page.table.settings.hints):
        raise PermissionDenied("This table gives no hints.")
    given = pages.give_hint(page, player_for(request), request.POST.get("level", ""))
    if not request.htmx:  # type: ignore[attr-defined]
        return _show(request, game, hint=given)
    return render(request, "dicee/components/hint.html", {"page": page, "hint": given})


@require_POST
@limited("play")
def predict(request: HttpRequest, game_id: uuid.UUID) -> HttpResponse:
    page = pages.table_page(find_game(request, game_id), viewer(request))
    guess = pages.judge_guess(page, player_for(request), request.POST.dict())
    if guess is None:
        raise Http404
    return render(request, "dicee/components/guess_result.html", {"guess": guess, "box": guess.row})


@never_cache
@require_GET
def csv(request: HttpRequest, game_id: uuid.UUID) -> HttpResponse:
    page = pages.table_page(find_game(request, game_id), viewer(request))
    header, rows = pages.option_rows(page)
    return csv_response(
        f"dicee-turn{page.turn}-roll{page.table.roll_number}", CsvTable("holds", "Every hold", header, rows)
    )


@never_cache
@require_GET
def breakdown(request: HttpRequest, game_id: uuid.UUID) -> HttpResponse:
    """Where the points of the best choice lie, and those of the dice held now."""
    page = pages.table_page(find_game(request, game_id), viewer(request))
    mask = sum(1 << int(die) - 1 for die in set(request.GET.getlist("keep")) & set("12345"))
    notice, sources = pages.breakdown(page, mask if page.table.rolls_left else pages.STOP)
    return render(request, "dicee/components/breakdown.html", {"notice": notice, "sources": sources})


@require_POST
@limited("job")
def simulate(request: HttpRequest, game_id: uuid.UUID) -> HttpResponse:
    """The position on the table played to the end many times, as a job to watch."""
    page = pages.table_page(find_game(request, game_id), viewer(request))
    if page.numbers is None:
        raise PermissionDenied("There is nothing to simulate here.")
    job = jobs.start(player_for(request), "dicee.simulate", pages.simulation_of(page, request.POST.get("games", "")))
    if not request.htmx:  # type: ignore[attr-defined]
        return redirect(job)
    return render(request, "jobs/_job.html", {"job": job, "kind": registry.find(job.kind)})


@never_cache
@require_GET
def win(request: HttpRequest, game_id: uuid.UUID) -> HttpResponse:
    """The win bar alone, fetched when the server says it has moved."""
    game = find_game(request, game_id)
    if not services.settings_of(game).win_chances:
        raise PermissionDenied("This table shows no chances.")
    seen = services.table(game, viewer(request))
    return render(request, "dicee/components/win_chances.html", {"bars": pages.win_bars(seen)})


@require_POST
@limited("play")
def notes(request: HttpRequest, game_id: uuid.UUID) -> HttpResponse:
    """What the page noticed, in batches: never in the way of a move, so always "thank you"."""
    page = pages.table_page(find_game(request, game_id), viewer(request))
    with contextlib.suppress(services.Refused, ValueError):
        pages.note(page, player_for(request), json.loads(request.body)["events"])
    return HttpResponse(status=204)

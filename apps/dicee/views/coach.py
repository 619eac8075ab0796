"""The coach on request: hints, guesses, figures as a file, simulation, the win bar, and what the page noticed."""

from __future__ import annotations

import contextlib
import json
import uuid

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from apps.accounts.http import Request, is_live
from apps.accounts.services import player_for
from apps.core.calculator import Table as CsvTable
from apps.core.calculator import csv_response
from apps.core.limits import limited
from apps.dicee import services
from apps.dicee.services import page as pages
from apps.dicee.services.record import telemetry
from apps.dicee.views.table import find_game, show
from apps.jobs import registry
from apps.jobs import services as jobs


@require_POST
@limited("play")
def hint(request: Request, game_id: uuid.UUID) -> HttpResponse:
    game = find_game(request, game_id)
    page = pages.table_page(game, request.player)
    if not (page.table.my_turn and page.table.settings.hints):
        raise PermissionDenied("This table gives no hints.")
    given = pages.give_hint(page, player_for(request), request.POST.get("level", ""))
    if not is_live(request):
        return show(request, game, hint=given)
    return render(request, "dicee/components/hint.html", {"page": page, "hint": given})


@require_POST
@limited("play")
def predict(request: Request, game_id: uuid.UUID) -> HttpResponse:
    page = pages.table_page(find_game(request, game_id), request.player)
    guess = pages.judge_guess(page, player_for(request), request.POST.dict())
    if guess is None:
        raise Http404
    return render(request, "dicee/components/guess_result.html", {"guess": guess, "box": guess.row})


@require_POST
@limited("play")
def reveal(request: Request, game_id: uuid.UUID) -> HttpResponse:
    """The page has uncovered its numbers before the decision."""
    pages.note_sight(find_game(request, game_id), player_for(request), services.Screen(values=True))
    return HttpResponse(status=204)


@never_cache
@require_GET
def csv(request: Request, game_id: uuid.UUID) -> HttpResponse:
    page = pages.table_page(find_game(request, game_id), request.player)
    pages.note_sight(page.table.game, request.player, services.Screen(values=page.numbers is not None))
    header, rows = pages.option_rows(page)
    return csv_response(
        f"dicee-turn{page.turn}-roll{page.table.roll_number}", CsvTable("holds", "Every hold", header, rows)
    )


@never_cache
@require_GET
def breakdown(request: Request, game_id: uuid.UUID) -> HttpResponse:
    """Where the points of the best choice lie, and those of the dice held now."""
    page = pages.table_page(find_game(request, game_id), request.player)
    pages.note_sight(page.table.game, request.player, services.Screen(values=page.numbers is not None))
    mask = sum(1 << int(die) - 1 for die in set(request.GET.getlist("keep")) & set("12345"))
    notice, sources = pages.breakdown(page, mask if page.table.rolls_left else pages.STOP)
    return render(request, "dicee/components/breakdown.html", {"notice": notice, "sources": sources})


@require_POST
@limited("job")
def simulate(request: Request, game_id: uuid.UUID) -> HttpResponse:
    """The position on the table played to the end many times, as a job to watch."""
    page = pages.table_page(find_game(request, game_id), request.player)
    if page.numbers is None:
        raise PermissionDenied("There is nothing to simulate here.")
    job = jobs.start(player_for(request), "dicee.simulate", pages.simulation_of(page, request.POST.get("games", "")))
    if not is_live(request):
        return redirect(job)
    return render(request, "jobs/components/job.html", {"job": job, "kind": registry.find(job.kind)})


@never_cache
@require_GET
def win(request: Request, game_id: uuid.UUID) -> HttpResponse:
    """The win bar alone, fetched when the server says it has moved."""
    game = find_game(request, game_id)
    if not services.settings_of(game).win_chances:
        raise PermissionDenied("This table shows no chances.")
    seen = services.table(game, request.player)
    return render(request, "dicee/components/win_chances.html", {"bars": pages.win_bars(seen)})


@require_POST
@limited("play")
def notes(request: Request, game_id: uuid.UUID) -> HttpResponse:
    """What the page noticed, in batches: never in the way of a move, so always "thank you"."""
    game = find_game(request, game_id)
    with contextlib.suppress(services.Refused, ValueError):
        telemetry.queue_notes(game, player_for(request), json.loads(request.body)["events"])
    return HttpResponse(status=204)

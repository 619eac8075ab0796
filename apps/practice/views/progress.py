"""A player's own progress."""

from __future__ import annotations

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from apps.accounts.http import Request
from apps.accounts.services import known_player
from apps.core.calculator import Table, csv_response
from apps.core.limits import limited
from apps.practice import curves
from apps.practice import services as practice
from apps.practice.services import progress as learnt


@never_cache
@require_GET
@limited("compute")
def progress(request: Request) -> HttpResponse:
    """How well, where points go, and what to practise; an invitation to play before the first game."""
    player = known_player(request)
    found = learnt.page(player)
    rated = learnt.rated_profile(player) if player else None
    context = {"profile": found, "waiting": practice.waiting(player), "mine": True, "rated": rated}
    return render(request, "practice/progress.html", context | (curves.pictures(found) if found else {}))


@never_cache
@require_GET
@limited("compute")
def csv(request: Request) -> HttpResponse:
    """The learning curve, one line per game."""
    found = learnt.page(known_player(request))
    if found is None:
        raise Http404
    header, rows = found.curve_rows()
    return csv_response("dicee-progress", Table("curve", "Learning curve", header, rows))

"""Your games: the list, the decisions in them, and starred positions."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from apps.accounts.http import Request
from apps.accounts.services import known_player, player_for
from apps.core.limits import limited
from apps.practice.services import NotReadyError, Refused, stars
from apps.practice.services import games as found

PER_PAGE = 20
EXAMPLE_TEXT = "Dicee 1\nRules: standard\nPlayer: Alice\n1. 55526 555 55533 full_house"


@never_cache
@require_GET
@limited("compute")
def games(request: Request) -> HttpResponse:
    """Finished games, newest first."""
    wanted, context, status = _asked(request)
    rows = found.games(known_player(request), wanted)
    context |= {"lead": found.summary(rows), "part": "games", "example_text": EXAMPLE_TEXT}
    return _page(request, "practice/games.html", rows, context, status)


@never_cache
@require_GET
@limited("compute")
def decisions(request: Request) -> HttpResponse:
    """Decisions that cost something, the costliest first."""
    wanted, context, status = _asked(request)
    player = known_player(request)
    kept = {drill.position for drill in stars.starred(player)}
    context |= {"part": "decisions", "kept": kept}
    return _page(request, "practice/decisions.html", found.decisions(player, wanted), context, status)


@never_cache
@require_GET
@limited("compute")
def starred(request: Request) -> HttpResponse:
    """The player's own collection."""
    return _page(request, "practice/starred.html", stars.starred(known_player(request)), {"part": "starred"}, 200)


@require_POST
@limited("play")
def star(request: Request) -> HttpResponse:
    """Star a position, or take its star away; then back to where it was seen."""
    text, player = request.POST.get("position", ""), player_for(request)
    try:
        if request.POST.get("off"):
            stars.unstar(player, text)
            messages.success(request, "The star is gone.")
        else:
            stars.star(player, text)
            messages.success(request, "Starred: practice will ask you about it.")
    except (Refused, NotReadyError) as error:
        messages.error(request, str(error) or "The solved game is still being computed. Try again in a minute.")
    target = request.POST.get("next", "")
    safe = target.startswith("/") and url_has_allowed_host_and_scheme(target, allowed_hosts=None)
    return redirect(target if safe else reverse("games:starred"))


def _asked(request: Request) -> tuple[found.Filter, dict[str, Any], int]:
    """The filter of an address, what the form shows of it, and the status: a wrong field filters nothing."""
    context: dict[str, Any] = {
        "choices": {
            "variant": found.VARIANTS,
            "opponent": found.OPPONENTS,
            "result": found.RESULTS,
            "concept": found.IDEAS,
        },
        "asked": request.GET.dict(),
    }
    try:
        wanted = found.read_filter(request.GET.dict())
    except Refused as refused:
        return found.Filter(), context | {"filter": found.Filter(), "error": refused.message}, 422
    return wanted, context | {"filter": wanted}, 200


def _page(request: Request, template: str, rows: list[Any], context: dict[str, Any], status: int) -> HttpResponse:
    page = Paginator(rows, PER_PAGE).get_page(request.GET.get("page"))
    return render(request, template, context | {"page": page, "total": len(rows)}, status=status)

"""The analysis board: a position at an address, set by hand or by its text, walked move by move."""

from __future__ import annotations

from typing import Any, cast

from csp.decorators import csp_replace
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.http import require_GET

from apps.accounts.http import Request, is_live
from apps.core.cards import card_response
from apps.core.limits import limited
from apps.dicee import link_cards, services
from apps.dicee.forms import VARIANTS
from apps.dicee.services import analyse

ROLLS_LEFT = (("2", "two"), ("1", "one"), ("0", "none"))


@require_GET
@limited("compute")
def blank(request: Request) -> HttpResponse:
    """The board of an empty card; with a form's fields, the way to the position they set."""
    form = request.GET.dict()
    if not form:
        return _show(request, analyse.board(analyse.read(analyse.EXAMPLE, {})))
    try:
        place = analyse.read(analyse.position_text(form), form)
    except services.Refused as refused:
        return _refuse(request, refused, form)
    return redirect(analyse.address(place.line.start, note=place.note))


@require_GET
@limited("compute")
def position(request: Request, version: str, variant: str, card: str, dice: str, rolls: str) -> HttpResponse:
    """The board of an address; with what fell, the way to the board after it."""
    query = request.GET.dict()
    try:
        place = _read(version, variant, card, dice, rolls, query)
        if "fell" in query or "roll" in query:
            faces = analyse.random_roll(place) if "roll" in query else query["fell"]
            line = analyse.fell(place, faces)
            analyse.read(f"{variant}/{card}/{dice}/{rolls}", {"line": line})
            return redirect(analyse.address(place.line.start, line=line, note=place.note))
        found = analyse.board(place)
    except services.Refused as refused:
        return _refuse(request, refused, {"position": f"{variant}/{card}/{dice}/{rolls}"})
    return _embed(request, found) if query.get("embed") else _show(request, found)


@require_GET
@limited("card")
def card_picture(request: Request, version: str, variant: str, card: str, dice: str, rolls: str) -> HttpResponse:
    """The picture for a link to a position."""
    try:
        found = analyse.board(_read(version, variant, card, dice, rolls, request.GET.dict()))
    except services.Refused as refused:
        raise Http404 from refused
    return card_response(request, link_cards.of_position(found))


def _read(version: str, variant: str, card: str, dice: str, rolls: str, query: dict[str, str]) -> analyse.Place:
    if version != analyse.VERSION:
        raise Http404
    return analyse.read(f"{variant}/{card}/{dice}/{rolls}", query)


def _show(request: Request, found: analyse.Board, status: int = 200, **more: Any) -> HttpResponse:
    context = {
        "board": found,
        "variants": VARIANTS,
        "rolls_left": ROLLS_LEFT,
        "permalink": request.build_absolute_uri(found.here),
        "card_link": request.build_absolute_uri(found.picture_link),
        "embed_code": analyse.embed_code(request.build_absolute_uri(found.here)),
        **more,
    }
    part = is_live(request) and request.htmx.target == "analysis-board"
    page = "dicee/components/analysis_board.html" if part else "dicee/analyse.html"
    return render(request, page, context, status=status)


def _embed(request: Request, found: analyse.Board) -> HttpResponse:
    """The board for a frame on somebody else's page."""

    @xframe_options_exempt
    @csp_replace({"frame-ancestors": ["*"]})
    def framed(request: HttpRequest) -> HttpResponse:
        link = request.build_absolute_uri(found.here)
        return render(request, "dicee/analyse_embed.html", {"board": found, "full_link": link})

    return cast(HttpResponse, framed(request))


def _refuse(request: Request, refused: services.Refused, form: dict[str, str]) -> HttpResponse:
    """The example's board with what is wrong, and what was typed."""
    found = analyse.board(analyse.read(analyse.EXAMPLE, {}))
    return _show(request, found, status=422, problem=refused.message, typed=form)

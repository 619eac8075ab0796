"""The pages after a game: report, replay, quiz, sharing, and the proof of the dice."""

from __future__ import annotations

import uuid
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.http import FileResponse, Http404, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from apps.accounts.http import Request, is_live
from apps.accounts.services import player_for
from apps.core.cards import card_response
from apps.core.limits import limited
from apps.dicee import figures, link_cards, services
from apps.dicee.models import Game, Status
from apps.dicee.services import daily, review
from apps.dicee.services.record import fairness
from apps.dicee.services.record import text as game_text
from apps.dicee.views.table import find_game

SCRIPT = Path(settings.ROOT) / "tools" / "verify_dice.py"


def _whose(request: Request) -> uuid.UUID | None:
    """``?player=``: another seat's report."""
    try:
        return uuid.UUID(request.GET.get("player", ""))
    except ValueError:
        return None


def _number(request: Request, name: str) -> int:
    return _small(request.GET.get(name, ""))


def _small(text: str) -> int:
    """A number below a thousand; 0 for anything else."""
    return int(text) if text.isdecimal() and len(text) < 4 else 0


def _report(request: Request, game: Game) -> review.Report:
    try:
        return review.report(game, request.player, _whose(request))
    except services.Refused as refused:
        raise Http404 from refused


@never_cache
@require_GET
@limited("compute")
def report(request: Request, game_id: uuid.UUID) -> HttpResponse:
    game = find_game(request, game_id)
    if not game.is_over:
        return redirect("dicee:table", game.pk)
    found = _report(request, game)
    address = reverse("dicee:report", args=[game.pk])
    link = request.build_absolute_uri(f"{address}?player={found.seat.player_ref}")
    replay_url = f"{reverse('dicee:replay', args=[game.pk])}?player={found.seat.player_ref}"
    mine = services.seat_if_any(game, request.player)
    people = {
        "seats": game.seats.all(),
        "mine": mine,
        "is_own": found.seat == mine,
        "who": _called(request, found),
        "may_share": not services.is_private(game),
        "is_open": game.shared or services.settings_of(game).spectators,
    }
    shown = {"report": found, "open": _open(game, found), "share_text": review.share_text(found, link)}
    shown["replay_url"] = replay_url
    shown["card_link"] = link_cards.link(request, game, f"?player={found.seat.player_ref}")
    shown["picture_url"] = f"{reverse('dicee:picture', args=[game.pk])}?player={found.seat.player_ref}"
    return render(request, "dicee/report.html", shown | people | figures.pictures(found))


def _called(request: Request, found: review.Report) -> str:
    """What the page calls whoever a report is about."""
    return "You" if found.seat == services.seat_if_any(found.game, request.player) else found.seat.name


def _open(game: Game, found: review.Report) -> review.Explained | None:
    """The decision that is open when the page comes: the costliest."""
    worst = found.worst_slip
    return review.explain(game, found.seat.player_ref, worst.number) if worst else None


@never_cache
@require_GET
@limited("compute")
def replay(request: Request, game_id: uuid.UUID) -> HttpResponse:
    """One decision: what was on the table, what was chosen, what was best. A script asks for the detail alone."""
    game = find_game(request, game_id)
    if not game.is_over:
        return redirect("dicee:table", game.pk)
    found = _report(request, game)
    if not found.decisions:
        raise Http404
    at = min(max(_number(request, "at"), 1), len(found.decisions))
    context = {
        "report": found,
        "open": review.explain(game, found.seat.player_ref, at),
        "at": at,
        "card_link": link_cards.link(request, game, f"?player={found.seat.player_ref}&at={at}"),
        "who": _called(request, found),
    }
    detail = is_live(request) and request.htmx.target == "detail"
    return render(request, "dicee/components/decision.html" if detail else "dicee/replay.html", context)


@never_cache
@require_GET
@limited("compute")
def picture(request: Request, game_id: uuid.UUID) -> HttpResponse:
    """The result of one player as a picture to send around; it shows no die."""
    game = find_game(request, game_id)
    if not game.is_over:
        raise Http404
    found = _report(request, game)
    view = daily.daily_view(found.seat.player, game.daily_id) if game.daily_id else None
    context = {"picture": review.Picture(found, view.standing if view else "")}
    return render(request, "dicee/result.svg", context, content_type="image/svg+xml")


@require_GET
@limited("card")
def card(request: Request, game_id: uuid.UUID) -> HttpResponse:
    """The picture for a link to a table, a report (``?player=``) or a decision (``&at=``), as strangers may see it."""
    try:
        game = services.find(game_id, None, joining=True)
        if game.status != Status.COMPLETED:
            return card_response(request, link_cards.of_table(game))
        found = review.report(game, None, _whose(request))
    except services.Refused as refused:
        raise Http404 from refused
    at = _number(request, "at")
    if not 0 < at <= len(found.decisions):
        return card_response(request, link_cards.of_report(found))
    return card_response(request, link_cards.of_decision(review.explain(game, found.seat.player_ref, at)))


@require_POST
@limited("share")
def share(request: Request, game_id: uuid.UUID) -> HttpResponse:
    try:
        services.share(find_game(request, game_id), player_for(request))
    except services.Refused as refused:
        messages.error(request, refused.message)
    else:
        messages.success(request, "Anyone with the link can open this game now.")
    return redirect("dicee:report", game_id)


# -- Learning from mistakes ---------------------------------------------------------------------------------------


@never_cache
@require_GET
@limited("compute")
def quiz(request: Request, game_id: uuid.UUID | None = None) -> HttpResponse:
    """Positions in which this player once went wrong, from one game or the last few."""
    player = request.player
    game = find_game(request, game_id) if game_id else None
    if player is None or (game and services.seat_if_any(game, player) is None):
        return render(request, "dicee/quiz.html", {"questions": ()})
    questions = review.quiz(player, game)
    here = next((n for n, q in enumerate(questions) if q.key == request.GET.get("q")), 0)
    so_far = {name: _number(request, name) for name in ("asked", "right")}
    return render(request, "dicee/quiz.html", _question(questions, here, game) | so_far)


def _question(questions: tuple[review.QuizQuestion, ...], here: int, game: Game | None) -> dict[str, Any]:
    return {
        "questions": questions,
        "number": here + 1,
        "question": questions[here] if questions else None,
        "next": questions[here + 1] if here + 1 < len(questions) else None,
        "game": game,
    }


@require_POST
@limited("compute")
def answer(request: Request) -> HttpResponse:
    """How good a choice in a quiz is."""
    try:
        asked = review.question(player_for(request), request.POST.get("q", ""))
        number = request.POST.get("choice", "")
        grade = asked.answer(int(number) if number.isdecimal() else -1)
    except services.Refused as refused:
        raise Http404 from refused
    context = {"question": asked, "grade": grade, "chosen": int(number), "next_key": request.POST.get("next", "")}
    asked_before, right_before = (_small(request.POST.get(name, "")) for name in ("asked", "right"))
    context |= {"asked": asked_before + 1, "right": right_before + (not grade.points_lost)}
    game_id = request.POST.get("game", "")
    context["quiz_url"] = reverse("dicee:game-quiz", args=[game_id]) if game_id else reverse("dicee:quiz")
    page = "dicee/components/answer.html" if is_live(request) else "dicee/answer.html"
    return render(request, page, context)


# -- As text ------------------------------------------------------------------------------------------------------


@never_cache
@require_GET
def text(request: Request, game_id: uuid.UUID) -> HttpResponse:
    """A finished game as text, one line a turn."""
    game = find_game(request, game_id)
    if not game.is_over:
        raise Http404
    response = HttpResponse(game_text.text_of(game), content_type="text/plain; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="dicee-{game_id}.txt"'
    return response


@require_POST
@limited("compute")
def read_text(request: Request) -> HttpResponse:
    """A game from its text, on the analysis board; of several players the first."""
    try:
        players = game_text.read(request.POST.get("text", ""))
    except services.Refused as refused:
        messages.error(request, refused.message)
        return redirect("games:list")
    return redirect(players[0].link)


# -- Proof of the dice --------------------------------------------------------------------------------------------


@never_cache
@require_GET
def verify(request: Request, game_id: uuid.UUID) -> HttpResponse:
    game = find_game(request, game_id)
    context = {
        "game": game,
        "proof": fairness.verification(game),
        "checked": fairness.verify(game),
        "names": {str(seat.player_ref): seat.name for seat in game.seats.all()},
        "script": SCRIPT.read_text(),
    }
    return render(request, "dicee/verify.html", context)


@never_cache
@require_GET
def verify_json(request: Request, game_id: uuid.UUID) -> HttpResponse:
    response = JsonResponse(fairness.verification(find_game(request, game_id)), json_dumps_params={"indent": 1})
    response["Content-Disposition"] = f'attachment; filename="dicee-{game_id}.json"'
    return response


@require_GET
def verify_script(request: Request) -> FileResponse:
    return FileResponse(SCRIPT.open("rb"), as_attachment=True, filename=SCRIPT.name, content_type="text/x-python")

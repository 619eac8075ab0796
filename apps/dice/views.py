"""What the dice page does besides answering: roll with proofs, verify a log, start a job, draw, embed, explain."""

from __future__ import annotations

from typing import Any

from csp.decorators import csp_replace
from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.safestring import mark_safe
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.http import require_GET, require_POST

from apps.accounts.http import Request
from apps.accounts.services import player_for
from apps.core.limits import limited
from apps.core.services import dice_log
from apps.dice import services
from apps.dice.calculator import DICE
from apps.dice.forms import NOTATIONS
from apps.dice.language import sections
from apps.dice.services import rolling
from apps.jobs import services as jobs

PANELS = {"rolled": "dice/components/rolled.html", "verified": "components/verified_dice.html"}


@require_POST
@limited("page")
def roll(request: Request) -> HttpResponse:
    """The program once, every die with its proof."""
    program, notation = _asked(request)
    context: dict[str, Any] = {"program": program}
    try:
        context["rolled"] = rolling.roll(program, notation)
    except ValidationError as error:
        context["error"] = " ".join(error.messages)
    return _part(request, "rolled", "Roll it", context)


@require_POST
@limited("page")
def verify(request: Request) -> HttpResponse:
    """Recompute every die of a log."""
    context: dict[str, Any] = {"log": request.POST.get("log", "")}
    try:
        context["verified"] = dice_log.verify(context["log"])
    except ValidationError as error:
        context["error"] = " ".join(error.messages)
    return _part(request, "verified", "Verify dice", context)


@require_POST
@limited("job")
def compute(request: Request) -> HttpResponse:
    """Queue a program that takes longer than a page may."""
    program, notation = _asked(request)
    try:
        document = services.job_document(program, notation)
    except ValidationError as error:
        return _part(request, "rolled", "Compute it", {"program": program, "error": " ".join(error.messages)})
    return redirect(jobs.start(player_for(request), "dice.answer", document))


@require_GET
@limited("page")
def drawing(request: Request) -> HttpResponse:
    """The chart of an address as an SVG file."""
    answers = [side.answer for side in DICE.read(request.GET) if side.answer is not None]
    drawn = services.drawing(answers)
    if not drawn:
        raise Http404
    return HttpResponse(drawn, content_type="image/svg+xml")


@require_GET
@xframe_options_exempt
@csp_replace({"frame-ancestors": ["*"]})
@limited("page")
def embed(request: HttpRequest) -> HttpResponse:
    """The answer of an address for a frame on somebody else's page."""
    sides = DICE.read(request.GET)
    answers = [side.answer for side in sides if side.answer is not None]
    query = request.GET.urlencode()
    context = {
        "answer": answers[0] if answers else None,
        "drawing": mark_safe(services.drawing(answers, is_titled=False)),
        "problem": " ".join(str(message) for errors in sides[0].form.errors.values() for message in errors),
        "full_link": request.build_absolute_uri(f"{reverse('dice:dice')}?{query}"),
    }
    return render(request, "dice/embed.html", context, status=200 if answers else 422)


@require_GET
def language(request: Request) -> HttpResponse:
    """Everything that can be written."""
    return render(request, "dice/language.html", {"sections": sections()})


def _asked(request: Request) -> tuple[str, str]:
    notation = request.POST.get("notation", "auto")
    known = {value for value, _ in NOTATIONS}
    return request.POST.get("program", "").replace("\r\n", "\n"), notation if notation in known else "auto"


def _part(request: Request, part: str, title: str, context: dict[str, Any]) -> HttpResponse:
    """A panel for htmx, or a page of its own where there is no script."""
    live = bool(request.headers.get("HX-Request"))
    context |= {"title": title, "panel": PANELS[part]}
    status = 422 if "error" in context and not live else 200
    return render(request, context["panel"] if live else "dice/alone.html", context, status=status)

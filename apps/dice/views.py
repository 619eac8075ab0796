"""What the dice page does besides answering: roll with proofs, verify a log, start a long answer as a job."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import ValidationError
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST

from apps.accounts.http import Request
from apps.accounts.services import player_for
from apps.core.limits import limited
from apps.dice import services
from apps.dice.forms import NOTATIONS
from apps.dice.services import rolling
from apps.jobs import services as jobs


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
        context["verified"] = rolling.verify(context["log"])
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


def _asked(request: Request) -> tuple[str, str]:
    notation = request.POST.get("notation", "auto")
    known = {value for value, _ in NOTATIONS}
    return request.POST.get("program", "").replace("\r\n", "\n"), notation if notation in known else "auto"


def _part(request: Request, part: str, title: str, context: dict[str, Any]) -> HttpResponse:
    """A panel for htmx, or a page of its own where there is no script."""
    live = bool(request.headers.get("HX-Request"))
    context |= {"title": title, "panel": f"dice/_{part}.html"}
    status = 422 if "error" in context and not live else 200
    return render(request, context["panel"] if live else "dice/beside.html", context, status=status)

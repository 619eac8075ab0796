"""The built-in lessons: an overview, and a page each that works by its address alone."""

from __future__ import annotations

import json

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from apps.core.limits import limited
from apps.lessons import services as lessons

#: What htmx may replace in a step, by the end of its id: what is shown of the settings, what is said to an answer.
SHOWN, SAID = "-shown", "-said"


@require_GET
@limited("page")
def overview(request: HttpRequest) -> HttpResponse:
    return render(request, "lessons/overview.html", {"cards": lessons.cards()})


@require_GET
@limited("page")
def lesson(request: HttpRequest, slug: str) -> HttpResponse:
    """The whole lesson, or the part of a step that htmx asks for."""
    unit = lessons.find(slug)
    if unit is None:
        raise Http404
    target = request.headers.get("HX-Target", "") if request.headers.get("HX-Request") else ""
    if target.endswith((SHOWN, SAID)):
        response = _part(request, unit, target)
    else:
        page = lessons.open_page(unit, request.GET)
        context = {"page": page, "around": lessons.around(unit)}
        response = render(request, "lessons/lesson.html", context, status=422 if page.errors else 200)
    response["Vary"] = "HX-Request"
    return response


def _part(request: HttpRequest, unit: lessons.Lesson, target: str) -> HttpResponse:
    """One part; or, where its fields are refused, only what to say beside them: the last good picture stays."""
    wanted = target.removesuffix(SHOWN).removesuffix(SAID)
    page = lessons.open_page(unit, request.GET, only=wanted)
    step = next((step for step in page.steps if step.step.slug == wanted), None)
    if step is None:
        raise Http404
    if page.refused(step):
        response = HttpResponse(status=422)
        response["HX-Reswap"] = "none"
        response["HX-Trigger"] = json.dumps({"calculator:errors": page.errors})
        return response
    part = "widget" if target.endswith(SHOWN) else "answer_feedback"
    context = {"page": page, "step": step, "touched": page.touched(step), "recalls": page.recalls(step)}
    response = render(request, f"lessons/components/{part}_swap.html", context)
    response["HX-Replace-Url"] = f"{request.path}?{page.query}" if page.query else request.path
    response["HX-Trigger-After-Settle"] = json.dumps({"calculator:errors": page.errors})
    return response

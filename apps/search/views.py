"""The search page, and the page for an address that is not there."""

from __future__ import annotations

from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from apps.accounts.http import Request, is_live
from apps.core import errors
from apps.core.limits import limited
from apps.search import services
from apps.search.services.finding import MOST_CHARACTERS
from apps.search.services.sources import saved_by


@require_GET
@never_cache
@limited("page")
def search(request: Request) -> HttpResponse:
    """What a question finds: the whole page, or the results alone while one types."""
    question = " ".join(request.GET.get("q", "")[:MOST_CHARACTERS].split())
    found = services.find(question, saved_by(request.player) if question else ())
    context = {"question": question, "found": found, "most": MOST_CHARACTERS}
    live = is_live(request)
    response = render(request, "search/results.html" if live else "search/page.html", context)
    if live:
        response["HX-Replace-Url"] = f"{request.path}?{urlencode({'q': question})}" if question else request.path
    response["Vary"] = "HX-Request"
    return response


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """404, for people with what they may have meant."""
    links = [] if errors.wants_json(request) else services.suggestions(request.path)
    return errors.problem(request, 404, errors.CODES[404], suggestions=links)

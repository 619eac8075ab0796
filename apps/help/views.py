"""The help: its contents, and a page each."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from apps.core.limits import limited
from apps.help import pages


@require_GET
@limited("page")
def contents(request: HttpRequest) -> HttpResponse:
    return render(request, "help/contents.html", {"groups": pages.contents()})


@require_GET
@limited("page")
def page(request: HttpRequest, slug: str) -> HttpResponse:
    found = pages.page(slug)
    if found is None:
        raise Http404
    return render(request, "help/page.html", {"page": found, "groups": pages.contents()})

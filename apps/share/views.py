"""Make a short link; open one."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_POST, require_safe

from apps.accounts.http import Request, is_live
from apps.core.limits import limited
from apps.share import services
from apps.share.models import Snapshot


@require_POST
@limited("share")
def create(request: Request) -> HttpResponse:
    path = request.POST.get("path", "")
    template = "share/components/link.html" if is_live(request) else "share/link.html"
    try:
        snapshot = services.shorten(
            services.tool_of(path), path, request.POST.get("title", ""), request.POST.get("description", "")
        )
    except services.NotShareableError as error:
        return render(request, template, {"error": str(error)}, status=422)
    url = request.build_absolute_uri(snapshot.get_absolute_url())
    return render(request, template, {"snapshot": snapshot, "url": url}, status=201)


@require_safe
@cache_control(public=True, max_age=86400)
def open_link(request: Request, key: str) -> HttpResponse:
    """A page that moves on at once. Not a 302: those who draw previews read its title, and never reach the tool."""
    snapshot = get_object_or_404(Snapshot, key=key)
    context = {"snapshot": snapshot, "url": request.build_absolute_uri(snapshot.permalink)}
    return render(request, "share/open.html", context)

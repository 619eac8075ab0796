"""Pages that belong to no game: home, settings, the keyboard list, the style guide."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_GET, require_http_methods

from apps.core.context import COOKIE, COOKIE_AGE, preferences
from apps.core.services import loops
from apps.core.services.doors import TRAY_DICE, TRAY_ODDS, doors
from apps.core.services.specimens import specimens


@require_GET
def home(request: HttpRequest) -> HttpResponse:
    """The way in. In a site's first minute a note says that it is warming up, and asks again until that is done."""
    shown: dict[str, Any] = {"is_warm": loops.is_compiled()}
    if request.headers.get("HX-Target") == "warm-up":
        response = render(request, "core/components/warm_up_note.html", shown)
    else:
        shown |= {"doors": doors(), "tray_dice": TRAY_DICE, "tray_odds": TRAY_ODDS}
        response = render(request, "core/home.html", shown)
    response["Vary"] = "HX-Target"
    return response


@require_http_methods(["GET", "HEAD", "POST"])
def settings(request: HttpRequest) -> HttpResponse:
    """Preferences without a script: the same form as the drawer, kept in the same cookie."""
    if request.method != "POST":
        return render(request, "core/settings.html")
    chosen = preferences(request).chosen(request.POST.dict())
    response = HttpResponseRedirect(_way_back(request))
    response.set_cookie(COOKIE, chosen.cookie(), max_age=COOKIE_AGE, samesite="Lax", secure=request.is_secure())
    return response


def _way_back(request: HttpRequest) -> str:
    target = request.POST.get("next", "")
    here = url_has_allowed_host_and_scheme(target, {request.get_host()}, require_https=request.is_secure())
    return target if here else reverse("core:settings")


@require_GET
def keyboard(request: HttpRequest) -> HttpResponse:
    return render(request, "core/keyboard.html")


@require_GET
def styleguide(request: HttpRequest) -> HttpResponse:
    return render(request, "core/styleguide.html", specimens())

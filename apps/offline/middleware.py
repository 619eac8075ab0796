"""Two headers for the service worker: whose page this is, and whether it may be kept."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

from apps.offline.pages import is_kept, person

Handler = Callable[[HttpRequest], HttpResponse]


def offline(get_response: Handler) -> Handler:
    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        if request.method == "GET" and response.get("Content-Type", "").startswith("text/html"):
            response["X-Person"] = person(request)
            if response.status_code == 200 and is_kept(request.resolver_match) and "HX-Request" not in request.headers:
                response["X-Offline"] = "keep"
        return response

    return middleware

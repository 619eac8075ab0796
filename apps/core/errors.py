"""One shape for every error: JSON for programs, a page with an id for people."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

from django.core.exceptions import DisallowedHost, PermissionDenied
from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from redis.exceptions import RedisError

#: What a person reads, by status. The JSON form carries its own message.
PAGES = {
    400: ("That request made no sense", "Something in the address or the form could not be read."),
    403: ("That is not yours to open", "It belongs to another player, or you have been signed out."),
    404: ("There is nothing here", "The link may be mistyped, or what it pointed to has expired."),
    409: ("Someone was faster", "The state changed while you were deciding. Reload and try again."),
    413: ("That is too much at once", "The request is larger than we accept."),
    429: ("Slow down a moment", "Too many requests in a short time. Wait a little and try again."),
    500: ("That was our mistake", "The error has been written down. Nothing you saved is lost."),
    503: ("One moment, please", "A part of the site does not answer. What you saved is safe: try again in a moment."),
}
CODES = {
    400: "ERR_BAD_REQUEST", 401: "ERR_UNAUTHENTICATED", 403: "ERR_FORBIDDEN", 404: "ERR_NOT_FOUND",
    405: "ERR_METHOD_NOT_ALLOWED", 406: "ERR_NOT_ACCEPTABLE", 409: "ERR_CONFLICT", 413: "ERR_BODY_TOO_LARGE",
    415: "ERR_UNSUPPORTED_MEDIA_TYPE", 422: "ERR_INVALID_INPUT", 429: "ERR_RATE_LIMITED", 500: "ERR_INTERNAL",
    503: "ERR_UNAVAILABLE",
}  # fmt: skip


def error_body(code: str, message: str, request_id: str = "-", **details: Any) -> dict[str, Any]:
    """``{"error": {"code", "message", "details", "requestId"}}``: the same object the engine's front door returns."""
    return {"error": {"code": code, "message": message, "details": details, "requestId": request_id}}


def wants_json(request: HttpRequest) -> bool:
    return request.path.startswith(("/api/", "/health/")) or request.headers.get("Accept", "").startswith(
        "application/json"
    )


def problem(
    request: HttpRequest, status: int, code: str, message: str = "", suggestions: Sequence[Any] = (), **details: Any
) -> HttpResponse:
    """Answer with an error as JSON or as a page, whichever was asked for.

    ``suggestions`` are links (``title``, ``note``, ``url``) that a person may want to follow instead.
    """
    title, text = PAGES.get(status, PAGES[400])
    request_id = getattr(request, "id", "-")
    if wants_json(request):
        return JsonResponse(error_body(code, message or text, request_id, **details), status=status)
    context = {"status": status, "title": title, "text": message or text, "code": code, "error_id": request_id}
    context["suggestions"] = suggestions
    return render(request, "core/error.html", context, status=status)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    message = ""
    if isinstance(exception, DisallowedHost):
        message = "This is not one of the site's names. Whoever runs it can add the name to ALLOWED_HOSTS."
    return problem(request, 400, CODES[400], message)


def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    return problem(request, 403, CODES[403], str(exception) if isinstance(exception, PermissionDenied) else "")


#: Not a mistake of ours: a database or a Valkey that is away, and comes back.
OUTAGES = (OperationalError, InterfaceError, RedisError)
RETRY_SECONDS = 5


def server_error(request: HttpRequest) -> HttpResponse:
    """Django calls this while it handles the exception."""
    if not isinstance(sys.exc_info()[1], OUTAGES):
        return problem(request, 500, CODES[500])
    response = problem(request, 503, CODES[503], retryAfter=RETRY_SECONDS)
    response["Retry-After"] = str(RETRY_SECONDS)
    return response

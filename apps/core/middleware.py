"""Per-request plumbing: an id on every request, one measurement, one size limit."""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from apps.core import metrics
from apps.core.errors import problem
from apps.core.logs import current_request_id

Handler = Callable[[HttpRequest], HttpResponse]


def request_id(get_response: Handler) -> Handler:
    def middleware(request: HttpRequest) -> HttpResponse:
        number = str(uuid.uuid4())
        request.id = number  # type: ignore[attr-defined]
        token = current_request_id.set(number)
        try:
            response = get_response(request)
        finally:
            current_request_id.reset(token)
        response["X-Request-ID"] = number
        return response

    return middleware


def measured(get_response: Handler) -> Handler:
    """Count and time each request by route, not by address, so the number of series stays small."""

    def middleware(request: HttpRequest) -> HttpResponse:
        start = time.perf_counter()
        response = get_response(request)
        elapsed = time.perf_counter() - start
        match = request.resolver_match
        metrics.observe(request.method or "-", match.route if match else "unmatched", response.status_code, elapsed)
        response["Server-Timing"] = f"app;dur={elapsed * 1000:.1f}"
        return response

    return middleware


def body_limit(get_response: Handler) -> Handler:
    """Refuse a body before reading it."""

    def middleware(request: HttpRequest) -> HttpResponse:
        length = request.META.get("CONTENT_LENGTH") or "0"
        most = settings.LARGER_BODIES.get(request.path, settings.DATA_UPLOAD_MAX_MEMORY_SIZE)
        if not length.isdigit() or int(length) > most:
            return problem(
                request,
                413,
                "ERR_BODY_TOO_LARGE",
                f"The request is larger than {most:,} bytes.",
            )
        return get_response(request)

    return middleware

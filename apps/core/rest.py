"""What every REST view shares: the one error shape and the rate limits. Named in settings."""

from __future__ import annotations

from typing import Any

from django.http import Http404
from rest_framework import exceptions
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.throttling import BaseThrottle

from apps.core.errors import CODES, PAGES, error_body
from apps.core.limits import caller, spend


class EndpointThrottle(BaseThrottle):
    """The same limits for REST views, by their ``limit`` attribute (default: ``compute``)."""

    _wait = 0

    def allow_request(self, request: Request, view: object) -> bool:
        self._wait = spend(getattr(view, "limit", "compute"), caller(request._request))
        return not self._wait

    def wait(self) -> float | None:
        return self._wait or None


def api_exception(exception: Exception, context: dict[str, Any]) -> Response | None:
    """Give errors raised inside REST views the one shape. Anything unforeseen stays a logged 500."""
    from rest_framework.views import exception_handler  # views read the settings that name this function

    response = exception_handler(exception, context)
    if response is None:
        return None
    request_id = getattr(context["request"], "id", "-")
    code = CODES.get(response.status_code, "ERR_BAD_REQUEST")
    details: dict[str, Any] = {}
    message = str(exception)
    if isinstance(exception, exceptions.ParseError):
        code = "ERR_INVALID_JSON"
    elif isinstance(exception, exceptions.ValidationError):
        field, reasons = next(iter(exception.detail.items())) if isinstance(exception.detail, dict) else ("", "")
        code, message = "ERR_INVALID_INPUT", f"{field}: {reasons[0] if reasons else exception}"
        details = {"field": field}
    elif isinstance(exception, exceptions.Throttled):
        details = {"retryAfter": int(exception.wait or 1)}
    elif isinstance(exception, Http404):
        message = PAGES[404][1]
    response.data = error_body(code, message, request_id, **details)
    return response

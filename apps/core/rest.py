"""What every REST view shares: the one error shape and the rate limits. Named in settings."""

from __future__ import annotations

from typing import Any

from django.http import Http404
from rest_framework import exceptions
from rest_framework.parsers import JSONParser
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.throttling import BaseThrottle

from apps.core.errors import CODES, PAGES, error_body
from apps.core.limits import caller, spend


class DocumentParser(JSONParser):
    """JSON; a document nested beyond reading is refused like any other that cannot be read."""

    def parse(self, stream: Any, media_type: Any = None, parser_context: Any = None) -> Any:
        try:
            return super().parse(stream, media_type, parser_context)
        except RecursionError:
            raise exceptions.ParseError("JSON parse error - nested too deeply") from None


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
    code, message, details = _described(exception, response)
    response.data = error_body(code, message, getattr(context["request"], "id", "-"), **details)
    return response


def _described(exception: Exception, response: Response) -> tuple[str, str, dict[str, Any]]:
    code = CODES.get(response.status_code, "ERR_BAD_REQUEST")
    if isinstance(exception, exceptions.ParseError):
        return "ERR_INVALID_JSON", str(exception), {}
    if isinstance(exception, exceptions.ValidationError) and isinstance(response.data, dict):
        field, reasons = next(iter(response.data.items()))
        return "ERR_INVALID_INPUT", f"{field}: {reasons[0]}", {"field": field}
    if isinstance(exception, exceptions.Throttled):
        return code, str(exception), {"retryAfter": int(response["Retry-After"])}
    if isinstance(exception, Http404):
        return code, PAGES[404][1], {}
    return code, str(exception), {}

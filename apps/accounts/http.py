"""The request as the middleware leaves it, typed: who is playing, and whether a script is asking."""

from __future__ import annotations

from typing import cast

from django.http import HttpRequest
from django_htmx.middleware import HtmxDetails
from rest_framework.request import Request as ApiRequest

from apps.accounts.models import Player


class Request(HttpRequest):
    """What every view of this site is given."""

    player: Player | None  # None for a visitor who has done nothing yet
    htmx: HtmxDetails


def page_request(request: ApiRequest) -> Request:
    """The request inside a REST request."""
    return cast(Request, request._request)


def is_live(request: Request) -> bool:
    """Does a script ask for part of a page? A followed link, boosted or not, wants all of it."""
    return bool(request.htmx) and not request.htmx.boosted

"""Rate limits on the shared cache, so several web workers count together (RFC-001 §10.3).

A fixed window per caller and scope: one atomic increment per request. Limits are a table; a scope missing from it is a
programming error, not an unlimited endpoint.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Concatenate, ParamSpec, TypeVar

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from apps.core import metrics
from apps.core.cache import ask, client
from apps.core.errors import problem

P = ParamSpec("P")
R = TypeVar("R", bound=HttpRequest)


@dataclass(frozen=True, slots=True)
class Limit:
    requests: int
    seconds: int


#: Requests per window and caller. Sources: RFC-001 §10.3 for statistics and simulations; the rest is our own.
LIMITS = {
    "page": Limit(600, 60),
    "compute": Limit(300, 60),
    "statistics": Limit(100, 60),
    "simulate": Limit(10, 60),
    "play": Limit(240, 60),
    "job": Limit(30, 60),
    "share": Limit(60, 60),
    "card": Limit(60, 60),  # pictures for links
    "sign-in": Limit(10, 300),
    "sign-in-from": Limit(200, 300),  # one address may be a whole class behind one router
    "sign-up": Limit(10, 3600),
    "class-code": Limit(400, 300),  # looking for a class by its code, per address
    "return-key": Limit(60, 300),  # trying return keys of one class, wherever from
    "return-key-from": Limit(100, 300),
}


#: Windows a process counts by itself while Valkey is away.
MOST_ALONE = 10_000


def caller(request: HttpRequest) -> str:
    """Who counts as one caller: the session where there is one, else the network address."""
    session = getattr(request, "session", None)
    if session is not None and session.session_key:
        return f"s:{session.session_key}"
    return f"a:{address(request)}"


def address(request: HttpRequest) -> str:
    """The caller's network address; the proxy's word is taken only when we are told there is one."""
    if settings.BEHIND_PROXY and (forwarded := request.headers.get("X-Forwarded-For")):
        return forwarded.split(",")[-1].strip()
    return str(request.META.get("REMOTE_ADDR", "-"))


def _count(key: str, seconds: int) -> int:
    """How many this makes: among all processes, or in this one alone while Valkey is away."""
    return ask(lambda: _count_together(key, seconds), lambda: _count_alone(key))


def _count_together(key: str, seconds: int) -> int:
    """Counting and forgetting in one message: through Django's cache they would be three."""
    asked = client().pipeline(transaction=False)
    asked.incr(key)
    asked.expire(key, seconds, nx=True)
    return int(asked.execute()[0])


_alone: Counter[str] = Counter()


def _count_alone(key: str) -> int:
    if len(_alone) > MOST_ALONE:  # windows that ended among them; a short memory is better than a long one
        _alone.clear()
    _alone[key] += 1
    return _alone[key]


def spend(scope: str, who: str) -> int:
    """Count one request; 0 if it may go on, else the seconds to wait."""
    limit = LIMITS[scope]
    window, into = divmod(int(time.time()), limit.seconds)
    key = f"limit:{scope}:{who}:{window}"
    if _count(key, limit.seconds + 5) <= limit.requests * settings.RATE_LIMIT_SCALE:
        return 0
    metrics.LIMITED.labels(scope).inc()
    return limit.seconds - into


def limited(
    scope: str, *, by: Callable[[HttpRequest], str] = caller, methods: tuple[str, ...] = ("GET", "POST")
) -> Callable[[Callable[Concatenate[R, P], HttpResponse]], Callable[Concatenate[R, P], HttpResponse]]:
    """Limit a page view. The answer past the limit is 429 with Retry-After, as a page or as JSON."""
    assert scope in LIMITS

    def decorate(
        view: Callable[Concatenate[R, P], HttpResponse],
    ) -> Callable[Concatenate[R, P], HttpResponse]:
        @wraps(view)
        def guarded(request: R, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
            wait = spend(scope, by(request)) if request.method in methods else 0
            if not wait:
                return view(request, *args, **kwargs)
            response = problem(request, 429, "ERR_RATE_LIMITED", f"Try again in {wait} seconds.", retryAfter=wait)
            response["Retry-After"] = str(wait)
            return response

        return guarded

    return decorate

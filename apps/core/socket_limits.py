"""How many sockets one address and one browser may have open: a page needs one, a class thirty.

An idle socket costs memory and a look at its game now and then; a thousand of them from one stranger made everybody
else wait. What is over the limit is asked to come back later (close code 1013), before any of our code sees it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Awaitable, Callable
from http.cookies import CookieError, SimpleCookie
from typing import Any

from django.conf import settings

from apps.core import metrics

Scope = dict[str, Any]
Application = Callable[[Scope, Callable[[], Awaitable[Any]], Callable[[Any], Awaitable[None]]], Awaitable[None]]

#: Open sockets in one process. An address may be a whole class behind one router.
MOST_OF_AN_ADDRESS, MOST_OF_A_BROWSER = 150, 12
TRY_AGAIN_LATER = 1013


class SocketLimits:
    """ASGI middleware around the sockets."""

    def __init__(self, inner: Application) -> None:
        self.inner = inner
        self.open: Counter[str] = Counter()

    async def __call__(
        self, scope: Scope, receive: Callable[[], Awaitable[Any]], send: Callable[[Any], Awaitable[None]]
    ) -> None:
        mine = [(f"a:{address(scope)}", MOST_OF_AN_ADDRESS)]
        if browser := session_key(scope):
            mine.append((f"s:{browser}", MOST_OF_A_BROWSER))
        if any(self.open[who] >= most for who, most in mine):
            metrics.LIMITED.labels("sockets").inc()
            await receive()
            await send({"type": "websocket.accept"})  # a refusal before this would reach the client without its code
            await send({"type": "websocket.close", "code": TRY_AGAIN_LATER, "reason": "Too many open connections."})
            return
        self.open.update(who for who, _ in mine)
        try:
            await self.inner(scope, receive, send)
        finally:
            for who, _ in mine:
                self.open[who] -= 1
                if not self.open[who]:
                    del self.open[who]


def address(scope: Scope) -> str:
    """The caller's network address; the proxy's word is taken only when we are told there is one."""
    if settings.BEHIND_PROXY and (forwarded := header(scope, b"x-forwarded-for")):
        return forwarded.split(",")[-1].strip()
    return str((scope.get("client") or ["-"])[0])


def session_key(scope: Scope) -> str:
    try:
        cookies = SimpleCookie(header(scope, b"cookie"))
    except CookieError:
        return ""
    return cookies[settings.SESSION_COOKIE_NAME].value if settings.SESSION_COOKIE_NAME in cookies else ""


def header(scope: Scope, name: bytes) -> str:
    return next((value.decode("latin-1") for key, value in scope.get("headers", []) if key == name), "")

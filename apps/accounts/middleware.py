"""``request.player``: who is playing, looked up only when somebody asks."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

from apps.accounts import services
from apps.accounts.models import Player

Handler = Callable[[HttpRequest], HttpResponse]


class LazyPlayer:
    """Found at first use and kept on the request. Unlike a ``SimpleLazyObject``, nobody is really ``None``."""

    def __get__(self, request: HttpRequest | None, owner: type[HttpRequest]) -> LazyPlayer | Player | None:
        if request is None:
            return self
        request.__dict__["player"] = found = services.known_player(request)
        return found


def player(get_response: Handler) -> Handler:
    HttpRequest.player = LazyPlayer()  # type: ignore[attr-defined]
    return get_response

"""Which pages a device may show again without a network.

They hold figures and texts, no games and no classes. What little they say of a person (a name in the header) is shown
to that person only: the worker forgets all pages as soon as it hears of another one.
"""

from __future__ import annotations

from django.http import HttpRequest
from django.urls import ResolverMatch
from django.utils.crypto import salted_hmac

#: The named pages of a room; of rooms without names, all.
ROOMS: dict[str, frozenset[str]] = {
    "core": frozenset({"home", "keyboard", "settings"}),
    "help": frozenset(),
    "lessons": frozenset(),
    "dice": frozenset({"dice", "language"}),
    "dicee": frozenset({"rules"}),
    "killteam": frozenset({"shoot", "fight", "matrix", "fight-matrix"}),
    "warhammer40k": frozenset({"builder"}),
    "battletech": frozenset({"sheet"}),
}


def is_kept(match: ResolverMatch | None) -> bool:
    """Whether the page at an address may be kept."""
    if match is None or match.app_name not in ROOMS:
        return False
    names = ROOMS[match.app_name]
    return not names or match.url_name in names


def person(request: HttpRequest) -> str:
    """A tag that changes when another person uses the browser, and tells nobody anything else."""
    session = request.COOKIES.get("sessionid", "")
    return salted_hmac("apps.offline", session, algorithm="sha256").hexdigest()[:16]

"""No page may be forgotten: whatever has a fixed address is in the list that axe and the screenshots go through."""

from __future__ import annotations

from collections.abc import Iterator

from django.urls import URLPattern, URLResolver, get_resolver

from tests.browser.pages import PAGES

#: Fixed addresses that are not pages of their own, and why.
NOT_PAGES = {
    "api/": "for programs",
    "health/": "for programs",
    "metrics": "for programs",
    "staff/": "Django's admin",
    "manifest.webmanifest": "for the browser",
    "service-worker.js": "for the browser",
    "s/": "takes a form and answers with a link",
    "account/sign-out/": "takes a form",
    "account/rename/": "takes a form",
    "account/export/": "a download",
    "killteam/profiles/export.json": "a download",
    "killteam/profiles/import/": "takes a form",
    "killteam/profiles/save/": "takes a form",
    "killteam/fight/run/": "takes a form",
    "killteam/shoot/options/": "a panel of the shooting page; looked at with it",
    "killteam/fight/options/": "a panel of the fight page; looked at with it",
    "killteam/matrix/run/": "takes a form",
    "killteam/shoot/advice/": "a panel of the shooting page; looked at with it",
    "killteam/fight/advice/": "a panel of the fight page; looked at with it",
    "killteam/shoot/random/": "leads on to the shooting page",
    "killteam/fight/random/": "leads on to the fight page",
    "killteam/fight/plans/": "a panel of the fight page; looked at with it",
    "killteam/rosters/read/": "takes a form",
    "killteam/rosters/team/": "takes a form",
    "killteam/rosters/samples/": "takes a form",
    "killteam/rosters/save/": "takes a form",
    "killteam/duel/": "needs two rosters; looked at with them",
    "warhammer40k/roll/verify/": "takes a form",
    "warhammer40k/simulate/": "takes a form",
    "warhammer40k/profiles/pick/": "leads on to the builder",
    "warhammer40k/profiles/import/": "takes a form",
    "warhammer40k/profiles/export/": "a download",
    "warhammer40k/roll/sequence/": "takes a form",
    "warhammer40k/profiles/shoot/": "leads on to the builder",
    "warhammer40k/profiles/fight/": "leads on to the builder",
    "warhammer40k/armies/read/": "takes a form",
    "warhammer40k/armies/samples/": "takes a form",
    "warhammer40k/armies/save/": "takes a form",
    "warhammer40k/armies/titles/": "names for a field of an army",
    "warhammer40k/duel/": "needs two armies; looked at with them",
    "dice/card.png": "a picture for links",
    "killteam/shoot/card.png": "a picture for links",
    "killteam/fight/card.png": "a picture for links",
    "killteam/matrix/card.png": "a picture for links",
    "killteam/matrix/fight/card.png": "a picture for links",
    "warhammer40k/card.png": "a picture for links",
    "battletech/card.png": "a picture for links",
    "battletech/import/": "takes a form",
    "battletech/roll/": "takes a form",
    "dice/roll/": "takes a form",
    "dice/verify/": "takes a form",
    "dice/compute/": "takes a form",
    "dice/chart.svg": "a download",
    "battletech/sheet.json": "a download",
    "dicee/new/": "takes a form",
    "dicee/games/star/": "takes a form",
    "dicee/no-rated/": "takes a form",
    "dicee/read/": "takes a form",
    "dicee/learn/": "takes a form",
    "dicee/join/": "takes a form",
    "dicee/look/": "takes a form",
    "dicee/daily/play/": "takes a form",
    "dicee/quiz/answer/": "takes a form",
    "dicee/verify_dice.py": "a download",
    "classroom/new/": "asks for an account first; looked at with the class",
    "classroom/progress/csv/": "a download",
    "classroom/practice/start/": "takes a form",
    "classroom/practice/answer/": "takes a form",
    "classroom/practice/run/": "a question of a session; tested with practice",
    "classroom/daily/answer/": "takes a form",
    "account/password/": "asks for an account first; tested with the account",
    "account/codes/": "asks for an account first; tested with the account",
    "account/delete/": "asks a known player to confirm; tested with the account",
}
#: The front step of a room that leads straight on.
REDIRECTS = {"killteam/"}


def fixed_addresses(patterns: list[URLPattern | URLResolver], before: str = "") -> Iterator[str]:
    for pattern in patterns:
        route = before + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from fixed_addresses(pattern.url_patterns, route)
        elif "<" not in route and "(" not in route:
            yield route


def test_every_fixed_address_is_a_listed_page_or_has_a_reason() -> None:
    listed = {path.partition("?")[0].lstrip("/") for path in PAGES.values()}
    forgotten = [
        route
        for route in fixed_addresses(get_resolver().url_patterns)
        if route not in listed and route not in REDIRECTS and not any(route.startswith(start) for start in NOT_PAGES)
    ]
    assert forgotten == []

"""Template context: the reader's preferences, the navigation and the keyboard shortcuts."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import parse_qsl, urlencode

from django.db import DatabaseError
from django.http import HttpRequest
from django.urls import NoReverseMatch, reverse

from apps.core.navigation import links

COOKIE = "prefs"
COOKIE_AGE = 365 * 24 * 3600


@dataclass(frozen=True)
class Choice:
    """One preference: its values and words. The first value is the default."""

    name: str
    label: str
    hint: str
    values: tuple[tuple[str, str], ...]

    def allows(self, value: str) -> bool:
        return value in dict(self.values)


CHOICES = (
    Choice("theme", "Theme", "", (("system", "System"), ("light", "Light"), ("dark", "Dark"))),
    Choice("odds", "Odds as", "", (("percent", "62.4 %"), ("fraction", "5/8"), ("one_in", "1 in 1.6"))),
    Choice("keys", "Single-key shortcuts", "Never while you type in a field.", (("on", "On"), ("off", "Off"))),
    Choice("motion", "Motion", "Dice land at once when reduced.", (("system", "System"), ("reduced", "Reduced"))),
    Choice("sound", "Sound", "Dice on the table, nothing else.", (("off", "Off"), ("on", "On"))),
)


@dataclass(frozen=True)
class Preferences:
    """How one reader wants things shown. Lives in a readable cookie, so the first paint is already right."""

    theme: str = "system"
    odds: str = "percent"
    keys: str = "on"
    motion: str = "system"
    sound: str = "off"

    @classmethod
    def parse(cls, cookie: str) -> Preferences:
        """Unknown names and values are dropped: the cookie belongs to the reader, who may write anything into it.

        >>> Preferences.parse("theme=dark&odds=entrails").theme, Preferences.parse("theme=dark&odds=entrails").odds
        ('dark', 'percent')
        """
        return cls().chosen(dict(parse_qsl(cookie)))

    def chosen(self, values: dict[str, str]) -> Preferences:
        """These preferences with the valid ones among ``values`` in place."""
        kept = {c.name: values[c.name] for c in CHOICES if c.allows(values.get(c.name, ""))}
        return replace(self, **kept)

    @property
    def next_theme(self) -> str:
        """What the theme button changes to (static/js/site/preferences.js goes the same round)."""
        return {"system": "light", "light": "dark", "dark": "system"}[self.theme]

    def cookie(self) -> str:
        return urlencode({choice.name: getattr(self, choice.name) for choice in CHOICES})

    def rows(self) -> list[tuple[Choice, str]]:
        """Each preference with its present value, for the settings form."""
        return [(choice, getattr(self, choice.name)) for choice in CHOICES]


def preferences(request: HttpRequest) -> Preferences:
    return Preferences.parse(request.COOKIES.get(COOKIE, ""))


#: No script from attributes; a refused form (422) is shown, other errors are told (static/js/site/waiting.js).
HTMX = json.dumps(
    {
        "allowEval": False,
        "includeIndicatorStyles": False,
        "historyCacheSize": 0,
        "refreshOnHistoryMiss": True,
        "responseHandling": [
            {"code": "204", "swap": False},
            {"code": "[23]..", "swap": True},
            {"code": "422", "swap": True},
            {"code": "[45]..", "swap": False, "error": True},
        ],
    },
    separators=(",", ":"),
)
DESCRIPTION = "Play a dice game with a perfect coach, calculate exact tabletop odds, teach probability with both."


def site(request: HttpRequest) -> dict[str, Any]:
    """The context processor behind ``base.html``."""
    return {
        "site": {"description": DESCRIPTION, "htmx": HTMX},
        "prefs": preferences(request),
        "nav": links(request.path),
        "player_name": lambda: _player_name(request),  # asked only by templates that print it
        "player_url": _address("accounts:home"),
        "api_docs_url": _address("docs"),
    }


def _player_name(request: HttpRequest) -> str:
    """A page must render even when nobody can be looked up: no session yet, or no database any more."""
    try:
        player = getattr(request, "player", None)
    except DatabaseError:
        player = None
    return player.pseudonym if player else "Guest"


def _address(name: str) -> str:
    """A room that is not installed simply has no link."""
    try:
        return reverse(name)
    except NoReverseMatch:
        return ""

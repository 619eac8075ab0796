"""The attack builder: a calculator whose tabs take the sheet along."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest
from django.urls import reverse

from apps.core.calculator import Calculator, Side

TABS = (
    ("Builder", "warhammer40k:builder"),
    ("Roll it", "warhammer40k:roll"),
    ("Library", "warhammer40k:profiles"),
    ("Armies", "warhammer40k:armies"),
)
#: Tools that work on something else than a sheet.
WITHOUT_SHEET = frozenset(("warhammer40k:armies",))
#: What each tool calls the sheet in its address; the others read its fields themselves.
SHEET_NAME = {"warhammer40k:profiles": "back"}


def tabs_with(sheet: str, here: str) -> list[dict[str, str]]:
    """The tools of this game, each with the sheet that is on the table; the one in use is a bare address."""
    links = []
    for label, name in TABS:
        carried = urlencode({SHEET_NAME[name]: sheet}) if name in SHEET_NAME else sheet
        address = reverse(name)
        is_carried = bool(sheet) and name != here and name not in WITHOUT_SHEET
        links.append({"label": label, "name": name, "href": f"{address}?{carried}" if is_carried else address})
    return links


@dataclass(frozen=True, kw_only=True)
class Builder(Calculator):
    """A calculator whose tabs lead to the same sheet, rolled or filled from the library."""

    def _context(self, request: HttpRequest, sides: list[Side]) -> dict[str, Any]:
        context = super()._context(request, sides)
        sheet = context["query"] if self._is_answered(sides) else request.GET.urlencode()
        return context | {"tab_links": tabs_with(sheet, "warhammer40k:builder")}

    @staticmethod
    def _is_answered(sides: Sequence[Side]) -> bool:
        return all(side.answer is not None for side in sides)

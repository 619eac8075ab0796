"""Rosters and pairs of rosters a player keeps under a name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.http import QueryDict

from apps.accounts.models import Player
from apps.accounts.saved_profiles import SavedProfiles
from apps.killteam import rosters
from apps.killteam.models import SavedRoster
from apps.rosters.keeping import checked_link


def _checked(kind: str, values: Mapping[str, Any]) -> dict[str, Any]:
    gone = "This roster is not there any more; read it again."
    return checked_link(kind, values, lambda key: rosters.find(key) is not None, gone)


SAVED_ROSTERS = SavedProfiles(SavedRoster, "kind", "values", _checked)


def export(player: Player | None) -> list[dict[str, Any]]:
    """Everything a player keeps, the rosters themselves included."""
    rows = []
    for saved in SAVED_ROSTERS.visible_to(player):
        query = QueryDict(saved.values["query"])
        found = [one.document for key in (query.get("a", ""), query.get("b", "")) if (one := rosters.find(key))]
        rows.append({"kind": saved.kind, "name": saved.name, "query": saved.values["query"], "rosters": found})
    return rows

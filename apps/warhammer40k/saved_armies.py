"""Armies and pairs of armies a player keeps under a name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.http import QueryDict

from apps.accounts.models import Player
from apps.accounts.saved_profiles import SavedProfiles
from apps.rosters.keeping import checked_link
from apps.warhammer40k import armies
from apps.warhammer40k.models import SavedArmy


def _checked(kind: str, values: Mapping[str, Any]) -> dict[str, Any]:
    gone = "This army is not there any more; read it again."
    return checked_link(kind, values, lambda key: armies.find(key) is not None, gone)


SAVED_ARMIES = SavedProfiles(SavedArmy, "kind", "values", _checked)


def export(player: Player | None) -> list[dict[str, Any]]:
    """Everything a player keeps, the armies themselves included."""
    rows = []
    for saved in SAVED_ARMIES.visible_to(player):
        query = QueryDict(saved.values["query"])
        documents = [army.document for key in (query.get("a", ""), query.get("b", "")) if (army := armies.find(key))]
        rows.append({"kind": saved.kind, "name": saved.name, "query": saved.values["query"], "armies": documents})
    return rows

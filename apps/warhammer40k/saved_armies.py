"""Armies and pairs of armies a player keeps under a name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.core.exceptions import ValidationError
from django.http import QueryDict

from apps.accounts.models import Player
from apps.accounts.saved_profiles import SavedProfiles
from apps.warhammer40k import armies
from apps.warhammer40k.models import SavedArmy


def _checked(kind: str, values: Mapping[str, Any]) -> dict[str, Any]:
    """An address whose armies exist."""
    query = QueryDict(str(values.get("query", ""))[:4000])
    wanted = [query.get("a", "")] if kind == "army" else [query.get("a", ""), query.get("b", "")]
    if any(armies.find(key) is None for key in wanted):
        raise ValidationError("This army is not there any more; read it again.")
    return {"query": query.urlencode()}


SAVED_ARMIES = SavedProfiles(SavedArmy, "kind", "values", _checked)


def export(player: Player | None) -> list[dict[str, Any]]:
    """Everything a player keeps, the armies themselves included."""
    rows = []
    for saved in SAVED_ARMIES.visible_to(player):
        query = QueryDict(saved.values["query"])
        documents = [army.document for key in (query.get("a", ""), query.get("b", "")) if (army := armies.find(key))]
        rows.append({"kind": saved.kind, "name": saved.name, "query": saved.values["query"], "armies": documents})
    return rows

"""Sheets from an address."""

from __future__ import annotations

from typing import Any

from django.http import QueryDict

from apps.warhammer40k.forms import AttackForm

PLASMA_AND_BOLTERS = (
    "v=1&w=2&w1-count=5&w1-attacks=2&w1-strength=8&w1-ap=3&w1-damage=2&w1-reroll_hits=ones"
    "&w2-count=2&w2-attacks=3&w2-skill=4&w2-strength=5&w2-damage=2&w2-sustained=1"
)


def settings_of(query: str) -> dict[str, Any]:
    form = AttackForm(QueryDict(query))
    assert form.is_valid(), form.errors
    return form.settings()

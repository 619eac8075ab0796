"""The class socket of a student's page: on the class's own pages, and at a table that was begun from them."""

from __future__ import annotations

import uuid
from typing import Any

from django.http import HttpRequest
from django.urls import reverse
from django.utils.functional import SimpleLazyObject

from apps.classroom.models import Membership, Standing


def class_socket(request: HttpRequest) -> dict[str, Any]:
    """Worked out only where a template asks for it: the frame of a whole page."""
    found = SimpleLazyObject(lambda: _class_of(request))
    return {
        "class_socket": SimpleLazyObject(lambda: f"/ws/v1/class/{found}/" if found else ""),
        "class_round_url": SimpleLazyObject(lambda: reverse("classroom:round", args=[str(found)]) if found else ""),
    }


def _class_of(request: HttpRequest) -> str:
    """The class this page belongs to for the student who looks at it; empty for none."""
    match, player = request.resolver_match, getattr(request, "player", None)
    if match is None or player is None or match.app_name not in ("classroom", "dicee"):
        return ""
    mine = Membership.objects.filter(player=player, standing=Standing.IN)
    if "class_id" in match.kwargs:
        mine = mine.filter(classroom=match.kwargs["class_id"])
    elif "game_id" in match.kwargs:
        mine = mine.filter(games__game=match.kwargs["game_id"])
    else:
        return ""
    found: uuid.UUID | None = mine.values_list("classroom_id", flat=True).first()
    return str(found) if found else ""

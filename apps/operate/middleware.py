"""Notes who of a finished game looks at its analysis (RFC-001 §1.4)."""

from __future__ import annotations

import uuid
from collections.abc import Callable

from django.db import DatabaseError
from django.http import HttpResponse

from apps.accounts.http import Request
from apps.accounts.models import Player
from apps.dicee.models import Seat
from apps.operate.models import OpenedReport

REPORT = "dicee:report"


def note_reports(get_response: Callable[[Request], HttpResponse]) -> Callable[[Request], HttpResponse]:
    def middleware(request: Request) -> HttpResponse:
        response = get_response(request)
        match = request.resolver_match
        if match is not None and match.view_name == REPORT and response.status_code == 200 and request.player:
            _note(request.player, match.kwargs["game_id"])
        return response

    return middleware


def _note(player: Player, game_id: uuid.UUID) -> None:
    seat = Seat.objects.filter(game=game_id, player=player, opened_report__isnull=True).first()
    if seat is not None:
        try:
            OpenedReport.objects.get_or_create(seat=seat)
        except DatabaseError:
            return  # a figure is not worth an error

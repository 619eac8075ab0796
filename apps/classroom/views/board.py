"""The live board of a class, for its teacher."""

from __future__ import annotations

import json
import uuid

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from apps.accounts.http import Request, is_live
from apps.classroom.models import Classroom, Standing
from apps.classroom.services.insight import concepts
from apps.classroom.services.live import board as live
from apps.classroom.views.doors import for_teacher
from apps.classroom.views.rounds import question_context
from apps.core.limits import limited


@never_cache
@require_GET
@limited("page")
@for_teacher
def board(request: Request, classroom: Classroom) -> HttpResponse:
    """Who plays, who is stuck, the open question, class × concept. A script asks for the inside alone."""
    context = question_context(request, classroom) | {
        "classroom": classroom,
        "board": live.board(classroom),
        "heat": concepts.heat_map(classroom),
    }
    inside = is_live(request)
    return render(request, "classroom/components/board.html" if inside else "classroom/board.html", context)


@require_POST
@limited("play")
@for_teacher
def hint(request: Request, classroom: Classroom, member_id: uuid.UUID) -> HttpResponse:
    """Send a student the first step of a hint."""
    member = classroom.members.filter(pk=member_id, standing=Standing.IN, player__isnull=False).first()
    if member is None:
        raise Http404
    if live.is_reachable(member):
        live.nudge(member)
        text, kind = f"Hint sent to {member.nickname}.", "success"
    else:
        text, kind = f"{member.nickname} has no page of the class open.", "error"
    if is_live(request):
        context = {"board": live.board(classroom), "classroom": classroom}
        response = render(request, "classroom/components/stuck_students.html", context)
        response["HX-Trigger"] = json.dumps({"toast": {"text": text, "kind": kind if kind == "error" else ""}})
        return response
    messages.add_message(request, messages.SUCCESS if kind == "success" else messages.ERROR, text)
    return redirect("classroom:board", classroom.pk)

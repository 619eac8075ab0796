"""What a class's figures say: weeks, positions, students, files, sheets for home."""

from __future__ import annotations

import secrets
import uuid

from django.contrib import messages
from django.http import Http404, HttpResponse, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.utils.text import slugify
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from apps.accounts.http import Request
from apps.classroom.models import Classroom, Membership, Standing
from apps.classroom.services import classes
from apps.classroom.services.insight import concepts, export, positions, weeks
from apps.classroom.services.insight import sheets as paper
from apps.classroom.services.live import board, rounds
from apps.classroom.services.students import Refused
from apps.classroom.views.doors import for_teacher
from apps.core.limits import limited
from apps.practice import curves


def _student(classroom: Classroom, member_id: object) -> Membership:
    try:
        wanted = uuid.UUID(str(member_id))
    except ValueError as error:
        raise Http404 from error
    found = classroom.members.filter(pk=wanted, standing=Standing.IN, player__isnull=False).first()
    if found is None:
        raise Http404
    return found


@never_cache
@require_GET
@limited("compute")
@for_teacher
def insight(request: Request, classroom: Classroom) -> HttpResponse:
    found = weeks.weeks(classroom)
    context = {
        "classroom": classroom,
        "weeks": found,
        "accuracy": weeks.accuracy_figure(found),
        "lost": weeks.lost_figure(found),
        "positions": positions.instructive(classroom),
        "students": sorted(classes.students(classroom), key=lambda student: student.member.nickname.casefold()),
        "rounds": rounds.past(classroom),
        "files": [(name, title) for name, (title, _) in export.FILES.items()],
    }
    return render(request, "classroom/insight/class.html", context)


@never_cache
@require_GET
@limited("compute")
@for_teacher
def student(request: Request, classroom: Classroom, member_id: uuid.UUID) -> HttpResponse:
    """One student: profile of the class games, every game with its replay, and what fair play noticed."""
    member = _student(classroom, member_id)
    found = paper.class_profile(member)
    played = list(reversed(classes.games_of([member])[member.pk]))
    slips = positions.costliest(member, found) if found else []
    context = {
        "classroom": classroom,
        "member": member,
        "profile": found,
        "played": played,
        "slips": slips,
        "mine": False,
    }
    return render(request, "classroom/insight/student.html", context | (curves.pictures(found) if found else {}))


@never_cache
@require_GET
@limited("compute")
@for_teacher
def sheets(request: Request, classroom: Classroom) -> HttpResponse:
    """A sheet for each student, or for one: ``?student=``."""
    wanted = request.GET.get("student")
    members = [_student(classroom, wanted)] if wanted else board.students(classroom)
    context = {"classroom": classroom, "sheets": paper.sheets(classroom, members), "one": bool(wanted)}
    return render(request, "classroom/insight/sheets.html", context)


@never_cache
@require_GET
@limited("compute")
@for_teacher
def csv(request: Request, classroom: Classroom, name: str) -> HttpResponse:
    """A file of everything of one kind, sent row by row."""
    if name not in export.FILES:
        raise Http404
    rows = export.lines(export.FILES[name][1](classroom))
    response = StreamingHttpResponse(rows, content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{slugify(classroom.name) or "class"}-{name}.csv"'
    return response  # type: ignore[return-value]  # a stream is a response to everyone but its type


@require_POST
@limited("play")
@for_teacher
def assign(request: Request, classroom: Classroom) -> HttpResponse:
    """Set the class positions about the idea it needs most."""
    try:
        made = concepts.assign(classroom, request.POST.get("concept", ""), secrets.randbelow(1_000_000))
    except (Refused, ValueError) as error:
        messages.error(request, getattr(error, "message", "There is no such idea."))
    else:
        messages.success(request, f"Set to the class, due in a week: {made.title}.")
    return redirect("classroom:board", classroom.pk)

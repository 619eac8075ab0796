"""Assignments: set and read by the teacher, done by students."""

from __future__ import annotations

import time
import uuid
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from apps.accounts.http import Request
from apps.classroom.forms import KINDS, MoreForm
from apps.classroom.models import Assignment, Classroom, Membership, Task
from apps.classroom.services import assignments, classes
from apps.classroom.services.students import Refused
from apps.classroom.views.doors import for_student, for_teacher, in_time_of, viewer
from apps.core.calculator import Table, csv_response
from apps.core.limits import limited

MOST_DIGITS = 16  # of a time in milliseconds


def _find(classroom: Classroom, assignment_id: uuid.UUID) -> Assignment:
    assignment = classroom.assignments.filter(pk=assignment_id).select_related("classroom").first()
    if assignment is None:
        raise Http404
    return assignment


# -- The teacher's side -------------------------------------------------------------------------------------------


@never_cache
@require_http_methods(["GET", "POST"])
@limited("compute", methods=("POST",))
@for_teacher
def new(request: Request, classroom: Classroom, task: str) -> HttpResponse:
    if task not in KINDS:
        raise Http404
    form = KINDS[task](request.POST if request.method == "POST" else None, initial={"title": Task(task).label})
    if form.is_valid():
        made = assignments.create(classroom, form.cleaned_data["title"], task, form.settings(), form.due_at)
        messages.success(request, f"“{made.title}” is set.")
        return redirect("classroom:assignment", classroom.pk, made.pk)
    context = {"classroom": classroom, "form": form, "task": task, "tasks": Task.choices}
    return render(request, "classroom/assignment_new.html", context, status=422 if form.is_bound else 200)


@never_cache
@require_GET
def show(request: Request, class_id: uuid.UUID, assignment_id: uuid.UUID) -> HttpResponse:
    """For the teacher: who is how far. For a student: the next step."""
    player = viewer(request)
    if classroom := classes.taught(class_id, player):
        with in_time_of(classroom):
            return render(request, "classroom/assignment.html", _sheet(_find(classroom, assignment_id)))
    return _work(request, class_id, assignment_id=assignment_id)


def _sheet(assignment: Assignment, **more: Any) -> dict[str, Any]:
    assignments.catch_up(assignment.pk)
    form = MoreForm(initial=_as_it_is(assignment))
    context = {"classroom": assignment.classroom, "assignment": assignment, "settings": assignments.read(assignment)}
    return context | {"sheet": assignments.sheet(assignment), "form": form} | more


def _as_it_is(assignment: Assignment) -> dict[str, Any]:
    due = timezone.localtime(assignment.due_at) if assignment.due_at else None
    return {"title": assignment.title, "due_on": due and due.date(), "due_time": due and due.time(), "due_at": due}


@require_POST
@limited("play")
@for_teacher
def edit(request: Request, classroom: Classroom, assignment_id: uuid.UUID) -> HttpResponse:
    assignment = _find(classroom, assignment_id)
    form = MoreForm(request.POST, initial=_as_it_is(assignment))
    if not form.is_valid():
        return render(request, "classroom/assignment.html", _sheet(assignment, form=form), status=422)
    assignments.edit(assignment, form.cleaned_data["title"], form.due_at)
    messages.success(request, "The assignment is changed.")
    return redirect("classroom:assignment", classroom.pk, assignment.pk)


@require_POST
@limited("play")
@for_teacher
def delete(request: Request, classroom: Classroom, assignment_id: uuid.UUID) -> HttpResponse:
    assignment = _find(classroom, assignment_id)
    if request.POST.get("confirm") != "yes":
        context = _sheet(assignment, unconfirmed=True)
        return render(request, "classroom/assignment.html", context, status=422)
    classes.discard(assignment)
    messages.success(request, f"“{assignment.title}” is deleted.")
    return redirect("classroom:class", classroom.pk)


@never_cache
@require_GET
@for_teacher
def csv(request: Request, classroom: Classroom, assignment_id: uuid.UUID) -> HttpResponse:
    assignment = _find(classroom, assignment_id)
    assignments.catch_up(assignment.pk)
    header, rows = assignments.table(assignment)
    return csv_response(f"assignment-{assignment.created_at:%Y-%m-%d}", Table("results", "Results", header, rows))


# -- The student's side -------------------------------------------------------------------------------------------


@for_student
def _work(request: Request, member: Membership, assignment_id: uuid.UUID, **more: Any) -> HttpResponse:
    """The work as it stands: what is done, what is next, and the answers as far as they may be seen."""
    assignment = _find(member.classroom, assignment_id)
    assignments.catch_up(assignment.pk)
    state = assignments.progress([assignment], member)[0]
    context = {"classroom": member.classroom, "member": member, "assignment": assignment, "state": state}
    context |= {"settings": assignments.read(assignment), "shown_at": _now_ms()}
    if assignment.task in (Task.POSITIONS, Task.PREDICTIONS):
        context["asked"] = assignments.asked(assignment, state.work)
        context["answered"] = assignments.answered(assignment, state.work, last=context["asked"] is not None)
    return render(request, "classroom/work.html", context | more, status=422 if more else 200)


@require_POST
@limited("play")
@for_student
def play(request: Request, member: Membership, assignment_id: uuid.UUID) -> HttpResponse:
    """The next game, or a table with classmates."""
    assignment = _find(member.classroom, assignment_id)
    begin = assignments.find_table if assignment.task == Task.MATCH else assignments.play
    try:
        return redirect("dicee:table", begin(assignment, member).pk)
    except Refused as refused:
        raise Http404 from refused


@require_POST
@limited("compute")
@for_student
def answer(request: Request, member: Membership, assignment_id: uuid.UUID) -> HttpResponse:
    """One answer of a set: a choice in a position, or a chance."""
    assignment, said = _find(member.classroom, assignment_id), request.POST
    place, took = said.get("place", ""), _thought_for(said.get("since", ""))
    try:
        if assignment.task == Task.PREDICTIONS:
            assignments.guess(assignment, member, place, said.get("percent", ""), took)
        else:
            assignments.answer(assignment, member, place, said.get("choice", ""), took)
    except Refused as refused:
        return _work(request, member.classroom_id, assignment_id=assignment_id, error=refused.message)
    return redirect("classroom:assignment", member.classroom_id, assignment.pk)


def _now_ms() -> int:
    return int(time.time() * 1000)


def _thought_for(since: str) -> int:
    """Milliseconds since the question was shown, as the form that comes back says; 0 if it says nothing sensible."""
    return max(0, _now_ms() - int(since)) if since.isdecimal() and len(since) < MOST_DIGITS else 0

"""Predict, vote, reveal: the teacher's projector and picker, and the student's own page, at one address."""

from __future__ import annotations

import uuid
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from apps.accounts.http import Request, is_live
from apps.classroom.models import Classroom, Membership, Phase, Round, Standing
from apps.classroom.services import classes, students
from apps.classroom.services.insight import positions
from apps.classroom.services.live import rounds
from apps.classroom.services.students import Refused
from apps.classroom.views.doors import for_student, for_teacher, nobody_here, viewer
from apps.core.limits import limited


def question_context(request: Request, classroom: Classroom) -> dict[str, Any]:
    """The open question as the teacher's pages show it. Names only where they are asked for."""
    question = rounds.current(classroom)
    if question is None:
        return {"question": None, "names": False}
    answered, of = rounds.answered(question.asked)
    return {
        "question": question,
        "result": rounds.result(question.asked),
        "answered": answered,
        "of": of,
        "names": request.GET.get("names") == "1",
    }


@never_cache
@require_GET
@limited("page")
def round_page(request: Request, class_id: uuid.UUID) -> HttpResponse:
    """The projector for who teaches the class, the question for who is in it."""
    classroom = classes.taught(class_id, viewer(request))
    if classroom is not None:
        return _projector(request, classroom)
    member = classes.member(class_id, viewer(request))
    if member is None or member.standing != Standing.IN:
        return nobody_here(request, class_id)
    return _student(request, member)


def _projector(request: Request, classroom: Classroom) -> HttpResponse:
    context = question_context(request, classroom) | {"classroom": classroom}
    inside = is_live(request)
    return render(request, "classroom/components/projector.html" if inside else "classroom/projector.html", context)


def _student(request: Request, member: Membership, error: Refused | None = None) -> HttpResponse:
    question = rounds.current(member.classroom)
    mine = question.asked.votes.filter(member=member).first() if question else None
    context = {
        "classroom": member.classroom,
        "member": member,
        "question": question,
        "mine": mine,
        "held": question.held(mine.choice) if question and mine else set(),
        "result": rounds.result(question.asked, member) if question else None,
        "error": error,
        "game": students.unfinished(member),
    }
    inside = is_live(request)
    template = "classroom/components/student_round.html" if inside else "classroom/round.html"
    return render(request, template, context, status=422 if error else 200)


# -- The teacher --------------------------------------------------------------------------------------------------


@never_cache
@require_http_methods(["GET", "POST"])
@limited("compute")
@for_teacher
def new_round(request: Request, classroom: Classroom) -> HttpResponse:
    """Pick a position: typed, drawn for an idea, or one of the week's."""
    error = None
    if request.method == "POST":
        try:
            text, before = _wanted(request, classroom), rounds.current(classroom)
            rounds.open_question(classroom, text, predicts="predict" in request.POST)
            if before is not None and before.is_open:
                messages.info(request, "The question before it is closed; it is under “Earlier questions”.")
        except Refused as refused:
            error = refused
        else:
            return redirect(_way_back(request, classroom))
    context = {
        "classroom": classroom,
        "week": positions.instructive(classroom),
        "concepts": positions.concept_choices(),
        "difficulties": positions.DIFFICULTY_WORDS,
        "error": error,
        "typed": request.POST.get("position", ""),
        "predict": "predict" in request.POST,
    }
    return render(request, "classroom/round_new.html", context, status=422 if error else 200)


def _wanted(request: Request, classroom: Classroom) -> str:
    """The position a form asks for, whichever way."""
    if concept := request.POST.get("concept", ""):
        return positions.drawn(concept, request.POST.get("difficulty", ""))
    if decision := request.POST.get("decision", ""):
        return positions.of_decision(classroom, decision)
    return request.POST.get("position", "")


def _way_back(request: Request, classroom: Classroom) -> str:
    """To the page the button was on: the board, or the projector."""
    name = "classroom:round" if request.POST.get("from") == "projector" else "classroom:board"
    return reverse(name, args=[classroom.pk])


@require_POST
@limited("play")
@for_teacher
def step(request: Request, classroom: Classroom, round_id: uuid.UUID) -> HttpResponse:
    """The next phase of a question."""
    asked = Round.objects.filter(pk=round_id, classroom=classroom).first()
    if asked is None:
        raise Http404
    try:
        rounds.advance(asked, request.POST.get("to", ""))
    except Refused as refused:
        messages.error(request, refused.message)
    return redirect(_way_back(request, classroom))


@never_cache
@require_GET
@limited("page")
@for_teacher
def past_round(request: Request, classroom: Classroom, round_id: uuid.UUID) -> HttpResponse:
    """A question of an earlier lesson, with how the class decided."""
    asked = Round.objects.filter(pk=round_id, classroom=classroom, phase__in=(Phase.REVEALED, Phase.CLOSED)).first()
    if asked is None:
        raise Http404
    context = {
        "classroom": classroom,
        "question": rounds.Question(asked),
        "result": rounds.result(asked),
        "names": request.GET.get("names") == "1",
    }
    return render(request, "classroom/round_past.html", context)


# -- The student --------------------------------------------------------------------------------------------------


@require_POST
@limited("play")
@for_student
def vote(request: Request, member: Membership, round_id: uuid.UUID) -> HttpResponse:
    try:
        rounds.vote(
            round_id,
            member,
            dice=request.POST.getlist("keep"),
            box=request.POST.get("box", ""),
            none="none" in request.POST,
        )
    except Refused as refused:
        return _refuse(request, member, refused)
    return _done(request, member)


@require_POST
@limited("play")
@for_student
def guess(request: Request, member: Membership, round_id: uuid.UUID) -> HttpResponse:
    try:
        rounds.guess(round_id, member, request.POST.get("percent", ""))
    except Refused as refused:
        return _refuse(request, member, refused)
    return _done(request, member)


def _done(request: Request, member: Membership) -> HttpResponse:
    if is_live(request):
        return _student(request, member)
    return redirect("classroom:round", member.classroom_id)


def _refuse(request: Request, member: Membership, refused: Refused) -> HttpResponse:
    """Say why, and show the question as it really stands."""
    return _student(request, member, refused)

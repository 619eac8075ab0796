"""The landing page, and a class as its teacher runs it."""

from __future__ import annotations

import uuid
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from apps.accounts.http import Request, is_live
from apps.classroom.forms import ClassForm, CodeForm, EditClassForm, NicknameForm
from apps.classroom.models import Classroom, Membership, Standing
from apps.classroom.services import classes, names, students
from apps.classroom.views import students as student_pages
from apps.classroom.views.doors import for_teacher, in_time_of, nobody_here, viewer
from apps.classroom.views.undo import ask, confirmed
from apps.core.limits import limited

#: Return keys made in this session and not shown yet, by membership. Kept only until the page that shows them.
KEYS = student_pages.KEYS


@never_cache
@require_GET
def home(request: Request) -> HttpResponse:
    """Three doors: teach, join with a code, learn on your own. Whoever has classes finds them first."""
    player = viewer(request)
    context = {
        "taught": classes.taught_by(player),
        "joined": classes.joined_by(player),
        "offered": classes.offered_to(player),
        "discarded": classes.discarded(player),
        "has_account": player is not None and not player.is_guest,
        "form": CodeForm(),
    }
    return render(request, "classroom/home.html", context)


@never_cache
@require_http_methods(["GET", "POST"])
@limited("play", methods=("POST",))
def new(request: Request) -> HttpResponse:
    player = viewer(request)
    if player is None or player.is_guest:
        return redirect(f"{reverse('accounts:sign-up')}?{urlencode({'next': request.path})}")
    form = ClassForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        said = form.cleaned_data
        try:
            return redirect(
                "classroom:class",
                classes.create(player, said["name"], said["joining"], int(said["keep"]), **form.more).pk,
            )
        except classes.TooManyClasses as refused:
            form.add_error("name", str(refused))
    return render(request, "classroom/new.html", {"form": form}, status=422 if form.is_bound else 200)


@never_cache
@require_GET
def show(request: Request, class_id: uuid.UUID) -> HttpResponse:
    """The class: the teacher's page, the student's home, or a place in the waiting line."""
    player = viewer(request)
    if classroom := classes.taught(class_id, player):
        with in_time_of(classroom):
            return render(request, "classroom/class.html", _page(request, classroom))
    if member := classes.member(class_id, player):
        with in_time_of(member.classroom):
            return student_pages.home(request, member)
    return nobody_here(request, class_id)


def _page(request: Request, classroom: Classroom, **more: Any) -> dict[str, Any]:
    """Everything the teacher's page prints."""
    everyone = classes.students(classroom)
    keys = request.session.pop(KEYS, {}) if request.session.get(KEYS) and not _polls(request) else {}
    standing = {value: [s for s in everyone if s.member.standing == value] for value in Standing.values}
    return {
        "classroom": classroom,
        "students": standing[Standing.IN],
        "waiting": standing[Standing.WAITING],
        "removed": standing[Standing.REMOVED],
        "new_keys": [(s.member, keys[str(s.member.pk)]) for s in everyone if str(s.member.pk) in keys],
        "assignments": classes.assignments(classroom),
        "join_url": request.build_absolute_uri(reverse("classroom:join", args=[classroom.code])),
        "discarded": classes.discarded(classroom.teacher, classroom),
        "days_left": classes.days_left(classroom),
        "warn": classes.days_left(classroom) <= classes.WARN_DAYS,
        "form": EditClassForm(
            initial={name: getattr(classroom, name) for name in ("name", "joining", "stay", "time_zone", "sharing")}
        ),
    } | more


def _polls(request: Request) -> bool:
    """The page looking for arrivals by itself: nobody reads a new key in that."""
    return is_live(request)


@require_POST
@limited("play")
@for_teacher
def edit(request: Request, classroom: Classroom) -> HttpResponse:
    form = EditClassForm(request.POST)
    if not form.is_valid():
        return render(request, "classroom/class.html", _page(request, classroom, form=form), status=422)
    classes.edit(classroom, form.cleaned_data["name"], form.cleaned_data["joining"], form.keep_days, **form.more)
    messages.success(request, "The class is changed.")
    return redirect("classroom:class", classroom.pk)


@never_cache
@require_GET
@for_teacher
def code(request: Request, classroom: Classroom) -> HttpResponse:
    """The code for the projector, with everyone who has come in."""
    context = {
        "classroom": classroom,
        "members": classroom.members.filter(standing=Standing.IN),
        "join_url": request.build_absolute_uri(reverse("classroom:join")),
        "code_url": request.build_absolute_uri(reverse("classroom:join", args=[classroom.code])),
        "only_here": request.get_host().partition(":")[0] in ("localhost", "127.0.0.1", "[::1]"),
    }
    template = "classroom/components/arrived_students.html" if is_live(request) else "classroom/code.html"
    return render(request, template, context)


@require_POST
@limited("play")
@for_teacher
def renew_code(request: Request, classroom: Classroom) -> HttpResponse:
    if not confirmed(request):
        return ask(request, "Draw a new code?", "The old code opens nothing any more. Who is in stays in.", classroom)
    classes.renew_code(classroom)
    messages.success(request, "The class has a new code. The old one opens nothing any more.")
    return redirect("classroom:class", classroom.pk)


@never_cache
@require_http_methods(["GET", "POST"])
@limited("play", methods=("POST",))
@for_teacher
def delete(request: Request, classroom: Classroom) -> HttpResponse:
    if request.method == "POST" and request.POST.get("confirm") == "yes":
        classes.discard(classroom)
        messages.success(request, f"{classroom.name} is deleted.")
        return redirect("classroom:home")
    unconfirmed = request.method == "POST"
    context = {"classroom": classroom, "unconfirmed": unconfirmed}
    return render(request, "classroom/delete.html", context, status=422 if unconfirmed else 200)


# -- What a teacher does about one student ------------------------------------------------------------------------


def _find(classroom: Classroom, member_id: uuid.UUID) -> Membership:
    member = classroom.members.filter(pk=member_id, player__isnull=False).first()
    if member is None:
        raise Http404
    return member


@require_POST
@limited("play")
@for_teacher
def approve(request: Request, classroom: Classroom, member_id: uuid.UUID) -> HttpResponse:
    students.approve(_find(classroom, member_id))
    return redirect("classroom:class", classroom.pk)


@require_POST
@limited("play")
@for_teacher
def decline(request: Request, classroom: Classroom, member_id: uuid.UUID) -> HttpResponse:
    students.decline(_find(classroom, member_id))
    return redirect("classroom:class", classroom.pk)


@require_POST
@limited("play")
@for_teacher
def remove(request: Request, classroom: Classroom, member_id: uuid.UUID) -> HttpResponse:
    member = _find(classroom, member_id)
    students.remove(member)
    who = "That student" if request.POST.get("from") == "code" else member.nickname  # a projector repeats no name
    messages.success(request, f"{who} is off the class. You can let them back in.")
    return _back(request, classroom)


@require_POST
@limited("play")
@for_teacher
def erase(request: Request, classroom: Classroom, member_id: uuid.UUID) -> HttpResponse:
    """Everything the class keeps of a student who was taken off."""
    member = _find(classroom, member_id)
    if member.standing != Standing.REMOVED:
        return redirect("classroom:class", classroom.pk)
    if not confirmed(request):
        text = "Answers, votes and games of this student leave the class. You have ten minutes to undo it."
        return ask(request, f"Delete all that {member.nickname} has done?", text, classroom)
    classes.discard(member)
    messages.success(request, f"What {member.nickname} has done is deleted.")
    return redirect("classroom:class", classroom.pk)


@require_POST
@limited("play")
@for_teacher
def rename(request: Request, classroom: Classroom, member_id: uuid.UUID) -> HttpResponse:
    member = _find(classroom, member_id)
    if "friendly" in request.POST:  # one tap on the projector: whatever it was, it is a friendly name now
        taken = classroom.members.values_list("nickname", flat=True)
        students.rename(member, names.offer(list(taken))[0])
        return _back(request, classroom)
    form = NicknameForm(request.POST)
    if form.is_valid():
        try:
            students.rename(member, form.cleaned_data["nickname"])
            return redirect("classroom:class", classroom.pk)
        except students.Refused as refused:
            form.add_error("nickname", refused.message)
    page = _page(request, classroom, renaming=member.pk, rename_form=form, tried=form["nickname"].value() or "")
    return render(request, "classroom/class.html", page, status=422)


@require_POST
@limited("play")
@for_teacher
def reset(request: Request, classroom: Classroom, member_id: uuid.UUID) -> HttpResponse:
    member = _find(classroom, member_id)
    if not confirmed(request):
        text = "The old return key opens nothing any more, and the device in use now is signed out of the class."
        return ask(request, f"Make a new return key for {member.nickname}?", text, classroom)
    request.session[KEYS] = request.session.get(KEYS, {}) | {str(member.pk): students.reset(member)}
    return redirect("classroom:class", classroom.pk)


def _back(request: Request, classroom: Classroom) -> HttpResponse:
    """To the page the button was on: the code on the projector, the board, or the class."""
    pages = {"code": "classroom:class-code", "board": "classroom:board"}
    return redirect(pages.get(request.POST.get("from", ""), "classroom:class"), classroom.pk)


# -- Handing over, and what the teacher was told --------------------------------------------------------------------


@require_POST
@limited("play")
@for_teacher
def offer(request: Request, classroom: Classroom) -> HttpResponse:
    """Offer the class to a colleague. Whether there is such an account is nobody's business."""
    classes.offer(classroom, request.POST.get("username", ""))
    messages.success(request, "If there is an account of that name, it finds the class on its classroom page now.")
    return redirect("classroom:class", classroom.pk)


@require_POST
@limited("play")
def take_over(request: Request, class_id: uuid.UUID) -> HttpResponse:
    player = viewer(request)
    classroom = classes.take_over(class_id, player) if player else None
    if classroom is None:
        raise Http404
    messages.success(request, f"{classroom.name} is your class now.")
    return redirect("classroom:class", classroom.pk)


@require_POST
@limited("play")
@for_teacher
def put_notices_away(request: Request, classroom: Classroom) -> HttpResponse:
    classes.put_notices_away(classroom)
    return redirect("classroom:class", classroom.pk)

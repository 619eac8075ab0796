"""A class as a student meets it: joining, waiting, coming back, what there is to do, leaving."""

from __future__ import annotations

import uuid
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from apps.accounts import services as accounts
from apps.accounts.http import Request, is_live
from apps.accounts.services import player_for
from apps.classroom.forms import CodeForm, KeyForm, NicknameForm
from apps.classroom.models import Classroom, Membership, Phase, Standing, Stay
from apps.classroom.services import assignments, classes, names, students
from apps.classroom.views.doors import for_student, viewer
from apps.core.errors import CODES, problem
from apps.core.limits import address, limited, spend

#: How long a guest's session lasts after joining or coming back; missing: as long as any.
STAY_SECONDS = {Stay.LESSON.value: 2 * 3600, Stay.DAY.value: 12 * 3600}
KEYS = "return_keys"  # of the session: made and not shown yet
NO_SUCH_CLASS = "No class has this code. Check it with your teacher."


# -- Joining ------------------------------------------------------------------------------------------------------


@never_cache
@require_http_methods(["GET", "POST"])
def join(request: Request, code: str = "") -> HttpResponse:
    """Code first, then a nickname beside what the teacher will see."""
    if wait := spend("class-code", f"a:{address(request)}"):
        return _too_many(request, wait)
    if not code:
        return _ask_for_code(request)
    classroom = classes.with_code(code)
    if classroom is None:
        form = CodeForm({"code": code})
        form.add_error("code", NO_SUCH_CLASS)
        return render(request, "classroom/join.html", {"form": form}, status=422)
    if classroom.teacher == viewer(request):
        return redirect("classroom:class", classroom.pk)
    if member := classes.member(classroom.pk, viewer(request)):
        if "somebody-else" not in request.POST:
            return render(request, "classroom/who.html", {"classroom": classroom, "member": member})
        accounts.sign_out(request)
        return redirect("classroom:join", classroom.code)
    return _take_a_place(request, classroom)


def _ask_for_code(request: Request) -> HttpResponse:
    form = CodeForm(request.GET if "code" in request.GET else None)
    if not form.is_valid():
        return render(request, "classroom/join.html", {"form": form}, status=422 if form.is_bound else 200)
    if classes.with_code(form.cleaned_data["code"]) is None:
        form.add_error("code", NO_SUCH_CLASS)
        return render(request, "classroom/join.html", {"form": form}, status=422)
    return redirect("classroom:join", form.cleaned_data["code"])


def _take_a_place(request: Request, classroom: Classroom) -> HttpResponse:
    chosen = request.POST.get("offered") or request.POST.get("nickname", "")
    form = NicknameForm({"nickname": chosen} if request.method == "POST" else None)
    if form.is_valid():
        try:
            member, key = students.join(classroom, player_for(request), form.cleaned_data["nickname"])
        except students.Refused as refused:
            form.add_error(refused.field, refused.message)
        else:
            if key:
                request.session[KEYS] = request.session.get(KEYS, {}) | {str(member.pk): key}
            _stay(request, classroom)
            return redirect("classroom:class", classroom.pk)
    offered = names.offer(list(classroom.members.values_list("nickname", flat=True)))
    context = {"classroom": classroom, "form": form, "offered": offered}
    return render(request, "classroom/join.html", context, status=422 if form.is_bound else 200)


def _stay(request: Request, classroom: Classroom) -> None:
    """A guest's device forgets the student when the class says so; an account has its own sign-out."""
    seconds = STAY_SECONDS.get(classroom.stay)
    if seconds is not None and not request.user.is_authenticated:
        request.session.set_expiry(seconds)


def _too_many(request: Request, wait: int) -> HttpResponse:
    response = problem(request, 429, CODES[429], f"Try again in {wait} seconds.", retryAfter=wait)
    response["Retry-After"] = str(wait)
    return response


@never_cache
@require_http_methods(["GET", "POST"])
def come_back(request: Request) -> HttpResponse:
    """The return key. Guessing is slowed per class, whoever tries, and per address, whatever it tries."""
    form = KeyForm(request.POST if request.method == "POST" else None, initial={"code": request.GET.get("code", "")})
    if form.is_valid():
        code, key = form.cleaned_data["code"], form.cleaned_data["key"]
        if wait := max(spend("return-key", f"c:{code}"), spend("return-key-from", f"a:{address(request)}")):
            return _too_many(request, wait)
        classroom = classes.with_code(code)
        if classroom is None:
            form.add_error("code", NO_SUCH_CLASS)
        else:
            try:
                _make_room(request, classroom, key)
                students.come_back(classroom, key, player_for(request))
                _stay(request, classroom)
                return redirect("classroom:class", classroom.pk)
            except students.Refused as refused:
                form.add_error(refused.field, refused.message)
    return render(request, "classroom/return.html", {"form": form}, status=422 if form.is_bound else 200)


def _make_room(request: Request, classroom: Classroom, key: str) -> None:
    """On a device that goes round, the student who was here before is signed out; the own key brings them back."""
    here = classes.member(classroom.pk, viewer(request))
    if here is None or here.player is None or not here.player.is_guest:
        return
    if students.opens(classroom, key) not in (None, here):
        accounts.sign_out(request)


@require_POST
@limited("play")
@for_student
def renew_key(request: Request, member: Membership) -> HttpResponse:
    """A new return key for who has lost the old one and is still here."""
    request.session[KEYS] = request.session.get(KEYS, {}) | {str(member.pk): students.renew_key(member)}
    return redirect("classroom:class", member.classroom_id)


@never_cache
@require_http_methods(["GET", "POST"])
@limited("play", methods=("POST",))
def sign_out(request: Request, class_id: uuid.UUID) -> HttpResponse:
    """Make room for the next student at this device. Without a key there is no way back, so one can be made here."""
    member = classes.member(class_id, viewer(request))
    if member is None:
        raise Http404
    context: dict[str, Any] = {"classroom": member.classroom, "member": member}
    if request.method == "GET":
        return render(request, "classroom/sign_out.html", context)
    key = students.renew_key(member) if "key" in request.POST else ""
    accounts.sign_out(request)
    return render(request, "classroom/signed_out.html", context | {"key": key})


# -- At home ------------------------------------------------------------------------------------------------------


def home(request: Request, member: Membership) -> HttpResponse:
    """What there is to do; for who still waits, a page that notices by itself."""
    keys = request.session.get(KEYS, {})
    context: dict[str, Any] = {"classroom": member.classroom, "member": member, "key": keys.get(str(member.pk))}
    if member.standing == Standing.WAITING:
        if is_live(request):
            return HttpResponse(status=204)
        return render(request, "classroom/waiting.html", context)
    if is_live(request):  # the waiting page asks, and the wait is over
        return HttpResponse(status=204, headers={"HX-Refresh": "true"})
    if context["key"]:
        request.session[KEYS] = {m: key for m, key in keys.items() if m != str(member.pk)}
    played = classes.games_of([member])[member.pk]
    context |= {
        "tasks": assignments.progress(member.classroom.assignments.all(), member),
        "round": member.classroom.rounds.exclude(phase=Phase.CLOSED).first(),
        "running": [game for game in played if game.status in ("active", "waiting")][-1:],
        "student": classes.Student(member, tuple(played), 0),
        "recent": [game for game in reversed(played) if game.status == "completed"][:8],
    }
    return render(request, "classroom/student.html", context)


@require_POST
@limited("play")
@for_student
def play(request: Request, member: Membership) -> HttpResponse:
    return redirect("dicee:table", students.play(member).pk)


# -- Leaving ------------------------------------------------------------------------------------------------------


@never_cache
@require_http_methods(["GET", "POST"])
@limited("play", methods=("POST",))
@for_student
def leave(request: Request, member: Membership) -> HttpResponse:
    how = request.POST.get("how")
    if request.method == "POST" and how in ("anonymise", "erase"):
        students.leave(member, erase=how == "erase")
        messages.success(request, f"You have left {member.classroom.name}.")
        return redirect("classroom:home")
    context = {"classroom": member.classroom, "member": member, "unchosen": request.method == "POST"}
    return render(request, "classroom/leave.html", context, status=422 if context["unchosen"] else 200)


@never_cache
@require_GET
@for_student
def export(request: Request, member: Membership) -> HttpResponse:
    response = JsonResponse(students.document(member), json_dumps_params={"indent": 2, "ensure_ascii": False})
    response["Content-Disposition"] = 'attachment; filename="oddsmith-my-class.json"'
    return response

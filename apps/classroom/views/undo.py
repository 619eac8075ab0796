"""Asking once before something is taken away, and ten minutes to bring it back."""

from __future__ import annotations

import uuid

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST

from apps.accounts.http import Request
from apps.classroom.models import Assignment, Classroom, Membership
from apps.classroom.services import classes
from apps.classroom.views.doors import viewer
from apps.core.limits import limited

#: What can be brought back, by its word in the address.
KINDS: dict[str, type[Classroom | Assignment | Membership]] = {
    "class": Classroom,
    "assignment": Assignment,
    "student": Membership,
}


def confirmed(request: Request) -> bool:
    return request.POST.get("confirm") == "yes"


def ask(request: Request, title: str, text: str, classroom: Classroom) -> HttpResponse:
    """A page that says what will happen, with the button that does it."""
    context = {"title": title, "text": text, "classroom": classroom}
    return render(request, "classroom/confirm.html", context, status=422)


@require_POST
@limited("play")
def undo(request: Request, kind: str, pk: uuid.UUID) -> HttpResponse:
    """Bring back what this teacher took away less than ten minutes ago."""
    if kind not in KINDS or not classes.restore(KINDS[kind], pk, viewer(request)):
        raise Http404
    messages.success(request, "It is back.")
    row = KINDS[kind].objects.get(pk=pk)
    return redirect("classroom:class", row.pk if isinstance(row, Classroom) else row.classroom_id)

"""Who may enter. For whoever may not, a class does not exist: the answer is 404, as for a mistyped address.

Only a student who went on elsewhere is told so.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable
from contextlib import AbstractContextManager
from functools import wraps
from typing import Any, Concatenate

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django_htmx.http import HttpResponseClientRedirect

from apps.accounts.http import Request
from apps.accounts.models import Player
from apps.classroom.models import Classroom, Membership, Standing
from apps.classroom.services import classes, students

View = Callable[..., HttpResponse]


def viewer(request: Request) -> Player | None:
    return request.player


def in_time_of(classroom: Classroom) -> AbstractContextManager[None]:
    """Dates are written and read in the zone of the class."""
    return timezone.override(classes.zone(classroom))


def nobody_here(request: Request, class_id: uuid.UUID) -> HttpResponse:
    """For who is not in the class: a word to a student who went to another device, else nothing.

    A page that was open and asks for its news is led to that word.
    """
    if not students.has_moved(class_id, viewer(request)):
        raise Http404
    if request.htmx:
        return HttpResponseClientRedirect(reverse("classroom:class", args=[class_id]))
    return render(request, "classroom/moved.html", status=410)


def for_teacher(view: Callable[Concatenate[Request, Classroom, ...], HttpResponse]) -> View:
    """The view gets the class, if the viewer teaches it."""

    @wraps(view)
    def guarded(request: Request, class_id: uuid.UUID, **rest: Any) -> HttpResponse:
        classroom = classes.taught(class_id, viewer(request))
        if classroom is None:
            raise Http404
        with in_time_of(classroom):
            return view(request, classroom, **rest)

    return guarded


def for_student(view: Callable[Concatenate[Request, Membership, ...], HttpResponse]) -> View:
    """The view gets the viewer's own membership, if it stands."""

    @wraps(view)
    def guarded(request: Request, class_id: uuid.UUID, **rest: Any) -> HttpResponse:
        member = classes.member(class_id, viewer(request))
        if member is None or member.standing != Standing.IN:
            return nobody_here(request, class_id)
        with in_time_of(member.classroom):
            return view(request, member, **rest)

    return guarded

"""Who may enter. For whoever may not, a class does not exist: the answer is 404, as for a mistyped address."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from contextlib import AbstractContextManager
from functools import wraps
from typing import Any, Concatenate

from django.http import Http404, HttpResponse
from django.utils import timezone

from apps.accounts.http import Request
from apps.accounts.models import Player
from apps.classroom.models import Classroom, Membership, Standing
from apps.classroom.services import classes

View = Callable[..., HttpResponse]


def viewer(request: Request) -> Player | None:
    return request.player


def in_time_of(classroom: Classroom) -> AbstractContextManager[None]:
    """Dates are written and read in the zone of the class."""
    return timezone.override(classes.zone(classroom))


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
            raise Http404
        with in_time_of(member.classroom):
            return view(request, member, **rest)

    return guarded

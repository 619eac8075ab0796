"""Practice sessions and the daily challenge. Looking makes no player; an answer that is kept does."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate, ParamSpec

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from apps.accounts.http import Request, is_live
from apps.accounts.services import known_player, player_for
from apps.core.limits import limited
from apps.practice import services as drills
from apps.practice.services import Answered, NotReadyError, Refused, Run
from apps.practice.services import daily as challenge
from apps.practice.services import progress as learnt

RUN_KEY = "practice"  # of the browser's session
RETRY_SECONDS = 30

P = ParamSpec("P")
View = Callable[Concatenate[Request, P], HttpResponse]


def when_solved(view: View[P]) -> View[P]:
    """Questions need the solved game: while it is being computed, say so and when to come back."""

    @wraps(view)
    def guarded(request: Request, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        try:
            return view(request, *args, **kwargs)
        except NotReadyError:
            response = render(request, "practice/not_ready.html", status=503)
            response["Retry-After"] = str(RETRY_SECONDS)
            return response

    return guarded


def _is_partial(request: Request) -> bool:
    return is_live(request)


# -- Practice -----------------------------------------------------------------------------------------------------


@never_cache
@require_GET
@limited("compute")
def practice(request: Request) -> HttpResponse:
    """What there is to practise."""
    return _door(request, drills.subject_of(request.GET))


def _door(request: Request, subject: str, level: str = "1", error: str = "", status: int = 200) -> HttpResponse:
    player = known_player(request)
    context = {
        "subjects": drills.SUBJECTS,
        "levels": drills.LEVELS,
        "subject": subject,
        "level": level,
        "error": error,
        "waiting": drills.waiting(player),
        "figures": drills.figures(player),
        "run": _run_of(request),
        "questions": drills.QUESTIONS,
        "streak": challenge.streak(player),
    }
    return render(request, "practice/home.html", context, status=status)


@require_POST
@limited("compute")
@when_solved
def start(request: Request) -> HttpResponse:
    subject, level = request.POST.get("subject", drills.MIXED), request.POST.get("level", "1")
    try:
        run = drills.start(known_player(request), subject, level)
    except Refused as refused:
        return _door(request, subject, level, refused.message, 422)
    request.session[RUN_KEY] = run.kept()
    return redirect("practice:run")


def _run_of(request: Request) -> Run | None:
    return Run.read(request.session.get(RUN_KEY))


@never_cache
@require_GET
@limited("compute")
@when_solved
def run(request: Request) -> HttpResponse:
    """The question on the table, or what the session came to."""
    course = _run_of(request)
    if course is None:
        return redirect("practice:home")
    if course.asked is None:
        return _summary(request, course)
    return _question(request, course)


def _question(request: Request, course: Run, error: str = "", status: int = 200) -> HttpResponse:
    assert course.asked is not None
    item = course.asked
    asked = drills.riddle(item) if item.box else drills.problem(item, known_player(request))
    context = {"run": course, "item": item, "question": asked, "error": error, "total": drills.QUESTIONS}
    page = "practice/components/drill.html" if _is_partial(request) else "practice/drill.html"
    return render(request, page, context, status=status)


def _summary(request: Request, course: Run) -> HttpResponse:
    titles = {value: title for value, title, _ in drills.SUBJECTS}
    lines = [(titles.get(done.concept, done.concept), done) for done in course.done]
    context = {"run": course, "lines": lines, "waiting": drills.waiting(known_player(request))}
    return render(request, "practice/practised.html", context)


@require_POST
@limited("compute")
@when_solved
def answer(request: Request) -> HttpResponse:
    """How good an answer is, and why."""
    course = _run_of(request)
    if course is None:
        return redirect("practice:home")
    try:
        after, judged = drills.answer(
            course, player_for(request), request.POST.get("position", ""), request.POST.get("answer", "")
        )
    except Refused as refused:
        return _again(request, course, refused)
    request.session[RUN_KEY] = after.kept()
    if after.asked is None:
        learnt.ask_for_refresh(player_for(request))
    return _verdict(request, judged, {"run": after, "total": drills.QUESTIONS})


def _again(request: Request, course: Run, refused: Refused) -> HttpResponse:
    """Say what was wrong and show the open question; an answer sent twice leads to where the session is."""
    if refused.code == "ERR_CONFLICT" or course.asked is None:
        messages.info(request, refused.message)
        return _go(request, reverse("practice:run"))
    return _question(request, course, refused.message, 422)


def _go(request: Request, address: str) -> HttpResponse:
    if not _is_partial(request):
        return redirect(address)
    response = HttpResponse(status=204)
    response["HX-Redirect"] = address
    return response


def _verdict(request: Request, judged: Answered, more: dict[str, Any]) -> HttpResponse:
    context = {"judged": judged, "item": judged.item, "question": judged.question, "grade": judged.grade}
    context |= {"chosen": judged.chosen, "guess": judged.guess, **more}
    page = "practice/components/judged_answer.html" if _is_partial(request) else "practice/judged.html"
    return render(request, page, context)


# -- The daily challenge ------------------------------------------------------------------------------------------


@never_cache
@require_GET
@limited("compute")
@when_solved
def daily(request: Request) -> HttpResponse:
    """Today's next position, or how it went."""
    return _day(request, challenge.today())


@never_cache
@require_GET
@limited("compute")
@when_solved
def past_day(request: Request, day: str) -> HttpResponse:
    """A day that is over, with its solutions. There is no looking ahead."""
    try:
        date = datetime.date.fromisoformat(day)
    except ValueError as error:
        raise Http404 from error
    if not challenge.is_open(date):
        raise Http404
    return redirect("practice:daily") if date == challenge.today() else _day(request, date)


def _day(request: Request, day: datetime.date, error: str = "", status: int = 200) -> HttpResponse:
    found = challenge.look(day, known_player(request))
    is_today = day == challenge.today()
    open_line = found.next if is_today else None
    context: dict[str, Any] = {"day": found, "is_today": is_today, "line": open_line, "error": error}
    if open_line is not None:
        context["question"] = open_line.question
    elif found.finished:
        link = request.build_absolute_uri(reverse("practice:daily"))
        context["share_text"] = found.share_text(link)
    page = "practice/components/daily_question.html" if open_line and _is_partial(request) else "practice/daily.html"
    return render(request, page, context, status=status)


@require_POST
@limited("compute")
@when_solved
def daily_answer(request: Request) -> HttpResponse:
    """The attempt that counts."""
    day = challenge.today()
    try:
        judged = challenge.answer(
            day, player_for(request), request.POST.get("position", ""), request.POST.get("answer", "")
        )
    except Refused as refused:
        if refused.code == "ERR_CONFLICT":
            messages.info(request, refused.message)
            return _go(request, reverse("practice:daily"))
        return _day(request, day, refused.message, 422)
    return _verdict(request, judged, {"daily": True})

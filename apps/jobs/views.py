"""A player's jobs as pages. Progress comes over the WebSocket; without JavaScript the page reloads itself."""

from __future__ import annotations

import uuid

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from apps.core.limits import limited
from apps.jobs import registry, services
from apps.jobs.models import Job

SHOWN = 50


@never_cache
@require_GET
def home(request: HttpRequest) -> HttpResponse:
    jobs = services.visible_to(request.player).defer("document", "result")[:SHOWN]  # type: ignore[attr-defined]
    return render(request, "jobs/home.html", {"jobs": [(job, registry.find(job.kind)) for job in jobs]})


@never_cache
@require_GET
def job(request: HttpRequest, job_id: uuid.UUID) -> HttpResponse:
    return render(request, "jobs/job.html", _context(_find(request, job_id)))


@never_cache
@require_GET
def result(request: HttpRequest, job_id: uuid.UUID) -> HttpResponse:
    """The result slot on its own, fetched when the job ends."""
    return render(request, "jobs/_result.html", _context(_find(request, job_id)))


@require_POST
@limited("play")
def cancel(request: HttpRequest, job_id: uuid.UUID) -> HttpResponse:
    found = services.cancel(_find(request, job_id), by=request.player)  # type: ignore[attr-defined]
    if request.htmx:  # type: ignore[attr-defined]
        return render(request, "jobs/_job.html", _context(found))
    return redirect(found)


def _find(request: HttpRequest, job_id: uuid.UUID) -> Job:
    return services.find(job_id, request.player)  # type: ignore[attr-defined]


def _context(found: Job) -> dict[str, object]:
    return {"job": found, "kind": registry.find(found.kind)}

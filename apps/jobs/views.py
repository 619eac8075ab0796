"""A player's jobs as pages. Progress comes over the WebSocket; without JavaScript the page reloads itself."""

from __future__ import annotations

import uuid

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from apps.accounts.http import Request, is_live
from apps.core.limits import limited
from apps.jobs import registry, services
from apps.jobs.models import Job

SHOWN = 50


@never_cache
@require_GET
def home(request: Request) -> HttpResponse:
    jobs = services.visible_to(request.player).defer("document", "result")[:SHOWN]
    return render(request, "jobs/home.html", {"jobs": [(job, registry.find(job.kind)) for job in jobs]})


@never_cache
@require_GET
def job(request: Request, job_id: uuid.UUID) -> HttpResponse:
    return render(request, "jobs/job.html", _context(_find(request, job_id)))


@never_cache
@require_GET
def result(request: Request, job_id: uuid.UUID) -> HttpResponse:
    """The result slot on its own, fetched when the job ends."""
    return render(request, "jobs/components/result.html", _context(_find(request, job_id)))


@require_POST
@limited("play")
def cancel(request: Request, job_id: uuid.UUID) -> HttpResponse:
    found = services.cancel(_find(request, job_id), by=request.player)
    if is_live(request):
        return render(request, "jobs/components/job.html", _context(found))
    return redirect(found)


def _find(request: Request, job_id: uuid.UUID) -> Job:
    return services.find(job_id, request.player)


def _context(found: Job) -> dict[str, object]:
    return {"job": found, "kind": registry.find(found.kind)}

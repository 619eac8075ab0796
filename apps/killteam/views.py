"""What is not a calculator: starting a matrix job and reading what came of it, the library, a player's own profiles."""

from __future__ import annotations

import uuid
from typing import Any
from urllib.parse import urlencode, urlsplit

from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from apps.accounts.services import player_for
from apps.core.calculator import csv_response
from apps.core.limits import limited
from apps.jobs import services as jobs
from apps.jobs.models import State
from apps.killteam.forms import MatrixForm
from apps.killteam.services import matrix


def _sheet(request: HttpRequest) -> QueryDict:
    """The settings a page sent along as its own address."""
    return QueryDict(urlsplit(request.POST.get("path", "")).query)


@require_POST
@limited("job")
def run_matrix(request: HttpRequest) -> HttpResponse:
    form = MatrixForm(_sheet(request))
    if not form.is_valid():
        raise Http404
    try:
        document = matrix.document(form.settings())
    except ValidationError:  # the page has said so beside the list already
        return redirect(f"{request.POST['path']}")
    return redirect(jobs.start(player_for(request), "killteam.matrix", document))


@never_cache
@require_GET
def matrix_job(request: HttpRequest, job_id: uuid.UUID) -> HttpResponse:
    """A finished matrix, to sort and read."""
    result = _finished(request, job_id)
    chosen = {"show": request.GET.get("show", "kill"), "order": request.GET.get("order", "best")}
    show = chosen["show"] if chosen["show"] in matrix.MEASURES else "kill"
    order = chosen["order"] if chosen["order"] in dict(matrix.ORDERS) else "best"
    column, row = (_number(request, key) for key in ("column", "row"))
    context: dict[str, Any] = {
        "job_id": job_id,
        "matrix": matrix.arranged(result, show=show, order=order, column=column, row=row),
        "size": len(result["attackers"]) * len(result["defenders"]),
        "measures": matrix.MEASURES.values(),
        "orders": matrix.ORDERS,
        "order": order,
        "query": urlencode({"show": show, "order": order, "column": column, "row": row}),
    }
    return render(request, "killteam/matrix_job.html", context)


@never_cache
@require_GET
def matrix_job_csv(request: HttpRequest, job_id: uuid.UUID, show: str) -> HttpResponse:
    if show not in matrix.MEASURES:
        raise Http404
    return csv_response(f"matrix-{show}", matrix.table(_finished(request, job_id), show))


def _finished(request: HttpRequest, job_id: uuid.UUID) -> dict[str, Any]:
    job = jobs.find(job_id, request.player)  # type: ignore[attr-defined]
    if job.kind != "killteam.matrix" or job.state != State.DONE or job.result is None:
        raise Http404
    return dict(job.result)


def _number(request: HttpRequest, name: str) -> int:
    text = request.GET.get(name, "")
    return int(text) if text.isdecimal() and len(text) < 4 else 0

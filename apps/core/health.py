"""Health endpoints: whether the process is alive, whether every part is ready, and the metrics."""

from __future__ import annotations

import hmac
import time

from django.conf import settings
from django.db import connection
from django.http import HttpRequest, HttpResponse, JsonResponse

from apps.core import metrics
from apps.core.cache import client
from apps.core.limits import address
from apps.core.processes import restarts

#: When the site was started: processes are forks of the one that loaded this.
BEGAN = time.monotonic()


def live(request: HttpRequest) -> JsonResponse:
    return JsonResponse({"status": "ok", **_about()})


def _about() -> dict[str, object]:
    return {"version": settings.VERSION, "uptime": round(time.monotonic() - BEGAN)}


def ready(request: HttpRequest) -> JsonResponse:
    """200 when people can play. Without solver tables coaching is less, without Valkey pages look again by themselves
    and jobs wait; without a database nothing can be kept."""
    parts = {"database": _database(), "broker": _broker(), "solverTables": _tables()}
    status = "ok" if all(p == "ok" for p in parts.values()) else "degraded"
    healthy = parts["database"] == "ok"
    body: dict[str, object] = {"status": status if healthy else "down", "parts": parts, **_about()}
    if restarted := restarts():
        body["restarts"] = restarted
    return JsonResponse(body, status=200 if healthy else 503)


def prometheus(request: HttpRequest) -> HttpResponse:
    """For a scraper on this host, or one that carries METRICS_TOKEN."""
    token = request.headers.get("Authorization", "").removeprefix("Bearer ")
    local = address(request) in ("127.0.0.1", "::1") and not settings.BEHIND_PROXY
    if not (local or (settings.METRICS_TOKEN and hmac.compare_digest(token, settings.METRICS_TOKEN))):
        return HttpResponse(status=403)
    body, content_type = metrics.exposition()
    return HttpResponse(body, content_type=content_type)


def _database() -> str:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except Exception as error:
        return f"down: {type(error).__name__}"
    return "ok"


def _broker() -> str:
    try:
        client().ping()
    except Exception as error:
        return f"down: {type(error).__name__}"
    return "ok"


def _tables() -> str:
    """Each rules variant has one file; the warm-up job writes them."""
    found = len(list(settings.TABLES_DIR.glob("dicee-*.values")))
    return "ok" if found >= 3 else f"warming up: {found} of 3"

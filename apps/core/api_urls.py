"""The engine's operations over HTTP, and the health of the service (ruling D8)."""

from django.urls import path

from apps.core import health
from apps.core.api import compute_views

urlpatterns = [
    path("health", health.ready, name="health"),
    path("health/live", health.live, name="health-live"),
    path("health/ready", health.ready, name="health-ready"),
    *(path(f"compute/{op}", view, name=f"compute-{op}") for op, view in compute_views()),
]

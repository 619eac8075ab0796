"""The engine's operations over HTTP."""

from django.urls import path

from apps.core.api import compute_views

urlpatterns = [path(f"compute/{op}", view, name=f"compute-{op}") for op, view in compute_views()]

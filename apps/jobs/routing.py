"""The WebSocket address of a job, ``/ws/v1/jobs/<id>/``."""

from django.urls import path

from apps.jobs.consumers import JobConsumer

urlpatterns = [path("ws/v1/jobs/<uuid:job_id>/", JobConsumer.as_asgi())]  # type: ignore[arg-type]

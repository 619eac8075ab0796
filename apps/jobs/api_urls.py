"""``/api/v1/jobs/``: look at a job and cancel it."""

from django.urls import path

from apps.jobs.api import JobView

urlpatterns = [path("jobs/<uuid:job_id>", JobView.as_view(), name="job-api")]

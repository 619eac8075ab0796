"""``/jobs/``: a player's jobs."""

from django.urls import path

from apps.jobs import views

app_name = "jobs"
urlpatterns = [
    path("", views.home, name="home"),
    path("<uuid:job_id>/", views.job, name="job"),
    path("<uuid:job_id>/result/", views.result, name="result"),
    path("<uuid:job_id>/cancel/", views.cancel, name="cancel"),
]

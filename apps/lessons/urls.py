"""``/classroom/lessons/``: the built-in lessons."""

from django.urls import URLPattern, path

from apps.lessons import views

app_name = "lessons"
urlpatterns: list[URLPattern] = [
    path("lessons/", views.overview, name="overview"),
    path("lessons/<slug:slug>/", views.lesson, name="lesson"),
]

"""Addresses of the built-in lessons."""

from django.urls import URLPattern, path

from apps.classroom.views import lessons

urlpatterns: list[URLPattern] = [
    path("lessons/", lessons.overview, name="lessons"),
    path("lessons/<slug:slug>/", lessons.lesson, name="lesson"),
]

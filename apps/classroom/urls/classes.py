"""Addresses of the landing page, classes, students, assignments."""

from django.urls import URLPattern

urlpatterns: list[URLPattern] = []

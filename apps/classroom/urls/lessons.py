"""Addresses of the built-in lessons."""

from django.urls import URLPattern

urlpatterns: list[URLPattern] = []

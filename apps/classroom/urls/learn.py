"""Addresses of a player's own progress, practice and the daily challenge."""

from django.urls import URLPattern

urlpatterns: list[URLPattern] = []

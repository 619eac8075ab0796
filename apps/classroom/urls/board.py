"""Addresses of the live board, rounds and what a class's figures say."""

from django.urls import URLPattern

urlpatterns: list[URLPattern] = []

"""Home, health and the pages that belong to no game."""

from django.urls import path

from apps.core import health, views

app_name = "core"
urlpatterns = [
    path("", views.home, name="home"),
    path("settings/", views.settings, name="settings"),
    path("keyboard/", views.keyboard, name="keyboard"),
    path("styleguide/", views.styleguide, name="styleguide"),
    path("health/live", health.live, name="live"),
    path("health/ready", health.ready, name="ready"),
    path("metrics", health.prometheus, name="metrics"),
]

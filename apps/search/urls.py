"""``/search/``: one search over everything that has an address."""

from django.urls import path

from apps.search import views

app_name = "search"
urlpatterns = [path("", views.search, name="search")]

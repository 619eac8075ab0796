"""``/help/``: how to play, how the numbers come about, what the words mean."""

from django.urls import path

from apps.help import views

app_name = "help"
urlpatterns = [
    path("", views.contents, name="contents"),
    path("<slug:slug>/", views.page, name="page"),
]

"""``/dice/``: the page, its files, and what it does besides answering."""

from django.urls import path

from apps.dice import views
from apps.dice.calculator import DICE

app_name = "dice"
urlpatterns = [
    path("roll/", views.roll, name="roll"),
    path("verify/", views.verify, name="verify"),
    path("compute/", views.compute, name="compute"),
    path("chart.svg", views.drawing, name="drawing"),
    path("embed/", views.embed, name="embed"),
    path("language/", views.language, name="language"),
    *DICE.urls(),
]

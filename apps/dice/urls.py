"""``/dice/``: the page, its files, and what it does besides answering."""

from django.urls import path

from apps.core.calculator import Calculator
from apps.dice import services, views
from apps.dice.examples import EXAMPLES
from apps.dice.forms import DiceForm

app_name = "dice"

dice = Calculator(
    name="dice",
    title="Dice",
    lead="Any dice, any rule, every result: exact, at once, explained.",
    form=DiceForm,
    answer=services.answer,
    extras=services.extras,
    inputs="dice/inputs.html",
    results="dice/results.html",
    page_template="dice/page.html",
    styles=("css/pages/dice.css",),
    presets=EXAMPLES,
)
urlpatterns = [
    path("roll/", views.roll, name="roll"),
    path("verify/", views.verify, name="verify"),
    path("compute/", views.compute, name="compute"),
    *dice.urls(),
]

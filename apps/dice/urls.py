"""``/dice/``: a calculator and its CSV."""

from apps.core.calculator import Calculator, Preset
from apps.dice import services
from apps.dice.forms import DiceForm

app_name = "dice"

dice = Calculator(
    name="dice",
    title="Dice",
    lead="Any dice, every total, exact.",
    form=DiceForm,
    answer=services.answer,
    extras=services.extras,
    inputs="dice/inputs.html",
    results="dice/results.html",
    presets=(
        Preset("Two dice", {"roll": "2D6", "target": 7}, "the classic bell"),
        Preset("Ability score", {"roll": "4D6kh3", "target": 15}, "four dice, the best three count"),
        Preset("Charge", {"roll": "2D6", "target": 9}, "nine inches or more"),
        Preset("A fistful", {"roll": "20D6", "target": 70}),
    ),
)
urlpatterns = dice.urls()

"""The dice page as a calculator: which form, which service and which templates belong together."""

from __future__ import annotations

from apps.core.calculator import Calculator
from apps.dice import services
from apps.dice.examples import EXAMPLES
from apps.dice.forms import DiceForm, twelve_by_default

DICE = Calculator(
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
    scripts=("js/dice/editor.js", "js/dice/picture.js"),
    presets=EXAMPLES,
    version=2,
    upgrades={1: twelve_by_default},
)

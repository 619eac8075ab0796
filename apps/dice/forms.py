"""What a reader can ask: which dice, which target."""

from apps.core.forms import CalculatorForm, Choice, Whole, Words

QUESTIONS = [("at_least", "At least"), ("exactly", "Exactly"), ("at_most", "At most")]


class DiceForm(CalculatorForm):
    roll = Words("Dice", "3D6+2", hint="like 3D6+2, D3, 4D6kh3 or 2D8+D4-1")
    question = Choice("Question", QUESTIONS, as_segments=True)
    target = Whole("Target", -10_000, 200_000, 12)

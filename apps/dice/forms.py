"""What a reader can ask: a program of the dice language, which target, and how it is answered."""

from __future__ import annotations

import re
from typing import Any

from django.core.exceptions import ValidationError
from django.http import QueryDict

from apps.core.forms import CalculatorForm, Choice, Lines, Words

QUESTIONS = [("at_least", "At least"), ("exactly", "Exactly"), ("at_most", "At most")]
NOTATIONS = [
    ("auto", "Tell by its marks"),
    ("oddsmith", "Oddsmith"),
    ("roll20", "Roll20 or Foundry"),
    ("anydice", "AnyDice"),
]
METHODS = [("exact", "Exactly"), ("simulate", "By simulation")]
LOWEST, HIGHEST = -2_000_000, 2_000_000


class Program(Lines):
    """A text of the dice language; an empty one is told what could be in it."""

    def __init__(self, label: str, initial: str, *, most: int) -> None:
        super().__init__(label, initial, most=most, required=True)
        self.error_messages["required"] = "There is nothing to roll yet. Write dice like 3D6+2, 4D6kh3 or D6 vs D8."


class Target(Words):
    """A whole number, or nothing: then the average is the headline."""

    def clean(self, value: Any) -> str:
        entered = str(super().clean(value)).strip().replace("−", "-")
        if not entered:
            return ""
        if not re.fullmatch(r"-?[0-9]{1,7}", entered) or not LOWEST <= int(entered) <= HIGHEST:
            raise ValidationError(
                f"{self.label} must be a number from −2,000,000 to 2,000,000, or empty; you entered {entered[:20]}."
            )
        return str(int(entered))


class DiceForm(CalculatorForm):
    roll = Program("Dice", "3D6+2", most=4000)
    question = Choice("Question", QUESTIONS, as_segments=True)
    target = Target("Target", "", most=12, required=False, hint="empty: the average")
    notation = Choice("Notation", NOTATIONS)
    method = Choice("Answered", METHODS, as_segments=True)


def twelve_by_default(data: QueryDict) -> None:
    """An address of the first version asks for 12 where it names no target; since then for the average."""
    for prefix in ("", "b-"):
        data.setdefault(f"{prefix}target", "12")

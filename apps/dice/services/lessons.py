"""Questions that go with the lessons, in the language of the dice page and answered by it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from urllib.parse import urlencode

from django.urls import reverse

from apps.core import formats
from engine.dice.language.program import answer

#: Data table: the slug of a lesson, and what its reader can ask next.
QUESTIONS: dict[str, tuple[str, ...]] = {
    "sample-space": ("2D6 = 7", "2D6 = 11", "D6 > D8"),
    "complement": ("3D6 count 6 >= 1", "5D6 count 1 = 0"),
    "large-numbers": ("10D6 count 6 >= 3", "100D6 count 6 >= 30"),
    "expected-value": ("2D6", "4D6kh3", "if D6 = 6 then 10 else 0"),
    "conditional": ("a = D6; b = D6; a + b given a > b", "p = 2D6; p given p count 6 >= 1"),
    "stopping": ("2D6r<3", "2D6ro<3"),
}


@dataclass(frozen=True, slots=True)
class Question:
    """A line of the language, what it answers, and where to change it."""

    text: str
    answer: str

    @property
    def href(self) -> str:
        query = {"v": "1", "roll": self.text.replace("; ", "\n"), "target": ""}
        return f"{reverse('dice:dice')}?{urlencode(query)}"


@cache
def questions(lesson: str) -> tuple[Question, ...]:
    """The questions of a lesson with their exact answers."""
    return tuple(_answered(text) for text in QUESTIONS.get(lesson, ()))


def _answered(text: str) -> Question:
    line = answer(text)[-1]
    if line.kind == "truth":
        return Question(text, formats.percent(line.pmf.exactly(1)))
    return Question(text, f"{formats.number(line.pmf.mean)} on average")

"""The lessons and how to read them: what a step shows, what a question offers, the fraction a text begins with."""

from __future__ import annotations

import re
from fractions import Fraction
from itertools import product

import pytest
from django.http import QueryDict

from apps.lessons import services as lessons
from apps.lessons.services.lesson import Lesson, fill
from apps.lessons.services.units import (
    complement,
    conditional,
    expected_value,
    large_numbers,
    sample_space,
    stopping,
)

SPACE, COMPLEMENT, CONDITIONAL = sample_space.LESSON, complement.LESSON, conditional.LESSON
VALUE, NUMBERS, STOPPING = expected_value.LESSON, large_numbers.LESSON, stopping.LESSON
HALF, SIXTH = Fraction(1, 2), Fraction(1, 6)
TWO_DICE = list(product(range(1, 7), repeat=2))
every_lesson = pytest.mark.parametrize("lesson", lessons.LESSONS, ids=lambda lesson: lesson.slug)


def shown(lesson: Lesson, slug: str, query: str = ""):
    """What a step shows of an address."""
    page = lessons.open_page(lesson, QueryDict(query), only=slug)
    assert not page.errors
    return next(step.shown for step in page.steps if step.step.slug == slug)


def asked(lesson: Lesson, name: str) -> dict[str, str]:
    """The texts of a question's options, by key; the right one under "right answer" too."""
    question = next(question for question in lesson.questions if question.name == name)
    texts = {option.key: fill(option.text, lesson.facts()) for option in question.options}
    return texts | {"right answer": texts[question.right.key]}


def chance(text: str) -> Fraction:
    """The fraction a text begins with: "20/7,776", "1/6: because …"."""
    found = re.match(r"([\d,]+)/([\d,]+)", text)
    assert found, text
    return Fraction(int(found[1].replace(",", "")), int(found[2].replace(",", "")))


def share_of(event, outcomes) -> Fraction:
    outcomes = list(outcomes)
    return Fraction(sum(map(event, outcomes)), len(outcomes))


def makes(box: str, dice: tuple[int, ...]) -> bool:
    """Dicee's boxes once more, from the rules."""
    counts = sorted((dice.count(face) for face in set(dice)), reverse=True)
    runs = [set(range(low, low + size)) <= set(dice) for size in (4, 5) for low in range(1, 8 - size)]
    return {
        "full_house": counts == [3, 2],
        "three_of_kind": counts[0] >= 3,
        "four_of_kind": counts[0] >= 4,
        "small_straight": any(runs),
        "large_straight": any(runs[3:]),
        "dicee": counts[0] == 5,
    }[box]

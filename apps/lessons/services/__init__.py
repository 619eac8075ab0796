"""Six short units. Each is a file of words and a few counts; ``page`` reads an address."""

from dataclasses import dataclass

from apps.lessons.services.lesson import Lesson, fill
from apps.lessons.services.page import Page, open_page
from apps.lessons.services.units import (
    complement,
    conditional,
    expected_value,
    large_numbers,
    sample_space,
    stopping,
)

__all__ = ["LESSONS", "Card", "Lesson", "Page", "around", "cards", "find", "open_page"]

#: In the order in which they build on each other.
LESSONS = (
    sample_space.LESSON,
    complement.LESSON,
    conditional.LESSON,
    expected_value.LESSON,
    large_numbers.LESSON,
    stopping.LESSON,
)


def find(slug: str) -> Lesson | None:
    return next((lesson for lesson in LESSONS if lesson.slug == slug), None)


@dataclass(frozen=True)
class Card:
    """A lesson on the overview: its figure first."""

    number: int
    lesson: Lesson
    figure: str
    figure_says: str
    hook: str


def cards() -> list[Card]:
    made = []
    for number, lesson in enumerate(LESSONS, 1):
        facts = lesson.facts()
        words = (fill(text, facts) for text in (lesson.headline, lesson.headline_says, lesson.hook))
        made.append(Card(number, lesson, *words))
    return made


@dataclass(frozen=True)
class Around:
    """Where a lesson stands among the others."""

    number: int
    total: int
    before: Lesson | None
    after: Lesson | None


def around(lesson: Lesson) -> Around:
    at = LESSONS.index(lesson)
    before = LESSONS[at - 1] if at else None
    after = LESSONS[at + 1] if at + 1 < len(LESSONS) else None
    return Around(at + 1, len(LESSONS), before, after)

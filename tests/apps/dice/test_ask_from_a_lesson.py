"""Lessons end with questions in the language of the dice page, answered exactly."""

from __future__ import annotations

from html import unescape

import pytest
from django.test import Client

from apps.dice.services.lessons import QUESTIONS, questions
from apps.lessons.services.lesson import UNITS

pytestmark = pytest.mark.django_db


def test_every_lesson_has_questions() -> None:
    assert set(QUESTIONS) == {path.stem for path in UNITS.glob("*.toml")}


@pytest.mark.parametrize("lesson", QUESTIONS)
def test_the_lesson_shows_them_with_links_that_answer(client: Client, lesson: str) -> None:
    page = unescape(client.get(f"/classroom/lessons/{lesson}/").content.decode())
    for question in questions(lesson):
        assert question.answer in page
        reply = client.get(question.href)
        assert reply.status_code == 200
        assert question.answer.removesuffix(" on average").split("\xa0")[0] in unescape(reply.content.decode())


def test_the_answers_are_those_of_counting() -> None:
    sevens, elevens, larger = questions("sample-space")
    assert (sevens.answer, elevens.answer, larger.answer) == ("16.7\xa0%", "5.6\xa0%", "31.3\xa0%")
    assert questions("complement")[0].answer == "42.1\xa0%"  # 1 - (5/6)^3

"""The files of the units: every one is read, fits its schema and its code, and a slip in one is refused by name."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from pydantic import ValidationError

from apps.lessons import services as lessons
from apps.lessons.services.lesson import UNITS, Lesson
from tests.apps.lessons.lesson_texts import every_lesson

FILES = sorted(UNITS.glob("*.toml"))


def written(lesson: Lesson) -> dict:
    return tomllib.loads((UNITS / f"{lesson.slug}.toml").read_text(encoding="utf-8"))


def read_again(lesson: Lesson, words: dict) -> Lesson:
    widgets = {widget.name: widget for widget in lesson.widgets}
    dice = {written["dice"]: (1,) for step in words["steps"] if (written := step.get("question", {})).get("dice")}
    return Lesson.model_validate({**words, "facts": lesson.facts}, context={"widgets": widgets, "dice": dice})


def test_every_file_is_a_lesson_and_every_lesson_a_file() -> None:
    assert {path.stem for path in FILES} == {lesson.slug for lesson in lessons.LESSONS}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_file_can_be_reviewed_line_by_line(path: Path) -> None:
    assert [line for line in path.read_text(encoding="utf-8").splitlines() if len(line) > 120] == []


@every_lesson
def test_a_file_names_itself_and_each_of_its_widgets_once(lesson: Lesson) -> None:
    words = written(lesson)
    named = [step["widget"] for step in words["steps"] if "widget" in step]
    assert words["slug"] == lesson.slug
    assert len(named) == len(set(named))
    assert named == [widget.name for widget in lesson.widgets]


@every_lesson
def test_a_key_that_nobody_reads_is_refused(lesson: Lesson) -> None:
    words = written(lesson)
    words["steps"][0]["hints"] = "a misspelt key"
    with pytest.raises(ValidationError, match=r"steps\.0\.hints"):
        read_again(lesson, words)


@every_lesson
def test_a_missing_text_and_an_unknown_kind_are_refused(lesson: Lesson) -> None:
    words = written(lesson)
    del words["steps"][0]["title"]
    words["steps"][1]["kind"] = "Sing"
    with pytest.raises(ValidationError) as refused:
        read_again(lesson, words)
    assert {error["loc"] for error in refused.value.errors()} == {("steps", 0, "title"), ("steps", 1, "kind")}


@every_lesson
def test_a_widget_that_the_code_does_not_have_is_refused(lesson: Lesson) -> None:
    words = written(lesson)
    next(step for step in words["steps"] if "widget" in step)["widget"] = "crystal_ball"
    with pytest.raises(ValidationError, match="no widgets called crystal_ball"):
        read_again(lesson, words)

"""A lesson as one address shows it: words with figures, what was set, what was answered.

The address is all there is: guesses, answers and settings are its parameters, nothing about a pupil is kept. What is
left at its default is left out, so a bare address is the lesson untouched and a shared one opens as it was.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any
from urllib.parse import urlencode

from django.core.exceptions import ValidationError
from django.forms.boundfield import BoundField
from django.http import QueryDict

from apps.core.forms import CalculatorForm
from apps.lessons.services.lesson import Facts, Lesson, Pick, Question, Step, Widget, fill

TEACHER = "teacher"


@dataclass(frozen=True)
class ShownOption:
    key: str
    text: str
    says: str
    slip: str
    right: bool
    chosen: bool


@dataclass(frozen=True)
class ShownQuestion:
    """A question with its figures in place and the answer given, if any."""

    name: str
    asks: str
    guess: bool
    dice: tuple[int, ...]
    options: tuple[ShownOption, ...]
    error: str

    @property
    def given(self) -> ShownOption | None:
        return next((option for option in self.options if option.chosen), None)

    @property
    def answer(self) -> ShownOption:
        return next(option for option in self.options if option.right)


@dataclass(frozen=True)
class Recall:
    """A guess beside the truth, once there is a guess."""

    question: ShownQuestion
    step: int
    slug: str
    says: str


@dataclass(frozen=True)
class ShownStep:
    number: int
    step: Step
    title: str
    say: tuple[str, ...]
    find: tuple[str, ...]
    idea: tuple[str, ...]
    question: ShownQuestion | None
    recall: Recall | None
    controls: tuple[BoundField, ...]
    shown: Any | None  # None where there is nothing to handle, or one of its fields needs another value


@dataclass(frozen=True)
class Page:
    lesson: Lesson
    form: CalculatorForm
    steps: tuple[ShownStep, ...]
    facts: Facts
    teacher: bool

    @property
    def query(self) -> str:
        """The address as short as it gets."""
        mode = [("for", TEACHER)] if self.teacher else []
        return urlencode([*mode, *self.form.canonical()])

    @property
    def errors(self) -> dict[str, str]:
        """By the id of the control that needs another value."""
        return {self.form[name].auto_id: str(messages[0]) for name, messages in self.form.errors.items()}

    def refused(self, step: ShownStep) -> bool:
        """Whether something entered in a step must be changed before there is anything to show."""
        question, widget = step.step.question, step.step.widget
        names = {question.name} if question else set()
        return bool((names | set(widget.fields if widget else ())) & self.form.errors.keys())

    def touched(self, step: ShownStep) -> list[ShownStep]:
        """Other steps that show something of this one's settings."""
        return [
            other for other in self.steps if other is not step and other.step in self.lesson.touched(step.step.slug)
        ]

    def recalls(self, step: ShownStep) -> list[ShownStep]:
        """Steps that come back to the answer given in this one."""
        asked = step.step.question
        return [other for other in self.steps if asked and other.step.recall == asked.name]

    def write(self, text: str) -> str:
        return fill(text, self.facts)

    @property
    def hook(self) -> str:
        return self.write(self.lesson.hook)

    @property
    def goals(self) -> list[str]:
        return [self.write(goal) for goal in self.lesson.goals]

    @property
    def note(self) -> dict[str, Any]:
        """The teacher's note; answers and slips come from the questions themselves."""
        note = self.lesson.note
        return {
            "run": [self.write(line) for line in note.run],
            "board": [(self.write(line.asks), self.write(line.answer)) for line in note.board],
            "watch": [(self.write(line.name), self.write(line.says)) for line in note.watch],
            "further": [self.write(line) for line in note.further],
            "words": note.words,
            "timing": [(step.title, step.step.minutes) for step in self.steps],
            "questions": [
                (step.number, step.question, self._why(step.question)) for step in self.steps if step.question
            ],
        }

    def _why(self, question: ShownQuestion) -> str:
        """What the answer says of itself; a guess is explained where the lesson comes back to it."""
        back = [step.recall.says for step in self.steps if step.recall and step.recall.question.name == question.name]
        return question.answer.says or " ".join(back)


@cache
def form_class(lesson: Lesson) -> type[CalculatorForm]:
    """The one form of a lesson: a pick per question and the fields of everything there is to handle."""
    picks = {q.name: Pick("The answer", [(o.key, o.text) for o in q.options]) for q in lesson.questions}
    fields = {name: field for widget in lesson.widgets for name, field in widget.fields.items()}
    assert not picks.keys() & fields.keys(), "a question and a field share a name"
    return type("LessonForm", (CalculatorForm,), {"name": None, **picks, **fields})


def open_page(lesson: Lesson, query: QueryDict, only: str = "") -> Page:
    """Read an address. ``only`` names the step that is wanted: it alone is drawn, and what depends on its settings."""
    form = form_class(lesson)(query)
    form.is_valid()
    settings = {name: form.cleaned_data.get(name, field.initial) for name, field in form.fields.items()}
    facts, touched = lesson.facts(), lesson.touched(only)
    steps = tuple(
        _step(number, step, lesson, form, settings, facts, wanted=not only or step in touched)
        for number, step in enumerate(lesson.steps, 1)
    )
    return Page(lesson, form, steps, facts, query.get("for") == TEACHER)


def _step(
    number: int,
    step: Step,
    lesson: Lesson,
    form: CalculatorForm,
    settings: Mapping[str, Any],
    facts: Facts,
    wanted: bool,
) -> ShownStep:
    def words(texts: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(fill(text, facts) for text in texts)

    widget = step.widget
    names = [name for name in widget.fields if name not in widget.inside] if widget else []
    return ShownStep(
        number,
        step,
        fill(step.title, facts),
        words(step.say),
        words(step.find),
        words(step.idea),
        _question(step.question, form, facts) if step.question else None,
        _recall(step, lesson, form, facts) if step.recall else None,
        tuple(form[name] for name in names),
        _drawn(widget, form, settings) if widget and wanted else None,
    )


def _question(question: Question, form: CalculatorForm, facts: Facts) -> ShownQuestion:
    given = form.cleaned_data.get(question.name, "")
    options = tuple(
        ShownOption(o.key, fill(o.text, facts), fill(o.says, facts), fill(o.slip, facts), o.right, o.key == given)
        for o in question.options
    )
    errors = form.errors.get(question.name, [""])
    return ShownQuestion(
        question.name, fill(question.asks, facts), question.guess, question.dice, options, str(errors[0])
    )


def _recall(step: Step, lesson: Lesson, form: CalculatorForm, facts: Facts) -> Recall:
    number, asked = next(
        (n, other) for n, other in enumerate(lesson.steps, 1) if other.question and other.question.name == step.recall
    )
    assert asked.question is not None
    return Recall(_question(asked.question, form, facts), number, asked.slug, fill(step.recall_says, facts))


def _drawn(widget: Widget, form: CalculatorForm, settings: Mapping[str, Any]) -> Any | None:
    """What a widget shows, or nothing while one of its fields is refused, by itself or beside the others."""
    if any(name in form.errors for name in widget.fields):
        return None
    try:
        return widget.draw(settings)
    except ValidationError as error:
        for name, messages in error.message_dict.items():
            form.add_error(name, messages)
        return None

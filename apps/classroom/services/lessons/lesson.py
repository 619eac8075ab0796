"""What a lesson is made of: steps with words, a question, something to handle; and a note for the teacher.

The words hold no figures of their own. A figure is a name in braces, ``{double_six}``, filled from the facts that the
unit counts; how it is written (``{double_six:%}``) is said behind the colon, see :func:`write`. So a number on the page
cannot be wrong while the count is right, not even in a wrong answer: those are counted too, the way a mistake counts.
"""

from __future__ import annotations

import re
import string
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, NamedTuple

from django import forms
from django.core.exceptions import ValidationError

from apps.core import formats
from apps.core.forms import Shared, Words

Settings = Mapping[str, Any]
Facts = Mapping[str, Any]


class Share(NamedTuple):
    """So many of so many equally likely outcomes, kept as counted: 6 of 36, not 1/6."""

    hits: int
    of: int

    @property
    def p(self) -> Fraction:
        return Fraction(self.hits, self.of)


def write(value: object, how: str = "") -> str:
    """A figure as a lesson prints it.

    >>> seven = Share(6, 36)
    >>> write(seven), write(seven, "of"), write(seven, "low"), write(seven, "%")
    ('6/36', '6 of 36', '1/6', '16.7\\xa0%')
    >>> write(Fraction(14, 3)), write(Fraction(14, 3), "2"), write(7776)
    ('14/3', '4.67', '7,776')
    >>> write(Fraction(3, 10), "%0")
    '30\\xa0%'
    """
    if isinstance(value, Share):
        if how in ("", "of"):
            return f"{value.hits:,}{' of ' if how else '/'}{value.of:,}"
        value, how = value.p, "" if how == "low" else how
    if not isinstance(value, int | float | Fraction):
        return str(value)
    if how.startswith("%"):
        return formats.percent(float(value), int(how[1:] or 1))
    if how:
        return formats.number(float(value), int(how))
    if isinstance(value, Fraction) and value.denominator != 1:
        return f"{value.numerator:,}/{value.denominator:,}"
    return f"{int(value):,}"


class _Writer(string.Formatter):
    def format_field(self, value: Any, format_spec: str) -> str:
        return write(value, format_spec)


def fill(text: str, facts: Facts) -> str:
    """Words with their figures in place.

    >>> fill("{six:of} squares", {"six": Share(11, 36)})
    '11 of 36 squares'
    """
    return _Writer().vformat(text, (), facts)


class Pick(Shared, forms.ChoiceField):
    """One answer to a question, or none yet."""

    def __init__(self, label: str, choices: list[tuple[str, str]]) -> None:
        super().__init__(label=label, choices=choices, initial="", required=False, widget=forms.RadioSelect)

    def clean(self, value: Any) -> str:
        try:
            return str(super().clean(value))
        except ValidationError:
            entered = str(value)[:20]
            raise ValidationError(f"The answer must be one of those listed; you entered {entered}.") from None


class Dice(Words):
    """Five dice typed in a row: ``55526``, blanks allowed."""

    def __init__(self, faces: tuple[int, ...]) -> None:
        self.example = "".join(map(str, faces))
        super().__init__("Dice", self.example, most=20, hint=f"five faces, such as {self.example}")

    def clean(self, value: Any) -> str:
        entered = str(value or "").strip()
        faces = "".join(entered.split())
        if not re.fullmatch(r"[1-6]{5}", faces, re.ASCII):
            raise ValidationError(f"Dice must be five faces from 1 to 6; you entered {entered[:20] or 'nothing'}.")
        return faces


@dataclass(frozen=True, slots=True)
class Option:
    """An answer one may give. A wrong one says what kind of thinking leads there (``slip``) and how to see past it."""

    key: str
    text: str
    says: str = ""
    slip: str = ""
    right: bool = False


@dataclass(frozen=True, slots=True)
class Question:
    """Asked before the lesson has shown anything (``guess``: noted, not judged), or after, to check."""

    name: str
    asks: str
    options: tuple[Option, ...]
    guess: bool = False
    dice: tuple[int, ...] = ()

    @property
    def right(self) -> Option:
        return next(option for option in self.options if option.right)


@dataclass(frozen=True)
class Widget:
    """Something to handle: what can be set, and what is then shown by ``classroom/lessons/widgets/<name>.html``.

    Fields named in ``inside`` are drawn by that template itself. ``draw`` may refuse settings that do not go together
    with a ``ValidationError`` on the field.
    """

    name: str
    draw: Callable[[Settings], Any]
    fields: Mapping[str, forms.Field] = field(default_factory=dict)
    inside: tuple[str, ...] = ()
    reads: tuple[str, ...] = ()  # fields of another widget that this one depends on
    live: bool = True  # follows every change; else it has a button of its own

    @property
    def template(self) -> str:
        return f"classroom/lessons/widgets/{self.name}.html"


@dataclass(frozen=True)
class Step:
    """One screenful. ``kind`` is the word on its tag; ``recall`` is what to say beside the guess of an earlier step."""

    slug: str
    title: str
    kind: str
    minutes: int
    say: tuple[str, ...] = ()
    widget: Widget | None = None
    find: tuple[str, ...] = ()
    idea: tuple[str, ...] = ()
    question: Question | None = None
    ask_first: bool = False  # before there is anything to handle that would give it away
    recall: str = ""
    recall_says: str = ""
    dice: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Note:
    """For the teacher. Answers and slips of the questions are not repeated here: the page lists them from the steps."""

    run: tuple[str, ...]
    board: tuple[tuple[str, str], ...]
    watch: tuple[tuple[str, str], ...]
    words: tuple[str, ...]
    further: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class Lesson:
    """One unit. ``headline`` is the figure on its card, a name in ``facts``."""

    slug: str
    title: str
    hook: str
    topic: str
    headline: str
    headline_says: str
    goals: tuple[str, ...]
    facts: Callable[[], Facts]
    steps: tuple[Step, ...]
    note: Note

    @property
    def minutes(self) -> int:
        return sum(step.minutes for step in self.steps)

    @property
    def questions(self) -> tuple[Question, ...]:
        return tuple(step.question for step in self.steps if step.question)

    @property
    def widgets(self) -> tuple[Widget, ...]:
        return tuple(step.widget for step in self.steps if step.widget)

    def touched(self, slug: str) -> tuple[Step, ...]:
        """The step of this name and those that show something of its settings."""
        set_there = {name for step in self.steps if step.slug == slug and step.widget for name in step.widget.fields}
        return tuple(
            step for step in self.steps if step.slug == slug or (step.widget and set_there & set(step.widget.reads))
        )

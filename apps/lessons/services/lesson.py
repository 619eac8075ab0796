"""What a lesson is made of: steps with words, a question, something to handle; and a note for the teacher.

The words of a unit are a file, ``apps/lessons/units/<slug>.toml``; what it counts and draws is code, in
``services.units``. :func:`read_lesson` puts the two together and refuses a file that does not fit.

The words hold no figures of their own. A figure is a name in braces, ``{double_six}``, filled from the facts that the
unit counts; how it is written (``{double_six:%}``) is said behind the colon, see :func:`write`. So a number on the page
cannot be wrong while the count is right, not even in a wrong answer: those are counted too, the way a mistake counts.
"""

from __future__ import annotations

import re
import string
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple

from django import forms
from django.core.exceptions import ValidationError
from pydantic import BaseModel, BeforeValidator, ConfigDict, ValidationInfo

from apps.core import formats
from apps.core.forms import Shared, Words

#: Where the words of each unit lie.
UNITS = Path(__file__).parents[1] / "units"

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


class Text(BaseModel):
    """A part of a unit as its file writes it: a key that nobody reads is refused."""

    model_config = ConfigDict(frozen=True, extra="forbid", arbitrary_types_allowed=True)


class Option(Text):
    """An answer one may give. A wrong one says what kind of thinking leads there (``slip``) and how to see past it."""

    key: str
    text: str
    says: str = ""
    slip: str = ""
    right: bool = False


def _of_the_code(kind: str) -> BeforeValidator:
    """A field whose file gives a name, and the unit's code what it stands for."""

    def look_up(name: str, info: ValidationInfo) -> object:
        known: Mapping[str, object] = (info.context or {})[kind]
        if name not in known:
            raise ValueError(f"the code of this unit has no {kind} called {name}")
        return known[name]

    return BeforeValidator(look_up)


class Question(Text):
    """Asked before the lesson has shown anything (``guess``: noted, not judged), or after, to check."""

    name: str
    asks: str
    options: tuple[Option, ...]
    guess: bool = False
    dice: Annotated[tuple[int, ...], _of_the_code("dice")] = ()

    @property
    def right(self) -> Option:
        return next(option for option in self.options if option.right)


@dataclass(frozen=True)
class Widget:
    """Something to handle: what can be set, and what is then shown by ``lessons/widgets/<name>.html``.

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
        return f"lessons/widgets/{self.name}.html"


class Step(Text):
    """One screenful. ``kind`` is the word on its tag; ``recall`` is what to say beside the guess of an earlier step."""

    slug: str
    title: str
    kind: Literal["Guess", "Try", "Idea", "Check", "Play"]
    minutes: int
    say: tuple[str, ...] = ()
    widget: Annotated[Widget | None, _of_the_code("widgets")] = None
    find: tuple[str, ...] = ()
    idea: tuple[str, ...] = ()
    question: Question | None = None
    ask_first: bool = False  # before there is anything to handle that would give it away
    recall: str = ""
    recall_says: str = ""


class BoardQuestion(Text):
    """Something to ask the whole class, with its answer."""

    asks: str
    answer: str


class Pitfall(Text):
    """A mistake to watch for, and what to do about it."""

    name: str
    says: str


class Note(Text):
    """For the teacher. Answers and slips of the questions are not repeated here: the page lists them from the steps."""

    run: tuple[str, ...]
    board: tuple[BoardQuestion, ...]
    watch: tuple[Pitfall, ...]
    words: tuple[str, ...]
    further: tuple[str, ...] = ()


class Lesson(Text):
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

    __hash__ = object.__hash__  # each unit is read once

    def __eq__(self, other: object) -> bool:
        return self is other

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


def read_lesson(
    slug: str,
    facts: Callable[[], Facts],
    widgets: Sequence[Widget],
    dice: Mapping[str, tuple[int, ...]] | None = None,
) -> Lesson:
    """A unit: its words from its file, its figures, widgets and dice from the code that calls this."""
    words = tomllib.loads((UNITS / f"{slug}.toml").read_text(encoding="utf-8"))
    context = {"widgets": {widget.name: widget for widget in widgets}, "dice": dice or {}}
    return Lesson.model_validate({**words, "facts": facts}, context=context)

"""What teachers and students type, and what we say when we cannot take it."""

from __future__ import annotations

import datetime
import re
import secrets
import unicodedata
from typing import Any
from zoneinfo import available_timezones

from django import forms
from django.core.exceptions import ValidationError
from django.utils import timezone

from apps.accounts.forms import PSEUDONYM
from apps.classroom.models import Joining, Membership, Stay, Task
from apps.classroom.services import assignments, names
from apps.classroom.services.classes import KEEP_CHOICES
from apps.classroom.services.students import Refused

NICKNAME_LENGTH = Membership._meta.get_field("nickname").max_length or 0
LEVELS = (("beginner", "Beginner"), ("intermediate", "Intermediate"), ("expert", "Expert"))
KEEP = tuple((str(days), "One year" if days == 365 else f"{days} days") for days in KEEP_CHOICES)
DIFFICULTIES = (("1", "Easy"), ("2", "Medium"), ("3", "Hard"))
FEEDBACK = (("end", "After everything is handed in"), ("each", "After each answer"))
SEEDS = 1_000_000
END_OF_DAY = datetime.time(23, 59)


def tidy(text: str) -> str:
    """One space between words, letters in their usual form."""
    return unicodedata.normalize("NFC", " ".join(text.split()))


class Titled(forms.Form):
    """A name of ordinary characters on one line."""

    def tidied(self, field: str) -> str:
        text = tidy(str(self.cleaned_data[field]))
        if not text.isprintable():
            raise ValidationError("Use letters, digits and signs that can be printed.")
        return text


class ClassForm(Titled):
    name = forms.CharField(max_length=60, label="Name of the class", help_text="Students see it when they join.")
    joining = forms.ChoiceField(choices=Joining.choices, label="Who may join")
    keep = forms.ChoiceField(choices=KEEP, label="Keep its data for", initial="180")
    stay = forms.ChoiceField(
        choices=Stay.choices, required=False, label="Students stay signed in", help_text="They come back by return key."
    )
    time_zone = forms.CharField(
        max_length=40, required=False, label="Time zone", help_text="Of every date here, such as Europe/Berlin."
    )
    sharing = forms.BooleanField(required=False, label="Students may share class games with anyone")

    def clean_name(self) -> str:
        return self.tidied("name")

    def clean_time_zone(self) -> str:
        zone = str(self.cleaned_data["time_zone"]).strip().replace(" ", "_")
        if zone and zone not in available_timezones():
            raise ValidationError(f"There is no time zone “{zone}”. Write it like Europe/Berlin.")
        return zone

    @property
    def more(self) -> dict[str, Any]:
        """What a class has beside its name; what a form leaves out stays as it is."""
        said = {name: self.cleaned_data[name] for name in ("stay", "time_zone") if self.cleaned_data[name]}
        return said | {"sharing": self.cleaned_data["sharing"]}


class EditClassForm(ClassForm):
    keep = forms.ChoiceField(choices=(("", "Leave as it is"), *KEEP), label="Keep its data, from today", required=False)

    @property
    def keep_days(self) -> int | None:
        return int(self.cleaned_data["keep"]) if self.cleaned_data["keep"] else None


class CodeForm(forms.Form):
    code = forms.CharField(max_length=8, label="Code of the class")

    def clean_code(self) -> str:
        return str(self.cleaned_data["code"]).strip().upper()


class NicknameForm(forms.Form):
    nickname = forms.CharField(label="Nickname", help_text="Not your real name. Everyone in the class can see it.")

    def clean_nickname(self) -> str:
        nickname = tidy(str(self.cleaned_data["nickname"]))
        if wrong := _what_is_wrong(nickname):
            raise ValidationError(wrong)
        return nickname


def _what_is_wrong(nickname: str) -> str:
    """Why a nickname cannot be taken, in the words of whoever reads it; empty when it can."""
    if len(nickname) > NICKNAME_LENGTH:
        return f"A nickname has at most {NICKNAME_LENGTH} characters; you entered {len(nickname)}."
    odd = next((letter for letter in nickname if not re.fullmatch(r"[\w '.-]", letter)), "")
    if odd:
        shown = odd if odd.isprintable() else "An invisible character"
        return f"{shown} cannot be part of a nickname: letters, digits, spaces and ' . - can."
    if not PSEUDONYM.fullmatch(nickname):
        return "A nickname starts and ends with a letter or a digit."
    if names.is_rude(nickname):
        return "That name is not for a classroom. Take one of those offered."
    return ""


class KeyForm(CodeForm):
    key = forms.CharField(max_length=20, label="Your return key", help_text="The word you wrote down when you joined.")


# -- Assignments --------------------------------------------------------------------------------------------------


class AssignmentForm(Titled):
    """What every assignment has. Each kind adds its own fields and says what they add up to."""

    title = forms.CharField(max_length=80, label="Title")
    due_on = forms.DateField(
        required=False,
        label="Due on",
        help_text="Late work is marked, not refused.",
        widget=forms.DateInput(attrs={"type": "date"}),
    )
    due_time = forms.TimeField(
        required=False,
        label="At",
        help_text="Left empty: until the end of that day.",
        widget=forms.TimeInput(attrs={"type": "time"}, format="%H:%M"),
    )

    def clean_title(self) -> str:
        return self.tidied("title")

    @property
    def due_at(self) -> datetime.datetime | None:
        """In the class's time zone, which is the current one on its pages (``views.doors``)."""
        day, at = self.cleaned_data.get("due_on"), self.cleaned_data.get("due_time")
        return datetime.datetime.combine(day, at or END_OF_DAY, timezone.get_current_timezone()) if day else None

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        due = self.due_at
        if due is not None and due < timezone.now() and due != self.initial.get("due_at"):
            self.add_error("due_on", f"That was before now: it is {timezone.localtime():%-d %B, %H:%M} in this class.")
        return data


class CoachedForm(AssignmentForm):
    level = forms.ChoiceField(choices=LEVELS, initial="intermediate", label="The coach speaks to")
    statistics = forms.BooleanField(required=False, initial=True, label="Statistics and advice")
    hints = forms.BooleanField(required=False, initial=True, label="Hints")

    def coaching(self) -> dict[str, Any]:
        return {name: self.cleaned_data[name] for name in ("level", "statistics", "hints")}


class GamesForm(CoachedForm):
    games = forms.IntegerField(min_value=1, max_value=20, initial=3, label="Games")

    def settings(self) -> assignments.GamesToPlay:
        return assignments.GamesToPlay(games=self.cleaned_data["games"], **self.coaching())


class MatchForm(CoachedForm):
    seats = forms.IntegerField(min_value=2, max_value=6, initial=2, label="Students at a table")

    clock = forms.BooleanField(
        required=False,
        label="Three minutes a move",
        help_text="Without a clock an interrupted match waits; with one, whoever is away too long loses it.",
    )

    def settings(self) -> assignments.Match:
        return assignments.Match(seats=self.cleaned_data["seats"], clock=self.cleaned_data["clock"], **self.coaching())


class DrawnForm(AssignmentForm):
    """Positions: drawn for a concept, written by the teacher, or both."""

    count = forms.IntegerField(min_value=0, max_value=20, initial=5, label="Positions to draw")
    difficulty = forms.ChoiceField(choices=DIFFICULTIES, initial="2", label="Difficulty")
    lines = forms.CharField(
        required=False,
        max_length=4000,
        label="Your own positions",
        widget=forms.Textarea(attrs={"rows": 4}),
        help_text="One per line: dice / rolls left, as in 55526/1, or the whole line of a position.",
    )
    feedback = forms.ChoiceField(choices=FEEDBACK, initial="end", label="Students see the best answers")

    def clean_lines(self) -> tuple[str, ...]:
        try:
            return assignments.read_positions(str(self.cleaned_data["lines"]))
        except Refused as refused:
            raise ValidationError(refused.message) from refused

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        if not self.errors:
            if not data["count"] and not data["lines"]:
                raise ValidationError("A set needs at least one position: draw some or write your own.")
            self.draw(data)
        return data

    def draw(self, data: dict[str, Any]) -> None:
        """Make the set, so that whatever is wrong with it is said beside the form."""
        try:
            self.made = self.make(data, secrets.randbelow(SEEDS))
        except Refused as refused:
            self.add_error("lines" if data["lines"] else "count", refused.message)

    def make(self, data: dict[str, Any], seed: int) -> assignments.Positions | assignments.Guesses:
        raise NotImplementedError

    def settings(self) -> assignments.Positions | assignments.Guesses:
        return self.made


class PositionsForm(DrawnForm):
    concept = forms.ChoiceField(choices=assignments.CONCEPTS, label="About")

    def make(self, data: dict[str, Any], seed: int) -> assignments.Positions:
        concept, difficulty = data["concept"], int(data["difficulty"])
        drawn = assignments.drawn_positions(concept, difficulty, data["count"], seed) if data["count"] else ()
        source = assignments.Drawn(concept=concept, difficulty=difficulty, seed=seed) if drawn else None
        return assignments.Positions(positions=(*drawn, *data["lines"]), feedback=data["feedback"], drawn=source)


class GuessesForm(DrawnForm):
    def make(self, data: dict[str, Any], seed: int) -> assignments.Guesses:
        difficulty = int(data["difficulty"])
        drawn = assignments.drawn_guesses(difficulty, data["count"], seed) if data["count"] else ()
        own = tuple(assignments.guess_of(line) for line in data["lines"])
        source = assignments.Drawn(concept="reading_odds", difficulty=difficulty, seed=seed) if drawn else None
        return assignments.Guesses(questions=(*drawn, *own), feedback=data["feedback"], drawn=source)


class MoreForm(AssignmentForm):
    """Title and due date, to change them later."""


KINDS: dict[str, type[GamesForm | MatchForm | PositionsForm | GuessesForm]] = {
    Task.GAMES: GamesForm,
    Task.POSITIONS: PositionsForm,
    Task.PREDICTIONS: GuessesForm,
    Task.MATCH: MatchForm,
}

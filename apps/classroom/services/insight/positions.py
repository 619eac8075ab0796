"""The most instructive positions of the week, without names, and other ways to come by a question.

A position is instructive when it cost the class much, or when the class could not agree on it. Slips of class games,
answers to set positions and votes all count; the same dice in another order are the same position.
"""

from __future__ import annotations

import datetime
import secrets
import uuid
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from django.db.models import F
from django.utils import timezone

from apps.classroom.models import ClassGame, Classroom, Membership, Vote
from apps.classroom.services import assignments
from apps.classroom.services.live.rounds import Question
from apps.classroom.services.students import Refused
from apps.dicee.decisions import numbered, story
from apps.practice.models import Answer
from apps.practice.services.progress.page import Example, Page
from engine.dicee import notation
from engine.dicee.analysis import Position
from engine.dicee.learning import CONCEPTS, Concept

WEEK = datetime.timedelta(days=7)
SHOWN = 6
DIFFICULTY_WORDS = (("1", "Easy"), ("2", "Medium"), ("3", "Hard"))
#: Fewer answers than this are no disagreement.
FEWEST_ANSWERS = 3


@dataclass
class Instructive:
    """A position with what it cost and how often it was decided."""

    position: str
    lost: float = 0.0
    students: set[uuid.UUID] = field(default_factory=set)
    choices: Counter[str] = field(default_factory=Counter)

    @property
    def question(self) -> Question:
        return Question.of(self.position)

    @property
    def disagreement(self) -> float:
        """The share that did not choose what most chose."""
        made = sum(self.choices.values())
        return 1 - max(self.choices.values()) / made if made >= FEWEST_ANSWERS else 0.0

    @property
    def count(self) -> int:
        return len(self.students)


def instructive(classroom: Classroom, since: datetime.datetime | None = None) -> list[Instructive]:
    """The costliest positions of the last seven days, then those most disagreed on."""
    found: dict[str, Instructive] = {}
    for member, position, choice, lost in _decided(classroom, since or timezone.now() - WEEK):
        here = found.setdefault(key := same(position), Instructive(key))
        here.lost += lost
        here.students.add(member)
        here.choices[choice] += 1
    costly = sorted((here for here in found.values() if here.lost), key=lambda here: -here.lost)
    split = sorted((here for here in found.values() if here.disagreement), key=lambda here: -here.disagreement)
    first = costly[: SHOWN - 2]
    return [*first, *(here for here in [*split, *costly] if here not in first)][:SHOWN]


def _decided(classroom: Classroom, since: datetime.datetime) -> Iterator[tuple[uuid.UUID, str, str, float]]:
    """Who, where, what, at what cost."""
    games = ClassGame.objects.filter(
        member__classroom=classroom,
        game__seats__player=F("member__player"),
        game__seats__learning__finished_at__gt=since,
    )
    for member, slips in games.values_list("member_id", "game__seats__learning__slips"):
        for slip in slips:
            yield member, slip["position"], slip["chosen"], slip["lost"]
    answers = Answer.objects.filter(work__assignment__classroom=classroom, created_at__gt=since, lost__isnull=False)
    for member, position, choice, lost in answers.values_list("work__member_id", "position", "choice", "lost"):
        if member is not None:
            yield member, position, choice, lost or 0.0
    votes = Vote.objects.filter(round__classroom=classroom, changed_at__gt=since, lost__isnull=False)
    for member, position, choice, lost in votes.values_list("member_id", "round__position", "choice", "lost"):
        yield member, position, choice, lost or 0.0


def same(text: str) -> str:
    """The position with its dice in order."""
    here = notation.read(text)
    return notation.write(Position(here.card, here.variant, tuple(sorted(here.dice)), here.rolls_left))


@dataclass(frozen=True)
class Slip:
    """A costly decision of one student, to look at or to put to the class without the name."""

    member: Membership
    shown: Example

    @property
    def question(self) -> Question:
        return Question.of(self.shown.slip.position)

    @property
    def key(self) -> str:
        """Names the decision in a form; ``of_decision`` finds it again."""
        return f"{self.shown.game}:{self.member.pk}:{self.shown.slip.at}"


def costliest(member: Membership, found: Page) -> list[Slip]:
    """What cost a student most lately."""
    examples = sorted(found.examples, key=lambda example: -example.slip.lost)
    return [Slip(member, example) for example in examples[:SHOWN]]


# -- Other ways to come by a question -----------------------------------------------------------------------------


def drawn(concept: str, difficulty: str) -> str:
    """A position made for an idea."""
    if concept not in list(Concept) or difficulty not in dict(DIFFICULTY_WORDS):
        raise Refused("There is no such kind of position.", "concept")
    seed = secrets.randbelow(1_000_000)
    return assignments.drawn_positions(concept, int(difficulty), 1, seed)[0]


def of_decision(classroom: Classroom, key: str) -> str:
    """What lay before a student of this class in one decision: "<game>:<member>:<number>"."""
    raw = key.split(":")
    try:
        game_id, member_id, number = uuid.UUID(raw[0]), uuid.UUID(raw[1]), int(raw[2])
    except (ValueError, IndexError) as error:
        raise Refused("There is no such decision.", "decision") from error
    row = (
        ClassGame.objects.filter(game=game_id, member=member_id, member__classroom=classroom)
        .filter(game__seats__player=F("member__player"))
        .annotate(ref=F("game__seats__player_ref"))
        .select_related("game")
        .first()
    )
    decision = numbered(story(row.game, row.ref).decisions, number) if row else None
    if decision is None:
        raise Refused("There is no such decision.", "decision")
    return notation.write(decision.position)


def concept_choices() -> list[tuple[str, str]]:
    return [(concept.value, text.title) for concept, text in CONCEPTS.items()]

"""A practice session: ten questions, what is due first, then positions made for a concept, harder as it goes well.

The session's course lies in the browser's session, not in the database: it is over when it is over. What it teaches
about the player, answers and drills, is kept.
"""

from __future__ import annotations

import datetime
import secrets
import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from apps.accounts.models import Player
from apps.practice.models import Drill, SkillProfile, Source
from apps.practice.services import questions
from apps.practice.services.questions import LEVELS, Answered, Item
from apps.practice.services.repetition import Schedule
from engine.dicee.learning import Concept
from engine.wire import EngineError

QUESTIONS = 10
MIXED, MISTAKES, STARRED = "mixed", "mistakes", "starred"
#: What is there already and asked about even if it is early; when it is through, the session is over.
COLLECTIONS = {MISTAKES: Q(source=Source.OWN), STARRED: Q(starred=True)}
SUBJECTS = (MIXED, *COLLECTIONS, *(concept.value for concept in Concept))
UP_AFTER, DOWN_AFTER = 3, 2  # right or wrong answers in a row move the difficulty
MOST_DRILLS = 300  # positions a player can have under repetition
LONGEST_MS = 600_000  # somebody who answers later was away


@dataclass(frozen=True)
class Done:
    """One answered question of a session, for its summary."""

    position: str
    concept: str
    right: bool
    lost: float | None
    off: float | None  # of a guess: distance from the truth


@dataclass(frozen=True)
class Run:
    """``row`` counts answers in a row: 3 is three right, -2 two wrong."""

    subject: str
    level: int
    seed: int
    asked: Item | None = None
    asked_at: float = 0.0
    row: int = 0
    done: tuple[Done, ...] = field(default=())

    @property
    def number(self) -> int:
        return len(self.done) + 1

    @property
    def right(self) -> int:
        return sum(answer.right for answer in self.done)

    @property
    def lost(self) -> float:
        return sum(answer.lost or 0.0 for answer in self.done)

    def kept(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def read(cls, raw: Any) -> Run | None:
        """A session written by an older version is no session."""
        try:
            item = Item(**raw["asked"]) if raw["asked"] else None
            return cls(**{**raw, "asked": item, "done": tuple(Done(**answer) for answer in raw["done"])})
        except (TypeError, KeyError):
            return None


def start(player: Player | None, subject: str, level: str) -> Run:
    """Begin a session about a subject; nothing is kept until something is answered."""
    if subject not in SUBJECTS:
        raise EngineError(
            "Choose something to practise.",
            field="subject",
            constraint="one of",
            expected=SUBJECTS,
            actual=subject[:20],
        )
    if level not in map(str, LEVELS):
        raise EngineError(
            "Difficulty is 1, 2 or 3.", field="level", constraint="one of", expected=LEVELS, actual=level[:20]
        )
    return _ask_next(Run(subject, int(level), secrets.randbits(31)), player)


def answer(run: Run, player: Player, position: str, said: str) -> tuple[Run, Answered]:
    """Judge the answer to the question on the table, keep it, and put the next one there."""
    if run.asked is None or run.asked.position != position:
        raise EngineError(
            "That question has been answered.",
            code="ERR_CONFLICT",
            field="position",
            constraint="the open question",
            expected=run.asked.position if run.asked else None,
            actual=position[:80],
        )
    judged = questions.judge(run.asked, player, said)
    with transaction.atomic():
        questions.keep(judged, player, _took(run))
        _reschedule(judged, player, timezone.now())
    off = judged.guess.delta if judged.guess else None
    done = Done(position, judged.item.concept, judged.right, judged.lost, off)
    row, level = step(run.row, run.level, judged.right)
    return _ask_next(replace(run, done=(*run.done, done), row=row, level=level), player), judged


def step(row: int, level: int, right: bool) -> tuple[int, int]:
    """The run of answers and the difficulty after one more: three right go up, two wrong go down.

    >>> step(2, 1, True), step(-1, 3, False), step(1, 2, False)
    ((0, 2), (0, 2), (-1, 2))
    """
    row = (max(row, 0) + 1) if right else (min(row, 0) - 1)
    if row >= UP_AFTER and level < LEVELS[-1]:
        return 0, level + 1
    if row <= -DOWN_AFTER and level > LEVELS[0]:
        return 0, level - 1
    return row, level


def _took(run: Run) -> int:
    return min(LONGEST_MS, max(0, round((time.time() - run.asked_at) * 1000)))


# -- What comes next ----------------------------------------------------------------------------------------------


def _ask_next(run: Run, player: Player | None) -> Run:
    item = None if len(run.done) >= QUESTIONS else _due(run, player) or _fresh(run, player)
    return replace(run, asked=item, asked_at=time.time())


def _due(run: Run, player: Player | None) -> Item | None:
    """The longest overdue of what this session is about; of a collection, the next one even if it is early."""
    if player is None:
        return None
    waiting = Drill.objects.filter(player=player).exclude(position__in=[done.position for done in run.done])
    if run.subject in COLLECTIONS:
        waiting = waiting.filter(COLLECTIONS[run.subject])
    else:
        waiting = waiting.filter(due_at__lte=timezone.now())
        if run.subject != MIXED:
            waiting = waiting.filter(concept=run.subject)
        if run.subject == Concept.READING_ODDS:  # chances to guess, not decisions that were about odds
            waiting = waiting.filter(source=Source.DRILL)
    drill = waiting.order_by("due_at", "pk").first()
    return Item.of(drill) if drill else None


def _fresh(run: Run, player: Player | None) -> Item | None:
    """A new position. Who practises a collection and has no more is done."""
    if run.subject in COLLECTIONS:
        return None
    return questions.fresh(_concept(run, player), run.level, run.seed + len(run.done))


def _concept(run: Run, player: Player | None) -> Concept:
    """In a mixed session every other question is about what the games say to practise; the rest go round."""
    if run.subject != MIXED:
        return Concept(run.subject)
    profile = SkillProfile.objects.filter(player=player).first() if player else None
    wanted = profile.profile.get("practiseNext") if profile else None
    if wanted and len(run.done) % 2 == 0:
        return Concept(wanted)
    return list(Concept)[(run.seed + len(run.done)) % len(Concept)]


# -- Spaced repetition --------------------------------------------------------------------------------------------


def _reschedule(judged: Answered, player: Player, now: datetime.datetime) -> None:
    """Move a drill along its steps. A new position joins the drills when it was missed."""
    item = judged.item
    drill = Drill.objects.select_for_update().filter(player=player, position=item.position).first()
    if drill is None:
        if judged.right or Drill.objects.filter(player=player).count() >= MOST_DRILLS:
            return
        drill = Drill(player=player, position=item.position, concept=item.concept, source=item.source, due_at=now)
    after = Schedule(drill.streak, drill.due_at).after(judged.right, now)
    drill.streak, drill.due_at, drill.interval_days = after.streak, after.due_at, after.interval_days
    drill.save()


@dataclass(frozen=True)
class Waiting:
    """What a player has in practice: due now, own mistakes among all, and when the next one comes."""

    due: int
    mistakes: int
    starred: int
    total: int
    next_at: datetime.datetime | None


def waiting(player: Player | None) -> Waiting:
    now = timezone.now()
    rows = Drill.objects.filter(player=player).values_list("source", "starred", "due_at") if player else []
    drills = list(rows)
    later = [due for *_, due in drills if due > now]
    mistakes, starred = sum(source == Source.OWN for source, *_ in drills), sum(star for _, star, _ in drills)
    return Waiting(len(drills) - len(later), mistakes, starred, len(drills), min(later, default=None))


def subject_of(asked: Mapping[str, str]) -> str:
    """The subject a link names, if there is such a one."""
    named = asked.get("concept", MIXED)
    return named if named in SUBJECTS else MIXED

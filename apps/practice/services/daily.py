"""The daily challenge: five positions, the same for everyone on a date, one attempt each.

The date alone decides the positions (in UTC, so that a day is the same day everywhere): every process makes the same
ones, and the cache only saves the search.
"""

from __future__ import annotations

import datetime
import hashlib
import itertools
from collections import Counter
from dataclasses import dataclass
from functools import cached_property

from django.core.cache import cache
from django.db import IntegrityError, transaction
from django.db.models import Count, Q, QuerySet, Sum
from django.utils import timezone

from apps.accounts.models import Player
from apps.dicee.decisions import SQUARES, Problem, say, write_choice
from apps.practice.models import Answer, Source
from apps.practice.services import questions
from apps.practice.services.questions import Answered, Item
from engine.dicee import advice
from engine.dicee.analysis import analyze
from engine.dicee.learning import Concept
from engine.wire import EngineError

#: Concept and difficulty of each position: easy to hard, one of each idea that asks for a decision.
PLAN = (
    (Concept.OF_A_KIND, 1),
    (Concept.STRAIGHTS, 1),
    (Concept.BONUS_PACE, 2),
    (Concept.CHANCE, 2),
    (Concept.SACRIFICE, 3),
)
FIRST_DAY = datetime.date(2026, 1, 1)
VERSION = 1  # of the way positions are drawn; part of the seed, so a new way never changes a day that was played
DAY = datetime.timedelta(days=1)


def today() -> datetime.date:
    return timezone.now().date()


def is_open(day: datetime.date) -> bool:
    """Whether a day may be looked at: not before the first, never in the future."""
    return FIRST_DAY <= day <= today()


def positions(day: datetime.date) -> tuple[Item, ...]:
    """The challenge of a day."""
    key = f"practice:daily:{VERSION}:{day.isoformat()}"
    texts = cache.get(key)
    if texts is None:
        texts = draw(day)
        cache.set(key, texts, questions.KEPT_SECONDS)
    return tuple(Item(text, concept.value, Source.DAILY) for text, (concept, _) in zip(texts, PLAN, strict=True))


def draw(day: datetime.date) -> list[str]:
    """Work the positions of a day out; no two are the same."""
    drawn: list[str] = []
    for place, (concept, level) in enumerate(PLAN):
        tries = (questions.made(concept, level, _seed(day, place, again)).position for again in itertools.count())
        drawn.append(next(text for text in tries if text not in drawn))
    return drawn


def _seed(day: datetime.date, place: int, again: int) -> int:
    text = f"oddsmith daily {VERSION} {day.isoformat()} {place} {again}"
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:6], "big")


# -- Playing it ---------------------------------------------------------------------------------------------------


def answer(day: datetime.date, player: Player, position: str, said: str, took_ms: int = 0) -> Answered:
    """The one attempt at a position of today's challenge."""
    item = next((item for item in positions(day) if item.position == position), None)
    if item is None or day != today():
        raise EngineError(
            "This position is not in today's challenge.",
            code="ERR_CONFLICT",
            field="position",
            constraint="today's challenge",
            expected=today().isoformat(),
            actual=day.isoformat(),
        )
    judged = questions.judge(item, player, said)
    try:
        with transaction.atomic():
            questions.keep(judged, player, took_ms, place=day.isoformat())
    except IntegrityError as twice:
        raise EngineError(
            "You have answered this one. Only the first attempt counts.",
            code="ERR_CONFLICT",
            field="position",
            constraint="one attempt",
            expected=1,
            actual=2,
        ) from twice
    return judged


@dataclass(frozen=True)
class Line:
    """One position of a day: how to play it, what the player did, how everyone did."""

    number: int
    question: Problem
    mine: Answer | None
    players: int
    right: int

    @property
    def share_right(self) -> float:
        return self.right / self.players if self.players else 0.0

    @property
    def mark(self) -> str:
        """How the list of questions shows this one: right, off, or nothing yet."""
        if not self.mine:
            return ""
        return "is-right" if self.i_was_right else "is-off"

    @property
    def i_was_right(self) -> bool:
        return self.mine is not None and questions.is_right(self.mine.lost or 0.0)

    @property
    def my_words(self) -> str:
        mine = self.mine.choice if self.mine else ""
        options = [*self.question.found.keeps, *self.question.found.boxes]
        chosen = next((option for option in options if write_choice(option) == mine), None)
        return say(self.question.position, chosen) if chosen else ""

    @property
    def square(self) -> str:
        yardstick = analyze(self.question.position).ev
        return SQUARES[advice.band((self.mine.lost if self.mine else None) or 0.0, yardstick)[0]]


@dataclass(frozen=True)
class Day:
    """A day's challenge as one player sees it."""

    day: datetime.date
    lines: tuple[Line, ...]
    totals: tuple[float, ...]  # points lost by everyone who has finished it, best first
    counts: tuple[int, ...]  # how many of them got 0, 1, … right
    streak: int

    @cached_property
    def mine(self) -> tuple[Answer, ...]:
        return tuple(line.mine for line in self.lines if line.mine)

    @property
    def finished(self) -> bool:
        return len(self.mine) == len(self.lines)

    @property
    def next(self) -> Line | None:
        return next((line for line in self.lines if line.mine is None), None)

    @property
    def right(self) -> int:
        return sum(line.i_was_right for line in self.lines)

    @property
    def lost(self) -> float:
        return sum(answer.lost or 0.0 for answer in self.mine)

    @property
    def players(self) -> int:
        return len(self.totals)

    @property
    def beaten(self) -> float | None:
        """The share of the other players who lost more; None while there are no others."""
        others = self.players - 1
        return sum(total > self.lost for total in self.totals) / others if self.finished and others > 0 else None

    @property
    def spread(self) -> list[tuple[int, int, float]]:
        """(right answers, players, share) from all right to none."""
        every = max(1, sum(self.counts))
        return [(right, n, n / every) for right, n in reversed(list(enumerate(self.counts)))]

    @property
    def before(self) -> datetime.date | None:
        return self.day - DAY if self.day > FIRST_DAY else None

    @property
    def after(self) -> datetime.date | None:
        return self.day + DAY if self.day < today() else None

    def share_text(self, link: str) -> str:
        """A result to send around that gives no position away."""
        squares = "".join(line.square for line in self.lines)
        return (
            f"Dicee daily {self.day} · {self.right}/{len(self.lines)} · {self.lost:.1f} points lost\n{squares}\n{link}"
        )


def look(day: datetime.date, player: Player | None) -> Day:
    """A day with everyone's results, in a handful of reads whatever the number of players."""
    items = positions(day)
    rows = Answer.objects.filter(source=Source.DAILY, place=day.isoformat())
    mine = {row.position: row for row in rows.filter(player=player)} if player else {}
    played, right = _by_position(rows)
    lines = tuple(
        Line(
            number, questions.problem(item, None), mine.get(item.position), played[item.position], right[item.position]
        )
        for number, item in enumerate(items, 1)
    )
    totals, counts = _by_player(rows, len(items))
    return Day(day, lines, totals, counts, streak(player))


def _by_position(rows: QuerySet[Answer]) -> tuple[Counter[str], Counter[str]]:
    played, right = Counter[str](), Counter[str]()
    for position, lost, n in rows.values_list("position", "lost").annotate(n=Count("pk")):
        played[position] += n
        right[position] += n if questions.is_right(lost) else 0
    return played, right


def _by_player(rows: QuerySet[Answer], whole: int) -> tuple[tuple[float, ...], tuple[int, ...]]:
    """Of everyone who answered all: points lost, and how many got how many right."""
    right = Count("pk", filter=Q(lost__lte=advice.NEAR_TIE))
    sums = rows.values("player").annotate(n=Count("pk"), total=Sum("lost"), right=right).filter(n=whole)
    found = list(sums.values_list("total", "right"))
    counts = Counter(right for _, right in found)
    return tuple(sorted(total for total, _ in found)), tuple(counts[right] for right in range(whole + 1))


def streak(player: Player | None) -> int:
    """Days in a row with the challenge finished, up to today or, while today's is open, yesterday."""
    if player is None:
        return 0
    rows = Answer.objects.filter(player=player, source=Source.DAILY).values("place").annotate(n=Count("pk"))
    done = {row["place"] for row in rows if row["n"] >= len(PLAN)}
    day = today() if today().isoformat() in done else today() - DAY
    length = 0
    while day.isoformat() in done:
        length, day = length + 1, day - DAY
    return length

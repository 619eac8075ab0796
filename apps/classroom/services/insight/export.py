"""Everything a class has produced, as rows of files: decisions, games, votes, work, ideas.

Rows are made one by one while they are sent.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from django.db.models import F

from apps.classroom.models import ClassGame, Classroom, Vote, Work
from apps.classroom.services.insight import concepts
from apps.core.formats import cell
from apps.dicee.decisions import story
from apps.dicee.models import Status
from apps.practice.models import Answer
from engine.dicee import notation

Row = Sequence[object]


class _Echo:
    """A file that hands back what is written to it."""

    def write(self, text: str) -> str:
        return text


def lines(rows: Iterable[Row]) -> Iterator[str]:
    writer = csv.writer(_Echo())
    for row in rows:
        yield writer.writerow([cell(value) for value in row])


def _class_games(classroom: Classroom) -> Any:
    return (
        ClassGame.objects.filter(member__classroom=classroom, game__seats__player=F("member__player"))
        .annotate(ref=F("game__seats__player_ref"), score=F("game__seats__final_score"))
        .annotate(summary=F("game__seats__summary"))
        .select_related("game", "member", "work__assignment")
        .order_by("game__created_at", "pk")
    )


def games(classroom: Classroom) -> Iterator[Row]:
    yield (
        "game",
        "student",
        "assignment",
        "status",
        "started",
        "finished",
        "score",
        "decisions",
        "best choices",
        "points lost",
        "luck",
        "average ms",
        "flags",
    )
    for row in _class_games(classroom).iterator(200):
        summary = row.summary or {}
        yield (
            row.game_id,
            row.member.nickname,
            row.work.assignment.title if row.work else "",
            row.game.status,
            _moment(row.game.started_at),
            _moment(row.game.finished_at),
            row.score,
            summary.get("decisions"),
            summary.get("best"),
            summary.get("pointsLost"),
            summary.get("luck"),
            summary.get("averageMs"),
            " ".join(summary.get("flags", ())),
        )


def decisions(classroom: Classroom) -> Iterator[Row]:
    """Every choice in every finished class game."""
    yield (
        "game",
        "student",
        "decision",
        "turn",
        "roll",
        "position",
        "chosen",
        "best",
        "points lost",
        "quality",
        "ms",
        "hinted",
    )
    for row in _class_games(classroom).filter(game__status=Status.COMPLETED).iterator(200):
        for made in story(row.game, row.ref).decisions:
            yield (
                row.game_id,
                row.member.nickname,
                made.number,
                made.turn,
                made.roll,
                notation.write(made.position),
                made.chosen_words,
                made.best_words,
                made.lost,
                made.quality,
                made.time_to_decision,
                made.hinted,
            )


def votes(classroom: Classroom) -> Iterator[Row]:
    yield ("round", "opened", "position", "student", "guessed box", "guess", "choice", "points lost", "at")
    rows = Vote.objects.filter(round__classroom=classroom).select_related("round", "member").order_by("round", "pk")
    for vote in rows.iterator(200):
        # Written as text in quotes: a keep like 555 is no number.
        yield (
            vote.round_id,
            _moment(vote.round.opened_at),
            vote.round.position,
            vote.member.nickname,
            vote.round.predicts,
            vote.predicted,
            _keep(vote.choice),
            vote.lost,
            _moment(vote.changed_at),
        )


def _keep(choice: str) -> str:
    return " ".join(choice) if choice.isdecimal() else {"-": "nothing"}.get(choice, choice)


def work(classroom: Classroom) -> Iterator[Row]:
    """What was handed in, with the figures kept of it; then every single answer."""
    yield ("assignment", "task", "due", "student", "started", "handed in", "figure", "value")
    rows = Work.objects.filter(assignment__classroom=classroom).select_related("assignment", "member")
    for done in rows.order_by("assignment__created_at", "member__nickname").iterator(200):
        head = (
            done.assignment.title,
            done.assignment.task,
            _moment(done.assignment.due_at),
            done.member.nickname,
            _moment(done.started_at),
            _moment(done.handed_in_at),
        )
        figures = (done.result or {}).items()
        yield from ((*head, name, value) for name, value in figures)
        if not figures:
            yield (*head, "", "")


def answers(classroom: Classroom) -> Iterator[Row]:
    yield (
        "assignment",
        "student",
        "number",
        "position",
        "choice",
        "points lost",
        "box",
        "guess",
        "truth",
        "ms",
        "at",
    )
    rows = Answer.objects.filter(work__assignment__classroom=classroom).select_related(
        "work__assignment", "work__member"
    )
    for given in rows.order_by("work", "pk").iterator(200):
        assert given.work is not None
        yield (
            given.work.assignment.title,
            given.work.member.nickname,
            given.place,
            given.position,
            given.choice,
            given.lost,
            given.box,
            given.predicted,
            given.truth,
            given.took_ms,
            _moment(given.created_at),
        )


def ideas(classroom: Classroom) -> Iterator[Row]:
    header, rows = concepts.table(concepts.heat_map(classroom))
    yield header
    yield from rows


def _moment(at: Any) -> str:
    return at.isoformat(timespec="seconds") if at else ""


#: Every file, by the name in its address: what it holds, and its rows.
FILES = {
    "concepts": ("Class × concept", ideas),
    "games": ("Games", games),
    "decisions": ("Decisions", decisions),
    "votes": ("Votes", votes),
    "work": ("Assignments", work),
    "answers": ("Answers", answers),
}

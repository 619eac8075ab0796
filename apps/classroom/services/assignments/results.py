"""An assignment as its teacher reads it: every student, how far, when, how well."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import fmean
from typing import Any

from apps.classroom.models import Assignment, Membership, Standing
from apps.classroom.services.assignments import figures
from apps.classroom.services.assignments.work import Progress, counted, progress_of
from apps.core.formats import number

STATES = {"handed_in": "handed in", "late": "handed in late", "begun": "begun", "open": "not begun"}


@dataclass(frozen=True)
class Line:
    member: Membership
    progress: Progress

    @property
    def state(self) -> str:
        if self.progress.handed_in:
            return STATES["late" if self.progress.late else "handed_in"]
        return STATES["begun" if self.progress.done else "open"]


@dataclass(frozen=True)
class Sheet:
    assignment: Assignment
    lines: tuple[Line, ...]

    @property
    def headings(self) -> list[str]:
        return figures.headings(self.assignment.task)

    @property
    def handed_in(self) -> int:
        return sum(line.progress.handed_in for line in self.lines)

    @property
    def means(self) -> list[tuple[str, str]]:
        """What the class averages in each figure, over those who handed in."""
        works = [line.progress.work for line in self.lines]
        results = [work.result for work in works if work and work.result]
        if not results:
            return []
        averages = {key: fmean(float(result[key]) for result in results) for key in _averaged(self.assignment.task)}
        columns = [column for column in figures.COLUMNS[self.assignment.task] if column[0] in averages]
        return [(heading, _mean(key, show, averages[key])) for key, heading, show in columns]


def _averaged(task: str) -> list[str]:
    return [key for key, _, _ in figures.COLUMNS[task] if key != "won"]


def _mean(key: str, show: Any, value: float) -> str:
    return number(value, 1) if key in ("right", "points") else str(show(value))


def sheet(assignment: Assignment) -> Sheet:
    """Everyone in the class, and who left after handing something in."""
    works = {work.member_id: work for work in counted(assignment.work.select_related("member"))}
    members = {member.pk: member for member in assignment.classroom.members.filter(standing=Standing.IN)}
    gone = {work.member_id: work.member for work in works.values() if work.handed_in_at}
    everyone = sorted((gone | members).values(), key=lambda member: member.nickname.casefold())
    return Sheet(assignment, tuple(Line(member, progress_of(assignment, works.get(member.pk))) for member in everyone))


def table(assignment: Assignment) -> tuple[list[str], list[list[Any]]]:
    """The sheet as a file: heading and rows."""
    header = ["student", "state", "done", "of", "handed in"] + [heading.lower() for heading in _plain(assignment)]
    return header, [_row(line) for line in sheet(assignment).lines]


def _plain(assignment: Assignment) -> list[str]:
    return figures.headings(assignment.task)


def _row(line: Line) -> list[Any]:
    work, task = line.progress.work, line.progress.assignment.task
    at = work.handed_in_at.isoformat(timespec="seconds") if work and work.handed_in_at else ""
    result = work.result if work else None
    return [line.member.nickname, line.state, line.progress.done, line.progress.total, at, *figures.plain(task, result)]

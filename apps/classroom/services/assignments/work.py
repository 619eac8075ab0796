"""A student at work: the next game, the next question, a table with classmates. Complete work hands itself in.

In a set whose answers come at the end, nothing about the best choice leaves the server before the hand-in: until then
:class:`Asked` carries the question alone.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.db.models import Count, F, Q
from django.utils import timezone

from apps.classroom.models import Assignment, ClassGame, Membership, Standing, Task, Work
from apps.classroom.services.assignments import figures
from apps.classroom.services.assignments.settings import GamesToPlay, Guesses, Match, Positions, read
from apps.classroom.services.students import Refused, attach
from apps.dicee import services as dicee
from apps.dicee.decisions import Problem, box_title, judge, problem, read_choice, solved, write_choice
from apps.dicee.models import Game, Status
from apps.dicee.services.page import keep_look
from apps.practice.models import Answer, Source
from engine.dicee import notation
from engine.dicee.advice import Grade

MOST_MS = 3_600_000  # a page left open over night is not thinking


# -- How far ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Progress:
    """How far one student is with one assignment."""

    assignment: Assignment
    work: Work | None
    done: int
    total: int

    @property
    def handed_in(self) -> bool:
        return self.work is not None and self.work.handed_in_at is not None

    @property
    def late(self) -> bool:
        """Handed in after the due date, or not at all by now. Late work is marked, never refused."""
        due = self.assignment.due_at
        at = (self.work.handed_in_at if self.work else None) or timezone.now()
        return due is not None and at > due

    @property
    def share(self) -> float:
        return 100 * self.done / self.total

    @property
    def figures(self) -> list[tuple[str, str]]:
        result = self.work.result if self.work else None
        return figures.shown(self.assignment.task, result) if result else []


def progress(assignments: Iterable[Assignment], member: Membership) -> list[Progress]:
    """A student's state of several assignments, in three queries."""
    works = {work.assignment_id: work for work in counted(member.work.all())}
    return [progress_of(assignment, works.get(assignment.pk)) for assignment in assignments]


def counted(works: Any) -> Any:
    """Works with what counts towards them: games that are over, questions answered."""
    over = Q(games__game__status=Status.COMPLETED)
    return works.annotate(
        games_over=Count("games", filter=over, distinct=True), questions_answered=Count("answers", distinct=True)
    )


def progress_of(assignment: Assignment, work: Any) -> Progress:
    """``work`` comes from :func:`counted`."""
    total = _total(assignment)
    if work is None:
        return Progress(assignment, None, 0, total)
    plays = assignment.task in (Task.GAMES, Task.MATCH)
    return Progress(assignment, work, min(total, work.games_over if plays else work.questions_answered), total)


def _total(assignment: Assignment) -> int:
    match read(assignment):
        case GamesToPlay(games=games):
            return games
        case Match():
            return 1
        case Positions(positions=positions):
            return len(positions)
        case Guesses(questions=questions):
            return len(questions)


def _begin(assignment: Assignment, member: Membership) -> Work:
    """The student's work, locked: two clicks at once take one step."""
    Work.objects.get_or_create(assignment=assignment, member=member)
    return Work.objects.select_for_update().get(assignment=assignment, member=member)


# -- Games --------------------------------------------------------------------------------------------------------


@transaction.atomic
def play(assignment: Assignment, member: Membership) -> Game:
    """The game begun and not finished, or the next one. Extra games may be played; the first ones count."""
    asked_for = read(assignment)
    if not isinstance(asked_for, GamesToPlay) or member.player is None:
        raise Refused("There is nothing to play here.")
    work = _begin(assignment, member)
    if running := _running(work):
        return running
    keep_look(member.player, asked_for.look)
    return attach(dicee.create(member.player, "solo", asked_for.table), member, work)


def _running(work: Work) -> Game | None:
    going = Game.objects.filter(class_games__work=work, status__in=(Status.WAITING, Status.ACTIVE))
    return going.order_by("created_at").first()


@transaction.atomic
def find_table(assignment: Assignment, member: Membership) -> Game:
    """A seat at a table of classmates: one that waits for players, else a new one. A full table begins by itself."""
    wanted = read(assignment)
    if not isinstance(wanted, Match) or member.player is None:
        raise Refused("There is no match to play here.")
    Assignment.objects.select_for_update().get(pk=assignment.pk)  # one student is seated at a time
    work = _begin(assignment, member)
    if running := _running(work):
        return running
    keep_look(member.player, wanted.look)
    waiting = (
        Game.objects.filter(
            status=Status.WAITING,
            class_games__work__assignment=assignment,
            class_games__member__player=F("host"),
            class_games__member__standing=Standing.IN,
        )
        .exclude(host=member.player)
        .annotate(seated=Count("seats", distinct=True))
        .filter(seated__lt=wanted.seats)
    )
    free = waiting.order_by("-seated", "created_at").first()
    if free is None:
        return attach(dicee.create(member.player, "multiplayer", wanted.table), member, work)
    game = attach(dicee.join(free.code, member.player, arranged=True), member, work)
    if game.seats.count() >= wanted.seats and game.host is not None:
        dicee.start(game, game.host, arranged=True)
        game.refresh_from_db()
    return game


# -- Questions ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Asked:
    """A question of a set. The answer's part is empty until it may be seen."""

    number: int
    total: int
    question: Problem
    box: str = ""
    given: Answer | None = None
    grade: Grade | None = None

    @property
    def box_title(self) -> str:
        return box_title(self.box) if self.box else ""

    @property
    def chosen(self) -> int:
        """The place of the choice that was made, for the list that marks it."""
        choices = self.question.choices
        made = self.given.choice if self.given else None
        return next((n for n, choice in enumerate(choices) if write_choice(choice.option) == made), -1)

    @property
    def off(self) -> float:
        """How far a guess was from the truth."""
        assert self.given is not None
        assert self.given.predicted is not None
        assert self.given.truth is not None
        return abs(self.given.predicted - self.given.truth)


def asked(assignment: Assignment, work: Work | None) -> Asked | None:
    """The next question without its answer; None when all are answered."""
    questions = _questions(assignment)
    taken = {answer.place for answer in work.answers.all()} if work else set()
    return next((question for question in questions if str(question.number) not in taken), None)


def answered(assignment: Assignment, work: Work | None, *, last: bool = False) -> list[Asked]:
    """Questions with what was answered and what would have been best, as far as that may be seen now."""
    settings = read(assignment)
    assert isinstance(settings, Positions | Guesses)
    if work is None or (settings.feedback == "end" and work.handed_in_at is None):
        return []
    given = {answer.place: answer for answer in work.answers.order_by("created_at")}
    shown = set(list(given)[-1:]) if last else set(given)
    return [
        _judged(question, given[str(question.number)])
        for question in _questions(assignment)
        if str(question.number) in shown
    ]


def _questions(assignment: Assignment) -> list[Asked]:
    settings = read(assignment)
    if isinstance(settings, Positions):
        lines = [(line, "") for line in settings.positions]
    else:
        assert isinstance(settings, Guesses)
        lines = [(question.position, question.box) for question in settings.questions]
    return [
        Asked(number, len(lines), _problem(assignment, number, line), box)
        for number, (line, box) in enumerate(lines, 1)
    ]


def _problem(assignment: Assignment, number: int, line: str) -> Problem:
    position = notation.read(line)
    return problem(f"{assignment.pk}:{number}", position, solved(position.variant))


def _judged(question: Asked, given: Answer) -> Asked:
    grade = None
    if not question.box:
        grade = judge(question.question.found, read_choice(question.question.found, given.choice))
    return Asked(question.number, question.total, question.question, question.box, given, grade)


def answer(assignment: Assignment, member: Membership, place: str, choice: str, took_ms: int = 0) -> Work:
    """Decide on a position of a set, once. ``choice`` is the number of an offered choice."""
    question = _find(assignment, place)
    if question.box or not choice.isdecimal() or int(choice) >= len(question.question.choices):
        raise Refused("Choose one of the answers.")
    chosen = question.question.choices[int(choice)].option
    return _take(assignment, member, question, took_ms, choice=write_choice(chosen), lost=chosen.cost)


def guess(assignment: Assignment, member: Membership, place: str, percent: str, took_ms: int = 0) -> Work:
    """Guess a chance, once, in whole percent."""
    question = _find(assignment, place)
    if not question.box or not percent.isdecimal() or int(percent) > 100:
        raise Refused(f"A guess is a whole number from 0 to 100; you entered {percent or 'nothing'}.")
    settings = read(assignment)
    assert isinstance(settings, Guesses)
    truth = settings.questions[question.number - 1].truth
    return _take(assignment, member, question, took_ms, box=question.box, predicted=int(percent) / 100, truth=truth)


def _find(assignment: Assignment, place: str) -> Asked:
    if assignment.task not in (Task.POSITIONS, Task.PREDICTIONS):
        raise Refused("There is nothing to answer here.")
    found = next((question for question in _questions(assignment) if str(question.number) == place), None)
    if found is None:
        raise Refused("There is no such question in this set.")
    return found


@transaction.atomic
def _take(assignment: Assignment, member: Membership, question: Asked, took_ms: int, **said: Any) -> Work:
    """File the first answer to a question; a second one changes nothing."""
    work = _begin(assignment, member)
    place = str(question.number)
    if work.handed_in_at is None and not work.answers.filter(place=place).exists():
        Answer.objects.create(
            player=member.player,
            work=work,
            source=Source.WORK,
            place=place,
            took_ms=min(took_ms, MOST_MS),
            position=notation.write(question.question.position),
            **said,
        )
        settle(work)
    return work


# -- Handing in ---------------------------------------------------------------------------------------------------


def settle(work: Work) -> bool:
    """Hand in what is complete, with its figures. Work that is handed in stays as it is."""
    if work.handed_in_at is not None:
        return False
    found = _finished(work)
    if found is None:
        return False
    work.handed_in_at, work.result = found
    work.save(update_fields=["handed_in_at", "result"])
    return True


def _finished(work: Work) -> tuple[Any, Mapping[str, Any]] | None:
    """When the last piece was done and what the whole amounts to; None while something is missing."""
    total = _total(work.assignment)
    if work.assignment.task in (Task.GAMES, Task.MATCH):
        played = figures.games_of(work)[:total]
        complete = len(played) == total and all(game.summary for game in played)
        return (max(game.finished_at for game in played), figures.of_games(played)) if complete else None
    answers = list(work.answers.order_by("created_at"))
    if len(answers) < total:
        return None
    sum_up = figures.of_guesses if work.assignment.task == Task.PREDICTIONS else figures.of_answers
    return answers[-1].created_at, sum_up(answers)


def game_finished(game: Game) -> None:
    """In a worker, once a game is over and summed up: the work it was played for may be complete."""
    for class_game in ClassGame.objects.filter(game=game, work__isnull=False).select_related("work__assignment"):
        assert class_game.work is not None
        settle(class_game.work)


def catch_up(assignment_id: uuid.UUID) -> int:
    """Hand in what a lost message left lying: games that are over. Answers need none. Returns how many."""
    lying = Work.objects.filter(assignment=assignment_id, handed_in_at=None, games__game__status=Status.COMPLETED)
    return sum(settle(work) for work in lying.select_related("assignment").distinct())

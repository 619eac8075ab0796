"""Three weeks of a class: who joins, what is set, when everyone plays, votes and practises."""

from __future__ import annotations

import datetime
import math
import random
from collections.abc import Iterator
from dataclasses import dataclass

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from apps.accounts import services as accounts
from apps.accounts.models import Player
from apps.classroom.models import Assignment, ClassGame, Classroom, Joining, Membership, Phase, Round, Task, Vote, Work
from apps.classroom.services import assignments, classes
from apps.classroom.services.demo.cast import CAST, CLASS, TEACHER, Role
from apps.classroom.services.demo.games import Recorder, Seated
from apps.classroom.services.students import CLASS_TABLE, digest, new_key
from apps.dicee.decisions import Problem, best_chance, prediction_target, problem, write_choice
from apps.dicee.services.review import profile
from apps.practice.models import Answer, Source
from apps.practice.services import progress
from engine.dicee import notation, tables
from engine.dicee.analysis import Option
from engine.dicee.boxes import BOXES, Variant
from engine.dicee.learning import Concept, make_drill
from engine.dicee.tables import Table

SEED = 8
WEEK = 7
FIRST_LESSON, LAST_LESSON = 8, 15  # hours, UTC
ROUNDS_A_WEEK = 2
PRACTICE_A_WEEK = 5
ABSENT = 0.1  # of a round's votes and of work that is due
RUNNING_NOW = 3

Moment = datetime.datetime


@dataclass(frozen=True)
class Made:
    """What to look at, and as whom."""

    classroom: Classroom
    games: int
    keys: tuple[tuple[str, str], ...]  # a few students' nicknames and return keys


@dataclass(frozen=True)
class Pupil:
    role: Role
    member: Membership
    player: Player


@transaction.atomic
def remove() -> bool:
    """The demo of before: its teacher, its class and its students; their games stay under ids that lead nowhere."""
    teacher = Player.objects.filter(user__username=TEACHER).first()
    if teacher is None:
        User.objects.filter(username=TEACHER).delete()
        return False
    for student in Player.objects.filter(memberships__classroom__teacher=teacher, user=None).distinct():
        accounts.delete(student)
    accounts.delete(teacher)
    return True


@transaction.atomic
def make(password: str, students: int = len(CAST), weeks: int = 3) -> Made:
    """Make the class anew."""
    remove()
    return _Term(random.Random(SEED), students, weeks, tables.load(Variant.STANDARD)).make(password)


class _Term:
    def __init__(self, luck: random.Random, students: int, weeks: int, table: Table) -> None:
        self.luck, self.weeks, self.table = luck, weeks, table
        self.roles = CAST[:students]
        self.now = timezone.now()
        self.days = weeks * WEEK
        self.recorder = Recorder(luck, table)
        self.class_games: list[ClassGame] = []
        self.keys: list[tuple[str, str]] = []

    def make(self, password: str) -> Made:
        self.classroom = self._class(password)
        self.pupils = [self._join(role) for role in self.roles]
        self._set_work()
        self._play()
        self._match()
        self._play_now()
        self._write()
        self._answer()
        self._practise()
        self._vote()
        self._learn()
        return Made(self.classroom, len(self.recorder.written.games), tuple(self.keys[:3]))

    # -- People ---------------------------------------------------------------------------------------------------

    def _class(self, password: str) -> Classroom:
        user = User.objects.create_user(TEACHER, password=password)
        teacher = Player.objects.create(user=user, pseudonym="Demo Teacher")
        made = classes.create(teacher, CLASS, Joining.OPEN, classes.KEEP_CHOICES[0])
        Classroom.objects.filter(pk=made.pk).update(created_at=self._at(0))
        return made

    def _join(self, role: Role) -> Pupil:
        key = new_key()
        self.keys.append((role.nickname, key))
        player = Player.objects.create()
        member = Membership.objects.create(
            classroom=self.classroom,
            player=player,
            nickname=role.nickname,
            joined_at=self._at(0),
            key_digest=digest(key),
        )
        return Pupil(role, member, player)

    # -- Time -----------------------------------------------------------------------------------------------------

    def _at(self, share: float) -> Moment:
        """A moment of the term, 0 for its first day and 1 for now."""
        return self.now - datetime.timedelta(days=self.days * (1 - share))

    def _lesson(self, share: float) -> Moment:
        """Some time in a lesson on or after that day; never on a weekend, never in the future."""
        day = self._at(share)
        day -= datetime.timedelta(days=max(0, day.weekday() - 4))
        hour = self.luck.uniform(FIRST_LESSON, LAST_LESSON)
        at = day.replace(hour=0, minute=0, second=0) + datetime.timedelta(hours=hour)
        return min(at, self.now - datetime.timedelta(minutes=self.luck.uniform(30, 90)))

    def _share(self, at: Moment) -> float:
        return 1 - (self.now - at).total_seconds() / (self.days * 86400)

    # -- What is set ----------------------------------------------------------------------------------------------

    def _set_work(self) -> None:
        """Title, kind, what is asked for, and the first and last day as shares of the term."""
        rolls = assignments.drawn_positions(Concept.STRAIGHTS, 2, 5, SEED)
        guesses = assignments.drawn_guesses(2, 5, SEED)
        plans = (
            ("Two games with the coach", Task.GAMES, assignments.GamesToPlay(games=2), 0.02, 0.3),
            ("Runs and straights", Task.POSITIONS, assignments.Positions(positions=rolls, feedback="end"), 0.33, 0.55),
            ("How likely is it?", Task.PREDICTIONS, assignments.Guesses(questions=guesses, feedback="end"), 0.5, 0.7),
            ("Beat a classmate", Task.MATCH, assignments.Match(seats=2), 0.66, 0.9),
            (
                "Test: two games without help",
                Task.GAMES,
                assignments.GamesToPlay(games=2, statistics=False, hints=False),
                0.8,
                1.15,
            ),
        )
        self.set = [self._set(*plan) for plan in plans]

    def _set(self, title: str, task: str, asked: assignments.Settings, first: float, last: float) -> Assignment:
        due = self._at(last).replace(hour=23, minute=59, second=0, microsecond=0)
        made = assignments.create(self.classroom, title, task, asked, due)
        made.created_at = self._at(first)
        made.save(update_fields=["created_at"])
        return made

    def _work(self, assignment: Assignment, pupil: Pupil, at: Moment) -> Work:
        return Work.objects.get_or_create(assignment=assignment, member=pupil.member, defaults={"started_at": at})[0]

    # -- Games ----------------------------------------------------------------------------------------------------

    def _play(self) -> None:
        for pupil in self.pupils:
            times = sorted(self._lesson(self.luck.random()) for _ in range(pupil.role.weekly * self.weeks))
            for at in times:
                self._play_alone(pupil, at)

    def _play_alone(self, pupil: Pupil, at: Moment, stops_after: int | None = None) -> None:
        assignment = self._due(pupil, at) if stops_after is None else None
        asked = assignments.read(assignment) if assignment else None
        table = asked.table if isinstance(asked, assignments.GamesToPlay) else CLASS_TABLE
        game = self.recorder.play([self._seated(pupil, at)], at, table, stops_after)
        work = self._work(assignment, pupil, at) if assignment else None
        self.class_games.append(ClassGame(game=game, member=pupil.member, work=work))

    def _due(self, pupil: Pupil, at: Moment) -> Assignment | None:
        """The assignment a game counts towards, if its student still owes one."""
        for assignment in self.set:
            asked = assignments.read(assignment)
            if not isinstance(asked, assignments.GamesToPlay) or at < assignment.created_at:
                continue
            played = sum(
                made.member == pupil.member and made.work is not None and made.work.assignment_id == assignment.pk
                for made in self.class_games
            )
            if played < asked.games:
                return assignment
        return None

    def _seated(self, pupil: Pupil, at: Moment) -> Seated:
        return Seated(pupil.player, pupil.role.nickname, pupil.role.student(self._share(at)), pupil.role.seconds)

    def _match(self) -> None:
        """Classmates in pairs, as they come; one in ten does not."""
        assignment = next(made for made in self.set if made.task == Task.MATCH)
        asked = assignments.read(assignment)
        assert isinstance(asked, assignments.Match)
        coming = [pupil for pupil in self.pupils if self.luck.random() > ABSENT]
        self.luck.shuffle(coming)
        for one, other in zip(coming[::2], coming[1::2], strict=False):
            at = self._lesson(self.luck.uniform(0.7, 0.95))
            game = self.recorder.play([self._seated(one, at), self._seated(other, at)], at, asked.table)
            for pupil in (one, other):
                work = self._work(assignment, pupil, at)
                self.class_games.append(ClassGame(game=game, member=pupil.member, work=work))

    def _play_now(self) -> None:
        """A few are in the middle of a game."""
        for pupil in self.luck.sample(self.pupils, min(RUNNING_NOW, len(self.pupils))):
            began = self.now - datetime.timedelta(minutes=self.luck.uniform(2, 5))
            self._play_alone(pupil, began, stops_after=self.luck.randint(8, 16))

    def _write(self) -> None:
        names = {pupil.player.pk: pupil.role.nickname for pupil in self.pupils}
        for seat in self.recorder.written.seats:
            seat.name = names[seat.player_ref]
        self.recorder.written.insert()
        ClassGame.objects.bulk_create(self.class_games)

    # -- Questions ------------------------------------------------------------------------------------------------

    def _answer(self) -> None:
        for assignment in self.set:
            if assignment.task in (Task.POSITIONS, Task.PREDICTIONS):
                for pupil in self.pupils:
                    if self.luck.random() > ABSENT:
                        self._answer_all(assignment, pupil)

    def _answer_all(self, assignment: Assignment, pupil: Pupil) -> None:
        """Through the services a student's page calls; only the time is put back."""
        at = self._lesson(self._share(assignment.created_at) + self.luck.uniform(0.02, 0.25))
        work = self._work(assignment, pupil, at)
        while asked := assignments.asked(assignment, work):
            place, took = str(asked.number), int(1000 * self._thinks(pupil))
            if asked.box:
                settings = assignments.read(assignment)
                assert isinstance(settings, assignments.Guesses)
                guess = self._guess(pupil, settings.questions[asked.number - 1].truth)
                assignments.guess(assignment, pupil.member, place, str(round(100 * guess)), took)
            else:
                offered = [choice.option for choice in asked.question.choices]
                choice = offered.index(self._choose(pupil, offered))
                assignments.answer(assignment, pupil.member, place, str(choice), took)
        work.answers.update(created_at=at)
        Work.objects.filter(pk=work.pk).update(handed_in_at=at)

    def _thinks(self, pupil: Pupil) -> float:
        return pupil.role.seconds * self.luck.lognormvariate(0.5, 0.4)

    def _choose(self, pupil: Pupil, offered: list[Option]) -> Option:
        """The better it is, the likelier; how much likelier is the student's carelessness."""
        weights = [math.exp(-option.points_lost / (0.4 + pupil.role.noise)) for option in offered]
        return self.luck.choices(offered, weights)[0]

    def _guess(self, pupil: Pupil, truth: float) -> float:
        """Careless students guess further off, and higher."""
        spread = 0.03 + 0.08 * pupil.role.noise
        return min(1.0, max(0.0, self.luck.gauss(truth + spread / 3, spread)))

    # -- Practice and votes ---------------------------------------------------------------------------------------

    def _pool(self) -> list[tuple[Concept, Problem]]:
        found = []
        for number, concept in enumerate(Concept):
            for difficulty in (1, 2, 3):
                position = make_drill(concept, difficulty, SEED + number, self.table).position
                found.append((concept, problem(notation.write(position), position, self.table)))
        return found

    def _practise(self) -> None:
        self.pool = self._pool()
        answers = []
        for pupil in self.pupils:
            for _ in range(PRACTICE_A_WEEK * self.weeks):
                concept, asked = self.luck.choice(self.pool)
                answers.append(self._practised(pupil, concept, asked))
        Answer.objects.bulk_create(answers)

    def _practised(self, pupil: Pupil, concept: Concept, asked: Problem) -> Answer:
        chosen = self._choose(pupil, [choice.option for choice in asked.choices])
        return Answer(
            player=pupil.player,
            source=Source.DRILL,
            position=notation.write(asked.position),
            concept=concept.value,
            choice=write_choice(chosen),
            lost=chosen.points_lost,
            took_ms=int(1000 * self._thinks(pupil)),
            created_at=self._lesson(self.luck.random()),
        )

    def _vote(self) -> None:
        votes: list[Vote] = []
        for number in range(ROUNDS_A_WEEK * self.weeks):
            _, asked = self.pool[(5 * number + 1) % len(self.pool)]
            votes += self._round(asked, (number + 0.7) / (ROUNDS_A_WEEK * self.weeks))
        Vote.objects.bulk_create(votes)

    def _round(self, asked: Problem, share: float) -> Iterator[Vote]:
        at, target = self._lesson(share), prediction_target(asked.position)
        held = Round.objects.create(
            classroom=self.classroom,
            position=notation.write(asked.position),
            phase=Phase.CLOSED,
            opened_at=at,
            phase_at=at + datetime.timedelta(minutes=6),
            predicts="" if target is None else BOXES[target],
        )
        truth = None if target is None else best_chance(asked.position, target)
        for pupil in self.pupils:
            if self.luck.random() > ABSENT:
                chosen = self._choose(pupil, [choice.option for choice in asked.choices])
                yield Vote(
                    round=held,
                    member=pupil.member,
                    choice=write_choice(chosen),
                    lost=chosen.points_lost,
                    predicted=None if truth is None else round(self._guess(pupil, truth), 2),
                    changed_at=at + datetime.timedelta(seconds=self.luck.uniform(20, 200)),
                )

    # -- What the worker would have done --------------------------------------------------------------------------

    def _learn(self) -> None:
        """Sum every finished game up, hand in what is complete, fold the profiles."""
        for game in sorted(self.recorder.written.games, key=lambda made: made.created_at):
            if game.is_over:
                profile.sum_up(game)
                progress.take_in(game)
                assignments.game_finished(game)
        for pupil in self.pupils:
            progress.refresh(pupil.player)

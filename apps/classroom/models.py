"""Classes: who is in them, what is set and handed in, games played for them, questions and votes.

A student is a nickname in one class (``Membership``); the player behind it is only a browser. What a teacher may see
hangs on the membership: games begun from the class's pages, work handed in, votes. Nothing else a player does here is
the class's business.
"""

from __future__ import annotations

import datetime
import secrets
import uuid
from typing import TypeVar

from django.db import models
from django.db.models.functions import Lower
from django.utils import timezone

from apps.accounts.models import Player
from apps.dicee.models import CODE_ALPHABET, Game

CODE_LENGTH = 6
KEEP_DAYS = 180


def new_code() -> str:
    return "".join(secrets.choice(CODE_ALPHABET) for _ in range(CODE_LENGTH))


def default_expiry() -> datetime.date:
    return timezone.now().date() + datetime.timedelta(days=KEEP_DAYS)


class Stay(models.TextChoices):
    """How long a device stays a student's after joining."""

    LESSON = "lesson", "Two hours, for devices that go round"
    DAY = "day", "Twelve hours"
    LONG = "long", "Until the student signs out, for devices of their own"


Row = TypeVar("Row", bound=models.Model)


class Undeleted(models.Manager[Row]):
    """Rows that were not taken away; those that were wait ten minutes for an undo (``services.classes.purge``)."""

    def get_queryset(self) -> models.QuerySet[Row]:
        return super().get_queryset().filter(deleted_at__isnull=True)


class UndeletedInClass(Undeleted[Row]):
    """The same, of classes that were not taken away either."""

    def get_queryset(self) -> models.QuerySet[Row]:
        return super().get_queryset().filter(classroom__deleted_at__isnull=True)


class Joining(models.TextChoices):
    OPEN = "open", "Anyone with the code"
    APPROVAL = "approval", "After the teacher approves"
    CLOSED = "closed", "Nobody"


class Classroom(models.Model):
    """A class of one teacher. Everything below it goes when it goes, at the latest on ``expires_on``."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    teacher = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="classrooms")
    name = models.CharField(max_length=60)
    code = models.CharField(max_length=8, default=new_code, unique=True)
    joining = models.CharField(max_length=10, choices=Joining, default=Joining.OPEN)
    created_at = models.DateTimeField(default=timezone.now)
    expires_on = models.DateField(default=default_expiry, db_index=True)
    #: An IANA name; every date of the class is written and read in it.
    time_zone = models.CharField(max_length=40, default="UTC")
    stay = models.CharField(max_length=8, choices=Stay, default=Stay.LONG)
    #: May students open their finished class games to everyone with the link?
    sharing = models.BooleanField(default=False)
    #: What the teacher has to know and has not put away yet, oldest first: sentences without names.
    notices = models.JSONField(default=list)
    #: The colleague who may take the class over.
    offered_to = models.ForeignKey(
        Player, null=True, blank=True, on_delete=models.SET_NULL, related_name="offered_classes"
    )
    deleted_at = models.DateTimeField(null=True, blank=True)

    objects = Undeleted()
    everything = models.Manager()  # noqa: DJ012  a manager, too

    class Meta:
        ordering = ["-created_at"]

    def __str__(self) -> str:
        return self.name

    @property
    def group(self) -> str:
        """The channel-layer group of everyone in the class."""
        return f"class.{self.id}"

    @property
    def board_group(self) -> str:
        """The channel-layer group of the teacher's board."""
        return f"board.{self.id}"


class Standing(models.TextChoices):
    WAITING = "waiting"
    IN = "in"
    REMOVED = "removed"


class Membership(models.Model):
    """A student: a nickname in a class. ``player`` is null after the student left or was forgotten."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    classroom = models.ForeignKey(Classroom, on_delete=models.CASCADE, related_name="members")
    player = models.ForeignKey(Player, null=True, on_delete=models.SET_NULL, related_name="memberships")
    nickname = models.CharField(max_length=24)
    standing = models.CharField(max_length=8, choices=Standing, default=Standing.IN)
    joined_at = models.DateTimeField(default=timezone.now)
    #: SHA-256 of the word that brings the student back on another device; only ever shown when it is made.
    key_digest = models.CharField(max_length=64, blank=True, db_index=True)
    deleted_at = models.DateTimeField(null=True, blank=True)

    objects = UndeletedInClass()
    everything = models.Manager()  # noqa: DJ012  a manager, too

    class Meta:
        ordering = ["nickname"]
        constraints = [
            models.UniqueConstraint("classroom", Lower("nickname"), name="one_nickname_per_class"),
            models.UniqueConstraint(fields=["classroom", "player"], name="one_membership_per_player"),
        ]

    def __str__(self) -> str:
        return self.nickname


class Task(models.TextChoices):
    GAMES = "games", "Play games"
    POSITIONS = "positions", "A set of positions"
    PREDICTIONS = "predictions", "Guess the chances"
    MATCH = "match", "A match between students"


class Assignment(models.Model):
    """Something set to a class. ``settings`` is what its kind needs, as ``services.assignments`` reads it."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    classroom = models.ForeignKey(Classroom, on_delete=models.CASCADE, related_name="assignments")
    title = models.CharField(max_length=80)
    task = models.CharField(max_length=12, choices=Task)
    settings = models.JSONField(default=dict)
    due_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(default=timezone.now)
    deleted_at = models.DateTimeField(null=True, blank=True)

    objects = UndeletedInClass()
    everything = models.Manager()  # noqa: DJ012  a manager, too

    class Meta:
        ordering = ["-created_at"]

    def __str__(self) -> str:
        return self.title


class Work(models.Model):
    """What one student has done of an assignment."""

    assignment = models.ForeignKey(Assignment, on_delete=models.CASCADE, related_name="work")
    member = models.ForeignKey(Membership, on_delete=models.CASCADE, related_name="work")
    started_at = models.DateTimeField(default=timezone.now)
    handed_in_at = models.DateTimeField(null=True)
    #: Figures of the finished work, worked out once when it is handed in.
    result = models.JSONField(null=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["assignment", "member"], name="one_work_per_student")]

    def __str__(self) -> str:
        return f"{self.member}: {self.assignment}"


class ClassGame(models.Model):
    """A game that a student began from the class's pages: the teacher may follow and replay it."""

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="class_games")
    member = models.ForeignKey(Membership, on_delete=models.CASCADE, related_name="games")
    work = models.ForeignKey(Work, null=True, on_delete=models.SET_NULL, related_name="games")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["game", "member"], name="one_class_game_per_student")]

    def __str__(self) -> str:
        return f"{self.member} {self.game_id}"


class Phase(models.TextChoices):
    PREDICT = "predict"  # guess a chance first, where the round asks for one
    VOTE = "vote"
    REVEALED = "revealed"
    CLOSED = "closed"


class Round(models.Model):
    """One question to the whole class: "what would you keep?", run by the teacher phase by phase."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    classroom = models.ForeignKey(Classroom, on_delete=models.CASCADE, related_name="rounds")
    #: ``engine.dicee.notation``
    position = models.CharField(max_length=80)
    #: The box whose chance is guessed before the vote; empty when the round has no guess.
    predicts = models.CharField(max_length=20, blank=True)
    phase = models.CharField(max_length=10, choices=Phase)
    opened_at = models.DateTimeField(default=timezone.now)
    phase_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["-opened_at"]
        constraints = [
            models.UniqueConstraint(
                fields=["classroom"], condition=~models.Q(phase="closed"), name="one_open_round_per_class"
            )
        ]

    def __str__(self) -> str:
        return self.position


class Vote(models.Model):
    """What a student guessed and chose in a round. ``choice`` is a keep ("555"), or a box's name."""

    round = models.ForeignKey(Round, on_delete=models.CASCADE, related_name="votes")
    member = models.ForeignKey(Membership, on_delete=models.CASCADE, related_name="votes")
    predicted = models.FloatField(null=True)
    choice = models.CharField(max_length=20, blank=True)
    lost = models.FloatField(null=True)
    changed_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["round", "member"], name="one_vote_per_student")]

    def __str__(self) -> str:
        return f"{self.member}: {self.choice}"

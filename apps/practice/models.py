"""Practice and what it adds up to: positions to repeat, answers given, and what the learning model keeps of a player.

The tables are older than this app: they were made by ``apps.classroom`` and keep the names they got there.
"""

from __future__ import annotations

from django.db import models
from django.utils import timezone

from apps.accounts.models import Player
from apps.dicee.models import Seat


class Source(models.TextChoices):
    OWN = "own"  # a mistake of the player's own
    DRILL = "drill"  # made for a concept
    DAILY = "daily"
    WORK = "work"  # set by a teacher
    STAR = "star"  # chosen by the player


class Drill(models.Model):
    """A position in a player's practice, and when it is to come again."""

    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="drills")
    position = models.CharField(max_length=80)
    concept = models.CharField(max_length=20)
    source = models.CharField(max_length=6, choices=Source)
    #: Of a mistake: the decision it comes from, as ``dicee.services.review`` names it ("<game>:<number>").
    origin = models.CharField(max_length=48, blank=True)
    made_at = models.DateTimeField(default=timezone.now)
    #: Spaced repetition: right answers in a row, and the day it is due again.
    streak = models.PositiveSmallIntegerField(default=0)
    interval_days = models.FloatField(default=0)
    due_at = models.DateTimeField(default=timezone.now)
    #: In the player's own collection, wherever it came from.
    starred = models.BooleanField(default=False)

    class Meta:
        db_table = "classroom_drill"
        constraints = [models.UniqueConstraint(fields=["player", "position"], name="one_drill_per_position")]
        indexes = [models.Index(fields=["player", "due_at"], name="classroom_d_player__b3971f_idx")]

    def __str__(self) -> str:
        return self.position


class Answer(models.Model):
    """A choice or a guess made outside a game: practice, the daily challenge, an assignment."""

    player = models.ForeignKey(Player, null=True, on_delete=models.CASCADE, related_name="answers")
    #: Of an answer to something a teacher set; its class fills it in and reads it, nothing here does.
    work = models.ForeignKey("classroom.Work", null=True, on_delete=models.CASCADE, related_name="answers")
    source = models.CharField(max_length=6, choices=Source)
    #: Which of several: the day of a daily challenge ("2026-11-16"), the number of a position in a set.
    place = models.CharField(max_length=12, blank=True)
    position = models.CharField(max_length=80)
    concept = models.CharField(max_length=20, blank=True)
    choice = models.CharField(max_length=20, blank=True)
    lost = models.FloatField(null=True)
    #: Of a guess: the box, what was said, and the truth.
    box = models.CharField(max_length=20, blank=True)
    predicted = models.FloatField(null=True)
    truth = models.FloatField(null=True)
    took_ms = models.PositiveIntegerField(default=0)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        db_table = "classroom_answer"
        indexes = [models.Index(fields=["player", "source", "created_at"], name="classroom_a_player__f92499_idx")]
        constraints = [
            models.UniqueConstraint(
                fields=["player", "place", "position"], condition=models.Q(source="daily"), name="one_daily_attempt"
            )
        ]

    def __str__(self) -> str:
        return self.choice or self.box


class PlayedGame(models.Model):
    """What the learning model keeps of one finished game of one seat, so that a profile folds no game again."""

    seat = models.OneToOneField(Seat, on_delete=models.CASCADE, related_name="learning")
    digest = models.JSONField()
    #: The decisions that cost a point or fell for a pattern, as ``services.progress.Slip``, for links into the replay.
    slips = models.JSONField(default=list)
    #: Chances guessed in the game and the truth, kept here because telemetry expires: [[0.3, 0.306], …].
    guesses = models.JSONField(default=list)
    finished_at = models.DateTimeField(db_index=True)

    class Meta:
        db_table = "classroom_playedgame"

    def __str__(self) -> str:
        return str(self.seat)


class SkillProfile(models.Model):
    """A player's profile as of the last finished game: it never changes in the middle of one (RFC-001 §3.4)."""

    player = models.OneToOneField(Player, on_delete=models.CASCADE, related_name="skill")
    profile = models.JSONField()
    games = models.PositiveIntegerField()
    updated_at = models.DateTimeField(default=timezone.now)

    class Meta:
        db_table = "classroom_skillprofile"

    def __str__(self) -> str:
        return str(self.player)

"""The record of play. A game's state is never stored: it is what its domain events add up to (``engine.dicee.game``).

Events are append-only. The model refuses changes and so, on PostgreSQL, does the database (migration 0002); only the
retention task may delete, and only from the two streams that expire (RFC-003 §3). The one change a domain event can
see is a departed player's id giving way to a tombstone (ruling D17).
"""

from __future__ import annotations

import secrets
import uuid
from typing import Any, NoReturn

from django.db import models
from django.utils import timezone

from apps.accounts.models import Player

#: No letters or digits that are read wrongly off a projector: no 0/O, 1/I/L, 5/S, 2/Z, 8/B.
CODE_ALPHABET = "ACDEFGHJKMNPQRTUVWXY34679"
CODE_LENGTH = 5


def new_code() -> str:
    return "".join(secrets.choice(CODE_ALPHABET) for _ in range(CODE_LENGTH))


class Mode(models.TextChoices):
    """How a table is filled. Towards the engine and on the wire, ``bots`` is a multiplayer game."""

    SOLO = "solo"
    BOTS = "bots"
    MULTIPLAYER = "multiplayer"
    TUTORIAL = "tutorial"


class Status(models.TextChoices):
    WAITING = "waiting"
    ACTIVE = "active"
    COMPLETED = "completed"
    ABANDONED = "abandoned"


class Stream(models.TextChoices):
    DOMAIN = "domain"
    ANALYSIS = "analysis"
    TELEMETRY = "telemetry"


class DailyDice(models.Model):
    """The dice of one day's game, the same for everyone. Its seed stays secret until the day is over."""

    day = models.DateField(primary_key=True)
    seed = models.CharField(max_length=64)
    commitment = models.CharField(max_length=64)

    def __str__(self) -> str:
        return f"daily {self.day.isoformat()}"


class Game(models.Model):
    """One table. ``status`` and the times are read off the events when they are appended, for lists and look-ups."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    code = models.CharField(max_length=8, default=new_code, unique=True)
    mode = models.CharField(max_length=12, choices=Mode)
    status = models.CharField(max_length=12, choices=Status, default=Status.WAITING)
    host = models.ForeignKey(Player, null=True, on_delete=models.SET_NULL, related_name="hosted_games")
    #: What was chosen at creation, as ``services.settings.TableSettings`` writes it.
    settings = models.JSONField(default=dict)
    #: Secret until the game is over; its SHA-256 is public from the start.
    seed = models.CharField(max_length=64)
    commitment = models.CharField(max_length=64)
    created_at = models.DateTimeField(default=timezone.now)
    started_at = models.DateTimeField(null=True)
    finished_at = models.DateTimeField(null=True)
    #: When the turn on the clock runs out; null without a clock.
    deadline = models.DateTimeField(null=True, db_index=True)
    #: Opened to everyone with the link by a player of it, once it is over.
    shared = models.BooleanField(default=False)
    #: Grows when a departed player's id is replaced, so that no process goes on with a state that names it.
    edition = models.PositiveSmallIntegerField(default=0)
    #: Of the game of a day: whose dice it is played with.
    daily = models.ForeignKey(DailyDice, null=True, on_delete=models.PROTECT, related_name="games")
    #: The table at which the same people play again.
    rematch = models.OneToOneField("self", null=True, on_delete=models.SET_NULL, related_name="rematch_of")

    class Meta:
        indexes = [models.Index(fields=["status", "created_at"])]
        constraints = [
            models.UniqueConstraint(
                fields=["host", "daily"], condition=models.Q(daily__isnull=False), name="one_daily_game_per_player"
            )
        ]

    def __str__(self) -> str:
        return f"{self.mode} {self.code}"

    @property
    def is_over(self) -> bool:
        return self.status in (Status.COMPLETED, Status.ABANDONED)

    @property
    def group(self) -> str:
        """The channel-layer group that hears of its events."""
        return f"game.{self.id}"


class Seat(models.Model):
    """A place at a table: a player's or a bot's. ``player_ref`` is the id the events use; it outlives the player."""

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="seats")
    player = models.ForeignKey(Player, null=True, on_delete=models.SET_NULL, related_name="seats")
    player_ref = models.UUIDField()
    bot = models.CharField(max_length=12, blank=True)
    name = models.CharField(max_length=40)
    position = models.PositiveSmallIntegerField(default=0)
    final_score = models.PositiveSmallIntegerField(null=True)
    #: Decisions, points lost, luck, time and flags, worked out once the game is over (``review.profile``).
    summary = models.JSONField(null=True)
    joined_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["position", "id"]
        constraints = [models.UniqueConstraint(fields=["game", "player_ref"], name="one_seat_per_player")]

    def __str__(self) -> str:
        return self.name


class Door(models.TextChoices):
    """Which way a move came in."""

    PAGE = "page"
    API = "api"
    SOCKET = "socket"


class DecisionScreen(models.Model):
    """What a player could see when deciding on one roll. Facts are only ever added (``services.screens``)."""

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="decision_screens")
    player_ref = models.UUIDField()
    turn_number = models.PositiveSmallIntegerField()
    roll_number = models.PositiveSmallIntegerField()
    #: Values or ranks of the options were in sight.
    values = models.BooleanField(default=False)
    hint = models.BooleanField(default=False)
    #: A button held the best dice.
    held_best = models.BooleanField(default=False)
    #: The chance of a box was guessed before it was shown.
    guessed = models.BooleanField(default=False)
    #: Statistics were switched on, covered or not.
    statistics = models.BooleanField(default=False)
    profile = models.CharField(max_length=12, blank=True)
    door = models.CharField(max_length=6, choices=Door, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["game", "player_ref", "turn_number", "roll_number"], name="one_screen_per_decision"
            )
        ]

    def __str__(self) -> str:
        return f"turn {self.turn_number}, roll {self.roll_number}"

    @property
    def shows_answer(self) -> bool:
        """Whether an answer was in sight: such a decision shows no skill (ruling D20)."""
        return self.values or self.hint or self.held_best


class GameEvent(models.Model):
    """One event as it went over the wire. ``(game, stream, seq)`` is unique and gapless (ruling D11)."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="events")
    stream = models.CharField(max_length=10, choices=Stream)
    seq = models.PositiveIntegerField()
    type = models.CharField(max_length=24)
    payload = models.JSONField()
    #: The request it came from. A request sent twice finds its events by this and is not done again.
    trace_id = models.UUIDField()
    #: Of a roll: what ties its faces to the committed seed.
    proof = models.CharField(max_length=16, blank=True)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["stream", "seq"]
        constraints = [models.UniqueConstraint(fields=["game", "stream", "seq"], name="one_event_per_place")]
        indexes = [models.Index(fields=["stream", "created_at"]), models.Index(fields=["game", "trace_id"])]

    def __str__(self) -> str:
        return f"{self.stream} {self.seq} {self.type}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        if not self._state.adding:
            raise TypeError("An event is written once and never changed.")
        super().save(*args, **kwargs)

    def delete(self, *args: Any, **kwargs: Any) -> NoReturn:
        raise TypeError("An event is never deleted; only expired streams are pruned, as a whole.")


class ApiToken(models.Model):
    """Lets a program play as a player. Only the SHA-256 is kept: the token is 256 random bits, no dictionary helps."""

    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="api_tokens")
    name = models.CharField(max_length=60)
    digest = models.CharField(max_length=64, unique=True)
    #: Its first characters, to tell one from another in a list.
    hint = models.CharField(max_length=12)
    created_at = models.DateTimeField(default=timezone.now)
    #: A day, not a moment: it is no activity log.
    last_used = models.DateField(null=True)

    class Meta:
        ordering = ["-created_at"]

    def __str__(self) -> str:
        return f"{self.name} ({self.hint}…)"

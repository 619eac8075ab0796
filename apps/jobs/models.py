"""A piece of work too long for a request: who asked for it, how far it is, what came of it."""

from __future__ import annotations

import uuid
from typing import Any

from django.db import models
from django.urls import reverse
from django.utils import timezone

from apps.accounts.models import Player


class State(models.TextChoices):
    QUEUED = "queued", "Waiting"
    RUNNING = "running", "Running"
    DONE = "done", "Done"
    FAILED = "failed", "Failed"
    CANCELLED = "cancelled", "Cancelled"


#: States from which a job may still move.
LIVE = (State.QUEUED, State.RUNNING)


class Job(models.Model):
    """Every change adds one to ``seq``, so that whoever watches can tell an old message from a new one."""

    STATES = State.choices

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    owner = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="jobs")
    kind = models.CharField(max_length=80)
    state = models.CharField(max_length=10, choices=State, default=State.QUEUED)
    done = models.PositiveBigIntegerField(default=0)
    total = models.PositiveBigIntegerField(default=0)
    note = models.CharField(max_length=200, blank=True)
    seq = models.PositiveIntegerField(default=0)
    document = models.JSONField()
    result = models.JSONField(null=True, blank=True)
    error = models.JSONField(null=True, blank=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    #: When a worker, or the queue, last had it in hand.
    heartbeat = models.DateTimeField(default=timezone.now)
    created_at = models.DateTimeField(default=timezone.now)
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-created_at"]
        indexes = [
            models.Index(fields=["owner", "-created_at"]),
            models.Index(fields=["state", "heartbeat"]),
            models.Index(fields=["finished_at"]),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.id}"

    def get_absolute_url(self) -> str:
        return reverse("jobs:job", args=[self.id])

    @property
    def is_live(self) -> bool:
        return self.state in LIVE

    @property
    def held(self) -> models.Q:
        """True in the database for as long as this attempt is the one that counts."""
        return models.Q(state=State.RUNNING, attempts=self.attempts)

    @property
    def group(self) -> str:
        """The channel-layer group that hears of its changes."""
        return f"job.{self.id}"

    def message(self) -> dict[str, Any]:
        """What is sent over the WebSocket. A result can be large, so only the end carries it."""
        message: dict[str, Any] = {
            "type": "job",
            "id": str(self.id),
            "seq": self.seq,
            "state": self.state,
            "done": self.done,
            "total": self.total,
            "note": self.note,
        }
        if self.state == State.DONE:
            message["result"] = self.result
        if self.error is not None:
            message["error"] = self.error
        return message
